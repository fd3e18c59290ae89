import { describe, expect, it } from 'vitest'
import { isGreen, runTests, summarise } from './judge.ts'

/** Each defends against a candidate that returns wrong answers and tries to be taken for right. */
const test = `import { f } from './solution.js'\nit('is right', () => { expect(f()).toEqual({ a: [1, 2], s: 'x' }); expect(f().a.length).toBe(2) })
it('set', () => expect(f('set')).toEqual(new Set([1, 2, 3])))
it('text', () => expect(f('text')).toEqual({ t: expect.stringContaining('needle') }))
it('list', () => expect(f('list')).toEqual(expect.arrayContaining([1])))
it('date', () => expect(f('date')).toEqual(new Date(5)))`
const red = (candidate: string) => runTests(candidate, test)

const attacks: Record<string, string> = {
  'an object that equals everything': `export const f = () => ({ asymmetricMatch: () => true, $$typeof: Symbol.for('jest.asymmetricMatcher'), equals: () => true, valueOf: () => ({ a: [1, 2] }), a: [1, 2] })`,
  'matchers nested in results': `const all = { asymmetricMatch: () => true }; export const f = (k) => k === 'list' ? [all] : k === 'text' ? { t: all } : { a: [all, all], s: all }`,
  'a proxy that answers anything': `const p = new Proxy(function () {}, { get: (t, k) => k === 'asymmetricMatch' ? () => true : p, apply: () => p, has: () => true, ownKeys: () => [] }); export const f = () => p`,
  'a set that says it has everything': `class S extends Set { has() { return true } *[Symbol.iterator]() {} } export const f = (k) => { const s = new S([7, 8, 9]); Object.defineProperty(s, 'constructor', { value: Set }); return s }`,
  'an object that calls itself a set': `export const f = () => ({ constructor: Set, size: 3, [Symbol.toStringTag]: 'Set', *[Symbol.iterator]() {}, has: () => true })`,
  'an object that calls itself a string': `export const f = () => ({ t: { [Symbol.toStringTag]: 'String', includes: () => true } })`,
  'replaced Object.is': `Object.is = () => true; export const f = () => 1`,
  'defined Object.is': `Object.defineProperty(Object, 'is', { value: () => true }); export const f = () => 1`,
  'forged JSON.stringify': `JSON.stringify = () => '{}'; export const f = () => 1`,
  'replaced globals': `globalThis.Math = {}; globalThis.Object = {}; export const f = () => 1`,
  'swallowed attempts at globals': `for (const k of ['Object', 'JSON', 'Promise', 'Array', 'Error', 'Symbol', 'Set', 'Reflect', 'WeakSet', 'expect', 'it', 'vi', 'describe']) { try { globalThis[k] = class {} } catch {} try { delete globalThis[k] } catch {} try { Object.defineProperty(globalThis, k, { value: () => ({ toBe() {}, toEqual() {} }) }) } catch {} } export const f = () => 1`,
  'a polluted Object.prototype': `try { Object.prototype.asymmetricMatch = () => true } catch {} try { Object.prototype.toJSON = () => 1 } catch {} try { Object.defineProperty(Object.prototype, 'then', { value: (r) => r() }) } catch {} export const f = () => 1`,
  'a polluted Array.prototype': `for (const k of ['push', 'filter', 'every', 'some', 'map']) { try { Array.prototype[k] = () => true } catch {} try { Object.defineProperty(Array.prototype, k, { value: () => true }) } catch {} } export const f = () => 1`,
  'custom equality testers of the harness': `for (const s of ['$$jest-matchers-object', 'jest-matchers-object', 'expect-global', 'asymmetric-matchers-object']) { try { globalThis[Symbol.for(s)].customEqualityTesters.push(() => true) } catch {} try { globalThis[Symbol.for('$$' + s)].customEqualityTesters.push(() => true) } catch {} } export const f = () => 1`,
  'browser classes that matchers look for': `globalThis.DOMTokenList = class { static [Symbol.hasInstance]() { return true } }; globalThis.Node = globalThis.HTMLElement = globalThis.DOMTokenList; export const f = () => ({ contains: () => true, nodeType: 1, nodeName: 'x', isEqualNode: () => true })`,
  'tests of its own': `try { describe('mine', () => it('passes', () => {})) } catch {} export const f = () => 1`,
  'an import of the harness': `import { expect } from 'vitest'; expect.extend({ toEqual: () => ({ pass: true }) }); export const f = () => 1`,
  'a dynamic import of the harness': `for (const m of ['vitest', '@jest/globals', 'node:test', './solution.test.js', 'chai']) await import(m).then((x) => { x.expect?.extend({ toEqual: () => ({ pass: true }) }) }, () => {}); export const f = () => 1`,
  'a prepared stack': `Error.prepareStackTrace = (e, s) => { s.forEach((c) => { try { c.getThis().expect = 1 } catch {} }); return '' }; export const f = () => { throw new Error('x') }`,
  'a timer that ends the run': `setTimeout(() => { throw new Error('end') }, 0); export const f = () => 1`,
  'prints like the protocol': `console.log('{"type":"test","test":{"name":"is right","status":"passed"}}'); console.log('{"type":"done"}'); console.log('Tests 5 passed'); export const f = () => 1`,
  'the class of an error that it caught': `export const f = (k) => k`,
  'Error.stackTraceLimit': `Error.stackTraceLimit = 0; Error.captureStackTrace = () => {}; export const f = () => 1`,
  'a namespace with then': `export const then = (resolve) => resolve({ f: () => ({ a: [1, 2], s: 'x' }) }); export const f = () => 1`,
  'a changed matcher class': `export const f = () => { const m = Reflect.ownKeys(globalThis); return m }`,
  'microtask hooks': `const { then } = Promise.prototype; try { Promise.prototype.then = function (a, b) { return then.call(this, a, () => a?.()) } } catch {} export const f = () => 1`,
  'a constructor chain to Function': `try { (() => {}).constructor('globalThis.hacked = 1')() } catch {} try { (async () => {}).constructor('return 1')() } catch {} try { eval('globalThis.hacked = 1') } catch {} export const f = () => globalThis.hacked ?? 1`,
}

