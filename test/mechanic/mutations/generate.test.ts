import fc from 'fast-check'
import { ts } from 'ts-morph'
import { describe, expect, it } from 'vitest'
import { generateMutations, type MutationOptions } from '../../../src/mechanic/mutations/generate.ts'
import { testInputs } from '../../../src/mechanic/search/test-inputs.ts'

/** The texts that a program can become by one change. */
const variants = (text: string, options: MutationOptions = {}): string[] =>
  generateMutations(text, 'solution.ts', options).map(
    ({ edit }) => text.slice(0, edit.start) + edit.text + text.slice(edit.end),
  )

describe('the mends of one change hold', () => {
  it.each([
    ['a boundary', 'if (a < b) f()', 'if (a <= b) f()'],
    ['a turned relation', 'if (a < b) f()', 'if (a > b) f()'],
    ['an equality that should be an order', 'const x = a === b', 'const x = a <= b'],
    ['an arithmetic operator', 'const x = a + b', 'const x = a - b'],
    ['a compound assignment', 'x = y % 10', 'x += y % 10'],
    ['a logical operator', 'if (a && b) f()', 'if (a || b) f()'],
    ['a negation that lacks', 'if (a) f()', 'if (!(a)) f()'],
    ['a negation too much', 'if (!a) f()', 'if (a) f()'],
    ['swapped operands', 'const x = a - b', 'const x = b - a'],
    ['a dropped operand', 'const x = a * b', 'const x = a'],
    ['other grouping', 'const x = a + b * c', 'const x = (a + b) * c'],
    ['an off-by-one constant', 'let i = 1', 'let i = 0'],
    ['an off-by-one length', 'const n = list.length', 'const n = (list.length - 1)'],
    ['an off-by-one sum', 'const x = a + b', 'const x = a + b + 1'],
    ['an off-by-one negative index', 'const x = list.at(-i)', 'const x = list.at((-i - 1))'],
    ['integer division', 'const x = a / b', 'const x = Math.floor(a / b)'],
    ['swapped arguments', 'f(a, b)', 'f(b, a)'],
    ['a method of the same family', 'list.push(a)', 'list.unshift(a)'],
    ['another rounding', 'Math.floor(a)', 'Math.ceil(a)'],
    ['a comparer that lacks', 'list.sort()', 'list.sort((a, b) => a - b)'],
    ['a spread that lacks', 'const x = Math.min(list)', 'const x = Math.min(...list)'],
    ['a link of a chain too much', 'const x = a.trim().slice(1)', 'const x = a.trim()'],
    [
      'a wrapper that lacks',
      'const f = (d: number) => { return d }',
      'const f = (d: number) => { return Math.abs(d) }',
    ],
    ['both sides unnormalised', 'const x = f(a) === f(b)', 'const x = f(a.sort()) === f(b.sort())'],
    ['the same operator wrong throughout', 'const x = a || b || c', 'const x = a && b && c'],
    ['a list with an element too many', "const v = ['a', 'b', 'c']", "const v = ['a', 'c']"],
    ['a list in the wrong order', "const v = ['a', 'b']", "const v = ['b', 'a']"],
    ['a regular expression without its flag', 'const r = /a/', 'const r = /a/g'],
    ['a statement too much', 'f()\ng()', ';\ng()'],
    ['statements in the wrong order', 'f()\ng()', 'g()\nf()'],
    ['an else too much', 'if (a) f(); else g()', 'if (a) f();'],
    ['another branch', 'const x = a ? b : c', 'const x = a ? c : b'],
    ['break for continue', 'for (const x of y) { if (x) break; }', 'for (const x of y) { if (x) continue; }'],
    ['another result', 'function f() { return true }', 'function f() { return false }'],
    [
      'a base case',
      'function f(s: string) { return g(s) }',
      "function f(s: string) { if (!s) return '';\nreturn g(s) }",
    ],
    [
      'another variable',
      'function f(a: number, b: number) { return a }',
      'function f(a: number, b: number) { return b }',
    ],
    [
      'an element as start value',
      'function f(l: number[]) { let m = 0; g(l[1]) }',
      'function f(l: number[]) { let m = l[0]; g(l[1]) }',
    ],
    ['an equality that should be strict order', 'const x = a === b', 'const x = a < b'],
    ['receiver and argument exchanged', 'const x = a.concat(b)', 'const x = b.concat(a)'],
    ['a call that should be made twice', 'const x = f(s)', 'const x = f(f(s))'],
    ['an argument that lacks', 'let m = 0; const x = Math.max(n)', 'let m = 0; const x = Math.max(n, m)'],
    ['the whole for a part', 'const x = f(a[i])', 'const x = f(a)'],
    ['a part for the whole', 'let a = b, i = 0; f(a[i]); g(a)', 'let a = b, i = 0; f(a[i]); g(a[i])'],
    ['a variable for a constant index', 'let i = 0; const x = a[i]', 'let i = 0; const x = a[0]'],
    ['terms that are there twice', 'const x = a + b + b + a', 'const x = a + b'],
    ['a factor that lacks', 'const x = (a + b)', 'const x = (a + b) / 2'],
    ['a mark that lacks', 'const x = a + b', "const x = a + '.' + b"],
    ['doubles in a list', 'const x = l.sort()', 'const x = [...new Set(l)].sort()'],
    [
      'a result thrown away',
      'function f(l: number[]) { l.filter(g) }',
      'function f(l: number[]) { return l.filter(g); }',
    ],
    ['a result not kept', 'l.filter(g)', 'l = l.filter(g);'],
    ['a promise not awaited', 'async function f() { g() }', 'async function f() { await g(); }'],
    ['an else that lacks', 'if (a) f();\nif (b) g();', 'if (a) f();\nelse if (b) g();'],
    ['branches exchanged', 'if (a) f(); else g();', 'if (a) g(); else f();'],
    ['two constants exchanged', 'const x = a[0] - b[1]', 'const x = a[1] - b[0]'],
    [
      'constants exchanged in a whole function',
      'function f() { if (a[1] > 12) g(); return a[0] }',
      'function f() { if (a[0] > 12) g(); return a[1] }',
    ],
    [
      'names exchanged in a whole function',
      'function f(a: number, b: number) { g(a); return a - b }',
      'function f(a: number, b: number) { g(b); return b - a }',
    ],
    [
      'a constant wrong in a whole function',
      'function f(n: number) { let ok = false; g(ok); ok = false }',
      'function f(n: number) { let ok = true; g(ok); ok = true }',
    ],
    [
      'another variable as the result of an arrow',
      'const f = (a: number, b: number) => a',
      'const f = (a: number, b: number) => b',
    ],
    ['a code of a letter', 'const x = s.charCodeAt(0) < 100', 'const x = s.charCodeAt(0) < 91'],
  ])('%s', (_, wrong, right) => {
    expect(variants(wrong)).toContain(right)
  })

  it('constants and letters that the tests give', () => {
    expect(variants('const x = 3', { inputNumbers: ['77'] })).toContain('const x = 77')
    expect(variants("if (c == '(') f()", { inputStrings: ['"[]"'] })).toContain('if (c == "[") f()')
  })
})

