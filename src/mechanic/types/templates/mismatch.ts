import { ts } from 'ts-morph'
import {
  ancestor,
  declarationOf,
  enclosingFunction,
  type FixContext,
  fix,
  insert,
  replace,
  type Template,
  tight,
} from '../context.ts'
import { conversions } from '../convert.ts'
import type { Fix } from '../edit.ts'
import { flowsAt } from '../flow.ts'
import { collectionTypes, inflows, produce, retype } from '../retype.ts'
import { arrayOf, elementOf, isNullish, isString, typeText, union, vocabulary } from '../type-text.ts'

/** TS2322, TS2345, TS2740, TS2741, TS2739, TS2416 …: a value does not fit the type it meets. */
export const mismatch: Template = function* (context) {
  yield* emptyCollection(context)
  if (context.quoted.includes('never')) yield* nestedEmpties(context)
  let depth = 0
  for (const flow of flowsAt(context, context.node)) {
    if (ts.isSpreadElement(flow.value)) {
      yield* spreadItems(context, flow.value, flow.target)
      continue
    }
    const from = context.checker.getTypeAtLocation(flow.value)
    const outer = depth * 0.08
    depth += 1
    for (const conversion of conversions(context, flow.value, from, flow.target)) {
      yield fix(context, conversion.cost + outer, conversion.what, replace(context, flow.value, conversion.code))
    }
    yield* branches(context, flow.value, flow.target, outer)
    yield* operands(context, flow.value, flow.target, outer)
    yield* produce(context, flow.value, flow.target, 0.12 + outer)
    if (flow.owner) yield* widenOwner(context, flow.owner, from, flow.target, outer)
    yield* sourceOf(context, flow.value, flow.target, outer)
  }
}

/** Each branch of a conditional or logical expression may be the one that does not fit. */
function* branches(context: FixContext, value: ts.Expression, target: ts.Type, outer: number): Generator<Fix> {
  const parts = ts.isConditionalExpression(value)
    ? [value.whenTrue, value.whenFalse]
    : ts.isBinaryExpression(value) && /^(\|\||\?\?|&&)$/.test(value.operatorToken.getText(context.source))
      ? [value.left, value.right]
      : ts.isArrayLiteralExpression(value)
        ? [...value.elements]
        : ts.isParenthesizedExpression(value)
          ? [value.expression]
          : []
  const element = ts.isArrayLiteralExpression(value) ? elementOf(context, target) : undefined
  for (const part of parts) {
    const wanted = ts.isArrayLiteralExpression(value) ? (context.checker.getContextualType(part) ?? element) : target
    if (!wanted || ts.isSpreadElement(part)) continue
    const from = context.checker.getTypeAtLocation(part)
    if (context.checker.isTypeAssignableTo(from, wanted)) continue
    for (const conversion of conversions(context, part, from, wanted)) {
      yield fix(context, conversion.cost + outer + 0.02, conversion.what, replace(context, part, conversion.code))
    }
    yield* branches(context, part, wanted, outer + 0.02)
  }
}

/** `f(...items)`: the items are turned into what the parameter takes. */
function* spreadItems(context: FixContext, spread: ts.SpreadElement, target: ts.Type): Generator<Fix> {
  const hard = tight(context, spread.expression)
  const accepts = (type: ts.Type): boolean => context.checker.isTypeAssignableTo(type, target)
  if (accepts(context.checker.getNumberType()))
    yield fix(
      context,
      0.2,
      `the items of ${hard} become numbers`,
      replace(context, spread.expression, `${hard}.map(Number)`),
    )
  if (accepts(context.checker.getStringType()))
    yield fix(
      context,
      0.25,
      `the items of ${hard} become strings`,
      replace(context, spread.expression, `${hard}.map(String)`),
    )
}

