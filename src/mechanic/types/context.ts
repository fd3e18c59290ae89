import { ts } from 'ts-morph'
import type { Compiler } from './compiler.ts'
import type { Fix, TextEdit } from './edit.ts'
import type { Evidence } from './evidence.ts'

/** Everything that a template may look at for one diagnostic. */
export interface FixContext {
  readonly compiler: Compiler
  readonly checker: ts.TypeChecker
  readonly path: string
  readonly source: ts.SourceFile
  readonly text: string
  readonly evidence: Evidence
  readonly diagnostic: ts.Diagnostic
  /** The node that the diagnostic points at. */
  readonly node: ts.Node
  /** The first quoted words of the message, e.g. type or member names. */
  readonly quoted: readonly string[]
}

/** Proposes repairs for one diagnostic; knows nothing of the search. */
export type Template = (context: FixContext) => Iterable<Fix>

/** The outermost node with exactly this span, else the smallest that holds it. */
export function nodeAt(source: ts.SourceFile, start: number, length: number): ts.Node {
  const end = start + length
  let exact: ts.Node | undefined
  let holder: ts.Node = source
  const visit = (node: ts.Node): void => {
    if (node.getStart(source) > start || node.end < end) return
    if (!exact && node.getStart(source) === start && node.end === end) exact = node
    holder = node
    ts.forEachChild(node, visit)
  }
  ts.forEachChild(source, visit)
  return exact ?? holder
}

/** All quoted parts of a diagnostic and of what it is explained by. */
export function quotedParts(message: string | ts.DiagnosticMessageChain): string[] {
  const text = typeof message === 'string' ? message : message.messageText
  return [...text.matchAll(/'((?:[^'\\]|\\.)*?)'(?=[\s.,;:)]|$)/g)].map((match) => match[1] ?? '')
}

export function fix(context: FixContext, cost: number, what: string, ...edits: readonly TextEdit[]): Fix {
  return { file: context.path, edits, cost, what }
}

/** Replaces a node's text. */
export function replace(context: FixContext, node: ts.Node, text: string): TextEdit {
  return { start: node.getStart(context.source), end: node.end, text }
}

export function insert(at: number, text: string): TextEdit {
  return { start: at, end: at, text }
}

/** The smallest ancestor (or the node itself) that satisfies the test. */
export function ancestor<T extends ts.Node>(node: ts.Node, is: (node: ts.Node) => node is T): T | undefined {
  for (let at: ts.Node | undefined = node; at; at = at.parent) if (is(at)) return at
  return undefined
}

export function enclosingFunction(node: ts.Node): ts.SignatureDeclaration | undefined {
  const found = ancestor(node.parent ?? node, (at): at is ts.SignatureDeclaration => ts.isFunctionLike(at))
  return found
}

/** The statement that directly holds the node, in a list of statements. */
export function enclosingStatement(node: ts.Node): ts.Statement | undefined {
  for (let at: ts.Node = node; at.parent; at = at.parent) {
    if (ts.isBlock(at.parent) || ts.isSourceFile(at.parent) || ts.isCaseOrDefaultClause(at.parent)) {
      // an expression of a case clause is not a statement
      return ts.isCaseOrDefaultClause(at.parent) && !at.parent.statements.includes(at as ts.Statement)
        ? undefined
        : (at as ts.Statement)
    }
  }
  return undefined
}

export function isLoop(node: ts.Node): node is ts.IterationStatement {
  return ts.isIterationStatement(node, false)
}

/** True where an expression's text binds tighter than any operator put beside it. */
export function isTight(node: ts.Node): boolean {
  return (
    ts.isIdentifier(node) ||
    ts.isPropertyAccessExpression(node) ||
    ts.isElementAccessExpression(node) ||
    ts.isCallExpression(node) ||
    ts.isParenthesizedExpression(node) ||
    ts.isLiteralExpression(node) ||
    ts.isArrayLiteralExpression(node) ||
    ts.isNonNullExpression(node) ||
    ts.isTemplateExpression(node) ||
    node.kind === ts.SyntaxKind.ThisKeyword
  )
}

export function tight(context: FixContext, node: ts.Node): string {
  const text = node.getText(context.source)
  return isTight(node) ? text : `(${text})`
}

/** True where a replacement with a looser operator needs no brackets of its own: an argument, initializer, returned value. */
export function standsAlone(node: ts.Node): boolean {
  const parent = node.parent
  if (ts.isReturnStatement(parent) || ts.isParenthesizedExpression(parent) || ts.isExpressionStatement(parent))
    return true
  if (ts.isVariableDeclaration(parent)) return parent.initializer === node
  if (ts.isCallExpression(parent)) return parent.expression !== node
  if (ts.isArrayLiteralExpression(parent) || ts.isTemplateSpan(parent)) return true
  if (ts.isElementAccessExpression(parent)) return parent.argumentExpression === node
  if (ts.isPropertyAssignment(parent)) return parent.initializer === node
  return (
    ts.isBinaryExpression(parent) && parent.right === node && parent.operatorToken.kind === ts.SyntaxKind.EqualsToken
  )
}

/** The declaration behind a name, if it is in the candidate's file. */
export function declarationOf(context: FixContext, node: ts.Node): ts.Declaration | undefined {
  const symbol = context.checker.getSymbolAtLocation(node)
  const own = symbol?.declarations?.find((declaration) => declaration.getSourceFile() === context.source)
  if (own && ts.isShorthandPropertyAssignment(own)) {
    return context.checker.getShorthandAssignmentValueSymbol(own)?.declarations?.[0]
  }
  return own
}

/** All identifiers of the file that mean the same declaration, the declaring one left out. */
export function usesOf(context: FixContext, declaration: ts.Declaration): ts.Identifier[] {
  const symbol = ts.getNameOfDeclaration(declaration)
  if (!symbol || !ts.isIdentifier(symbol)) return []
  const name = symbol.text
  const target = context.checker.getSymbolAtLocation(symbol)
  const found: ts.Identifier[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) && node.text === name && node !== symbol) {
      const used = ts.isShorthandPropertyAssignment(node.parent)
        ? context.checker.getShorthandAssignmentValueSymbol(node.parent)
        : context.checker.getSymbolAtLocation(node)
      if (used === target) found.push(node)
    }
    ts.forEachChild(node, visit)
  }
  visit(context.source)
  return found
}
