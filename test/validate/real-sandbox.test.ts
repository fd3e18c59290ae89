import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Report } from '../../src/domain/report.ts'
import { createSandbox } from '../../src/sandbox/index.ts'
import type { Sandbox } from '../../src/sandbox/types.ts'
import { createValidator } from '../../src/validate/create-validator.ts'
import type { ValidationRequest, Validator } from '../../src/validate/types.ts'
import { createPackageTree, manifest, type PackageTree } from './package-tree.ts'
import { requestOf } from './requests.ts'

let sandbox: Sandbox
let validator: Validator
let tree: PackageTree

beforeAll(async () => {
  sandbox = createSandbox({ maxChildren: 1 })
  validator = createValidator({ sandbox })
  tree = await createPackageTree({
    'node_modules/units/package.json': manifest('units', { type: 'module', types: './index.d.ts' }),
    'node_modules/units/index.js': 'export const toMetres = (feet) => feet * 0.3048\n',
    'node_modules/units/index.d.ts': 'export declare const toMetres: (feet: number) => number\n',
    'node_modules/old/package.json': manifest('old'),
    'node_modules/old/index.js': "const path = require('path')\nmodule.exports = { join: (a, b) => path.join(a, b) }\n",
    'node_modules/old/index.d.ts': 'export declare function join(a: string, b: string): string\n',
  })
})
afterAll(async () => {
  await validator.close()
  await sandbox.close()
  await tree.remove()
})

const judge = (given: Partial<ValidationRequest>): Promise<Report> =>
  validator.validate(requestOf(given), { scope: 'test' })
const green = (report: Report) => ({
  passed: report.passed,
  failures: report.failures.map((failure) => failure.message),
})
const nothing = { passed: true, failures: [] }

describe('sources of every shape run as written', () => {
  const test1 = (imports: string, body: string) => ({
    'solution.test.ts': `import { it, expect } from 'vitest'\n${imports}\nit('works', async () => { ${body} })\n`,
  })

  test.each([
    [
      'types taken out in place',
      'export class Stack<T> {\n  #items: T[] = []\n  push(this: Stack<T>, item: T): void { this.#items.push(item!) }\n  get size(): number { return this.#items.length as number }\n}\n',
      "import { Stack } from './solution'",
      'const s = new Stack<number>(); s.push(1); expect(s.size).toBe(1)',
    ],
    [
      'enums and namespaces',
      "export enum Color { Red = 1, Green }\nexport namespace Paint { export const name = (c: Color): string => Color[c] ?? '' }\n",
      "import { Color, Paint } from './solution'",
      "expect(Paint.name(Color.Green)).toBe('Green')",
    ],
    [
      'const enums',
      'const enum Bit { One = 1, Two = 1 << 1 }\nexport const both = Bit.One | Bit.Two\n',
      "import { both } from './solution'",
      'expect(both).toBe(3)',
    ],
    [
      'parameter properties',
      'export class P { constructor(readonly x: number, private y = 2) {}\n  sum() { return this.x + this.y } }\n',
      "import { P } from './solution'",
      'expect(new P(1).sum()).toBe(3)',
    ],
    [
      'standard decorators',
      'function twice(value: () => number, _c: ClassMethodDecoratorContext) { return function (this: unknown) { return value.call(this) * 2 } }\nexport class D { @twice n(): number { return 21 } }\n',
      "import { D } from './solution'",
      'expect(new D().n()).toBe(42)',
    ],
    [
      'top-level await',
      'export const late: number = await Promise.resolve(7)\n',
      "import { late } from './solution'",
      'expect(late).toBe(7)',
    ],
    [
      'export = and import =',
      "import path = require('node:path')\nfunction base(p: string): string { return path.basename(p) }\nexport = base\n",
      "import base from './solution'",
      "expect(base('a/b.ts')).toBe('b.ts')",
    ],
    [
      'generators and async iteration',
      'export async function* count(n: number): AsyncGenerator<number> { for (let i = 0; i < n; i++) yield i }\n',
      "import { count } from './solution'",
      'const all: number[] = []; for await (const n of count(3)) all.push(n); expect(all).toEqual([0, 1, 2])',
    ],
  ])('%s', async (_, source, imports, body) => {
    expect(green(await judge({ files: { 'solution.ts': source }, tests: test1(imports, body) }))).toEqual(nothing)
  })

  test('several files, with and without extension, a type re-exported through another file, and JSON', async () => {
    const files = {
      'solution.ts':
        "import { area, type Square } from './shapes'\nimport names from './names.json'\nexport { Circle, area } from './shapes.js'\nexport const describeIt = (s: Square): string => [names.square, area(s)].join(`\u0020`)\n",
      'shapes.ts':
        "import { Circle } from './types.ts'\nexport interface Square { side: number }\nexport { Circle }\nexport const area = (s: Square): number => s.side ** 2\n",
      'types.ts': 'export interface Circle { radius: number }\n',
      'names.json': '{ "square": "Square of" }',
    }
    expect(
      green(
        await judge({
          files,
          tests: test1(
            "import { describeIt, area } from './solution'",
            "expect(describeIt({ side: 2 })).toBe('Square of 4'); expect(area({ side: 3 })).toBe(9)",
          ),
        }),
      ),
    ).toEqual(nothing)
  })

  test('aliased paths of a tsconfig', async () => {
    const files = {
      'src/solution.ts': "import { one } from '@/lib/one'\nexport const two: number = one + 1\n",
      'src/lib/one.ts': 'export const one = 1\n',
    }
    const tests = {
      'src/solution.test.ts': "import { two } from '@/solution'\nit('works', () => expect(two).toBe(2))\n",
    }
    expect(
      green(
        await judge({ files, tests, entry: 'src/solution.ts', compilerOptions: { paths: { '@/*': ['./src/*'] } } }),
      ),
    ).toEqual(nothing)
  })

  test('CommonJS and scripts of JavaScript', async () => {
    const js = { language: 'javascript', entry: 'solution.js' } as const
    const cjs = {
      'solution.js': "const helper = require('./helper')\nmodule.exports = { sum: (a, b) => helper.add(a, b) }\n",
      'helper.js': 'exports.add = (a, b) => a + b\n',
    }
    expect(
      green(
        await judge({
          ...js,
          files: cjs,
          tests: {
            't.test.js': "const { sum } = require('./solution')\ntest('adds', () => expect(sum(1, 2)).toBe(3))\n",
          },
        }),
      ),
    ).toEqual(nothing)
    const script = {
      'solution.js': 'const add = (a, b) => { total = a + b\n  for (i = 0; i < 1; i++) total += 0\n  return total }\n',
    }
    expect(
      green(await judge({ ...js, files: script, tests: { 't.js': 'console.assert(add(1, 2) === 3)\n' } })),
    ).toEqual(nothing)
    expect(
      (await judge({ ...js, files: script, tests: { 't.js': 'console.assert(add(1, 2) === 4)\n' } })).failures[0],
    ).toMatchObject({ kind: 'logic' })
  })

  test('packages, in both module systems, beside each other', async () => {
    const files = {
      'solution.ts':
        "import { toMetres } from 'units'\nimport { join } from 'old'\nexport const label = (feet: number): string => join('m', String(toMetres(feet)))\n",
    }
    const tests = test1("import { label } from './solution'", "expect(label(10)).toBe('m/3.048')")
    expect(green(await judge({ files, tests, packages: ['units', 'old'], packageRoot: tree.root }))).toEqual(nothing)
  })
})

