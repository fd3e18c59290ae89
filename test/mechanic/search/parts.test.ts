import { spawnSync } from 'node:child_process'
import { runInNewContext } from 'node:vm'
import { ts } from 'ts-morph'
import { describe, expect, it } from 'vitest'
import { canonicalForm } from '../../../src/mechanic/search/canonical.ts'
import { firstDifference } from '../../../src/mechanic/search/disagreement.ts'
import { instrument } from '../../../src/mechanic/search/localise.ts'
import { guarded, loopGuards } from '../../../src/mechanic/search/loop-guards.ts'
import { probeScript } from '../../../src/mechanic/search/probe.ts'
import { rankStatements } from '../../../src/mechanic/search/suspicion.ts'

const parse = (text: string): ts.SourceFile => ts.createSourceFile('a.js', text, ts.ScriptTarget.Latest, true)
/** In a context of its own, with an end: a guard that fails must not hang the suite. */
const run = (text: string): unknown => runInNewContext(`(() => { ${text} })()`, {}, { timeout: 2_000 })

describe('normal forms', () => {
  it.each([
    ['layout', 'a = b+c', 'a  =  b + c;'],
    ['brackets', 'a = (b + c)', 'a = b + c'],
    ['comments', 'f() // x', 'f()'],
  ])('do not tell %s', (_, one, other) => expect(canonicalForm(one, 'a.js')).toBe(canonicalForm(other, 'a.js')))

  it.each([
    ['grouping', 'a = (b + c) * d', 'a = b + c * d'],
    ['const from let', 'const a = 1', 'let a = 1'],
    ['++ from --', 'a++', 'a--'],
    ['texts', "a = 'x'", "a = 'y'"],
  ])('tell %s', (_, one, other) => expect(canonicalForm(one, 'a.js')).not.toBe(canonicalForm(other, 'a.js')))

  it('there are none of what does not parse', () => expect(canonicalForm('a = = 1', 'a.js')).toBeNull())
})

describe('guards against endless loops', () => {
  const guardedText = (text: string, rounds = 100): string =>
    guarded(text, { start: text.length, end: text.length, text: '' }, loopGuards(parse(text), rounds))

  it.each([
    ['while', 'while (true) {}'],
    ['for without a block', 'let n = 0; for (;;) n++'],
    ['do', 'do {} while (true)'],
    ['nested', 'for (;;) { while (true) {} }'],
    ['for of', 'for (const x of (function* () { for (;;) yield 1 })()) {}'],
  ])('end %s', (_, text) => expect(() => run(guardedText(text))).toThrow('endless'))

  it('leave a loop alone that ends', () => {
    expect(run(`${guardedText('let n = 0; for (let i = 0; i < 50; i++) n += i')}; return n`)).toBe(1225)
  })

  it('fall away with the loop that a change removes', () => {
    const text = 'while (a) { f() }\nfor (;;) g()'
    const change = { start: 0, end: 'while (a) { f() }'.length, text: ';' }
    const made = guarded(text, change, loopGuards(parse(text), 9))
    expect(made).not.toContain('while')
    expect(made).toContain('for (;;) {if((')
  })
})

