import { ts } from 'ts-morph'
import { declarationOf, type FixContext, fix, insert, replace, usesOf } from './context.ts'
import type { Fix, TextEdit } from './edit.ts'
import { isAssignment } from './flow.ts'
import { arrayOf, elementOf, isAny, nameOf, neutral, typeArguments, typeText, union } from './type-text.ts'

type Annotatable = ts.Declaration & { type?: ts.TypeNode; name?: ts.Node; initializer?: ts.Expression }

const canCarry = (node: ts.Node): node is Annotatable =>
  ts.isVariableDeclaration(node) ||
  ts.isParameter(node) ||
  ts.isPropertyDeclaration(node) ||
  ts.isPropertySignature(node) ||
  (ts.isFunctionLike(node) && 'parameters' in node)

/** The edits that make a declaration say `type` (for a function: its return type); null where it cannot carry one. */
export function annotate(context: FixContext, declaration: ts.Node, type: string): TextEdit[] | null {
  if (!canCarry(declaration)) return null
  if (declaration.type) return [replace(context, declaration.type, type)]
  if (
    ts.isVariableDeclaration(declaration) &&
    (ts.isForInStatement(declaration.parent.parent) || ts.isForOfStatement(declaration.parent.parent))
  )
    return null
  if (ts.isFunctionLike(declaration)) {
    const signature = declaration as ts.SignatureDeclaration
    if (ts.isArrowFunction(signature)) {
      const before = context.text.slice(
        signature.getStart(context.source),
        signature.equalsGreaterThanToken.getStart(context.source),
      )
      if (!before.includes('(')) {
        const only = signature.parameters[0]
        if (!only) return null
        return [insert(only.getStart(context.source), '('), insert(only.end, `): ${type}`)]
      }
    }
    // after the closing bracket of the parameters
    const from = signature.parameters.end
    const close = context.text.indexOf(')', from)
    return close < 0 ? null : [insert(close + 1, `: ${type}`)]
  }
  if (!declaration.name) return null
  if (
    ts.isParameter(declaration) &&
    ts.isArrowFunction(declaration.parent) &&
    declaration.parent.parameters.length === 1
  ) {
    const arrow = declaration.parent
    const before = context.text.slice(arrow.getStart(context.source), declaration.getStart(context.source))
    if (!before.includes('('))
      return [insert(declaration.getStart(context.source), '('), insert(declaration.end, `: ${type})`)]
  }
  const end =
    ts.isParameter(declaration) && declaration.questionToken ? declaration.questionToken.end : declaration.name.end
  return [insert(end, `: ${type}`)]
}

export function* retype(context: FixContext, declaration: ts.Node, type: string | null, cost: number): Generator<Fix> {
  if (type === null || !canCarry(declaration)) return
  if (declaration.type?.getText(context.source) === type) return
  const edits = annotate(context, declaration, type)
  if (!edits) return
  const name = declaration.name?.getText(context.source) ?? 'the function'
  const what = ts.isFunctionLike(declaration) ? `${name} returns ${type}` : `${name} is declared as ${type}`
  yield fix(context, cost, what, ...edits)
}

/** What flows into a variable by assignment and by the methods that fill a collection, as type texts. */
export function inflows(
  context: FixContext,
  declaration: ts.Declaration,
): { whole: string[]; items: string[]; keys: string[]; values: string[] } {
  const whole = new Set<string>()
  const items = new Set<string>()
  const keys = new Set<string>()
  const values = new Set<string>()
  const add = (set: Set<string>, node: ts.Expression | undefined): void => {
    if (!node) return
    const type = context.checker.getTypeAtLocation(node)
    const text = isAny(type) ? guess(node) : typeText(context, type)
    if (text !== null)
      for (const part of text.split(' | ')) if (part !== 'undefined' || text === 'undefined') set.add(part)
  }
  for (const use of usesOf(context, declaration)) {
    const parent = use.parent
    if (ts.isBinaryExpression(parent) && parent.left === use && isAssignment(parent)) add(whole, parent.right)
    if (ts.isPropertyAccessExpression(parent) && parent.expression === use && ts.isCallExpression(parent.parent)) {
      const method = parent.name.text
      const [first, second] = parent.parent.arguments
      if (method === 'push' || method === 'unshift' || method === 'add' || method === 'fill')
        for (const argument of parent.parent.arguments) {
          if (ts.isSpreadElement(argument)) {
            const element = elementOf(context, context.checker.getTypeAtLocation(argument.expression))
            const text = element && typeText(context, element)
            if (text) items.add(text)
          } else add(items, argument)
        }
      if (method === 'set') {
        add(keys, first)
        add(values, second)
      }
      if (method === 'get' || method === 'has') add(keys, first)
    }
    if (ts.isElementAccessExpression(parent) && parent.expression === use) {
      add(keys, parent.argumentExpression)
      const outer = parent.parent
      if (ts.isBinaryExpression(outer) && outer.left === parent && isAssignment(outer)) add(values, outer.right)
      if (ts.isPostfixUnaryExpression(outer) || ts.isPrefixUnaryExpression(outer)) values.add('number')
      if (
        ts.isPropertyAccessExpression(outer) &&
        ts.isCallExpression(outer.parent) &&
        (outer.name.text === 'push' || outer.name.text === 'unshift')
      ) {
        const before = items.size
        add(items, outer.parent.arguments[0])
        if (items.size > before) values.add(arrayOf([...items].at(-1) ?? 'number'))
      }
    }
  }
  return { whole: [...whole], items: [...items], keys: [...keys], values: [...values] }
}

