import type { ChaiPlugin } from '@vitest/expect'
import { plugins, format as prettyFormat } from '@vitest/pretty-format'

/** As Vitest writes snapshots. */
const write = (value: unknown): string =>
  prettyFormat(value, {
    printBasicPrototype: false,
    escapeString: false,
    escapeRegex: true,
    printFunctionName: false,
    plugins: [plugins.AsymmetricMatcher],
  })

/** Takes the indentation of the source away, as snapshot tools do when they compare. */
function dedent(text: string): string {
  const lines = text.split('\n')
  if (lines.length < 3 || lines[0]?.trim() !== '' || lines.at(-1)?.trim() !== '') return text.trim()
  const inner = lines.slice(1, -1)
  const indent = /^[ \t]*/.exec(inner.find((line) => line.trim() !== '') ?? '')?.[0] ?? ''
  return inner.map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line)).join('\n')
}

/** Inline snapshots are compared; snapshot files do not exist in the sandbox and are refused by name. */
export const inlineSnapshots: ChaiPlugin = (chai, utils) => {
  const { AssertionError } = chai

  function compare(actual: string, snapshot: string | undefined, name: string): void {
    if (snapshot === undefined) {
      throw new Error(`${name} without a given snapshot would record one; the sandbox only compares`)
    }
    const expected = dedent(snapshot)
    if (actual.trim() === expected.trim()) return
    throw new AssertionError('Snapshot mismatched', {
      actual: actual.trim(),
      expected: expected.trim(),
      operator: 'strictEqual',
    })
  }

  function add(name: string, method: (this: object, ...args: unknown[]) => void): void {
    utils.addMethod(chai.Assertion.prototype, name, method)
  }

  add('toMatchInlineSnapshot', function (...args) {
    const snapshot = args.find((arg) => typeof arg === 'string')
    compare(write(utils.flag(this, 'object')), snapshot as string | undefined, 'toMatchInlineSnapshot()')
  })
  add('toThrowErrorMatchingInlineSnapshot', function (snapshot) {
    const subject: unknown = utils.flag(this, 'object')
    let thrown: unknown = subject
    if (typeof subject === 'function' && utils.flag(this, 'promise') === undefined) {
      try {
        subject()
        throw new AssertionError('expected function to throw')
      } catch (error) {
        thrown = error
      }
    }
    const text = thrown instanceof Error ? `[${thrown.name}: ${thrown.message}]` : write(thrown)
    const given = typeof snapshot === 'string' ? dedent(snapshot) : undefined
    const message = thrown instanceof Error ? thrown.message : ''
    if (given === message || given === `"${message}"`) return
    compare(text, given, 'toThrowErrorMatchingInlineSnapshot()')
  })
  for (const name of ['toMatchSnapshot', 'matchSnapshot', 'toMatchFileSnapshot', 'toThrowErrorMatchingSnapshot']) {
    add(name, () => {
      throw new Error(
        `${name}() is not supported: there are no snapshot files in the sandbox; use toMatchInlineSnapshot()`,
      )
    })
  }
}
