import { firstDifference } from '../values/compare.ts'
import { dataMember, printValue, quote } from '../values/print.ts'
import { cleanText } from './ansi.ts'
import type { ThrownText } from './thrown.ts'

/** Anything that a caller hands over: parsed here, never trusted. */
export type RawValue = unknown

/** Two values as texts, with what tells them apart. */
export interface PrintedPair {
  readonly expected?: string
  readonly actual?: string
  /** In words, where the values themselves show it: `unexpected key b (value undefined)`. */
  readonly words?: string
  readonly path?: string
}

/** Prints given values; strings that a runner printed already are kept. */
export function printed(value: RawValue, message: string): string {
  if (typeof value !== 'string') return printValue(value)
  return isPrinted(value, message) ? cleanText(value) : quote(cleanText(value))
}

/** A runner's serialised error holds printed values; a live error holds strings themselves. */
function isPrinted(text: string, message: string): boolean {
  if (message.includes(`'${text}'`) || message.includes(`"${text}"`)) return false
  if (/^(?:['"`[{]|Object \{|Array \[|Map[ {(]|Set[ {(]|Date |Symbol\(|\[Function|\[\w*Error)/.test(text)) return true
  return /^(?:-?\d[\d.e+-]*n?|-?Infinity|NaN|null|undefined|true|false|None|True|False)$/.test(text.trim())
}

/** Both sides of a comparison, printed, with the first difference where the values are at hand. */
export function printedPair(error: Readonly<Record<string, unknown>>, message: string): PrintedPair {
  const hasExpected = 'expected' in error
  const hasActual = 'actual' in error || 'received' in error
  const expected = error.expected
  const actual = 'actual' in error ? error.actual : error.received
  const out: { expected?: string; actual?: string; words?: string; path?: string } = {}
  if (hasExpected) out.expected = printed(expected, message)
  if (hasActual) out.actual = printed(actual, message)
  if (hasExpected && hasActual && typeof expected === 'symbol' && typeof actual === 'symbol') {
    if (out.expected === out.actual) return { expected: `that ${out.expected}`, actual: `a different ${out.actual}` }
  }
  if (hasExpected && hasActual && (typeof expected === 'object' || typeof actual === 'object')) {
    const difference = firstDifference(expected, actual)
    if (difference) {
      out.words = difference.words
      out.path = difference.path
      // What is cut before the difference would show two equal texts.
      if (out.expected === out.actual && difference.path !== '' && difference.expected !== difference.actual) {
        out.expected = `… ${difference.path}: ${difference.expected}`
        out.actual = `… ${difference.path}: ${difference.actual}`
      }
    }
  }
  if (
    typeof expected === 'string' &&
    typeof actual === 'string' &&
    out.expected === out.actual &&
    expected !== actual
  ) {
    let at = 0
    while (expected.charCodeAt(at) === actual.charCodeAt(at)) at += 1
    const window = (text: string) =>
      `… character ${at + 1}: ${quote(cleanText(text.slice(Math.max(0, at - 20), at + 40)))}`
    out.expected = window(expected)
    out.actual = window(actual)
  }
  return out
}

/** Whatever was thrown, as texts; never throws, calls no getter. */
export function thrownOf(value: RawValue, depth = 0): ThrownText {
  if (typeof value !== 'object' || value === null) return { message: '', thrown: printValue(value) }
  const message = dataMember(value, 'message')
  if (typeof message !== 'string') return { message: '', thrown: printValue(value) }
  const text = (key: string): string | undefined => {
    const found = dataMember(value, key)
    return typeof found === 'string' ? found : undefined
  }
  const pair = printedPair(shallow(value), message)
  const stack = text('stack') ?? engineStack(value)
  const code = dataMember(value, 'code')
  const errors = dataMember(value, 'errors')
  const cause = dataMember(value, 'cause') ?? firstOf(errors)
  const parts = Array.isArray(errors) && errors.length > 1 ? errors.slice(0, 8).map(nameOfPart) : []
  return {
    name: text('name') ?? 'Error',
    message,
    ...(parts.length > 0 ? { parts } : {}),
    ...(stack === undefined ? {} : { stack }),
    ...(pair.expected === undefined ? {} : { expected: pair.expected }),
    ...(pair.actual === undefined ? {} : { actual: pair.actual }),
    ...(text('diff') === undefined ? {} : { diff: cleanText(text('diff') ?? '') }),
    ...(text('operator') === undefined ? {} : { operator: text('operator') ?? '' }),
    ...(dataMember(value, 'generatedMessage') === false ? { generatedMessage: false } : {}),
    ...(typeof code === 'string' || typeof code === 'number' ? { code: String(code) } : {}),
    ...(cause === undefined || cause === null || depth > 4
      ? {}
      : { cause: typeof cause === 'string' ? { message: cause } : thrownOf(cause, depth + 1) }),
  }
}

/** The stack of an error of the engine: in newer V8 an accessor of the engine's own, which alone is called. */
function engineStack(value: object): string | undefined {
  const get = Object.getOwnPropertyDescriptor(value, 'stack')?.get
  if (get === undefined || !/\{\s*\[native code\]\s*\}$/.test(Function.prototype.toString.call(get))) return undefined
  try {
    const stack: unknown = Reflect.apply(get, value, [])
    return typeof stack === 'string' ? stack : undefined
  } catch {
    return undefined
  }
}

function firstOf(value: unknown): unknown {
  return Array.isArray(value) ? (value as readonly unknown[])[0] : undefined
}

function shallow(value: object): Record<string, unknown> {
  const out: Record<string, unknown> = {}
  for (const key of ['expected', 'actual', 'received']) {
    if (Object.hasOwn(value, key)) out[key] = dataMember(value, key)
  }
  return out
}

/** One of several errors in one: its name and its message's first line. */
function nameOfPart(value: RawValue): string {
  const message = typeof value === 'object' && value !== null ? dataMember(value, 'message') : undefined
  if (typeof value !== 'object' || value === null || typeof message !== 'string') return printValue(value)
  const name = dataMember(value, 'name')
  return `${typeof name === 'string' ? name : 'Error'}: ${message.split('\n', 1)[0] ?? ''}`
}