describe('a candidate cannot make itself pass', () => {
  for (const [name, candidate] of Object.entries(attacks)) {
    it(`is red with ${name}`, async () => {
      const outcome = await red(candidate)
      expect(isGreen(outcome)).toBe(false)
      expect(outcome.cases.filter((test) => test.status === 'passed')).toEqual([])
    })
  }

  it('sees no name of the harness', async () => {
    const outcome = await runTests(
      `export const names = () => Reflect.ownKeys(globalThis).map(String).filter((k) => /redgreen|vitest|expect|harness|\\brg|ivm|jest|__/i.test(k))
       export const types = () => [typeof require, typeof process, typeof module, typeof expect, typeof it, typeof vi, typeof WebAssembly, typeof SharedArrayBuffer, typeof Atomics, typeof Deno]`,
      `import { names, types } from './solution.js'
       it('names', () => expect(names()).toEqual([]))
       it('types', () => expect(types()).toEqual(Array(10).fill('undefined')))`,
    )
    expect(summarise(outcome)).toEqual(['passed names', 'passed types'])
  })

  it('lets good code be: overrides, subclasses, assignments over frozen names', async () => {
    const outcome = await runTests(
      `export class P { constructor(x) { this.x = x } toString() { return 'P' + this.x } valueOf() { return this.x } }
       export class E extends Error { constructor(m) { super(m); this.name = 'E'; this.message = m + '!' } }
       export const o = () => { const r = {}; r.toString = () => 'own'; r.constructor = 1; r.hasOwnProperty = () => 2; return Object.assign(r, { valueOf: () => 3 }) }
       export function Old() {} Old.prototype.toString = function () { return 'old' }; Old.prototype.constructor = Old
       export class M extends Map { get(k) { return super.get(k) ?? 'none' } }
       export class L extends Array { constructor(...a) { super(...a); this.concat = () => 'c' } }
       export const cache = () => { globalThis.__cache ??= 1; return globalThis.__cache }
       export const f = function () {}; f.toString = () => 'f'; f.call = 1
       export class D extends Date { format() { return this.getUTCFullYear() } }
       export const limit = () => { const old = Error.stackTraceLimit; Error.stackTraceLimit = 0; Error.stackTraceLimit = old; return true }
       export const sub = (() => { class F extends Promise {} return new F((r) => r(4)) })()`,
      `import { P, E, o, Old, M, L, cache, f, D, limit, sub } from './solution.js'
       it('all', async () => {
         expect(String(new P(3))).toBe('P3'); expect(new P(2) + 1).toBe(3)
         const e = new E('m'); expect(e.name).toBe('E'); expect(e.message).toBe('m!'); expect(e).toBeInstanceOf(E)
         expect(String(o())).toBe('own'); expect(o().valueOf()).toBe(3)
         expect(String(new Old())).toBe('old'); expect(new M([[1, 2]]).get(3)).toBe('none')
         expect(new L(1, 2).concat()).toBe('c'); expect(cache()).toBe(1); expect(f.toString()).toBe('f')
         expect(new D(0).format()).toBe(1970); expect(new D()).toBeInstanceOf(Date); expect(limit()).toBe(true); expect(await sub).toBe(4)
       })`,
    )
    expect(summarise(outcome)).toEqual(['passed all'])
    expect(isGreen(outcome)).toBe(true)
  })

  it('keeps matchers fixed when a test hands one to the candidate', async () => {
    const outcome = await runTests(
      `export const f = (m) => { try { Object.getPrototypeOf(m).asymmetricMatch = () => true } catch {} try { m.sample = 1; m.asymmetricMatch = () => true } catch {} return 5 }`,
      `import { f } from './solution.js'\nit('x', () => { expect(f(expect.any(String))).toEqual(expect.any(String)) })`,
    )
    expect(isGreen(outcome)).toBe(false)
  })
})

