import { describe, expect, it } from 'vitest'
import type { HistoryEntry } from '../../../src/feedback/assess/summarise.ts'
import { assess } from '../../../src/feedback/assess.ts'

type Row = readonly [title: string, attempts: readonly HistoryEntry[], wanted: Readonly<Record<string, unknown>>]

const of = (...errors: string[]): HistoryEntry[] =>
  errors.map((error, index) => ({ code: `const v${index} = ${index}`, error }))
const at = (layer: string, error: string, code: string): HistoryEntry => ({ layer, error, code })
const same = { stuck: true, pattern: 'same_failure', since: 1 }

const rows: readonly Row[] = [
  // noise that hides sameness
  [
    'addresses of another notation',
    of('segfault at 0x00007ffd', 'segfault at 0x00005581', 'segfault at 0x0000aa10').map((entry) => ({
      ...entry,
      error: `RuntimeError: ${entry.error} in <_io.Reader object at 0x10f3a2b80>`,
    })),
    same,
  ],
  [
    'timings in other units',
    of('Error: GET /a took 1.2 s', 'Error: GET /a took 340 ms', 'Error: GET /a took 17 ms'),
    same,
  ],
  [
    'ports and process ids in a URL',
    of(
      'Error: connect to http://127.0.0.1:41021/x refused (pid=77)',
      'Error: connect to http://127.0.0.1:39922/x refused (pid=1203)',
    ),
    same,
  ],
  [
    'folders of temporary names',
    of(
      "Error: ENOENT: no such file or directory, open '/tmp/rg-a8Xk2/out.json'",
      "Error: ENOENT: no such file or directory, open '/tmp/rg-Zp01q/out.json'",
    ),
    same,
  ],
  [
    'lines that move in a traceback',
    of(
      'Traceback (most recent call last):\n  File "/app/s.py", line 9, in f\n    g()\nKeyError: \'id\'',
      'Traceback (most recent call last):\n  File "/app/s.py", line 31, in f\n    g()\nKeyError: \'id\'',
    ),
    same,
  ],
  [
    'dates and identifiers',
    of(
      'Error: order 7f9c24e8-3b6a-4c1e-8a2f-1b2c3d4e5f60 not found on 2024-05-01',
      'Error: order 11111111-3b6a-4c1e-8a2f-1b2c3d4e5f61 not found on 2024-06-07',
    ),
    same,
  ],
  [
    'the seed of a property and its example',
    of(
      'Property failed after 12 tests\n{ seed: -1190, path: "11:1" }\nCounterexample: [[0,1]]\nGot error: not sorted',
      'Property failed after 3 tests\n{ seed: 42, path: "2" }\nCounterexample: [[5]]\nGot error: not sorted',
    ),
    same,
  ],
  [
    'the language of the compiler, Japanese',
    of("a.ts(3,1): error TS2304: Cannot find name 'foo'.", "a.ts(7,1): error TS2304: 名前 'foo' が見つかりません。"),
    same,
  ],
  [
    'the language of the database',
    [
      { code: 'a', error: 'ERROR:  42P01: relation "users" does not exist' },
      { code: 'b', error: 'ОШИБКА:  42P01: отношение "users" не существует' },
    ],
    same,
  ],
  ['the order of failing tests', of('failed tests: zeta, alpha, mid', 'failed tests: alpha, mid, zeta'), same],
  [
    'colours of a terminal',
    of('\u001b[31mTypeError: x is not a function\u001b[39m', 'TypeError: x is not a function'),
    same,
  ],
  // what is no noise
  ['another expected value', of('expected 3 to be 4', 'expected 3 to be 5'), { stuck: false }],
  [
    'another name',
    of(
      "TypeError: Cannot read properties of undefined (reading 'a')",
      "TypeError: Cannot read properties of undefined (reading 'b')",
    ),
    { stuck: false },
  ],
  [
    'another code of the compiler',
    of(
      "a.ts(1,1): error TS2304: Cannot find name 'foo'.",
      "a.ts(1,1): error TS2552: Cannot find name 'foo'. Did you mean 'Foo'?",
    ),
    { stuck: false },
  ],
  ['another table', of('ERROR:  relation "a" does not exist', 'ERROR:  relation "b" does not exist'), { stuck: false }],
  // circles
  [
    'three states in turn, twice',
    of('TypeError: a', 'RangeError: b', 'SyntaxError: c', 'TypeError: a', 'RangeError: b', 'SyntaxError: c'),
    { stuck: true, pattern: 'oscillation', period: 3 },
  ],
  [
    'two states in turn after a start of another kind',
    of(
      'Error: first',
      'TypeError: a is undefined',
      'RangeError: bad b',
      'TypeError: a is undefined',
      'RangeError: bad b',
    ),
    { stuck: true, pattern: 'oscillation', period: 2 },
  ],
  [
    'a failure that comes back between others, five attempts',
    of('Error: adds wrong', 'TypeError: p', 'Error: adds wrong', 'RangeError: q', 'Error: adds wrong'),
    { stuck: true, pattern: 'recurring_failure' },
  ],
  [
    'the same program in other quotes',
    [
      { code: "export const f = () => 'a'", error: 'expected a to be b' },
      { code: 'export const f = () => "a";', error: 'expected a to be b' },
    ],
    { stuck: true, pattern: 'same_code' },
  ],
  [
    'the same program of Python with another comment',
    [
      { code: 'def f():\n    return 1  # one', language: 'python', error: 'AssertionError: 1 != 2' },
      { code: 'def f():\n    # fixed\n    return 1\n', language: 'python', error: 'AssertionError: 1 != 2' },
    ],
    { stuck: true, pattern: 'same_code' },
  ],
  [
    'an earlier program again',
    [
      { code: 'a()', error: 'Error: one' },
      { code: 'b()', error: 'Error: two' },
      { code: 'a();', error: 'Error: one' },
    ],
    { stuck: true, pattern: 'same_code', sameCodeAs: 1 },
  ],
  // false alarms
  [
    'fewer errors each time, of the same code',
    of('9 errors: TS2339 x9', '5 errors: TS2339 x5', '2 errors: TS2339 x2'),
    { stuck: false, trend: 'progress' },
  ],
  [
    'more tests passed with the same first failure',
    [
      { code: 'a', error: '8 failed, 2 passed' },
      { code: 'b', error: '3 failed, 7 passed' },
    ],
    { stuck: false, trend: 'progress' },
  ],
  [
    'a later layer',
    [at('syntax', 'Unexpected token', 'a'), at('types', 'TS2322', 'b'), at('tests', 'expected 1 to be 2', 'c')],
    { stuck: false, progress: [null, true, true], best: 3 },
  ],
  // standing
  [
    'back to an earlier layer',
    [at('tests', '3 of 10 tests failed', 'a'), at('types', '1 type error', 'b')],
    { best: 1, trend: 'regress', progress: [null, false] },
  ],
  [
    'ties go to the earlier',
    [at('tests', '2 failed, 8 passed', 'a'), at('tests', '2 failed, 8 passed (other ones)', 'b')],
    { best: 1 },
  ],
  [
    'replies without a program, in other words',
    [
      { code: null, error: 'the reply holds no usable code', layer: 'extract' },
      { code: null, error: 'the reply holds no usable code', layer: 'extract' },
    ],
    same,
  ],
  [
    'ever new failures of the same layer',
    of('Error: a1', 'TypeError: b2', 'RangeError: c3', 'URIError: d4'),
    { stuck: false, pattern: 'plateau' },
  ],
]

describe('histories of the kinds of the corpus', () => {
  it.each(rows)('%s', (_, attempts, wanted) => expect(assess(attempts)).toMatchObject(wanted))
})
