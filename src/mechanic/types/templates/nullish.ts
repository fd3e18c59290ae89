import { ts } from 'ts-morph'
import {
  ancestor,
  declarationOf,
  enclosingFunction,
  enclosingStatement,
  type FixContext,
  fix,
  insert,
  isLoop,
  replace,
  type Template,
  tight,
} from '../context.ts'
import type { Fix } from '../edit.ts'
import { isAssignment } from '../flow.ts'
import { isNullish, nameOf, neutral, typeText, without } from '../type-text.ts'

/** TS2531, TS2532, TS2533, TS18047, TS18048, TS18049: a value that may be missing is used as if it were there. */
export const possiblyMissing: Template = function* (context) {
  const node = context.node
  if (!ts.isExpression(node)) return
  const type = context.checker.getTypeAtLocation(node)
  const rest = without(context, type)
  // an empty array has none of what a match knows beside its groups
  const isAskedForMore = /^RegExp(Match|Exec)Array$/.test(nameOf(rest)) && /\.(index|groups|input)\b/.test(context.text)
  const value = (rest.flags & ts.TypeFlags.Never) === 0 && !isAskedForMore ? neutral(context, rest) : null
  const code =
    ts.isBinaryExpression(node) || ts.isConditionalExpression(node)
      ? tight(context, node)
      : node.getText(context.source)

  if (value !== null && !isWrittenTo(node)) {
    yield fix(context, 0.2, `${short(code)} falls back to ${value}`, replace(context, node, `(${code} ?? ${value})`))
  }
  yield* optionalChain(context, node)
  yield* atDeclaration(context, node, value)
  yield* guards(context, node)
}

const short = (code: string): string => (code.length > 40 ? `${code.slice(0, 37)}…` : code)

function isWrittenTo(node: ts.Node): boolean {
  const parent = node.parent
  if (ts.isBinaryExpression(parent) && parent.left === node && isAssignment(parent)) return true
  return ts.isPostfixUnaryExpression(parent) || ts.isPrefixUnaryExpression(parent)
}

function* optionalChain(context: FixContext, node: ts.Expression): Generator<Fix> {
  const parent = node.parent
  if ((!ts.isPropertyAccessExpression(parent) && !ts.isElementAccessExpression(parent)) || parent.expression !== node)
    return
  for (let at: ts.Node = parent; at.parent && !ts.isStatement(at); at = at.parent) if (isWrittenTo(at)) return
  const dot = ts.isPropertyAccessExpression(parent)
    ? { start: parent.name.getStart(context.source) - 1, end: parent.name.getStart(context.source), text: '?.' }
    : insert(node.end, '?.')
  // the whole chain's end: a?.b.c() is one chain
  let chain: ts.Expression = parent
  while (
    (ts.isPropertyAccessExpression(chain.parent) ||
      ts.isElementAccessExpression(chain.parent) ||
      ts.isCallExpression(chain.parent)) &&
    (chain.parent as { expression?: ts.Node }).expression === chain
  ) {
    chain = chain.parent as ts.Expression
  }
  const said = `${short(node.getText(context.source))} may be missing`
  if (ts.isExpressionStatement(chain.parent)) {
    yield fix(context, 0.15, `${said}: nothing is done then`, dot)
    return
  }
  const result = neutral(context, context.checker.getTypeAtLocation(chain))
  if (result !== null && result !== 'undefined') {
    yield fix(
      context,
      0.3,
      `${said}: ${result} is taken then`,
      dot,
      insert(chain.getStart(context.source), '('),
      insert(chain.end, ` ?? ${result})`),
    )
  }
  yield fix(context, 0.35, `${said}: the chain is optional`, dot)
}

