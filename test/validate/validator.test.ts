import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Report, reportSchema } from '../../src/domain/report.ts'
import { RedgreenError } from '../../src/errors.ts'
import type { GuestError, TestOutcome } from '../../src/sandbox/types.ts'
import { createValidator } from '../../src/validate/create-validator.ts'
import { createTypeService, type TypeService } from '../../src/validate/type-service.ts'
import type { ValidationOptions, ValidationRequest } from '../../src/validate/types.ts'
import { requestOf } from './requests.ts'
import { failed, outcomeOf, passed, type ScriptedSandbox, scriptedSandbox } from './scripted-sandbox.ts'

let typeService: TypeService
beforeAll(async () => {
  typeService = createTypeService({ workers: 1 })
  await typeService.warmUp()
})
afterAll(() => typeService.close())

const tests = {
  'solution.test.ts':
    "import { it, expect } from 'vitest'\nimport { sum } from './solution'\nit('adds', () => {\n  expect(sum(1, 2)).toBe(3)\n})\n",
}
const good = { 'solution.ts': 'export function sum(a: number, b: number): number {\n  return a + b\n}\n' }
const badTypes = { 'solution.ts': 'export function sum(a: number, b: number): string {\n  return a + b\n}\n' }

function judge(
  sandbox: ScriptedSandbox,
  request: Parameters<typeof requestOf>[0],
  options: Partial<ValidationOptions> = {},
): Promise<Report> {
  return createValidator({ sandbox, typeService }).validate(requestOf({ files: good, tests, ...request }), {
    scope: 'test',
    ...options,
  })
}

const statuses = (report: Report): string => report.layers.map(({ layer, status }) => `${layer} ${status}`).join(', ')
const error = (more: Partial<GuestError>): GuestError => ({ name: 'Error', message: 'boom', stack: '', ...more })

