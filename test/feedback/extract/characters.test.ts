import { describe } from 'vitest'
import { C, F, fn, n, py, reads, ts } from './reads.ts'

describe('extract reads characters', () => {
  reads('smart quotes', `${F}ts\nexport const n = “hello”;\n${F}`, n, 'export const n = "hello";')
  reads('smart apostrophe', `${F}ts\nexport const n = ‘it’s’;\n${F}`, n, { outcome: 'files' })
  reads(
    'fullwidth',
    `${F}ts\nexport function n（a： number）： number ｛ return a； ｝\n${F}`,
    n,
    'export function n(a: number): number { return a; }',
  )
  reads(
    'fullwidth with string',
    `${F}ts\nexport const n = (a: number) => ｛ return '你好，（x）'；｝;\n${F}`,
    n,
    "export const n = (a: number) => { return '你好，（x）';};",
  )
  reads(
    'nbsp py',
    `${F}python\ndef f(x):\n\u00a0\u00a0\u00a0\u00a0return x\n${F}`,
    py(['f']),
    'def f(x):\n    return x',
  )
  reads('nbsp ts kept', `${F}ts\nexport const\u00a0n = 2;\n${F}`, n, 'export const\u00a0n = 2;')
  reads(
    'escaped whole',
    `export function sum(a: number, b: number): number {\\n  return a + b;\\n}\\n`,
    ts(['sum']),
    fn,
  )
  reads('escaped fence', '```ts\\nexport const n = 2;\\n```', n, C)
  reads(
    'escaped with quotes',
    `${F}ts\nexport const n = \\"a\\";\\nexport const m = \\"b\\\\n\\";\\n${F}`,
    n,
    'export const n = "a";\nexport const m = "b\\n";',
  )
  reads('legit \\n', `${F}ts\nexport const n = "a\\nb";\n${F}`, n, 'export const n = "a\\nb";')
  reads('entities partial', `${F}ts\nexport const n = (a: string[]) =&gt; a.map(x =&gt; '&amp;' + x);\n${F}`, n, {
    outcome: 'files',
  })
  reads(
    'linenums colon',
    `${F}ts\n1: export const a = 1;\n2: export const n = 2;\n${F}`,
    n,
    `export const a = 1;\n${C}`,
  )
  reads(
    'linenums pad',
    `${F}ts\n ${' '}1  export const a = 1;\n ${' '}2  export const n = 2;\n${F}`,
    n,
    `export const a = 1;\n${C}`,
  )
  reads(
    'linenums arrow',
    `${F}ts\n     1→export const a = 1;\n     2→export const n = 2;\n${F}`,
    n,
    `export const a = 1;\n${C}`,
  )
  reads(
    'repl',
    `${F}python\n>>> def f(x):\n...     return x\n...\n>>> f(1)\n1\n${F}`,
    py(['f']),
    'def f(x):\n    return x\n\nf(1)',
  )
  reads(
    'bash prompt',
    `${F}bash\n$ for i in 1 2; do\n>   echo $i\n> done\n${F}`,
    { language: 'bash' },
    'for i in 1 2; do\n  echo $i\ndone',
  )
  reads('zero width in id', `${F}ts\nexport const n\u200b = 2;\n${F}`, n, C)
})
