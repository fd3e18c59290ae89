import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PolicyInput } from '../../src/domain/policy.ts'
import { createTypeService, type TypeService } from '../../src/validate/type-service.ts'
import { checkOf } from './requests.ts'

let service: TypeService
beforeAll(async () => {
  service = createTypeService({ workers: 1 })
  await service.warmUp()
})
afterAll(() => service.close())

const js = { language: 'javascript', entry: 'solution.js' } as const

describe('what a candidate imports', () => {
  const importsOf = async (source: string) => (await service.check(checkOf(source))).imports

  test.each(['fs', 'node:fs/promises', 'child_process', 'net', 'node:worker_threads', 'process', 'vm'])(
    'the Node module %s is refused with what may be imported',
    async (module) => {
      const [failure] = await importsOf(`import * as m from '${module}'\nexport const a = m\n`)
      expect(failure).toMatchObject({
        layer: 'imports',
        kind: 'dependency',
        message: `The Node module "${module}" is not available here.`,
      })
      expect(failure?.hint).toContain('node:assert')
    },
  )

  test('import() and require are found as well', async () => {
    expect(await importsOf("export const a = await import('fs')\n")).toHaveLength(1)
    expect(await importsOf("export const a = require('fs')\n")).toHaveLength(1)
  })

  test('an unknown package names the flag that allows it', async () => {
    const [failure] = await importsOf("import { chunk } from 'lodash/fp'\nexport const a = chunk\n")
    expect(failure).toMatchObject({ kind: 'dependency', message: expect.stringContaining('"lodash"') })
    expect(failure?.hint).toContain('--package lodash')
  })

  test('the test runner cannot be imported', async () => {
    const [failure] = await importsOf("import { expect } from 'vitest'\nexpect.extend({})\nexport {}\n")
    expect(failure).toMatchObject({ kind: 'dependency', message: expect.stringContaining('belongs to the tests') })
  })

  test('a missing file names the near one', async () => {
    const files = {
      'solution.ts': "import { a } from './helper'\nexport const b = a\n",
      'helpers.ts': 'export const a = 1\n',
    }
    const { imports } = await service.check(checkOf(files))
    expect(imports).toHaveLength(1)
    expect(imports[0]?.hint).toContain('did you mean "helpers"')
  })

  test.each([['./helper'], ['./helper.ts'], ['./helper.js'], ['./lib'], ['./lib/index'], ['./data.json']])(
    '%s is found',
    async (specifier) => {
      const files = {
        'solution.ts': `import * as m from '${specifier}'\nexport const b = m\n`,
        'helper.ts': 'export const a = 1\n',
        'lib/index.ts': 'export const a = 1\n',
        'data.json': '{ "a": 1 }',
      }
      const { imports, types } = await service.check(checkOf(files))
      expect([...imports, ...types]).toEqual([])
    },
  )

  test('a module that the caller denies is refused', async () => {
    const { imports } = await service.check(
      checkOf("import path from 'node:path'\nexport const a = path.sep\n", { policy: { deny: { modules: ['path'] } } }),
    )
    expect(imports[0]?.message).toContain('denied')
  })
})

