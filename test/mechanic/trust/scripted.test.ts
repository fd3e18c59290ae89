import { describe, expect, test } from 'vitest'
import type { Report } from '../../../src/domain/report.ts'
import { createMeasureTrust } from '../../../src/mechanic/trust/measure-trust.ts'
import type { Look, Mutant, OpenAnalysis } from '../../../src/mechanic/trust/messages.ts'
import type { MechanicTools } from '../../../src/mechanic/types.ts'
import type { Sandbox, SearchJob, SearchOutcome } from '../../../src/sandbox/types.ts'
import type { ValidationRequest, Validator } from '../../../src/validate/types.ts'
import { requestOf } from '../../validate/requests.ts'

const solution = 'export const f = 1'
const stub = 'export const f = undefined'

/** A mutant whose text says what becomes of it. */
const mutant = (name: string, line = 1): Mutant => ({
  file: 'solution.ts',
  line,
  change: name,
  text: name,
  module: { path: 'solution.ts', code: name, format: 'esm' },
})

type Status = 'passed' | 'failed'
const reportOf = (statuses: Record<string, Status>, failures: Report['failures'] = []): Report => {
  const cases = Object.entries(statuses).map(([name, status]) => ({ name, status, durationMs: 1 }))
  const failed = cases.filter(({ status }) => status === 'failed').length
  const isRed = failed > 0 || failures.length > 0
  return {
    passed: !isRed,
    layers: [{ layer: 'tests', status: isRed ? 'failed' : 'passed', durationMs: 5 }],
    tests: { total: cases.length, passed: cases.length - failed, failed, skipped: 0, cases },
    failures,
    score: 1,
    console: '',
    isolation: 'isolate+process',
  }
}
const green = reportOf({ one: 'passed', two: 'passed' })
const red = reportOf({ one: 'passed', two: 'failed' })
const failure = (kind: 'environment' | 'runtime'): Report['failures'][number] => ({
  layer: 'tests',
  kind,
  severity: 'error',
  message: 'it broke',
  fingerprint: 'x',
})

interface Script {
  readonly mutants?: readonly Mutant[]
  readonly look?: Partial<Look>
  /** What the validator says of the candidate when it is run for the nth time, from 0. */
  readonly repeat?: (run: number) => Report
  readonly stubReport?: Report
  /** What the validator says of a mutant that lives in the search. */
  readonly confirm?: (name: string) => Report
  readonly wanted?: number
  readonly disagreements?: readonly string[]
  /** Milliseconds that each look at the clock takes. */
  readonly tickMs?: number
}

/** Mutants named 'killed' fail a test in the search, 'endless' time out, 'lost' are not answered for; the others live. */
async function measured(script: Script) {
  const asked: ValidationRequest[] = []
  let runs = 0
  const validator: Pick<Validator, 'validate'> = {
    async validate(request) {
      asked.push(request)
      const text = request.files['solution.ts'] ?? ''
      if (text === stub) return script.stubReport ?? red
      if (text === solution) return script.repeat?.(runs++) ?? green
      return script.confirm?.(text) ?? green
    },
  }
  const sandbox: Pick<Sandbox, 'run'> = {
    run: (async (job: SearchJob): Promise<SearchOutcome> => ({
      kind: 'search',
      end: { kind: 'completed' },
      durationMs: 1,
      variants: job.variants
        .map((variant, index) => {
          const code = job.variantModules?.[index]?.[0]?.code ?? ''
          return {
            variant,
            passed: code.startsWith('killed') ? [0] : [0, 1],
            total: 2,
            timedOut: code.startsWith('endless'),
            isLost: code.startsWith('lost'),
          }
        })
        .filter(({ isLost }) => !isLost),
    })) as unknown as Sandbox['run'], // the only kind of job that trust asks for
  }
  const left = [...(script.mutants ?? [])]
  const open: OpenAnalysis = () => ({
    look: async () => ({
      stub: { 'solution.ts': stub },
      suspicions: [],
      program: { entry: 'solution.ts', modules: [], tests: [], packages: [] },
      ...script.look,
    }),
    take: async (count) => left.splice(0, count),
    close: () => {},
  })
  let now = 0
  const measure = createMeasureTrust({ open, nowMs: () => (now += script.tickMs ?? 0) })
  const trust = await measure(
    {
      validation: requestOf({
        files: { 'solution.ts': solution },
        tests: { 'a.test.ts': '' },
        hiddenTests: { 'hidden.test.ts': 'secret' },
      }),
      mutants: script.wanted ?? 50,
      timeMs: 1_000,
      repeats: 2,
      ...(script.disagreements ? { disagreements: script.disagreements } : {}),
    },
    // only these members are used
    { validator: validator as Validator, sandbox: sandbox as Sandbox, scope: 's' } satisfies MechanicTools,
  )
  return { trust, asked }
}
const many = (name: string, count: number, line?: number): Mutant[] =>
  Array.from({ length: count }, (_, index) => mutant(`${name}${index}`, line ?? index + 1))

