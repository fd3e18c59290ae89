import { ts } from 'ts-morph'
import type { Operator } from './mutation.ts'

/** Methods of the same shape that are taken for each other, by family. */
const families: readonly (readonly string[])[] = [
  ['push', 'unshift'],
  ['pop', 'shift'],
  ['slice', 'splice'],
  ['slice', 'substring', 'substr'],
  ['indexOf', 'lastIndexOf'],
  ['find', 'findLast', 'filter'],
  ['findIndex', 'findLastIndex'],
  ['some', 'every'],
  ['map', 'filter', 'flatMap', 'forEach'],
  ['min', 'max'],
  ['floor', 'ceil', 'round', 'trunc'],
  ['startsWith', 'endsWith', 'includes'],
  ['toUpperCase', 'toLowerCase'],
  ['padStart', 'padEnd'],
  ['trim', 'trimStart', 'trimEnd'],
  ['keys', 'values', 'entries'],
  ['reduce', 'reduceRight'],
  ['replace', 'replaceAll'],
  ['charAt', 'charCodeAt', 'at'],
  ['add', 'delete'],
  ['set', 'delete'],
  ['concat', 'push'],
  ['sqrt', 'cbrt', 'abs'],
  ['parseInt', 'parseFloat', 'Number'],
  ['exec', 'test', 'match'],
  ['getDate', 'getDay'],
  ['getFullYear', 'getUTCFullYear'],
  ['all', 'allSettled', 'race', 'any'],
]

/** Methods of which a list given as it stands is likely meant to be spread. */
const takesMany = new Set(['min', 'max', 'push', 'unshift', 'concat', 'hypot', 'fromCharCode', 'assign'])

const alternatives = new Map<string, readonly string[]>()
for (const family of families) {
  for (const name of family) {
    alternatives.set(name, [
      ...new Set([...(alternatives.get(name) ?? []), ...family.filter((other) => other !== name)]),
    ])
  }
}

/** Wrong method, swapped, missing or superfluous arguments, missing copies and comparers. */
export const callOperators: Operator = (node, { source, add, addEdit }) => {
  if (!ts.isCallExpression(node)) return
  const callee = node.expression
  const name = ts.isPropertyAccessExpression(callee) ? callee.name : ts.isIdentifier(callee) ? callee : undefined
  for (const other of name ? (alternatives.get(name.text) ?? []) : []) if (name) add(name, other, 'call', 0.35)
  const texts = node.arguments.map((argument) => argument.getText(source))
  const withArguments = (list: readonly string[]): string => `${callee.getText(source)}(${list.join(', ')})`
  if (texts.length >= 2) {
    for (let index = 0; index + 1 < texts.length; index += 1) {
      const swapped = [...texts]
      swapped.splice(index, 2, texts[index + 1] ?? '', texts[index] ?? '')
      add(node, withArguments(swapped), 'call', 0.42)
    }
    add(node, withArguments(texts.slice(0, -1)), 'call', 0.5)
  }
  if (!ts.isPropertyAccessExpression(callee)) return
  const receiver = callee.expression.getText(source)
  const method = callee.name.text
  if (method === 'sort' || method === 'toSorted') {
    if (texts.length === 0) {
      add(node, `${receiver}.${method}((a, b) => a - b)`, 'call', 0.3)
      add(node, `${receiver}.${method}((a, b) => b - a)`, 'call', 0.4)
    }
    add(node, `[...${receiver}].${method}(${texts.join(', ')})`, 'wrap', 0.4)
    add(node, `${node.getText(source)}.reverse()`, 'wrap', 0.45)
  }
  if (method === 'reverse') add(node, `[...${receiver}].reverse()`, 'wrap', 0.45)
  if (method === 'reduce' && texts.length === 1)
    for (const start of ['0', "''", '1', '[]']) add(node, withArguments([...texts, start]), 'call', 0.45)
  if (method === 'slice' && texts.length === 1) add(node, withArguments([...texts, '-1']), 'call', 0.55)
  if (method === 'join' && texts.length === 0) add(node, withArguments(["''"]), 'call', 0.35)
  if (method === 'split' && texts.length === 1)
    add(node, withArguments([texts[0] === "''" ? "' '" : "''"]), 'call', 0.4)
  if (method === 'toString' && texts.length === 0)
    for (const radix of ['2', '10', '16']) add(node, withArguments([radix]), 'call', 0.5)
  // A link of a chain that is too much.
  if (
    !ts.isExpressionStatement(node.parent) &&
    callee.expression.kind !== ts.SyntaxKind.ThisKeyword &&
    !isNamespace(receiver)
  ) {
    add(node, receiver, 'unwrap', 0.42)
  }
  if (isNamespace(receiver) && texts.length === 1) add(node, texts[0] ?? '', 'unwrap', 0.38)
  const [only] = node.arguments
  if (texts.length === 1 && only && !ts.isSpreadElement(only) && takesMany.has(method))
    add(node, withArguments([`...${texts[0]}`]), 'call', 0.42)
  const lastArgument = node.arguments.at(-1)
  if (lastArgument && ts.isSpreadElement(lastArgument))
    addEdit(
      { start: lastArgument.getStart(source), end: lastArgument.expression.getStart(source), text: '' },
      'call',
      0.5,
      `${lastArgument.getText(source)} -> ${lastArgument.expression.getText(source)}`,
    )
}

