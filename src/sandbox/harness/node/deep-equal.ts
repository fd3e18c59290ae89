import { collectionKind } from '../genuine.ts'

/**
 * Deep equality by the rules of node:assert, strict and loose. Kinds are told by internal slots and own properties, never
 * by what an object says of itself.
 */

type Pairs = [object, object][]

const { is, keys, getPrototypeOf, getOwnPropertySymbols, hasOwn } = Object
const enumerable = Object.prototype.propertyIsEnumerable

function slot<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

/** The primitive in a boxed one, a date's time or a regular expression's text; undefined for all others. */
function essence(value: object): unknown {
  const time = slot(() => Date.prototype.getTime.call(value))
  if (time !== undefined) return `date ${time}`
  for (const boxed of [Number, String, Boolean, BigInt, Symbol]) {
    const inner = slot(() => Reflect.apply(boxed.prototype.valueOf, value, []) as unknown)
    if (inner !== undefined) return inner
  }
  if (value instanceof RegExp) return slot(() => `${RegExp.prototype.toString.call(value)} ${value.lastIndex}`)
  return undefined
}

export const isDeepStrictEqual = (a: unknown, b: unknown): boolean => equal(a, b, true, [])
export const isDeepLooseEqual = (a: unknown, b: unknown): boolean => equal(a, b, false, [])

function equal(a: unknown, b: unknown, strict: boolean, open: Pairs): boolean {
  if (strict ? is(a, b) : a === b || (Number.isNaN(a) && Number.isNaN(b))) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) {
    // biome-ignore lint/suspicious/noDoubleEquals: the loose form of node:assert compares primitives so
    return strict || isObject(a) || isObject(b) ? false : a == b
  }
  if (strict && getPrototypeOf(a) !== getPrototypeOf(b)) return false
  return objectsEqual(a, b, strict, open)
}

const isObject = (value: unknown): value is object =>
  (typeof value === 'object' && value !== null) || typeof value === 'function'

function objectsEqual(a: object, b: object, strict: boolean, open: Pairs): boolean {
  if (Array.isArray(a) !== Array.isArray(b)) return false
  if (Array.isArray(a) && Array.isArray(b) && a.length !== b.length) return false
  const kind = collectionKind(a)
  if (kind !== collectionKind(b)) return false
  const left = essence(a)
  const right = essence(b)
  if (!is(left, right)) return false
  if (a instanceof Error || b instanceof Error) {
    if (!(a instanceof Error && b instanceof Error) || a.message !== b.message || a.name !== b.name) return false
    if (strict && hasOwn(a, 'cause') !== hasOwn(b, 'cause')) return false
    if (hasOwn(a, 'cause') && !equal(a.cause, b.cause, strict, open)) return false
  }
  if (a instanceof Promise || a instanceof WeakMap || a instanceof WeakSet) return false
  if (ArrayBuffer.isView(a) || ArrayBuffer.isView(b)) return viewsEqual(a, b)
  if (a instanceof ArrayBuffer && b instanceof ArrayBuffer) return bytesEqual(new Uint8Array(a), new Uint8Array(b))
  if (open.some(([x, y]) => x === a && y === b)) return true
  open.push([a, b])
  const same =
    membersEqual(a, b, strict, open) &&
    (kind === '' || (kind === 'Set' ? setsEqual(a, b, strict, open) : mapsEqual(a, b, strict, open)))
  open.pop()
  return same
}

function viewsEqual(a: object, b: object): boolean {
  if (!ArrayBuffer.isView(a) || !ArrayBuffer.isView(b) || getPrototypeOf(a) !== getPrototypeOf(b)) return false
  return bytesEqual(
    new Uint8Array(a.buffer, a.byteOffset, a.byteLength),
    new Uint8Array(b.buffer, b.byteOffset, b.byteLength),
  )
}

function bytesEqual(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false
  for (let index = 0; index < a.length; index++) if (a[index] !== b[index]) return false
  return true
}

function membersEqual(a: object, b: object, strict: boolean, open: Pairs): boolean {
  const names: PropertyKey[] = keys(a)
  if (names.length !== keys(b).length) return false
  if (strict) {
    const symbols = (value: object): symbol[] =>
      getOwnPropertySymbols(value).filter((symbol) => enumerable.call(value, symbol))
    const own = symbols(a)
    if (own.length !== symbols(b).length) return false
    names.push(...own)
  }
  return names.every(
    (name) =>
      hasOwn(b, name) &&
      enumerable.call(b, name) &&
      equal((a as Record<PropertyKey, unknown>)[name], (b as Record<PropertyKey, unknown>)[name], strict, open),
  )
}

function setsEqual(a: object, b: object, strict: boolean, open: Pairs): boolean {
  const left = [...(Set.prototype.values.call(a) as Iterable<unknown>)]
  const right = new Set(Set.prototype.values.call(b) as Iterable<unknown>)
  if (left.length !== right.size) return false
  return left.every((item) => {
    if (right.delete(item)) return true
    if (strict && !isObject(item)) return false
    for (const other of right) {
      if (equal(item, other, strict, open)) return right.delete(other)
    }
    return false
  })
}

function mapsEqual(a: object, b: object, strict: boolean, open: Pairs): boolean {
  const left = [...(Map.prototype.entries.call(a) as Iterable<[unknown, unknown]>)]
  const right = new Map(Map.prototype.entries.call(b) as Iterable<[unknown, unknown]>)
  if (left.length !== right.size) return false
  return left.every(([key, value]) => {
    if (right.has(key) && equal(value, right.get(key), strict, open)) return right.delete(key)
    if (strict && !isObject(key)) return false
    for (const [other, item] of right) {
      if (equal(key, other, strict, open) && equal(value, item, strict, open)) return right.delete(other)
    }
    return false
  })
}

/** node:assert's partial equality: everything in `expected` is in `actual`. */
export function isPartiallyEqual(actual: unknown, expected: unknown): boolean {
  if (!isObject(actual) || !isObject(expected)) return is(actual, expected)
  if (collectionKind(expected) !== '' || essence(expected) !== undefined) return isDeepStrictEqual(actual, expected)
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual)) return false
    const rest: unknown[] = [...actual]
    return expected.every((item) => {
      const index = rest.findIndex((other) => isPartiallyEqual(other, item))
      if (index >= 0) rest.splice(index, 1)
      return index >= 0
    })
  }
  return keys(expected).every(
    (name) =>
      name in actual &&
      isPartiallyEqual((actual as Record<string, unknown>)[name], (expected as Record<string, unknown>)[name]),
  )
}
