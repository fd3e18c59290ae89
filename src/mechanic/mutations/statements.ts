import { ts } from 'ts-morph'
import type { MutationContext, Operator } from './mutation.ts'

/** Statements deleted, moved, doubled; loops left too early or too late; branches that are the wrong kind. */
export const statementOperators: Operator = (node, context) => {
  const { source, add, addEdit, text } = context
  if (ts.isBreakStatement(node)) {
    add(node, 'continue;', 'statement', 0.5)
    add(node, '', 'statement', 0.45)
  } else if (ts.isContinueStatement(node)) {
    add(node, 'break;', 'statement', 0.5)
    add(node, '', 'statement', 0.45)
  } else if (ts.isReturnStatement(node)) {
    returnChanges(node, context)
  } else if (ts.isIfStatement(node)) {
    if (node.elseStatement)
      addEdit(
        { start: node.thenStatement.end, end: node.elseStatement.end, text: '' },
        'statement',
        0.5,
        'else branch removed',
      )
    if (!node.elseStatement) {
      addEdit(
        { start: node.getStart(source), end: node.getStart(source) + 2, text: 'while ' },
        'statement',
        0.65,
        'if -> while',
      )
      addEdit(
        { start: node.getStart(source), end: node.end, text: node.thenStatement.getText(source) },
        'condition',
        0.5,
        `condition ${shorten(node.expression.getText(source))} dropped`,
      )
    }
  } else if (ts.isWhileStatement(node)) {
    addEdit(
      { start: node.getStart(source), end: node.getStart(source) + 5, text: 'if ' },
      'statement',
      0.65,
      'while -> if',
    )
  }
  const list = listOf(node)
  if (list === undefined) return
  const index = list.findIndex((statement) => statement.pos === node.pos && statement.end === node.end)
  const isDeclaration =
    ts.isVariableStatement(node) ||
    ts.isFunctionDeclaration(node) ||
    ts.isClassDeclaration(node) ||
    ts.isInterfaceDeclaration(node) ||
    ts.isTypeAliasDeclaration(node) ||
    ts.isImportDeclaration(node) ||
    ts.isExportDeclaration(node) ||
    ts.isExportAssignment(node)
  const own = node.getText(source)
  if (!isDeclaration && !ts.isReturnStatement(node)) {
    addEdit({ start: node.getStart(source), end: node.end, text: ';' }, 'statement', 0.45, `removed: ${shorten(own)}`)
    if (own.length < 200)
      addEdit({ start: node.end, end: node.end, text: `\n${own}` }, 'statement', 0.75, `doubled: ${shorten(own)}`)
  }
  const next = list[index + 1]
  if (
    next &&
    !ts.isImportDeclaration(node) &&
    !ts.isFunctionDeclaration(next) &&
    !ts.isFunctionDeclaration(node) &&
    !ts.isInterfaceDeclaration(node)
  ) {
    const between = text.slice(node.end, next.getStart(source))
    addEdit(
      { start: node.getStart(source), end: next.end, text: `${next.getText(source)}${between}${own}` },
      'statement',
      0.55,
      `moved down: ${shorten(own)}`,
    )
  }
  moveAcrossBlock(node, context, own)
}

/** The last statement of a loop moved behind it, and the one behind a loop moved into it. */
function moveAcrossBlock(node: ts.Node, { source, addEdit, text }: MutationContext, own: string): void {
  const block = node.parent
  if (!ts.isBlock(block) || block.statements.at(-1) !== node || ts.isVariableStatement(node)) return
  const loop = block.parent
  if (!ts.isIterationStatement(loop, false) && !ts.isIfStatement(loop)) return
  if (ts.isIfStatement(loop) && loop.thenStatement !== block) return
  const behind = text.slice(node.end, loop.end)
  addEdit(
    { start: node.getStart(source), end: loop.end, text: `${behind}\n${own}` },
    'statement',
    0.6,
    `moved out of its block: ${shorten(own)}`,
  )
}

