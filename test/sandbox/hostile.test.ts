import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSandbox } from '../../src/sandbox/index.ts'
import type { JobEnd, Sandbox } from '../../src/sandbox/types.ts'
import { goodJob, testJob } from './jobs.ts'
import { childProcesses, openDescriptors } from './puppet.ts'

const usualCpuMs = 500
/** Far away: a busy machine must not end a program before its own processor time is up. */
const wallMs = 20_000
/** Beyond the limit: time to start the child. */
const generousMs = 4_000

type End = JobEnd['kind']
interface Case {
  /** Ends that are right; `completed` means that the program was judged, and judged red. */
  readonly ends: readonly End[]
  readonly globals?: readonly string[]
  /** More than usual, where the program must come to its memory limit before its time is up. */
  readonly cpuMs?: number
}

const cases: Readonly<Record<string, Case>> = {
  'endless-loop': { ends: ['timeout'] },
  'endless-loop-at-load': { ends: ['timeout'] },
  'loop-in-finally': { ends: ['timeout'] },
  'backtracking-pattern': { ends: ['timeout'] },
  'endless-await': { ends: ['timeout'] },
  'microtasks-for-ever': { ends: ['timeout', 'memory'] },
  'timers-for-ever': { ends: ['completed', 'timeout'] },
  'never-settles': { ends: ['completed'] },
  'pushes-for-ever': { ends: ['memory', 'timeout'] },
  'pushes-and-catches': { ends: ['memory', 'timeout'] },
  'fills-a-giant-array': { ends: ['memory'], cpuMs: 6_000 },
  'spreads-a-giant-string': { ends: ['memory'], cpuMs: 6_000 },
  'map-that-grows': { ends: ['memory', 'timeout'] },
  // The isolate counts plain buffers itself and refuses more with a RangeError, which the test then fails with.
  'writes-typed-arrays': { ends: ['memory', 'completed'], cpuMs: 6_000 },
  'resizable-buffers': { ends: ['memory'], cpuMs: 6_000 },
  'doubles-a-string': { ends: ['memory', 'timeout'] },
  'bigint-tower': { ends: ['timeout', 'completed'] },
  'sparse-index-of': { ends: ['timeout', 'completed', 'memory'] },
  'slow-comparator': { ends: ['timeout'] },
  'expanding-replace': { ends: ['memory', 'crash', 'timeout', 'completed'] },
  'shared-buffer-bomb': { ends: ['completed'] },
  'waits-on-atomics': { ends: ['completed'] },
  'wasm-loop': { ends: ['completed'] },
  'wasm-grows': { ends: ['completed'] },
  'unbounded-recursion': { ends: ['completed'] },
  'console-flood': { ends: ['output'] },
  'returns-half-a-gigabyte': { ends: ['memory', 'output', 'completed', 'timeout'] },
  'getter-that-loops': { ends: ['timeout', 'completed'] },
  'proxy-thrown': { ends: ['timeout', 'completed'] },
  'deep-nesting': { ends: ['completed', 'timeout', 'memory'] },
}
/** What is absent unless asked for, asked for. */
const withGlobals: Readonly<Record<string, Case>> = {
  'shared-buffer-bomb': { ends: ['memory', 'completed'], cpuMs: 6_000, globals: ['SharedArrayBuffer', 'Atomics'] },
  'waits-on-atomics': { ends: ['timeout', 'completed'], globals: ['SharedArrayBuffer', 'Atomics'] },
  'wasm-loop': { ends: ['timeout'], globals: ['WebAssembly'] },
  'wasm-grows': { ends: ['memory'], cpuMs: 6_000, globals: ['WebAssembly'] },
}

const judge = `import { expect, test } from 'vitest'
import { run } from './solution.js'
test('gives what nothing gives', async () => { expect(await run()).toEqual({ right: 'answer' }) })`

