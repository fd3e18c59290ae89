import { expect, it } from 'vitest'
import type { FileMap } from '../../../src/domain/task.ts'
import type { Extraction, Reply, Wanted } from '../../../src/feedback/extract/types.ts'
import { extract } from '../../../src/feedback/extract.ts'
import type { Finish } from '../../../src/model/types.ts'

export const F = '```'
export const C = 'export const n = 2;'
export const fn = 'export function sum(a: number, b: number): number {\n  return a + b;\n}'
export const ts = (exports: string[]): Wanted => ({ language: 'typescript', exports })
export const py = (exports: string[]): Wanted => ({ language: 'python', exports })
export const n = ts(['n'])
export const prev: FileMap = {
  'solution.ts': "export function hi(n: string) {\n  return 'hi ' + n;\n}\nexport const v = 1;\n",
}
// biome-ignore lint/suspicious/noTemplateCurlyInString: a program that holds a template.
export const newHi = 'export function hi(n: string) {\n  return `hello ${n}`;\n}\nexport const v = 1;\n'
export const shape: Wanted = { language: 'typescript', shape: { code: 'string', notes: 'string?' } }

type Expected = string | { files: FileMap } | ({ outcome: Extraction['outcome'] } & Record<string, unknown>)

/** One case: the reply gives this program (a string), these files, or an outcome with these members. */
export function reads(
  title: string,
  reply: string | Partial<Reply>,
  wanted: Wanted,
  expected: Expected,
  finish: Finish = 'stop',
): void {
  it(title, () => {
    const whole: Reply = typeof reply === 'string' ? { content: reply, finish } : { content: null, finish, ...reply }
    const read = extract(whole, wanted)
    if (typeof expected !== 'string') return expect(read).toMatchObject(expected)
    expect(read.outcome).toBe('files')
    // The line end before a closing fence belongs to the fence or to the code, as one likes.
    if (read.outcome === 'files') expect(read.files[read.entry]?.trim()).toBe(expected.trim())
  })
}