describe('the order of layers', () => {
  test('green everywhere is passed, with a report of the published shape', async () => {
    const sandbox = scriptedSandbox(outcomeOf([passed('adds')], { console: 'hello\n' }))
    const report = await judge(sandbox, {})
    expect(reportSchema.parse(report)).toEqual(report)
    expect(report).toMatchObject({
      passed: true,
      score: 1,
      tests: { total: 1, passed: 1, failed: 0, skipped: 0 },
      failures: [],
      console: 'hello\n',
      isolation: 'isolate+process',
    })
    expect(statuses(report)).toBe('syntax passed, imports passed, types passed, policy passed, tests passed')
    expect(sandbox.jobs[0]).toMatchObject({ kind: 'test', entry: 'solution.ts', allowEval: false })
  })

  test.each([
    [
      'syntax',
      { 'solution.ts': 'export function sum(' },
      'syntax failed, imports skipped, types skipped, policy skipped, tests skipped',
      0,
    ],
    [
      'imports',
      { 'solution.ts': "import 'fs'\nexport const sum = 1\n" },
      'syntax passed, imports failed, types skipped, policy skipped, tests skipped',
      0,
    ],
    [
      'policy',
      { 'solution.ts': 'export const sum = 1 as any\n' },
      'syntax passed, imports passed, types passed, policy failed, tests skipped',
      0,
    ],
    ['types', badTypes, 'syntax passed, imports passed, types failed, policy skipped, tests skipped', 1],
  ])('a red %s layer stops the next', async (layer, files, expected, runs) => {
    const sandbox = scriptedSandbox(outcomeOf([passed('adds')]))
    const report = await judge(sandbox, { files })
    expect(statuses(report)).toBe(expected)
    expect(report.passed).toBe(false)
    expect(new Set(report.failures.map((failure) => failure.layer))).toEqual(new Set([layer]))
    expect(report.tests).toEqual({ total: 0, passed: 0, failed: 0, skipped: 0, cases: [] })
    expect(sandbox.jobs).toHaveLength(runs)
  })

  test('a further layer scores more', async () => {
    const scores: number[] = []
    for (const files of [
      { 'solution.ts': 'export function sum(' },
      { 'solution.ts': "import 'fs'\nexport const sum = 1\n" },
      badTypes,
      { 'solution.ts': 'export const sum = 1 as any\n' },
    ])
      scores.push((await judge(scriptedSandbox(outcomeOf([])), { files })).score)
    scores.push((await judge(scriptedSandbox(outcomeOf([failed('a'), passed('b')])), {})).score)
    scores.push((await judge(scriptedSandbox(outcomeOf([failed('a'), passed('b'), passed('c')])), {})).score)
    scores.push(
      (await judge(scriptedSandbox(outcomeOf([passed('a')]), outcomeOf([failed('b')])), { hiddenTests: tests })).score,
    )
    expect(scores).toEqual([...scores].sort((a, b) => a - b))
    expect(new Set(scores).size).toBe(scores.length)
  })

  test('a run whose result no longer counts is ended', async () => {
    const sandbox = scriptedSandbox('hang')
    const report = await judge(sandbox, { files: badTypes })
    expect(statuses(report)).toContain('types failed')
    const [signal] = sandbox.signals
    await new Promise<void>((resolve) =>
      signal?.aborted ? resolve() : signal?.addEventListener('abort', () => resolve()),
    )
    expect(signal?.aborted).toBe(true)
  })

  test('all layers are told when all are asked for, the earliest red one steers', async () => {
    const files = {
      'solution.ts': 'export function sum(a: number, b: number): string {\n  return (a - b) as any as number\n}\n',
    }
    const report = await judge(
      scriptedSandbox(
        outcomeOf([failed('adds', { errors: [error({ name: 'AssertionError', expected: '3', actual: '-1' })] })]),
      ),
      { files, validation: 'all' },
    )
    expect(statuses(report)).toBe('syntax passed, imports passed, types failed, policy failed, tests failed')
    expect(report.failures.map((failure) => failure.layer)).toEqual(['types', 'policy', 'tests'])
    expect(report.score).toBe((await judge(scriptedSandbox(outcomeOf([])), { files: badTypes })).score)
  })

  test('JavaScript has no types layer', async () => {
    const report = await judge(scriptedSandbox(outcomeOf([passed('adds')])), {
      language: 'javascript',
      entry: 'solution.js',
      files: { 'solution.js': 'export const sum = (a, b) => a + b\n' },
    })
    expect(statuses(report)).toBe('syntax passed, imports passed, policy passed, tests passed')
  })

  test('layers and tests are told as they end', async () => {
    const heard: string[] = []
    await judge(
      scriptedSandbox(outcomeOf([passed('a')]), outcomeOf([passed('b')])),
      { hiddenTests: { 'h.test.ts': 'it("b", () => {})' } },
      {
        onLayer: ({ layer }) => heard.push(layer),
        onTest: (test, hidden) => heard.push(`${test.name} ${hidden}`),
      },
    )
    expect(heard.filter((word) => !word.includes(' '))).toEqual([
      'syntax',
      'imports',
      'types',
      'policy',
      'tests',
      'hidden',
    ])
    expect(heard).toContain('a false')
    expect(heard).toContain('b true')
  })
})

