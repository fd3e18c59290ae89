import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Trust } from '../../../src/domain/result.ts'
import { RedgreenError } from '../../../src/errors.ts'
import { measureTrust } from '../../../src/mechanic/trust/index.ts'
import { closeTrustThread } from '../../../src/mechanic/trust/thread.ts'
import { createSandbox } from '../../../src/sandbox/index.ts'
import type { Sandbox } from '../../../src/sandbox/types.ts'
import { createValidator } from '../../../src/validate/index.ts'
import type { ValidationRequest, Validator } from '../../../src/validate/types.ts'
import { requestOf } from '../../validate/requests.ts'

let sandbox: Sandbox
let validator: Validator
beforeAll(() => {
  sandbox = createSandbox({ maxChildren: 1 })
  validator = createValidator({ sandbox })
})
afterAll(async () => {
  await validator.close()
  await sandbox.close()
  await closeTrustThread()
})

/** With time enough, so that the budget decides nothing. */
const measure = (files: string, body: string, given: Partial<ValidationRequest> = {}, mutants = 20): Promise<Trust> =>
  measureTrust(
    {
      validation: requestOf({
        files: { 'solution.ts': files },
        tests: {
          'solution.test.ts': `import { test, expect } from 'vitest'\nimport * as it from './solution.ts'\n${body}`,
        },
        ...given,
      }),
      mutants,
      timeMs: 60_000,
      repeats: 2,
    },
    { validator, sandbox, scope: 'trust' },
  )

const leap = `export function isLeap(year: number): boolean {
  if (year % 400 === 0) return true
  if (year % 100 === 0) return false
  return year % 4 === 0
}
`
const wellTested = `test.each([[2000, true], [1600, true], [1900, false], [2100, false], [2024, true], [2023, false], [1996, true], [2022, false], [4, true], [1, false], [800, true], [300, false], [2001, false], [401, false], [101, false], [404, true]])('%s', (year, leap) => {
  expect(it.isLeap(year)).toBe(leap)
})`

