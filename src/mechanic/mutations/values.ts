import { ts } from 'ts-morph'
import type { MutationContext, Operator } from './mutation.ts'

const K = ts.SyntaxKind

/** Wrong constants: off by one, another one of the file or of the tests' inputs, flipped booleans, regex flags. */
export const constantOperators: Operator = (node, context) => {
  const { add } = context
  if (ts.isNumericLiteral(node)) numberChanges(node, context)
  else if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) stringChanges(node, context)
  else if (node.kind === K.TrueKeyword) add(node, 'false', 'constant', 0.3)
  else if (node.kind === K.FalseKeyword) add(node, 'true', 'constant', 0.3)
  else if (node.kind === K.NullKeyword) add(node, 'undefined', 'constant', 0.6)
  else if (ts.isRegularExpressionLiteral(node)) regexChanges(node, context)
  else if (ts.isArrayLiteralExpression(node) && node.elements.length === 0) add(node, 'null', 'constant', 0.8)
  else if (ts.isIdentifier(node) && node.text === 'Infinity' && !ts.isPropertyAccessExpression(node.parent)) {
    add(node, '-Infinity', 'constant', 0.4)
    add(node, '0', 'constant', 0.6)
  }
}

function numberChanges(node: ts.NumericLiteral, { add, numbers, source }: MutationContext): void {
  const value = Number(node.text)
  // The value of an enum member or a property name is no computation.
  if (ts.isPropertyAssignment(node.parent) && node.parent.name === node) return
  const costs = new Map<string, number>()
  const offer = (text: string, cost: number): void => {
    if (text !== node.getText(source) && cost < (costs.get(text) ?? 2)) costs.set(text, cost)
  }
  offer(String(value + 1), 0.25)
  offer(value - 1 < 0 ? `(${value - 1})` : String(value - 1), 0.25)
  offer('0', 0.4)
  offer('1', 0.4)
  if (value !== 0) offer(`(-${node.text})`, 0.45)
  if (Number.isInteger(value) && value > 1) {
    offer(String(value * 2), 0.55)
    offer(String(value / 2), 0.6)
    offer(String(value * 10), 0.6)
    offer(String(value / 10), 0.65)
  }
  for (const other of numbers.slice(0, 24)) offer(other, 0.6)
  // 0, 9, A, Z, a, z and what comes right before or behind them
  if (value >= 32 && value <= 130 && /charCode|codePoint/i.test(source.text))
    for (const code of [48, 57, 58, 65, 90, 91, 97, 122, 123]) offer(String(code), 0.5)
  offer('2', 0.5)
  for (const [text, cost] of costs) add(node, text, 'constant', cost)
}

/** Texts that stand between others and are taken for each other. */
const separators = ['-', '_', ' ', ',', ', ', '.', '/', ':', '\n']