/** A sum that became a string because one side is one. */
function* operands(context: FixContext, value: ts.Expression, target: ts.Type, outer: number): Generator<Fix> {
  if (!ts.isBinaryExpression(value) || value.operatorToken.kind !== ts.SyntaxKind.PlusToken) return
  if (!context.checker.isTypeAssignableTo(context.checker.getNumberType(), target)) return
  for (const side of [value.left, value.right]) {
    if (!isString(context.checker.getTypeAtLocation(side))) continue
    const code = side.getText(context.source)
    yield fix(context, 0.22 + outer, `${code} becomes a number`, replace(context, side, `Number(${code})`))
    yield fix(
      context,
      0.3 + outer,
      `${code} becomes its character code`,
      replace(context, side, `${tight(context, side)}.charCodeAt(0)`),
    )
  }
}

/** The declaration learns what it is really given. */
function* widenOwner(
  context: FixContext,
  owner: ts.Declaration,
  from: ts.Type,
  target: ts.Type,
  outer: number,
): Generator<Fix> {
  let own = typeText(context, from)
  const old = typeText(context, target)
  if (ts.isFunctionLike(owner)) {
    const signature = owner as ts.SignatureDeclaration
    const isAsync =
      ts.canHaveModifiers(signature) &&
      ts.getModifiers(signature)?.some((modifier) => modifier.kind === ts.SyntaxKind.AsyncKeyword)
    if (isAsync && own !== null) own = own.startsWith('Promise<') ? own : `Promise<${own}>`
    const name = signature.name?.getText(context.source) ?? ''
    const shown = context.evidence.calls.get(name)?.returns
    if (own !== null && old !== null && !isAsync) yield* retype(context, owner, union(old, own), 0.45 + outer)
    if (own !== null) yield* retype(context, owner, own, 0.5 + outer)
    if (shown !== undefined && !/unknown/.test(shown)) yield* retype(context, owner, shown, 0.6 + outer)
    if (own === null && isNullish(from) && old !== null)
      yield* retype(context, owner, union(old, from.flags & ts.TypeFlags.Null ? 'null' : 'undefined'), 0.45 + outer)
    return
  }
  if (own === null && from.flags & (ts.TypeFlags.Null | ts.TypeFlags.Undefined))
    own = from.flags & ts.TypeFlags.Null ? 'null' : 'undefined'
  if (own !== null && old !== null) yield* retype(context, owner, union(old, own), 0.3 + outer)
  if (own !== null) yield* retype(context, owner, own, 0.35 + outer)
  if (ts.isVariableDeclaration(owner)) {
    const { whole } = inflows(context, owner)
    const initial = owner.initializer
      ? (typeText(context, context.checker.getTypeAtLocation(owner.initializer)) ?? '')
      : ''
    const parts = union(...[initial, ...whole].filter((part) => part !== ''))
    if (parts !== '') yield* retype(context, owner, parts, 0.3 + outer)
    if (owner.initializer) {
      for (const wanted of whole) if (wanted !== initial) yield* reinitialise(context, owner, wanted, outer)
    }
  }
}

/** `let total = ''` that is only ever given numbers starts as a number. */
function* reinitialise(
  context: FixContext,
  owner: ts.VariableDeclaration,
  wanted: string,
  outer: number,
): Generator<Fix> {
  const initial = owner.initializer
  if (!initial) return
  const value =
    wanted === 'number'
      ? '0'
      : wanted === 'string'
        ? "''"
        : wanted === 'boolean'
          ? 'false'
          : wanted.endsWith('[]')
            ? '[]'
            : null
  if (
    value === null ||
    !(
      ts.isLiteralExpression(initial) ||
      ts.isArrayLiteralExpression(initial) ||
      initial.kind === ts.SyntaxKind.NullKeyword
    )
  )
    return
  const annotation =
    wanted.endsWith('[]') || owner.type
      ? [owner.type ? replace(context, owner.type, wanted) : insert(owner.name.end, `: ${wanted}`)]
      : []
  yield fix(
    context,
    0.75 + outer,
    `${owner.name.getText(context.source)} starts as ${value}`,
    replace(context, initial, value),
    ...annotation,
  )
}

