import { describe, expect, it } from 'vitest'
import { isGreen, runTests, summarise } from './judge.ts'

const add = 'export const add = (a, b) => a + b\nexport default add\n'

describe('test files as people write them', () => {
  it('runs Vitest files with imports', async () => {
    const outcome = await runTests(
      add,
      `import { describe, it, expect, beforeEach } from 'vitest'
       import { add } from './solution'
       let n = 0
       beforeEach(() => { n++ })
       describe('add', () => {
         it('adds', () => expect(add(1, 2)).toBe(3))
         it('ran the hook again', () => expect(n).toBe(2))
         it.each([[1, 1, 2], [2, 2, 4]])('%i + %i', (a, b, sum) => { expect(add(a, b)).toBe(sum) })
         it.each\`a | b
           \${1} | \${5}\`('$a and $b', ({ a, b }) => { expect(add(a, b)).toBe(6) })
         it.fails('is known to fail', () => expect(1).toBe(2))
         it.todo('later')
         it.skip('not now', () => expect(1).toBe(2))
       })`,
    )
    expect(summarise(outcome)).toEqual([
      'passed add > adds',
      'passed add > ran the hook again',
      'passed add > 1 + 1',
      'passed add > 2 + 2',
      'passed add > 1 and 5',
      'passed add > is known to fail',
      'skipped add > later',
      'skipped add > not now',
    ])
  })

  it('runs Jest files with globals, done-callbacks and jest.fn', async () => {
    const outcome = await runTests(
      add,
      `const { add } = require('./solution')
       jest.setTimeout(1000)
       describe('add', () => {
         test('calls back', (done) => { setTimeout(() => { expect(add(1, 1)).toBe(2); done() }, 10) })
         test('counts', () => { const f = jest.fn(() => 3); expect(f(1)).toBe(3); expect(f).toHaveBeenCalledWith(1) })
         xit('skipped', () => {})
         fit('is run like the others', () => {})
         test('fails late', (done) => { setTimeout(() => done(new Error('no')), 10) })
       })`,
    )
    expect(summarise(outcome)).toEqual([
      'passed add > calls back',
      'passed add > counts',
      'skipped add > skipped',
      'passed add > is run like the others',
      'failed add > fails late',
    ])
  })

  it('runs node:test files with node:assert', async () => {
    const outcome = await runTests(
      add,
      `import test, { describe, it, mock } from 'node:test'
       import assert from 'node:assert/strict'
       import { add } from './solution.js'
       test('top', async (t) => { await t.test('inner', () => assert.equal(add(1, 2), 3)) })
       test('inner failure', async (t) => { await t.test('inner', () => assert.equal(add(1, 2), 4)) })
       test('skipped', { skip: true }, () => {})
       describe('suite', () => { it('deep', () => assert.deepEqual({ a: [1] }, { a: [1] })) })
       test('mocks', () => { const f = mock.fn((x) => x + 1); f(1); assert.equal(f.mock.calls[0].arguments[0], 1); assert.equal(f.mock.callCount(), 1) })`,
    )
    expect(summarise(outcome)).toEqual([
      'passed top',
      'failed inner failure',
      'skipped skipped',
      'passed suite > deep',
      'passed mocks',
    ])
    expect(outcome.cases[1]?.errors[0]).toMatchObject({ expected: '4', actual: '3', code: 'ERR_ASSERTION' })
  })

  it('counts a bare script that asserts as one test', async () => {
    const script = `const assert = require('node:assert')\nfunction test() { let candidate = add; assert.deepEqual(candidate(1, 2), 3) }\ntest()`
    expect(summarise(await runTests('function add(a, b) { return a + b }', script))).toEqual([
      'passed solution.test.js',
    ])
    expect(summarise(await runTests('function add(a, b) { return a - b }', script))).toEqual([
      'failed solution.test.js',
    ])
  })

  it('takes a false console.assert for a failure and goes on', async () => {
    const outcome = await runTests(
      'const add = (a, b) => a - b',
      'console.assert(add(1, 2) === 3, "sum"); console.assert(add(0, 0) === 0); console.log("end")',
    )
    expect(summarise(outcome)).toEqual(['failed solution.test.js'])
    expect(outcome.cases[0]?.errors).toHaveLength(1)
    expect(outcome.console).toBe('end\n')
  })

  it('finds no test in a script that asserts nothing', async () => {
    expect(summarise(await runTests(add, 'import { add } from "./solution"\nadd(1, 2)'))).toEqual([])
    expect(isGreen(await runTests(add, ''))).toBe(false)
  })

  it('waits for the work that a bare script leaves behind', async () => {
    const script = (sum: number) => `import { add } from './solution'
      import assert from 'assert'
      async function main() { await new Promise((r) => setTimeout(r, 50)); assert.equal(add(1, 2), ${sum}) }
      main()`
    expect(isGreen(await runTests(add, script(3)))).toBe(true)
    expect(isGreen(await runTests(add, script(4)))).toBe(false)
  })

  it('ignores .only', async () => {
    const outcome = await runTests(
      add,
      `describe.only('a', () => { it.only('x', () => {}); it('y', () => { expect(1).toBe(2) }) })
       describe('b', () => { test('z', { only: true }, () => {}) })`,
    )
    expect(summarise(outcome)).toEqual(['passed a > x', 'failed a > y', 'passed b > z'])
  })

  it('runs several test files, each with modules of its own', async () => {
    const outcome = await runTests('export let n = 0\nexport const next = () => ++n', {
      'a.test.js': `import { next, n } from './solution'\nit('counts', () => { next(); expect(n).toBe(1) })`,
      'b.test.js': `import { next } from './solution'\nit('counts', () => expect(next()).toBe(1))`,
    })
    expect(summarise(outcome)).toEqual(['passed a.test.js > counts', 'passed b.test.js > counts'])
  })

  it('compares inline snapshots and refuses files by name', async () => {
    const outcome = await runTests(
      add,
      `it('matches', () => { expect({ a: 1, b: 'x' }).toMatchInlineSnapshot(\`
          {
            "a": 1,
            "b": "x",
          }
        \`) })
       it('throws as given', () => expect(() => { throw new Error('no') }).toThrowErrorMatchingInlineSnapshot('[Error: no]'))
       it('differs', () => expect({ a: 2 }).toMatchInlineSnapshot('{ "a": 1 }'))
       it('file', () => expect(1).toMatchSnapshot())`,
    )
    expect(summarise(outcome)).toEqual(['passed matches', 'passed throws as given', 'failed differs', 'failed file'])
    expect(outcome.cases[3]?.errors[0]?.message).toContain('toMatchSnapshot() is not supported')
  })

  it('checks expect.assertions, hasAssertions, soft and poll', async () => {
    const outcome = await runTests(
      add,
      `it('too few', () => { expect.assertions(2); expect(1).toBe(1) })
       it('none', () => { expect.hasAssertions() })
       it('soft', () => { expect.soft(1).toBe(2); expect.soft(1).toBe(3) })
       it('polls', async () => { let n = 0; await expect.poll(() => ++n).toBe(4) })
       it('rejects', async () => { await expect(Promise.reject(new Error('x'))).rejects.toThrow('x') })
       it('matches partly', () => { expect({ a: 1, b: [1, 2] }).toEqual({ a: expect.any(Number), b: expect.arrayContaining([2]) }) })
       it.concurrent('side by side', async () => { await new Promise((r) => setTimeout(r, 100)) })`,
    )
    expect(summarise(outcome)).toEqual([
      'failed too few',
      'failed none',
      'failed soft',
      'passed polls',
      'passed rejects',
      'passed matches partly',
      'passed side by side',
    ])
    expect(outcome.cases[2]?.errors).toHaveLength(2)
  })

  it('reports failing hooks and files that do not load', async () => {
    const hooks = await runTests(add, `beforeAll(() => { throw new Error('no database') })\nit('a', () => {})`)
    expect(summarise(hooks)).toContain('hook: no database')
    expect(isGreen(hooks)).toBe(false)
    const tests = await runTests(add, `import { it } from 'vitest'\nit('a', () => {})\nthrow new Error('bad file')`)
    expect(summarise(tests)).toEqual(['load-tests: bad file'])
    const candidate = await runTests('throw new TypeError("at load")', `import './solution'\nit('a', () => {})`)
    expect(summarise(candidate)).toEqual(['load-candidate: at load'])
    const syntax = await runTests('export const = 1', `import './solution'\nit('a', () => {})`)
    expect(syntax.errors[0]).toMatchObject({ phase: 'load-candidate', error: { name: 'SyntaxError' } })
  })
})
