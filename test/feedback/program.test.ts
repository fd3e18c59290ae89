import { describe, expect, it } from 'vitest'
import { normalizeProgram, tokenSimilarity } from '../../src/feedback/program.ts'

const hash = (text: string, language: Parameters<typeof normalizeProgram>[1] = 'typescript') =>
  normalizeProgram({ 'a.ts': text }, language)

describe('the hash of a program', () => {
  const base = "export const f = (a: number, b = 'x') => {\n  return a + 1;\n};\n"
  it.each([
    ['comments', "// c\nexport const f = (a: number, b = 'x') => { /* d */ return a + 1; };"],
    ['quotes and semicolons', 'export const f = (a: number, b = "x") => {\n  return a + 1\n}'],
    ['layout and redundant brackets', "export const f = (\n  a: number,\n  b = 'x',\n) => {\n\n\n return (a + 1) }"],
    ['escapes', "export const f = (a: number, b = '\\x78') => { return a + 1; };"],
  ])('does not see %s', (_, text) => expect(hash(text)).toBe(hash(base)))
  it.each([
    ['a number', base.replace('1', '2')],
    ['an operator', base.replace('+', '-')],
    ['a string', base.replace("'x'", "'y'")],
    ['a type', base.replace('number', 'string')],
    ['a name', base.replaceAll('a', 'c')],
    ['a modifier', base.replace('(a', 'async (a')],
  ])('sees %s', (_, text) => expect(hash(text)).not.toBe(hash(base)))
  it('sees which file the code is in', () =>
    expect(normalizeProgram({ 'a.ts': base }, 'typescript')).not.toBe(normalizeProgram({ 'b.ts': base }, 'typescript')))
  it('sees the indentation of Python, not its comments', () => {
    expect(hash('if a:\n    b()\nc()', 'python')).toBe(hash('# x\nif a:\n    b()  # y\nc()', 'python'))
    expect(hash('if a:\n    b()\nc()', 'python')).not.toBe(hash('if a:\n    b()\n    c()', 'python'))
  })
  it('is there for text that does not parse and for deep nesting', () => {
    expect(hash('export const = {')).toBe(hash('export  const = { // x'))
    expect(hash('['.repeat(100_000))).not.toBe(hash('['.repeat(99_999)))
  })
})

describe('the similarity of programs', () => {
  const lines = Array.from({ length: 40 }, (_, i) => `export const a${i} = ${i} * 2;`)
  const like = (a: string, b: string) => tokenSimilarity({ 'a.ts': a }, { 'a.ts': b })
  it('is 1 for the same tokens and 0 for none in common', () => {
    expect(like('const a = 1; // x', 'const a = 1')).toBe(1)
    expect(like('a', 'b')).toBe(0)
    expect(like('', '')).toBe(1)
  })
  it('is high after one change and low for another program', () => {
    expect(like(lines.join('\n'), lines.join('\n').replace('7 * 2', '7 * 3'))).toBeGreaterThan(0.95)
    expect(like(lines.join('\n'), 'class A { b() { for (;;) break } }')).toBeLessThan(0.3)
  })
  it('is the same both ways', () => expect(like('a b c d', 'a c b')).toBe(like('a c b', 'a b c d')))
})