describe('what the sandbox saw', () => {
  const failuresOf = async (outcome: TestOutcome, request: Partial<ValidationRequest> = {}) =>
    (await judge(scriptedSandbox(outcome), request)).failures

  test('a failed assertion is logic, with values, place in the test and its line', async () => {
    const [failure] = await failuresOf(
      outcomeOf([
        failed('adds', {
          errors: [
            error({
              name: 'AssertionError',
              message: 'expected 4 to be 3 // Object.is equality',
              expected: '3',
              actual: '4',
              stack: 'AssertionError: expected 4 to be 3\n    at solution.test.ts:4:21',
            }),
          ],
        }),
      ]),
    )
    expect(failure).toMatchObject({
      layer: 'tests',
      kind: 'logic',
      test: 'adds',
      expected: '3',
      actual: '4',
      assertion: { file: 'solution.test.ts', line: 4, source: 'expect(sum(1, 2)).toBe(3)' },
    })
  })

  test('an error of the candidate is placed in its own source, with a frame', async () => {
    const [failure] = await failuresOf(
      outcomeOf([
        failed('adds', {
          errors: [
            error({
              name: 'TypeError',
              message: "Cannot read properties of undefined (reading 'x')",
              stack:
                "TypeError: Cannot read properties of undefined (reading 'x')\n    at sum (solution.ts:2:10)\n    at solution.test.ts:4:10",
            }),
          ],
        }),
      ]),
    )
    expect(failure).toMatchObject({ kind: 'runtime', location: { file: 'solution.ts', line: 2, column: 10 } })
    expect(failure?.frame).toContain('> 2 |   return a + b')
  })

  test('places in compiled sources are mapped back', async () => {
    const files = {
      'solution.ts':
        'enum Sign { Plus, Minus }\n\n\nexport function sum(a: number, b: number): number {\n  if (Sign.Plus !== 0) return 0\n  return a + b\n}\n',
    }
    const sandbox = scriptedSandbox(outcomeOf([passed('adds')]))
    await judge(sandbox, { files })
    const code = sandbox.jobs[0]?.modules[0]?.code.split('\n') ?? []
    const line = code.findIndex((text) => text.includes('return a + b')) + 1
    const column = (code[line - 1] ?? '').indexOf('return') + 1
    expect(line).not.toBe(6)
    const [failure] = await failuresOf(
      outcomeOf([
        failed('adds', { errors: [error({ stack: `Error: boom\n    at sum (solution.ts:${line}:${column})` })] }),
      ]),
      { files },
    )
    expect(failure?.location).toEqual({ file: 'solution.ts', line: 6, column: 3 })
  })

  test('a promise that can never settle is named with its test', async () => {
    const [failure] = await failuresOf(outcomeOf([failed('waits', { neverSettles: true })]))
    expect(failure).toMatchObject({
      kind: 'timeout',
      test: 'waits',
      message: expect.stringMatching(/"waits" never settles/),
    })
  })

  test.each([
    [{ kind: 'timeout', which: 'cpu' }, 'timeout', /5000 ms of processor time during "adds"/],
    [{ kind: 'timeout', which: 'wall' }, 'timeout', /30000 ms/],
    [{ kind: 'memory' }, 'memory', /256 MiB/],
    [{ kind: 'output' }, 'output', /printed/],
    [{ kind: 'crash', detail: 'the process ended by SIGSEGV' }, 'crash', /SIGSEGV/],
    [{ kind: 'environment', detail: 'no processes' }, 'environment', /no processes/],
  ] as const)('a job that ends by %o is of that kind', async (end, kind, message) => {
    const [failure] = await failuresOf(outcomeOf([passed('first')], { end, runningTest: 'adds' }))
    expect(failure).toMatchObject({ layer: 'tests', kind, test: 'adds', message: expect.stringMatching(message) })
  })

  test('no tests, or none but skipped ones, are the fault of the tests and no pass', async () => {
    expect((await failuresOf(outcomeOf([])))[0]).toMatchObject({ kind: 'test', code: 'NO_TESTS' })
    expect((await failuresOf(outcomeOf([{ ...passed('a'), status: 'skipped' }])))[0]).toMatchObject({
      kind: 'test',
      code: 'ALL_SKIPPED',
    })
    expect(await failuresOf(outcomeOf([{ ...passed('a'), status: 'skipped' }, passed('b')]))).toEqual([])
  })

  test('an error outside of tests is red even when all of them pass', async () => {
    const report = await judge(
      scriptedSandbox(
        outcomeOf([passed('adds')], { errors: [{ phase: 'unhandled', error: error({ message: 'late' }) }] }),
      ),
      {},
    )
    expect(report.passed).toBe(false)
    expect(report.failures[0]).toMatchObject({ kind: 'runtime', message: expect.stringContaining('late') })
  })

  test('what keeps the candidate from loading comes before what follows from it, and once', async () => {
    const load = error({
      name: 'TypeError',
      message: 'Object.nope is not a function',
      stack: 'TypeError: Object.nope is not a function\n    at solution.ts:1:8',
    })
    const failures = await failuresOf(
      outcomeOf(
        [
          failed('adds', {
            errors: [error({ name: 'AssertionError', message: 'expected', expected: '1', actual: '2' })],
          }),
        ],
        {
          errors: [
            { phase: 'load-candidate', file: 'solution.ts', error: load },
            { phase: 'load-tests', file: 'solution.test.ts', error: load },
          ],
        },
      ),
    )
    expect(failures.map((failure) => failure.kind)).toEqual(['runtime', 'logic'])
    expect(failures[0]).toMatchObject({
      location: { file: 'solution.ts', line: 1 },
      hint: expect.stringContaining('could not be loaded'),
    })
  })

  test('tests that a person has set aside are neither run nor counted', async () => {
    const two = {
      'solution.test.ts': `${tests['solution.test.ts']}describe('more', () => {\n  it('is wrong', () => { throw new Error() })\n})\n`,
    }
    const sandbox = scriptedSandbox(outcomeOf([passed('adds'), failed('more > is wrong')]))
    const report = await judge(sandbox, { tests: two, setAside: ['more > is wrong'] })
    expect(report).toMatchObject({ passed: true, tests: { total: 1, passed: 1 } })
    expect(sandbox.jobs[0]?.tests[0]?.code).not.toContain('is wrong')
    expect(sandbox.jobs[0]?.tests[0]?.code).toContain("it('adds'")
  })
})

