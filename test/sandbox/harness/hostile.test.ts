import { describe, expect, it } from 'vitest'
import { isGreen, runTests, summarise } from './judge.ts'

const test = `import { f } from './solution.js'\nit('a', async () => { expect(await f()).toBe(1) })\nit('b', () => expect(1).toBe(1))`
// the wall is far away, so that a busy machine does not end a program before its own processor time is up
const small = { limits: { cpuMs: 300, wallMs: 30_000 } }
const run = (candidate: string) => runTests(candidate, test, small)

describe('programs that do not end', () => {
  const endless: Record<string, string> = {
    'a plain loop': 'export const f = () => { for (;;); }',
    'a loop at load': 'for (;;); export const f = 1',
    'a loop kept alive by finally': 'export const f = () => { for (;;) { try { for (;;); } finally { continue } } }',
    'a nested-quantifier regular expression': 'export const f = () => /^(a+)+$/.test("a".repeat(50) + "b")',
    'an endless await loop': 'export const f = async () => { for (;;) await null }',
    'an endless setImmediate': 'export const f = () => new Promise(() => { const g = () => setImmediate(g); g() })',
    'a thrown proxy whose traps loop':
      'export const f = () => { throw new Proxy({}, { get() { for (;;); }, has() { for (;;); }, getPrototypeOf() { for (;;); } }) }',
    'a looping getter': 'export const f = () => ({ get x() { for (;;); } })',
    'a looping toJSON and valueOf':
      'export const f = () => { throw Object.assign(new Error("x"), { get message() { for (;;); } }) }',
  }
  for (const [name, candidate] of Object.entries(endless)) {
    it(`stops ${name}`, async () => {
      const outcome = await run(candidate)
      expect(isGreen(outcome)).toBe(false)
      if (!name.includes('getter') && !name.includes('toJSON'))
        expect(outcome.end).toEqual({ kind: 'timeout', which: 'cpu' })
    })
  }

  it('counts what a program burns, not what the machine takes', async () => {
    const outcome = await runTests(
      'export const f = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 600) === "timed-out" ? 1 : 0',
      test,
      { limits: { cpuMs: 300, wallMs: 6_000 }, environment: { extraGlobals: ['SharedArrayBuffer', 'Atomics'] } },
    )
    expect(outcome.end).toEqual({ kind: 'completed' })
    expect(summarise(outcome)).toEqual(['passed a', 'passed b'])
  })

  it('names a test that can never settle, at once, and goes on', async () => {
    const outcome = await run('export const f = () => new Promise(() => {})')
    expect(summarise(outcome)).toEqual(['failed a', 'passed b'])
    expect(outcome.cases[0]).toMatchObject({ neverSettles: true, errors: [{ code: 'NEVER_SETTLES' }] })
  })

  it('counts a timeout on the virtual clock', async () => {
    const outcome = await run('export const f = () => new Promise((r) => { setInterval(() => {}, 100) })')
    expect(outcome.cases[0]).toMatchObject({ status: 'failed', timedOut: true, durationMs: 5_000 })
    expect(outcome.cases[0]?.neverSettles).toBeUndefined()
  })

  it('says when a module waits for ever at top level', async () => {
    const outcome = await run('await new Promise(() => {}); export const f = 1')
    expect(isGreen(outcome)).toBe(false)
    expect(outcome.end.kind).toBe('completed')
    expect(outcome.errors[0]?.error.code).toBe('NEVER_SETTLES')
  })
})

describe('programs that take too much', () => {
  const greedy: Record<string, string> = {
    'pushes objects for ever': 'export const f = () => { const a = []; for (;;) a.push({ a: [] }) }',
    'pushes and catches RangeErrors':
      'export const f = () => { const a = []; for (;;) { try { for (;;) a.push(new Array(1000).fill({})) } catch {} } }',
    'grows a Map': 'export const f = () => { const m = new Map(); for (let i = 0; ; i++) m.set(i, { i }) }',
  }
  for (const [name, candidate] of Object.entries(greedy)) {
    it(`stops one that ${name}`, async () => {
      // where the isolate cannot be stopped from inside, the parent kills the child
      const end = await runTests(candidate, test, { limits: { memoryMiB: 64, cpuMs: 2_000, wallMs: 6_000 } }).then(
        (outcome) => outcome.end.kind,
        () => 'killed',
      )
      expect(['memory', 'timeout', 'killed']).toContain(end)
      const next = await runTests('export const f = () => 1', test)
      expect(isGreen(next)).toBe(true)
    })
  }

  it('ends a console flood', async () => {
    const outcome = await runTests(
      'export const f = () => { for (;;) { try { console.log("x".repeat(1000)) } catch {} } }',
      test,
      { limits: { outputBytes: 1_000, cpuMs: 1_000 } },
    )
    expect(outcome.end).toEqual({ kind: 'output' })
    expect(outcome.console.length).toBeLessThanOrEqual(1_000)
  })

  it('cuts what is printed at the limit and says so', async () => {
    const outcome = await runTests(
      'export const f = () => { console.log("x".repeat(900)); console.log("y".repeat(900)); return 1 }',
      test,
      { limits: { outputBytes: 1_000 } },
    )
    expect(isGreen(outcome)).toBe(true)
    expect(outcome.console).toHaveLength(1_000)
    expect(outcome.consoleTruncated).toBe(true)
  })

  it('folds runaway recursion into a RangeError', async () => {
    const outcome = await run('export const f = () => f()')
    expect(outcome.cases[0]?.errors[0]).toMatchObject({
      name: 'RangeError',
      message: 'Maximum call stack size exceeded',
    })
    expect(outcome.cases[1]?.status).toBe('passed')
  })

  it('survives a million parentheses', async () => {
    const outcome = await run(`export const f = () => ${'('.repeat(1e6)}1${')'.repeat(1e6)}`)
    expect(outcome.errors[0]).toMatchObject({ phase: 'load-candidate', error: { name: 'SyntaxError' } })
  })
})

