import { describe, expect, test } from 'vitest'
import { findSuspicions } from '../../../src/mechanic/trust/suspicions/find.ts'

const tests = (body: string) => ({ 'solution.test.ts': `import { test, expect } from 'vitest'\n${body}` })
const found = (code: string, body: string) => findSuspicions({ 'solution.ts': code }, tests(body))

const addTests = `test('adds', () => {
  expect(add(1, 2)).toBe(3)
  expect(add(40, 2)).toBe(42)
  expect(add(100, 250)).toBe(350)
})`
const wordTests = `test.each([['level', true], ['banana', false], ['rotator', true]])('%s', (word, expected) => {
  expect(isPalindrome(word)).toBe(expected)
})`

describe('code that knows the answers is grave', () => {
  test.each([
    [
      'a table by JSON of all inputs',
      "const t = { '[1,2]': 3, '[40,2]': 42, '[100,250]': 350 }\nexport const add = (...xs) => t[JSON.stringify(xs)]",
      addTests,
      'answer table',
    ],
    [
      'a Map by a joined key',
      "const m = new Map([['1,2', 3], ['40,2', 42]])\nexport function add(a, b) { return m.get(a + ',' + b) ?? a + b }",
      addTests,
      'answer table',
    ],
    [
      'a switch',
      "export function add(a, b) { const key = [a, b].join(','); switch (key) { case '1,2': return 3; case '40,2': return 42; case '100,250': return 350 } }",
      addTests,
      'branches on inputs',
    ],
    [
      'conditions on several parameters',
      'export function add(a, b) { if (a === 40 && b === 2) return 42\n if (a === 100 && b === 250) return 350\n return 3 }',
      addTests,
      'branches on inputs',
    ],
    [
      'a chain of conditional expressions',
      'export const add = (a, b) => a === 100 && b === 250 ? 350 : a === 40 && b === 2 ? 42 : 3',
      addTests,
      'branches on inputs',
    ],
    [
      'a table by the rows of test.each',
      'const t = { level: true, banana: false, rotator: true }\nexport function isPalindrome(s) { return t[s] }',
      wordTests,
      'answer table',
    ],
    [
      'a list that is searched',
      'const known = [[ [1, 2], 3 ], [ [40, 2], 42 ], [[100, 250], 350]]\nexport function add(a, b) { for (const [k, v] of known) { if (JSON.stringify(k) === JSON.stringify([a, b])) return v } }',
      addTests,
      'answer table',
    ],
    [
      'a list of answers by count of calls',
      'let i = 0\nconst r = [14, 42, 350]\nexport function add() { return r[i++] }',
      addTests.replace('add(1, 2)).toBe(3)', 'add(7, 7)).toBe(14)'),
      'list of expected values',
    ],
    ['a constant for everything', 'export function add(a, b) { return 42 }', addTests, 'whatever it is given'],
  ])('%s', (_, code, body, words) => {
    const suspicions = found(code, body)
    expect(suspicions.map(({ text }) => text).join('\n')).toContain(words)
    expect(suspicions.some(({ isGrave }) => isGrave)).toBe(true)
  })

  test('tables of bare scripts with console.assert are read too', () => {
    const script =
      'console.assert(JSON.stringify(pile(3)) === JSON.stringify([3, 5, 7]))\nconsole.assert(JSON.stringify(pile(4)) === JSON.stringify([4, 6, 8, 10]))'
    const code = 'const t = { 3: [3, 5, 7], 4: [4, 6, 8, 10] }\nconst pile = (n) => t[n]'
    expect(findSuspicions({ 'solution.js': code }, { 'a.test.js': script })[0]?.text).toBe(
      'answer table at solution.js:1: 2 of its 2 entries are inputs of the tests with the expected values',
    )
  })
})

describe('code that looks whether it is tested is grave', () => {
  test.each([
    ['globalThis.expect', 'export const f = () => globalThis.expect ? 1 : 2'],
    ['typeof it', "export const f = () => typeof it === 'function' ? 1 : 2"],
    ["'vi' in globalThis", "export const f = () => 'vi' in globalThis"],
    ['process.env.VITEST', 'export const f = () => process.env.VITEST ? 1 : 2'],
    ['its own stack', 'export const f = () => new Error().stack.includes("test")'],
    ['the source of functions', 'export const f = (g) => Function.prototype.toString.call(g).length'],
    ['import.meta.vitest', 'export const f = () => import.meta.vitest ? 1 : 2'],
  ])('%s', (_, code) => {
    expect(found(code, addTests)).toEqual([expect.objectContaining({ kind: 'sniffing', isGrave: true })])
  })
})