/** The type of an expression that the compiler gave up on, by its form. */
function guess(node: ts.Expression): string | null {
  if (ts.isParenthesizedExpression(node)) return guess(node.expression)
  if (ts.isNumericLiteral(node) || ts.isPostfixUnaryExpression(node)) return 'number'
  if (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)) return 'string'
  if (ts.isPrefixUnaryExpression(node)) return node.operator === ts.SyntaxKind.ExclamationToken ? 'boolean' : 'number'
  if (ts.isConditionalExpression(node)) return guess(node.whenTrue) ?? guess(node.whenFalse)
  if (ts.isBinaryExpression(node)) {
    const operator = node.operatorToken.getText()
    const left = guess(node.left)
    const right = guess(node.right)
    if (operator === '+') return left === 'string' || right === 'string' ? 'string' : (left ?? right)
    if (operator === '||' || operator === '??' || operator === '&&') return right ?? left
    return /^[-*/%]|\*\*$/.test(operator) ? 'number' : 'boolean'
  }
  return null
}

/** Makes an expression produce `type` by saying it where its type arises: its variable, callback, type argument or literal. */
export function* produce(
  context: FixContext,
  node: ts.Expression,
  type: ts.Type,
  cost: number,
  depth = 0,
): Generator<Fix> {
  const text = typeText(context, type)
  if (text === null || depth > 4) return
  if (ts.isParenthesizedExpression(node)) return yield* produce(context, node.expression, type, cost, depth + 1)
  if (ts.isConditionalExpression(node)) {
    yield* produce(context, node.whenTrue, type, cost, depth + 1)
    return yield* produce(context, node.whenFalse, type, cost, depth + 1)
  }
  if (ts.isIdentifier(node)) {
    const declaration = declarationOf(context, node)
    if (!declaration || (!ts.isVariableDeclaration(declaration) && !ts.isParameter(declaration))) return
    if (ts.isParameter(declaration) && ts.isFunctionDeclaration(declaration.parent))
      return yield* retype(context, declaration, text, cost + 0.3)
    yield* retype(context, declaration, text, cost)
    if (ts.isVariableDeclaration(declaration) && declaration.initializer && !declaration.type)
      yield* produce(context, declaration.initializer, type, cost + 0.05, depth + 1)
    return
  }
  if (ts.isNewExpression(node) && ts.isIdentifier(node.expression)) {
    const parts = typeArguments(context, type).map((part) => typeText(context, part))
    if (nameOf(type) === node.expression.text && !parts.includes(null) && parts.length > 0) {
      const edit = node.typeArguments
        ? { start: node.typeArguments.pos, end: node.typeArguments.end, text: parts.join(', ') }
        : insert(node.expression.end, `<${parts.join(', ')}>`)
      yield fix(context, cost, `new ${node.expression.text} holds ${parts.join(', ')}`, edit)
    }
    return
  }
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return
  const method = node.expression.name.text
  const receiver = node.expression.expression
  const callback = node.arguments[0]
  const element = elementOf(context, type)
  const elementText = element && typeText(context, element)
  if ((method === 'map' || method === 'flatMap') && callback && elementText && ts.isFunctionLike(callback)) {
    yield* retype(context, callback, method === 'map' ? elementText : text, cost + 0.05)
  }
  if (method === 'from' && node.arguments[1] && elementText && ts.isFunctionLike(node.arguments[1]))
    yield* retype(context, node.arguments[1], elementText, cost + 0.05)
  if (method === 'reduce') {
    const initial = node.arguments[1]
    const value = neutral(context, type)
    if (
      initial &&
      value !== null &&
      !context.checker.isTypeAssignableTo(context.checker.getTypeAtLocation(initial), type)
    ) {
      yield fix(context, cost + 0.1, `reduce starts from ${value}`, replace(context, initial, value))
    }
  }
  if (method === 'reduce' && !node.typeArguments)
    yield fix(context, cost + 0.05, `reduce makes ${text}`, insert(node.expression.end, `<${text}>`))
  if (['sort', 'filter', 'reverse', 'slice', 'concat', 'toSorted', 'toReversed', 'fill'].includes(method))
    yield* produce(context, receiver, type, cost + 0.05, depth + 1)
}

/** Types that a collection's uses ask for, likeliest first; `declaration` is `[]`, `{}`, `new Map()` or the like. */
export function collectionTypes(
  context: FixContext,
  declaration: ts.Declaration & { initializer?: ts.Expression },
): string[] {
  const { items, keys, values } = inflows(context, declaration)
  const initializer = declaration.initializer
  const found: string[] = []
  if (initializer && ts.isArrayLiteralExpression(initializer) && items.length + values.length > 0) {
    const own = initializer.elements.flatMap(
      (element) => typeText(context, context.checker.getTypeAtLocation(element)) ?? [],
    )
    found.push(arrayOf(union(...items, ...values, ...own)))
  }
  if (initializer && ts.isObjectLiteralExpression(initializer) && keys.length > 0) {
    const own = initializer.properties.flatMap(
      (property) => typeText(context, context.checker.getTypeAtLocation(property)) ?? [],
    )
    const key = keys.every((part) => part === 'number') ? 'number' : 'string'
    const all = [...new Set([...values, ...own])]
    if (all.length > 0) found.push(`{ [key: ${key}]: ${union(...all)} }`)
    if (all.length > 1 && all[0] !== undefined) found.push(`{ [key: ${key}]: ${all[0]} }`)
  }
  if (initializer && ts.isNewExpression(initializer)) {
    const name = initializer.expression.getText(context.source)
    if (name === 'Map' && keys.length > 0 && values.length > 0)
      found.push(`Map<${union(...keys)}, ${union(...values)}>`)
    if (name === 'Set' && items.length > 0) found.push(`Set<${union(...items)}>`)
    if (name === 'Array' && items.length + values.length > 0) found.push(arrayOf(union(...items, ...values)))
  }
  return found
}
