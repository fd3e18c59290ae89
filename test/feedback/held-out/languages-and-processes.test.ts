import { describe, expect, it } from 'vitest'
import { purifyDetailed } from '../../../src/feedback/purify.ts'

type Wanted = Readonly<Record<string, unknown>>
type Row = readonly [title: string, raw: unknown, ...wanted: Wanted[]]
const at = (file: string, line: number, column: number) => ({ file, line, column })
const place = (file: string, line: number) => expect.objectContaining({ file, line })
const has = (text: string) => expect.stringContaining(text)

/** Each row: what a tool printed, and the failures to take from it, all of them, in order. */
const read = (rows: readonly Row[]) =>
  it.each(rows)('%s', (_, raw, ...wanted) => {
    const failures = purifyDetailed(raw).map(({ failure, finer, ...more }) => ({ ...more, ...failure, finer }))
    expect(failures).toMatchObject(wanted)
  })

describe('Python, other versions and runners', () => {
  read([
    [
      'a traceback of 3.8, without underlines',
      {
        tool: 'python',
        exit_code: 1,
        stderr:
          'Traceback (most recent call last):\n  File "/work/solution.py", line 12, in <module>\n    main()\n  File "/work/solution.py", line 7, in main\n    return xs[5]\nIndexError: list index out of range\n',
      },
      { kind: 'runtime', message: has('list index out of range'), location: place('solution.py', 7) },
    ],
    [
      'a traceback of 3.13 with a suggestion',
      {
        tool: 'python',
        exit_code: 1,
        stderr:
          'Traceback (most recent call last):\n  File "/work/s.py", line 3, in <module>\n    prnt("x")\n    ^^^^\nNameError: name \'prnt\' is not defined. Did you mean: \'print\'?\n',
      },
      { kind: 'runtime', message: has("name 'prnt' is not defined"), suggestion: 'print', location: place('s.py', 3) },
    ],
    [
      'a cause alone',
      {
        tool: 'python',
        exit_code: 1,
        stderr:
          'Traceback (most recent call last):\n  File "/app/a.py", line 2, in read\n    return int(t)\nValueError: invalid literal for int() with base 10: \'q\'\n\nThe above exception was the direct cause of the following exception:\n\nTraceback (most recent call last):\n  File "/app/a.py", line 9, in <module>\n    read("q")\n  File "/app/a.py", line 4, in read\n    raise RuntimeError("bad row") from e\nRuntimeError: bad row\n',
      },
      {
        message: has('bad row'),
        location: place('a.py', 4),
        causes: [has("invalid literal for int() with base 10: 'q'")],
      },
    ],
    [
      'an error without a message',
      {
        tool: 'python',
        exit_code: 1,
        stderr:
          'Traceback (most recent call last):\n  File "/app/a.py", line 2, in <module>\n    raise NotImplementedError\nNotImplementedError\n',
      },
      { kind: 'runtime', message: has('NotImplementedError'), location: place('a.py', 2) },
    ],
    [
      'an error whose message has several lines',
      {
        tool: 'python',
        exit_code: 1,
        stderr:
          'Traceback (most recent call last):\n  File "/app/a.py", line 2, in <module>\n    raise ValueError("one\\ntwo")\nValueError: one\ntwo\n',
      },
      { kind: 'runtime', message: has('one'), location: place('a.py', 2) },
    ],
    [
      'an assertion without words',
      {
        tool: 'python',
        exit_code: 1,
        stderr:
          'Traceback (most recent call last):\n  File "/app/a.py", line 6, in <module>\n    assert f(2) == 4\n           ^^^^^^^^^\nAssertionError\n',
      },
      { kind: 'logic', message: has('f(2) == 4'), location: place('a.py', 6) },
    ],
    [
      'syntax of 3.10 without a comma',
      {
        tool: 'python',
        exit_code: 1,
        stderr:
          '  File "/app/a.py", line 4\n    return [1 2]\n            ^^^\nSyntaxError: invalid syntax. Perhaps you forgot a comma?\n',
      },
      { kind: 'syntax', location: at('a.py', 4, 9) },
    ],
    [
      'an unindent that fits nowhere',
      {
        tool: 'python',
        exit_code: 1,
        stderr:
          '  File "/app/a.py", line 5\n    return x\n            ^\nIndentationError: unindent does not match any outer indentation level\n',
      },
      { kind: 'syntax', location: place('a.py', 5) },
    ],
    [
      'a name that a module does not have',
      {
        tool: 'python',
        exit_code: 1,
        stderr:
          "Traceback (most recent call last):\n  File \"/app/t.py\", line 1, in <module>\n    from solution import nope\nImportError: cannot import name 'nope' from 'solution' (/app/solution.py)\n",
      },
      { kind: 'dependency', message: has("cannot import name 'nope'") },
    ],
    [
      'two functions that call each other',
      {
        tool: 'python',
        exit_code: 1,
        stderr:
          'Traceback (most recent call last):\n  File "/app/s.py", line 7, in <module>\n    even(3)\n  File "/app/s.py", line 2, in even\n    return odd(n - 1)\n  File "/app/s.py", line 5, in odd\n    return even(n - 1)\n  File "/app/s.py", line 2, in even\n    return odd(n - 1)\n  File "/app/s.py", line 5, in odd\n    return even(n - 1)\n  [Previous line repeated 493 more times]\nRecursionError: maximum recursion depth exceeded in comparison\n',
      },
      { kind: 'runtime', finer: 'stack_overflow', cycle: expect.arrayContaining(['even', 'odd']) },
    ],
    [
      'a memory error',
      {
        tool: 'python',
        exit_code: 1,
        stderr:
          'Traceback (most recent call last):\n  File "/app/s.py", line 1, in <module>\n    x = [0] * 10**12\nMemoryError\n',
      },
      { kind: 'memory', location: place('s.py', 1) },
    ],
    [
      'pytest 8, parametrised, compared strings',
      {
        tool: 'pytest',
        exit_code: 1,
        stdout:
          "=================================== FAILURES ===================================\n____________________________ test_slug[a b-a-b] ____________________________\n\ns = 'a b', want = 'a-b'\n\n    @pytest.mark.parametrize('s,want', [('a b', 'a-b')])\n    def test_slug(s, want):\n>       assert slug(s) == want\nE       AssertionError: assert 'a b' == 'a-b'\nE         \nE         - a-b\nE         ?  ^\nE         + a b\nE         ?  ^\n\ntests/test_slug.py:7: AssertionError\n=========================== short test summary info ============================\nFAILED tests/test_slug.py::test_slug[a b-a-b] - AssertionError: assert 'a b' == 'a-b'\n============================== 1 failed in 0.03s ===============================\n",
      },
      {
        kind: 'logic',
        test: 'test_slug[a b-a-b]',
        expected: "'a-b'",
        actual: "'a b'",
        location: place('tests/test_slug.py', 7),
      },
    ],
    [
      'pytest, a dict that lacks a key',
      {
        tool: 'pytest',
        exit_code: 1,
        stdout:
          "=== FAILURES ===\n___ test_d ___\n\n    def test_d():\n>       assert f() == {'a': 1, 'b': 2}\nE       AssertionError: assert {'a': 1} == {'a': 1, 'b': 2}\nE         \nE         Omitting 1 identical items, use -vv to show\nE         Right contains 1 more item:\nE         {'b': 2}\n\ntest_d.py:3: AssertionError\n=== 1 failed ===\n",
      },
      { kind: 'logic', test: 'test_d', expected: "{'a': 1, 'b': 2}", actual: "{'a': 1}" },
    ],
    [
      'pytest, an error that did not come',
      {
        tool: 'pytest',
        exit_code: 1,
        stdout:
          "=== FAILURES ===\n___ test_raises ___\n\n    def test_raises():\n>       with pytest.raises(ValueError):\nE       Failed: DID NOT RAISE <class 'ValueError'>\n\ntest_r.py:4: Failed\n=== 1 failed ===\n",
      },
      { kind: 'logic', test: 'test_raises', expected: has('ValueError'), actual: 'no error' },
    ],
    [
      'pytest, an approximate comparison',
      {
        tool: 'pytest',
        exit_code: 1,
        stdout:
          '=== FAILURES ===\n___ test_a ___\n\n>       assert f() == pytest.approx(0.4)\nE       assert 0.3 == 0.4 ± 4.0e-07\nE         \nE         comparison failed\nE         Obtained: 0.3\nE         Expected: 0.4 ± 4.0e-07\n\ntest_a.py:4: AssertionError\n',
      },
      { expected: '0.4 ± 4.0e-07', actual: '0.3' },
    ],
    [
      'pytest, a fixture that is not there',
      {
        tool: 'pytest',
        exit_code: 1,
        stdout:
          "=== ERRORS ===\n___ ERROR at setup of test_x ___\nfile /app/test_x.py, line 1\n  def test_x(db):\nE       fixture 'db' not found\n>       available fixtures: cache, capfd\n\n/app/test_x.py:1\n=== 1 error ===\n",
      },
      { kind: 'test', finer: 'fixture', message: has("fixture 'db' not found") },
    ],
    [
      'pytest, a syntax error while collecting',
      {
        tool: 'pytest',
        exit_code: 2,
        stdout:
          '=== ERRORS ===\n___ ERROR collecting test_c.py ___\n/usr/lib/python3/site-packages/_pytest/python.py:493: in importtestmodule\n    mod = import_path(\ntest_c.py:1: in <module>\n    from solution import f\nE     File "/app/solution.py", line 2\nE       return (\nE              ^\nE   SyntaxError: \'(\' was never closed\n=== 1 error in 0.1s ===\n',
      },
      { kind: 'syntax', message: has("'(' was never closed"), location: place('solution.py', 2) },
    ],
    [
      'unittest, an error in the code',
      {
        tool: 'unittest',
        exit_code: 1,
        stderr:
          'E\n======================================================================\nERROR: test_div (test_m.TestM.test_div)\n----------------------------------------------------------------------\nTraceback (most recent call last):\n  File "/app/test_m.py", line 6, in test_div\n    div(1, 0)\n  File "/app/m.py", line 2, in div\n    return a / b\n           ~~^~~\nZeroDivisionError: division by zero\n\n----------------------------------------------------------------------\nRan 1 test in 0.000s\n\nFAILED (errors=1)\n',
      },
      { kind: 'runtime', test: 'TestM.test_div', location: place('m.py', 2) },
    ],
    [
      'unittest, a message of one’s own',
      {
        tool: 'unittest',
        exit_code: 1,
        stderr:
          'F\n======================================================================\nFAIL: test_t (t.T)\n----------------------------------------------------------------------\nTraceback (most recent call last):\n  File "/app/t.py", line 5, in test_t\n    self.assertEqual(total(), 7, "the sum of all")\nAssertionError: 6 != 7 : the sum of all\n\n----------------------------------------------------------------------\nRan 1 test in 0.000s\n',
      },
      { kind: 'logic', expected: '7', actual: '6', message: has('the sum of all') },
    ],
    [
      'unittest, nothing ran',
      {
        tool: 'unittest',
        exit_code: 5,
        stderr:
          '\n----------------------------------------------------------------------\nRan 0 tests in 0.000s\n\nNO TESTS RAN\n',
      },
      { kind: 'test', finer: 'no_test_report' },
    ],
    [
      'a doctest',
      {
        tool: 'python',
        exit_code: 1,
        stdout:
          '**********************************************************************\nFile "/app/s.py", line 4, in s.f\nFailed example:\n    f(2)\nExpected:\n    4\nGot:\n    5\n**********************************************************************\n1 items had failures:\n   1 of   1 in s.f\n***Test Failed*** 1 failures.\n',
      },
      { kind: 'logic', expected: '4', actual: '5', location: place('s.py', 4) },
    ],
  ])
})

