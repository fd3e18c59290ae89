import { ts } from 'ts-morph'
import {
  ancestor,
  declarationOf,
  enclosingStatement,
  type FixContext,
  fix,
  insert,
  isLoop,
  replace,
  type Template,
} from '../context.ts'
import type { Fix } from '../edit.ts'
import { keywordOf } from '../flow.ts'
import { neutral } from '../type-text.ts'
import { indentOf } from './nullish.ts'

/** TS2588: a constant is assigned to. */
export const reassignedConstant: Template = function* (context) {
  const declaration = declarationOf(context, context.node)
  const found = declaration && keywordOf(declaration)
  if (found?.keyword !== 'const') return
  const start = found.list.getStart(context.source)
  yield fix(context, 0.02, `${context.node.getText(context.source)} is a variable`, {
    start,
    end: start + 'const'.length,
    text: 'let',
  })
}

/** TS1155: a constant without a value. */
export const uninitialisedConstant: Template = function* (context) {
  const list = ancestor(context.node, ts.isVariableDeclarationList)
  if (!list) return
  const start = list.getStart(context.source)
  yield fix(context, 0.05, 'a constant without a value is a variable', {
    start,
    end: start + 'const'.length,
    text: 'let',
  })
}

/** TS2454, TS2565: used before it has a value. TS2448: used before its declaration. */
export const unassigned: Template = function* (context) {
  const declaration = declarationOf(context, context.node)
  if (!declaration || !ts.isVariableDeclaration(declaration)) return
  if (!declaration.initializer) {
    const value = neutral(context, context.checker.getTypeAtLocation(declaration))
    if (value !== null)
      yield fix(
        context,
        0.15,
        `${declaration.name.getText(context.source)} starts as ${value}`,
        insert(declaration.type?.end ?? declaration.name.end, ` = ${value}`),
      )
    return
  }
  const outer = outerOf(context, declaration)
  if (outer && ts.isVariableDeclarationList(declaration.parent) && declaration.parent.declarations.length === 1)
    yield fix(context, 0.1, `${declaration.name.getText(context.source)} of the outer block is set`, {
      start: declaration.parent.getStart(context.source),
      end: declaration.end,
      text: declaration.getText(context.source),
    })
  const statement = enclosingStatement(declaration)
  const user = enclosingStatement(context.node)
  if (statement && user && statement.parent === user.parent && statement !== user) {
    yield fix(
      context,
      0.3,
      `${declaration.name.getText(context.source)} is declared before it is used`,
      { start: statement.getFullStart(), end: statement.end, text: '' },
      insert(user.getStart(context.source), `${statement.getText(context.source)}\n${indentOf(context, user)}`),
    )
  }
}

/** The variable of an outer block that a declaration hides. */
function outerOf(context: FixContext, declaration: ts.VariableDeclaration): ts.Symbol | undefined {
  const block = enclosingStatement(declaration)?.parent
  if (!block || !ts.isIdentifier(declaration.name) || declaration.type) return undefined
  const name = declaration.name.text
  return context.checker
    .getSymbolsInScope(block.parent ?? block, ts.SymbolFlags.Variable)
    .find(
      (symbol) =>
        symbol.name === name &&
        symbol.declarations?.every(
          (other) => other !== declaration && other.getSourceFile() === context.source && other.pos < declaration.pos,
        ),
    )
}

/** TS2451, TS2300, TS2393, TS2392: the same name is declared twice. */
export const duplicate: Template = function* (context) {
  const name = context.node
  if (!ts.isIdentifier(name)) return
  const owner = name.parent
  const all: ts.Node[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) && node.text === name.text && isDeclaring(node)) all.push(node)
    ts.forEachChild(node, visit)
  }
  visit(context.source)
  const isFirst = all[0] === name
  const statement = enclosingStatement(owner)
  if (
    ts.isFunctionDeclaration(owner) ||
    ts.isClassDeclaration(owner) ||
    ts.isInterfaceDeclaration(owner) ||
    ts.isTypeAliasDeclaration(owner)
  ) {
    // every diagnostic of the name proposes the same, so that never all of them are dropped together
    const [first, last] = [all[0]?.parent, all.at(-1)?.parent]
    if (!first || !last || first === last) return
    const isCopy = squash(first.getText(context.source)) === squash(last.getText(context.source))
    const drop = (node: ts.Node, cost: number): Fix =>
      fix(context, cost, `a second ${name.text} is dropped`, {
        start: node.getStart(context.source),
        end: node.end,
        text: '',
      })
    yield drop(last, isCopy ? 0.05 : 0.3)
    yield drop(first, isCopy ? 0.2 : 0.4)
    return
  }
  if (!ts.isVariableDeclaration(owner)) return
  const list = owner.parent
  if (
    ts.isVariableDeclarationList(list) &&
    list.declarations.length === 1 &&
    !isFirst &&
    ts.isVariableStatement(list.parent)
  ) {
    if (owner.initializer)
      yield fix(context, 0.2, `${name.text} is set again, not declared again`, {
        start: list.getStart(context.source),
        end: owner.initializer.getStart(context.source),
        text: `${name.text} = `,
      })
    else
      yield fix(context, 0.15, `${name.text} is declared once`, {
        start: list.parent.getStart(context.source),
        end: list.parent.end,
        text: '',
      })
  }
  // another name for the second one and what comes after it in its block
  if (!isFirst && statement?.parent) {
    const edits = [replace(context, name, `${name.text}2`)]
    const later = (node: ts.Node): void => {
      if (
        ts.isIdentifier(node) &&
        node !== name &&
        node.text === name.text &&
        node.pos > name.pos &&
        !(ts.isPropertyAccessExpression(node.parent) && node.parent.name === node)
      )
        edits.push(replace(context, node, `${name.text}2`))
      ts.forEachChild(node, later)
    }
    later(statement.parent)
    yield fix(context, 0.35, `the second ${name.text} has a name of its own`, ...edits)
  }
}