describe('trust', () => {
  test('is high for a function whose tests notice changes', async () => {
    const trust = await measure(leap, wellTested)
    expect(trust).toMatchObject({ stubFails: true, suspicions: [], repeats: { runs: 2, flaky: [] }, level: 'high' })
    expect(trust.mutants.total).toBe(20)
  })

  test('is not high for the same function with one test; what is not noticed is listed', async () => {
    const trust = await measure(leap, "test('2023', () => { expect(it.isLeap(2023)).toBe(false) })")
    expect(trust.level).not.toBe('high')
    expect(trust.mutants.survivors.length).toBe(trust.mutants.total - trust.mutants.killed)
    expect(trust.mutants.survivors).toContainEqual(
      expect.objectContaining({ file: 'solution.ts', line: 3, change: 'false -> true' }),
    )
  })

  test('is low where tests pass on an empty implementation', async () => {
    const trust = await measure(leap, "test('runs', () => { it.isLeap(2000) })")
    expect(trust).toMatchObject({ stubFails: false, level: 'low' })
  })

  test('is low for an answer table, which is named', async () => {
    const trust = await measure(
      "const answers: Record<string, boolean> = { '2000': true, '1900': false, '2023': false }\nexport const isLeap = (year: number): boolean => answers[String(year)] ?? false\n",
      "test('years', () => { expect(it.isLeap(2000)).toBe(true); expect(it.isLeap(1900)).toBe(false); expect(it.isLeap(2023)).toBe(false) })",
    )
    expect(trust.level).toBe('low')
    expect(trust.suspicions).toEqual([expect.stringContaining('answer table at solution.ts:1: 3 of its 3 entries')])
  })

  test('names tests that depend on the date and on their order, and is low', async () => {
    const trust = await measure(
      'let count = 0\nexport const next = (): number => ++count\nexport const year = (): number => new Date().getFullYear()\n',
      `test('first', () => { expect(it.next()).toBe(1) })
test('second', () => { expect(it.next()).toBe(2) })
test('third', () => { expect(it.next()).toBe(3) })
test('this year', () => { expect(it.year()).toBe(2024) })`,
    )
    expect(trust.level).toBe('low')
    expect(trust.repeats.flaky).toEqual(expect.arrayContaining(['this year']))
    expect(trust.repeats.flaky.length).toBeGreaterThan(1)
  })

  test('names tests of exports that change their answers by chance', async () => {
    const trust = await measure(
      'const state = { answer: Math.random() < 0.5 ? 1 : 1 }\nexport const lucky = (): number => Math.floor(Math.random() * 1000)\nexport const same = (): number => state.answer\n',
      `test('lucky', () => { expect(it.lucky()).toBe(it.lucky() * 0 + LUCKY) })
test('same', () => { expect(it.same()).toBe(1) })`.replace('LUCKY', String(await luckyNumber())),
    )
    expect(trust.repeats.flaky).toEqual(['lucky'])
  })

  test('is the same twice', async () => {
    const once = await measure(leap, wellTested)
    expect(await measure(leap, wellTested)).toEqual(once)
  })

  test('does not run hidden tests', async () => {
    const trust = await measure(leap, wellTested, {
      hiddenTests: { 'hidden.test.ts': "import { test } from 'vitest'\ntest('x', () => { throw new Error('run') })" },
    })
    expect(trust.level).toBe('high')
  })

  test('counts a mutant that never ends as killed', async () => {
    const trust = await measure(
      'export function sum(xs: number[]): number {\n  let i = 0\n  let total = 0\n  while (i < xs.length) {\n    total += xs[i] ?? 0\n    i++\n  }\n  return total\n}\n',
      "test('sums', () => { expect(it.sum([1, 2, 3])).toBe(6); expect(it.sum([])).toBe(0); expect(it.sum([5])).toBe(5) })",
    )
    expect(trust.mutants.survivors.map(({ change }) => change)).not.toContain('removed: i++')
    expect(trust.mutants.total).toBe(20)
  })

  test('makes mutants of JavaScript scripts without exports', async () => {
    const trust = await measureTrust(
      {
        validation: requestOf({
          language: 'javascript',
          entry: 'solution.js',
          files: { 'solution.js': 'const isLeap = (y) => (y % 4 === 0 && y % 100 !== 0) || y % 400 === 0\n' },
          tests: {
            'a.test.js':
              'for (const [y, l] of [[2000, true], [1900, false], [2024, true], [2023, false], [4, true], [100, false]]) console.assert(isLeap(y) === l)',
          },
        }),
        mutants: 12,
        timeMs: 60_000,
        repeats: 1,
      },
      { validator, sandbox, scope: 'trust' },
    )
    expect(trust).toMatchObject({ stubFails: true, suspicions: [] })
    expect(trust.mutants.total).toBe(12)
    expect(trust.mutants.killed).toBeGreaterThan(8)
  })

  test('is given up on an abort', async () => {
    const controller = new AbortController()
    const measured = measureTrust(
      {
        validation: requestOf({ files: { 'solution.ts': leap }, tests: { 'solution.test.ts': wellTested } }),
        mutants: 50,
        timeMs: 60_000,
        repeats: 2,
      },
      { validator, sandbox, scope: 'trust', signal: controller.signal },
    )
    controller.abort()
    await expect(measured).rejects.toSatisfy((error) => error instanceof RedgreenError && error.code === 'ABORTED')
  })
})

/** What the first draw is under the usual seed: found by letting a test fail. */
async function luckyNumber(): Promise<number> {
  const report = await validator.validate(
    requestOf({
      files: {
        'solution.ts':
          'const state = { answer: Math.random() < 0.5 ? 1 : 1 }\nexport const lucky = (): number => Math.floor(Math.random() * 1000)\nexport const same = (): number => state.answer\n',
      },
      tests: {
        'solution.test.ts':
          "import { test, expect } from 'vitest'\nimport * as it from './solution.ts'\ntest('lucky', () => { expect(it.lucky()).toBe(-1) })",
      },
    }),
    { scope: 'trust' },
  )
  return Number(report.failures[0]?.actual)
}
