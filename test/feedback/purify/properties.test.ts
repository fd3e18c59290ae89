import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fingerprint } from '../../../src/feedback/fingerprint.ts'
import { purify } from '../../../src/feedback/purify.ts'

const tools = [
  '',
  'tsc',
  'esbuild',
  'vite',
  'rolldown',
  'vitest',
  'jest',
  'mocha',
  'tap',
  'node:test',
  'pytest',
  'unittest',
  'python',
  'postgres',
  'sqlite',
  'bash',
  'node',
]
const pieces = [
  'Error: ',
  'at f (',
  '/app/s.ts:1:2)',
  '\n',
  '    ',
  'expected ',
  ' to be ',
  "'",
  '"',
  '[',
  '{',
  '(',
  'E   ',
  'assert ',
  '● ',
  ' FAIL  ',
  '⎯⎯⎯⎯',
  ' > ',
  'not ok 1 - ',
  '---',
  '...',
  'Traceback (most recent call last):',
  '  File "a.py", line 1, in f',
  'TS2322: ',
  'a.ts(1,2): error ',
  '╭─[a.ts:1:2]',
  '✘ [ERROR] ',
  's.sh: line 3: ',
  'ERROR:  ',
  '- Expected',
  '+ Received',
  '\ud800',
  '\u001b[31m',
  '\r',
  '1 !== 2',
  'expect(a).toBe(b)',
  'Expected: ',
  'Received: ',
]
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.array(fc.constantFrom(...pieces), { maxLength: 60 }).map((parts) => parts.join('')),
)

describe('purify', () => {
  it('never throws and gives bounded failures, whatever the input', () => {
    fc.assert(
      fc.property(fc.constantFrom(...tools), text, text, fc.option(fc.integer()), (tool, stdout, stderr, exitCode) => {
        for (const raw of [
          { tool, stdout, stderr, exitCode },
          { tool, message: stdout, stack: stderr },
          { tool, error: stdout },
          { tool, diff: stdout },
          stdout,
          { tool, code: stdout, stderr, exitCode },
        ]) {
          const failures = purify(raw)
          expect(failures.length).toBeLessThanOrEqual(60)
          for (const failure of failures) expect(JSON.stringify(failure).length).toBeLessThan(20_000)
        }
      }),
      { numRuns: 150 },
    )
  })

  it('never throws on values of any shape', () => {
    fc.assert(
      fc.property(
        fc.anything({
          withBigInt: true,
          withMap: true,
          withSet: true,
          withDate: true,
          withNullPrototype: true,
          withTypedArray: true,
          withSparseArray: true,
          withObjectString: true,
        }),
        (value) => {
          purify(value)
          purify({ thrown: value })
          purify({
            tool: 'vitest',
            error: { name: 'AssertionError', message: 'expected a to equal b', expected: value, actual: { value } },
          })
        },
      ),
      { numRuns: 150 },
    )
  })

  it('survives getters, proxies and circles without running them', () => {
    let touched = 0
    const hostile = {
      get message() {
        touched += 1
        throw new Error('no')
      },
      get stack() {
        touched += 1
        return ''
      },
    }
    const proxy = new Proxy(
      {},
      {
        get() {
          touched += 1
          throw new Error('no')
        },
      },
    )
    const circle: Record<string, unknown> = {}
    circle.self = circle
    for (const value of [hostile, proxy, circle]) expect(purify({ thrown: value })).toHaveLength(1)
    expect(touched).toBe(0)
  })

  // Pathological texts for backtracking: the bound is generous, a quadratic reader takes minutes.
  it.each([
    ['brackets', '('.repeat(300_000)],
    ['blank lines', '\n'.repeat(300_000)],
    ['blanks', ' '.repeat(500_000)],
    ['separators', '/a'.repeat(200_000)],
    ['lone surrogates', '\ud800'.repeat(200_000)],
    ['quotes', `"'`.repeat(200_000)],
    ['heads of errors', 'Error: '.repeat(80_000)],
    ['a hundred thousand lines', 'line of a log: at foo (bar:1:2)\n'.repeat(100_000)],
    ['comparisons', `expected ${'[ to be '.repeat(60_000)}`],
  ])(
    'reads %s in time linear to their length',
    (_, input) => {
      const started = process.cpuUsage()
      for (const tool of tools) purify({ tool, exitCode: 1, stdout: input })
      const used = process.cpuUsage(started)
      expect((used.user + used.system) / 1_000 / tools.length).toBeLessThan(3_000)
    },
    120_000,
  )
})

const name = fc.stringMatching(/^[a-z]{3,10}$/)
const noises: readonly ((symbol: string, n: number) => string)[] = [
  (symbol, n) => `${symbol} failed at 0x${(n + 65_536).toString(16)}`,
  (symbol, n) => `${symbol} failed (pid ${n}, port ${n + 1})`,
  (symbol, n) => `${symbol} took ${n}ms`,
  (symbol, n) => `${symbol} took ${n / 10} seconds`,
  (symbol, n) => `${symbol} in /tmp/run-${n}a1/solution.ts:${n}:${n}`,
  (symbol, n) => `${symbol} on line ${n}, column ${n + 3}`,
  (symbol, n) => `property ${symbol} | counterexample: [${n},-${n}] (seed ${n})`,
  (symbol, n) => `${symbol} at 2026-01-${String((n % 28) + 1).padStart(2, '0')}T03:04:05.${n % 1000}Z`,
  (symbol, n) => `${symbol} 550e8400-e29b-41d4-a716-${String(n).padStart(12, '0')}`,
]

describe('fingerprint', () => {
  it('is the same under noise and another for another symbol or test', () => {
    fc.assert(
      fc.property(fc.constantFrom(...noises), name, name, fc.nat(60_000), fc.nat(60_000), (noise, a, b, m, n) => {
        const of = (message: string, test = 't') => fingerprint({ kind: 'runtime', message, test })
        expect(of(noise(a, m))).toBe(of(noise(a, n)))
        if (a !== b) expect(of(noise(a, m))).not.toBe(of(noise(b, m)))
        expect(of(noise(a, m), 'one')).not.toBe(of(noise(a, m), 'two'))
      }),
    )
  })

  it('prefers codes to sentences, so that the language of a tool plays no part', () => {
    const of = (code: string, message: string) => fingerprint({ kind: 'type', message, code })
    expect(of('TS2339', "Property 'x' does not exist on type 'Y'.")).toBe(of('TS2339', '类型“Y”上不存在属性“x”。'))
    expect(of('TS1109', 'Expression expected.')).toBe(of('TS1109', '应为表达式。'))
    expect(of('TS2322', "Type 'number' is not assignable to type 'string'.")).not.toBe(
      of('TS2322', "Type 'string' is not assignable to type 'number'."),
    )
    expect(of('42P01', 'relation "a" does not exist')).not.toBe(of('42P01', 'relation "b" does not exist'))
  })
})
