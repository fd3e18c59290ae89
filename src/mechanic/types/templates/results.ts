import { ts } from 'ts-morph'
import { ancestor, enclosingFunction, type FixContext, fix, insert, replace, type Template } from '../context.ts'
import { isAssignment } from '../flow.ts'
import { retype } from '../retype.ts'
import { neutral, typeText, union } from '../type-text.ts'
import { indentOf } from './nullish.ts'

function ownerOf(context: FixContext): ts.SignatureDeclaration | undefined {
  return ancestor(context.node, (node): node is ts.SignatureDeclaration => ts.isFunctionLike(node) && 'body' in node)
}

/** Values computed for nothing in the last statements of all branches. */
function endings(node: ts.Node | undefined): ts.Expression[] {
  if (!node) return []
  if (ts.isBlock(node)) return endings(node.statements.at(-1))
  if (ts.isIfStatement(node)) return [...endings(node.thenStatement), ...endings(node.elseStatement)]
  if (!ts.isExpressionStatement(node)) return []
  const { expression } = node
  const isPure = !ts.isBinaryExpression(expression) || !isAssignment(expression)
  return isPure && !ts.isPostfixUnaryExpression(expression) ? [expression] : []
}

/** TS2355, TS2366, TS7030, TS2378, TS2847: a way through the function without a result. */
export const missingReturn: Template = function* (context) {
  const owner = ownerOf(context)
  const body = owner && 'body' in owner ? (owner as ts.FunctionDeclaration).body : undefined
  if (!owner || !body || !ts.isBlock(body)) return
  const type = owner.type ? context.checker.getTypeFromTypeNode(owner.type) : undefined
  const last = body.statements.at(-1)
  const indent = last ? indentOf(context, last) : `${indentOf(context, owner)}  `
  const at = last ? last.end : body.getStart(context.source) + 1

  // a last expression that is the result, but for the word
  if (
    last &&
    ts.isExpressionStatement(last) &&
    type &&
    context.checker.isTypeAssignableTo(context.checker.getTypeAtLocation(last.expression), type)
  ) {
    yield fix(context, 0.08, 'the last value is returned', insert(last.getStart(context.source), 'return '))
  }
  for (const expression of endings(body)) {
    if (expression === (last && ts.isExpressionStatement(last) ? last.expression : undefined)) continue
    if (type && context.checker.isTypeAssignableTo(context.checker.getTypeAtLocation(expression), type))
      yield fix(
        context,
        0.06,
        'a value at the end of a branch is returned',
        insert(expression.getStart(context.source), 'return '),
      )
  }
  if (context.diagnostic.code === 2355) {
    for (const statement of [...body.statements].reverse()) {
      if (!ts.isVariableStatement(statement)) continue
      for (const declaration of statement.declarationList.declarations) {
        if (
          !ts.isIdentifier(declaration.name) ||
          (type && !context.checker.isTypeAssignableTo(context.checker.getTypeAtLocation(declaration.name), type))
        )
          continue
        yield fix(
          context,
          0.2,
          `${declaration.name.text} is returned`,
          insert(at, `\n${indent}return ${declaration.name.text}`),
        )
      }
    }
    yield* retype(context, owner, 'void', 0.5)
  }
  const value = type ? neutral(context, type) : null
  if (value !== null && type && /undefined|null/.test(value))
    yield fix(context, 0.05, `${value} is returned at the end`, insert(at, `\n${indent}return ${value}`))
  else {
    yield fix(
      context,
      0.2,
      'the end of the function is said to be out of reach',
      insert(at, `\n${indent}throw new Error('no result')`),
    )
    if (value !== null)
      yield fix(context, 0.35, `${value} is returned at the end`, insert(at, `\n${indent}return ${value}`))
    if (value === 'false') yield fix(context, 0.4, 'true is returned at the end', insert(at, `\n${indent}return true`))
    const text = type && typeText(context, type)
    if (text) yield* retype(context, owner, union(text, 'undefined'), 0.45)
  }
}

/** TS1308, TS2705, TS1064, TS1378: await outside of async; async without Promise. */
export const asyncness: Template = function* (context) {
  const owner = enclosingFunction(context.node) ?? ownerOf(context)
  const awaited = ancestor(context.node, ts.isAwaitExpression)
  if (owner && context.diagnostic.code !== 1064 && !ts.isConstructorDeclaration(owner)) {
    const edits = [insert(owner.getStart(context.source), 'async ')]
    if (owner.type && !owner.type.getText(context.source).startsWith('Promise'))
      edits.push(replace(context, owner.type, `Promise<${owner.type.getText(context.source)}>`))
    yield fix(context, 0.3, 'the function is async', ...edits)
  }
  if (awaited)
    yield fix(
      context,
      0.35,
      'nothing is awaited',
      replace(context, awaited, awaited.expression.getText(context.source)),
    )
  if (context.diagnostic.code === 1064 && owner?.type) {
    yield fix(
      context,
      0.15,
      'an async function returns a promise',
      replace(context, owner.type, `Promise<${owner.type.getText(context.source)}>`),
    )
    const modifier = ts.canHaveModifiers(owner)
      ? ts.getModifiers(owner)?.find((item) => item.kind === ts.SyntaxKind.AsyncKeyword)
      : undefined
    if (modifier)
      yield fix(context, 0.3, 'the function is not async', {
        start: modifier.getStart(context.source),
        end: modifier.end + 1,
        text: '',
      })
  }
}
