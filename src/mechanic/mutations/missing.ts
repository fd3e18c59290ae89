import { ts } from 'ts-morph'
import type { MutationContext, Operator } from './mutation.ts'

const K = ts.SyntaxKind
const namesAtMost = 5
/** Marks that results are often joined with. */
const marks = ["' '", "'.'", "', '", "'-'"]

/** Calls with arguments that lack, with receiver and argument exchanged, or that should be made twice. */
export const argumentOperators: Operator = (node, { source, add, scope }) => {
  if (!ts.isCallExpression(node)) return
  const { expression: callee } = node
  const texts = node.arguments.map((argument) => argument.getText(source))
  const text = node.getText(source)
  const [only] = node.arguments
  const isMember = ts.isPropertyAccessExpression(callee)
  if (isMember && only && texts.length === 1 && isPlain(callee.expression) && isPlain(only))
    if (!/^[A-Z]/.test(callee.expression.getText(source)))
      add(node, `${texts[0]}.${callee.name.text}(${callee.expression.getText(source)})`, 'call', 0.45)
  if (ts.isIdentifier(callee) && texts.length === 1 && !ts.isExpressionStatement(node.parent))
    add(node, `${callee.text}(${text})`, 'wrap', 0.62)
  if (texts.some((each) => each.includes('=>')) || texts.length > 3) return
  const names = scope.namesAt(node).slice(0, namesAtMost)
  const called = callee.getText(source)
  for (const name of names) {
    if (texts.includes(name)) continue
    add(node, `${called}(${[...texts, name].join(', ')})`, 'call', 0.64)
    if (texts.length > 0) add(node, `${called}(${[name, ...texts].join(', ')})`, 'call', 0.66)
  }
  if (/^Math\.(?:min|max)$/.test(called) && texts.length === 1)
    for (const [at, one] of names.entries())
      for (const other of names.slice(at + 1)) add(node, `${called}(${one}, ${other})`, 'call', 0.66)
  for (const [at, argument] of node.arguments.entries()) {
    if (!isPlain(argument)) continue
    const replaced = (other: string): string => `${called}(${texts.toSpliced(at, 1, other).join(', ')})`
    for (const name of names) if (name !== texts[at]) add(node, replaced(`${texts[at]}.slice(${name})`), 'wrap', 0.76)
  }
}

/** Values of which only a part is meant, or of which a part is taken that should be the whole; lists with doubles. */
export const partOperators: Operator = (node, { source, add, scope, text }) => {
  if (ts.isElementAccessExpression(node)) {
    if (isTarget(node)) return
    add(node, node.expression.getText(source), 'unwrap', 0.6)
    const index = node.argumentExpression
    if (ts.isIdentifier(index)) {
      add(node, index.text, 'unwrap', 0.62)
      for (const other of ['0', '1']) add(index, other, 'constant', 0.6)
    }
  }
  if (ts.isNewExpression(node) && node.arguments?.length === 1) {
    const [only] = node.arguments
    if (only && isPlain(only)) add(only, `${only.getText(source)}.toLowerCase()`, 'wrap', 0.6)
  }
  if (!ts.isIdentifier(node) || !isOperand(node)) return
  const isList = text.includes(`${node.text}[`)
  if (isList) {
    add(node, `${node.text}[0]`, 'operand', 0.6)
    for (const name of scope.namesAt(node).slice(0, 8))
      if (name !== node.text && text.includes(`[${name}]`)) add(node, `${node.text}[${name}]`, 'operand', 0.6)
  } else
    for (const name of scope.namesAt(node).slice(0, 8)) {
      const access = new RegExp(`\\b${name}\\[\\w+\\]`).exec(text)?.[0]
      if (access) add(node, access, 'operand', 0.66)
    }
}

/** Terms and factors that lack, or are there twice; marks between joined texts; values that should be unique. */
export const termOperators: Operator = (node, context) => {
  const { source, add, scope } = context
  if (ts.isBinaryExpression(node)) {
    const kind = node.operatorToken.kind
    const { left, right } = node
    // a chain of three or more: all but its last two
    if (ts.isBinaryExpression(left) && ts.isBinaryExpression(left.left) && left.operatorToken.kind === kind)
      add(node, left.left.getText(source), 'operand', 0.55)
    if (kind === K.PlusToken && !ts.isNumericLiteral(right))
      for (const mark of marks)
        add(node, `${left.getText(source)} + ${mark} + ${right.getText(source)}`, 'operand', 0.68)
    if ((kind === K.AsteriskToken || kind === K.PlusToken) && ts.isNumericLiteral(right))
      for (const name of scope.namesAt(node).slice(0, namesAtMost)) add(right, name, 'operand', 0.6)
  }
  if (!isResult(node) || ts.isLiteralExpression(node)) return
  const own =
    ts.isBinaryExpression(node) || ts.isConditionalExpression(node) ? `(${node.getText(source)})` : node.getText(source)
  if (own.length > 100) return
  for (const [after, cost] of [
    [' / 2', 0.6],
    [' * 2', 0.62],
    [' / 10', 0.66],
    [' + 1', 0.55],
    [' - 1', 0.55],
  ] as const)
    add(node, `${own}${after}`, 'operand', cost)
  if (isPlain(node)) add(node, `${own} * ${own}`, 'operand', 0.62)
  for (const name of scope.namesAt(node).slice(0, namesAtMost)) {
    if (name === own) continue
    for (const [symbol, cost] of [
      ['+', 0.66],
      ['-', 0.66],
      ['*', 0.7],
      ['%', 0.74],
      ['/', 0.74],
    ] as const)
      add(node, `${own} ${symbol} ${name}`, 'operand', cost)
  }
  unique(node, context)
}

function unique(node: ts.Expression, { source, add }: MutationContext): void {
  if (isPlain(node)) add(node, `[...new Set(${node.getText(source)})]`, 'wrap', 0.68)
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return
  const receiver = node.expression.expression
  if (!isPlain(receiver)) return
  add(receiver, `[...new Set(${receiver.getText(source)})]`, 'wrap', 0.62)
}

function isPlain(node: ts.Expression): boolean {
  return ts.isIdentifier(node) || ts.isElementAccessExpression(node) || ts.isPropertyAccessExpression(node)
}

/** What is returned, assigned, kept or pushed. */
function isResult(node: ts.Node): node is ts.Expression {
  const { parent } = node
  if (parent === undefined || !ts.isExpression(node) || ts.isFunctionExpression(node) || ts.isArrowFunction(node))
    return false
  if (ts.isReturnStatement(parent)) return true
  if (ts.isVariableDeclaration(parent)) return parent.initializer === node
  if (ts.isCallExpression(parent)) return parent.arguments.length === 1 && parent.arguments[0] === node
  if (!ts.isBinaryExpression(parent) || parent.right !== node) return false
  const { kind } = parent.operatorToken
  return kind >= K.FirstAssignment && kind <= K.LastAssignment
}

function isOperand(node: ts.Identifier): boolean {
  const { parent } = node
  return (
    (ts.isBinaryExpression(parent) && !isTarget(node)) ||
    ts.isReturnStatement(parent) ||
    (ts.isCallExpression(parent) && parent.expression !== node)
  )
}

function isTarget(node: ts.Expression): boolean {
  const { parent } = node
  if (ts.isPrefixUnaryExpression(parent) || ts.isPostfixUnaryExpression(parent)) return true
  if (!ts.isBinaryExpression(parent) || parent.left !== node) return false
  const { kind } = parent.operatorToken
  return kind >= K.FirstAssignment && kind <= K.LastAssignment
}