describe('what the tests import from a candidate', () => {
  const matchOf = async (source: string, importLine: string, use = 'sum') => {
    const tests = {
      'solution.test.ts': `import { it, expect } from 'vitest'\n${importLine}\nit('adds', () => { expect(${use}(1, 2)).toBe(3) })\n`,
    }
    return (await service.check(checkOf(source, { tests }))).imports
  }
  const named = "import { sum } from './solution'"
  const byDefault = "import sum from './solution'"

  test.each([
    [
      'a default export where a named one is wanted',
      'export default function sum(a: number, b: number) { return a + b }\n',
      named,
      'wanted named export "sum", found default export (named sum)',
      'export function sum',
    ],
    [
      'a named export where a default one is wanted',
      'export const sum = (a: number, b: number) => a + b\n',
      byDefault,
      'wanted default export, found named export "sum"',
      'export default sum',
    ],
    [
      'a function that is not exported',
      'function sum(a: number, b: number) { return a + b }\nsum(1, 2)\n',
      named,
      'wanted named export "sum", found function "sum" that is not exported',
      'export function sum',
    ],
    [
      'another name',
      'export const summ = (a: number, b: number) => a + b\n',
      named,
      'wanted named export "sum", found named export "summ"',
      'rename summ to sum',
    ],
    [
      'only a type',
      'export interface sum { a: number }\n',
      named,
      'wanted named export "sum", found only a type "sum"',
      'export a value named sum',
    ],
    ['nothing at all', 'console.log(1)\n', named, 'found no export', 'export function sum'],
  ])('%s is said in those words', async (_, source, line, message, hint) => {
    const [failure] = await matchOf(source, line)
    expect(failure).toMatchObject({
      layer: 'imports',
      kind: 'dependency',
      assertion: { file: 'solution.test.ts', line: 2, source: line },
    })
    expect(failure?.message).toContain(message)
    expect(failure?.hint).toContain(hint)
  })

  test.each([
    ['named', 'export function sum(a: number, b: number) { return a + b }\n', named],
    ['default', 'export default (a: number, b: number) => a + b\n', byDefault],
    ['renamed', 'const add = (a: number, b: number) => a + b\nexport { add as sum }\n', named],
    [
      'a default under that name',
      'const add = (a: number, b: number) => a + b\nexport { add as default }\n',
      byDefault,
    ],
    ['a class', 'export class sum {}\n', named],
    ['an enum', 'export enum sum { A }\n', named],
    ['export = with a default import', 'const sum = (a: number, b: number) => a + b\nexport = sum\n', byDefault],
    ['destructured', 'export const { sum } = { sum: (a: number, b: number) => a + b }\n', named],
  ])('%s is enough', async (_, source, line) => {
    expect(await matchOf(source, line)).toEqual([])
  })

  test('re-exports are followed through files', async () => {
    const files = {
      'solution.ts': "export * from './a'\n",
      'a.ts': "export { add as sum } from './b'\n",
      'b.ts': 'export const add = (a: number, b: number) => a + b\n',
    }
    const tests = { 't.test.ts': "import { sum, gone } from './solution'\nsum(gone)\n" }
    const { imports } = await service.check(checkOf(files, { tests }))
    expect(imports.map((failure) => failure.message)).toEqual([expect.stringContaining('wanted named export "gone"')])
  })

  test('a name that a test uses only as a type need not be a value', async () => {
    const tests = {
      't.test.ts': "import { sum, Shape } from './solution'\nconst s: Shape = { a: sum }\nconsole.assert(s)\n",
    }
    expect(
      (await service.check(checkOf('export const sum = 1\nexport interface Shape { a: number }\n', { tests }))).imports,
    ).toEqual([])
  })

  test.each([
    ['module.exports = { sum }', 'function sum(a, b) { return a + b }\nmodule.exports = { sum }\n', true],
    ['exports.sum', 'exports.sum = (a, b) => a + b\n', true],
    ['module.exports = sum', 'function sum(a, b) { return a + b }\nmodule.exports = sum\n', true],
    [
      'module.exports of something else',
      'function sum(a, b) { return a + b }\nmodule.exports = { total: sum }\n',
      false,
    ],
  ])('CommonJS: %s', async (_, source, fits) => {
    const tests = { 't.test.js': "const { sum } = require('./solution')\nconsole.assert(sum(1, 2) === 3)\n" }
    const { imports } = await service.check(checkOf({ 'solution.js': source }, { ...js, tests }))
    expect(imports).toHaveLength(fits ? 0 : 1)
    if (!fits) expect(imports[0]?.hint).toBe('module.exports = { sum }')
  })

  test('a test that imports a file that is not there is told so', async () => {
    const tests = { 't.test.ts': "import { sum } from './other'\nsum(1)\n" }
    const { imports } = await service.check(checkOf('export const sum = 1\n', { tests }))
    expect(imports[0]).toMatchObject({ message: 'The tests import "./other", which does not exist.' })
  })
})

