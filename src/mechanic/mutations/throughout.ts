import { ts } from 'ts-morph'
import type { MutationContext, Operator } from './mutation.ts'

const K = ts.SyntaxKind
/** Operators that are taken for each other in a whole function. */
const exchanges: ReadonlyMap<ts.SyntaxKind, string> = new Map([
  [K.LessThanToken, '>'],
  [K.GreaterThanToken, '<'],
  [K.LessThanEqualsToken, '>='],
  [K.GreaterThanEqualsToken, '<='],
  [K.PlusEqualsToken, '-='],
  [K.AmpersandAmpersandToken, '||'],
  [K.BarBarToken, '&&'],
])
const literalsAtMost = 8
const namesAtMost = 6

/** What is wrong in the same way all over a function: names, constants or operators taken for each other. */
export const throughoutOperators: Operator = (node, context) => {
  if (!ts.isFunctionLike(node) || !('body' in node) || node.body === undefined) return
  const { source, addEdit, scope, numbers } = context
  const { body } = node
  const start = body.getStart(source)
  const places = placesIn(body, source)
  const exchanged = (of: (place: ts.Node) => string | undefined, cost: number, change: string): void => {
    let text = body.getText(source)
    for (const place of [...places.all].reverse()) {
      const other = of(place)
      if (other !== undefined)
        text = text.slice(0, place.getStart(source) - start) + other + text.slice(place.end - start)
    }
    addEdit({ start, end: body.end, text }, 'variable', cost, `throughout: ${change}`)
  }
  const literals = [...places.literals.keys()].slice(0, literalsAtMost)
  for (const [at, one] of literals.entries()) {
    for (const other of literals.slice(at + 1))
      if (isNumber(one) === isNumber(other))
        exchanged(textSwap(places.literals, one, other), 0.6, `${one} <-> ${other}`)
    const own = places.literals.get(one) ?? []
    if (own.length < 2) continue
    for (const other of othersFor(one, numbers))
      exchanged((place) => (own.includes(place) ? other : undefined), 0.62, `${one} -> ${other}`)
  }
  const names = scope.namesAt(body).filter((name) => places.names.has(name))
  for (const [at, one] of names.slice(0, namesAtMost).entries())
    for (const other of names.slice(at + 1, namesAtMost))
      exchanged(textSwap(places.names, one, other), 0.66, `${one} <-> ${other}`)
  for (const [kind, own] of places.operators) {
    const other = exchanges.get(kind)
    if (other && own.length > 1)
      exchanged((place) => (own.includes(place) ? other : undefined), 0.6, `${ts.tokenToString(kind)} -> ${other}`)
  }
}

function placesIn(body: ts.Node, source: ts.SourceFile) {
  const all: ts.Node[] = []
  const literals = new Map<string, ts.Node[]>()
  const names = new Map<string, ts.Node[]>()
  const operators = new Map<ts.SyntaxKind, ts.Node[]>()
  const found = <Key>(map: Map<Key, ts.Node[]>, key: Key, node: ts.Node): void => {
    map.set(key, [...(map.get(key) ?? []), node])
    all.push(node)
  }
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node)) return
    const isBoolean = node.kind === K.TrueKeyword || node.kind === K.FalseKeyword
    if (ts.isNumericLiteral(node) || ts.isStringLiteral(node) || isBoolean) found(literals, node.getText(source), node)
    else if (ts.isIdentifier(node) && isValue(node)) found(names, node.text, node)
    if (ts.isBinaryExpression(node)) {
      visit(node.left)
      found(operators, node.operatorToken.kind, node.operatorToken)
      visit(node.right)
    } else ts.forEachChild(node, visit)
  }
  visit(body)
  return { all, literals, names, operators }
}

function textSwap(
  places: ReadonlyMap<string, readonly ts.Node[]>,
  one: string,
  other: string,
): (place: ts.Node) => string | undefined {
  const ones = new Set(places.get(one))
  const others = new Set(places.get(other))
  return (place) => (ones.has(place) ? other : others.has(place) ? one : undefined)
}

