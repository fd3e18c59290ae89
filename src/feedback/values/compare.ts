import { types } from 'node:util'
import { floatDifference } from './numbers.ts'
import { classOf, printValue } from './print.ts'
import { firstTextDifference } from './text.ts'

/** The first difference between two values, by path; `words` says it for people. */
export interface Difference {
  /** `.items[3].price`; '' for the values themselves. */
  readonly path: string
  readonly words: string
  readonly expected: string
  readonly actual: string
}

const maxVisits = 20_000

/**
 * Finds where two values part: a missing or unexpected key (undefined is not missing), another type or class, another length,
 * -0 against 0, NaN, another element. Reads data members only. Undefined when nothing was found.
 */
export function firstDifference(expected: unknown, actual: unknown): Difference | undefined {
  const state = { left: maxVisits, seen: new WeakMap<object, WeakSet<object>>() }
  try {
    return compare(expected, actual, '', state)
  } catch {
    return undefined
  }
}

interface State {
  left: number
  readonly seen: WeakMap<object, WeakSet<object>>
}

function compare(expected: unknown, actual: unknown, path: string, state: State): Difference | undefined {
  state.left -= 1
  if (Object.is(expected, actual) || state.left < 0) return undefined
  const at = (words: string): Difference => ({
    path,
    words,
    expected: printValue(expected),
    actual: printValue(actual),
  })
  if (typeof expected === 'symbol' && typeof actual === 'symbol' && printValue(expected) === printValue(actual))
    return at('two different symbols of one description')
  if (typeof expected !== typeof actual || expected === null || actual === null)
    return at(`${describe(actual)} instead of ${describe(expected)}`)
  if (typeof expected !== 'object' || typeof actual !== 'object') {
    return at(floatDifference(printValue(expected), printValue(actual)) ?? primitivesDiffer(expected, actual))
  }
  if (types.isProxy(expected) || types.isProxy(actual)) return undefined
  const pairs = state.seen.get(expected) ?? new WeakSet<object>()
  if (pairs.has(actual)) return undefined
  pairs.add(actual)
  state.seen.set(expected, pairs)
  if (classOf(expected) !== classOf(actual))
    return at(`a ${classOf(actual) || 'plain object'} instead of a ${classOf(expected) || 'plain object'}`)
  if (types.isDate(expected) || types.isRegExp(expected) || types.isBoxedPrimitive(expected)) {
    return printValue(expected) === printValue(actual) ? undefined : at('values differ')
  }
  if (types.isMap(expected) && types.isMap(actual)) return compareMaps(expected, actual, path, state) ?? undefined
  if (types.isSet(expected) && types.isSet(actual)) {
    const missing = [...expected].find((item) => !actual.has(item))
    const extra = [...actual].find((item) => !expected.has(item))
    if (missing !== undefined && typeof missing !== 'object') return at(`missing element ${printValue(missing)}`)
    if (extra !== undefined && typeof extra !== 'object') return at(`unexpected element ${printValue(extra)}`)
    return printValue(expected) === printValue(actual) ? undefined : at('elements differ')
  }
  if (Array.isArray(expected) && Array.isArray(actual)) return compareArrays(expected, actual, path, state, at)
  return compareMembers(expected, actual, path, state, at)
}

function primitivesDiffer(expected: unknown, actual: unknown): string {
  if (typeof expected === 'string' && typeof actual === 'string') {
    const parted = firstTextDifference(expected, actual, 80)
    if (parted) return parted.replace(/^first difference /, '')
  }
  return `${printValue(actual)} instead of ${printValue(expected)}`
}

function compareMaps(
  expected: Map<unknown, unknown>,
  actual: Map<unknown, unknown>,
  path: string,
  state: State,
): Difference | undefined {
  for (const [key, item] of expected) {
    const step = `${path}.get(${printValue(key)})`
    if (!actual.has(key)) {
      if (typeof key === 'object') continue
      return { path: step, words: `missing key ${printValue(key)}`, expected: printValue(item), actual: 'missing' }
    }
    const found = compare(item, actual.get(key), step, state)
    if (found) return found
  }
  for (const [key, item] of actual) {
    if (!expected.has(key) && typeof key !== 'object') {
      return {
        path: `${path}.get(${printValue(key)})`,
        words: `unexpected key ${printValue(key)} (value ${printValue(item)})`,
        expected: 'missing',
        actual: printValue(item),
      }
    }
  }
  return undefined
}

function compareArrays(
  expected: readonly unknown[],
  actual: readonly unknown[],
  path: string,
  state: State,
  at: (words: string) => Difference,
): Difference | undefined {
  const shared = Math.min(expected.length, actual.length)
  for (let index = 0; index < shared; index += 1) {
    const step = `${path}[${index}]`
    if (Object.hasOwn(expected, index) !== Object.hasOwn(actual, index)) {
      const hole = Object.hasOwn(actual, index) ? 'undefined instead of a hole' : 'a hole instead of a value'
      return { path: step, words: hole, expected: printValue(expected[index]), actual: printValue(actual[index]) }
    }
    const found = compare(expected[index], actual[index], step, state)
    if (found) {
      if (expected.length !== actual.length)
        return { ...found, words: `${found.words}; ${actual.length} elements instead of ${expected.length}` }
      return found
    }
  }
  if (expected.length === actual.length) return undefined
  return at(`${actual.length} elements instead of ${expected.length}`)
}

function compareMembers(
  expected: object,
  actual: object,
  path: string,
  state: State,
  at: (words: string) => Difference,
): Difference | undefined {
  const left = enumerable(expected)
  const right = enumerable(actual)
  if (types.isNativeError(expected) || types.isNativeError(actual)) {
    return printValue(expected) === printValue(actual) ? undefined : at('errors differ')
  }
  for (const key of left) {
    const step = `${path}${keyStep(key)}`
    const value = data(expected, key)
    if (!Object.hasOwn(actual, key))
      return {
        path: step,
        words: `missing key ${String(key)} (expected value ${printValue(value)})`,
        expected: printValue(value),
        actual: 'missing',
      }
    const found = compare(value, data(actual, key), step, state)
    if (found) return found
  }
  for (const key of right) {
    if (Object.hasOwn(expected, key)) continue
    const value = printValue(data(actual, key))
    return {
      path: `${path}${keyStep(key)}`,
      words: `unexpected key ${String(key)} (value ${value})`,
      expected: 'missing',
      actual: value,
    }
  }
  return undefined
}

function enumerable(value: object): PropertyKey[] {
  return Reflect.ownKeys(value).filter((key) => Object.getOwnPropertyDescriptor(value, key)?.enumerable)
}

function data(value: object, key: PropertyKey): unknown {
  return Object.getOwnPropertyDescriptor(value, key)?.value
}

function keyStep(key: PropertyKey): string {
  if (typeof key === 'symbol') return `[${Symbol.prototype.toString.call(key)}]`
  return /^[A-Za-z_$][\w$]*$/.test(String(key)) ? `.${String(key)}` : `[${JSON.stringify(String(key))}]`
}

function describe(value: unknown): string {
  if (value === null || value === undefined) return String(value)
  if (typeof value === 'object')
    return Array.isArray(value) ? 'an array' : `an object (${classOf(value) || 'no class'})`
  return `${typeof value === 'number' || typeof value === 'string' || typeof value === 'boolean' ? printValue(value) : 'a'} (${typeof value})`
}