describe.each(['auto', 'off'] as const)('a program that misbehaves, namespace %s,', (namespace) => {
  let sandbox: Sandbox
  let descriptors = 0
  beforeAll(async () => {
    sandbox = createSandbox({ maxChildren: 1, warm: 0, namespace })
    await sandbox.run(goodJob, { scope: 'first' })
    await sandbox.release('first')
    descriptors = openDescriptors()
  })
  afterAll(() => sandbox.close())

  // Without a namespace the same clock and meter are at work: a few of each kind will do.
  const withoutNamespace = ['endless-loop', 'bigint-tower', 'fills-a-giant-array', 'resizable-buffers', 'console-flood']
  const list =
    namespace === 'auto'
      ? [...Object.entries(cases), ...Object.entries(withGlobals)]
      : Object.entries(cases).filter(([name]) => withoutNamespace.includes(name))
  test.each(list)('%s %j', { timeout: 60_000 }, async (name, { ends, globals = [], cpuMs = usualCpuMs }) => {
    const solution = readFileSync(new URL(`../fixtures/hostile/${name}.js`, import.meta.url), 'utf8')
    const job = testJob(solution, judge, { cpuMs, wallMs, memoryMiB: 128 }, globals)
    const startedAt = performance.now()
    const outcome = await sandbox.run(job, { scope: name })
    const tookMs = performance.now() - startedAt
    expect(ends).toContain(outcome.end.kind)
    expect(outcome.cases.filter(({ status }) => status === 'passed')).toEqual([])
    if (outcome.end.kind === 'completed') expect(outcome.cases.length + outcome.errors.length).toBeGreaterThan(0)
    // by processor time, long before the clock on the wall
    if (outcome.end.kind === 'timeout') expect(outcome.end.which).toBe('cpu')
    expect(tookMs).toBeLessThan(wallMs + generousMs)
    expect(JSON.stringify(outcome)).not.toMatch(/\/work\/|node_modules|node:internal/)

    const next = await sandbox.run(goodJob, { scope: name })
    expect(next.end).toEqual({ kind: 'completed' })
    expect(next.cases.map(({ status }) => status)).toEqual(['passed', 'passed', 'passed'])
    await sandbox.release(name)
    expect(childProcesses()).toEqual([])
    await expect.poll(openDescriptors).toBeLessThanOrEqual(descriptors)
  })
})

test('a promise that can never settle is named at once, with its test', async () => {
  await using sandbox = createSandbox({ maxChildren: 1 })
  await sandbox.run(goodJob, { scope: 's' })
  const solution = readFileSync(new URL('../fixtures/hostile/never-settles.js', import.meta.url), 'utf8')
  const { cases: judged, durationMs } = await sandbox.run(testJob(solution, judge), { scope: 's' })
  expect(judged).toMatchObject([{ name: 'gives what nothing gives', status: 'failed', neverSettles: true }])
  expect(durationMs).toBeLessThan(2_000)
})

test('the same candidate has the same outcome a hundred times, but for durations', { timeout: 300_000 }, async () => {
  await using sandbox = createSandbox({ maxChildren: 2 })
  const job = testJob(
    'export const roll = () => [Math.random(), Date.now(), crypto.randomUUID()].join()',
    `import { expect, test } from 'vitest'
     import { roll } from './solution.js'
     test('rolls', () => { console.log(roll()); expect(roll()).toBe('') })
     test('waits', async () => { await new Promise((resolve) => setTimeout(resolve, 1_000)); expect(roll()).toBe(roll()) })`,
  )
  const seen = new Set<string>()
  for (let turn = 0; turn < 100; turn++) {
    const outcome = await sandbox.run(job, { scope: turn % 10 === 0 ? `engine ${turn}` : 'engine' })
    expect(outcome.end).toEqual({ kind: 'completed' })
    seen.add(JSON.stringify(outcome, (key, value) => (key === 'durationMs' ? undefined : value)))
  }
  expect(seen.size).toBe(1)
})
