import { ts } from 'ts-morph'
import { declarationOf, enclosingFunction, type FixContext, standsAlone, tight } from './context.ts'
import {
  all,
  elementOf,
  has,
  isAny,
  isArrayLike,
  isBigInt,
  isBoolean,
  isNullish,
  isNumber,
  isString,
  nameOf,
  neutral,
  typeText,
  without,
} from './type-text.ts'

/** Code that turns one expression into another type. */
export interface Conversion {
  readonly code: string
  readonly cost: number
  readonly what: string
}

const say = (node: ts.Node): string => {
  const text = node.getText()
  return text.length > 40 ? `${text.slice(0, 37)}…` : text
}

/**
 * Ways to make `node` (of type `from`) fit `to`, likeliest first. None of them changes a value that already fits at run time,
 * but for those that say so by their higher cost.
 */
export function* conversions(
  context: FixContext,
  node: ts.Expression,
  from: ts.Type,
  to: ts.Type,
): Generator<Conversion> {
  const code = node.getText(context.source)
  const hard = tight(context, node)
  const fits = (type: ts.Type): boolean => context.checker.isTypeAssignableTo(type, to)
  if (isAny(from) || isAny(to)) return

  // a literal null where undefined is meant, and the other way round
  const undefinedFits = has(to, ts.TypeFlags.Undefined)
  const nullFits = has(to, ts.TypeFlags.Null)
  if (node.kind === ts.SyntaxKind.NullKeyword && undefinedFits) {
    yield { code: 'undefined', cost: 0.05, what: 'null becomes undefined' }
    return
  }
  if (ts.isIdentifier(node) && node.text === 'undefined' && nullFits) {
    yield { code: 'null', cost: 0.05, what: 'undefined becomes null' }
    return
  }
  if (isNullish(from)) {
    const rest = without(context, from)
    const open = (text: string): string => (standsAlone(node) ? text : `(${text})`)
    const loose =
      /\s(\|\||&&|\?|=)\s/.test(code) && !code.startsWith('(') ? hard : ts.isBinaryExpression(node) ? hard : code
    if ((rest.flags & ts.TypeFlags.Never) === 0) {
      if (fits(rest) && undefinedFits)
        yield { code: open(`${loose} ?? undefined`), cost: 0.1, what: `${say(node)} falls back to undefined` }
      else if (fits(rest) && nullFits)
        yield { code: open(`${loose} ?? null`), cost: 0.1, what: `${say(node)} falls back to null` }
      else {
        const value = neutral(context, fits(rest) ? to : rest)
        if (value !== null && fits(rest))
          yield { code: open(`${loose} ?? ${value}`), cost: 0.15, what: `${say(node)} falls back to ${value}` }
        if (!fits(rest)) {
          for (const inner of conversions(context, node, rest, to)) {
            if (value !== null)
              yield { ...inner, code: inner.code.split(code).join(`(${loose} ?? ${value})`), cost: inner.cost + 0.15 }
          }
        }
      }
      if (fits(rest) && isNumber(to)) {
        yield { code: open(`${loose} ?? Number.NaN`), cost: 0.5, what: `${say(node)} falls back to NaN` }
        yield { code: open(`${loose} ?? -1`), cost: 0.9, what: `${say(node)} falls back to -1` }
      }
    } else {
      const value = neutral(context, to)
      if (value !== null) yield { code: value, cost: 0.4, what: `${say(node)} becomes ${value}` }
      if (isNumber(to)) {
        yield { code: '-1', cost: 0.7, what: `${say(node)} becomes -1` }
        yield { code: 'Number.NaN', cost: 0.8, what: `${say(node)} becomes NaN` }
      }
    }
    return
  }

  const [inner] = ts.isCallExpression(node) && node.arguments.length === 1 ? node.arguments : []
  if (
    inner &&
    /^(String|Number|str|Boolean|Array\.from|JSON\.stringify)$/.test((node as ts.CallExpression).expression.getText())
  ) {
    const own = context.checker.getTypeAtLocation(inner)
    if (!isAny(own) && fits(own))
      yield { code: inner.getText(context.source), cost: 0.25, what: `${say(inner)} stays what it is` }
  }
  const plainTo = without(context, to)
  if (has(to, ts.TypeFlags.NumberLike)) {
    if (isString(from)) {
      yield { code: `Number(${code})`, cost: 0.2, what: `${say(node)} becomes a number` }
      const method =
        ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression) ? node.expression.name.text : ''
      if (method === 'charAt' || ts.isElementAccessExpression(node))
        yield { code: `${hard}.charCodeAt(0)`, cost: 0.7, what: `${say(node)} becomes its character code` }
      if (
        ts.isCallExpression(node) &&
        (method === 'toFixed' || method === 'toString') &&
        ts.isPropertyAccessExpression(node.expression) &&
        method === 'toString'
      ) {
        yield {
          code: node.expression.expression.getText(context.source),
          cost: 0.3,
          what: `${say(node)} stays a number`,
        }
      }
      yield { code: `${hard}.length`, cost: 0.8, what: `${say(node)} becomes its length` }
    } else if (isBoolean(from)) {
      yield { code: `Number(${code})`, cost: 0.2, what: `${say(node)} becomes a number` }
    } else if (isBigInt(from)) {
      yield { code: `Number(${code})`, cost: 0.15, what: `${say(node)} becomes a number` }
    } else if (
      all(from, ts.TypeFlags.NumberLike | ts.TypeFlags.StringLike | ts.TypeFlags.BooleanLike | ts.TypeFlags.BigIntLike)
    ) {
      yield { code: `Number(${code})`, cost: 0.2, what: `${say(node)} becomes a number` }
    } else if (nameOf(from) === 'Date') {
      yield { code: `${hard}.getTime()`, cost: 0.1, what: `${say(node)} becomes its time` }
    } else if (isArrayLike(context, from)) {
      yield { code: `${hard}.length`, cost: 0.5, what: `${say(node)} becomes its length` }
      const element = elementOf(context, from)
      if (element && isNumber(element))
        yield { code: `${hard}[0]`, cost: 0.8, what: `${say(node)} becomes its first item` }
    } else if (nameOf(from) === 'Set' || nameOf(from) === 'Map') {
      yield { code: `${hard}.size`, cost: 0.5, what: `${say(node)} becomes its size` }
    } else if (nameOf(from) === 'Number' || has(from, ts.TypeFlags.Unknown | ts.TypeFlags.TypeParameter)) {
      yield { code: `Number(${code})`, cost: 0.2, what: `${say(node)} becomes a number` }
    }
  }
  if (has(to, ts.TypeFlags.StringLike)) {
    if (isArrayLike(context, from)) {
      yield { code: `${hard}.join('')`, cost: 0.35, what: `${say(node)} is joined to a string` }
      yield { code: `${hard}.join(' ')`, cost: 0.7, what: `${say(node)} is joined with blanks` }
      const element = elementOf(context, from)
      if (element && isString(element))
        yield { code: `${hard}[0]`, cost: 0.8, what: `${say(node)} becomes its first item` }
    } else if (!has(from, ts.TypeFlags.Object) || nameOf(from) === 'String') {
      yield { code: `String(${code})`, cost: 0.2, what: `${say(node)} becomes a string` }
      if (isNumber(from))
        yield { code: `String.fromCharCode(${code})`, cost: 0.8, what: `${say(node)} becomes its character` }
    } else {
      yield { code: `String(${code})`, cost: 0.5, what: `${say(node)} becomes a string` }
    }
  }
  if (has(to, ts.TypeFlags.BooleanLike)) {
    if (isNumber(from))
      yield {
        code: standsAlone(node) ? `${hard} !== 0` : `(${hard} !== 0)`,
        cost: 0.25,
        what: `${say(node)} becomes a boolean`,
      }
    else if (isString(from) && ts.isStringLiteralLike(node) && /^(true|false)$/i.test(node.text))
      yield { code: node.text.toLowerCase(), cost: 0.1, what: `${say(node)} becomes a boolean` }
    yield { code: `Boolean(${code})`, cost: 0.3, what: `${say(node)} becomes a boolean` }
  }
  if (has(to, ts.TypeFlags.BigIntLike) && !isBigInt(from))
    yield {
      code: ts.isNumericLiteral(node) ? `${code}n` : `BigInt(${code})`,
      cost: 0.2,
      what: `${say(node)} becomes a bigint`,
    }

  if (ts.isObjectLiteralExpression(node) && isArrayLike(context, plainTo)) {
    const values = node.properties.map((property) =>
      ts.isShorthandPropertyAssignment(property)
        ? property.name.text
        : ts.isPropertyAssignment(property)
          ? property.initializer.getText(context.source)
          : null,
    )
    if (!values.includes(null) && values.length > 0)
      yield { code: `[${values.join(', ')}]`, cost: 0.12, what: 'the values are given as a list' }
  }
  const target = elementOf(context, plainTo)
  if (target) yield* toArray(context, node, from, plainTo, target)
  const name = nameOf(plainTo)
  if (name === 'Set' && isArrayLike(context, from))
    yield { code: `new Set(${code})`, cost: 0.25, what: `${say(node)} becomes a Set` }
  if (name === 'Map' && !isArrayLike(context, from))
    yield { code: `new Map(Object.entries(${code}))`, cost: 0.3, what: `${say(node)} becomes a Map` }
  const isRecord = context.checker.getIndexInfosOfType(plainTo).length > 0
  if (isRecord && !target) {
    if (nameOf(from) === 'Map')
      yield { code: `Object.fromEntries(${code})`, cost: 0.2, what: `${say(node)} becomes an object` }
    if (isArrayLike(context, from))
      yield { code: `Object.fromEntries(${code})`, cost: 0.4, what: `${say(node)} becomes an object` }
  }
  if (nameOf(from) === 'Promise') {
    const owner = enclosingFunction(node)
    const isAsync =
      owner &&
      ts.canHaveModifiers(owner) &&
      ts.getModifiers(owner)?.some((modifier) => modifier.kind === ts.SyntaxKind.AsyncKeyword)
    if (isAsync)
      yield {
        code: standsAlone(node) ? `await ${code}` : `(await ${code})`,
        cost: 0.1,
        what: `${say(node)} is awaited`,
      }
  }
  if (nameOf(plainTo) === 'Date') yield { code: `new Date(${code})`, cost: 0.3, what: `${say(node)} becomes a Date` }
  // a union narrowed by what the value is at run time: the assertion names a part of what the compiler already allows
  if (from.isUnion() && from.types.some(fits) && ts.isIdentifier(node) && !declarationOf(context, node)) return
}

