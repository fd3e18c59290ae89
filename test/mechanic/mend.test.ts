import { afterAll, describe, expect, it } from 'vitest'
import { createMend, type LogicSearch } from '../../src/mechanic/mend.ts'
import { closeSearchThread, searchLogic } from '../../src/mechanic/search/index.ts'
import { closeRepairThreads } from '../../src/mechanic/types/index.ts'
import type { MechanicTools, MendProgress, MendRequest } from '../../src/mechanic/types.ts'
import { createSandbox } from '../../src/sandbox/index.ts'
import { createTypeService, createValidator } from '../../src/validate/index.ts'
import type { ValidationRequest } from '../../src/validate/types.ts'
import { requestOf } from '../validate/requests.ts'

const sandbox = createSandbox()
const typeService = createTypeService()
const validator = createValidator({ sandbox, typeService })
afterAll(async () => {
  await validator.close()
  await typeService.close()
  await sandbox.close()
  await Promise.all([closeRepairThreads(), closeSearchThread()])
})

interface Options extends Partial<Omit<MendRequest, 'validation' | 'report'>> {
  readonly tools?: Partial<MechanicTools>
  readonly search?: LogicSearch | null
}

/** Mends with the real sandbox, and says what the validator holds of what came of it. */
async function mended(given: Partial<ValidationRequest>, { tools, search = searchLogic, ...rest }: Options = {}) {
  const validation = requestOf(given)
  const scope = 'mend'
  const report = await validator.validate(validation, { scope })
  expect(report.passed).toBe(false)
  const asked: ValidationRequest[] = []
  const watched = {
    ...validator,
    validate: (request, options) => {
      asked.push(request)
      return validator.validate(request, options)
    },
  } satisfies typeof validator
  const outcome = await createMend(search)(
    { validation, report, depth: 'search', maxCandidates: 2_000, maxTimeMs: 60_000, ...rest },
    { validator: watched, sandbox, scope, ...tools },
  )
  const passed =
    outcome.files !== null && (await validator.validate({ ...validation, files: outcome.files }, { scope })).passed
  return { ...outcome, passed, asked }
}

const test = (body: string, imports = '{ f }', from = './solution'): Record<string, string> => ({
  'solution.test.ts': `import { expect, it } from 'vitest'\nimport ${imports} from '${from}'\n${body}\n`,
})

