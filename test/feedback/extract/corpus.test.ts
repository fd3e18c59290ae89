import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { languageSchema } from '../../../src/domain/task.ts'
import { toReply } from '../../../src/feedback/extract/envelope.ts'
import type { Extraction, Wanted } from '../../../src/feedback/extract/types.ts'
import { extract, toFailure } from '../../../src/feedback/extract.ts'
import { normalizeProgram } from '../../../src/feedback/program.ts'

const caseSchema = z.object({
  id: z.string(),
  input: z.looseObject({
    reply: z.string().optional(),
    message: z.unknown().optional(),
    finish_reason: z.string().optional(),
    want: z.object({ lang: languageSchema, exports: z.array(z.string()).optional() }).optional(),
    shape: z.record(z.string(), z.string()).optional(),
    module: z.enum(['esm', 'cjs']).optional(),
    previous_code: z.string().optional(),
  }),
  expect: z.looseObject({
    outcome: z.string(),
    code: z.string().optional(),
    code_equivalent: z.string().optional(),
    files: z.record(z.string(), z.string()).optional(),
    json: z.unknown().optional(),
    location: z.object({ line: z.number(), column: z.number().optional() }).optional(),
    message: z.string().optional(),
    where: z.string().optional(),
    file: z.string().optional(),
    flag: z.string().optional(),
    also: z.array(z.string()).optional(),
  }),
})
type Case = z.infer<typeof caseSchema>

