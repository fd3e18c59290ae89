import { assertions } from '../expecting.ts'
import { print } from '../print.ts'
import { isDeepLooseEqual, isDeepStrictEqual, isPartiallyEqual } from './deep-equal.ts'

/** node:assert. Test files get a copy that counts, so that a script which asserts nothing is not taken for a test. */

interface Details {
  message?: unknown
  actual?: unknown
  expected?: unknown
  operator?: string
}

export class AssertionError extends Error {
  readonly code = 'ERR_ASSERTION'
  readonly actual: unknown
  readonly expected: unknown
  readonly operator: string | undefined
  readonly generatedMessage: boolean

  constructor(details: Details) {
    super(details.message === undefined ? generated(details) : String(details.message))
    this.generatedMessage = details.message === undefined
    this.actual = details.actual
    this.expected = details.expected
    this.operator = details.operator
  }

  override get name(): string {
    return 'AssertionError'
  }
}

const phrases: Readonly<Record<string, string>> = {
  strictEqual: 'Expected values to be strictly equal',
  deepStrictEqual: 'Expected values to be strictly deep-equal',
  equal: 'Expected values to be loosely equal',
  deepEqual: 'Expected values to be loosely deep-equal',
  notStrictEqual: 'Expected "actual" to be strictly unequal to',
  notDeepStrictEqual: 'Expected "actual" not to be strictly deep-equal to',
  notEqual: 'Expected "actual" to be loosely unequal to',
  notDeepEqual: 'Expected "actual" not to be loosely deep-equal to',
  partialDeepStrictEqual: 'Expected values to be partially and strictly deep-equal',
}

function generated({ actual, expected, operator }: Details): string {
  const phrase = phrases[operator ?? '']
  if (!phrase) return 'Failed'
  return operator?.startsWith('not')
    ? `${phrase}: ${print(expected)}`
    : `${phrase}: ${print(actual)} should equal ${print(expected)}`
}

type Message = string | Error | undefined

function fail(details: Details & { message?: Message }): never {
  if (details.message instanceof Error) throw details.message
  throw new AssertionError(details)
}

type Expectation = RegExp | object | ((error: unknown) => unknown) | undefined

/** Whether what was thrown is as expected; throws what tells the difference. */
function checkThrown(error: unknown, expected: Expectation, message: Message, operator: string): void {
  if (expected === undefined) return
  if (expected instanceof RegExp) {
    if (RegExp.prototype.test.call(expected, String(error))) return
    fail({
      message:
        message ?? `The input did not match the regular expression ${print(expected)}. Input: ${print(String(error))}`,
      actual: error,
      expected,
      operator,
    })
  }
  if (typeof expected === 'function') {
    const isClass = expected.prototype !== undefined && error instanceof (expected as unknown as new () => object)
    if (isClass) return
    if (expected === Error || Error.prototype.isPrototypeOf.call(Error.prototype, expected.prototype ?? {})) {
      fail({
        message: message ?? `The error is expected to be an instance of "${expected.name}". Received ${print(error)}`,
        actual: error,
        expected,
        operator,
      })
    }
    if ((expected as (error: unknown) => unknown).call({}, error) === true) return
    fail({
      message: message ?? `The ${expected.name || 'validation'} function is expected to return "true"`,
      actual: error,
      expected,
      operator,
    })
  }
  const actual = error as Record<string, unknown>
  const wanted = expected as Record<string, unknown>
  const names = expected instanceof Error ? [...Object.keys(expected), 'name', 'message'] : Object.keys(expected)
  for (const name of names) {
    const got = actual?.[name]
    const want = wanted[name]
    const matches =
      want instanceof RegExp && typeof got === 'string'
        ? RegExp.prototype.test.call(want, got)
        : isDeepStrictEqual(got, want)
    if (!matches)
      fail({
        message: message ?? `Expected the error's ${name} to be ${print(want)}, got ${print(got)}`,
        actual: got,
        expected: want,
        operator,
      })
  }
}

const thrownBy = (run: () => unknown): { error: unknown } | undefined => {
  try {
    run()
    return undefined
  } catch (error) {
    return { error }
  }
}

async function rejectionOf(work: unknown): Promise<{ error: unknown } | undefined> {
  try {
    await (typeof work === 'function' ? work() : work)
    return undefined
  } catch (error) {
    return { error }
  }
}

/** `throws(fn, message)` takes a text for the second argument as the message. */
function arrange(expected: unknown, message: Message): { expected: Expectation; message: Message } {
  return typeof expected === 'string'
    ? { expected: undefined, message: expected }
    : { expected: expected as Expectation, message }
}

type Members = Record<string, (...args: never[]) => unknown>

