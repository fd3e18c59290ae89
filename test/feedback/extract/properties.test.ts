import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { languageSchema } from '../../../src/domain/task.ts'
import { toReply } from '../../../src/feedback/extract/envelope.ts'
import { extract, toFailure } from '../../../src/feedback/extract.ts'
import type { Finish } from '../../../src/model/types.ts'
import { F } from './reads.ts'

const languages = languageSchema.options
const finishes: Finish[] = ['stop', 'length', 'content_filter', 'refusal', 'tool_calls', 'unknown']
const scraps = [
  F,
  `${F}ts\n`,
  `${F}python\n`,
  '~~~',
  '``',
  '\n',
  '\n\n',
  '<think>',
  '</think>',
  '<|channel|>analysis<|message|>',
  '{',
  '}',
  '"code": "',
  '"',
  "'",
  '[TS]',
  '[/TS]',
  '<file path="../a.ts">',
  '</file>',
  '<tool_call>',
  '{"name":"x","arguments":{',
  '<<<<<<< SEARCH\n',
  '=======\n',
  '>>>>>>> REPLACE\n',
  '@@ -1 +1 @@\n',
  '-a\n',
  '+b\n',
  '--- a\n+++ b\n',
  'export const a = 1;\n',
  'def f(x):\n    return x\n',
  'SELECT 1;\n',
  'describe("x", () => {});\n',
  '// ... existing code ...\n',
  '# ...\n',
  'module.exports = { a };\n',
  '\\n',
  '&lt;',
  '“',
  '１',
  '\u200b',
  '\ufeff',
  '\r\n',
  '\ud800',
  '\u0000',
  '1 | ',
  '>>> ',
  '$ ',
  'Sorry, I cannot help.',
  '**a.ts**\n',
  '// a.ts\n',
  '*** Begin Patch\n',
  '<T>(',
  '`${',
  '/*',
  '"""',
  '(',
  ')',
  '[',
  ']',
  '<',
  '>',
]
const text = fc.oneof(
  fc.array(fc.constantFrom(...scraps), { maxLength: 30 }).map((parts) => parts.join('')),
  fc.string({ unit: 'binary', maxLength: 200 }),
)
const wanted = fc.record(
  {
    language: fc.constantFrom(...languages),
    exports: fc.constantFrom([], ['a'], ['a', 'f']),
    shape: fc.constant({ code: 'string' }),
    module: fc.constantFrom('esm' as const, 'cjs' as const),
    previousFiles: fc.constant({ 'solution.ts': 'a\nb\n' }),
    prefix: fc.constant('export function f() {\n'),
    entry: fc.constantFrom('solution.ts', 'src/a.ts', 'solution.py'),
    testPaths: fc.constant(['a.test.ts']),
    keepTests: fc.boolean(),
    multiFile: fc.boolean(),
  },
  { requiredKeys: [] },
)

describe('extract', () => {
  it('never throws, and what it gives is safe to write', () => {
    fc.assert(
      fc.property(text, wanted, fc.constantFrom(...finishes), (content, want, finish) => {
        const result = extract({ content, finish }, want)
        expect(result.next).not.toBe('')
        toFailure(result)
        if (result.outcome !== 'files') return
        expect(Object.keys(result.files)).toContain(result.entry)
        for (const path of Object.keys(result.files)) expect(path).not.toMatch(/^\/|\.\.|\\/)
      }),
      { numRuns: 1_500, seed: 11 },
    )
  }, 120_000)

  it('never throws on a message of any shape', () => {
    fc.assert(
      fc.property(fc.anything(), fc.anything(), (message, finish) => {
        extract(toReply(message, finish), {})
        extract(toReply({ content: message, tool_calls: [message], reasoning_content: message }, finish), {})
      }),
      { numRuns: 500, seed: 12 },
    )
  })

  it('gives the same for the same reply', () => {
    fc.assert(
      fc.property(text, wanted, (content, want) => {
        expect(extract({ content, finish: 'stop' }, want)).toEqual(extract({ content, finish: 'stop' }, want))
      }),
      { numRuns: 200, seed: 13 },
    )
  }, 60_000)
})