describe('databases, other clients', () => {
  read([
    [
      'psql with a file and a line in front',
      {
        tool: 'psql',
        exit_code: 3,
        stderr: 'psql:query.sql:4: ERROR:  syntax error at or near "FORM"\nLINE 2: FORM users\n        ^\n',
      },
      { kind: 'syntax', message: has('syntax error at or near "FORM"') },
    ],
    [
      'a null where none may be',
      {
        sql: 'INSERT INTO t (a) VALUES (NULL)',
        error: {
          code: '23502',
          message: 'null value in column "a" of relation "t" violates not-null constraint',
          detail: 'Failing row contains (1, null).',
          table: 't',
          column: 'a',
        },
      },
      { kind: 'runtime', finer: 'constraint', code: '23502', actual: has('Failing row'), table: 't' },
    ],
    [
      'a foreign key',
      {
        error: {
          code: '23503',
          message: 'insert or update on table "o" violates foreign key constraint "o_u_fkey"',
          detail: 'Key (u)=(9) is not present in table "users".',
          constraint: 'o_u_fkey',
        },
      },
      { finer: 'constraint', constraint: 'o_u_fkey' },
    ],
    [
      'a table that is not there, by asyncpg',
      {
        tool: 'python',
        exit_code: 1,
        stderr:
          'Traceback (most recent call last):\n  File "/app/q.py", line 5, in main\n    await c.fetch("SELECT 1 FROM nope")\n  File "/usr/lib/python3/site-packages/asyncpg/connection.py", line 690, in fetch\n    return await self._execute(\nasyncpg.exceptions.UndefinedTableError: relation "nope" does not exist\n',
      },
      { kind: 'runtime', message: has('relation "nope" does not exist'), location: place('q.py', 5) },
    ],
    [
      'a position behind characters of two units',
      {
        sql: "SELECT '😀😀' AS a\nFROM nope",
        error: { code: '42P01', message: 'relation "nope" does not exist', position: '23' },
      },
      { finer: 'schema', location: at('(query)', 2, 6) },
    ],
    [
      'a division by zero in French',
      { error: { code: '22012', message: 'division par zéro' } },
      { kind: 'runtime', code: '22012' },
    ],
    [
      'a statement that took too long',
      { error: { code: '57014', message: 'canceling statement due to statement timeout' } },
      { kind: 'timeout' },
    ],
    [
      'no connection',
      {
        tool: 'psql',
        exit_code: 2,
        stderr:
          'psql: error: connection to server at "localhost" (127.0.0.1), port 5432 failed: Connection refused\n\tIs the server running on that host and accepting TCP/IP connections?\n',
      },
      { kind: 'environment' },
    ],
    [
      'SQLite, a table that is not there',
      { sql: 'SELECT * FROM nope', error: { code: 'ERR_SQLITE_ERROR', message: 'no such table: nope' } },
      { finer: 'schema', message: 'no such table: nope' },
    ],
    [
      'SQLite, a check',
      { error: { code: 'ERR_SQLITE_ERROR', errcode: 275, message: 'CHECK constraint failed: age > 0' } },
      { finer: 'constraint' },
    ],
  ])
})