const cases: Case[] = readFileSync(new URL('../../fixtures/replies.jsonl', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => caseSchema.parse(JSON.parse(line)))
  .filter((one) => one.input.want !== undefined)

function read(one: Case): Extraction {
  const { input } = one
  const wanted: Wanted = {
    ...(input.want ? { language: input.want.lang } : {}),
    ...(input.want?.exports ? { exports: input.want.exports } : {}),
    ...(input.shape ? { shape: input.shape } : {}),
    ...(input.module ? { module: input.module } : {}),
    ...(input.previous_code === undefined
      ? {}
      : { previousFiles: { 'solution.ts': input.previous_code }, entry: 'solution.ts' }),
  }
  return extract(toReply(input.message ?? { content: input.reply }, input.finish_reason), wanted)
}

const byId = (id: string): Case => {
  const found = cases.find((one) => one.id === id)
  if (!found) throw new Error(`no case ${id}`)
  return found
}

describe('the corpus of replies', () => {
  it('has the cases of the reply kinds', () => expect(cases.length).toBeGreaterThanOrEqual(42))

  it.each(cases.map((one) => [one.id, one] as const))('%s gives the outcome asked for', (_, one) => {
    const result = read(one)
    const wanted = one.expect
    expect(result.outcome).toBe(wanted.outcome === 'code' ? 'files' : wanted.outcome)
    if (result.outcome === 'files') {
      if (wanted.code !== undefined) expect(result.files[result.entry]).toBe(wanted.code)
      if (wanted.code_equivalent !== undefined)
        expect(normalizeProgram(result.files, 'typescript')).toBe(
          normalizeProgram({ [result.entry]: wanted.code_equivalent }, 'typescript'),
        )
      if (wanted.files) expect(result.files).toEqual(wanted.files)
      if (wanted.file) expect(result.named).toBe(wanted.file)
      if (wanted.flag) expect(result.flags).toContain(wanted.flag)
      expect(result.covered).toBe(true)
      expect(toFailure(result)).toBeNull()
    }
    if (result.outcome === 'json') expect(result.value).toEqual(wanted.json)
    if (wanted.location) expect(result).toMatchObject({ location: wanted.location })
    if (wanted.where) expect(result).toMatchObject({ where: wanted.where })
    if (wanted.message) expect(result).toMatchObject({ message: wanted.message })
    expect(result.next).not.toBe('')
    if (result.outcome !== 'files' && result.outcome !== 'json')
      expect(toFailure(result)).toMatchObject({
        layer: 'extract',
        kind: 'reply',
        severity: 'error',
        code: result.outcome,
      })
  })

  it('R04 does not report the parse error at the cut as the mistake of the model', () => {
    const result = read(byId('R04'))
    expect(toFailure(result)?.message).toBe('the reply was cut inside its code')
    expect(result.next).toMatch(/raise the output limit or ask to continue/)
    expect(JSON.stringify(result)).not.toMatch(/Unexpected token|expected/)
  })

  it('R12 does not capture from the first fence to the last', () =>
    expect(JSON.stringify(read(byId('R12')))).not.toMatch(/npm|Then the code/))

  it('R17 keeps no mark of Markdown in a file name', () => {
    const result = read(byId('R17'))
    expect(result.outcome === 'files' && Object.keys(result.files)).toEqual(['src/a.ts', 'src/b.ts'])
  })

  it('R20 writes no lines of the patch into the file', () => {
    const result = read(byId('R20'))
    expect(result.outcome === 'files' && result.files['solution.ts']).not.toMatch(/^[-+@]/m)
  })

  it('R21 quotes the placeholder, in every comment style that the case names', () => {
    expect(read(byId('R21')).next).toContain('// ... rest of the function unchanged')
    const [hash, block, dashes, jsx, chinese] = byId('R21').expect.also ?? []
    const elided = (language: 'typescript' | 'python' | 'sql', code: string) =>
      extract({ content: `\`\`\`\n${code}\n\`\`\``, finish: 'stop' }, { language })
    expect(elided('python', `def f(x):\n    ${hash}\n    return x`)).toMatchObject({
      outcome: 'elided',
      placeholder: hash,
    })
    expect(elided('typescript', `export class A {\n  ${block}\n}`)).toMatchObject({
      outcome: 'elided',
      placeholder: block,
    })
    expect(elided('sql', `SELECT a,\n  ${dashes}\n  b\nFROM t;`)).toMatchObject({
      outcome: 'elided',
      placeholder: dashes,
    })
    expect(elided('typescript', `export const a = (\n  <A>\n    ${jsx}\n  </A>\n);`)).toMatchObject({
      outcome: 'elided',
    })
    expect(elided('typescript', `export function f() {\n  ${chinese}\n}`)).toMatchObject({
      outcome: 'elided',
      placeholder: chinese,
    })
  })

  it('R23 sets the tests aside and says which', () =>
    expect(read(byId('R23'))).toMatchObject({
      setAside: [{ why: 'tests', text: expect.stringContaining('describe(') }],
    }))

  it('R29 takes nothing from the unfinished thought', () =>
    expect(read(byId('R29'))).toMatchObject({ outcome: 'truncated', where: 'reasoning' }))

  it('R35 does not send the same prompt again', () =>
    expect(read(byId('R35')).next).toMatch(/Do not send the same prompt again/))

  it('R38 asks again a bounded number of times', () => expect(read(byId('R38')).next).toMatch(/bounded number/))

  it('R54 does not close the string and the braces', () => {
    const result = read(byId('R54'))
    expect(result.outcome === 'truncated' && result.partial).toMatch(/return$/)
  })

  it('R55 says that quotes inside the string need a backslash, or asks for a fence', () =>
    expect(read(byId('R55'))).toMatchObject({
      next: expect.stringMatching(/backslash.*fenced block/),
      location: { line: 1, column: 29 },
    }))

  it('R59 is adapted to a named export', () => {
    const result = read(byId('R59'))
    const text = result.outcome === 'files' ? (result.files[result.entry] ?? '') : ''
    expect(text).toMatch(/export \{ sum \}/)
    expect(text).not.toMatch(/module\.exports/)
  })

  it('R60 leaves a default export to the import layer', () => {
    const result = read(byId('R60'))
    expect(result.outcome === 'files' && result.files[result.entry]).toMatch(/^export default function sum/)
    expect(result.outcome === 'files' && result.flags).toEqual([])
  })
})
