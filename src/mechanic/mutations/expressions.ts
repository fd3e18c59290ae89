import { ts } from 'ts-morph'
import type { Operator } from './mutation.ts'

const K = ts.SyntaxKind

/** For each operator those that are mistaken for it, with the cost of the exchange. */
const exchanges: ReadonlyMap<ts.SyntaxKind, readonly (readonly [string, number])[]> = new Map([
  [K.LessThanToken, [['<=', 0.2], ['>', 0.35], ['>=', 0.45], ['===', 0.52]]],
  [K.LessThanEqualsToken, [['<', 0.2], ['>=', 0.35], ['>', 0.45]]],
  [K.GreaterThanToken, [['>=', 0.2], ['<', 0.35], ['<=', 0.45], ['===', 0.52]]],
  [K.GreaterThanEqualsToken, [['>', 0.2], ['<=', 0.35], ['<', 0.45]]],
  [K.EqualsEqualsEqualsToken, [['!==', 0.3], ['<', 0.55], ['>', 0.55], ['<=', 0.6], ['>=', 0.6]]],
  [K.ExclamationEqualsEqualsToken, [['===', 0.3], ['<', 0.6], ['>', 0.6]]],
  [K.EqualsEqualsToken, [['!=', 0.3], ['===', 0.5], ['<', 0.55], ['>', 0.55], ['<=', 0.6], ['>=', 0.6]]],
  [K.ExclamationEqualsToken, [['==', 0.3], ['!==', 0.5], ['<', 0.6], ['>', 0.6]]],
  [K.PlusToken, [['-', 0.3], ['*', 0.4], ['/', 0.6], ['%', 0.6]]],
  [K.MinusToken, [['+', 0.3], ['*', 0.5], ['/', 0.6], ['%', 0.6]]],
  [K.AsteriskToken, [['/', 0.35], ['+', 0.4], ['**', 0.5], ['-', 0.5], ['%', 0.6]]],
  [K.SlashToken, [['*', 0.35], ['%', 0.35], ['-', 0.5], ['+', 0.6]]],
  [K.PercentToken, [['/', 0.35], ['*', 0.5], ['-', 0.6]]],
  [K.AsteriskAsteriskToken, [['*', 0.35]]],
  [K.AmpersandAmpersandToken, [['||', 0.3]]],
  [K.BarBarToken, [['&&', 0.3], ['??', 0.45]]],
  [K.QuestionQuestionToken, [['||', 0.4]]],
  [K.AmpersandToken, [['|', 0.35], ['&&', 0.5], ['^', 0.5]]],
  [K.BarToken, [['&', 0.35], ['||', 0.5], ['^', 0.5]]],
  [K.CaretToken, [['&', 0.5], ['|', 0.5], ['**', 0.4]]],
  [K.LessThanLessThanToken, [['>>', 0.35]]],
  [K.GreaterThanGreaterThanToken, [['<<', 0.35], ['>>>', 0.4]]],
  [K.GreaterThanGreaterThanGreaterThanToken, [['>>', 0.4]]],
  [K.PlusEqualsToken, [['-=', 0.3], ['=', 0.4], ['*=', 0.45]]],
  [K.MinusEqualsToken, [['+=', 0.3], ['=', 0.5]]],
  [K.AsteriskEqualsToken, [['/=', 0.35], ['+=', 0.4], ['=', 0.5]]],
  [K.SlashEqualsToken, [['*=', 0.35], ['-=', 0.5], ['%=', 0.5]]],
  [K.PercentEqualsToken, [['/=', 0.35]]],
  [K.EqualsToken, [['+=', 0.45], ['-=', 0.6], ['*=', 0.65]]],
]) // biome-ignore format: a table

