import { describe, expect, it } from 'vitest'
import { isGreen, judge, programJob, runTests, searchJob, summarise, testJob } from './judge.ts'

describe('programs', () => {
  it('gives output, exit code and the default export or the last value', async () => {
    const printed = await judge(
      programJob('console.log("out", { a: -0 }); console.error("err"); export default { n: 1n }'),
    )
    expect(printed).toMatchObject({
      end: { kind: 'completed' },
      stdout: 'out { a: -0 }\n',
      stderr: 'err\n',
      exitCode: 0,
      result: '{ n: 1n }',
    })
    expect(await judge(programJob('const a = 20\na * 2 + 2'))).toMatchObject({ result: '42' })
    expect(
      await judge(
        programJob(
          'const sleep = (ms) => new Promise((r) => setTimeout(r, ms))\nawait sleep(60000)\nPromise.resolve("later")',
        ),
      ),
    ).toMatchObject({ result: '"later"' })
  })

  it('has arguments and standard input', async () => {
    const code = `let text = ''; process.stdin.on('data', (d) => { text += d }); process.stdin.on('end', () => console.log(process.argv.slice(2).join('-'), text.trim()))`
    expect(await judge(programJob(code, { stdin: 'hello\n', args: ['a', 'b'] }))).toMatchObject({
      stdout: 'a-b hello\n',
      exitCode: 0,
    })
  })

  it('ends with the code of process.exit, or 1 after an error', async () => {
    expect(await judge(programJob('process.exit(3)'))).toMatchObject({ exitCode: 3 })
    const failed = await judge(programJob('function g() { throw new TypeError("no") }\ng()'))
    expect(failed).toMatchObject({
      exitCode: 1,
      error: { name: 'TypeError', message: 'no', stack: expect.stringContaining('g (program.js:1:') },
    })
  })
})

describe('search', () => {
  const code = `export const f = (a, b) => __variant === 1 ? a - b : __variant === 2 ? a * b : __variant === 3 ? (() => { for (;;); })() : a + b
    let n = 0; export const once = () => ++n`
  const tests = `import { f, once } from './solution.js'
    it('a', () => expect(f(2, 2)).toBe(4)); it('b', () => expect(f(1, 2)).toBe(3)); it('c', () => expect(once()).toBe(1))`

  it('judges each variant by itself and goes on after one that hangs', async () => {
    const outcome = await judge(searchJob(code, tests, [0, 1, 2, 3, 4]))
    expect(outcome.end).toEqual({ kind: 'completed' })
    expect(outcome.variants).toEqual([
      { variant: 0, passed: [0, 1, 2], total: 3, timedOut: false, checks: 3 },
      { variant: 1, passed: [2], total: 3, timedOut: false, checks: 1 },
      { variant: 2, passed: [0, 2], total: 3, timedOut: false, checks: 2 },
      { variant: 3, passed: [], total: 3, timedOut: true },
      { variant: 4, passed: [0, 1, 2], total: 3, timedOut: false, checks: 3 },
    ])
  })

  it('tells which statements each test ran', async () => {
    const instrumented = `export const f = (a) => { __cov[0]++; if (a) { __cov[1]++; return 1 } __cov[2]++; return 2 }`
    const outcome = await runTests(
      instrumented,
      `import { f } from './solution.js'\nit('a', () => { f(1) }); it('b', () => { f(0) }); it('c', () => {})`,
      { coverage: true },
    )
    expect(outcome.cases.map((test) => test.coverage)).toEqual([[0, 1], [0, 2], []])
  })
})

