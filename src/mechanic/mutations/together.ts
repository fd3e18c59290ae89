import { ts } from 'ts-morph'
import { conditionOf } from './expressions.ts'
import type { MutationContext, Operator } from './mutation.ts'

const K = ts.SyntaxKind

/** Operators that are mistaken for another one throughout an expression. */
const exchanges: ReadonlyMap<ts.SyntaxKind, readonly string[]> = new Map([
  [K.AmpersandAmpersandToken, ['||']],
  [K.BarBarToken, ['&&']],
  [K.LessThanToken, ['<=', '>']],
  [K.LessThanEqualsToken, ['<', '>=']],
  [K.GreaterThanToken, ['>=', '<']],
  [K.GreaterThanEqualsToken, ['>', '<=']],
  [K.EqualsEqualsEqualsToken, ['!==']],
  [K.ExclamationEqualsEqualsToken, ['===']],
  [K.EqualsEqualsToken, ['!=']],
  [K.ExclamationEqualsToken, ['==']],
  [K.PlusToken, ['-', '*']],
  [K.MinusToken, ['+']],
  [K.AsteriskToken, ['+']],
])
const namesAtMost = 6
/** What both sides of a comparison may lack. */
const normalisers = ['.sort()', '.toLowerCase()', '.trim()', '.length', '.toString()']

/** The same mistake at every place of one expression: an operator or a name taken for another throughout, both sides unnormalised. */
export const togetherOperators: Operator = (node, context) => {
  const whole = wholeExpression(node)
  if (whole === undefined) return
  const { source, add, scope } = context
  const operators = new Map<ts.SyntaxKind, ts.Node[]>()
  const names = new Map<string, ts.Node[]>()
  const visit = (each: ts.Node): void => {
    if (ts.isBinaryExpression(each)) {
      const { kind } = each.operatorToken
      operators.set(kind, [...(operators.get(kind) ?? []), each.operatorToken])
      bothSides(each, context)
    }
    if (ts.isIdentifier(each) && !isMember(each)) names.set(each.text, [...(names.get(each.text) ?? []), each])
    ts.forEachChild(each, visit)
  }
  visit(whole)
  const exchanged = (places: readonly ts.Node[], text: string): string => {
    const start = whole.getStart(source)
    let made = whole.getText(source)
    for (const place of [...places].sort((a, b) => b.pos - a.pos))
      made = made.slice(0, place.getStart(source) - start) + text + made.slice(place.end - start)
    return made
  }
  for (const [kind, places] of operators) {
    if (places.length < 2) continue
    for (const other of exchanges.get(kind) ?? [])
      add(
        whole,
        exchanged(places, other),
        kind === K.BarBarToken || kind === K.AmpersandAmpersandToken ? 'logic' : 'relation',
        0.5,
      )
  }
  const visible = scope.namesAt(whole)
  for (const [name, places] of names) {
    if (places.length < 2 || !visible.includes(name)) continue
    for (const [distance, other] of visible.slice(0, namesAtMost).entries())
      if (other !== name) add(whole, exchanged(places, other), 'variable', 0.58 + distance * 0.02)
  }
}

/** `f(a) === f(b)` as `f(a.sort()) === f(b.sort())`, `a === b` as `a.toLowerCase() === b.toLowerCase()`. */
function bothSides(node: ts.BinaryExpression, { source, add }: MutationContext): void {
  const kind = node.operatorToken.kind
  if (kind < K.LessThanToken || kind > K.ExclamationEqualsEqualsToken) return
  const inner = (side: ts.Expression): ts.Expression => {
    const [only] = ts.isCallExpression(side) ? side.arguments : []
    return ts.isCallExpression(side) && side.arguments.length === 1 && only && !ts.isSpreadElement(only) ? only : side
  }
  const [left, right] = [inner(node.left), inner(node.right)]
  if (left.kind !== right.kind || ts.isLiteralExpression(left) || ts.isBinaryExpression(left)) return
  if (ts.isPrefixUnaryExpression(left)) return
  const start = node.getStart(source)
  const text = node.getText(source)
  for (const after of normalisers) {
    const made = `${text.slice(0, left.end - start)}${after}${text.slice(left.end - start, right.end - start)}${after}${text.slice(right.end - start)}`
    add(node, made, 'wrap', 0.6)
  }
}

/** What a statement computes, branches on or returns. */
function wholeExpression(node: ts.Node): ts.Expression | undefined {
  if (ts.isReturnStatement(node) || ts.isExpressionStatement(node)) return node.expression
  if (ts.isVariableDeclaration(node)) return node.initializer
  if (ts.isArrowFunction(node) && !ts.isBlock(node.body)) return node.body
  return conditionOf(node)
}

function isMember(node: ts.Identifier): boolean {
  const { parent } = node
  return (
    (ts.isPropertyAccessExpression(parent) && parent.name === node) ||
    (ts.isPropertyAssignment(parent) && parent.name === node) ||
    ts.isParameter(parent) ||
    ts.isShorthandPropertyAssignment(parent)
  )
}
