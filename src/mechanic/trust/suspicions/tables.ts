import { ts } from 'ts-morph'
import { bare, nodesOf } from '../parse.ts'
import { isList, type Literal, literalOf, notLiteral, propertyName } from './literal.ts'
import { wholeInputOf } from './whole.ts'

/** A mapping from literal to literal that the code looks inputs up in. */
export interface AnswerTable {
  readonly node: ts.Node
  readonly entries: readonly { readonly key: Literal; readonly value: Literal }[]
}

/** Objects, Maps and lists of pairs whose keys and values are written out and that are looked up by whole inputs. */
export function tablesOf(source: ts.SourceFile): AnswerTable[] {
  const found: AnswerTable[] = []
  for (const node of nodesOf(source)) {
    if (ts.isObjectLiteralExpression(node)) {
      const entries = entriesOfObject(node)
      if (entries.length >= 2 && isLookedUp(node, source)) found.push({ node, entries })
    } else if (ts.isArrayLiteralExpression(node)) {
      const entries = entriesOfList(node)
      if (entries.length >= 2 && isLookedUp(node, source)) found.push({ node, entries })
    }
  }
  return found
}

function entriesOfObject(node: ts.ObjectLiteralExpression): AnswerTable['entries'] {
  return node.properties.flatMap((property) => {
    if (!ts.isPropertyAssignment(property)) return []
    const key = propertyName(property.name)
    const initializer = bare(property.initializer)
    const value = literalOf(
      ts.isArrowFunction(initializer) && !ts.isBlock(initializer.body) ? initializer.body : initializer,
    )
    return key === undefined || value === notLiteral ? [] : [{ key, value }]
  })
}

/** `[[input, answer], …]` and `[{ input, answer }, …]`; of records every pair of members is tried. */
function entriesOfList(node: ts.ArrayLiteralExpression): AnswerTable['entries'] {
  return node.elements.flatMap((element) => {
    const value = literalOf(element)
    if (value === notLiteral || typeof value !== 'object' || value === null) return []
    if (isList(value)) {
      const [first, second] = value
      return value.length === 2 && first !== undefined ? [{ key: first, value: second }] : []
    }
    const members = Object.values(value)
    const [first, second] = members
    return members.length === 2 && first !== undefined ? [{ key: first, value: second }] : []
  })
}

/** True if the table, or what is made of it, is asked for a whole input; also where a list of pairs is searched for one. */
function isLookedUp(table: ts.Expression, source: ts.SourceFile): boolean {
  let holder: ts.Node = table.parent
  let held: ts.Node = table
  while (
    ts.isParenthesizedExpression(holder) ||
    ts.isAsExpression(holder) ||
    ts.isSatisfiesExpression(holder) ||
    ts.isNewExpression(holder) ||
    (ts.isCallExpression(holder) && /^Object\./.test(holder.expression.getText(source)))
  ) {
    held = holder
    holder = holder.parent
  }
  if (isAsked(held)) return true
  const name =
    (ts.isVariableDeclaration(holder) || ts.isPropertyDeclaration(holder)) && ts.isIdentifier(holder.name)
      ? holder.name.text
      : undefined
  if (name === undefined) return false
  return [...nodesOf(source)].some(
    (node) =>
      ts.isIdentifier(node) &&
      node.text === name &&
      node !== (holder as ts.VariableDeclaration).name &&
      isAsked(ts.isPropertyAccessExpression(node.parent) && node.parent.name === node ? node.parent : node),
  )
}

function isAsked(node: ts.Node): boolean {
  const { parent } = node
  if (ts.isElementAccessExpression(parent) && parent.expression === node)
    return wholeInputOf(parent.argumentExpression) !== undefined
  if (ts.isPropertyAccessExpression(parent) && parent.expression === node && ts.isCallExpression(parent.parent)) {
    const [first] = parent.parent.arguments
    if (!first) return false
    if (/^(?:get|has)$/.test(parent.name.text)) return wholeInputOf(first) !== undefined
    // searched for the pair whose input equals the one given
    if (
      /^(?:find|filter|some)$/.test(parent.name.text) &&
      (ts.isArrowFunction(first) || ts.isFunctionExpression(first))
    )
      return comparesWhole(first.body)
  }
  if (ts.isForOfStatement(parent) && parent.expression === node) return comparesWhole(parent.statement)
  return false
}

function comparesWhole(body: ts.Node): boolean {
  for (const node of nodesOf(body)) {
    if (!ts.isBinaryExpression(node)) continue
    const { kind } = node.operatorToken
    if (kind !== ts.SyntaxKind.EqualsEqualsEqualsToken && kind !== ts.SyntaxKind.EqualsEqualsToken) continue
    if (wholeInputOf(node.left) || wholeInputOf(node.right)) return true
  }
  return false
}