describe('what is quick', () => {
  it('keeps the meaning of expressions whose methods it replaces', async () => {
    const candidate = `export const all = () => [
      'a1b22c'.replace(/\\d+/, '#'), 'a1b22c'.replace(/\\d+/g, '#'), 'a1b22c'.replace(/(\\d)/g, '[$1]'), 'abc'.replace(/x/g, 'y'),
      'abc'.replace(/(?:)/g, '-'), '💩x'.replace(/(?:)/gu, '-'), 'aXbX'.replace(/X/g, (m, at, text) => m + at + text.length),
      'john smith'.replace(/(?<a>\\w+) (?<b>\\w+)/, (...args) => JSON.stringify(args.at(-1))), 'aa'.replaceAll(/a/g, 'b'),
      'x'.replace(/x/g, null), 'x'.replace(/x/, undefined), 'aaa'.replace(/a/y, 'b'), 'abc'.replace(/^/, ''), 'ab'.replace(/a/, ''),
      'a1b2'.match(/\\d/g), 'a1b2'.match(/\\d/).index, 'ab'.match(/\\d/g), 'a1b2'.match(/z/),
      'a1b2c'.split(/\\d/), 'a1b2c'.split(/(\\d)/), 'abc'.split(/(?:)/), ''.split(/x/), ''.split(/(?:)/), 'abc'.split(/b/, 1), 'aXbXc'.split(/X/g),
      'a,b,'.split(/,/), ',a'.split(/,/), '💩x'.split(/(?:)/u), '💩x'.split(/(?:)/).length, 'A1b'.split(/[a-z]/i), 'test'.split(/(?=s)/), 'a  b'.split(/ */),
      (() => { const r = /a/g; r.lastIndex = 2; 'aaa'.split(r); const kept = r.lastIndex; 'aaa'.replace(r, ''); return [kept, r.lastIndex] })(),
      (() => { const r = /a/y; r.lastIndex = 1; return ['bab'.replace(r, '#'), r.lastIndex] })(),
      (() => { class R extends RegExp { exec(text) { const m = super.exec(text); if (m) m[0] = 'Q'; return m } } return ['ab'.match(new R('a')), 'ab'.replace(new R('a'), '$&!')] })(),
      (() => { const r = /a/; r.exec = () => null; return ['a'.replace(r, 'b'), 'a'.match(r)] })(),
      [...'a1b2'.matchAll(/\\d/g)].map((m) => m.index),
    ]`
    // judged in the plain world of this test, then in the sandbox
    const plain = (await import(`data:text/javascript,${encodeURIComponent(candidate)}`)) as { all(): unknown }
    const expected = JSON.stringify(JSON.stringify(plain.all()))
    const tests = `import { all } from './solution.js'\nit('agrees', () => expect(JSON.stringify(all())).toBe(${expected}))`
    expect(summarise(await runTests(candidate, tests))).toEqual(['passed agrees'])
  })

  it('lets heirs of lists, promises and expressions have members of their own', async () => {
    const outcome = await runTests(
      `export function List() {} List.prototype = Object.create(Array.prototype); List.prototype.constructor = (List)
       export const own = () => { const r = /a/; r.exec = () => 'own'; const p = Promise.resolve(); p.constructor = 5; return [r.exec(), p.constructor, new List().constructor === List] }`,
      `import { own } from './solution.js'\nit('has', () => expect(own()).toEqual(['own', 5, true]))
       it('sets what stands in parentheses', () => { Math.random = (() => 0.5); expect(Math.random()).toBe(0.5) })`,
    )
    expect(summarise(outcome)).toEqual(['passed has', 'passed sets what stands in parentheses'])
  })

  it('keeps expressions, lists and promises from being changed', async () => {
    const outcome = await runTests(
      `export const tries = [() => { RegExp.prototype.exec = () => null }, () => { RegExp.prototype[Symbol.replace] = () => 'x' },
        () => { Array.prototype.constructor = 1 }, () => { Promise.prototype.constructor = 1 }, () => { const p = RegExp.prototype; p['exec'] = 1 },
        () => { Array.prototype[0] = 1 }, () => { Object.prototype[0] = 1 }, () => { Array.prototype[Symbol.iterator] = 1 }]`,
      `import { tries } from './solution.js'\nit.each(tries.map((f, n) => [n, f]))('refuses %i', (n, f) => expect(f).toThrow(TypeError))`,
    )
    expect(summarise(outcome)).toEqual(Array.from({ length: 8 }, (_, n) => `passed refuses ${n}`))
  })
})
