import { describe } from 'vitest'
import { C, F, fn, n, reads, ts } from './reads.ts'

describe('extract reads the choice of blocks', () => {
  reads(
    'usage after',
    `${F}ts\n${fn}\n${F}\nUsage:\n${F}ts\nimport { sum } from './solution';\nconsole.log(sum(1, 2));\n${F}`,
    ts(['sum']),
    fn,
  )
  reads(
    'usage after 2',
    `${F}ts\n${fn}\n${F}\nUsage:\n${F}ts\nconst r = sum(1, 2);\nconsole.log(r);\n${F}`,
    ts(['sum']),
    fn,
  )
  reads(
    'usage after no exports',
    `${F}ts\n${fn}\n${F}\nUsage:\n${F}ts\nconst r = sum(1, 2);\nconsole.log(r);\n${F}`,
    { language: 'typescript' },
    fn,
  )
  reads(
    'usage no exports plain',
    `${F}ts\nfunction sum(a: number, b: number) { return a + b; }\n${F}\nUsage:\n${F}ts\nconsole.log(sum(1, 2));\n${F}`,
    { language: 'typescript' },
    'function sum(a: number, b: number) { return a + b; }',
  )
  reads('output block', `${F}ts\n${fn}\n${F}\nOutput:\n${F}\n3\n${F}`, ts(['sum']), fn)
  reads('output block no exp', `${F}ts\n${fn}\n${F}\nOutput:\n${F}\n3\n${F}`, { language: 'typescript' }, fn)
  reads('json config', `${F}json\n{"a":1}\n${F}\n${F}ts\n${C}\n${F}`, n, C)
  reads(
    'new then old',
    `Fixed version:\n\n${F}ts\n${C}\n${F}\n\nThe original code was:\n\n${F}ts\nexport const n = 1;\n${F}`,
    n,
    C,
  )
  reads(
    'old = previous',
    `Use this:\n\n${F}ts\n${C}\n${F}\n\nFor reference:\n\n${F}ts\nexport const n = 1\n${F}`,
    { ...n, previousFiles: { 'solution.ts': 'export const n = 1;\n' } },
    C,
  )
  reads(
    'two exports two blocks',
    `${F}ts\nexport const a = 1;\n${F}\nand\n${F}ts\nexport const b = 2;\n${F}`,
    ts(['a', 'b']),
    'export const a = 1;\n\nexport const b = 2;',
  )
  reads(
    'types first',
    `${F}ts\ninterface P { x: number }\n${F}\n\n${F}ts\nexport function f(p: P): number { return p.x; }\n${F}`,
    ts(['f']),
    'interface P { x: number }\n\nexport function f(p: P): number { return p.x; }',
  )
  reads(
    'imports block',
    `${F}ts\nimport { z } from 'zod';\n${F}\n\n${F}ts\nexport const s = z.string();\n${F}`,
    ts(['s']),
    "import { z } from 'zod';\n\nexport const s = z.string();",
  )
  reads(
    'helper after',
    `${F}ts\nexport const f = (x: number) => g(x);\n${F}\nwith helper\n${F}ts\nconst g = (x: number) => x;\n${F}`,
    ts(['f']),
    'export const f = (x: number) => g(x);\n\nconst g = (x: number) => x;',
  )
  reads(
    'ambiguous',
    `Option 1:\n${F}ts\nexport const add = (a: number, b: number) => a + b;\n${F}\nOption 2:\n${F}ts\nexport const plus = (a: number, b: number) => b + a;\n${F}`,
    ts(['sum']),
    { outcome: 'ambiguous' },
  )
})