/** Where the value itself comes from a declaration that says too little or too much: its parameter, variable or function. */
function* sourceOf(context: FixContext, value: ts.Expression, target: ts.Type, outer: number): Generator<Fix> {
  const wanted = typeText(context, target)
  if (wanted === null) return
  const root = ts.isCallExpression(value) ? value.expression : value
  const declaration = ts.isIdentifier(root) ? declarationOf(context, root) : undefined
  if (!declaration) {
    // items of an array or values of a record: m[k], or an element of it
    const container = ts.isElementAccessExpression(root) ? root.expression : undefined
    const owner = container && ts.isIdentifier(container) ? declarationOf(context, container) : undefined
    if (owner && ts.isParameter(owner)) yield* retype(context, owner, arrayOf(wanted), 0.6 + outer)
    return
  }
  if (ts.isFunctionDeclaration(declaration) && ts.isCallExpression(value))
    yield* retype(context, declaration, wanted, 0.5 + outer)
  else if (ts.isParameter(declaration) || ts.isVariableDeclaration(declaration))
    yield* retype(context, declaration, wanted, 0.4 + outer)
}

/** `{ even: [], odd: [] }`: every empty array inside of a literal without a type is said to hold something. */
function* nestedEmpties(context: FixContext): Generator<Fix> {
  const found: ts.ArrayLiteralExpression[] = []
  const visit = (node: ts.Node): void => {
    const holds = ts.isArrayLiteralExpression(node) && node.elements.length === 0
    if (holds && !ts.isVariableDeclaration(node.parent) && !ts.isAsExpression(node.parent)) {
      const type = context.checker.getContextualType(node)
      const element = type && elementOf(context, type)
      if (!element || (element.flags & ts.TypeFlags.Never) !== 0) found.push(node)
    }
    ts.forEachChild(node, visit)
  }
  visit(context.source)
  if (found.length === 0) return
  let cost = 0.3
  for (const word of vocabulary(context)) {
    const edits = found.map((node) => replace(context, node, `[] as ${arrayOf(word)}`))
    yield fix(context, cost, `empty arrays hold ${word}`, ...edits)
    cost += 0.03
  }
}

/** `[]`, `{}`, `new Map()` and `new Set()` whose element type nobody said. */
function* emptyCollection(context: FixContext): Generator<Fix> {
  const call = ancestor(context.node, ts.isCallExpression)
  const names: ts.Expression[] = []
  if (call && ts.isPropertyAccessExpression(call.expression)) names.push(call.expression.expression)
  if (ts.isIdentifier(context.node)) names.push(context.node)
  for (const name of names) {
    let root: ts.Expression = name
    while (ts.isElementAccessExpression(root)) root = root.expression
    if (ts.isArrayLiteralExpression(root) && root.elements.length === 0 && call) {
      const result = context.checker.getContextualType(call)
      const text = result && typeText(context, result)
      if (text) yield fix(context, 0.15, `the empty array is ${text}`, replace(context, root, `([] as ${text})`))
      for (const word of vocabulary(context))
        if (word.endsWith('[]'))
          yield fix(context, 0.3, `the empty array is ${word}`, replace(context, root, `([] as ${word})`))
      continue
    }
    const declaration = ts.isIdentifier(root) ? declarationOf(context, root) : undefined
    if (!declaration || !ts.isVariableDeclaration(declaration)) continue
    let index = 0
    for (const type of collectionTypes(context, declaration)) {
      yield* retype(context, declaration, type, 0.15 + index * 0.1)
      index += 1
    }
    const initializer = declaration.initializer
    const owner = enclosingFunction(declaration)
    if (initializer && ts.isArrayLiteralExpression(initializer) && initializer.elements.length === 0 && owner?.type) {
      yield* retype(context, declaration, owner.type.getText(context.source), 0.2)
      for (const word of vocabulary(context)) yield* retype(context, declaration, arrayOf(word), 0.4)
    }
    const { items } = inflows(context, declaration)
    const now = context.checker.getTypeAtLocation(declaration)
    const element = elementOf(context, now)
    const elementText = element && typeText(context, element)
    if (items.length > 0 && !collectionTypes(context, declaration).length)
      yield* retype(context, declaration, arrayOf(union(...(elementText ? [elementText] : []), ...items)), 0.35)
  }
}