describe('determinism', () => {
  const candidate = `export const f = () => [Math.random(), Date.now(), crypto.randomUUID(), new Date().getHours(), performance.now(), Intl.DateTimeFormat().resolvedOptions().timeZone, new Intl.DateTimeFormat('en').format()]
    export const order = async () => { const log = []; const p = []
      setTimeout(() => log.push('t1'), 1); setTimeout(() => log.push('t0'), 0); setImmediate(() => log.push('i')); queueMicrotask(() => log.push('m')); Promise.resolve().then(() => log.push('p'))
      await new Promise((r) => setTimeout(r, 5)); return log }`
  const test = `import { f, order } from './solution.js'\nit('a', async () => { console.log(f(), await order()); expect(f()).toEqual({}) })`

  it('gives the same outcome a hundred times', async () => {
    const first = await runTests(candidate, test)
    const without = ({ durationMs: _, ...rest }: typeof first) => JSON.stringify(rest)
    for (let run = 0; run < 30; run++) expect(without(await runTests(candidate, test))).toBe(without(first))
    expect(first.console).toContain("'UTC'")
    expect(first.console).toMatch(/'m', 'p', 'i', 't1', 't0'|'m', 'p', 't1', 't0', 'i'|'m', 'p', 'i', 't0', 't1'/)
  })

  it('follows the seed, the epoch and the time zone', async () => {
    const show = async (environment: object) => (await judge(testJob(candidate, test, { environment }))).console
    const base = await show({})
    expect(await show({ seed: 2 })).not.toBe(base)
    expect(await show({ epochMs: 0 })).toContain('0,')
    expect(await show({ timeZone: 'Asia/Tokyo' })).toContain("'Asia/Tokyo'")
    expect(await show({ timeZone: 'Asia/Tokyo' })).toContain(' 21,')
    expect(await show({})).toBe(base)
  })
})

