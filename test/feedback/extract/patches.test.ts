import { describe } from 'vitest'
import { F, n, newHi, prev, reads, ts } from './reads.ts'

describe('extract reads patches', () => {
  reads(
    'search replace',
    `solution.ts\n<<<<<<< SEARCH\n  return 'hi ' + n;\n=======\n  return \`hello \${n}\`;\n>>>>>>> REPLACE`,
    { ...ts(['hi']), entry: 'solution.ts', previousFiles: prev },
    newHi,
  )
  reads(
    'search replace fenced',
    `${F}ts\nsolution.ts\n<<<<<<< SEARCH\n  return 'hi ' + n;\n=======\n  return \`hello \${n}\`;\n>>>>>>> REPLACE\n${F}`,
    { ...ts(['hi']), entry: 'solution.ts', previousFiles: prev },
    newHi,
  )
  reads(
    'search replace ws',
    `<<<<<<< SEARCH\nreturn 'hi ' + n;  \n=======\nreturn \`hello \${n}\`;\n>>>>>>> REPLACE`,
    { ...ts(['hi']), entry: 'solution.ts', previousFiles: prev },
    newHi,
  )
  reads(
    'search no match',
    `<<<<<<< SEARCH\nreturn 'nope' + n;\n=======\nreturn 1;\n>>>>>>> REPLACE`,
    { ...ts(['hi']), entry: 'solution.ts', previousFiles: prev },
    { outcome: 'patch_not_applied' },
  )
  reads(
    'diff ts fence',
    `${F}ts\n@@ -1,3 +1,3 @@\n export function hi(n: string) {\n-  return 'hi ' + n;\n+  return \`hello \${n}\`;\n }\n${F}`,
    { ...ts(['hi']), entry: 'solution.ts', previousFiles: prev },
    newHi,
  )
  reads(
    'diff bare',
    `--- a/solution.ts\n+++ b/solution.ts\n@@ -1,9 +1,3 @@\n export function hi(n: string) {\n-  return 'hi ' + n;\n+  return \`hello \${n}\`;\n }\n`,
    { ...ts(['hi']), entry: 'solution.ts', previousFiles: prev },
    newHi,
  )
  reads(
    'diff noheader',
    `${F}diff\n-  return 'hi ' + n;\n+  return \`hello \${n}\`;\n${F}`,
    { ...ts(['hi']), entry: 'solution.ts', previousFiles: prev },
    newHi,
  )
  reads(
    'diff whole file',
    `${F}diff\n-export const n = 1;\n+export const n = 2;\n${F}`,
    { ...n, entry: 'solution.ts', previousFiles: { 'solution.ts': 'export const n = 1;\n' } },
    'export const n = 2;\n',
  )
  reads('diff no prev', `${F}diff\n@@ -1 +1 @@\n-export const n = 1;\n+export const n = 2;\n${F}`, n, {
    outcome: 'patch_not_applied',
  })
  reads(
    'apply_patch',
    `*** Begin Patch\n*** Update File: solution.ts\n@@\n-  return 'hi ' + n;\n+  return \`hello \${n}\`;\n*** End Patch`,
    { ...ts(['hi']), entry: 'solution.ts', previousFiles: prev },
    newHi,
  )
  reads(
    'diff then full',
    `${F}diff\n-  return 'hi ' + n;\n+  return x;\n${F}\nFull:\n${F}ts\n${newHi}${F}`,
    { ...ts(['hi']), entry: 'solution.ts', previousFiles: prev },
    newHi,
  )
})