function returnChanges(node: ts.ReturnStatement, { source, add, scope }: MutationContext): void {
  const value = node.expression
  if (value === undefined) return
  const own = value.getText(source)
  for (const [distance, name] of scope.namesAt(node).slice(0, 10).entries()) {
    if (name !== own) add(value, name, 'return', 0.45 + distance * 0.02)
  }
  if (!ts.isIdentifier(value)) add(value, `!(${own})`, 'return', 0.5)
  else add(value, `!${own}`, 'return', 0.5)
  for (const [text, cost] of [
    ['null', 0.6],
    ['0', 0.6],
    ['[]', 0.6],
    ["''", 0.6],
    ['-1', 0.65],
    ['false', 0.55],
    ['true', 0.55],
    ['undefined', 0.65],
  ] as const) {
    if (text !== own) add(value, text, 'return', cost)
  }
  if (!ts.isAwaitExpression(value) && ts.isCallExpression(value)) add(value, `await ${own}`, 'return', 0.7)
}

/** Base cases that may be missing: what is left for empty or absent input. */
export const guardOperators: Operator = (node, { addEdit, source }) => {
  if (!ts.isFunctionLike(node) || !('body' in node) || node.body === undefined || !ts.isBlock(node.body)) return
  const first = node.body.statements[0]
  const at = first ? first.getStart(source) : node.body.end - 1
  for (const parameter of node.parameters.slice(0, 3)) {
    if (!ts.isIdentifier(parameter.name)) continue
    const name = parameter.name.text
    const neutral: readonly (readonly [string, number])[] = [
      [name, 0.6],
      ['0', 0.62],
      ['[]', 0.62],
      ["''", 0.62],
      ['null', 0.64],
      ['false', 0.64],
      ['true', 0.64],
      ['1', 0.66],
      ['-1', 0.66],
      ['undefined', 0.7],
    ]
    for (const [value, cost] of neutral) {
      for (const [condition, extra] of [
        [`!${name}`, 0],
        [`${name}.length === 0`, 0.02],
        [`${name} <= 1`, 0.06],
        [`${name} < 0`, 0.06],
        [`${name} === 1`, 0.08],
      ] as const) {
        const guard = `if (${condition}) return ${value};`
        addEdit({ start: at, end: at, text: `${guard}\n` }, 'guard', cost + extra, `added: ${guard}`)
      }
    }
  }
}

/** A statement of the same function copied to another place of it: what is missing is often there already. */
export const borrowOperators: Operator = (node, { source, addEdit }) => {
  if (!ts.isBlock(node) || node.statements.length === 0) return
  const owner = ts.findAncestor(node, ts.isFunctionLike)
  if (owner === undefined) return
  const own = new Set<string>()
  const visit = (each: ts.Node): void => {
    if (ts.isExpressionStatement(each) && each.getText(source).length < 80) own.add(each.getText(source))
    ts.forEachChild(each, visit)
  }
  visit(owner)
  for (const text of [...own].slice(0, 8)) {
    for (const statement of node.statements) {
      if (statement.getText(source) === text) continue
      addEdit(
        { start: statement.end, end: statement.end, text: `\n${text}` },
        'statement',
        0.85,
        `added: ${shorten(text)}`,
      )
    }
    const first = node.statements[0]
    if (first)
      addEdit(
        { start: first.getStart(source), end: first.getStart(source), text: `${text}\n` },
        'statement',
        0.85,
        `added: ${shorten(text)}`,
      )
  }
}

function listOf(node: ts.Node): readonly ts.Statement[] | undefined {
  if (!ts.isStatement(node)) return undefined
  const { parent } = node
  return ts.isBlock(parent) || ts.isSourceFile(parent) || ts.isCaseClause(parent) || ts.isDefaultClause(parent)
    ? parent.statements
    : undefined
}

function shorten(text: string): string {
  const line = text.replace(/\s+/g, ' ')
  return line.length > 60 ? `${line.slice(0, 60)}…` : line
}