describe('the changes of a program', () => {
  const program = `export function count(list: readonly string[], word: string): number {
  let found = 0
  for (let i = 1; i < list.length; i++) if (list[i] === word && word !== '') found += 1
  return found
}
`

  it('come each once, the likeliest first', () => {
    const mutations = generateMutations(program, 'solution.ts')
    expect(new Set(mutations.map(({ edit }) => JSON.stringify(edit))).size).toBe(mutations.length)
    const costs = mutations.map(({ cost }) => cost)
    expect(costs).toEqual([...costs].sort((a, b) => a - b))
    expect(mutations.length).toBeGreaterThan(60)
  })

  it('never touch types, imports or names of members', () => {
    const text = `import { a } from './a'
interface Box { readonly size: 1 | 2 }
export const box: Box = { size: 1 }
`
    for (const variant of variants(text)) {
      expect(variant).toContain("import { a } from './a'")
      expect(variant).toContain('readonly size: 1 | 2')
    }
  })

  it('are found in any program that parses, and say the line that they change', () => {
    const statement = fc.constantFrom(
      'let i = 0;',
      'if (i > 1) i -= 2;',
      'while (i) i--;',
      'const s = String(i).trim();',
      'f(i, [1, "a"]);',
    )
    fc.assert(
      fc.property(fc.array(statement, { maxLength: 8 }), (lines) => {
        const text = lines.map((line, n) => line.replace(/\b[is]\b/g, (name) => `${name}${n}`)).join('\n')
        for (const { edit, line } of generateMutations(text, 'a.ts')) {
          expect(edit.end).toBeLessThanOrEqual(text.length)
          expect(line).toBe(text.slice(0, edit.start).split('\n').length)
        }
      }),
      { numRuns: 40 },
    )
  })
})

describe('what is taken from tests', () => {
  const inputs = (text: string) => testInputs([ts.createSourceFile('a.test.ts', text, ts.ScriptTarget.Latest, true)])

  it('are the arguments of the code, never what it is compared with', () => {
    const { numbers, strings, calls } = inputs(`
      it('counts 99 things', () => expect(count(['x', 'y'], 7)).toBe(42))
      assert.deepEqual(candidate(-3), 'expected')
      console.assert(f(1) === 55)
    `)
    expect([...numbers].sort()).toEqual(['(-3)', '1', '7'])
    expect(strings).toEqual(['"x"', '"y"'])
    expect(calls).toEqual([
      { callee: 'count', args: ["['x', 'y']", '7'] },
      { callee: 'candidate', args: ['-3'] },
      { callee: 'f', args: ['1'] },
    ])
  })

  it('are no calls whose arguments mean something else elsewhere', () => {
    expect(inputs('const x = 1\nf(x)\nf(g(1))\nf(() => 1)').calls.map(({ callee }) => callee)).toEqual(['g'])
  })
})