/** TS2528: a module has more than one default; the ones that only name something again go. */
export const secondDefault: Template = function* (context) {
  for (const statement of context.source.statements) {
    if (!ts.isExportAssignment(statement) || statement.isExportEquals === true) continue
    yield fix(context, 0.05, 'a second default export is dropped', {
      start: statement.getStart(context.source),
      end: statement.end,
      text: '',
    })
  }
}

const squash = (text: string): string => text.replace(/\s+/g, '')

function isDeclaring(node: ts.Identifier): boolean {
  const parent = node.parent
  return (
    (ts.isVariableDeclaration(parent) ||
      ts.isFunctionDeclaration(parent) ||
      ts.isParameter(parent) ||
      ts.isClassDeclaration(parent) ||
      ts.isInterfaceDeclaration(parent) ||
      ts.isTypeAliasDeclaration(parent)) &&
    parent.name === node
  )
}

/** A variable of an inner block that is used outside of it is declared further out. Used by the names template. */
export function* hoist(context: FixContext, name: string, use: ts.Node): Generator<Fix> {
  const declarations: ts.VariableDeclaration[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.name.text === name) declarations.push(node)
    ts.forEachChild(node, visit)
  }
  const owner = ancestor(
    use,
    (node): node is ts.SignatureDeclaration | ts.SourceFile => ts.isFunctionLike(node) || ts.isSourceFile(node),
  )
  if (!owner) return
  visit(owner)
  for (const declaration of declarations) {
    const list = declaration.parent
    if (!ts.isVariableDeclarationList(list) || list.declarations.length !== 1) continue
    // the outermost statement of the declaration that shares a list with the use
    const holders = new Set<ts.Node>()
    for (let at: ts.Node = use; at; at = at.parent) holders.add(at)
    let at: ts.Node = declaration
    while (at.parent && !holders.has(at.parent)) at = at.parent
    const anchor = ts.isStatement(at) ? at : enclosingStatement(at)
    if (!anchor) continue
    const type = declaration.type ? `: ${declaration.type.getText(context.source)}` : typeHint(context, declaration)
    const start = anchor.getStart(context.source)
    const loop = isLoop(list.parent) ? list.parent : undefined
    if (loop && (ts.isForOfStatement(loop) || ts.isForInStatement(loop))) continue
    const before = insert(start, `let ${name}${type}\n${indentOf(context, anchor)}`)
    if (declaration.initializer) {
      yield fix(context, 0.2, `${name} is declared where all its uses see it`, before, {
        start: list.getStart(context.source),
        end: declaration.initializer.getStart(context.source),
        text: `${name} = `,
      })
      const initial = neutral(context, context.checker.getTypeAtLocation(declaration))
      if (initial !== null) {
        yield fix(
          context,
          0.25,
          `${name} is declared where all its uses see it`,
          insert(start, `let ${name}${type} = ${initial}\n${indentOf(context, anchor)}`),
          {
            start: list.getStart(context.source),
            end: declaration.initializer.getStart(context.source),
            text: `${name} = `,
          },
        )
      }
    }
  }
}

function typeHint(context: FixContext, declaration: ts.VariableDeclaration): string {
  const text = context.checker.typeToString(
    context.checker.getBaseTypeOfLiteralType(context.checker.getTypeAtLocation(declaration)),
  )
  return /any|never|unknown/.test(text) ? '' : `: ${text}`
}

/** TS2540, TS2542, TS2704: writing to what is only readable; a character of a string. */
export const readonlyTarget: Template = function* (context) {
  const access = ancestor(context.node, ts.isElementAccessExpression)
  const assignment = ancestor(context.node, ts.isBinaryExpression)
  if (
    access &&
    assignment &&
    assignment.left === access &&
    assignment.operatorToken.kind === ts.SyntaxKind.EqualsToken
  ) {
    const receiver = access.expression.getText(context.source)
    const index = access.argumentExpression.getText(context.source)
    const declaration = declarationOf(context, access.expression)
    const keyword = declaration && keywordOf(declaration)
    const edits = [
      replace(
        context,
        assignment,
        `${receiver} = ${receiver}.slice(0, ${index}) + ${assignment.right.getText(context.source)} + ${receiver}.slice(${index} + 1)`,
      ),
    ]
    if (keyword?.keyword === 'const')
      edits.push({
        start: keyword.list.getStart(context.source),
        end: keyword.list.getStart(context.source) + 5,
        text: 'let',
      })
    yield fix(context, 0.2, 'a string is rebuilt with the new character', ...edits)
  }
  const property = declarationOf(context, context.node)
  const modifier =
    property && ts.canHaveModifiers(property)
      ? ts.getModifiers(property)?.find((item) => item.kind === ts.SyntaxKind.ReadonlyKeyword)
      : undefined
  if (modifier)
    yield fix(context, 0.15, 'the member can be written', {
      start: modifier.getStart(context.source),
      end: modifier.end + 1,
      text: '',
    })
}
