import { ts } from 'ts-morph'
import { ancestor, declarationOf, type FixContext, fix, insert, replace, type Template, tight } from '../context.ts'
import type { Fix } from '../edit.ts'
import { collectionTypes, inflows, retype } from '../retype.ts'
import { arrayOf, isArrayLike, isNumber, isString, nameOf, typeText, union, vocabulary } from '../type-text.ts'

/** TS7053, TS7015, TS7017: an index into something that has no such index. */
export const untypedIndex: Template = function* (context) {
  const access = ancestor(context.node, ts.isElementAccessExpression)
  if (!access) return
  const receiver = access.expression
  const index = access.argumentExpression
  const type = context.checker.getTypeAtLocation(receiver)
  const indexType = context.checker.getTypeAtLocation(index)
  const code = index.getText(context.source)

  if ((isArrayLike(context, type) || isString(type)) && !isNumber(indexType)) {
    yield fix(context, 0.15, `the index ${code} becomes a number`, replace(context, index, `Number(${code})`))
  }
  if (nameOf(type) === 'Map') yield* mapAccess(context, access)

  yield* declareRecord(context, receiver, indexType)

  // the object's own keys are all that is asked for
  if (!isArrayLike(context, type)) {
    const name = receiver.getText(context.source)
    if (ts.isIdentifier(receiver)) {
      yield fix(
        context,
        0.5,
        `${code} is said to be a key of ${name}`,
        replace(context, index, `${tight(context, index)} as keyof typeof ${name}`),
      )
    }
    if (!isString(indexType) && !isNumber(indexType)) {
      yield fix(context, 0.3, `the key ${code} becomes a string`, replace(context, index, `String(${code})`))
    }
  }
}

function* mapAccess(context: FixContext, access: ts.ElementAccessExpression): Generator<Fix> {
  const name = access.expression.getText(context.source)
  const key = access.argumentExpression.getText(context.source)
  const parent = access.parent
  if (
    ts.isBinaryExpression(parent) &&
    parent.left === access &&
    parent.operatorToken.kind === ts.SyntaxKind.EqualsToken
  ) {
    yield fix(
      context,
      0.15,
      `${name} is set as a Map`,
      replace(context, parent, `${name}.set(${key}, ${parent.right.getText(context.source)})`),
    )
  } else {
    yield fix(context, 0.2, `${name} is read as a Map`, replace(context, access, `${name}.get(${key})`))
  }
}

/** The indexed object is declared as a record. */
export function* declareRecord(
  context: FixContext,
  receiver: ts.Expression,
  indexType: ts.Type | null,
): Generator<Fix> {
  let root = receiver
  let depth = 0
  while (ts.isElementAccessExpression(root)) {
    root = root.expression
    depth += 1
  }
  const declaration =
    ts.isIdentifier(root) || ts.isPropertyAccessExpression(root)
      ? declarationOf(context, ts.isPropertyAccessExpression(root) ? root.name : root)
      : undefined
  if (!declaration) return
  const key = indexType && isNumber(indexType) ? 'number' : 'string'
  const record = (value: string): string => {
    let text = value
    for (let level = 0; level <= depth; level += 1) text = `{ [key: ${level === 0 ? key : 'string'}]: ${text} }`
    return text
  }
  if (ts.isParameter(declaration) && isReduceAccumulator(declaration)) {
    yield* accumulator(context, declaration, record)
    return
  }
  const found: string[] = []
  if (ts.isVariableDeclaration(declaration) || ts.isPropertyDeclaration(declaration)) {
    if (depth === 0) found.push(...collectionTypes(context, declaration))
    const initializer = declaration.initializer
    if (initializer && ts.isObjectLiteralExpression(initializer) && initializer.properties.length > 0) {
      const own = new Set<string>()
      for (const property of initializer.properties) {
        const text = typeText(
          context,
          context.checker.getTypeAtLocation(ts.isPropertyAssignment(property) ? property.initializer : property),
        )
        if (text !== null) own.add(text)
      }
      if (own.size > 0) found.unshift(record(union(...own)))
    }
    if (initializer && ts.isArrayLiteralExpression(initializer) && key === 'string') {
      const { values } = inflows(context, declaration)
      if (values.length > 0) {
        const edits = [
          replace(context, initializer, '{}'),
          declaration.type
            ? replace(context, declaration.type, record(union(...values)))
            : insert(declaration.name.end, `: ${record(union(...values))}`),
        ]
        yield fix(context, 0.5, `${declaration.name.getText(context.source)} is a record`, ...edits)
      }
    }
  }
  let cost = 0.1
  const kinds: ts.Node[] = [declaration]
  for (const type of found) {
    for (const kind of kinds) yield* retype(context, kind, type, cost)
    cost += 0.06
  }
  if (ts.isParameter(declaration) && ts.isFunctionDeclaration(declaration.parent)) {
    const call = context.evidence.calls.get(declaration.parent.name?.text ?? '')
    const shown = call?.parameters[declaration.parent.parameters.indexOf(declaration)]
    if (shown !== undefined && !shown.includes('unknown')) yield* retype(context, declaration, shown, 0.2)
  }
  for (const value of vocabulary(context)) {
    yield* retype(context, declaration, record(value), cost + 0.2)
    cost += 0.02
  }
}

