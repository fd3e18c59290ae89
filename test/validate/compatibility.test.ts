import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSandbox } from '../../src/sandbox/index.ts'
import type { Sandbox } from '../../src/sandbox/types.ts'
import { createValidator } from '../../src/validate/create-validator.ts'
import type { ValidationRequest, Validator } from '../../src/validate/types.ts'
import { requestOf } from './requests.ts'

// What people write, with packages as they are published, through all layers and the real sandbox.

let sandbox: Sandbox
let validator: Validator
const packageRoot = fileURLToPath(new URL('../..', import.meta.url))

beforeAll(() => {
  sandbox = createSandbox({ maxChildren: 1 })
  validator = createValidator({ sandbox })
})
afterAll(async () => {
  await validator.close()
  await sandbox.close()
})

async function verdict(given: Partial<ValidationRequest>) {
  const report = await validator.validate(requestOf({ packageRoot, ...given }), { scope: 'test' })
  return {
    passed: report.passed,
    tests: report.tests.passed,
    failures: report.failures.map(({ layer, message }) => `${layer}: ${message}`),
  }
}
const green = (tests: number) => ({ passed: true, tests, failures: [] })

describe('packages as they are published', () => {
  test('lodash, with its types, whole and by parts', async () => {
    const files = {
      'solution.ts': `import _ from 'lodash'
import debounce from 'lodash/debounce'
import { cloneDeep } from 'lodash'

interface Order { customer: string; total: number; placed: Date }

export const totals = (orders: Order[]): Record<string, number> =>
  _.mapValues(_.groupBy(orders, 'customer'), (list) => _.sumBy(list, 'total'))
export const copy = <T>(value: T): T => cloneDeep(value)
export const chained = (n: number): number[] => _(_.range(n)).filter((i) => i % 2 === 0).map((i) => i * i).value()
export const late = (f: () => void) => debounce(f, 50)
export const misc = () => [
  _.isEqual({ a: [1, { b: new Map([[1, 2]]) }] }, { a: [1, { b: new Map([[1, 2]]) }] }),
  _.merge({ a: { b: 1 } }, { a: { c: 2 } }), _.template('hi <%= name %>').length > 0,
  _.camelCase('foo bar'), _.get({ a: [{ b: 3 }] }, 'a[0].b'), _.orderBy([{ n: 1 }, { n: 3 }], ['n'], ['desc'])[0]?.n,
]
`,
    }
    const tests = {
      'solution.test.ts': `import { expect, it, vi } from 'vitest'
import { chained, copy, late, misc, totals } from './solution'
const placed = new Date(0)
it('groups', () => expect(totals([{ customer: 'a', total: 1, placed }, { customer: 'a', total: 2, placed }])).toEqual({ a: 3 }))
it('copies', () => { const v = { s: new Set([1]), d: placed, u: new Uint8Array([1]) }; const c = copy(v); expect(c).toEqual(v); expect(c.s).not.toBe(v.s) })
it('chains', () => expect(chained(5)).toEqual([0, 4, 16]))
it('debounces', () => { vi.useFakeTimers(); const f = vi.fn(); const d = late(f); d(); d(); vi.advanceTimersByTime(60); expect(f).toHaveBeenCalledOnce(); vi.useRealTimers() })
it('has the rest', () => expect(misc().slice(3)).toEqual(['fooBar', 3, 3]))
it('compares and merges', () => expect(misc().slice(0, 2)).toEqual([true, { a: { b: 1, c: 2 } }]))
`,
    }
    const allow = { anyCasts: false, tsIgnore: false, eval: true }
    expect(await verdict({ files, tests, packages: ['lodash'], allow })).toEqual(green(6))
  })

  test('zod: schemas, refinements, errors, inferred types', async () => {
    const files = {
      'solution.ts': `import { z } from 'zod'
const user = z.object({
  name: z.string().min(1),
  age: z.coerce.number().int().nonnegative(),
  tags: z.array(z.enum(['a', 'b'])).default([]),
  at: z.iso.datetime().optional(),
}).refine((value) => value.name !== 'root', { message: 'no root' })
export type User = z.infer<typeof user>
export const parse = (input: unknown): User => user.parse(input)
export const problems = (input: unknown): string[] => {
  const result = user.safeParse(input)
  return result.success ? [] : result.error.issues.map((issue) => issue.path.join('.') + ': ' + issue.message)
}
const shape = z.discriminatedUnion('kind', [z.object({ kind: z.literal('dot') }), z.object({ kind: z.literal('line'), to: z.number() })])
export const kindOf = (input: unknown) => shape.parse(input).kind
`,
    }
    const tests = {
      'solution.test.ts': `import { expect, it } from 'vitest'
import { kindOf, parse, problems } from './solution'
it('parses', () => expect(parse({ name: 'Ann', age: '3' })).toEqual({ name: 'Ann', age: 3, tags: [] }))
it('names what is wrong', () => expect(problems({ name: '', age: 1.5 }).map((p) => p.split(':')[0])).toEqual(['name', 'age']))
it('refines', () => expect(problems({ name: 'root', age: 1 })).toEqual([': no root']))
it('throws its own error', () => expect(() => parse(1)).toThrow(/expected object/))
it('discriminates', () => { expect(kindOf({ kind: 'line', to: 1 })).toBe('line'); expect(() => kindOf({ kind: 'x' })).toThrow() })
`,
    }
    expect(await verdict({ files, tests, packages: ['zod'] })).toEqual(green(5))
  })

  test('date-fns: formats, sums, locales', async () => {
    const files = {
      'solution.ts': `import { addMonths, differenceInCalendarDays, eachDayOfInterval, format, formatDistance, isValid, parseISO, startOfWeek } from 'date-fns'
import { de } from 'date-fns/locale'
export const end = (iso: string): string => format(addMonths(parseISO(iso), 1), 'yyyy-MM-dd')
export const between = (a: string, b: string): number => differenceInCalendarDays(parseISO(b), parseISO(a))
export const german = (iso: string): string => format(parseISO(iso), 'EEEE, d. MMMM', { locale: de })
export const days = (a: Date, b: Date): number => eachDayOfInterval({ start: a, end: b }).length
export const ago = (a: Date, b: Date): string => formatDistance(a, b, { addSuffix: true })
export const ok = (iso: string): boolean => isValid(parseISO(iso))
export const week = (iso: string): string => startOfWeek(parseISO(iso), { weekStartsOn: 1 }).toISOString()
`,
    }
    const tests = {
      'solution.test.ts': `import { expect, it } from 'vitest'
import { ago, between, days, end, german, ok, week } from './solution'
it('adds months', () => expect(end('2024-01-31')).toBe('2024-02-29'))
it('counts days', () => { expect(between('2024-02-28', '2024-03-01')).toBe(2); expect(days(new Date(0), new Date(86400000 * 3))).toBe(4) })
it('speaks German', () => expect(german('2024-03-01')).toBe('Freitag, 1. März'))
it('measures', () => expect(ago(new Date(0), new Date(3600000))).toBe('about 1 hour ago'))
it('checks', () => { expect(ok('2024-13-01')).toBe(false); expect(week('2024-03-01')).toBe('2024-02-26T00:00:00.000Z') })
`,
    }
    expect(await verdict({ files, tests, packages: ['date-fns'] })).toEqual(green(5))
  })

  test('JSX with a runtime of the task, rendered', async () => {
    const files = {
      'solution.tsx': `import type { ComponentChildren, VNode } from 'preact'
function Card({ title, children }: { title: string; children?: ComponentChildren }): VNode {
  return <section class="card"><h2>{title}</h2>{children}</section>
}
export const page = (names: string[]): VNode => (
  <Card title="People">
    <><ul>{names.map((name) => <li key={name}>{name}</li>)}</ul></>
  </Card>
)
`,
    }
    const tests = {
      'solution.test.tsx': `import { expect, it } from 'vitest'
import { isValidElement, type VNode } from 'preact'
import { page } from './solution'
it('makes elements', () => { expect(isValidElement(page(['a']))).toBe(true); expect(page(['a']).props).toMatchObject({ title: 'People' }) })
it('is JSX in tests too', () => { const e: VNode = <b id="x">1</b>; expect(e).toMatchObject({ type: 'b', props: { id: 'x', children: '1' } }) })
`,
    }
    const compilerOptions = { jsx: 'react-jsx', jsxImportSource: 'preact' }
    const request = { files, tests, entry: 'solution.tsx', packages: ['preact'], compilerOptions }
    expect(await verdict(request)).toEqual(green(2))
  })
})