describe('verdicts', () => {
  const tests = {
    'solution.test.ts':
      "import { it, expect } from 'vitest'\nimport { parse } from './solution'\nit('parses', () => {\n  expect(parse('1,2')).toEqual([1, 2])\n})\n",
  }

  test('an assertion that fails is placed in the test with both values', async () => {
    const report = await judge({
      files: {
        'solution.ts': "export const parse = (text: string): number[] => text.split(',').map(Number).reverse()\n",
      },
      tests,
    })
    expect(report).toMatchObject({ passed: false, tests: { total: 1, failed: 1 } })
    expect(report.failures).toEqual([
      expect.objectContaining({
        layer: 'tests',
        kind: 'logic',
        test: 'parses',
        assertion: expect.objectContaining({ file: 'solution.test.ts', line: 4 }),
      }),
    ])
  })

  test('an error is placed in the source as written, also where it had to be compiled', async () => {
    const source =
      'enum Mode { Strict }\n\nexport function parse(text: string): number[] {\n  const table: Record<string, number[]> = {}\n  return table[Mode[0] + text]!.map((n) => n)\n}\n'
    const [failure] = (await judge({ files: { 'solution.ts': source }, tests })).failures
    expect(failure).toMatchObject({ kind: 'runtime', location: { file: 'solution.ts', line: 5 } })
    expect(failure?.frame).toContain('> 5 |')
  })

  test('a promise that never settles is named at once', async () => {
    const waiting = {
      'solution.test.ts': "import { parse } from './solution'\nit('waits', async () => { await parse('x') })\n",
    }
    const startedMs = performance.now()
    const [failure] = (
      await judge({
        files: { 'solution.ts': 'export const parse = (_: string) => new Promise<void>(() => {})\n' },
        tests: waiting,
      })
    ).failures
    expect(failure).toMatchObject({ kind: 'timeout', test: 'waits', message: expect.stringContaining('never settles') })
    expect(performance.now() - startedMs).toBeLessThan(5_000)
  })

  test('the same candidate gives the same report but for durations', async () => {
    const files = {
      'solution.ts': 'export const parse = (text: string): number[] => [Math.random(), Date.now(), text.length]\n',
    }
    const plain = (report: Report) =>
      JSON.stringify(report, (key, value: unknown) => (key === 'durationMs' ? 0 : value))
    const first = plain(await judge({ files, tests }))
    expect(first).toContain('"failed"')
    for (let round = 0; round < 3; round++) expect(plain(await judge({ files, tests }))).toBe(first)
  })

  test('hidden tests leave no trace of themselves', async () => {
    const files = { 'solution.ts': 'export const parse = (_: string): number[] => [1, 2]\n' }
    const hiddenTests = {
      'hidden.test.ts':
        "import { parse } from './solution'\nit('confidential', () => { console.log('confidential'); expect(parse('confidential-777')).toEqual([777]) })\n",
    }
    const report = await judge({ files, tests, hiddenTests })
    expect(report).toMatchObject({ passed: false, hidden: { total: 1, passed: 0 }, failures: [{ layer: 'hidden' }] })
    expect(JSON.stringify(report)).not.toMatch(/confidential|777/)
  })
})