export function isReduceAccumulator(parameter: ts.ParameterDeclaration): boolean {
  const call = parameter.parent.parent
  return (
    ts.isCallExpression(call) &&
    ts.isPropertyAccessExpression(call.expression) &&
    /^reduce(Right)?$/.test(call.expression.name.text) &&
    parameter.parent.parameters[0] === parameter
  )
}

/** `reduce((acc, x) => …, {})`: the type is said once, as reduce's argument. */
export function* accumulator(
  context: FixContext,
  parameter: ts.ParameterDeclaration,
  record: (value: string) => string,
): Generator<Fix> {
  const call = parameter.parent.parent as ts.CallExpression
  const initial = call.arguments[1]
  const { values, items } = inflows(context, parameter)
  const texts: string[] = []
  const isArray = initial && ts.isArrayLiteralExpression(initial)
  if (isArray) texts.push(...[...items, ...values].map(arrayOf), ...vocabulary(context).map(arrayOf))
  else texts.push(...(values.length > 0 ? [record(union(...values))] : []), ...vocabulary(context).map(record))
  const wanted = context.checker.getContextualType(call)
  const wantedText = wanted && typeText(context, wanted)
  if (wantedText) texts.unshift(wantedText)
  let cost = 0.12
  for (const text of new Set(texts)) {
    if (parameter.type) yield* retype(context, parameter, text, cost)
    else if (!call.typeArguments)
      yield fix(context, cost, `reduce makes ${text}`, insert(call.expression.end, `<${text}>`))
    else
      yield fix(context, cost, `reduce makes ${text}`, {
        start: call.typeArguments.pos,
        end: call.typeArguments.end,
        text,
      })
    cost += 0.03
  }
}

/** TS7034, TS7005: a variable whose type cannot be found. */
export const implicitVariable: Template = function* (context) {
  const declaration = declarationOf(context, context.node) ?? ancestor(context.node, ts.isVariableDeclaration)
  if (!declaration || !ts.isVariableDeclaration(declaration)) return
  let cost = 0.1
  const emit = function* (type: string): Generator<Fix> {
    yield* retype(context, declaration, type, cost)
    cost += 0.05
  }
  for (const type of collectionTypes(context, declaration)) yield* emit(type)
  const { whole, items } = inflows(context, declaration)
  const initializer = declaration.initializer
  const isEmptyArray = initializer && ts.isArrayLiteralExpression(initializer)
  if (whole.length > 0)
    yield* emit(union(...whole, ...(initializer?.kind === ts.SyntaxKind.NullKeyword ? ['null'] : [])))
  if (items.length > 0) yield* emit(arrayOf(union(...items)))
  const owner = ancestor(declaration, ts.isFunctionLike)
  if (owner && 'type' in owner && owner.type) yield* emit(owner.type.getText(context.source))
  for (const word of vocabulary(context)) yield* emit(isEmptyArray && !word.endsWith(']') ? arrayOf(word) : word)
  for (const word of vocabulary(context)) if (isEmptyArray && word.endsWith(']')) yield* emit(arrayOf(word))
}
