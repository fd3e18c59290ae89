import { ts } from 'ts-morph'
import { ancestor, declarationOf, type FixContext, fix, insert, replace, type Template, tight } from '../context.ts'
import type { Fix } from '../edit.ts'
import { isArrayLike, isNumber, isString, nameOf, neutral } from '../type-text.ts'

/** TS2554, TS2555, TS2556, TS2575: too many or too few arguments. */
export const argumentCount: Template = function* (context) {
  const call = ancestor(
    context.node,
    (node): node is ts.CallExpression | ts.NewExpression => ts.isCallExpression(node) || ts.isNewExpression(node),
  )
  if (!call) return
  if (
    ts.isPropertyAccessExpression(call.expression) &&
    call.expression.name.text === 'split' &&
    !call.arguments?.length
  ) {
    const text = tight(context, call.expression.expression)
    yield fix(context, 0.1, 'the text is split at blanks', replace(context, call, `${text}.trim().split(/\\s+/)`))
  }
  const given = call.arguments ?? ts.factory.createNodeArray<ts.Expression>()
  const type = context.checker.getTypeAtLocation(call.expression)
  const signatures = ts.isNewExpression(call) ? type.getConstructSignatures() : type.getCallSignatures()
  for (const signature of signatures) {
    const parameters = signature.parameters
    const kept = given[parameters.length - 1]
    if (given.length > parameters.length) {
      const from = kept ? kept.end : (given[0]?.getFullStart() ?? call.end - 1)
      const last = given.at(-1)
      if (last)
        yield fix(context, 0.2, 'arguments that nobody takes are dropped', { start: from, end: last.end, text: '' })
      const owner = signature.declaration
      if (owner && owner.getSourceFile() === context.source && !ts.isJSDocSignature(owner)) {
        const extra = given
          .slice(parameters.length)
          .map(
            (argument, index) =>
              `extra${index}?: ${context.checker.typeToString(context.checker.getBaseTypeOfLiteralType(context.checker.getTypeAtLocation(argument)))}`,
          )
        yield fix(
          context,
          0.5,
          'the function takes one more argument',
          insert(owner.parameters.end, `${owner.parameters.length > 0 ? ', ' : ''}${extra.join(', ')}`),
        )
      }
      continue
    }
    const missing: string[] = []
    for (const parameter of parameters.slice(given.length)) {
      const declaration = parameter.declarations?.[0]
      if (
        declaration &&
        ts.isParameter(declaration) &&
        (declaration.questionToken || declaration.initializer || declaration.dotDotDotToken)
      )
        break
      const value = neutral(context, context.checker.getTypeOfSymbolAtLocation(parameter, call))
      missing.push(value ?? 'undefined')
    }
    if (missing.length > 0 && call.arguments) {
      const at = given.length > 0 ? given.end : call.end - 1
      yield fix(
        context,
        0.25,
        `missing arguments are given: ${missing.join(', ')}`,
        insert(at, `${given.length > 0 ? ', ' : ''}${missing.join(', ')}`),
      )
      yield* optionalParameters(context, signature, given.length)
    }
  }
}

function* optionalParameters(context: FixContext, signature: ts.Signature, from: number): Generator<Fix> {
  const declaration = signature.declaration
  if (!declaration || ts.isJSDocSignature(declaration) || declaration.getSourceFile() !== context.source) return
  const edits = []
  for (const parameter of declaration.parameters.slice(from)) {
    if (parameter.questionToken || parameter.initializer) continue
    const value = neutral(context, context.checker.getTypeAtLocation(parameter))
    if (value === null) return
    edits.push(insert(parameter.end, ` = ${value}`))
  }
  if (edits.length > 0) yield fix(context, 0.3, 'parameters that callers leave out have defaults', ...edits)
}