const name = fc.constantFrom('sum', 'parse', 'toSlug', '$x', 'été')
const literal = fc.oneof(
  fc.integer().map(String),
  fc.string({ unit: 'grapheme', maxLength: 20 }).map((value) => JSON.stringify(value)),
  fc.constantFrom(
    `"\`\`\`"`,
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a literal of the program.
    '`a ${1} b`',
    "'</think>'",
    '/[`"]/g',
    '[1, ...[2]]',
    "'&lt;'",
    '"\\n"',
    "'“x”'",
    "'[TS]'",
    '\'<file path="a.ts">\'',
  ),
)
const statement = fc.tuple(fc.constantFrom('const', 'let'), fc.integer({ min: 0, max: 99 }), literal)
const program = fc
  .record({ main: name, body: fc.array(statement, { maxLength: 6 }), result: literal })
  .map(({ main, body, result }) => ({
    main,
    code: `export function ${main}(input: string): unknown {\n${body.map(([word, , value], index) => `  ${word} v${index} = ${value};\n`).join('')}  return ${result};\n}`,
  }))

const indent = (code: string, by: string) =>
  code
    .split('\n')
    .map((line) => (line === '' ? line : by + line))
    .join('\n')
const wrappers: Record<string, (code: string) => string> = {
  'a fence': (code) => `${F}ts\n${code}\n${F}`,
  'a fence between prose': (code) =>
    `Sure! Here's the code:\n\n${F}typescript\n${code}\n${F}\n\nIt's simple: it returns a value.`,
  'a fence without a tag': (code) => `Here:\n${F}\n${code}\n${F}\n`,
  'a tilde fence': (code) => `~~~ts\n${code}\n~~~`,
  'a longer fence': (code) => `${F}\`\`ts\n${code}\n${F}\`\``,
  'an unclosed fence': (code) => `Here:\n${F}ts\n${code}\n`,
  'a list': (code) => `1. Do this:\n\n   ${F}ts\n${indent(code, '   ')}\n   ${F}\n\n2. Done.`,
  'a quotation': (code) =>
    `${`${F}ts\n${code}\n${F}`
      .split('\n')
      .map((line) => `> ${line}`)
      .join('\n')}`,
  nothing: (code) => code,
  'prose alone': (code) => `Here is the function:\n\n${code}\n\nThis function returns a value. It's done.`,
  'a trailing closer': (code) => `${code}\n${F}`,
  'a tag': (code) => `[TS]\n${code}\n[/TS]`,
  'a thought before': (code) =>
    `<think>\nmaybe ${F}ts\nexport const wrong = 1;\n${F}\n</think>\n\n${F}ts\n${code}\n${F}`,
  'the tokens of a template': (code) => `${F}ts\n${code}\n${F}<|im_end|>`,
  JSON: (code) => JSON.stringify({ code }),
  'a leaked tool call': (code) =>
    `<tool_call>\n${JSON.stringify({ name: 'submit', arguments: { code } })}\n</tool_call>`,
  'install commands and a usage': (code) =>
    `${F}bash\nnpm i\n${F}\n\n${F}ts\n${code}\n${F}\n\nUsage:\n\n${F}ts\nconsole.log(1);\n${F}`,
}

describe('extracting from a wrapped program', () => {
  it.each(Object.entries(wrappers))(
    'gives it back out of %s',
    (_, wrap) => {
      fc.assert(
        fc.property(program, ({ main, code }) => {
          const result = extract({ content: wrap(code), finish: 'stop' }, { exports: [main], entry: 'solution.ts' })
          expect(result).toMatchObject({ outcome: 'files', files: { 'solution.ts': code } })
        }),
        { numRuns: 60, seed: 14 },
      )
    },
    60_000,
  )

  it('gives it back again out of what it gave', () => {
    fc.assert(
      fc.property(program, ({ main, code }) => {
        const first = extract({ content: `${F}ts\n${code}\n${F}`, finish: 'stop' }, { exports: [main], entry: 'a.ts' })
        const text = first.outcome === 'files' ? (first.files['a.ts'] ?? '') : ''
        expect(extract({ content: text, finish: 'stop' }, { exports: [main], entry: 'a.ts' })).toMatchObject({
          files: { 'a.ts': text },
        })
      }),
      { numRuns: 100, seed: 15 },
    )
  }, 60_000)
})