describe('policy', () => {
  const codesOf = async (source: string, policy: PolicyInput = {}) =>
    (await service.check(checkOf(source, { policy }))).policy.map((failure) => failure.code)

  test.each([
    ['as any', 'export const a = (1 as any).b\n', 'ANY_CAST'],
    ['as any[]', 'export const a = [1] as any[]\n', 'ANY_CAST'],
    ['<any>', 'export const a = (<any>1).b\n', 'ANY_CAST'],
    ['@ts-ignore', '// @ts-ignore\nexport const a: string = 1\n', 'TS_IGNORE'],
    ['@ts-expect-error', '/* @ts-expect-error */\nexport const a: string = 1\n', 'TS_IGNORE'],
    ['@ts-nocheck', '// @ts-nocheck\nexport const a: string = 1\n', 'TS_IGNORE'],
    ['eval', 'export const a = eval("1")\n', 'EVAL'],
    ['indirect eval', 'export const a = (0, eval)("1")\n', 'EVAL'],
    ['eval by another name', 'const run = eval\nexport const a = run("1")\n', 'EVAL'],
    ['globalThis.eval', 'export const a = globalThis["ev" + "al"]("1")\n', 'EVAL'],
    ['new Function', 'export const a = new Function("return 1")\n', 'FUNCTION_CONSTRUCTOR'],
    ['Function()', 'export const a = Function("return 1")\n', 'FUNCTION_CONSTRUCTOR'],
    [
      'Reflect.construct(Function)',
      'export const a = Reflect.construct(Function, ["return 1"])\n',
      'FUNCTION_CONSTRUCTOR',
    ],
    ['constructor of an arrow', 'export const a = (() => {}).constructor("return 1")()\n', 'FUNCTION_CONSTRUCTOR'],
    [
      'constructor of a constructor',
      'export const a = [].constructor.constructor("return 1")()\n',
      'FUNCTION_CONSTRUCTOR',
    ],
    ['constructor by a computed name', 'export const a = (() => {})["const" + "ructor"]\n', 'FUNCTION_CONSTRUCTOR'],
    [
      'constructor of async functions',
      'export const A = Object.getPrototypeOf(async function () {}).constructor\n',
      'FUNCTION_CONSTRUCTOR',
    ],
    ['a timer with text', 'setTimeout("alert(1)", 1)\nexport {}\n', 'EVAL'],
    ['describe', 'describe("mine", () => {})\nexport {}\n', 'TEST_RUNNER'],
    ['vi.fn', 'export const a = vi.fn()\n', 'TEST_RUNNER'],
  ])('%s is a breach', async (_, source, code) => {
    expect(await codesOf(source)).toContain(code)
  })

  test.each([
    ['an any annotation', 'export const f = (a: any): unknown => a\n'],
    ['as const, as unknown', 'export const a = [1] as const\nexport const b = 1 as unknown\n'],
    ['the words in a string', 'export const a = "// @ts-ignore as any eval(x)"\n'],
    ['the words in a comment', '// never write as any or eval(1) here\nexport const a = 1\n'],
    [
      'a method named eval',
      'export class Calc { eval(x: string) { return x } }\nexport const a = new Calc().eval("1")\n',
    ],
    ['instanceof Function', 'export const f = (x: unknown) => x instanceof Function\n'],
    ['typeof and Function.prototype', 'export const f = Function.prototype.toString\n'],
    ['a class that copies itself', 'export class A { copy() { return new (this.constructor as new () => A)() } }\n'],
    [
      'comparing constructors',
      'export const same = (a: object, b: object) => a.constructor === b.constructor && a.constructor.name\n',
    ],
    ['an own function named test', 'const test = (a: number) => a\nexport const b = test(1)\n'],
    ['a parameter named it', 'export const f = (it: () => number) => it()\n'],
    ['a regular expression tested', 'export const f = (s: string) => /a/.test(s)\n'],
  ])('%s is fine', async (_, source) => {
    expect(await codesOf(source)).toEqual([])
  })

  test('a shadowed name elsewhere does not cover a global use', async () => {
    expect(
      await codesOf('export const f = (Function: () => number) => Function()\nexport const g = Function("return 1")\n'),
    ).toEqual(['FUNCTION_CONSTRUCTOR'])
  })

  test('the task can allow each of them', async () => {
    expect(await codesOf('export const a = 1 as any\n', { allow: { anyCasts: true } })).toEqual([])
    expect(await codesOf('// @ts-ignore\nexport const a: string = 1\n', { allow: { tsIgnore: true } })).toEqual([])
    expect(await codesOf('export const a = eval("1")\n', { allow: { eval: true } })).toEqual([])
  })

  test('the caller can deny globals and calls', async () => {
    const deny = { globals: ['fetch'], calls: ['Math.random', 'console.log'] }
    const source =
      'export const a = () => [fetch, globalThis.fetch, Math.random(), Math["random"](), globalThis.console.log(1), Math.max(1)]\n'
    expect(await codesOf(source, { deny })).toEqual([
      'DENIED_GLOBAL',
      'DENIED_GLOBAL',
      'DENIED_CALL',
      'DENIED_CALL',
      'DENIED_CALL',
    ])
    expect(await codesOf('export const f = (fetch: () => void) => fetch()\n', { deny })).toEqual([])
  })

  test('a debugger statement is only a warning', async () => {
    const { policy } = await service.check(checkOf('debugger\nexport {}\n'))
    expect(policy).toEqual([expect.objectContaining({ code: 'DEBUGGER', severity: 'warning' })])
  })
})
