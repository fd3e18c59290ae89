import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTypeService, type TypeService } from '../../src/validate/type-service.ts'
import { checkOf } from './requests.ts'

let service: TypeService
beforeAll(async () => {
  service = createTypeService({ workers: 1 })
  await service.warmUp()
})
afterAll(() => service.close())

const typesOf = async (...given: Parameters<typeof checkOf>) => (await service.check(checkOf(...given))).types

describe('syntax', () => {
  test('broken TypeScript is told with code, place and frame', async () => {
    const { syntax, types } = await service.check(checkOf('export const a = 1\nexport function f( {\n'))
    expect(syntax[0]).toMatchObject({
      layer: 'syntax',
      kind: 'syntax',
      severity: 'error',
      location: { file: 'solution.ts' },
    })
    expect(syntax[0]?.code).toMatch(/^TS1\d{3}$/)
    expect(syntax[0]?.frame).toContain('> ')
    expect(types).toEqual([])
  })

  test.each([
    ['two declarations of one name', 'let a = 1\nlet a = 2\n', /already been declared/],
    ['await outside of an async function', 'function f() { await g() }\n', /await|Unexpected token/],
    ['an assignment to a literal', '1 = 2\n', /Assigning to rvalue/],
    ['types in a script', 'const a: number = 1\n', /Unexpected token/],
  ])('JavaScript that no engine would run is a syntax failure: %s', async (_, source, message) => {
    const { syntax } = await service.check(
      checkOf({ 'solution.js': source }, { language: 'javascript', entry: 'solution.js' }),
    )
    expect(syntax).toHaveLength(1)
    expect(syntax[0]?.message).toMatch(message)
  })

  test('a CommonJS script may return at top level', async () => {
    const files = { 'solution.js': 'module.exports = 1\nif (module.exports) return\n' }
    expect((await service.check(checkOf(files, { language: 'javascript', entry: 'solution.js' }))).syntax).toEqual([])
  })

  test('data that is no JSON is told with its line', async () => {
    const { syntax } = await service.check(checkOf({ 'solution.ts': 'export {}', 'data.json': '{\n  "a": 1,\n}' }))
    expect(syntax[0]).toMatchObject({ kind: 'syntax', location: { file: 'data.json', line: 3 } })
  })
})