describe('the place of a fault', () => {
  const text = `function sign(n) {
  if (n > 0) return 'plus'
  const text = n < 0 ? 'minus' : 'zero'
  return text
}
const twice = (n) => n * 2
for (const x of []) sign(x)
switch (1) { case 1: twice(1) }
`

  it('is counted statement by statement, without changing what the program does', () => {
    const counted = instrument(parse(text), 5)
    const counters: number[] = Array.from({ length: 40 }, () => 0)
    const result = new Function('__cov', `${counted?.text}\nreturn [sign(1), sign(-1), sign(0), twice(4)]`)(counters)
    expect(result).toEqual(['plus', 'minus', 'zero', 8])
    const times = (counted?.places ?? []).map(({ start, end }, index) => [
      text.slice(start, end).split('\n')[0],
      counters[index + 5],
    ])
    expect(times).toEqual([
      ["if (n > 0) return 'plus'", 3],
      ["return 'plus'", 1],
      ["const text = n < 0 ? 'minus' : 'zero'", 2],
      ['return text', 2],
      ['const twice = (n) => n * 2', 1],
      ['n * 2', 2],
      ['for (const x of []) sign(x)', 1],
      ['sign(x)', 0],
      ['switch (1) { case 1: twice(1) }', 1],
      ['twice(1)', 1],
    ])
  })

  it('is suspected by the share of failing tests that come by it', () => {
    const places = [0, 1, 2, 3].map((start) => ({ file: 'a.js', start, end: start + 1 }))
    const ranked = rankStatements(places, [
      { status: 'failed', coverage: [1, 0, 4] },
      { status: 'passed', coverage: [1, 1] },
      { status: 'passed', coverage: [1, 0] },
    ])
    expect(ranked.map(({ suspicion }) => Math.round(suspicion * 100))).toEqual([58, 0, 100, 0])
  })

  it('is not guessed where nothing was counted or nothing fails', () => {
    expect(rankStatements([{ file: 'a', start: 0, end: 1 }], [{ status: 'failed', coverage: [] }])).toEqual([])
    expect(rankStatements([{ file: 'a', start: 0, end: 1 }], [{ status: 'passed', coverage: [1] }])).toEqual([])
  })
})

describe('the comparison of patches', () => {
  const calls = [{ callee: 'half', args: ['4'] }]

  it('calls what the tests call with their imports, and stays within what they give', async () => {
    const script = probeScript(
      { 'test/a.test.ts': "import { it } from 'vitest'\nimport { half } from '../src/half'\nit('x', () => half(4))" },
      { numbers: [], strings: [], calls },
    )
    expect(script?.path).toBe('test/redgreen-probe.js')
    expect(script?.text).toContain("import { half } from '../src/half'")
    expect(script?.text).not.toContain('vitest')
    const lines: string[] = []
    const body = script?.text.replace(/^import.*$/m, '') ?? ''
    const AsyncFunction = (async () => {}).constructor as FunctionConstructor
    await new AsyncFunction('half', 'console', body)((n: number) => n / 2, { log: (line: string) => lines.push(line) })
    const answered = new Map(
      lines.map((line): [string, string] => JSON.parse(line.slice(line.indexOf('['))) as [string, string]),
    )
    expect(answered.get('half(4)')).toBe('2')
    expect(answered.get('half(5)')).toBe('2.5')
    expect([...answered.keys()].filter((call) => /-|\(0\)/.test(call))).toEqual([])
  })

  it('says the first call that is answered differently', () => {
    const here = new Map([
      ['f(1)', '1'],
      ['f(2)', '2'],
    ])
    expect(
      firstDifference(
        here,
        new Map([
          ['f(1)', '1'],
          ['f(2)', '3'],
        ]),
        'a.ts:1 x -> y',
      ),
    ).toBe('f(2) is 2 here, and 3 with "a.ts:1 x -> y"')
    expect(firstDifference(here, new Map([['f(1)', '1']]), '')).toBeNull()
  })

  it('asks nothing where tests hold no call that means the same anywhere', () => {
    expect(probeScript({ 'a.test.ts': '' }, { numbers: [], strings: [], calls: [] })).toBeNull()
  })
})

describe('the thread of the host', () => {
  it('never loads the compiler', () => {
    const script = `import { registerHooks } from 'node:module'
registerHooks({ resolve(specifier, context, next) { if (specifier === 'ts-morph') throw new Error('loaded by ' + context.parentURL); return next(specifier, context) } })
await import(${JSON.stringify(new URL('../../../src/engine.ts', import.meta.url).href)})`
    const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' })
    expect([status, stderr.replace(/.*ExperimentalWarning[\s\S]*/, '')]).toEqual([0, ''])
  })
})
