import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createTypeService, type TypeService } from '../../src/validate/type-service.ts'
import { checkOf } from './requests.ts'

const folder = new URL('../fixtures/validate/hostile/', import.meta.url)
const fixture = (name: string): string => readFileSync(new URL(name, folder), 'utf8')
const deadlineMs = 2_500

let service: TypeService
beforeAll(async () => {
  service = createTypeService({ workers: 1, deadlineMs })
  await service.warmUp()
})
afterAll(() => service.close())

// whatever a candidate did to the compiler, the next one is judged right
afterEach(async () => {
  const { syntax, imports, types, policy } = await service.check(checkOf('export const n: string = 1\n'))
  expect([...syntax, ...imports, ...types, ...policy].map((failure) => failure.code)).toEqual(['TS2322'])
})

async function judged(source: string) {
  const startedMs = performance.now()
  const { syntax, imports, types, policy } = await service.check(checkOf(source))
  return {
    all: [...syntax, ...imports, ...types, ...policy],
    syntax,
    imports,
    types,
    policy,
    tookMs: performance.now() - startedMs,
  }
}

describe('types that run away', () => {
  test('are ended at the deadline and said to be endless', async () => {
    const { types } = await judged(fixture('runaway-conditional-type.ts'))
    expect(types).toEqual([
      expect.objectContaining({
        layer: 'types',
        kind: 'type',
        code: 'TYPES_TIMEOUT',
        message: expect.stringContaining('timeout'),
      }),
    ])
  })

  test('a union of a million members is refused by the compiler', async () => {
    expect((await judged(fixture('six-digit-union.ts'))).types.map((failure) => failure.code)).toEqual([
      expect.stringMatching(/^TS2590$|^TYPES_TIMEOUT$/),
    ])
  })

  test('an instantiation without end is a type failure', async () => {
    expect((await judged(fixture('infinite-instantiation.ts'))).types.map((failure) => failure.code)).toEqual([
      expect.stringMatching(/^TS2589$|^TYPES_/),
    ])
  })
})

describe('sources that no parser survives', () => {
  const deep: Record<string, string> = {
    'a million parentheses': `export const a = ${'('.repeat(1e6)}1${')'.repeat(1e6)}`,
    'brackets that never close': `export const a = ${'['.repeat(300_000)}`,
    'a sum of two hundred thousand terms': `export const a = ${'1+'.repeat(200_000)}1`,
    'functions in functions': `export const a = ${'(()=>'.repeat(50_000)}1${')'.repeat(50_000)}`,
    'types in types': `export type A = ${'Array<'.repeat(50_000)}1${'>'.repeat(50_000)}`,
    'else after else': `export function f(x: number) { ${'if (x === 1) {} else '.repeat(20_000)}{} }`,
  }
  test.each(Object.entries(deep))('%s are a syntax failure', async (_, source) => {
    const { syntax } = await judged(source)
    expect(syntax).toEqual([
      expect.objectContaining({
        layer: 'syntax',
        kind: 'syntax',
        message: expect.stringContaining('nested too deeply'),
      }),
    ])
  })

  test('eval of a million parentheses is a policy failure', async () => {
    expect((await judged(`eval("${'('.repeat(1e6)}")\nexport {}\n`)).policy[0]).toMatchObject({ code: 'EVAL' })
  })

  test('five megabytes in one source are refused unread', async () => {
    const { syntax, tookMs } = await judged(`export const a = "${'x'.repeat(5e6)}"`)
    expect(syntax[0]?.message).toContain('larger than 2 MiB')
    expect(tookMs).toBeLessThan(1_000)
  })
})

describe('sources that reach for the host', () => {
  const reaching = readdirSync(folder).filter((name) => /^(?:reads|imports|import-type|package-traversal)/.test(name))
  test('the fixtures are there', () => expect(reaching.length).toBeGreaterThanOrEqual(7))

  test.each(reaching)('%s is a dependency failure and reads nothing', async (name) => {
    const { imports, all } = await judged(fixture(name))
    expect(imports[0]).toMatchObject({ layer: 'imports', kind: 'dependency' })
    expect(JSON.stringify(all)).not.toMatch(/root:|localhost|"redgreen"/)
  })

  test('reference comments name nothing that is read: no file, no types, no lib', async () => {
    const source = `${fixture('references-path.ts')}export const title = document.title\n`
    const { all } = await judged(source)
    expect(all.map((failure) => failure.code)).toEqual(['TS2584'])
  })

  test('a source map URL is a comment like any other', async () => {
    const request = checkOf(fixture('source-mapping-url.ts'))
    const { early } = service.judge({
      ...request,
      hiddenTests: {},
      setAside: [],
      prepare: true,
      types: false,
      failFast: true,
    })
    const { prepared } = await early
    expect(prepared?.modules[0]?.map ?? '').not.toContain('passwd')
  })
})
