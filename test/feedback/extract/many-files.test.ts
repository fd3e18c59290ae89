import { describe } from 'vitest'
import { C, F, fn, n, reads, ts } from './reads.ts'

describe('extract reads files and their names', () => {
  reads(
    'files headings',
    `### src/a.ts\n\n${F}ts\nexport const A = 1;\n${F}\n\n#### \`src/b.ts\`\n\n${F}ts\nimport { A } from './a';\nexport const B = A;\n${F}`,
    { language: 'typescript' },
    { files: { 'src/a.ts': 'export const A = 1;', 'src/b.ts': "import { A } from './a';\nexport const B = A;" } },
  )
  reads(
    'files sentence',
    `Create \`src/a.ts\`:\n\n${F}ts\nexport const A = 1;\n${F}\n\nThen update \`src/b.ts\` as follows:\n\n${F}ts\nexport const B = 2;\n${F}`,
    { language: 'typescript' },
    { files: { 'src/a.ts': 'export const A = 1;', 'src/b.ts': 'export const B = 2;' } },
  )
  reads(
    'files numbered',
    `1. **\`a.ts\`**\n\n${F}ts\nexport const A = 1;\n${F}\n\n2. **\`b.ts\`** (helpers)\n\n${F}ts\nexport const B = 2;\n${F}`,
    { language: 'typescript' },
    { files: { 'a.ts': 'export const A = 1;', 'b.ts': 'export const B = 2;' } },
  )
  reads(
    'files comment',
    `${F}ts\n// src/a.ts\nexport const A = 1;\n${F}\n\n${F}ts\n// src/b.ts\nexport const B = 2;\n${F}`,
    { language: 'typescript' },
    { files: { 'src/a.ts': '// src/a.ts\nexport const A = 1;', 'src/b.ts': '// src/b.ts\nexport const B = 2;' } },
  )
  reads(
    'files one fence',
    `${F}ts\n// file: a.ts\nexport const A = 1;\n\n// file: b.ts\nexport const B = 2;\n${F}`,
    { language: 'typescript' },
    { files: { 'a.ts': 'export const A = 1;', 'b.ts': 'export const B = 2;' } },
  )
  reads(
    'files xml',
    `<file path="a.ts">\nexport const A = 1;\n</file>\n<file path="b.ts">\nexport const B = 2;\n</file>`,
    { language: 'typescript' },
    { files: { 'a.ts': 'export const A = 1;', 'b.ts': 'export const B = 2;' } },
  )
  reads(
    'files xml fenced',
    `<file path="a.ts">\n${F}ts\nexport const A = 1;\n${F}\n</file>\n<file path="b.ts">\n${F}ts\nexport const B = 2;\n${F}\n</file>`,
    { language: 'typescript' },
    { files: { 'a.ts': 'export const A = 1;', 'b.ts': 'export const B = 2;' } },
  )
  reads(
    'files json',
    JSON.stringify({ files: { 'a.ts': 'export const A = 1;', 'b.ts': 'export const B = 2;' } }),
    { language: 'typescript' },
    { files: { 'a.ts': 'export const A = 1;', 'b.ts': 'export const B = 2;' } },
  )
  reads(
    'files json list',
    JSON.stringify([
      { path: 'a.ts', content: 'export const A = 1;' },
      { path: 'b.ts', content: 'export const B = 2;' },
    ]),
    { language: 'typescript' },
    { files: { 'a.ts': 'export const A = 1;', 'b.ts': 'export const B = 2;' } },
  )
  reads(
    'files with test',
    `**sum.ts**\n${F}ts\n${fn}\n${F}\n**sum.test.ts**\n${F}ts\nimport { sum } from './sum';\ntest('x', () => { expect(sum(1,2)).toBe(3); });\n${F}`,
    { ...ts(['sum']), entry: 'solution.ts' },
    { files: { 'solution.ts': fn } },
  )
  reads(
    'entry map',
    `**src/main.ts**\n${F}ts\nimport { A } from './a';\nexport const n = A;\n${F}\n**src/a.ts**\n${F}ts\nexport const A = 2;\n${F}`,
    { ...n, entry: 'solution.ts' },
    {
      outcome: 'files',
      files: { 'a.ts': 'export const A = 2;', 'solution.ts': "import { A } from './a';\nexport const n = A;" },
    },
  )
  reads(
    'evil path',
    `**../../etc/a.ts**\n${F}ts\nexport const A = 2;\n${F}\n**solution.ts**\n${F}ts\n${C}\n${F}`,
    { ...n, entry: 'solution.ts' },
    { files: { 'solution.ts': C } },
  )
  reads('heading in block', `${F}ts\n**quick.ts**\n${C}\n${F}`, n, C)
  reads('heading in block 2', `${F}ts\n### File: quick.ts\n\n${C}\n${F}`, n, C)
  reads('heading in block 3', `${F}ts\nquick.ts\n${C}\n${F}`, n, C)
})
