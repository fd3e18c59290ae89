import { ts } from 'ts-morph'
import { bare, nodesOf } from '../parse.ts'
import { type Literal, literalOf, notLiteral } from './literal.ts'
import { wholeInputOf } from './whole.ts'

/** What an input has to be for a branch to be taken: one parameter, or all of them together (`index` null). */
export interface Demand {
  readonly index: number | null
  /** Of an element of that parameter: `xs[0] === 3`. */
  readonly element: number | null
  readonly value: Literal
}

/** A branch that is taken for particular inputs, and what it answers if that is written out. */
export interface InputBranch {
  readonly node: ts.Node
  readonly demands: readonly Demand[]
  readonly answer: Literal | typeof notLiteral
}

/** Branches on the equality of whole inputs (or several of their elements) with literals: `if`, `? :`, `switch`. */
export function branchesOf(source: ts.SourceFile): InputBranch[] {
  const found: InputBranch[] = []
  for (const node of nodesOf(source)) {
    if (ts.isIfStatement(node)) add(node, node.expression, answerOf(node.thenStatement))
    else if (ts.isConditionalExpression(node)) add(node, node.condition, literalOf(node.whenTrue))
    else if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.AmpersandAmpersandToken) {
      // `x === 5 && 'five'`
      add(node, node.left, literalOf(node.right))
    } else if (ts.isCaseClause(node)) {
      const input = wholeInputOf(node.parent.parent.expression)
      const value = literalOf(node.expression)
      if (input && value !== notLiteral)
        found.push({ node, demands: [{ index: input.index, element: null, value }], answer: answerOfClause(node) })
    }
  }
  return found

  function add(node: ts.Node, condition: ts.Expression, answer: Literal | typeof notLiteral): void {
    for (const alternative of alternativesOf(condition)) {
      const demands = demandsOf(alternative)
      if (demands && demands.length > 0) found.push({ node, demands, answer })
    }
  }
}

/** The operands of `||`. */
function alternativesOf(condition: ts.Expression): ts.Expression[] {
  const inner = bare(condition)
  return ts.isBinaryExpression(inner) && inner.operatorToken.kind === ts.SyntaxKind.BarBarToken
    ? [...alternativesOf(inner.left), ...alternativesOf(inner.right)]
    : [inner]
}

/** What a conjunction of equalities demands; undefined where it says anything else. */
function demandsOf(condition: ts.Expression): Demand[] | undefined {
  const inner = bare(condition)
  if (!ts.isBinaryExpression(inner)) return undefined
  const { kind } = inner.operatorToken
  if (kind === ts.SyntaxKind.AmpersandAmpersandToken) {
    const left = demandsOf(inner.left)
    const right = demandsOf(inner.right)
    return left && right && [...left, ...right]
  }
  if (kind !== ts.SyntaxKind.EqualsEqualsEqualsToken && kind !== ts.SyntaxKind.EqualsEqualsToken) return undefined
  for (const [side, other] of [
    [inner.left, inner.right],
    [inner.right, inner.left],
  ] as const) {
    const value = literalOf(other)
    if (value === notLiteral) continue
    const subject = bare(side)
    const input = wholeInputOf(subject)
    if (input) return [{ index: input.index, element: null, value }]
    if (ts.isElementAccessExpression(subject)) {
      const element = literalOf(subject.argumentExpression)
      const list = wholeInputOf(subject.expression)
      if (list && typeof element === 'number') return [{ index: list.index, element, value }]
    }
    // a length beside elements is no demand of its own, and does not stand in the way of one
    if (ts.isPropertyAccessExpression(subject) && subject.name.text === 'length') return []
  }
  return undefined
}

/** What a branch returns or assigns as its only deed. */
function answerOf(statement: ts.Statement): Literal | typeof notLiteral {
  const only = ts.isBlock(statement) ? statement.statements[0] : statement
  if (!only || (ts.isBlock(statement) && statement.statements.length > 2)) return notLiteral
  if (ts.isReturnStatement(only)) return only.expression ? literalOf(only.expression) : undefined
  if (ts.isExpressionStatement(only) && ts.isBinaryExpression(only.expression)) return literalOf(only.expression.right)
  return notLiteral
}

function answerOfClause(clause: ts.CaseClause): Literal | typeof notLiteral {
  const clauses = clause.parent.clauses
  for (const each of clauses.slice(clauses.indexOf(clause))) {
    const [first] = each.statements
    if (first) return answerOf(first)
  }
  return notLiteral
}