/** `const x = m.get(k)` gets its fallback where it is made: one change for all uses. */
function* atDeclaration(context: FixContext, node: ts.Expression, value: string | null): Generator<Fix> {
  if (!ts.isIdentifier(node) || value === null) return
  const declaration = declarationOf(context, node)
  if (!declaration || !ts.isVariableDeclaration(declaration) || !declaration.initializer) return
  const initializer = declaration.initializer
  if (declaration.type) {
    const kept = typeText(context, without(context, context.checker.getTypeAtLocation(node)))
    if (
      initializer.kind === ts.SyntaxKind.NullKeyword ||
      (ts.isIdentifier(initializer) && initializer.text === 'undefined')
    ) {
      if (kept !== null)
        yield fix(
          context,
          0.6,
          `${node.text} starts as ${value}`,
          replace(context, declaration.type, kept),
          replace(context, initializer, value),
        )
    }
    return
  }
  if (!isNullish(context.checker.getTypeAtLocation(initializer))) return
  yield fix(
    context,
    0.12,
    `${node.text} falls back to ${value}`,
    replace(context, initializer, `${tight(context, initializer)} ?? ${value}`),
  )
}

function* guards(context: FixContext, node: ts.Expression): Generator<Fix> {
  if (!ts.isIdentifier(node) && !ts.isPropertyAccessExpression(node)) {
    // a call has no name to guard: give it one first
    const statement = enclosingStatement(node)
    const owner = enclosingFunction(node)
    if (!statement || !owner || (ts.isVariableStatement(statement) === false && !ts.isExpressionStatement(statement)))
      return
    const indent = indentOf(context, statement)
    const code = node.getText(context.source)
    yield fix(
      context,
      0.55,
      `${short(code)} must be there`,
      insert(
        statement.getStart(context.source),
        `const present = ${code}\n${indent}if (present == null) throw new Error('missing value')\n${indent}`,
      ),
      replace(context, node, 'present'),
    )
    return
  }
  const name = node.getText(context.source)
  const statement = enclosingStatement(node)
  if (!statement || ts.isWhileStatement(statement) || ts.isForStatement(statement)) return
  const indent = indentOf(context, statement)
  const at = statement.getStart(context.source)
  const loop = ancestor(statement, isLoop)
  const owner = enclosingFunction(node)
  const inLoop = loop && (!owner || loop.pos > owner.pos)
  yield fix(
    context,
    0.45,
    `${name} must be there`,
    insert(at, `if (${name} == null) throw new Error('missing ${name.replace(/'/g, '')}')\n${indent}`),
  )
  if (inLoop)
    yield fix(context, 0.5, `a missing ${name} is skipped`, insert(at, `if (${name} == null) continue\n${indent}`))
  if (owner?.type) {
    const value = neutral(context, context.checker.getTypeFromTypeNode(owner.type))
    if (value !== null)
      yield fix(
        context,
        0.6,
        `without ${name} the result is ${value}`,
        insert(at, `if (${name} == null) return ${value}\n${indent}`),
      )
  }
}

export function indentOf(context: FixContext, node: ts.Node): string {
  const start = node.getStart(context.source)
  const line = context.text.lastIndexOf('\n', start - 1) + 1
  return /^\s*/.exec(context.text.slice(line, start))?.[0] ?? ''
}

/** TS2538: undefined (or null) used as an index. */
export const missingIndex: Template = function* (context) {
  const node = context.node
  if (!ts.isExpression(node)) return
  const type = without(context, context.checker.getTypeAtLocation(node))
  const value = neutral(context, type)
  if (value !== null)
    yield fix(
      context,
      0.2,
      `the index falls back to ${value}`,
      replace(context, node, `${tight(context, node)} ?? ${value}`),
    )
  else
    yield fix(
      context,
      0.4,
      'the index becomes a string',
      replace(context, node, `String(${node.getText(context.source)})`),
    )
  yield* guards(context, node)
}

/** TS18046, TS2571: a value of type unknown is used. */
export const unknownValue: Template = function* (context) {
  const node = context.node
  if (!ts.isExpression(node)) return
  const declaration = declarationOf(context, node)
  const code = node.getText(context.source)
  const parent = node.parent
  if (declaration && ts.isVariableDeclaration(declaration) && ts.isCatchClause(declaration.parent)) {
    if (ts.isPropertyAccessExpression(parent)) {
      const whole = parent.getText(context.source)
      yield fix(
        context,
        0.1,
        'the caught value is checked to be an Error',
        replace(context, parent, `(${code} instanceof Error ? ${whole} : String(${code}))`),
      )
    }
    return
  }
  yield fix(context, 0.4, `${short(code)} becomes a number`, replace(context, node, `Number(${code})`))
  yield fix(context, 0.45, `${short(code)} becomes a string`, replace(context, node, `String(${code})`))
}
