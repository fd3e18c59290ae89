import { describe, expect, it } from 'vitest'
import { purifyDetailed } from '../../../src/feedback/purify.ts'

type Wanted = Readonly<Record<string, unknown>>
type Row = readonly [title: string, raw: unknown, ...wanted: Wanted[]]
const at = (file: string, line: number, column: number) => ({ file, line, column })
const place = (file: string, line: number) => expect.objectContaining({ file, line })

/** Each row: what a tool printed, and the failures to take from it, all of them, in order. */
const read = (rows: readonly Row[]) =>
  it.each(rows)('%s', (_, raw, ...wanted) => {
    const failures = purifyDetailed(raw).map(({ failure, finer }) => ({ ...failure, finer }))
    expect(failures).toMatchObject(wanted)
  })

describe('runners of JavaScript, other versions', () => {
  read([
    [
      'vitest 1, its whole log with summary and source frame',
      {
        tool: 'vitest',
        exit_code: 1,
        stdout:
          ' RUN  v1.6.0 /home/me/app\n\n ❯ src/cart.test.ts  (2 tests | 1 failed) 8ms\n   ❯ src/cart.test.ts > cart > adds\n     → expected 3 to be 4 // Object.is equality\n\n Test Files  1 failed (1)\n      Tests  1 failed | 1 passed (2)\n',
        stderr:
          '⎯⎯⎯⎯⎯⎯⎯ Failed Tests 1 ⎯⎯⎯⎯⎯⎯⎯\n\n FAIL  src/cart.test.ts > cart > adds\nAssertionError: expected 3 to be 4 // Object.is equality\n\n- Expected\n+ Received\n\n- 4\n+ 3\n\n ❯ src/cart.test.ts:7:21\n      5| describe("cart", () => {\n      6|   it("adds", () => {\n      7|     expect(add(1, 2)).toBe(4)\n       |                     ^\n      8|   })\n\n⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯[1/1]⎯\n',
      },
      { kind: 'logic', test: 'cart > adds', expected: '4', actual: '3', location: at('src/cart.test.ts', 7, 21) },
    ],
    [
      'vitest 3, with the project in front and a function’s name in the frame',
      {
        tool: 'vitest',
        stderr:
          " FAIL  |unit| src/cart.test.ts > cart > total\nTypeError: Cannot read properties of undefined (reading 'price')\n ❯ total src/cart.ts:3:29\n      1| \n ❯ Array.reduce <anonymous>\n ❯ src/cart.test.ts:12:10\n\n⎯⎯⎯⎯[1/1]⎯\n",
      },
      { kind: 'runtime', code: 'TypeError', test: 'cart > total', location: at('src/cart.ts', 3, 29) },
    ],
    [
      'vitest 4, two failures and one that stops a file',
      {
        tool: 'vitest',
        stderr:
          "⎯⎯⎯⎯ Failed Suites 1 ⎯⎯⎯⎯\n\n FAIL  b.test.ts [ b.test.ts ]\nError: Cannot find module './nope' imported from '/app/b.test.ts'\n ❯ b.test.ts:1:1\n\n⎯⎯⎯⎯[1/2]⎯\n\n⎯⎯⎯⎯ Failed Tests 1 ⎯⎯⎯⎯\n\n FAIL  a.test.ts > f\nAssertionError: expected [ 1, 2 ] to deeply equal [ 1, 3 ]\n\n- Expected\n+ Received\n\n  [\n    1,\n-   3,\n+   2,\n  ]\n\n ❯ a.test.ts:4:15\n\n⎯⎯⎯⎯[2/2]⎯\n",
      },
      { kind: 'dependency', finer: 'import' },
      { kind: 'logic', test: 'f', expected: '[ 1, 3 ]', actual: '[ 1, 2 ]' },
    ],
    [
      'vitest, a snapshot that differs',
      {
        tool: 'vitest',
        stderr:
          ' FAIL  a.test.ts > renders\nError: Snapshot `renders 1` mismatched\n\n- Expected\n+ Received\n\n- "<b>one</b>"\n+ "<b>two</b>"\n\n ❯ a.test.ts:3:20\n',
      },
      { kind: 'logic', finer: 'snapshot', expected: '"<b>one</b>"', actual: '"<b>two</b>"' },
    ],
    [
      'vitest, a hook that takes too long',
      {
        tool: 'vitest',
        stderr:
          ' FAIL  a.test.ts > db\nError: Hook timed out in 10000ms.\nIf this is a long-running hook, pass a timeout value as the last argument or configure it globally with "hookTimeout".\n ❯ a.test.ts:2:1\n',
      },
      { kind: 'timeout', message: expect.not.stringMatching(/long-running/) },
    ],
    [
      'vitest, a missing name of a module',
      {
        tool: 'vitest',
        stderr: ' FAIL  a.test.ts > f\nTypeError: (0 , parse) is not a function\n ❯ a.test.ts:3:10\n',
      },
      { kind: expect.stringMatching(/^(?:runtime|dependency)$/), message: expect.stringContaining('parse') },
    ],
    [
      'jest 27, toEqual with a difference in lines',
      {
        tool: 'jest',
        stderr:
          'FAIL src/cart.test.js\n  cart\n    ✕ sorts (4 ms)\n\n  ● cart › sorts\n\n    expect(received).toEqual(expected) // deep equality\n\n    - Expected  - 1\n    + Received  + 1\n\n      Array [\n        1,\n    -   2,\n    +   3,\n      ]\n\n      10 |   it("sorts", () => {\n    > 11 |     expect(sort([3, 1])).toEqual([1, 2]);\n         |                          ^\n      12 |   });\n\n      at Object.<anonymous> (src/cart.test.js:11:26)\n\nTest Suites: 1 failed, 1 total\n',
      },
      {
        kind: 'logic',
        test: 'cart > sorts',
        diff: expect.stringContaining('3'),
        location: at('src/cart.test.js', 11, 26),
      },
    ],
    [
      'jest 29, not.toBe',
      {
        tool: 'jest',
        stderr:
          'FAIL ./a.test.js\n  ● differs\n\n    expect(received).not.toBe(expected) // Object.is equality\n\n    Expected: not 3\n\n      at Object.toBe (a.test.js:4:21)\n',
      },
      { kind: 'logic', test: 'differs', expected: 'not 3' },
    ],
    [
      'jest 30, a rejected promise',
      {
        tool: 'jest',
        stderr:
          'FAIL ./a.test.ts\n  ● loads\n\n    expect(received).resolves.toBe()\n\n    Received promise rejected instead of resolved\n    Rejected to value: [Error: no such user]\n\n      at expect (../node_modules/expect/build/index.js:1:1)\n      at Object.<anonymous> (a.test.ts:5:9)\n',
      },
      { kind: 'logic', test: 'loads', actual: 'rejected with Error: no such user' },
    ],
    [
      'jest, a call that did not come',
      {
        tool: 'jest',
        message:
          'expect(jest.fn()).toHaveBeenCalledWith(...expected)\n\nExpected: "a", 1\nReceived: "a", 2\n\nNumber of calls: 1',
      },
      { kind: 'logic', expected: '"a", 1', actual: '"a", 2' },
    ],
    [
      'jest, a module that is not there',
      {
        tool: 'jest',
        stderr:
          "FAIL ./a.test.js\n  ● Test suite failed to run\n\n    Cannot find module './nope' from 'a.test.js'\n\n    > 1 | const x = require('./nope');\n        |           ^\n\n      at Resolver._throwModNotFoundError (node_modules/jest-resolve/build/resolver.js:427:11)\n      at Object.require (a.test.js:1:11)\n",
      },
      { kind: 'dependency', finer: 'import', message: expect.stringContaining('./nope') },
    ],
    [
      'jest, a suite without tests',
      {
        tool: 'jest',
        stderr:
          'FAIL ./a.test.js\n  ● Test suite failed to run\n\n    Your test suite must contain at least one test.\n\n      at onResult (node_modules/@jest/core/build/TestScheduler.js:133:18)\n',
      },
      { kind: 'test', finer: 'no_test_report' },
    ],
    [
      'node:test’s spec reporter',
      {
        tool: 'node:test',
        exit_code: 1,
        stdout:
          "▶ math\n  ✔ subs (0.4ms)\n  ✖ adds (1.2ms)\n✖ math (2.1ms)\nℹ tests 2\nℹ fail 1\n\n✖ failing tests:\n\ntest at a.test.js:5:3\n✖ adds (1.2ms)\n  AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:\n  \n  3 !== 4\n  \n      at TestContext.<anonymous> (file:///app/a.test.js:6:12)\n      at Test.runInAsyncScope (node:async_hooks:211:14) {\n    generatedMessage: true,\n    code: 'ERR_ASSERTION',\n    actual: 3,\n    expected: 4,\n    operator: 'strictEqual'\n  }\n",
      },
      { kind: 'logic', test: expect.stringContaining('adds'), expected: '4', actual: '3' },
    ],
    [
      'TAP 13 of another producer',
      {
        stdout:
          "TAP version 13\n1..2\nok 1 - a\nnot ok 2 - b\n  ---\n  message: 'should be equal'\n  operator: equal\n  expected: 2\n  actual: 1\n  at: Test.<anonymous> (/app/t.js:4:5)\n  ...\n",
        exit_code: 1,
      },
      { test: 'b', expected: '2', actual: '1' },
    ],
    [
      'mocha 10, an error in a hook',
      {
        tool: 'mocha',
        stdout:
          '  0 passing (3ms)\n  1 failing\n\n  1) db\n       "before each" hook for "reads":\n     Error: no connection\n      at connect (src/db.js:4:9)\n      at Context.<anonymous> (test/db.js:6:5)\n',
      },
      { message: 'no connection', location: at('src/db.js', 4, 9) },
    ],
    [
      'mocha, two failures with chai’s difference',
      {
        tool: 'mocha',
        stdout:
          '  2 failing\n\n  1) list\n       is empty:\n\n      AssertionError: expected [ 1 ] to deeply equal []\n      + expected - actual\n\n      -[\n      -  1\n      -]\n      +[]\n      \n      at Context.<anonymous> (test/a.js:5:14)\n\n  2) list\n       has length:\n     AssertionError: expected 1 to equal 2\n      + expected - actual\n\n      -1\n      +2\n      \n      at Context.<anonymous> (test/a.js:9:14)\n',
      },
      { test: 'list > is empty', kind: 'logic', expected: '[]', actual: '[ 1 ]' },
      { test: 'list > has length', expected: '2', actual: '1' },
    ],
    [
      'a timeout of mocha',
      {
        tool: 'mocha',
        stdout:
          '  1 failing\n\n  1) waits:\n     Error: Timeout of 2000ms exceeded. For async tests and hooks, ensure "done()" is called; if returning a Promise, ensure it resolves. (/app/test/a.js)\n      at listOnTimeout (node:internal/timers:581:17)\n',
      },
      { kind: 'timeout', test: 'waits', message: expect.not.stringMatching(/ensure/) },
    ],
    [
      'an AggregateError of node, uncaught',
      {
        exit_code: 1,
        stderr:
          'node:internal/process/promises:394\n      triggerUncaughtException(err, true /* fromPromise */);\n      ^\n\n[AggregateError: All promises were rejected] {\n  [errors]: [\n    Error: a\n        at file:///app/s.mjs:1:35,\n    Error: b\n        at file:///app/s.mjs:1:60\n  ]\n}\n\nNode.js v22.16.0\n',
      },
      { kind: 'runtime', message: expect.stringContaining('All promises were rejected') },
    ],
    [
      'an unhandled rejection of a value that is no Error',
      {
        exit_code: 1,
        stderr:
          'node:internal/process/promises:394\n      triggerUncaughtException(err, true /* fromPromise */);\n      ^\n\n[UnhandledPromiseRejection: This error originated either by throwing inside of an async function without a catch block, or by rejecting a promise which was not handled with .catch(). The promise rejected with the reason "nope".] {\n  code: \'ERR_UNHANDLED_REJECTION\'\n}\n\nNode.js v24.0.0\n',
      },
      { kind: 'runtime', message: expect.stringContaining('nope') },
    ],
    [
      'an error with a cause, uncaught',
      {
        exit_code: 1,
        stderr:
          "file:///app/s.mjs:4\n  throw new Error('cannot load', { cause: error })\n        ^\n\nError: cannot load\n    at load (file:///app/s.mjs:4:9)\n    at file:///app/s.mjs:8:1 {\n  [cause]: TypeError: inner\n      at parse (file:///app/s.mjs:1:27)\n}\n\nNode.js v22.16.0\n",
      },
      { message: 'cannot load', location: at('s.mjs', 1, 27), hint: expect.stringContaining('inner') },
    ],
    [
      'node’s deep difference',
      {
        tool: 'node:assert',
        error: {
          name: 'AssertionError',
          code: 'ERR_ASSERTION',
          message: 'Expected values to be strictly deep-equal:\n+ actual - expected\n\n  {\n+   a: 1\n-   a: 2\n  }\n',
          actual: { a: 1 },
          expected: { a: 2 },
        },
      },
      { kind: 'logic', expected: '{ a: 2 }', actual: '{ a: 1 }' },
    ],
    [
      'minus zero',
      {
        tool: 'vitest',
        error: {
          name: 'AssertionError',
          message: 'expected +0 to be -0 // Object.is equality',
          expected: -0,
          actual: 0,
        },
      },
      { expected: '-0', actual: expect.stringMatching(/^\+?0$/) },
    ],
    [
      'undefined against a missing member, the other way round',
      {
        tool: 'vitest',
        error: {
          name: 'AssertionError',
          message: 'expected {} to strictly equal { a: undefined }',
          expected: { a: undefined },
          actual: {},
        },
      },
      { expected: '{ a: undefined }', actual: '{}', message: expect.stringContaining('a') },
    ],
    [
      'dates',
      {
        tool: 'vitest',
        error: {
          name: 'AssertionError',
          message: 'expected 2024-01-01T00:00:00.000Z to deeply equal 2024-01-02T00:00:00.000Z',
          expected: new Date(Date.UTC(2024, 0, 2)),
          actual: new Date(Date.UTC(2024, 0, 1)),
        },
      },
      { expected: expect.stringContaining('2024-01-02'), actual: expect.stringContaining('2024-01-01') },
    ],
    ['a thrown number', { thrown: 42 }, { kind: 'runtime', message: 'thrown value (not an Error): 42' }],
    [
      'a thrown error of a class of one’s own',
      { thrown: Object.assign(new Error('bad input'), { name: 'Bad' }) },
      { kind: 'runtime', message: expect.stringContaining('bad input') },
    ],
    [
      'too much recursion, in another engine’s words',
      {
        stack:
          'InternalError: too much recursion\nwalk@http://localhost/s.ts:3:5\nwalk@http://localhost/s.ts:3:5\nwalk@http://localhost/s.ts:3:5\n',
      },
      { kind: 'runtime', finer: 'stack_overflow' },
    ],
    [
      'a stack of Safari',
      { stack: 'parse@file:///app/s.ts:10:5\nmodule code@file:///app/s.ts:20:1', message: 'boom' },
      { location: at('s.ts', 10, 5) },
    ],
    [
      'a stack of Bun',
      {
        stack:
          'Error: boom\n      at parse (/app/s.ts:10:5)\n      at /app/s.ts:20:1\n      at processTicksAndRejections (native:7:39)',
      },
      { message: 'boom', location: at('s.ts', 10, 5) },
    ],
    [
      'a stack of Deno',
      {
        stack:
          'error: Uncaught (in promise) Error: boom\n    at parse (file:///app/s.ts:10:5)\n    at ext:core/01_core.js:1:1',
      },
      { message: 'boom', location: at('s.ts', 10, 5) },
    ],
  ])
})

