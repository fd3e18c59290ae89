import { describe, expect } from 'vitest'
import type { Wanted } from '../../../src/feedback/extract/types.ts'
import { F, py, reads, ts } from '../extract/reads.ts'

const js = (exports: string[]): Wanted => ({ language: 'javascript', exports })
const sql: Wanted = { language: 'sql' }
const bash: Wanted = { language: 'bash' }
const area = 'export const area = (w: number, h: number): number => w * h;'
const gcd = 'def gcd(a, b):\n    while b:\n        a, b = b, a % b\n    return a'
const clamp =
  'export function clamp(x: number, lo: number, hi: number): number {\n  return Math.min(hi, Math.max(lo, x));\n}'
const top5 = 'SELECT name, SUM(total) AS spent\nFROM orders\nGROUP BY name\nORDER BY spent DESC\nLIMIT 5;'
const count =
  '#!/usr/bin/env bash\nset -euo pipefail\nfor f in "$1"/*.log; do\n  printf \'%s %s\\n\' "$f" "$(wc -l < "$f")"\ndone'

describe('the frame of a program, in other surfaces', () => {
  reads(
    'five backquotes around a program that documents itself with four',
    `Voilà :\n\n${F}${'``'}python\n"""\n${F}${'`'}\ngcd(4, 6)\n${F}${'`'}\n"""\n${gcd}\n${F}${'``'}\n`,
    py(['gcd']),
    `"""\n${F}\`\ngcd(4, 6)\n${F}\`\n"""\n${gcd}`,
  )
  reads('four tildes around three', `~~~~js\nexport const t = '~~~';\n~~~~`, js(['t']), "export const t = '~~~';")
  reads(
    'Python cut in a dict, by a provider that says so',
    `${F}python\ndef table():\n    return {\n        'a': 1,\n        'b':`,
    py(['table']),
    { outcome: 'truncated', where: 'code' },
    'length',
  )
  reads(
    'a query cut in the middle of a condition',
    `${F}sql\nSELECT id FROM t WHERE a = 1 AND (b >`,
    sql,
    { outcome: 'truncated' },
    'length',
  )
  reads('one backquote left of a closer', `${F}python\n${gcd}\n\``, py(['gcd']), gcd)
  reads('two tildes left of a closer', `~~~ts\n${area}\n~~`, ts(['area']), area)
  reads('a closer alone under a shell script', `${count}\n${F}`, bash, count)
  reads('a closer alone under a query, with thanks', `${top5}\n${F}\n\nHope this helps!`, sql, top5)
  reads(
    'a fence in a bullet in German prose',
    `- Datei anlegen:\n\n  ${F}ts\n  ${clamp.replaceAll('\n', '\n  ')}\n  ${F}\n\n- Fertig.`,
    ts(['clamp']),
    clamp,
  )
  reads(
    'a fence four blanks deep under item ten',
    `10. Create it:\n\n    ${F}python\n    ${gcd.replaceAll('\n', '\n    ')}\n    ${F}\n11. Run it.`,
    py(['gcd']),
    gcd,
  )
  reads(
    'an info string with line numbers and braces',
    `${F}ts {2-4} showLineNumbers\n${area}\n${F}`,
    ts(['area']),
    area,
  )
  reads(
    'a path in the info string of Python, with its language after it',
    `${F}lib/gcd.py python\n${gcd}\n${F}`,
    py(['gcd']),
    { outcome: 'files', named: 'lib/gcd.py' },
  )
  reads(
    'an info string of language, colon and path',
    `${F}javascript:src/a b.js\nexport const a = 1;\n${F}`,
    js(['a']),
    'export const a = 1;',
  )
  reads(
    'the language alone above the code, as a page’s copy button leaves it',
    `python\nCopy code\n${gcd}\n`,
    py(['gcd']),
    gcd,
  )
  reads('HTML’s own code element', `<pre><code class="language-ts">${area}\n</code></pre>`, ts(['area']), area)
})