function othersFor(text: string, numbers: readonly string[]): string[] {
  if (text === 'true') return ['false']
  if (text === 'false') return ['true']
  if (!isNumber(text)) return [/^['"]{2}$/.test(text) ? "' '" : "''"]
  const value = Number(text)
  return [...new Set([String(value + 1), ...(value > 0 ? [String(value - 1)] : []), ...numbers.slice(0, 6)])].filter(
    (other) => other !== text,
  )
}

const isNumber = (text: string): boolean => /^\d/.test(text)

/** An identifier that stands for a variable's value and may stand for another's. */
function isValue(node: ts.Identifier): boolean {
  const { parent } = node
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === node
  if (ts.isPropertyAssignment(parent)) return parent.initializer === node
  if (ts.isVariableDeclaration(parent)) return parent.initializer === node
  return !ts.isParameter(parent) && !ts.isBindingElement(parent) && !ts.isShorthandPropertyAssignment(parent)
}

/** Two literals or two branches in each other's place; a result that is computed and thrown away; an else that lacks. */
export const misplacedOperators: Operator = (node, context) => {
  const { source, add, addEdit } = context
  if (ts.isExpressionStatement(node)) forgotten(node, context)
  if (ts.isIfStatement(node)) {
    const { expression, thenStatement, elseStatement } = node
    if (elseStatement && !ts.isIfStatement(elseStatement))
      add(
        node,
        `if (${expression.getText(source)}) ${elseStatement.getText(source)} else ${thenStatement.getText(source)}`,
        'condition',
        0.57,
      )
    const before = precedingIf(node)
    if (before)
      addEdit(
        { start: node.getStart(source), end: node.getStart(source), text: 'else ' },
        'statement',
        0.6,
        'else added',
      )
  }
  if (ts.isStatement(node) && !ts.isBlock(node)) {
    const own = literalsOf(node)
    for (const [at, one] of own.entries()) {
      const other = own[at + 1]
      if (!other || at > literalsAtMost || one.getText(source) === other.getText(source)) continue
      addEdit(
        {
          start: one.getStart(source),
          end: other.end,
          text: other.getText(source) + context.text.slice(one.end, other.getStart(source)) + one.getText(source),
        },
        'constant',
        0.6,
        `${one.getText(source)} <-> ${other.getText(source)}`,
      )
    }
  }
}

function forgotten(node: ts.ExpressionStatement, { source, add }: MutationContext): void {
  // not a plain fault: often it changes nothing, so it is no mutant for trust
  const { expression } = node
  const text = expression.getText(source)
  if (ts.isAwaitExpression(expression)) return
  if (!ts.isCallExpression(expression)) return
  const owner = ts.findAncestor(node, ts.isFunctionLike)
  if (owner) add(node, `return ${text};`, 'wrap', 0.42)
  if (owner && ts.canHaveModifiers(owner) && ts.getModifiers(owner)?.some(({ kind }) => kind === K.AsyncKeyword))
    add(node, `await ${text};`, 'wrap', 0.4)
  const callee = expression.expression
  if (ts.isPropertyAccessExpression(callee) && ts.isIdentifier(callee.expression))
    add(node, `${callee.expression.text} = ${text};`, 'wrap', 0.45)
}

function precedingIf(node: ts.IfStatement): boolean {
  if (!ts.isBlock(node.parent) && !ts.isSourceFile(node.parent)) return false
  const before = node.parent.statements[node.parent.statements.indexOf(node) - 1]
  return before !== undefined && ts.isIfStatement(before) && before.elseStatement === undefined
}

/** Literals of one statement without those of statements in it. */
function literalsOf(node: ts.Statement): ts.Node[] {
  const found: ts.Node[] = []
  const visit = (each: ts.Node): void => {
    if (ts.isTypeNode(each) || (each !== node && ts.isBlock(each))) return
    if (ts.isNumericLiteral(each) || (ts.isStringLiteral(each) && !ts.isImportDeclaration(each.parent)))
      found.push(each)
    ts.forEachChild(each, visit)
  }
  visit(node)
  return found
}