describe('modules', () => {
  it('links by name with and without endings, JSON, cycles, live bindings and top-level await', async () => {
    const outcome = await runTests(
      {
        'src/main.ts': `import { b, bump } from './b.js'\nimport data from './data.json'\nimport * as all from './lib'\nexport * from './lib/index.ts'\nexport { b as renamed, bump }
          export const a = (): string => 'a' + b()\nexport const n = data.n\nexport default class {}\nexport enum Color { Red, Green }\nexport namespace N { export const x = 1 }
          export const late = await Promise.resolve(5)\nexport const keys = Object.keys(all)`,
        'src/b.ts': `import { a } from './main.ts'\nexport function b() { return 'b' }\nexport const viaA = () => a()\nexport let count = 0\nexport const bump = () => { count++ }`,
        'src/lib/index.ts': `export const one = 1\nexport const two = 2`,
        'src/data.json': `{ "n": 7, "__proto__": { "x": 1 } }`,
        'src/old.cjs': `exports.x = 1; module.exports.y = () => this === undefined; exports.__esModule = true; exports.default = 'd'`,
      },
      {
        'test/main.test.ts': `import Default, { a, n, renamed, one, late, keys, bump, Color, N } from '../src/main'
          import * as b from '../src/b.js'\nimport old, { x } from '../src/old.cjs'
          it('links', async () => { expect(a()).toBe('ab'); expect(n).toBe(7); expect(renamed()).toBe('b'); expect(one).toBe(1); expect(late).toBe(5); expect(keys).toEqual(['one', 'two'])
            expect(b.count).toBe(0); bump(); expect(b.count).toBe(1); expect(b.viaA()).toBe('ab'); expect(Default.name).toBe('default'); expect(Color.Green).toBe(1); expect(N.x).toBe(1)
            expect(old).toBe('d'); expect(x).toBe(1); expect((await import('../src/lib')).two).toBe(2); expect(require('../src/old.cjs').x).toBe(1) })`,
      },
    )
    expect(outcome.cases[0]?.errors).toEqual([])
    expect(isGreen(outcome)).toBe(true)
  })

  it('knows harmless modules of Node and names what it has not', async () => {
    const outcome = await runTests(
      `import { inspect, promisify } from 'node:util'\nimport path from 'path'\nimport { EventEmitter } from 'node:events'\nimport { Buffer } from 'buffer'\nimport { setTimeout as sleep } from 'timers/promises'\nimport qs from 'querystring'
       export const f = async () => { await sleep(1000); const e = new EventEmitter(); let got; e.on('x', (v) => { got = v }); e.emit('x', 1)
         return [inspect({ a: new Map([[1, 2]]) }), path.join('a', '../b'), got, Buffer.from('hi').toString('base64'), qs.parse('a=1').a, typeof promisify] }`,
      `import { f } from './solution.js'\nit('a', async () => expect(await f()).toEqual(['{ a: Map(1) { 1 => 2 } }', 'b', 1, 'aGk=', '1', 'function']))
       it('b', async () => { await expect(import('fs')).rejects.toThrow("Cannot find package 'fs'") })`,
    )
    expect(summarise(outcome)).toEqual(['passed a', 'passed b'])
  })

  it('takes packages of both formats', async () => {
    const packages = [
      {
        specifier: 'left',
        format: 'cjs' as const,
        code: `module.exports = function left(s) { return '<' + s }\nmodule.exports.twice = (s) => '<<' + s`,
      },
      {
        specifier: 'right/sub',
        format: 'esm' as const,
        code: `export default (s) => s + '>'\nexport const env = typeof process`,
      },
    ]
    const outcome = await runTests(
      `import left, { twice } from 'left'\nimport right, { env } from 'right/sub'\nexport const f = () => [left('a'), twice('b'), right('c'), env]`,
      `import { f } from './solution.js'\nit('a', () => expect(f()).toEqual(['<a', '<<b', 'c>', 'object']))`,
      { packages },
    )
    expect(summarise(outcome)).toEqual(['passed a'])
  })

  it('has the web standards that code relies on', async () => {
    const outcome = await runTests(
      `export const f = async () => { const c = new AbortController(); const s = AbortSignal.any([c.signal, AbortSignal.timeout(50)]); await new Promise((r) => s.addEventListener('abort', r))
         const u = new URL('https://u:p@ex.org:8080/a/../b?x=1#h'); u.searchParams.append('y', 'ü'); const t = new EventTarget(); let n = 0; t.addEventListener('e', () => n++, { once: true }); t.dispatchEvent(new Event('e')); t.dispatchEvent(new Event('e'))
         return [s.reason.name, u.href, new TextDecoder().decode(new TextEncoder().encode('żółw 🐢')), structuredClone({ d: new Date(1), m: new Map([[1, { a: 1 }]]) }), atob(btoa('hi')), n, [...new URLSearchParams('a=1&b=2').keys()], crypto.getRandomValues(new Uint8Array(4)).length, (await new Response('{"a":1}', { headers: { 'X-Y': 'z' } }).json()).a, new Headers({ A: '1' }).get('a'), new Intl.NumberFormat('de').format(1234.5), await new Blob(['ab', 'c']).text()] }`,
      `import { f } from './solution.js'\nit('a', async () => expect(await f()).toEqual(['TimeoutError', 'https://u:p@ex.org:8080/b?x=1&y=%C3%BC#h', 'żółw 🐢', { d: new Date(1), m: new Map([[1, { a: 1 }]]) }, 'hi', 1, ['a', 'b'], 4, 1, '1', '1.234,5', 'abc']))`,
    )
    expect(outcome.cases[0]?.errors).toEqual([])
    expect(isGreen(outcome)).toBe(true)
  })

  it('evaluates text only when the task allows it', async () => {
    const candidate = `export const f = () => { const t = []; for (const g of [() => eval('1+1'), () => new Function('return 2')(), () => (() => {}).constructor('return 2')(), () => setTimeout('x')]) { try { t.push(g()) } catch (e) { t.push(e.name) } } return t }`
    const test = `import { f } from './solution.js'\nit('a', () => console.log(f()))`
    expect((await runTests(candidate, test)).console).toBe("[ 'EvalError', 'EvalError', 'EvalError', 'TypeError' ]\n")
    expect((await runTests(candidate, test, { allowEval: true })).console).toBe("[ 2, 2, 2, 'TypeError' ]\n")
  })
})
