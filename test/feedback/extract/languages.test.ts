import { describe } from 'vitest'
import { F, n, py, reads } from './reads.ts'

describe('extract reads languages', () => {
  reads('python for ts', `${F}python\ndef n(x):\n    return x\n${F}`, n, {
    outcome: 'language_mismatch',
    wanted: 'typescript',
    found: 'python',
  })
  reads('python tagged ts', `${F}ts\ndef n(x):\n    return x\n${F}`, n, {
    outcome: 'language_mismatch',
    found: 'python',
  })
  reads('java', `${F}java\npublic class A { public static int n() { return 1; } }\n${F}`, n, {
    outcome: 'language_mismatch',
    found: 'java',
  })
  reads(
    'ts for js',
    `${F}ts\nexport function n(a: number): number { return a; }\n${F}`,
    { language: 'javascript', exports: ['n'] },
    { outcome: 'language_mismatch', found: 'typescript' },
  )
  reads('js for ts', `${F}js\nexport function n(a) { return a; }\n${F}`, n, 'export function n(a) { return a; }')
  reads('ts for py', `${F}ts\nexport const f = (x: number) => x;\n${F}`, py(['f']), {
    outcome: 'language_mismatch',
    found: 'typescript',
  })
  reads('sql bare', `SELECT * FROM users WHERE id = 1;`, { language: 'sql' }, 'SELECT * FROM users WHERE id = 1;')
  reads(
    'sql prose',
    `The query is:\n\nSELECT * FROM users\nWHERE id = 1;\n\nThis selects the user.`,
    { language: 'sql' },
    'SELECT * FROM users\nWHERE id = 1;',
  )
  reads('sql untagged', `${F}\nSELECT 1;\n${F}`, { language: 'sql' }, 'SELECT 1;')
  reads('sql for ts', `${F}sql\nSELECT 1;\n${F}`, n, { outcome: 'language_mismatch', found: 'sql' })
  reads(
    'bash',
    `${F}bash\n#!/bin/bash\nset -e\necho hi\n${F}\nRun it:\n${F}bash\nchmod +x a.sh\n./a.sh\n${F}`,
    { language: 'bash' },
    '#!/bin/bash\nset -e\necho hi',
  )
  reads('only install', `Run:\n${F}bash\nnpm install lodash\n${F}`, n, { outcome: 'no_code' })
})
