/**
 * Which objects are asymmetric matchers, and which are Maps and Sets, by what they are and not by what they say. The build
 * puts these in place of Vitest's own checks, which believe an object's `asymmetricMatch` or `Symbol.toStringTag`: a
 * candidate's result must not decide what it equals.
 */

const matchers = new WeakSet<object>()

/** @public imported by Vitest's own text as scripts/build-harness.js changes it */
export function registerMatcher(matcher: object): void {
  matchers.add(matcher)
}

/** @public as above */
export const isGenuineMatcher = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && matchers.has(value)

const mapSize = Object.getOwnPropertyDescriptor(Map.prototype, 'size')?.get as () => number
const setSize = Object.getOwnPropertyDescriptor(Set.prototype, 'size')?.get as () => number

function answers(get: () => number, value: object): boolean {
  try {
    Reflect.apply(get, value, [])
    return true
  } catch {
    return false
  }
}

/** 'Map', 'Set' or '' by internal slot. */
export function collectionKind(value: object): '' | 'Map' | 'Set' {
  return answers(mapSize, value) ? 'Map' : answers(setSize, value) ? 'Set' : ''
}

/**
 * A plain copy made by the language's own iteration, whatever the object or its class overrides.
 * @public as above
 */
export function plainCollection(value: object, kind: 'Map' | 'Set'): Map<unknown, unknown> | Set<unknown> {
  return kind === 'Map'
    ? new Map(Map.prototype.entries.call(value) as Iterable<[unknown, unknown]>)
    : new Set(Set.prototype.values.call(value) as Iterable<unknown>)
}