describe('the mechanic', { timeout: 180_000 }, () => {
  it('mends two bugs in two functions, each seen by tests of its own', async () => {
    const progress: MendProgress[] = []
    const { passed, changes } = await mended(
      {
        files: {
          'solution.ts': `export function total(list: readonly number[]): number {
  let sum = 0
  for (let i = 1; i < list.length; i++) sum += list[i]
  return sum
}
export function isCheap(price: number): boolean {
  return price < 10
}
`,
        },
        tests: test(
          `it('adds', () => expect(total([1, 2, 3])).toBe(6))
it('adds one', () => expect(total([5])).toBe(5))
it('knows cheap', () => { expect(isCheap(10)).toBe(true); expect(isCheap(11)).toBe(false) })`,
          '{ isCheap, total }',
        ),
      },
      { tools: { onProgress: (each) => progress.push(each) } },
    )
    expect(passed).toBe(true)
    expect(changes).toHaveLength(2)
    expect(progress.at(-1)).toMatchObject({ total: 3, maxCandidates: 2_000 })
  })

  it('mends types first, and the bug that they hid after', async () => {
    const { passed, changes } = await mended({
      files: { 'solution.ts': 'export function f(list: number[]): number {\n  return list.lenght - 1\n}\n' },
      tests: test("it('counts', () => { expect(f([1, 2])).toBe(2); expect(f([])).toBe(0) })"),
    })
    expect(passed).toBe(true)
    expect(changes.length).toBeGreaterThanOrEqual(2)
  })

  it('finds the file of a candidate that holds the fault', async () => {
    const { passed, files } = await mended({
      files: {
        'solution.ts':
          "import { last } from './list'\nexport const f = (text: string): string => last(text.split(' '))\n",
        'list.ts': "export const last = (list: readonly string[]): string => list[0] ?? ''\n",
      },
      tests: test("it('takes the last', () => { expect(f('a b c')).toBe('c'); expect(f('x')).toBe('x') })"),
    })
    expect(passed).toBe(true)
    expect(files?.['solution.ts']).toContain("last(text.split(' '))")
  })

  it('repairs plain scripts by asserting scripts', async () => {
    const { passed, changes } = await mended({
      language: 'javascript',
      entry: 'solution.js',
      files: {
        'solution.js':
          'const max = (list) => {\n  let m = list[0]\n  for (const x of list) if (x < m) m = x\n  return m\n}\n',
      },
      tests: { 'solution.test.js': 'console.assert(max([1, 3, 2]) === 3)\nconsole.assert(max([-1, -2]) === -1)\n' },
    })
    expect(passed).toBe(true)
    expect(changes).toEqual(['solution.js:3 x < m -> x > m'])
  })

  it('hands over nothing where nothing helps, and keeps to its candidates', async () => {
    const { files, tried } = await mended(
      {
        files: { 'solution.ts': 'export const f = (n: number): number => n\n' },
        tests: test("it('is a riddle', () => { expect(f(1)).toBe(8731); expect(f(2)).toBe(-5) })"),
      },
      { maxCandidates: 30 },
    )
    expect(files).toBeNull()
    expect(tried).toBeLessThanOrEqual(30)
  })

  it('gets over changes that never end', async () => {
    const { passed } = await mended({
      files: {
        'solution.ts':
          'export function f(n: number): number {\n  let steps = 1\n  while (n > 1) {\n    n = n % 2 === 0 ? n / 2 : 3 * n + 1\n    steps += 1\n  }\n  return steps\n}\n',
      },
      tests: test("it('counts steps', () => { expect(f(1)).toBe(0); expect(f(6)).toBe(8) })"),
    })
    expect(passed).toBe(true)
  })

  it('never looks at hidden tests', async () => {
    const { asked } = await mended(
      {
        files: { 'solution.ts': 'export const f = (n: number): number => n + 2\n' },
        tests: test("it('adds one', () => expect(f(1)).toBe(2))"),
        hiddenTests: { 'hidden.test.ts': "import { f } from './solution'\nit('x', () => expect(f(5)).toBe(6))\n" },
      },
      {},
    )
    expect(asked.length).toBeGreaterThan(0)
    for (const request of asked) expect(request.hiddenTests).toEqual({})
  })

  it('says where another passing patch answers differently', async () => {
    const { passed, disagreements } = await mended({
      files: { 'solution.ts': 'export const f = (a: number, b: number): number => a - b\n' },
      tests: test("it('is four', () => expect(f(2, 2)).toBe(4))"),
    })
    expect(passed).toBe(true)
    expect(disagreements.join('\n')).toMatch(/f\(\d, \d\) is \d+ here, and \d+ with "solution\.ts:1 /)
  })

  it('ends at once when aborted, with ABORTED', async () => {
    const controller = new AbortController()
    const run = mended(
      {
        files: { 'solution.ts': 'export const f = (n: number, m: number): number => n * m + n - m\n' },
        tests: test("it('is a riddle', () => { expect(f(1, 2)).toBe(8731); expect(f(2, 2)).toBe(-5) })"),
      },
      { tools: { signal: controller.signal, onProgress: () => controller.abort() } },
    )
    await expect(run).rejects.toMatchObject({ code: 'ABORTED' })
  })

  it('leaves logic alone in a quick repair', async () => {
    const search: LogicSearch = () => expect.unreachable('a quick repair does not search')
    const red = {
      files: { 'solution.ts': 'export const f = (n: number): number => n + 2\n' },
      tests: test("it('adds one', () => expect(f(1)).toBe(2))"),
    }
    expect(await mended(red, { depth: 'quick', search })).toMatchObject({ files: null, tried: 0 })
    const untyped = { ...red, files: { 'solution.ts': 'export const f = (n: number): string => n + 2\n' } }
    expect((await mended(untyped, { depth: 'quick', search })).tried).toBeLessThanOrEqual(40)
  })
})
