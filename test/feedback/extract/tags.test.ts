import { describe } from 'vitest'
import { C, F, fn, n, py, reads, ts } from './reads.ts'

describe('extract reads tags', () => {
  reads('TS tag', `[TS]\n${C}\n[/TS]`, n, C)
  reads('PY tag', `[PYTHON]\ndef f(x):\n    return x\n[/PYTHON]\nThis is it`, py(['f']), 'def f(x):\n    return x')
  reads('PY tag unclosed', `[PYTHON]\ndef f(x):\n    return x\n`, py(['f']), 'def f(x):\n    return x')
  reads('TS tag + tests', `Sure!\n[TS]\n${fn}\n[/TS]\n[TESTS]\nconsole.log(sum(1,2))\n[/TESTS]`, ts(['sum']), fn)
  reads('answer tag', `<answer>\n${C}\n</answer>`, n, C)
  reads('answer tag fence', `<answer>\n${F}ts\n${C}\n${F}\n</answer>`, n, C)
})