/** TS2349, TS6234, TS2348, TS2351: something that is no function is called. */
export const notCallable: Template = function* (context) {
  const call = ancestor(
    context.node,
    (node): node is ts.CallExpression | ts.NewExpression => ts.isCallExpression(node) || ts.isNewExpression(node),
  )
  if (!call) return
  const callee = call.expression
  const text = callee.getText(context.source)
  if ((call.arguments?.length ?? 0) === 0)
    yield fix(context, 0.1, `${text} is a value, not a call`, replace(context, call, text))
  if (context.diagnostic.code === 2348 && ts.isCallExpression(call))
    yield fix(context, 0.1, `${text} is made with new`, insert(call.getStart(context.source), 'new '))
  if (ts.isNewExpression(call))
    yield fix(context, 0.2, `${text} is called without new`, {
      start: call.getStart(context.source),
      end: callee.getStart(context.source),
      text: '',
    })
  if (ts.isPropertyAccessExpression(callee)) {
    const receiver = callee.expression
    // a dictionary has no methods: every name is a key of it
    const listing = { items: 'entries', entries: 'entries', keys: 'keys', values: 'values' }[callee.name.text]
    const isRecord = context.checker.getIndexInfosOfType(context.checker.getTypeAtLocation(receiver)).length > 0
    if (listing !== undefined && isRecord)
      yield fix(
        context,
        0.05,
        `the ${listing} of a record`,
        replace(context, call, `Object.${listing}(${receiver.getText(context.source)})`),
      )
    const type = context.checker.getTypeAtLocation(receiver)
    const code = receiver.getText(context.source)
    if (type.isUnion()) {
      if (type.types.every((part) => isArrayLike(context, part) || isString(part)))
        yield fix(context, 0.3, `${code} is seen as one array`, replace(context, receiver, `[...${code}]`))
      yield fix(context, 0.45, `${code} becomes a string`, replace(context, receiver, `String(${code})`))
    }
  }
  const first = call.arguments?.[0]
  const type = context.checker.getTypeAtLocation(callee)
  if (
    first &&
    call.arguments?.length === 1 &&
    (isArrayLike(context, type) || isString(type) || context.checker.getIndexInfosOfType(type).length > 0)
  ) {
    yield fix(context, 0.2, `${text} is indexed`, replace(context, call, `${text}[${first.getText(context.source)}]`))
  }
  if (first && nameOf(type) === 'Map')
    yield fix(
      context,
      0.2,
      `${text} is read as a Map`,
      replace(context, call, `${text}.get(${first.getText(context.source)})`),
    )
  if (isNumber(type) && first)
    yield fix(
      context,
      0.3,
      'a product is meant',
      replace(context, call, `${text} * (${first.getText(context.source)})`),
    )
}

/** TS2488, TS2461, TS2495, TS2548, TS2549, TS2569, TS2802, TS2763: something is iterated that cannot be. */
export const notIterable: Template = function* (context) {
  // a pattern that takes apart what may be missing: its initializer is what counts
  const pattern =
    ts.isArrayBindingPattern(context.node) && ts.isVariableDeclaration(context.node.parent)
      ? context.node.parent.initializer
      : undefined
  const node = pattern ?? context.node
  if (!ts.isExpression(node)) return
  const type = context.checker.getTypeAtLocation(node)
  const code = node.getText(context.source)
  const hard = tight(context, node)
  const rest = context.checker.getNonNullableType(type)
  if (rest !== type) {
    const empty = replace(context, node, pattern ? `${hard} ?? []` : `(${hard} ?? [])`)
    yield fix(context, 0.15, `${code} falls back to nothing`, empty)
    if (pattern)
      yield fix(
        context,
        0.2,
        `${code} falls back to nothing; its parts become numbers`,
        replace(context, node, `(${hard} ?? []).map(Number)`),
      )
    return
  }
  const loop = ancestor(node, ts.isForOfStatement)
  const binding =
    loop?.expression === node && ts.isVariableDeclarationList(loop.initializer)
      ? loop.initializer.declarations[0]?.name
      : undefined
  const isPair = binding !== undefined && ts.isArrayBindingPattern(binding)
  if (isNumber(type)) {
    yield fix(
      context,
      0.25,
      `${code} counts up`,
      replace(context, node, `Array.from({ length: ${code} }, (_, index) => index)`),
    )
    yield fix(context, 0.3, `the digits of ${code} are meant`, replace(context, node, `String(${code})`))
  } else if (isArrayLike(context, type) || isString(type) || /^(Map|Set)$|Iterator/.test(nameOf(type))) {
    yield fix(context, 0.1, `${code} becomes an array`, replace(context, node, `Array.from(${code})`))
  } else {
    yield fix(
      context,
      isPair ? 0.1 : 0.25,
      `the entries of ${code} are meant`,
      replace(context, node, `Object.entries(${code})`),
    )
    if (!isPair) {
      yield fix(context, 0.2, `the values of ${code} are meant`, replace(context, node, `Object.values(${code})`))
      yield fix(context, 0.22, `the keys of ${code} are meant`, replace(context, node, `Object.keys(${code})`))
    }
    const declaration = declarationOf(context, node)
    if (declaration && ts.isVariableDeclaration(declaration) && declaration.initializer)
      yield fix(context, 0.5, `${code} becomes an array`, replace(context, node, `[${code}]`))
  }
}