/** TS2769: no overload takes these arguments. */
export const noOverload: Template = function* (context) {
  const call = ancestor(
    context.node,
    (node): node is ts.CallExpression | ts.NewExpression => ts.isCallExpression(node) || ts.isNewExpression(node),
  )
  yield* mismatch(context)
  if (!call) return
  if (ts.isCallExpression(call) && ts.isPropertyAccessExpression(call.expression)) {
    const method = call.expression.name.text
    if (method === 'reduce' && !call.typeArguments) {
      const wanted = context.checker.getContextualType(call)
      const texts = [wanted && typeText(context, wanted), ...vocabulary(context)]
      let index = 0
      for (const text of texts) {
        if (text)
          yield fix(context, 0.2 + 0.03 * index++, `reduce makes ${text}`, insert(call.expression.end, `<${text}>`))
      }
    }
    if (method === 'concat' || method === 'push') {
      const receiver = call.expression.expression
      const declaration = ts.isIdentifier(receiver) ? declarationOf(context, receiver) : undefined
      if (declaration) for (const word of vocabulary(context)) yield* retype(context, declaration, arrayOf(word), 0.4)
    }
  }
  const signatures = context.checker.getTypeAtLocation(call.expression)
  for (const signature of ts.isNewExpression(call)
    ? signatures.getConstructSignatures()
    : signatures.getCallSignatures()) {
    let index = 0
    for (const argument of call.arguments ?? []) {
      const parameter = signature.parameters[index++]
      if (!parameter || ts.isFunctionLike(argument) || ts.isSpreadElement(argument)) continue
      const target = context.checker.getTypeOfSymbolAtLocation(parameter, argument)
      const from = context.checker.getTypeAtLocation(argument)
      if (context.checker.isTypeAssignableTo(from, target)) continue
      for (const conversion of conversions(context, argument, from, target))
        yield fix(context, conversion.cost + 0.1, conversion.what, replace(context, argument, conversion.code))
    }
  }
}

/** TS2352: an assertion between types that have nothing in common is dropped, so that the real conflict shows. */
export const wrongAssertion: Template = function* (context) {
  const assertion = ancestor(
    context.node,
    (node): node is ts.AsExpression | ts.TypeAssertion => ts.isAsExpression(node) || ts.isTypeAssertionExpression(node),
  )
  if (!assertion) return
  const value = assertion.expression
  const target = context.checker.getTypeFromTypeNode(assertion.type)
  for (const conversion of conversions(context, value, context.checker.getTypeAtLocation(value), target)) {
    yield fix(context, conversion.cost, conversion.what, replace(context, assertion, conversion.code))
  }
  yield fix(
    context,
    0.4,
    'an assertion that cannot hold is dropped',
    replace(context, assertion, value.getText(context.source)),
  )
}

/** TS2353: a literal has a member that its type lacks. */
export const excessMember: Template = function* (context) {
  const literal = ancestor(context.node, ts.isObjectLiteralExpression)
  const target = literal && context.checker.getContextualType(literal)
  const declaration = target?.symbol?.declarations?.find((item) => item.getSourceFile() === context.source)
  const property = ancestor(context.node, ts.isPropertyAssignment)
  const added = property && typeText(context, context.checker.getTypeAtLocation(property.initializer))
  if (
    declaration &&
    property &&
    added &&
    (ts.isInterfaceDeclaration(declaration) || ts.isTypeLiteralNode(declaration))
  ) {
    const last = declaration.members.at(-1)
    const separator = last && !/[;,]$/.test(last.getText(context.source)) ? '; ' : ' '
    yield fix(
      context,
      0.3,
      `the type has ${property.name.getText(context.source)}`,
      insert(last?.end ?? declaration.end - 1, `${separator}${property.name.getText(context.source)}?: ${added};`),
    )
  }
  yield* mismatch(context)
}
