import { describe, expect, test } from 'vitest'
import { isUsedAsValue } from '../../src/validate/worker/export-match.ts'
import { SourceCache } from '../../src/validate/worker/source-cache.ts'
import { stripTypes } from '../../src/validate/worker/strip-types.ts'
import { ts } from '../../src/validate/worker/typescript.ts'

function strip(source: string): string | null {
  const file = new SourceCache().get('a.ts', source)
  return stripTypes(file, {
    isTypeName: (node) =>
      !ts.isExportSpecifier(node) && node.name !== undefined && !isUsedAsValue(file, node.name.text),
  })
}
const run = (source: string): unknown => new Function(`${strip(source)?.replace('export const result =', 'return ')}`)()

describe('types are taken out in place', () => {
  test.each([
    ['annotations', 'let a: number = 1', 'let a         = 1'],
    ['optional and this parameters', 'function f(this: Date, a?: string) {}', 'function f(            a         ) {}'],
    [
      'type parameters and arguments',
      'const m = new Map<string, Array<number>>()',
      'const m = new Map                       ()',
    ],
    ['as, satisfies, !', 'f(a as B, c satisfies D, e!.g)', 'f(a     , c            , e .g)'],
    ['type imports', "import { type A, b } from 'x'; b()", "import {         b } from 'x'; b()"],
    ['imports that are only types', "import { A } from 'x'; let a: A", ';                      let a   '],
    ['interfaces', 'interface A { b: 1 }\nf()', ';                   \nf()'],
    [
      'overloads',
      'function f(a: 1): 1\nfunction f(a: any) { return a }',
      ';                  \nfunction f(a     ) { return a }',
    ],
    [
      'implements and modifiers',
      'class A<T> extends B<T> implements C { private readonly d: T = 1; abstract e(): void }',
      null,
    ],
  ])('%s', (_, source, expected) => {
    const stripped = strip(source)
    expect(stripped).toHaveLength(source.length)
    if (expected !== null) expect(stripped).toBe(expected)
  })

  test('lines stay where they are', () => {
    const source = 'type A = {\n  b: 1\n}\nexport const x: A = {\n  b: 1,\n} as A\n'
    expect(
      strip(source)
        ?.split('\n')
        .map((line) => line.length),
    ).toEqual(source.split('\n').map((line) => line.length))
  })

  test('what a missing statement would join stays apart', () => {
    expect(
      run('let log = []\nconst f = (x) => log.push(x)\nconst a = f\ntype T = 1\n;(1)\nexport const result = log'),
    ).toEqual([])
    expect(run('const a = [1]\ninterface B {}\n[0].map(String)\nexport const result = a')).toEqual([1])
    expect(run("class A { a = 1\n public ['b'] = 2 }\nexport const result = new A().b")).toBe(2)
  })

  test.each([
    ['enums', 'enum A { B }'],
    ['namespaces', 'namespace A { export const b = 1 }'],
    ['parameter properties', 'class A { constructor(public a: 1) {} }'],
    ['decorators', 'class A { @b c() {} }'],
    ['import =', "import a = require('a')"],
    ['export =', 'export = 1'],
    ['an arrow on the line after its parameters', 'const f = (a: 1): {\n b: 1 } => ({ b: a })'],
    ['a cast before a line that would go on', 'const a = b as C\n[1].map(f)'],
  ])('%s need the compiler', (_, source) => {
    expect(strip(source)).toBeNull()
  })
})
