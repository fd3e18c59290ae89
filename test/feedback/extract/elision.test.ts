import { describe } from 'vitest'
import type { Language } from '../../../src/domain/task.ts'
import { C, F, n, py, reads } from './reads.ts'

describe('extract reads placeholders', () => {
  for (const [l, c] of [
    ['typescript', 'export function n() {\n  // ... existing code ...\n  return 1;\n}'],
    ['typescript', 'export class n {\n  /* unchanged methods … */\n}'],
    ['typescript', 'export const n = <div>{/* other props stay the same */}</div>'],
    ['typescript', 'export function n() {\n  // 其余代码保持不变\n}'],
    ['typescript', 'export function n() {\n  ...\n}'],
    ['typescript', 'export function n() {\n  // TODO: implement\n}'],
    ['typescript', 'export function n() {\n  // your code here\n}'],
    ['typescript', 'export const n = {\n  a: 1,\n  // ...\n};'],
  ] as [Language, string][])
    reads(`elided ${c}`, `${F}ts\n${c}\n${F}`, { language: l, exports: ['n'] }, { outcome: 'elided' })
  reads('elided py', `${F}python\ndef f(x):\n    # ... existing code ...\n    return x\n${F}`, py(['f']), {
    outcome: 'elided',
  })
  reads(
    'elided py2',
    `${F}python\ndef f(x):\n    # rest of the implementation remains unchanged\n    pass\n${F}`,
    py(['f']),
    { outcome: 'elided' },
  )
  reads(
    'elided sql',
    `${F}sql\nSELECT a,\n  -- remaining columns as before\n  b\nFROM t;\n${F}`,
    { language: 'sql' },
    { outcome: 'elided' },
  )
  reads(
    'elided bash',
    `${F}bash\n#!/bin/bash\n# ... rest of script unchanged ...\necho hi\n${F}`,
    { language: 'bash' },
    { outcome: 'elided' },
  )
  reads(
    'honest',
    `${F}ts\nexport function n(xs: number[]) {\n  // copy the rest...\n  const [a, ...rest] = xs; // rest unchanged\n  return { ...rest, a };\n}\n${F}`,
    n,
    { outcome: 'files' },
  )
  reads(
    'honest2',
    `${F}ts\nexport function n(o: object) {\n  return {\n    ...o, // other fields stay the same\n    a: 1,\n  };\n}\n${F}`,
    n,
    { outcome: 'files' },
  )
  reads('honest3 string', `${F}ts\nexport const n = '// ... existing code ...';\n${F}`, n, { outcome: 'files' })
  reads(
    'honest py ellipsis',
    `${F}python\nfrom typing import Protocol\nclass P(Protocol):\n    def a(self) -> int: ...\ndef f(x):\n    return x[..., 0]\n${F}`,
    py(['f']),
    { outcome: 'files' },
  )
  reads(
    'elided later, whole earlier',
    `${F}ts\nexport function n() {\n  return 2;\n}\n${F}\nThe key part:\n${F}ts\nexport function n() {\n  // ... rest unchanged\n}\n${F}`,
    n,
    'export function n() {\n  return 2;\n}',
  )
  reads('length but complete', `${F}ts\n${C}\n${F}\nThis expl`, n, { outcome: 'files' }, 'length')
  reads('length second block cut', `${F}ts\n${C}\n${F}\nUsage:\n${F}ts\nconsole.l`, n, { outcome: 'files' }, 'length')
})