describe('shells, other shells', () => {
  read([
    [
      'a case left open',
      {
        tool: 'bash',
        code: 'case "$1" in\n  a) echo A;;\n',
        stderr: 's.sh: line 3: syntax error: unexpected end of file\n',
        exit_code: 2,
      },
      { kind: 'syntax', location: place('s.sh', 1) },
    ],
    [
      'newer words for an end of file',
      {
        tool: 'bash',
        code: 'echo start\nwhile true; do\n  echo x\n',
        stderr: "s.sh: line 4: syntax error: unexpected end of file from `while' command on line 2\n",
        exit_code: 2,
      },
      { kind: 'syntax', location: place('s.sh', 2) },
    ],
    [
      'an unexpected token',
      {
        tool: 'bash',
        stderr: "s.sh: line 2: syntax error near unexpected token `done'\ns.sh: line 2: `done'\n",
        exit_code: 2,
      },
      { kind: 'syntax', location: place('s.sh', 2) },
    ],
    [
      'a variable that is not set',
      { tool: 'bash', stderr: 's.sh: line 3: name: unbound variable\n', exit_code: 1 },
      { kind: 'runtime', message: has('name: unbound variable'), location: place('s.sh', 3) },
    ],
    [
      'a file that is not there',
      { tool: 'bash', stderr: 'cat: data.txt: No such file or directory\n', exit_code: 1 },
      { kind: 'runtime', message: has('No such file or directory') },
    ],
    [
      'zsh’s missing command',
      { tool: 'zsh', stderr: 'zsh: command not found: jqq\n', exit_code: 127 },
      { kind: 'dependency', actual: 'jqq' },
    ],
    [
      'a file that may not be run',
      { tool: 'bash', stderr: 's.sh: line 1: ./run.sh: Permission denied\n', exit_code: 126 },
      { kind: 'runtime', message: has('Permission denied') },
    ],
    [
      'a trace of commands before the failure',
      {
        tool: 'bash',
        stderr: "+ set -e\n+ cd /tmp/x\n+ ls nope\nls: cannot access 'nope': No such file or directory\n",
        exit_code: 2,
      },
      { kind: 'runtime', message: has("cannot access 'nope'") },
    ],
    [
      'a division by zero',
      { tool: 'bash', stderr: 's.sh: line 2: 1/0: division by 0 (error token is "0")\n', exit_code: 1 },
      { kind: 'runtime', location: place('s.sh', 2) },
    ],
  ])
})