describe('test files as people write them', () => {
  const add = { 'solution.ts': 'export const add = (a: number, b: number): number => a + b\n' }
  const bare = (candidate: string, sum: number) => `declare var require: any;
const assert = require('node:assert');


function test() {
  let candidate = ${candidate};
  assert.deepEqual(candidate(1, 2),${sum});
  assert.deepEqual(candidate(0, 0),0);
}

test();
`

  test.each([
    ['a function that is exported', 'export function add(a: number, b: number): number { return a + b }\n'],
    ['a function of a script', 'function add(a: number, b: number): number { return a + b }\n'],
    ['a constant of a script', 'const add = (a: number, b: number): number => a + b\n'],
  ])('a bare script that declares its require and asserts on %s', async (_, source) => {
    const files = { 'solution.ts': source }
    expect(await verdict({ files, tests: { 'test.ts': bare('add', 3) } })).toEqual(green(1))
    const red = await verdict({ files, tests: { 'test.ts': bare('add', 4) } })
    expect(red).toMatchObject({ passed: false, failures: [expect.stringMatching(/^tests: /)] })
  })

  test('types of @jest/globals and of node:test are known', async () => {
    const jest = `import { describe, expect, jest, test } from '@jest/globals'
import { add } from './solution'
describe.each([[1, 2, 3], [0, 0, 0]])('%i + %i', (a, b, sum) => { test('is ' + sum, () => { expect(add(a, b)).toBe(sum) }) })
describe.each\`a | b\n  \${1} | \${1}\`('$a and $b', ({ a, b }: { a: number; b: number }) => { test('are even', () => expect(add(a, b) % 2).toBe(0)) })
test('mocks', () => { const f = jest.fn((n: number) => n); expect(f(2)).toBe(2); expect(f).toHaveBeenCalledTimes(1) })
`
    expect(await verdict({ files: add, tests: { 'solution.test.ts': jest } })).toEqual(green(4))
    const node = `import assert from 'node:assert/strict'
import { before, describe, it, test } from 'node:test'
import { add } from './solution.ts'
let ready = false
before(() => { ready = true })
describe('add', () => { it('adds', () => { assert.equal(add(1, 2), 3); assert.ok(ready) }) })
test('refuses', async () => { await assert.rejects(Promise.reject(new TypeError('no')), TypeError) })
`
    expect(await verdict({ files: add, tests: { 'solution.test.ts': node } })).toEqual(green(2))
  })

  test('several test files, a helper beside them, JSON, and `.js` for `.ts`', async () => {
    const files = {
      'src/solution.ts': "import { twice } from './lib/twice.js'\nexport const four = twice(2)\n",
      'src/lib/twice.ts': 'export const twice = (n: number): number => n * 2\n',
    }
    const tests = {
      'test/a.test.ts':
        "import { four } from '../src/solution.js'\nimport { near } from './helper'\nit('a', () => near(four, 4))\n",
      'test/b.test.ts':
        "import cases from './cases.json' with { type: 'json' }\nimport { twice } from '../src/lib/twice'\nit.each(cases)('$n', ({ n, out }) => expect(twice(n)).toBe(out))\n",
      'test/helper.ts': 'export const near = (a: number, b: number): void => { expect(a).toBeCloseTo(b) }\n',
      'test/cases.json': '[{ "n": 1, "out": 2 }, { "n": 0, "out": 0 }]',
    }
    expect(await verdict({ files, tests, entry: 'src/solution.ts' })).toEqual(green(3))
  })

  test('helpers of tests have the names of tests, and candidates cannot have them', async () => {
    const tests = {
      'solution.test.ts':
        "import { add } from './solution'\nimport { check, double } from './helper'\nit('adds', () => { check(add(1, 2), 3); expect(double()).toBe(7) })\n",
      'helper.ts':
        "import { expect, vi } from 'vitest'\nexport const secret = 41\nexport const check = (a: number, b: number): void => expect(a).toBe(b)\nexport const double = vi.fn(() => 7)\n",
    }
    expect(await verdict({ files: add, tests })).toEqual(green(1))
    const thief = {
      'solution.ts':
        "const from = './help' + 'er'\nconst taken = await import(from).then(() => true, () => false)\nexport const add = (a: number, b: number): number => (taken ? Number.NaN : a + b)\n",
    }
    expect(await verdict({ files: thief, tests })).toEqual(green(1))
    expect(
      await verdict({ files: { 'solution.ts': `import './helper'\n${add['solution.ts']}` }, tests }),
    ).toMatchObject({
      passed: false,
      failures: [expect.stringContaining('Cannot find the file "./helper"')],
    })
  })
})
