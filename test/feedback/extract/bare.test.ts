import { describe } from 'vitest'
import { C, fn, n, py, reads, ts } from './reads.ts'

describe('extract reads code without fences', () => {
  reads(
    'bare prose around',
    `Sure! Here is the function:\n\n${fn}\n\nThis function adds two numbers. It's simple.`,
    ts(['sum']),
    fn,
  )
  reads('bare prose around 2', `Sure! Here is the function:\n${fn}\nThis function adds two numbers.`, ts(['sum']), fn)
  reads(
    'bare multi',
    `Sure!\n\nimport { x } from 'y';\n\n${fn}\n\n// helper\nconst z = 1;\n\nExplanation:\n- first, it adds\n- then returns`,
    ts(['sum']),
    `import { x } from 'y';\n\n${fn}\n\n// helper\nconst z = 1;`,
  )
  reads(
    'bare py',
    `Here is the code:\n\ndef f(x):\n    return x\n\nThis returns x.`,
    py(['f']),
    'def f(x):\n    return x',
  )
  reads(
    'bare py2',
    `Here is the code:\n\nimport re\n\n\ndef f(x):\n    if x:\n        return 1\n\n    return x\n\nNote that it's fast.`,
    py(['f']),
    'import re\n\n\ndef f(x):\n    if x:\n        return 1\n\n    return x',
  )
  reads(
    'bare cut',
    `export function parse(s: string) {\n  const out: string[] = [];\n  for (const ch of s) {\n    if (ch ===`,
    ts(['parse']),
    { outcome: 'truncated' },
    'unknown',
  )
  reads('inline code', 'Use `export const n = 2;` as the answer.', n, C)
  reads(
    'prefix',
    `    return a + b;\n}\n`,
    { ...ts(['sum']), prefix: 'function sum(a: number, b: number): number {\n' },
    'function sum(a: number, b: number): number {\n    return a + b;\n}',
  )
})