describe('compilers and bundlers, other versions', () => {
  read([
    [
      'tsc pretty with colours',
      {
        tool: 'tsc',
        stdout:
          "\u001b[96msrc/a.ts\u001b[0m:\u001b[93m5\u001b[0m:\u001b[93m10\u001b[0m - \u001b[91merror\u001b[0m\u001b[90m TS2339: \u001b[0mProperty 'foo' does not exist on type 'Bar'.\n\n\u001b[7m5\u001b[0m   return b.foo\n\u001b[7m \u001b[0m \u001b[91m           ~~~\u001b[0m\n\n\nFound 1 error in src/a.ts:5\n",
      },
      { kind: 'type', code: 'TS2339', location: at('src/a.ts', 5, 10) },
    ],
    [
      'tsc, arguments in number',
      { tool: 'tsc', stdout: 'src/a.ts(3,5): error TS2554: Expected 2 arguments, but got 1.\n' },
      { kind: 'type', code: 'TS2554', expected: '2 arguments', actual: '1 arguments' },
    ],
    [
      'tsc, a syntax error is no type error',
      { tool: 'tsc', stdout: "src/a.ts(3,1): error TS1005: '}' expected.\n" },
      { kind: 'syntax', code: 'TS1005' },
    ],
    [
      'tsc in German',
      {
        tool: 'tsc',
        stdout: 'src/a.ts(3,7): error TS2322: Der Typ "string" kann dem Typ "number" nicht zugewiesen werden.\n',
      },
      { code: 'TS2322', expected: 'number', actual: 'string' },
    ],
    [
      'tsc, no input',
      {
        tool: 'tsc',
        exit_code: 2,
        stdout:
          "error TS18003: No inputs were found in config file '/app/tsconfig.json'. Specified 'include' paths were '[\"src\"]' and 'exclude' paths were '[]'.\n",
      },
      { kind: 'environment', code: 'TS18003' },
    ],
    [
      'tsc, a missing export',
      { tool: 'tsc', stdout: "src/a.ts(1,10): error TS2305: Module '\"./b\"' has no exported member 'c'.\n" },
      { kind: 'dependency', code: 'TS2305' },
    ],
    [
      'vue-tsc',
      {
        tool: 'vue-tsc',
        stdout: "src/App.vue(12,7): error TS2322: Type 'string' is not assignable to type 'number'.\n",
      },
      { kind: 'type', location: at('src/App.vue', 12, 7) },
    ],
    [
      'esbuild 0.25, a module that is not there',
      {
        tool: 'esbuild',
        exit_code: 1,
        stderr:
          '✘ [ERROR] Could not resolve "left-pad"\n\n    src/a.ts:1:20:\n      1 │ import leftPad from "left-pad"\n        ╵                     ~~~~~~~~~~\n\n  You can mark the path "left-pad" as external to exclude it from the bundle.\n\n1 error\n',
      },
      { kind: 'dependency', finer: 'import', location: at('src/a.ts', 1, 21) },
    ],
    [
      'esbuild through vite, in one line',
      { tool: 'vite', stderr: 'Error: Transform failed with 1 error:\n/app/src/a.ts:2:12: ERROR: Unexpected ";"\n' },
      { kind: 'syntax', message: 'Unexpected ";"', location: at('src/a.ts', 2, 13) },
    ],
    [
      'swc, an unterminated string',
      {
        tool: 'swc',
        stderr:
          "  x Unterminated string constant\n   ,-[src/a.ts:3:1]\n 3 | const s = 'abc\n   :           ^^^^\n   `----\n",
      },
      { kind: 'syntax', location: place('src/a.ts', 3) },
    ],
    [
      'babel 7, an unterminated template',
      {
        tool: 'babel',
        stderr:
          'SyntaxError: /app/src/a.ts: Unterminated template. (4:11)\n\n  2 | \n> 4 |   return `abc\n    |            ^\n    at constructor (/app/node_modules/@babel/parser/lib/index.js:367:19)\n',
      },
      { kind: 'syntax', location: at('src/a.ts', 4, 12) },
    ],
    [
      'eslint’s list',
      {
        tool: 'eslint',
        exit_code: 1,
        stdout:
          "\n/app/src/a.ts\n  3:7  error    'x' is assigned a value but never used  @typescript-eslint/no-unused-vars\n  9:1  warning  Unexpected console statement            no-console\n\n✖ 2 problems (1 error, 1 warning)\n",
      },
      { severity: 'error', location: at('src/a.ts', 3, 7), code: expect.stringContaining('no-unused-vars') },
      { severity: 'warning', location: at('src/a.ts', 9, 1) },
    ],
    [
      'node, a named export of CommonJS',
      {
        exit_code: 1,
        stderr:
          "file:///app/a.mjs:1\nimport { foo } from './b.cjs';\n         ^^^\nSyntaxError: Named export 'foo' not found. The requested module './b.cjs' is a CommonJS module, which may not support all module.exports as named exports.\nCommonJS modules can always be imported via the default export, for example using:\n\nimport pkg from './b.cjs';\nconst { foo } = pkg;\n\n    at ModuleJob._instantiate (node:internal/modules/esm/module_job:180:21)\n",
      },
      { kind: 'dependency', finer: 'export', location: at('a.mjs', 1, 10) },
    ],
  ])
})