describe('values that are hard to tell apart', () => {
  const numbers = (at57: number) => Array.from({ length: 100 }, (_, index) => (index === 57 ? at57 : index))
  const compared = (expected: unknown, actual: unknown) => ({
    tool: 'vitest',
    error: { name: 'AssertionError', message: 'expected a to deeply equal b', expected, actual },
  })
  read([
    [
      'one element of a hundred',
      compared(numbers(57), numbers(-1)),
      { expected: '… [57]: 57', actual: '… [57]: -1', hint: 'first difference at [57]: -1 instead of 57' },
    ],
    [
      'the end of a long text',
      compared(`${'a'.repeat(5_000)}b`, `${'a'.repeat(5_000)}c`),
      { expected: expect.stringMatching(/character 5001.*b'$/), actual: expect.stringMatching(/c'$/) },
    ],
    [
      'a blank of another kind',
      compared('a\u00a0b', 'a b'),
      { hint: 'characters that look alike differ: expected U+00A0, actual U+0020' },
    ],
    ['a letter composed in another way', compared('caf\u00e9', 'cafe\u0301'), { hint: has('U+00E9') }],
    [
      'a snapshot of jest, written inline',
      { tool: 'jest', message: 'expect(received).toMatchInlineSnapshot(snapshot)\n\nSnapshot: "a"\nReceived: "b"' },
      { finer: 'snapshot', expected: '"a"', actual: '"b"' },
    ],
    [
      'several errors in one',
      { error: new AggregateError([new Error('a'), new TypeError('b')], 'All promises were rejected') },
      { message: 'All promises were rejected', hint: 'holds Error: a; holds TypeError: b' },
    ],
    [
      'one error of types in many places',
      {
        tool: 'tsc',
        stdout: Array.from(
          { length: 40 },
          (_, line) => `a.ts(${line + 1},7): error TS2304: Cannot find name 'foo'.`,
        ).join('\n'),
      },
      { location: at('a.ts', 1, 7) },
      { location: at('a.ts', 2, 7) },
      { location: at('a.ts', 3, 7), hint: 'the same in 37 more places' },
    ],
    [
      'a frame without a file before one’s own',
      {
        exit_code: 1,
        stderr:
          "undefined:1\n{bad\n ^\n\nSyntaxError: Expected property name or '}' in JSON at position 1 (line 1 column 2)\n    at JSON.parse (<anonymous>)\n    at f (/app/s.js:2:8)\n",
      },
      {
        kind: 'runtime',
        message: "Expected property name or '}' in JSON at position 1 (line 1 column 2)",
        location: at('s.js', 2, 8),
      },
    ],
    [
      'a trace of commands and no word besides',
      { tool: 'bash', code: 'set -ex\nfalse\n', stderr: '+ false\n', exit_code: 1 },
      { finer: 'exit_code', actual: 'false', location: place('(candidate)', 2) },
    ],
    [
      'a run whose tests are all skipped',
      { tool: 'vitest', exit_code: 0, stdout: ' Test Files  1 skipped (1)\n      Tests  3 skipped (3)\n' },
      { kind: 'test', message: 'all tests are skipped' },
    ],
  ])
})