function stringChanges(
  node: ts.StringLiteral | ts.NoSubstitutionTemplateLiteral,
  { add, strings, source }: MutationContext,
): void {
  if (ts.isImportDeclaration(node.parent) || ts.isExportDeclaration(node.parent) || ts.isLiteralTypeNode(node.parent))
    return
  if (ts.isPropertyAssignment(node.parent) && node.parent.name === node) return
  const { text } = node
  const own = node.getText(source)
  const costs = new Map<string, number>()
  const offer = (replacement: string, cost: number): void => {
    if (replacement !== own && cost < (costs.get(replacement) ?? 2)) costs.set(replacement, cost)
  }
  if (separators.includes(text)) for (const other of separators) offer(JSON.stringify(other), 0.6)
  if (text === '') offer("' '", 0.4)
  else offer("''", 0.4)
  if (text.trim() !== text) offer(JSON.stringify(text.trim()), 0.45)
  if (text.toLowerCase() !== text) offer(JSON.stringify(text.toLowerCase()), 0.5)
  if (text.toUpperCase() !== text && text.length < 12) offer(JSON.stringify(text.toUpperCase()), 0.55)
  if (text.length > 1) {
    // Missing or superfluous ends, doubled neighbours: typical of alphabets and lists of letters.
    offer(JSON.stringify(text.slice(1)), 0.6)
    offer(JSON.stringify(text.slice(0, -1)), 0.6)
  }
  for (const other of strings.slice(0, 24)) offer(other, 0.6)
  // single letters of what the tests give, and a list of letters without each of its own
  if (text.length === 1)
    for (const letter of [...new Set(strings.join('').replace(/["'`\\]/g, ''))].slice(0, 16))
      offer(JSON.stringify(letter), 0.58)
  else if (text.length <= 30)
    for (let at = 1; at < text.length - 1; at += 1) offer(JSON.stringify(text.slice(0, at) + text.slice(at + 1)), 0.72)
  for (const [replacement, cost] of costs) add(node, replacement, 'constant', cost)
}

function regexChanges(node: ts.RegularExpressionLiteral, { add }: MutationContext): void {
  const end = node.text.lastIndexOf('/')
  const pattern = node.text.slice(0, end + 1)
  const flags = node.text.slice(end + 1)
  for (const [flag, cost] of [
    ['g', 0.3],
    ['i', 0.4],
    ['m', 0.5],
    ['u', 0.6],
    ['s', 0.6],
  ] as const) {
    add(node, `${pattern}${flags.includes(flag) ? flags.replace(flag, '') : flags + flag}`, 'regex', cost)
  }
  const body = pattern.slice(1, -1)
  if (!body.startsWith('^')) add(node, `/^${body}/${flags}`, 'regex', 0.5)
  else add(node, `/${body.slice(1)}/${flags}`, 'regex', 0.55)
  if (!body.endsWith('$')) add(node, `/${body}$/${flags}`, 'regex', 0.5)
  else add(node, `/${body.slice(0, -1)}/${flags}`, 'regex', 0.55)
  if (/[+*]/.test(body)) {
    add(node, `/${body.replace('+', '*')}/${flags}`, 'regex', 0.55)
    add(node, `/${body.replace('*', '+')}/${flags}`, 'regex', 0.55)
  }
}

/** Another variable in scope, or the same one off by one. */
export const variableOperators: Operator = (node, { add, scope }) => {
  if (!ts.isIdentifier(node) || !isRead(node)) return
  const names = scope.namesAt(node)
  for (const [distance, name] of names.slice(0, 12).entries()) {
    if (name !== node.text) add(node, name, 'variable', 0.42 + distance * 0.02)
  }
  if (!names.includes(node.text)) return
  if (isCountLike(node)) {
    add(node, `(${node.text} + 1)`, 'operand', 0.4)
    add(node, `(${node.text} - 1)`, 'operand', 0.4)
    add(node, `(${node.text} * 2)`, 'operand', 0.68)
    add(node, `Math.floor(${node.text} / 2)`, 'operand', 0.72)
  }
}

/** Lengths and elements off by one. */
export const indexOperators: Operator = (node, { add, source }) => {
  if (
    ts.isPropertyAccessExpression(node) &&
    (node.name.text === 'length' || node.name.text === 'size') &&
    !isAssigned(node)
  ) {
    add(node, `(${node.getText(source)} - 1)`, 'operand', 0.35)
    add(node, `(${node.getText(source)} + 1)`, 'operand', 0.4)
  }
  if (ts.isElementAccessExpression(node)) {
    const index = node.argumentExpression
    if (ts.isNumericLiteral(index) || ts.isIdentifier(index)) return
    add(index, `${index.getText(source)} + 1`, 'operand', 0.45)
    add(index, `${index.getText(source)} - 1`, 'operand', 0.45)
  }
}

const elementsAtMost = 16
const namesIndexed = 6

/** Lists with an element too many or two in the wrong order; a start value that should be an element. */
export const listOperators: Operator = (node, { add, source, scope, text }) => {
  if (ts.isArrayLiteralExpression(node) && node.elements.length > 1 && node.elements.length <= elementsAtMost) {
    const own = node.elements.map((element) => element.getText(source))
    for (let at = 0; at < own.length; at += 1) {
      add(node, `[${own.toSpliced(at, 1).join(', ')}]`, 'constant', 0.65)
      const [one, other] = [own[at], own[at + 1]]
      if (one !== undefined && other !== undefined)
        add(node, `[${own.toSpliced(at, 2, other, one).join(', ')}]`, 'constant', 0.68)
    }
  }
  if (!ts.isVariableDeclaration(node) || node.initializer === undefined) return
  const { initializer } = node
  if (!ts.isNumericLiteral(initializer) && initializer.kind !== K.NullKeyword && !ts.isIdentifier(initializer)) return
  for (const name of scope.namesAt(node).slice(0, namesIndexed)) {
    // only what the code uses as a list
    if (text.includes(`${name}[`)) add(initializer, `${name}[0]`, 'operand', 0.55)
  }
}

/** True for an identifier whose value is read as an expression. */
function isRead(node: ts.Identifier): boolean {
  const { parent } = node
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === node
  if (ts.isPropertyAssignment(parent)) return parent.initializer === node
  if (ts.isVariableDeclaration(parent) || ts.isParameter(parent)) return parent.initializer === node
  if (ts.isCallExpression(parent) || ts.isNewExpression(parent)) return parent.expression !== node
  if (ts.isPostfixUnaryExpression(parent)) return true
  if (ts.isArrowFunction(parent)) return parent.body === node
  return (
    !ts.isTypeNode(parent) &&
    !ts.isFunctionLike(parent) &&
    !ts.isClassLike(parent) &&
    !ts.isBindingElement(parent) &&
    !ts.isShorthandPropertyAssignment(parent) &&
    !ts.isImportSpecifier(parent) &&
    !ts.isExportSpecifier(parent) &&
    !ts.isLabeledStatement(parent) &&
    !ts.isBreakOrContinueStatement(parent) &&
    !ts.isQualifiedName(parent) &&
    !ts.isTypeReferenceNode(parent) &&
    !ts.isEnumMember(parent) &&
    !ts.isImportClause(parent) &&
    !ts.isExportAssignment(parent)
  )
}

function isAssigned(node: ts.Node): boolean {
  const { parent } = node
  if (ts.isPrefixUnaryExpression(parent) || ts.isPostfixUnaryExpression(parent))
    return parent.operator === K.PlusPlusToken || parent.operator === K.MinusMinusToken
  return (
    ts.isBinaryExpression(parent) &&
    parent.left === node &&
    parent.operatorToken.kind >= K.FirstAssignment &&
    parent.operatorToken.kind <= K.LastAssignment
  )
}

/** Where a value is likely a number: an operand of arithmetic or a comparison, an index, an argument, a result. */
function isCountLike(node: ts.Identifier): boolean {
  const { parent } = node
  if (isAssigned(node)) return false
  if (ts.isElementAccessExpression(parent)) return parent.argumentExpression === node
  return (
    ts.isBinaryExpression(parent) ||
    ts.isCallExpression(parent) ||
    ts.isReturnStatement(parent) ||
    ts.isArrowFunction(parent) ||
    ts.isVariableDeclaration(parent)
  )
}