describe('types', () => {
  test('a wrong assignment is told with expected and actual type', async () => {
    expect(await typesOf('export const text: string = 42\n')).toEqual([
      expect.objectContaining({
        layer: 'types',
        kind: 'type',
        code: 'TS2322',
        message: "Type 'number' is not assignable to type 'string'.",
        expected: 'string',
        actual: 'number',
        location: { file: 'solution.ts', line: 1, column: 14 },
      }),
    ])
  })

  test('strict is the default', async () => {
    const codes = (
      await typesOf('export function f(a) { return a }\nexport const g = (s: string | null) => s.length\n')
    ).map((failure) => failure.code)
    expect(codes).toEqual(['TS7006', 'TS18047'])
  })

  test('strictness follows the task', async () => {
    const source = 'export function f(a) { return a }\n'
    expect(await typesOf(source, { compilerOptions: { strict: false } })).toEqual([])
    const indexed = 'export const first = (list: string[]): string => list[0]\n'
    expect(await typesOf(indexed)).toEqual([])
    expect(await typesOf(indexed, { compilerOptions: { noUncheckedIndexedAccess: true } })).toHaveLength(1)
  })

  test('web standards and harmless Node modules are known, the DOM is not', async () => {
    expect(
      await typesOf(`
        import assert from 'node:assert'
        import { EventEmitter } from 'events'
        import path from 'node:path'
        import { inspect, promisify } from 'util'
        class Bus extends EventEmitter { send(): boolean { return this.emit('sent', 1) } }
        export async function f(signal?: AbortSignal): Promise<string> {
          const timer: ReturnType<typeof setTimeout> = setTimeout(() => {}, 10)
          clearTimeout(timer)
          assert.strictEqual(new URL('https://a.b/c').pathname, '/c')
          const bytes = new TextEncoder().encode(path.join('a', 'b'))
          const response = await fetch('https://a.b', { headers: { a: 'b' }, ...(signal ? { signal } : {}) })
          console.log(structuredClone({ bytes }), Buffer.from('a').toString('hex'), inspect(promisify), crypto.randomUUID(), process.env.HOME)
          new Bus().on('sent', () => {})
          queueMicrotask(() => performance.now())
          return (await response.json()) as string
        }
      `),
    ).toEqual([])
    expect((await typesOf('export const title = document.title\n'))[0]).toMatchObject({ code: 'TS2584', kind: 'type' })
  })

  test('a newer API of the language is refused with advice that does not touch the options', async () => {
    const [failure] = await typesOf('export const g = Object.groupBy([1, 2], (n) => String(n % 2))\n')
    expect(failure?.code).toBe('TS2550')
    expect(failure?.message).not.toMatch(/lib/)
    expect(failure?.hint).toMatch(/without this API/)
  })

  test('a misspelt property carries the suggestion as a hint', async () => {
    const [failure] = await typesOf('export const f = (u: { address: string }) => u.adress\n')
    expect(failure).toMatchObject({
      code: 'TS2551',
      message: "Property 'adress' does not exist on type '{ address: string; }'.",
    })
    expect(failure?.hint).toContain('address')
  })

  test('the unresolved module comes before what follows from it', async () => {
    const source =
      "export const f = (row) => row.id\nexport const g: number = 'x'\nimport { parse } from './missing'\nexport const h = parse\n"
    expect((await typesOf(source)).map((failure) => failure.code)).toEqual(['TS2307', 'TS7006', 'TS2322'])
  })

  test('context is known and not judged', async () => {
    const context = { 'shapes.ts': 'export interface Shape { area: number }\nexport const wrong: string = 1\n' }
    expect(
      await typesOf("import type { Shape } from './shapes.ts'\nexport const a = (s: Shape): string => s.area\n", {
        context,
      }),
    ).toEqual([expect.objectContaining({ code: 'TS2322', location: expect.objectContaining({ file: 'solution.ts' }) })])
  })

  test('sources that need CommonJS are no type error', async () => {
    const context = { 'lib.ts': 'export const one = 1\n' }
    expect(
      await typesOf("import lib = require('./lib')\nfunction f(): number { return lib.one }\nexport = f\n", {
        context,
      }),
    ).toEqual([])
  })

  test('paths of the task resolve', async () => {
    const files = {
      'src/solution.ts': "import { one } from '@/lib/one'\nexport const two: number = one + 1\n",
      'src/lib/one.ts': 'export const one = 1\n',
    }
    const compilerOptions = { paths: { '@/*': ['./src/*'] } }
    const result = await service.check(checkOf(files, { entry: 'src/solution.ts', compilerOptions }))
    expect([...result.imports, ...result.types]).toEqual([])
  })

  test('options that only steer files or style change nothing', async () => {
    const compilerOptions = {
      outDir: '/tmp/x',
      noUnusedLocals: true,
      types: ['node'],
      plugins: [{ name: 'evil' }],
      module: 'commonjs',
      nonsense: 1,
    }
    expect(await typesOf('const unused = 1\nexport {}\n', { compilerOptions })).toEqual([])
  })

  test('the same candidate gets the same answer twice, and a changed one a new one', async () => {
    const wrong = checkOf('export const n: number = "1"\n')
    const first = await service.check(wrong)
    await service.check(checkOf('export const n: number = 1\n'))
    const { durationsMs: _first, ...a } = first
    const { durationsMs: _second, ...b } = await service.check(wrong)
    expect(b).toEqual(a)
    expect(a.types).toHaveLength(1)
  })

  test('a global that one candidate declares is not there for the next', async () => {
    await typesOf('declare global { var leaked: number; interface Array<T> { odd(): T } }\nexport {}\n')
    expect((await typesOf('export const a = leaked + [1].odd()\n')).map((failure) => failure.code).sort()).toEqual([
      'TS2304',
      'TS2339',
    ])
  })
})

describe('the thread', () => {
  test('questions asked side by side are all answered, each with its own answer', async () => {
    const answers = await Promise.all([1, 2, 3, 4].map((n) => typesOf(`export const a: ${n} = ${n + 1}\n`)))
    expect(answers.map(([failure]) => failure?.expected)).toEqual(['1', '2', '3', '4'])
  })

  test('an aborted check rejects with its code, and the next one is answered', async () => {
    const controller = new AbortController()
    const check = service.check(checkOf('export const a = 1\n'), { signal: controller.signal })
    controller.abort()
    await expect(check).rejects.toMatchObject({ code: 'ABORTED' })
    expect(await typesOf('export const a = 1\n')).toEqual([])
  })

  test('a closed service refuses, and closing twice is harmless', async () => {
    const own = createTypeService({ workers: 1 })
    await own.warmUp()
    await own.close()
    await own.close()
    await expect(own.check(checkOf('export {}'))).rejects.toMatchObject({ code: 'ENGINE_CLOSED' })
  })
})
