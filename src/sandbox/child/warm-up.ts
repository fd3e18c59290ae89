import type { JobSettings } from '../harness/settings.ts'
import type { TestJob } from '../types.ts'
import { prepareModules } from './prepare.ts'

/** What most jobs call: the ways of loading and running tests, the usual matchers, mocks, and a failure of each shape. */
const candidate = `export function same(value) { if (value === 'no') throw new RangeError('no'); return value }
export async function later(value) { await new Promise((resolve) => setTimeout(resolve, 5)); return value }
`
const tests = `import { afterEach, beforeEach, describe, expect, it, test, vi } from 'vitest'
import { later, same } from './solution'
const double = vi.fn((value) => 2 * value)
describe('matchers', () => {
  beforeEach(() => undefined)
  afterEach(() => { double.mockClear() })
  it('compares', () => {
    expect(same(1)).toBe(1)
    expect(same(0.3)).toBeCloseTo(0.3)
    expect(same(2)).toBeGreaterThan(1)
    expect(same({ a: [1, new Map([['k', new Set([1])]])], d: new Date(0) })).toEqual({ a: [1, new Map([['k', new Set([1])]])], d: new Date(0) })
    expect(same({ a: 1 })).toStrictEqual({ a: 1 })
    expect(same([1, 2])).toContain(2)
    expect(same([1, 2])).toHaveLength(2)
    expect(same('text')).toMatch(/ex/)
    expect(same(undefined)).toBeUndefined()
    expect(same(null)).not.toBeTruthy()
    expect(same({ a: 1, b: 2 })).toMatchObject({ a: expect.any(Number) })
  })
  it('throws', () => {
    expect(() => same('no')).toThrow(RangeError)
    expect(() => same('no')).toThrow('no')
  })
  it('waits', async () => {
    expect(await later(1)).toBe(1)
    await expect(later(1)).resolves.toBe(1)
  })
  it('mocks', () => { double(1); expect(double).toHaveBeenCalledWith(1) })
  test.each([[1, 1], [2, 2]])('%i is %i', (a, b) => expect(same(a)).toBe(b))
  it('prints', () => { console.log('text', 1, { a: [1] }) })
})
it('differs', () => expect(same({ a: [1] })).toEqual({ a: [2] }))
it('is another', () => expect(same('a')).toBe('b'))
it('fails', () => { same('no') })
`

const job: TestJob = {
  kind: 'test',
  entry: 'solution.js',
  modules: [{ path: 'solution.js', code: candidate, format: 'esm' }],
  tests: [{ path: 'solution.test.js', code: tests, format: 'esm' }],
  packages: [],
  limits: { cpuMs: 0, wallMs: 0, memoryMiB: 0, outputBytes: 10_000, fileBytes: 0, tests: 100 },
  environment: { seed: 1, epochMs: 0, timeZone: 'UTC', shuffleTests: false },
  allowEval: false,
}

const settings: JobSettings = {
  kind: 'test',
  entry: job.entry,
  testFiles: job.tests.map(({ path }) => path),
  bareScripts: [],
  throwingScripts: [],
  environment: job.environment,
  outputBytes: job.limits.outputBytes,
  maxTests: job.limits.tests,
  allowEval: job.allowEval,
  coverage: false,
  showProcess: false,
  stdin: '',
  args: [],
}

/** Microtasks between two calls of `pump`, for the promises of a turn to settle in: a script has no turns of its own. */
const turnMicrotasks = 200
const mostTurns = 100

/**
 * A script that runs a job with the harness and freezes the world after it. V8 compiles a function when it is first called;
 * what is called while a snapshot is made lies compiled in it, which halves the time that tests take in a new isolate. It runs
 * in a context that is thrown away: nothing but compiled code gets into the snapshot.
 *
 * What the harness has told is left in the global `told`.
 */
export function warmUpScript(): string {
  const text = (value: unknown): string => JSON.stringify(JSON.stringify(value))
  const defined = prepareModules(job).map(({ definition, factory }) => `h.define(${text(definition)},${factory})`)
  return `globalThis.told = []
const h = globalThis.__redgreen
h.connect((message) => { told.push(message) })
${defined.join('\n')}
h.start(${text(settings)})
void (async () => {
  for (let turn = 0; turn < ${mostTurns}; turn++) {
    for (let each = 0; each < ${turnMicrotasks}; each++) await null
    if (h.pump() !== 1) break
  }
  h.freeze('[]')
})()`
}
