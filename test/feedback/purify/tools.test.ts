import { transformSync } from 'esbuild'
import { describe, expect, it } from 'vitest'
import { classify } from '../../../src/feedback/classify.ts'
import { purify, purifyDetailed } from '../../../src/feedback/purify.ts'
import { failureFromDiagnostic } from '../../../src/feedback/purify-diagnostic.ts'
import { failureFromGuestError } from '../../../src/feedback/purify-guest.ts'
import { renderFailures } from '../../../src/feedback/purify-render.ts'

type Row = readonly [title: string, raw: unknown, wanted: Readonly<Record<string, unknown>>]
const at = (file: string, line: number, column: number) => ({ file, line, column })

const rows: readonly Row[] = [
  [
    'pretty output of the compiler, with related places',
    {
      tool: 'tsc',
      stdout:
        "src/a.ts:3:7 - error TS2322: Type 'string' is not assignable to type 'number'.\n\n3 const x: number = 'a'\n        ~\n\n  src/b.ts:1:1\n    1 export interface A { }\n      ~~~\n    The expected type comes from here\n\nFound 1 error.\n",
    },
    { kind: 'type', expected: 'number', actual: 'string', location: at('src/a.ts', 3, 7) },
  ],
  [
    'the compiler in Chinese',
    { tool: 'tsc', stdout: 's.ts(3,4): 错误 TS2322: 不能将类型“number”分配给类型“string”。\n' },
    { code: 'TS2322', expected: 'string', actual: 'number' },
  ],
  [
    'a drive in the compiler’s path',
    { tool: 'tsc', stdout: "C:\\Users\\me\\proj\\src\\a.ts(3,7): error TS2304: Cannot find name 'x'.\r\n" },
    { location: at('src/a.ts', 3, 7) },
  ],
  [
    'vite’s failed import',
    {
      tool: 'vite',
      stderr:
        '[vite] Internal server error: Failed to resolve import "./nope" from "src/a.ts". Does the file exist?\n  Plugin: vite:import-analysis\n  File: /app/src/a.ts:1:18\n  1  |  import { x } from "./nope";\n     |                    ^\n',
    },
    { kind: 'dependency', location: at('src/a.ts', 1, 19) },
  ],
  [
    'babel’s column from zero',
    {
      tool: 'babel',
      stderr: 'SyntaxError: /app/src/g.ts: Unexpected token (2:12)\n\n> 2 |   return a +;\n    |             ^\n',
    },
    { kind: 'syntax', message: 'Unexpected token', location: at('src/g.ts', 2, 13) },
  ],
  [
    'swc’s box, whose head names the frame',
    {
      tool: 'swc',
      stderr:
        '  × Expression expected\n   ╭─[/app/src/g.ts:1:1]\n 1 │ export function g(a: number) {\n 2 │   return a +;\n   ·             ─\n   ╰────\n',
    },
    { kind: 'syntax', location: at('src/g.ts', 2, 13) },
  ],
  [
    'rolldown’s box',
    {
      tool: 'rolldown',
      stderr:
        '[PARSE_ERROR] Error: Unexpected token\n   ╭─[ src/g.ts:2:13 ]\n   │\n 2 │   return a +;\n   │             ┬\n   │             ╰──\n───╯\n',
    },
    { kind: 'syntax', message: 'Unexpected token', location: at('src/g.ts', 2, 13) },
  ],
  [
    'rollup’s missing export',
    {
      tool: 'rollup',
      stderr: '[!] RollupError: src/a.ts (1:9): "x" is not exported by "src/b.ts", imported by "src/a.ts".\n',
    },
    { kind: 'dependency', location: at('src/a.ts', 1, 10) },
  ],
  [
    'webpack’s missing module',
    {
      tool: 'webpack',
      stdout: "ERROR in ./src/a.ts 1:0-24\nModule not found: Error: Can't resolve './nope' in '/app/src'\n",
    },
    { kind: 'dependency', location: at('src/a.ts', 1, 1) },
  ],
  [
    'a cause in vitest: its place is where to look',
    {
      tool: 'vitest',
      stderr:
        ' FAIL  a.test.ts > s > t\nError: outer\n ❯ load src/solution.ts:4:9\n ❯ a.test.ts:5:13\n\nCaused by: TypeError: inner is bad\n ❯ parse src/solution.ts:2:3\n',
    },
    {
      kind: 'runtime',
      test: 's > t',
      location: at('src/solution.ts', 2, 3),
      hint: 'caused by TypeError: inner is bad',
    },
  ],
  [
    'vitest on Windows',
    {
      tool: 'vitest',
      stderr:
        " FAIL  src/a.test.ts > t\r\nTypeError: Cannot read properties of null (reading 'a')\r\n ❯ f C:/Users/me/proj/src/solution.ts:4:9\r\n",
    },
    { code: 'TypeError', location: at('src/solution.ts', 4, 9) },
  ],
  [
    'a suite of vitest without tests',
    { tool: 'vitest', stderr: ' FAIL  a.test.ts [ a.test.ts ]\nError: No test suite found in file /app/a.test.ts\n' },
    { kind: 'test', message: 'No test suite found in file a.test.ts' },
  ],
  [
    'an unhandled rejection in vitest',
    {
      tool: 'vitest',
      stderr:
        '⎯⎯⎯ Unhandled Rejection ⎯⎯⎯\nError: boom\n ❯ work src/solution.ts:4:9\n\nThis error originated in "a.test.ts" test file.\n⎯⎯⎯⎯⎯\n',
    },
    { message: 'boom', location: at('src/solution.ts', 4, 9) },
  ],
  [
    'calls of a spy',
    {
      tool: 'vitest',
      message:
        'expected "spy" to be called with arguments: [ 1, 2 ]\n\nReceived: \n\n  1st spy call:\n\n  [\n    1,\n-   2,\n+   3,\n  ]\n\n\nNumber of calls: 1\n',
    },
    { expected: '[ 1, 2 ]', actual: '[ 1, 3 ]' },
  ],
  [
    'jest’s log with source and frames',
    {
      tool: 'jest',
      stderr:
        "FAIL ./sum.test.js\n  ● math › throws\n\n    TypeError: Cannot read properties of undefined (reading 'x')\n\n      1 | function f(a) {\n    > 2 |   return a.x.y\n        |              ^\n\n      at f (sum.js:2:14)\n      at Object.<anonymous> (sum.test.js:9:3)\n\nTests: 1 failed\n",
    },
    { test: 'math > throws', location: at('sum.js', 2, 14) },
  ],
  [
    'jest’s closeness',
    {
      tool: 'jest',
      message:
        'expect(received).toBeCloseTo(expected)\n\nExpected: 0.4\nReceived: 0.3\n\nExpected precision:    2\nExpected difference: < 0.005\nReceived difference:   0.1',
    },
    { expected: '0.4 ± 0.005', actual: '0.3' },
  ],
  [
    'jest’s unwanted error',
    { tool: 'jest', message: 'expect(received).not.toThrow()\n\nError name:    "Error"\nError message: "boom"\n' },
    { expected: 'no error', actual: 'Error: boom' },
  ],
  [
    'mocha’s list',
    {
      tool: 'mocha',
      stdout:
        '  1 failing\n\n  1) math\n       adds:\n\n      AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:\n\n1 !== 2\n\n      + expected - actual\n\n      -1\n      +2\n      \n      at Context.<anonymous> (test/a.js:5:14)\n',
    },
    { kind: 'logic', test: 'math > adds', expected: '2', actual: '1' },
  ],
  [
    'TAP of node:test, leaves only',
    {
      exit_code: 1,
      stdout:
        "# Subtest: math\n    # Subtest: adds\n    not ok 1 - adds\n      ---\n      failureType: 'testCodeFailure'\n      error: |-\n        Expected values to be strictly equal:\n        \n        1 !== 2\n        \n      code: 'ERR_ASSERTION'\n      name: 'AssertionError'\n      expected: 2\n      actual: 1\n      stack: |-\n        TestContext.<anonymous> (file:///app/a.test.js:6:12)\n      ...\nnot ok 1 - math\n  ---\n  failureType: 'subtestsFailed'\n  error: '1 subtest failed'\n  ...\n",
    },
    { test: 'math > adds', expected: '2', actual: '1', location: at('a.test.js', 6, 12) },
  ],
  [
    'unittest, whose signs are the other way round',
    {
      tool: 'unittest',
      stderr:
        "======================================================================\nFAIL: test_y (test_p.T.test_y)\n----------------------------------------------------------------------\nTraceback (most recent call last):\n  File \"/app/test_p.py\", line 8, in test_y\n    self.assertEqual(g(), 'two')\nAssertionError: 'one' != 'two'\n- one\n+ two\n\n\nRan 3 tests in 0.001s\n",
    },
    { test: 'T.test_y', expected: "'two'", actual: "'one'", diff: '+ one\n- two' },
  ],
  [
    'pytest’s difference of lists',
    {
      tool: 'pytest',
      stdout:
        '=== FAILURES ===\n____ TestA.test_list ____\n\n>       assert f() == [1, 4]\nE       assert [1, 3] == [1, 4]\nE         \nE         At index 1 diff: 3 != 4\n\ntest_p.py:5: AssertionError\n',
    },
    { expected: '[1, 4]', actual: '[1, 3]', hint: 'first difference at index 1: 3 != 4' },
  ],
  [
    'an error in the code under pytest',
    {
      tool: 'pytest',
      stdout:
        '=== FAILURES ===\n____ test_boom ____\n\n>       f(0)\n\ntest_p.py:12: \n_ _ _ _\n\n>       return 1 / n\nE       ZeroDivisionError: division by zero\n\nsol.py:2: ZeroDivisionError\n',
    },
    { kind: 'runtime', location: at('sol.py', 2, 1) },
  ],
  [
    'an exception group',
    {
      tool: 'python',
      stderr:
        '  + Exception Group Traceback (most recent call last):\n  |   File "/app/s.py", line 3, in <module>\n  |     raise g\n  | ExceptionGroup: many (2 sub-exceptions)\n  +-+---------------- 1 ----------------\n    | ValueError: a\n    +---------------- 2 ----------------\n    | TypeError: b\n    +------------------------------------\n',
    },
    { message: 'ExceptionGroup: many (2 sub-exceptions)', hint: 'holds ValueError: a; TypeError: b' },
  ],
  [
    'frames of Python’s library are not one’s own',
    {
      tool: 'python',
      stderr:
        'Traceback (most recent call last):\n  File "/app/s.py", line 5, in <module>\n    json.loads(x)\n  File "/usr/lib/python3.12/json/decoder.py", line 340, in decode\n    raise\njson.decoder.JSONDecodeError: Expecting value\n',
    },
    { location: at('s.py', 5, 1) },
  ],
  [
    'psql’s text',
    {
      tool: 'psql',
      stderr:
        'ERROR:  column "nope" does not exist\nLINE 2: nope FROM orders\n        ^\nHINT:  Perhaps you meant "orders.note".\n',
    },
    { code: '42703', location: at('(query)', 2, 1) },
  ],
  [
    'SQLite’s syntax error',
    { sql: 'SELECT * FORM t', error: { code: 'ERR_SQLITE_ERROR', message: 'near "FORM": syntax error' } },
    { kind: 'syntax', location: at('(query)', 1, 10) },
  ],
  [
    'a constraint of SQLite',
    { error: { code: 'SQLITE_CONSTRAINT_UNIQUE', message: 'UNIQUE constraint failed: users.email' } },
    { kind: 'runtime' },
  ],
  [
    'dash’s open construct',
    {
      code: 'if true\nthen echo x\n',
      stderr: 's.sh: 3: Syntax error: end of file unexpected (expecting "fi")\n',
      exit_code: 2,
    },
    { kind: 'syntax', location: at('s.sh', 1, 1) },
  ],
  [
    'a script that grep ended',
    { tool: 'bash', code: 'set -e\necho start\ngrep foo /dev/null\necho end\n', stdout: 'start\n', exit_code: 1 },
    { location: at('(candidate)', 3, 1), actual: 'grep foo /dev/null' },
  ],
  [
    'a missing command in Russian',
    { tool: 'bash', stderr: 's.sh: строка 3: foo: команда не найдена\n', exit_code: 127 },
    { kind: 'dependency', actual: 'foo' },
  ],
  ['a segmentation fault', { exit_code: 139 }, { kind: 'crash', code: 'SIGSEGV' }],
  ['a time limit of coreutils', { exit_code: 124 }, { kind: 'timeout' }],
  [
    'node’s missing export, with a file URL',
    {
      stderr:
        "file:///app/a.js:1\nimport { foo } from './b.js'\n         ^^^\nSyntaxError: The requested module './b.js' does not provide an export named 'foo'\n    at ModuleJob._instantiate (node:internal/modules/esm/module_job:180:21)\n",
      exit_code: 1,
    },
    { kind: 'dependency', location: at('a.js', 1, 10) },
  ],
  [
    'paths of the host in a message',
    {
      stderr:
        "Error [ERR_MODULE_NOT_FOUND]: Cannot find module '/app/nope.js' imported from /app/a.js\n    at finalizeResolution (node:internal/modules/esm/resolve:275:11)\n",
      exit_code: 1,
    },
    { message: "Cannot find module 'nope.js' imported from a.js" },
  ],
  [
    'frames of eval',
    {
      stack:
        'TypeError: a.b is not a function\n    at eval (eval at run (/app/s.ts:3:5), <anonymous>:1:7)\n    at Array.map (<anonymous>)',
    },
    { location: at('s.ts', 3, 5) },
  ],
  [
    'frames of other engines',
    { stack: 'parse@http://localhost:5173/src/s.ts?t=123:10:5\n@http://localhost:5173/src/s.ts:12:3', message: 'boom' },
    { location: at('src/s.ts', 10, 5) },
  ],
]