describe('hidden tests', () => {
  const hiddenTests = {
    'secret.test.ts': "import { sum } from './solution'\nit('big secret', () => { expect(sum(7, 7)).toBe(14) })\n",
  }

  test('run in a job of their own once the visible ones are green', async () => {
    const sandbox = scriptedSandbox(outcomeOf([passed('adds')]), outcomeOf([passed('big secret'), passed('other')]))
    const report = await judge(sandbox, { hiddenTests })
    expect(sandbox.jobs.map((job) => job.tests.map(({ path }) => path))).toEqual([
      ['solution.test.ts'],
      ['secret.test.ts'],
    ])
    expect(report).toMatchObject({ passed: true, hidden: { total: 2, passed: 2 } })
    expect(report.tests.total).toBe(1)
  })

  test('say nothing but that something unseen failed', async () => {
    const sandbox = scriptedSandbox(
      outcomeOf([passed('adds')]),
      outcomeOf(
        [
          failed('big secret', {
            errors: [
              error({
                name: 'AssertionError',
                message: 'expected 15 to be 14',
                expected: '14',
                actual: '15',
                stack: 'at secret.test.ts:2:1',
              }),
            ],
          }),
        ],
        { console: 'secret print', runningTest: 'big secret' },
      ),
    )
    const report = await judge(sandbox, { hiddenTests })
    expect(report).toMatchObject({ passed: false, hidden: { total: 1, passed: 0 } })
    expect(report.failures).toEqual([expect.objectContaining({ layer: 'hidden', kind: 'logic' })])
    expect(JSON.stringify(report)).not.toMatch(/secret|"14"|"15"|expected 15/)
  })

  test('are not run while anything is red', async () => {
    const sandbox = scriptedSandbox(outcomeOf([failed('adds')]))
    expect(statuses(await judge(sandbox, { hiddenTests }))).toContain('tests failed, hidden skipped')
    expect(sandbox.jobs).toHaveLength(1)
  })

  test('nothing is proven without any test', async () => {
    const report = await judge(scriptedSandbox(), { tests: {} })
    expect(report).toMatchObject({ passed: false, failures: [{ layer: 'tests', kind: 'test', code: 'NO_TESTS' }] })
  })

  test('may be the only tests', async () => {
    const report = await judge(scriptedSandbox(outcomeOf([passed('big secret')])), { tests: {}, hiddenTests })
    expect(statuses(report)).toBe('syntax passed, imports passed, types passed, policy passed, hidden passed')
    expect(report.passed).toBe(true)
  })
})

describe('infrastructure', () => {
  test('a sandbox that throws is thrown on, not judged', async () => {
    await expect(judge(scriptedSandbox(new RedgreenError('SANDBOX_UNAVAILABLE', 'none')), {})).rejects.toMatchObject({
      code: 'SANDBOX_UNAVAILABLE',
    })
  })

  test('an abort before and in the middle rejects with its code', async () => {
    await expect(judge(scriptedSandbox(), {}, { signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: 'ABORTED',
    })
    const controller = new AbortController()
    const running = judge(scriptedSandbox('hang'), {}, { signal: controller.signal })
    controller.abort()
    await expect(running).rejects.toMatchObject({ code: 'ABORTED' })
  })

  test('other languages are refused by name, a closed validator refuses all', async () => {
    const validator = createValidator({ sandbox: scriptedSandbox(), typeService })
    await expect(validator.validate(requestOf({ language: 'python' }), { scope: 'a' })).rejects.toMatchObject({
      code: 'LANGUAGE_UNAVAILABLE',
    })
    await validator.close()
    await validator.close()
    await expect(validator.validate(requestOf(), { scope: 'a' })).rejects.toMatchObject({ code: 'ENGINE_CLOSED' })
  })
})
