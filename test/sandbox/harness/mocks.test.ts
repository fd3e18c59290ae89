import { describe, expect, it } from 'vitest'
import { runTests, summarise } from './judge.ts'

describe('mocks', () => {
  it('replaces local modules and packages for the candidate too', async () => {
    const outcome = await runTests(
      {
        'solution.js': `import { load } from './store.js'\nimport get from 'get-json'\nexport const total = async () => (await load()).length + get('x')`,
        'store.js': 'export const load = async () => { throw new Error("real") }\nexport const kept = 1',
      },
      `import { vi, it, expect } from 'vitest'
       import { total } from './solution.js'
       import * as store from './store.js'
       const { load } = vi.hoisted(() => ({ load: vi.fn() }))
       vi.mock('./store.js', async (importOriginal) => ({ ...(await importOriginal()), load }))
       vi.mock('get-json', () => ({ default: () => 40 }))
       it('uses the mock', async () => {
         load.mockResolvedValue([1, 2])
         expect(await total()).toBe(42)
         expect(load).toHaveBeenCalledOnce()
         expect(store.kept).toBe(1)
       })
       it('can have the original', async () => {
         const actual = await vi.importActual('./store.js')
         await expect(actual.load()).rejects.toThrow('real')
       })`,
    )
    expect(summarise(outcome)).toEqual(['passed uses the mock', 'passed can have the original'])
  })

  it('mocks whole modules automatically, in both dialects', async () => {
    const files = {
      'solution.js': `import { send } from './mail.js'\nexport const greet = (name) => send('hello ' + name)`,
      'mail.js':
        'export const send = () => { throw new Error("sent") }\nexport class Client { post() { throw new Error("posted") } }',
    }
    const vitest = await runTests(
      files,
      `import { greet } from './solution.js'\nimport { send, Client } from './mail.js'\nvi.mock('./mail.js')
       it('a', () => { greet('Ann'); expect(send).toHaveBeenCalledWith('hello Ann'); expect(new Client().post()).toBeUndefined() })`,
    )
    expect(summarise(vitest)).toEqual(['passed a'])
    const jest = await runTests(
      files,
      `const { greet } = require('./solution.js')\nconst mail = require('./mail.js')\njest.mock('./mail.js', () => ({ send: jest.fn(() => 7) }))
       test('a', () => { expect(greet('Ann')).toBe(7); expect(mail.send).toHaveBeenCalledTimes(1); expect(() => jest.requireActual('./mail.js').send()).toThrow('sent') })`,
    )
    expect(summarise(jest)).toEqual(['passed a'])
  })

  it('spies on exports of modules, on methods and on what is fixed for everybody else', async () => {
    const outcome = await runTests(
      `import * as self from './solution.js'
       export const now = () => Date.now(); export const roll = () => Math.random(); export const say = (x) => console.log(x)
       export const inner = () => 1
       export const get = async (u) => (await fetch(u)).json()
       export const parse = (t) => JSON.parse(t)
       export class A { m() { return 1 } }`,
      `import * as solution from './solution.js'
       const { now, roll, say, get, parse, A } = solution
       it('Date.now', () => { vi.spyOn(Date, 'now').mockReturnValue(5); expect(now()).toBe(5) })
       it('is restored', () => { expect(now()).toBe(${Date.UTC(2024, 0, 15, 12)}) })
       it('Math.random', () => { const spy = vi.spyOn(Math, 'random').mockReturnValue(0.25); expect(roll()).toBe(0.25); expect(spy).toHaveBeenCalled() })
       it('console', () => { const log = vi.spyOn(console, 'log').mockImplementation(() => {}); say('x'); expect(log).toHaveBeenCalledWith('x'); log.mockRestore() })
       it('JSON.parse', () => { vi.spyOn(JSON, 'parse').mockReturnValue(9); expect(parse('1')).toBe(9) })
       it('fetch', async () => { vi.stubGlobal('fetch', vi.fn(async () => new Response('{"a":1}'))); expect(await get('http://x')).toEqual({ a: 1 }) })
       it('fetch is refused', async () => { await expect(get('http://x')).rejects.toThrow('no network') })
       it('assigned fetch', async () => { global.fetch = jest.fn(() => Promise.resolve({ json: () => 3 })); expect(await get('u')).toBe(3) })
       it('assigned random', () => { Math.random = () => 0.5; expect(roll()).toBe(0.5) })
       it('random again', () => expect(roll()).not.toBe(0.5))
       it('method', () => { vi.spyOn(A.prototype, 'm').mockReturnValue(2); expect(new A().m()).toBe(2); vi.restoreAllMocks(); expect(new A().m()).toBe(1) })
       it('export', () => { vi.spyOn(solution, 'inner').mockReturnValue(3); expect(solution.inner()).toBe(3) })
       it('getter', () => { const o = { get x() { return 1 } }; vi.spyOn(o, 'x', 'get').mockReturnValue(2); expect(o.x).toBe(2) })
       it('inherited', () => { const o = { a: 1 }; vi.spyOn(o, 'toString').mockReturnValue('z'); expect(String(o)).toBe('z') })
       it('new global', () => { vi.stubGlobal('localStorage', { getItem: () => 'v' }); expect(localStorage.getItem('k')).toBe('v'); vi.unstubAllGlobals(); expect(typeof localStorage).toBe('undefined') })`,
    )
    expect(summarise(outcome).filter((line) => !line.startsWith('passed'))).toEqual([])
    expect(outcome.cases).toHaveLength(15)
  })

  it('fakes timers on top of the virtual clock', async () => {
    const outcome = await runTests(
      `export const later = (f, ms) => setTimeout(f, ms)
       export const stamp = () => new Date().toISOString()
       export const debounce = (f, ms) => { let t; return (...a) => { clearTimeout(t); t = setTimeout(() => f(...a), ms) } }
       export const sleep = (ms) => new Promise((r) => setTimeout(r, ms))`,
      `import { later, stamp, debounce, sleep } from './solution.js'
       beforeEach(() => { vi.useFakeTimers({ now: new Date('2020-01-01T00:00:00Z') }) })
       afterEach(() => { vi.useRealTimers() })
       it('moves when told', () => { const f = vi.fn(); later(f, 1000); vi.advanceTimersByTime(999); expect(f).not.toHaveBeenCalled(); vi.advanceTimersByTime(1); expect(f).toHaveBeenCalledOnce() })
       it('sets the time', () => { expect(stamp()).toBe('2020-01-01T00:00:00.000Z'); vi.setSystemTime(new Date('2021-05-05')); expect(stamp()).toBe('2021-05-05T00:00:00.000Z'); expect(Date.now()).toBe(Date.UTC(2021, 4, 5)) })
       it('debounces', () => { const f = vi.fn(); const d = debounce(f, 50); d(1); d(2); vi.runAllTimers(); expect(f.mock.calls).toEqual([[2]]) })
       it('async', async () => { const p = sleep(5000); await vi.advanceTimersByTimeAsync(5000); await p })
       it('jest too', () => { jest.useFakeTimers(); const f = jest.fn(); later(f, 10); jest.advanceTimersByTime(10); expect(f).toHaveBeenCalled(); expect(vi.getTimerCount()).toBe(0) })
       it('spied', () => { vi.useRealTimers(); const s = vi.spyOn(globalThis, 'setTimeout'); later(() => {}, 5); expect(s).toHaveBeenCalledWith(expect.any(Function), 5) })`,
    )
    expect(summarise(outcome).filter((line) => !line.startsWith('passed'))).toEqual([])
    expect(outcome.cases).toHaveLength(6)
  })

  it('waits with vi.waitFor and stubs the environment', async () => {
    const outcome = await runTests(
      `export let ready = false\nexport const start = () => setTimeout(() => { ready = true }, 300)\nexport const mode = () => process.env.MODE_X`,
      `import * as s from './solution.js'
       it('waits', async () => { s.start(); await vi.waitFor(() => { if (!s.ready) throw new Error('not yet') }); expect(s.ready).toBe(true) })
       it('env', () => { vi.stubEnv('MODE_X', 'fast'); expect(s.mode()).toBe('fast'); vi.unstubAllEnvs(); expect(s.mode()).toBeUndefined() })`,
    )
    expect(summarise(outcome)).toEqual(['passed waits', 'passed env'])
  })
})