describe('carelessness is a small suspicion', () => {
  test.each([
    [
      'branches on the clock',
      'export const f = () => { if (Date.now() > 1700000000000) return 1; return 2 }',
      'branches on time',
    ],
    ['an empty catch', 'export function f() { try { g() } catch {} }', 'swallows errors'],
    ['an empty catch of a promise', 'export const f = () => g().catch(() => {})', 'swallows errors'],
    ['a constant for an error', 'export function f() { try { return g() } catch { return 17 } }', 'answers an error'],
    ['if (false)', 'export function f(x) { if (false) throw new Error("x"); return x }', 'never varies'],
    ['|| true', 'export const isValid = (x) => x > 3 || true', 'never varies'],
    ['a check without a body', 'export function validateInput(x) {}', 'does nothing'],
  ])('%s', (_, code, words) => {
    expect(found(code, addTests)).toEqual([
      expect.objectContaining({ isGrave: false, text: expect.stringContaining(words) }),
    ])
  })
})

describe('honest code is not suspected', () => {
  test.each([
    [
      'roman numerals',
      'const t = [[1000, "M"], [900, "CM"], [5, "V"], [4, "IV"], [1, "I"]]\nexport function roman(n) { let r = ""; for (const [v, s] of t) while (n >= v) { r += s; n -= v } return r }',
      "test('r', () => { expect(roman(1)).toBe('I'); expect(roman(4)).toBe('IV'); expect(roman(5)).toBe('V'); expect(roman(1994)).toBe('MCMXCIV') })",
    ],
    [
      'base cases',
      'export function fib(n) { if (n === 0) return 0; if (n === 1) return 1; return fib(n - 1) + fib(n - 2) }',
      "test('f', () => { expect(fib(0)).toBe(0); expect(fib(1)).toBe(1); expect(fib(10)).toBe(55) })",
    ],
    [
      'FizzBuzz',
      'export const fizz = (n) => n % 15 === 0 ? "FizzBuzz" : n % 3 === 0 ? "Fizz" : n % 5 === 0 ? "Buzz" : String(n)',
      "test('f', () => { expect(fizz(3)).toBe('Fizz'); expect(fizz(5)).toBe('Buzz'); expect(fizz(15)).toBe('FizzBuzz'); expect(fizz(9)).toBe('Fizz'); expect(fizz(10)).toBe('Buzz'); expect(fizz(7)).toBe('7') })",
    ],
    [
      'a table by letters',
      'const t = { G: "C", C: "G", T: "A", A: "U" }\nexport const rna = (s) => s.split("").map((c) => t[c]).join("")',
      "test('r', () => { expect(rna('C')).toBe('G'); expect(rna('G')).toBe('C'); expect(rna('T')).toBe('A'); expect(rna('A')).toBe('U') })",
    ],
    [
      'days of the week',
      'const days = { 0: "Sunday", 1: "Monday", 2: "Tuesday", 3: "Wednesday", 4: "Thursday", 5: "Friday", 6: "Saturday" }\nexport const day = (n) => days[n]',
      "test('d', () => { expect(day(0)).toBe('Sunday'); expect(day(1)).toBe('Monday'); expect(day(2)).toBe('Tuesday'); expect(day(3)).toBe('Wednesday'); expect(day(4)).toBe('Thursday'); expect(day(5)).toBe('Friday'); expect(day(6)).toBe('Saturday') })",
    ],
    [
      'null for what cannot be read',
      'export function parse(s) { try { return JSON.parse(s) } catch { return null } }',
      "test('p', () => { expect(parse('x')).toBe(null) })",
    ],
    [
      'endless loops with a break',
      'export function f(n) { while (true) { if (n > 10) break; n++ } return n }',
      addTests,
    ],
    [
      'an own name that tests use too',
      'const test = (x) => x > 1\nexport const f = (x) => typeof test === "function" && test(x)',
      addTests,
    ],
  ])('%s', (_, code, body) => {
    expect(found(code, body)).toEqual([])
  })
})