const orderMatters = new Set([
  K.CommaToken,
  K.MinusToken,
  K.SlashToken,
  K.PercentToken,
  K.PlusToken,
  K.AsteriskAsteriskToken,
  K.LessThanToken,
  K.GreaterThanToken,
  K.LessThanEqualsToken,
  K.GreaterThanEqualsToken,
])
const arithmetic = new Set([
  K.PlusToken,
  K.MinusToken,
  K.AsteriskToken,
  K.SlashToken,
  K.PercentToken,
  K.AsteriskAsteriskToken,
])
const logical = new Set([K.AmpersandAmpersandToken, K.BarBarToken, K.QuestionQuestionToken])
const relations = new Set([
  K.LessThanToken,
  K.LessThanEqualsToken,
  K.GreaterThanToken,
  K.GreaterThanEqualsToken,
  K.EqualsEqualsEqualsToken,
  K.EqualsEqualsToken,
  K.ExclamationEqualsEqualsToken,
  K.ExclamationEqualsToken,
])

/** Wrong operator, swapped or superfluous operands, wrong grouping. */
export const binaryOperators: Operator = (node, { source, add }) => {
  if (!ts.isBinaryExpression(node)) return
  const operator = node.operatorToken
  const kind = relations.has(operator.kind) ? 'relation' : logical.has(operator.kind) ? 'logic' : 'arithmetic'
  const left = node.left.getText(source)
  const right = node.right.getText(source)
  for (const [other, cost] of exchanges.get(operator.kind) ?? []) {
    // `a ?? b` may not stand beside `||` and `&&` without brackets.
    add(
      node,
      other === '??' || operator.kind === K.QuestionQuestionToken
        ? `(${left} ${other} ${right})`
        : `${left} ${other} ${right}`,
      kind,
      cost,
    )
  }
  const symbol = operator.getText(source)
  if (orderMatters.has(operator.kind))
    add(node, `${bracketed(node.right, source)} ${symbol} ${bracketed(node.left, source)}`, 'operand', 0.45)
  if (arithmetic.has(operator.kind) || logical.has(operator.kind)) {
    add(node, left, 'operand', 0.35)
    add(node, right, 'operand', 0.4)
  }
  if (operator.kind === K.SlashToken) {
    add(node, `Math.floor(${left} / ${right})`, 'wrap', 0.3)
    add(node, `Math.ceil(${left} / ${right})`, 'wrap', 0.45)
    add(node, `Math.trunc(${left} / ${right})`, 'wrap', 0.45)
  }
  if (arithmetic.has(operator.kind) && !isInArithmetic(node)) {
    add(node, `${left} ${symbol} ${right} + 1`, 'operand', 0.48)
    add(node, `${left} ${symbol} ${right} - 1`, 'operand', 0.48)
  }
  if (arithmetic.has(operator.kind)) regroup(node, source, (text, cost) => add(node, text, 'grouping', cost))
}

/** A part of a larger sum or product; the whole is what is off by one. */
function isInArithmetic({ parent }: ts.Node): boolean {
  return ts.isBinaryExpression(parent) && arithmetic.has(parent.operatorToken.kind)
}

/** `a + b * c` as `(a + b) * c`, and `(a + b) * c` as `a + b * c`. */
function regroup(node: ts.BinaryExpression, source: ts.SourceFile, add: (text: string, cost: number) => void): void {
  const symbol = node.operatorToken.getText(source)
  const { left, right } = node
  if (ts.isBinaryExpression(right) && arithmetic.has(right.operatorToken.kind)) {
    add(
      `(${left.getText(source)} ${symbol} ${right.left.getText(source)}) ${right.operatorToken.getText(source)} ${right.right.getText(source)}`,
      0.45,
    )
  }
  if (ts.isBinaryExpression(left) && arithmetic.has(left.operatorToken.kind)) {
    add(
      `${left.left.getText(source)} ${left.operatorToken.getText(source)} (${left.right.getText(source)} ${symbol} ${right.getText(source)})`,
      0.45,
    )
  }
  if (ts.isParenthesizedExpression(left))
    add(`${left.expression.getText(source)} ${symbol} ${right.getText(source)}`, 0.5)
  if (ts.isParenthesizedExpression(right))
    add(`${left.getText(source)} ${symbol} ${right.expression.getText(source)}`, 0.5)
}