describe('purify reads', () => {
  it.each(rows)('%s', (_, raw, wanted) => {
    const failures = purify(raw)
    expect(failures).toHaveLength(1)
    expect(failures[0]).toMatchObject(wanted)
  })

  it('the first difference of large values by its path', () => {
    const items = (price: number) => ({
      items: Array.from({ length: 40 }, (_, id) => ({ id, price: id === 33 ? price : id })),
    })
    const [failure] = purify({
      tool: 'vitest',
      error: {
        name: 'AssertionError',
        message: 'expected a to deeply equal b',
        expected: items(0.3),
        actual: items(0.1 + 0.2),
      },
    })
    expect(failure?.hint).toMatch(
      /first difference at \.items\[33\]\.price: they differ only by floating-point rounding/,
    )
  })

  it('warnings as warnings, after errors', () => {
    const failures = purify({
      tool: 'esbuild',
      stderr:
        '▲ [WARNING] odd [equals-negative-zero]\n\n    src/a.ts:3:5:\n\n✘ [ERROR] Unexpected ";"\n\n    src/a.ts:2:12:\n',
    })
    expect(failures.map(({ severity }) => severity)).toEqual(['error', 'warning'])
  })

  it('nothing in the output of a good run', () => {
    expect(
      purify({ tool: 'vitest', exitCode: 0, stdout: ' ✓ a.test.ts (3 tests)\n\n Test Files  1 passed (1)\n' }),
    ).toEqual([])
  })

  it('one error that stops many tests once', () => {
    const block = (name: string) =>
      ` FAIL  a.test.ts > ${name}\nTypeError: x is undefined\n ❯ f src/solution.ts:2:3\n\n⎯⎯⎯⎯⎯[1/2]⎯\n\n`
    const details = purifyDetailed({ tool: 'vitest', stderr: block('one') + block('two') + block('three') })
    expect(details).toHaveLength(1)
    expect(details[0]?.failure.hint).toMatch(/same error in 2 other tests/)
  })
})

