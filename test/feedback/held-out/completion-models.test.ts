import { describe } from 'vitest'
import type { Wanted } from '../../../src/feedback/extract/types.ts'
import { F, py, reads, ts } from '../extract/reads.ts'

const sql: Wanted = { language: 'sql' }
const bash: Wanted = { language: 'bash' }
const head = '// Returns the greatest common divisor.\nexport function gcd(a: number, b: number): number {\n'
const body = '  while (b !== 0) {\n    [a, b] = [b, a % b];\n  }\n  return a;\n}\n'
const whole = `${head}${body}`
const pyHead = 'def gcd(a, b):\n    """Greatest common divisor."""\n'
const pyBody = '    while b:\n        a, b = b, a % b\n    return a\n'
const going: Wanted = { ...ts(['gcd']), prefix: head }
const pyGoing: Wanted = { ...py(['gcd']), prefix: pyHead }
const other =
  '\n// Sums a list.\nexport function sum(xs: number[]): number {\n  return xs.reduce((a, b) => a + b, 0);\n}\n'

describe('models that complete a text', () => {
  reads('begin in the middle of the body', body, going, whole)
  reads(
    'begin in the middle, and the names are known from the prompt alone',
    body,
    { language: 'typescript', prefix: head },
    whole,
  )
  reads('begin in the middle, in Python', pyBody, pyGoing, pyHead + pyBody)
  reads('begin in the middle and end with a token', `${body}<|endoftext|>`, going, whole)
  reads('begin in the middle and go on with words', `${body}\nThis uses Euclid's algorithm.\n`, going, whole)
  reads(
    'begin in the middle and close a fence that the prompt opened',
    `${body}${F}\n\n## Explanation\nIt loops.`,
    going,
    whole,
  )
  reads(
    'declare the wanted name inside the body',
    '  const gcd0 = (x: number): number => x;\n  return gcd0(a + b);\n}\n',
    going,
    `${head}  const gcd0 = (x: number): number => x;\n  return gcd0(a + b);\n}`,
  )
  reads('go on with another function', `${body}${other}`, going, `${whole}${other}`)
  reads('go on with another function and are cut there', `${body}${other.slice(0, -30)}`, going, whole, 'length')
  reads(
    'go on with a class and are stopped there',
    `${body}\nexport class Foo {\n  constructor(private a: number) {`,
    going,
    whole,
  )
  reads(
    'go on with another function of Python and are cut',
    `${pyBody}\n\ndef other(x):\n    return [\n        x,`,
    pyGoing,
    pyHead + pyBody,
    'length',
  )
  reads('repeat the signature', whole, going, whole)
  reads('repeat the signature in a fence', `${F}typescript\n${whole}${F}`, going, whole)
  reads('give the body in a fence', `${F}ts\n${body}${F}`, going, whole)
  reads('repeat the program until they are stopped', `${whole}\n${whole}\n${whole}`, ts(['gcd']), whole)
  reads(
    'write a second version of the function below the first',
    `${whole}\nexport function gcd(a: number, b: number): number {\n  return b === 0 ? a : gcd(b, a % b);\n}\n`,
    ts(['gcd']),
    whole,
  )
  const typed =
    'export type Pair = [number, number];\n\nexport enum Side {\n  Left,\n  Right,\n}\n\nexport const pick = (pair: Pair, side: Side): number => pair[side];\n'
  reads('repeat types, enumerations and all', `${typed}\n${typed}`, ts(['pick']), typed)
  const both = "export type Level = 'low' | 'high';\nexport const Level = { low: 1, high: 2 };\n"
  reads('give a type and a value one name', both, ts(['Level']), both)
  reads(
    'stop between a signature and its body',
    `${F}ts\nexport function isLow(x: string): boolean {\n  return plain(x);\n}\n\nfunction plain(x: string): boolean `,
    ts(['isLow']),
    { outcome: 'truncated' },
  )
  reads(
    'are cut in the default export',
    `${F}ts\nexport class Full extends Error {}\n\nexport default class Buffer {\n  read() {\n    throw`,
    ts(['Full']),
    { outcome: 'truncated' },
    'length',
  )
  reads(
    'keep overloads',
    'export function f(a: string): string;\nexport function f(a: number): number;\nexport function f(a: string | number) {\n  return a;\n}\n',
    ts(['f']),
    'export function f(a: string): string;\nexport function f(a: number): number;\nexport function f(a: string | number) {\n  return a;\n}',
  )
  reads(
    'end their text in the middle of a line and begin another',
    `${whole.trim()}<|endoftext|>// File: other.ts\nexport function gcd() {}\n`,
    ts(['gcd']),
    whole,
  )
  reads(
    'write the next exercise',
    `${whole}\n### Instruction:\nWrite a function that adds.\n\n### Response:\nexport function gcd(x: number) { return x; }\n`,
    ts(['gcd']),
    whole,
  )
  reads(
    'use such a word in a heading of their own, between two files',
    `### src/gcd.ts\n${F}ts\n${whole}${F}\n### Input validation, src/check.ts\n${F}ts\nexport const check = (n: number): boolean => n >= 0;\n${F}\n`,
    ts(['gcd']),
    {
      outcome: 'files',
      files: { 'src/gcd.ts': whole.trim(), 'src/check.ts': 'export const check = (n: number): boolean => n >= 0;' },
    },
  )
  reads(
    'write the next question in Python',
    `${pyHead}${pyBody}\nQuestion: what is lcm?\nAnswer:\ndef lcm(a, b):\n    return a * b\n`,
    py(['gcd']),
    pyHead + pyBody,
  )
  reads(
    'hold a token of theirs in a string',
    "export const eos = '<|endoftext|>';\nexport const end = '</s>';\n",
    ts(['eos', 'end']),
    "export const eos = '<|endoftext|>';\nexport const end = '</s>';",
  )
  reads(
    'are cut inside the only function',
    `${head}  while (b !== 0) {\n    [a, b] =`,
    ts(['gcd']),
    { outcome: 'truncated' },
    'length',
  )
  reads(
    'are cut in a helper that the function needs',
    'export const a = (x: number): number => twice(x);\n\nconst twice = (x: number): number =>',
    ts(['a']),
    { outcome: 'truncated' },
    'length',
  )
  reads(
    'are cut before a helper that the function needs',
    'export function a(x: number): number {\n  return twice(x);\n}\n\n// Now the help',
    ts(['a']),
    { outcome: 'truncated' },
    'length',
  )
  reads(
    'are cut in a usage example',
    `${F}ts\n${whole}\nconsole.log(gcd(4, 6)); // 2\nconsole.log(gcd(`,
    ts(['gcd']),
    { outcome: 'files', flags: ['unclosed_fence', 'reply_cut_after_code'] },
    'length',
  )
  reads(
    'frame their answer with marks of instruction',
    `[INST] gcd [/INST] Sure!\n[TS]\n${whole}[/TS]\n[TESTS]\nassert(true)\n[/TESTS]</s>`,
    ts(['gcd']),
    whole,
  )
  reads(
    'begin a query in the middle',
    ' name, count(*)\nFROM users\nGROUP BY name;\n',
    { ...sql, prefix: 'SELECT' },
    'SELECT name, count(*)\nFROM users\nGROUP BY name;',
  )
  reads('end a query with a token and a new question', 'SELECT name FROM users;</s>\n', sql, 'SELECT name FROM users;')
  reads(
    'end a script with a token',
    'set -e\nfor f in *.txt; do\n  wc -l "$f"\ndone\n<|im_end|>',
    bash,
    'set -e\nfor f in *.txt; do\n  wc -l "$f"\ndone',
  )
})
