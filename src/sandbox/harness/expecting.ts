import {
  ASYMMETRIC_MATCHERS_OBJECT,
  AsymmetricMatcher,
  addCustomEqualityTesters,
  ChaiStyleAssertions,
  customMatchers,
  type ExpectStatic,
  GLOBAL_EXPECT,
  getState,
  JestAsymmetricMatchers,
  JestChaiExpect,
  JestExtend,
  setState,
} from '@vitest/expect'
import { getCurrentTest } from '@vitest/runner'
import * as chai from 'chai'
import { schedulers } from './clock.ts'
import { inlineSnapshots } from './inline-snapshots.ts'
import { describeMatchersWith } from './print.ts'
import { expectRealm } from './realm.ts'

chai.use(JestExtend)
chai.use(JestChaiExpect)
chai.use(ChaiStyleAssertions)
chai.use(inlineSnapshots)
chai.use(JestAsymmetricMatchers)
chai.config.truncateThreshold = 200

/** Counts what is asserted, and what `console.assert` found false: it does not throw. */
export const assertions = { count: 0, failed: 0 }

const freshState = {
  assertionCalls: 0,
  isExpectingAssertions: false,
  isExpectingAssertionsError: null,
  expectedAssertionsNumber: null,
  expectedAssertionsNumberErrorGen: null,
}

/** Chai's own `expect` with the member that JestExtend added. */
const extending = chai.expect as unknown as { extend(expect: ExpectStatic, matchers: object): void }

function createExpect(): ExpectStatic {
  const expect = ((value: unknown, message?: string) => {
    assertions.count++
    const { assertionCalls } = getState(expect)
    setState({ assertionCalls: assertionCalls + 1 }, expect)
    const assertion = chai.expect(value, message) as unknown as Chai.Assertion
    const test = getCurrentTest()
    return test ? (assertion as unknown as { withTest(test: unknown): unknown }).withTest(test) : assertion
  }) as unknown as ExpectStatic
  Object.assign(expect, chai.expect)
  Object.assign(expect, expectRealm[ASYMMETRIC_MATCHERS_OBJECT as unknown as string])
  const members: Record<string, unknown> = {
    getState: () => getState(expect),
    setState: (state: object) => setState(state, expect),
    extend: (matchers: object) => extending.extend(expect, matchers),
    addEqualityTesters: addCustomEqualityTesters,
    addSnapshotSerializer: () => undefined,
    soft: (value: unknown, message?: string) =>
      (expect as unknown as (v: unknown, m?: string) => { withContext(c: object): unknown })(
        value,
        message,
      ).withContext({ soft: true }),
    poll: createPoll,
    assertions(expected: number) {
      const error = (): Error =>
        new Error(`expected number of assertions to be ${expected}, but got ${getState(expect).assertionCalls}`)
      setState({ expectedAssertionsNumber: expected, expectedAssertionsNumberErrorGen: error }, expect)
    },
    hasAssertions() {
      setState(
        {
          isExpectingAssertions: true,
          isExpectingAssertionsError: new Error('expected any number of assertion, but got none'),
        },
        expect,
      )
    },
    unreachable(message?: string): never {
      chai.assert.fail(`expected${message ? ` "${message}" ` : ' '}not to be reached`)
    },
  }
  for (const [name, value] of Object.entries(members)) {
    Object.defineProperty(expect, name, { value, writable: true, enumerable: true, configurable: true })
  }
  extending.extend(expect, customMatchers)
  return expect

  /** `expect.poll`: asks again on the virtual clock until the matcher passes. */
  function createPoll(
    ask: () => unknown,
    options: { interval?: number; timeout?: number; message?: string } = {},
  ): unknown {
    const { interval = 50, timeout = 1_000, message } = options
    const proxy = (isNot: boolean): unknown =>
      new Proxy(
        {},
        {
          get(_, name) {
            if (name === 'not') return proxy(!isNot)
            if (name === 'then') return undefined
            return async (...args: unknown[]) => {
              for (let waited = 0; ; waited += interval) {
                try {
                  const value = await ask()
                  const plain = (expect as unknown as (v: unknown, m?: string) => Record<PropertyKey, never>)(
                    value,
                    message,
                  )
                  const target = (isNot ? plain.not : plain) as Record<PropertyKey, (...args: unknown[]) => unknown>
                  await target[name]?.(...args)
                  return
                } catch (error) {
                  if (waited >= timeout) throw error
                }
                await new Promise<void>((resolve) => schedulers.timeout(resolve, interval))
              }
            }
          },
        },
      )
    return proxy(false)
  }
}

export const expect = createExpect()
expectRealm[GLOBAL_EXPECT as unknown as string] = expect as never
setState({ ...freshState, testPath: '', currentTestName: '' }, expect)

/** Starts the counts of a test. */
export function beginExpecting(testName: string, testPath: string): void {
  setState({ ...freshState, testPath, currentTestName: testName }, expect)
}

/** Checks `expect.assertions` and `expect.hasAssertions` at the end of a test. */
export function endExpecting(): void {
  const state = getState(expect)
  if (state.expectedAssertionsNumber !== null && state.assertionCalls !== state.expectedAssertionsNumber) {
    throw state.expectedAssertionsNumberErrorGen?.()
  }
  if (state.isExpectingAssertions === true && state.assertionCalls === 0) throw state.isExpectingAssertionsError
}

describeMatchersWith((value) => {
  if (!(value instanceof AsymmetricMatcher)) return undefined
  const { sample } = value as unknown as { sample?: unknown }
  const name = String((value as unknown as { toString(): string }).toString())
  if (typeof sample === 'function') return `${name}<${sample.name}>`
  if (sample === undefined) return name
  return `${name} ${JSON.stringify(sample, (_, inner: unknown) => (typeof inner === 'bigint' ? `${inner}n` : inner)) ?? String(sample)}`
})

export { chai }