function isNamespace(text: string): boolean {
  return ['Math', 'Number', 'String', 'Object', 'Array', 'JSON', 'Promise'].includes(text)
}

/** What a value may lack: the absolute value, rounding, a conversion, a copy, an order. */
const wrappers: readonly (readonly [before: string, after: string, cost: number])[] = [
  ['Math.abs(', ')', 0.45],
  ['Math.floor(', ')', 0.5],
  ['Math.round(', ')', 0.55],
  ['Math.ceil(', ')', 0.55],
  ['Number(', ')', 0.55],
  ['String(', ')', 0.55],
  ['-(', ')', 0.6],
]
const methodWrappers: readonly (readonly [after: string, cost: number])[] = [
  ['.toLowerCase()', 0.6],
  ['.trim()', 0.65],
  ['.sort()', 0.65],
  ['.sort((a, b) => a - b)', 0.6],
  ['.reverse()', 0.6],
  ['.slice()', 0.65],
  ['.length', 0.6],
  ['.slice(1)', 0.65],
  ['.slice(0, -1)', 0.65],
]

/** Wraps values at the places where a wrapper is usually forgotten: results, initial values, operands of comparisons, arguments. */
export const wrapOperators: Operator = (node, { source, add }) => {
  if (!isWrappable(node)) return
  const text = node.getText(source)
  if (text.length > 120) return
  for (const [before, after, cost] of wrappers)
    if (!text.startsWith(before)) add(node, `${before}${text}${after}`, 'wrap', cost)
  const receiver =
    ts.isIdentifier(node) ||
    ts.isCallExpression(node) ||
    ts.isPropertyAccessExpression(node) ||
    ts.isElementAccessExpression(node)
      ? text
      : `(${text})`
  for (const [after, cost] of methodWrappers) if (!text.endsWith(after)) add(node, `${receiver}${after}`, 'wrap', cost)
}

function isWrappable(node: ts.Node): node is ts.Expression {
  const { parent } = node
  if (parent === undefined || ts.isLiteralExpression(node) || !ts.isExpression(node)) return false
  if (
    ts.isArrowFunction(node) ||
    ts.isFunctionExpression(node) ||
    ts.isObjectLiteralExpression(node) ||
    ts.isParenthesizedExpression(node)
  )
    return false
  if (ts.isReturnStatement(parent)) return true
  if (ts.isArrowFunction(parent)) return parent.body === node
  if (ts.isVariableDeclaration(parent)) return parent.initializer === node
  if (ts.isBinaryExpression(parent)) {
    const kind = parent.operatorToken.kind
    const isComparison = kind >= ts.SyntaxKind.LessThanToken && kind <= ts.SyntaxKind.ExclamationEqualsEqualsToken
    return isComparison || (parent.right === node && kind === ts.SyntaxKind.EqualsToken)
  }
  if (ts.isForOfStatement(parent)) return parent.expression === node
  return false
}