describe('which of several blocks, in other surfaces', () => {
  reads(
    'pip, code, command to run',
    `${F}sh\npip install regex\n${F}\n${F}python\n${gcd}\n${F}\n${F}sh\npython -m gcd\n${F}`,
    py(['gcd']),
    gcd,
  )
  reads(
    'a wrong version quoted first, in Spanish',
    `El código anterior era:\n${F}ts\nexport const area = (w: number, h: number): number => w + h;\n${F}\nLa versión correcta:\n${F}ts\n${area}\n${F}`,
    ts(['area']),
    area,
  )
  reads(
    'what not to do after the answer',
    `${F}ts\n${area}\n${F}\n\nDon't write it like this:\n\n${F}ts\nexport const area = (w: any, h: any) => w + h;\n${F}`,
    ts(['area']),
    area,
  )
  reads(
    'three parts of one module, types first',
    `Types:\n${F}ts\nexport interface Item { price: number }\n${F}\nHelper:\n${F}ts\nconst round = (x: number) => Math.round(x * 100) / 100;\n${F}\nFunction:\n${F}ts\nexport const total = (items: Item[]): number => round(items.reduce((s, i) => s + i.price, 0));\n${F}`,
    ts(['total']),
    'export interface Item { price: number }\n\nconst round = (x: number) => Math.round(x * 100) / 100;\n\nexport const total = (items: Item[]): number => round(items.reduce((s, i) => s + i.price, 0));',
  )
  reads(
    'a helper of Python defined below its user',
    `${F}python\ndef lcm(a, b):\n    return a * b // gcd(a, b)\n${F}\n\nwhere\n\n${F}python\n${gcd}\n${F}`,
    py(['lcm']),
    `def lcm(a, b):\n    return a * b // gcd(a, b)\n\n${gcd}`,
  )
  reads(
    'files under headings with numbers and backquotes',
    `### 1. \`src/math/area.ts\`\n${F}ts\n${area}\n${F}\n### 2. \`src/index.ts\`\n${F}ts\nexport { area } from './math/area';\n${F}`,
    { language: 'typescript' },
    { outcome: 'files', files: { 'src/math/area.ts': area, 'src/index.ts': "export { area } from './math/area';" } },
  )
  reads(
    'files of Python named in a first comment',
    `${F}python\n# app/one.py\nA = 1\n${F}\n${F}python\n# app/two.py\nfrom app.one import A\nB = A + 1\n${F}`,
    { language: 'python' },
    {
      outcome: 'files',
      files: { 'app/one.py': '# app/one.py\nA = 1', 'app/two.py': '# app/two.py\nfrom app.one import A\nB = A + 1' },
    },
  )
  reads(
    'a file name in bold with a colon inside the stars',
    `**File: lib/a.js:**\n${F}js\nexport const a = 1;\n${F}\n**File: lib/b.js:**\n${F}js\nexport const b = 2;\n${F}`,
    { language: 'javascript' },
    { outcome: 'files', files: { 'lib/a.js': 'export const a = 1;', 'lib/b.js': 'export const b = 2;' } },
  )
  reads('a heading echoed in the block, in Python', `${F}python\n### gcd.py\n\n${gcd}\n${F}`, py(['gcd']), {
    outcome: 'files',
    covered: true,
  })
  reads(
    'a file name alone as first line',
    `${F}js\nclamp.js\nexport const c = (x) => x;\n${F}`,
    js(['c']),
    'export const c = (x) => x;',
  )
  reads(
    'a git diff without hunk numbers that fit',
    `${F}diff\ndiff --git a/solution.ts b/solution.ts\nindex 1a2b3c..4d5e6f 100644\n--- a/solution.ts\n+++ b/solution.ts\n@@ -10,3 +10,3 @@ export\n export function hi(n: string) {\n-  return 'hi ' + n;\n+  return 'hey ' + n;\n }\n${F}`,
    {
      ...ts(['hi']),
      previousFiles: { 'solution.ts': "export function hi(n: string) {\n  return 'hi ' + n;\n}\n" },
      entry: 'solution.ts',
    },
    "export function hi(n: string) {\n  return 'hey ' + n;\n}",
  )
  reads(
    'a search/replace block of Python',
    `solution.py\n<<<<<<< SEARCH\n    return a\n=======\n    return abs(a)\n>>>>>>> REPLACE\n`,
    { ...py(['gcd']), previousFiles: { 'solution.py': `${gcd}\n` }, entry: 'solution.py' },
    gcd.replace('return a', 'return abs(a)'),
  )
  reads(
    'a search block whose text is not there',
    `<<<<<<< SEARCH\n  return nothing;\n=======\n  return 1;\n>>>>>>> REPLACE`,
    { ...ts(['hi']), previousFiles: { 'solution.ts': 'export const hi = 1;\n' }, entry: 'solution.ts' },
    { outcome: 'patch_not_applied' },
  )
  reads(
    'two alternatives that define the same: the later, unless it is called worse',
    `Option A (recursive):\n${F}python\ndef f(n):\n    return 1 if n < 2 else n * f(n - 1)\n${F}\nOption B (iterative, preferred):\n${F}python\ndef f(n):\n    r = 1\n    for i in range(2, n + 1):\n        r *= i\n    return r\n${F}`,
    py(['f']),
    'def f(n):\n    r = 1\n    for i in range(2, n + 1):\n        r *= i\n    return r',
  )
  reads(
    'a query, then the table that it gives',
    `${F}sql\n${top5}\n${F}\n\nResult:\n\n${F}\n name | spent\n------+------\n Ann  |    12\n${F}`,
    sql,
    top5,
  )
  reads(
    'a script, then how to start it',
    `${F}bash\n${count}\n${F}\nRun:\n${F}bash\nchmod +x count.sh\n./count.sh /var/log\n${F}`,
    bash,
    count,
  )
  reads(
    'an old query quoted, a new one given',
    `Your query was:\n${F}sql\nSELECT * FROM orders;\n${F}\nFixed:\n${F}sql\n${top5}\n${F}`,
    sql,
    top5,
  )
})