describe('processes, other ends', () => {
  read([
    [
      'a heap that ran full, in another engine’s words',
      {
        exit_code: 134,
        stderr:
          '<--- Last few GCs --->\n\n[1:0x1] 12 ms: Mark-Compact\n\nFATAL ERROR: Ineffective mark-compacts near heap limit Allocation failed - JavaScript heap out of memory\n',
      },
      { kind: 'memory' },
    ],
    ['a kill by the kernel', { exit_code: 137, stderr: 'Killed\n' }, { kind: 'memory' }],
    [
      'a kill by the engine’s own clock',
      { signal: 'SIGKILL', exit_code: null, endedBy: 'timeout' },
      { kind: 'timeout' },
    ],
    [
      'an abort',
      { exit_code: 134, stderr: 'node: ../src/node.cc:12: Assertion `x` failed.\nAborted (core dumped)\n' },
      { kind: 'crash' },
    ],
    ['an illegal instruction', { signal: 'SIGILL', exit_code: null }, { kind: 'crash', code: 'SIGILL' }],
    ['an exit without a word', { exit_code: 3, stdout: '', stderr: '' }, { finer: 'exit_code', code: '3' }],
    [
      'events of node:test, nested twice, with a timeout',
      {
        tool: 'node:test',
        events: [
          {
            type: 'test:fail',
            name: 'slow',
            nesting: 2,
            error: { failureType: 'testTimeoutFailure', message: 'test timed out after 100ms' },
          },
          {
            type: 'test:fail',
            name: 'inner',
            nesting: 1,
            error: { failureType: 'subtestsFailed', message: '1 subtest failed' },
          },
          {
            type: 'test:fail',
            name: 'outer',
            nesting: 0,
            error: { failureType: 'subtestsFailed', message: '1 subtest failed' },
          },
        ],
      },
      { kind: 'timeout', test: 'outer > inner > slow' },
    ],
    [
      'warnings alone',
      {
        exit_code: 0,
        stderr:
          '(node:12) ExperimentalWarning: SQLite is an experimental feature\n(Use `node --trace-warnings ...` to show where the warning was created)\n',
      },
    ],
  ])
})