describe('values that are hard to show', () => {
  it('shows whatever is thrown', async () => {
    for (const [thrown, shown] of [
      ['null', 'null'],
      ['undefined', 'undefined'],
      ['Symbol("s")', 'Symbol(s)'],
      ['-0', '-0'],
      ['{ a: 1n }', '{ a: 1n }'],
    ]) {
      const outcome = await run(`export const f = () => { throw ${thrown} }`)
      expect(outcome.cases[0]?.errors[0]?.thrown).toBe(shown)
    }
  })

  it('keeps texts bounded for deep, long and wide values', async () => {
    for (const value of [
      'let o = {}; for (let i = 0; i < 1e5; i++) o = { o }; return o',
      'let o = []; for (let i = 0; i < 1e5; i++) o = [o]; return o',
      'return "x".repeat(2 ** 24)',
      'return Array.from({ length: 1e5 }, (_, i) => i)',
      'const e = new Error("m".repeat(1e6)); e.stack = "s".repeat(1e6); throw e',
    ]) {
      const outcome = await runTests(`export const f = () => { ${value} }`, test)
      expect(outcome.cases[0]?.status).toBe('failed')
      expect(JSON.stringify(outcome).length).toBeLessThan(60_000)
      expect(outcome.cases[1]?.status).toBe('passed')
    }
  })

  it('tells what looks alike apart', async () => {
    const outcome = await runTests(
      'export const f = () => [-0, NaN, undefined, 1n, new Map([[1, { a: 2 }]]), new Set(["x"]), Symbol("q"), { a: undefined }, , new Date(0), /x/g]',
      `import { f } from './solution.js'\nit('a', () => expect(f()).toEqual([]))`,
    )
    const actual = outcome.cases[0]?.errors[0]?.actual
    for (const part of [
      '-0',
      'NaN',
      'undefined',
      '1n',
      'Map(1) { 1 => { a: 2 } }',
      'Set(1) { "x" }',
      'Symbol(q)',
      '{ a: undefined }',
      '<empty>',
      'Date(1970-01-01T00:00:00.000Z)',
      '/x/g',
    ])
      expect(actual).toContain(part)
  })
})

describe('errors outside tests', () => {
  it('reports what timers throw after the tests ended', async () => {
    const outcome = await run(
      'export const f = () => { setTimeout(() => { throw new Error("late") }, 1000); return 1 }',
    )
    expect(summarise(outcome)).toEqual(['passed a', 'passed b', 'unhandled: late'])
  })

  it('reports unhandled rejections', async () => {
    const outcome = await run('export const f = () => { Promise.reject(new TypeError("lost")); return 1 }')
    expect(summarise(outcome)).toEqual(['passed a', 'passed b', 'unhandled: lost'])
    expect(outcome.errors[0]?.error).toMatchObject({
      name: 'TypeError',
      stack: expect.stringContaining('solution.js:1:'),
    })
  })

  it('shows only frames of the given modules, in their own positions', async () => {
    const outcome = await runTests(
      `import { x } from './x.js'\nexport function f() {\n  return inner(x)\n}\nfunction inner(v) { throw new Error('at ' + v) }`,
      test.replace('toBe(1) })\nit', 'toBe(1) }); it'),
    )
    expect(outcome.errors[0]?.error.message).toContain("Cannot find module './x.js'")
    const found = await runTests(
      {
        'solution.js': `import { x } from './x.js'\nexport function f() {\n  return inner(x)\n}\nfunction inner(v) { throw new Error('at ' + v) }`,
        'x.js': 'export const x = 1',
      },
      test,
    )
    expect(found.cases[0]?.errors[0]?.stack.split('\n').slice(0, 2)).toEqual([
      '    at inner (solution.js:5:27)',
      '    at f (solution.js:3:10)',
    ])
    expect(JSON.stringify(found)).not.toMatch(/rg:|harness|node_modules/)
  })
})
