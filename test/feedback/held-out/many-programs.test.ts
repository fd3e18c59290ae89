import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { Wanted } from '../../../src/feedback/extract/types.ts'
import { extract } from '../../../src/feedback/extract.ts'
import { F } from '../extract/reads.ts'

interface Program {
  readonly id: string
  readonly solution: string
  readonly declaration: string
  readonly entry_point: string
  readonly tests: string
  readonly prompt: string
}

const path = new URL('../../../../shared/corpora/humanevalpack_js.jsonl', import.meta.url)
const programs: Program[] = existsSync(path)
  ? readFileSync(path, 'utf8')
      .trim()
      .split('\n')
      .map((line): Program => JSON.parse(line))
      // One names its entry otherwise than its program does.
      .filter((one) => one.solution.startsWith(one.declaration) && one.declaration.includes(one.entry_point))
      .filter((_, index) => index % 4 === 0)
  : []

interface Shape {
  readonly reply: string
  readonly finish?: 'stop' | 'length'
  readonly prefix?: string
}

/** How six families of open models answer a request for a function, each program of the public set in each shape. */
const shapes: Readonly<Record<string, (program: Program & { readonly body: string }) => Shape>> = {
  'a fence with a wrong language': ({ solution }) => ({ reply: `${F}python\n${solution}${F}` }),
  'a fence, then a usage example': ({ solution, entry_point: name }) => ({
    reply: `${F}ts\n${solution}${F}\nUsage:\n${F}ts\nconst result = ${name}([1, 2], 3);\nconsole.log(result);\n${F}`,
  }),
  'tests first': ({ solution, tests }) => ({ reply: `${F}ts\n${tests}${F}\nCode:\n${F}ts\n${solution}${F}` }),
  'no fence, prose right after': ({ solution }) => ({
    reply: `${solution.trim()}\nThis function takes the arguments and returns the result; it's fast.`,
  }),
  'no fence, a heading after': ({ solution }) => ({
    reply: `${solution}\n### Explanation\n\n1. It loops\n2. It returns`,
  }),
  'the prompt echoed': ({ solution, prompt }) => ({ reply: `${prompt}\n\n${solution}` }),
  'the same again and again': ({ solution }) => ({ reply: `${solution}\n${solution}\n${solution}` }),
  'an end token and another document': ({ solution }) => ({
    reply: `${solution.trim()}<|endoftext|>function other(x) {\n  return x +`,
  }),
  'tags of CodeLlama': ({ solution, tests }) => ({
    reply: `  [PYTHON]\n${solution}\n[/PYTHON]\n[TESTS]\n${tests}\n[/TESTS]`,
  }),
  JSON: ({ solution }) => ({ reply: JSON.stringify({ code: solution, explanation: 'ok' }) }),
  'an unclosed thought': ({ solution }) => ({ reply: `<think>\nSimple.\n\n${F}ts\n${solution}${F}\nDone.` }),
  entities: ({ solution }) => ({
    reply: `${F}ts\n${solution.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')}${F}`,
  }),
  'an unclosed fence and words': ({ solution }) => ({ reply: `${F}js\n${solution}\n\nExplanation:\nThis loops.\n` }),
  'the body alone': ({ body, declaration }) => ({ reply: body, prefix: declaration }),
  'the body, then another function that is cut': ({ body, declaration }) => ({
    reply: `${body}\n// Adds two numbers\nfunction addTwo(a, b) {\n  return a +`,
    prefix: declaration,
    finish: 'length',
  }),
}

const plain = (text: string) =>
  text
    .replace(/^export \{[^}]*\};?$/gm, '')
    .replace(/^export /gm, '')
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '')
    .join('\n')

describe.skipIf(programs.length === 0)(
  'the program is found in every reply (set skipped where ../shared is absent)',
  () => {
    it.each(Object.entries(shapes))('that is %s', (_, shapeOf) => {
      const missed = programs.filter((program) => {
        const shape = shapeOf({ ...program, body: program.solution.slice(program.declaration.length) })
        const wanted: Wanted = {
          language: 'typescript',
          exports: [program.entry_point],
          module: 'esm',
          ...(shape.prefix === undefined ? {} : { prefix: shape.prefix }),
        }
        const read = extract({ content: shape.reply, finish: shape.finish ?? 'stop' }, wanted)
        return read.outcome !== 'files' || plain(read.files[read.entry] ?? '') !== plain(program.solution)
      })
      expect(missed.map(({ id }) => id)).toEqual([])
    })
  },
)
