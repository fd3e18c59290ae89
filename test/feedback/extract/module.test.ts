import { describe } from 'vitest'
import { F, n, reads, ts } from './reads.ts'

describe('extract reads the form of the module', () => {
  reads('refused finish', '', n, { outcome: 'refused' }, 'refusal')
  reads('default only', `${F}ts\nexport default (a: number) => a;\n${F}`, n, { outcome: 'files' })
  reads(
    'esm add',
    `${F}ts\nfunction sum(a: number) { return a; }\n${F}`,
    { ...ts(['sum']), module: 'esm' },
    'function sum(a: number) { return a; }\n\nexport { sum };',
  )
  reads(
    'cjs fn',
    `${F}js\nmodule.exports = function sum(a) { return a; };\n${F}`,
    { language: 'javascript', exports: ['sum'], module: 'esm' },
    { outcome: 'files' },
  )
  reads(
    'cjs exports.x',
    `${F}js\nexports.sum = (a) => a;\n${F}`,
    { language: 'javascript', exports: ['sum'], module: 'esm' },
    'export const sum = (a) => a;',
  )
  reads(
    'cjs guard',
    `${F}js\nfunction sum(a) { return a; }\nif (typeof module !== 'undefined') { module.exports = { sum }; }\n${F}`,
    { language: 'javascript', exports: ['sum'], module: 'esm' },
    'function sum(a) { return a; }\n\nexport { sum };',
  )
})