function* toArray(
  context: FixContext,
  node: ts.Expression,
  from: ts.Type,
  to: ts.Type,
  target: ts.Type,
): Generator<Conversion> {
  const code = node.getText(context.source)
  const hard = tight(context, node)
  const checker = context.checker
  const element = elementOf(context, from)
  const toText = typeText(context, to)
  if (element && isArrayLike(context, from)) {
    const isReadonly = /^readonly /.test(checker.typeToString(from))
    if (isReadonly) yield { code: `[...${code}]`, cost: 0.15, what: `${say(node)} is copied` }
    if (checker.isTupleType(to) && toText !== null && checker.isTypeAssignableTo(element, target)) {
      yield {
        code: standsAlone(node) ? `${hard} as ${toText}` : `(${hard} as ${toText})`,
        cost: 0.45,
        what: `${say(node)} is said to be ${toText}`,
      }
    }
    const inner = elementOf(context, target)
    const from1 = elementOf(context, element)
    if (inner && from1 && toText !== null && checker.isTupleType(target) && checker.isTypeAssignableTo(from1, inner)) {
      const said = `${hard} as ${toText}`
      yield { code: standsAlone(node) ? said : `(${said})`, cost: 0.45, what: `${say(node)} is said to be ${toText}` }
    }
    if (isString(element) && isNumber(target))
      yield { code: `${hard}.map(Number)`, cost: 0.25, what: `the items of ${say(node)} become numbers` }
    if (isNumber(element) && isString(target))
      yield { code: `${hard}.map(String)`, cost: 0.25, what: `the items of ${say(node)} become strings` }
    if (isString(target) && elementOf(context, element))
      yield { code: `${hard}.map((item) => item.join(''))`, cost: 0.4, what: `the items of ${say(node)} are joined` }
    if (elementOf(context, element) && checker.isTypeAssignableTo(element, to))
      yield { code: `${hard}.flat()`, cost: 0.45, what: `${say(node)} is flattened` }
    if (element.isUnion()) {
      if (isNullish(element) && checker.isTypeAssignableTo(without(context, element), target)) {
        const value = neutral(context, target)
        yield {
          code: `${hard}.filter((item) => item !== undefined && item !== null)`,
          cost: 0.25,
          what: `missing items of ${say(node)} are left out`,
        }
        if (value !== null)
          yield {
            code: `${hard}.map((item) => item ?? ${value})`,
            cost: 0.3,
            what: `missing items of ${say(node)} become ${value}`,
          }
      }
      const word = isNumber(target) ? 'number' : isString(target) ? 'string' : isBoolean(target) ? 'boolean' : null
      if (word !== null) {
        yield {
          code: `${hard}.filter((item) => typeof item === '${word}')`,
          cost: 0.3,
          what: `only the ${word}s of ${say(node)} are kept`,
        }
        if (word === 'number')
          yield { code: `${hard}.map(Number)`, cost: 0.35, what: `the items of ${say(node)} become numbers` }
        if (word === 'string')
          yield { code: `${hard}.map(String)`, cost: 0.35, what: `the items of ${say(node)} become strings` }
      }
    }
    return
  }
  const name = nameOf(from)
  if (/Iterator|IterableIterator|^Set$|^Map$|^Generator$/.test(name)) {
    yield { code: `[...${code}]`, cost: 0.15, what: `${say(node)} becomes an array` }
    return
  }
  if (isString(from)) {
    yield { code: `[...${code}]`, cost: 0.3, what: `${say(node)} is split into characters` }
    yield { code: `${hard}.split(' ')`, cost: 0.6, what: `${say(node)} is split into words` }
  }
  if (checker.isTypeAssignableTo(from, target))
    yield { code: `[${code}]`, cost: 0.35, what: `${say(node)} is put into an array` }
}