/** Negations and signs that are there and should not be, or the other way round; steps in the wrong direction. */
export const unaryOperators: Operator = (node, { source, add }) => {
  if (ts.isPrefixUnaryExpression(node)) {
    const operand = node.operand.getText(source)
    if (node.operator === K.ExclamationToken) add(node, operand, 'condition', 0.3)
    else if (node.operator === K.MinusToken) {
      add(node, operand, 'arithmetic', 0.4)
      if (!ts.isNumericLiteral(node.operand)) {
        add(node, `(-${operand} - 1)`, 'operand', 0.42)
        add(node, `(-${operand} + 1)`, 'operand', 0.45)
      }
    } else if (node.operator === K.PlusToken) add(node, operand, 'unwrap', 0.5)
    else if (node.operator === K.PlusPlusToken) add(node, `--${operand}`, 'arithmetic', 0.4)
    else if (node.operator === K.MinusMinusToken) add(node, `++${operand}`, 'arithmetic', 0.4)
  }
  if (ts.isPostfixUnaryExpression(node)) {
    const operand = node.operand.getText(source)
    const isUp = node.operator === K.PlusPlusToken
    add(node, `${operand}${isUp ? '--' : '++'}`, 'arithmetic', 0.4)
    if (ts.isForStatement(node.parent) && node.parent.incrementor === node)
      add(node, `${operand} ${isUp ? '+' : '-'}= 2`, 'constant', 0.5)
    if (!ts.isExpressionStatement(node.parent) && !ts.isForStatement(node.parent))
      add(node, `${isUp ? '++' : '--'}${operand}`, 'arithmetic', 0.5)
  }
}

/** Conditions negated, always true or false, or joined with another condition of the file. */
export const conditionOperators: Operator = (node, { source, add, conditions }) => {
  const condition = conditionOf(node)
  if (condition === undefined) return
  const text = condition.getText(source)
  if (!ts.isPrefixUnaryExpression(condition)) add(condition, `!(${text})`, 'condition', 0.4)
  if (!ts.isForStatement(node) && !ts.isWhileStatement(node)) add(condition, 'true', 'condition', 0.55)
  add(condition, 'false', 'condition', 0.55)
  for (const other of conditions.slice(0, 12)) {
    if (other === text || text.includes(other)) continue
    add(condition, `${grouped(condition, source)} && (${other})`, 'condition', 0.7)
    add(condition, `${grouped(condition, source)} || (${other})`, 'condition', 0.75)
    add(condition, `${grouped(condition, source)} && !(${other})`, 'condition', 0.8)
  }
  if (ts.isConditionalExpression(node)) {
    add(node, `${text} ? ${node.whenFalse.getText(source)} : ${node.whenTrue.getText(source)}`, 'condition', 0.4)
    add(node, node.whenTrue.getText(source), 'condition', 0.5)
    add(node, node.whenFalse.getText(source), 'condition', 0.5)
  }
}

/** The expression that a statement or expression branches on. */
export function conditionOf(node: ts.Node): ts.Expression | undefined {
  if (ts.isIfStatement(node) || ts.isWhileStatement(node) || ts.isDoStatement(node)) return node.expression
  if (ts.isForStatement(node) || ts.isConditionalExpression(node)) return node.condition
  return undefined
}

function grouped(node: ts.Expression, source: ts.SourceFile): string {
  return ts.isBinaryExpression(node) ? `(${node.getText(source)})` : node.getText(source)
}

function bracketed(node: ts.Expression, source: ts.SourceFile): string {
  return ts.isBinaryExpression(node) || ts.isConditionalExpression(node) || ts.isArrowFunction(node)
    ? `(${node.getText(source)})`
    : node.getText(source)
}