const source =
  'interface Row {\n  id: number;\n}\nexport function run(rows: Row[]): void {\n  if (rows.length === 0) throw new Error("no rows");\n}\n'

describe('failureFromGuestError', () => {
  it('maps emitted places to the author’s text and keeps the tests’ line apart', () => {
    const emitted = transformSync(source, {
      loader: 'ts',
      sourcemap: true,
      minifyWhitespace: true,
      sourcefile: 'solution.ts',
    })
    const column = emitted.code.indexOf('new Error') + 1
    const failure = failureFromGuestError(
      {
        name: 'Error',
        message: 'no rows',
        stack: `Error: no rows\n    at run (solution.js:1:${column})\n    at solution.test.ts:2:1`,
      },
      {
        layer: 'tests',
        test: 'runs',
        sources: { 'solution.ts': { source, map: emitted.map } },
        testSources: { 'solution.test.ts': { source: 'a\nrun([])\n' } },
      },
    )
    expect(failure).toMatchObject({
      kind: 'runtime',
      test: 'runs',
      location: { file: 'solution.ts', line: 5 },
      assertion: { file: 'solution.test.ts', line: 2, source: 'run([])' },
    })
    expect(failure.frame).toMatch(/> 5 \|/)
  })
})

describe('failureFromDiagnostic', () => {
  it('joins the chain, takes the suggestion out and frames the place', () => {
    const failure = failureFromDiagnostic({
      code: 2551,
      message: "Property 'adress' does not exist on type 'User'. Did you mean 'address'?",
      file: 'a.ts',
      source: 'let a\nu.adress\n',
      start: 8,
    })
    expect(failure).toMatchObject({
      layer: 'types',
      kind: 'type',
      code: 'TS2551',
      message: "Property 'adress' does not exist on type 'User'.",
      hint: "did you mean 'address'?",
      location: { file: 'a.ts', line: 2, column: 3 },
    })
    expect(failure.frame).toContain('> 2 | u.adress\n    |   ^')
  })
})

describe('classify', () => {
  it('goes by codes, names and fixed sentences, and says when no rule fits', () => {
    expect(classify({ message: 'ОШИБКА: отношение "t" уже существует', code: '42P07' })).toMatchObject({
      finer: 'schema',
      by: 'SQLSTATE',
    })
    expect(classify('TypeError: x is not a function').kind).toBe('runtime')
    expect(classify("a.ts(1,1): error TS2307: Cannot find module 'x'.").kind).toBe('dependency')
    expect(classify('maximum recursion depth exceeded')).toMatchObject({ finer: 'stack_overflow' })
    expect(classify('the moon is blue')).toEqual({ kind: null, by: null })
  })
})

describe('renderFailures', () => {
  it('stays within its length and counts what it leaves out', () => {
    const failures = Array.from({ length: 30 }, (_, index) =>
      failureFromDiagnostic({ code: 2304, message: `Cannot find name 'n${index}'.` }),
    )
    const text = renderFailures(failures, { maxLength: 400 })
    expect(text.length).toBeLessThan(450)
    expect(text).toMatch(/and \d+ more failures/)
  })
})