function createMembers(count: () => void): { ok: (value?: unknown, message?: Message) => void; members: Members } {
  const compare =
    (operator: string, passes: (actual: unknown, expected: unknown) => boolean) =>
    (actual: unknown, expected: unknown, message?: Message): void => {
      count()
      if (!passes(actual, expected)) fail({ message, actual, expected, operator })
    }
  const ok = (value?: unknown, message?: Message): void => {
    count()
    if (!value) {
      fail({
        message: message ?? 'The expression evaluated to a falsy value',
        actual: value,
        expected: true,
        operator: '==',
      })
    }
  }
  const members: Members = {
    ok,
    // biome-ignore lint/suspicious/noDoubleEquals: the loose form of node:assert
    equal: compare('equal', (a, b) => a == b || (Number.isNaN(a) && Number.isNaN(b))),
    // biome-ignore lint/suspicious/noDoubleEquals: the loose form of node:assert
    notEqual: compare('notEqual', (a, b) => a != b && !(Number.isNaN(a) && Number.isNaN(b))),
    strictEqual: compare('strictEqual', Object.is),
    notStrictEqual: compare('notStrictEqual', (a, b) => !Object.is(a, b)),
    deepEqual: compare('deepEqual', isDeepLooseEqual),
    notDeepEqual: compare('notDeepEqual', (a, b) => !isDeepLooseEqual(a, b)),
    deepStrictEqual: compare('deepStrictEqual', isDeepStrictEqual),
    notDeepStrictEqual: compare('notDeepStrictEqual', (a, b) => !isDeepStrictEqual(a, b)),
    partialDeepStrictEqual: compare('partialDeepStrictEqual', isPartiallyEqual),
    fail(message: Message = 'Failed') {
      count()
      fail({ message, operator: 'fail' })
    },
    ifError(value: unknown) {
      count()
      if (value !== null && value !== undefined) {
        fail({
          message: `ifError got unwanted exception: ${print(value)}`,
          actual: value,
          expected: null,
          operator: 'ifError',
        })
      }
    },
    match(text: string, pattern: RegExp, message?: Message) {
      count()
      if (typeof text !== 'string' || !RegExp.prototype.test.call(pattern, text)) {
        fail({
          message: message ?? `The input did not match the regular expression ${print(pattern)}. Input: ${print(text)}`,
          actual: text,
          expected: pattern,
          operator: 'match',
        })
      }
    },
    doesNotMatch(text: string, pattern: RegExp, message?: Message) {
      count()
      if (typeof text === 'string' && RegExp.prototype.test.call(pattern, text)) {
        fail({
          message: message ?? `The input was expected not to match ${print(pattern)}. Input: ${print(text)}`,
          actual: text,
          expected: pattern,
          operator: 'doesNotMatch',
        })
      }
    },
    throws(run: () => unknown, expectation?: unknown, note?: Message) {
      count()
      const { expected, message } = arrange(expectation, note)
      const thrown = thrownBy(run)
      if (!thrown) return fail({ message: message ?? 'Missing expected exception.', expected, operator: 'throws' })
      checkThrown(thrown.error, expected, message, 'throws')
    },
    doesNotThrow(run: () => unknown, expectation?: unknown, note?: Message) {
      count()
      const { message } = arrange(expectation, note)
      const thrown = thrownBy(run)
      if (thrown)
        fail({
          message: message ?? `Got unwanted exception. Actual: ${print(thrown.error)}`,
          actual: thrown.error,
          operator: 'doesNotThrow',
        })
    },
    async rejects(work: unknown, expectation?: unknown, note?: Message) {
      count()
      const { expected, message } = arrange(expectation, note)
      const rejected = await rejectionOf(work)
      if (!rejected) return fail({ message: message ?? 'Missing expected rejection.', expected, operator: 'rejects' })
      checkThrown(rejected.error, expected, message, 'rejects')
    },
    async doesNotReject(work: unknown, expectation?: unknown, note?: Message) {
      count()
      const { message } = arrange(expectation, note)
      const rejected = await rejectionOf(work)
      if (rejected)
        fail({
          message: message ?? `Got unwanted rejection. Actual: ${print(rejected.error)}`,
          actual: rejected.error,
          operator: 'doesNotReject',
        })
    },
  }
  return { ok, members }
}

/** The assert function with its members, and `strict` whose loose names are strict. */
function createAssert(count: () => void): typeof Function.prototype & Record<string, unknown> {
  const { ok, members } = createMembers(count)
  const strictMembers = {
    ...members,
    equal: members.strictEqual,
    notEqual: members.notStrictEqual,
    deepEqual: members.deepStrictEqual,
    notDeepEqual: members.notDeepStrictEqual,
    AssertionError,
  }
  const strict = Object.assign((value?: unknown, message?: Message) => ok(value, message), strictMembers)
  Object.assign(strict, { strict })
  return Object.assign((value?: unknown, message?: Message) => ok(value, message), members, {
    AssertionError,
    strict,
  }) as never
}

export const assertForCandidates = createAssert(() => undefined)
export const assertForTests = createAssert(() => {
  assertions.count++
})