describe('how complete, in other surfaces', () => {
  const elided = (title: string, code: string, wanted: Wanted, line: number) =>
    reads(title, `${F}\n${code}\n${F}`, wanted, { outcome: 'elided', location: expect.objectContaining({ line }) })
  elided(
    'a placeholder of Python',
    'class A:\n    def f(self):\n        # ... (same as before)\n        return 1',
    py(['A']),
    3,
  )
  elided(
    'a placeholder in French',
    'export function f(): number {\n  // ... le reste du code reste inchangé\n  return 1;\n}',
    ts(['f']),
    2,
  )
  elided('a placeholder of SQL', 'SELECT a,\n  -- ... other columns ...\n  z\nFROM t;', sql, 2)
  elided('a placeholder of a script', 'set -e\n# ... rest of the script unchanged ...\necho done', bash, 2)
  elided(
    'a body left to the reader',
    'export function f(s: string): number {\n  // implementation goes here\n}',
    ts(['f']),
    2,
  )
  elided('previous code kept', 'import x\n# [previous code unchanged]\ndef f():\n    return x.y', py(['f']), 2)
  reads(
    'an ellipsis of the language is none',
    `${F}ts\nexport const all = (...xs: number[]): number[] => [...xs]; // copies the rest of the list\n${F}`,
    ts(['all']),
    'export const all = (...xs: number[]): number[] => [...xs]; // copies the rest of the list',
  )
  reads(
    'an Ellipsis of Python is none',
    `${F}python\nfrom typing import Protocol\n\nclass P(Protocol):\n    def f(self) -> int: ...\n\ndef g(p: P) -> int:\n    return p.f()\n${F}`,
    py(['g']),
    'from typing import Protocol\n\nclass P(Protocol):\n    def f(self) -> int: ...\n\ndef g(p: P) -> int:\n    return p.f()',
  )
  reads(
    'tests of jest appended',
    `${F}js\nexport const dbl = (n) => n * 2;\n\ntest('doubles', () => {\n  expect(dbl(2)).toBe(4);\n});\n${F}`,
    js(['dbl']),
    'export const dbl = (n) => n * 2;',
  )
  reads(
    'tests of node:test appended',
    `${F}ts\nimport { test } from 'node:test';\nimport assert from 'node:assert/strict';\n${area}\n\ntest('area', () => {\n  assert.equal(area(2, 3), 6);\n});\n${F}`,
    ts(['area']),
    area,
  )
  reads(
    'statements, decorators and a class of Python kept',
    `${F}python\nfrom dataclasses import dataclass\n\n@dataclass\nclass P:\n    x: int = 0\n\nORIGIN = P()\nORIGIN.x += 1\ndel_me = 3\n${F}`,
    py(['P', 'ORIGIN']),
    'from dataclasses import dataclass\n\n@dataclass\nclass P:\n    x: int = 0\n\nORIGIN = P()\nORIGIN.x += 1\ndel_me = 3',
  )
})