describe('mutants', () => {
  test('count as killed when a test fails or they do not end; the others are listed in the order of lines', async () => {
    const { trust } = await measured({
      mutants: [mutant('alive b', 9), ...many('killed', 6), mutant('endless'), mutant('alive a', 2)],
    })
    expect(trust.mutants).toEqual({
      killed: 7,
      total: 9,
      survivors: [
        { file: 'solution.ts', line: 2, change: 'alive a' },
        { file: 'solution.ts', line: 9, change: 'alive b' },
      ],
    })
  })

  test('that live in the search and die before the validator are killed', async () => {
    const { trust } = await measured({ mutants: many('shared', 6), confirm: () => red })
    expect(trust.mutants).toEqual({ killed: 6, total: 6, survivors: [] })
  })

  test('are not counted where the environment failed or no answer came', async () => {
    const { trust } = await measured({
      mutants: [mutant('alive'), mutant('lost')],
      confirm: () => reportOf({}, [failure('environment')]),
    })
    expect(trust.mutants.total).toBe(0)
  })

  test('are no more than asked for', async () => {
    const { trust } = await measured({ mutants: many('killed', 40), wanted: 11 })
    expect(trust.mutants.total).toBe(11)
  })

  test('are judged as far as the time goes', async () => {
    const { trust } = await measured({ mutants: many('killed', 4_000), wanted: 4_000, tickMs: 50 })
    expect(trust.mutants.total).toBeGreaterThan(0)
    expect(trust.mutants.total).toBeLessThan(400)
    expect(trust.level).toBe('high')
  })

  test('of one line that all live keep trust from being high', async () => {
    const watched = await measured({ mutants: [...many('killed', 40), ...many('alive', 3)] })
    const unwatched = await measured({ mutants: [...many('killed', 40), ...many('alive', 3, 77)] })
    expect([watched.trust.level, unwatched.trust.level]).toEqual(['high', 'medium'])
  })

  test('never see hidden tests', async () => {
    const { asked } = await measured({ mutants: many('alive', 3) })
    expect(asked.length).toBe(6)
    expect(asked.every(({ hiddenTests }) => Object.keys(hiddenTests).length === 0)).toBe(true)
  })
})

describe('repeats', () => {
  test('are run in other surroundings, each in its own', async () => {
    const { asked } = await measured({})
    const environments = asked.slice(0, 2).map(({ environment }) => environment)
    expect(environments.every((each) => each?.shuffleTests === true)).toBe(true)
    for (const member of ['seed', 'epochMs', 'timeZone'] as const)
      expect(new Set(environments.map((each) => each?.[member])).size).toBe(2)
  })

  test.each<[string, (run: number) => Report, string[]]>([
    ['a test that fails in one', (run) => (run === 0 ? red : green), ['two']],
    ['a test that fails in all', () => red, ['two']],
    ['a test that is missing in one', (run) => (run === 0 ? green : reportOf({ one: 'passed' })), ['two']],
    [
      'errors outside any test',
      () => reportOf({ one: 'passed' }, [failure('runtime')]),
      ['outside any test: it broke'],
    ],
    ['nothing', () => green, []],
  ])('name %s', async (_, repeat, flaky) => {
    const { trust } = await measured({ repeat, mutants: many('killed', 9) })
    expect(trust.repeats).toEqual({ runs: 2, flaky })
    expect(trust.level).toBe(flaky.length > 0 ? 'low' : 'high')
  })

  test('that the environment broke are not counted', async () => {
    const { trust } = await measured({ repeat: (run) => (run === 0 ? reportOf({}, [failure('environment')]) : green) })
    expect(trust.repeats).toEqual({ runs: 1, flaky: [] })
  })
})

test('another passing patch that differs is a suspicion, and keeps trust from being high', async () => {
  const { trust } = await measured({ mutants: many('killed', 9), disagreements: ['f(0) is 1 here and 2 there'] })
  expect(trust.suspicions).toEqual(['another patch passes the tests too and differs: f(0) is 1 here and 2 there'])
  expect(trust.level).toBe('medium')
})

describe('the stub', () => {
  test('is judged although its types are wrong', async () => {
    const { asked } = await measured({})
    expect(asked.find(({ files }) => files['solution.ts'] === stub)?.validation).toBe('all')
  })

  test('that passes makes trust low', async () => {
    const { trust } = await measured({ stubReport: green, mutants: many('killed', 9) })
    expect(trust).toMatchObject({ stubFails: false, level: 'low' })
  })
})

test('other languages are refused, not guessed at', async () => {
  const measure = createMeasureTrust({ open: () => expect.unreachable(), nowMs: () => 0 })
  const nothing = {} as MechanicTools // refused before any tool is used
  await expect(
    measure({ validation: requestOf({ language: 'python' }), mutants: 1, timeMs: 1, repeats: 1 }, nothing),
  ).rejects.toThrow('Trust is measured for typescript and javascript')
})
