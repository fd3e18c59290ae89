import type { Limits } from '../../domain/policy.ts'
import type { Report } from '../../domain/report.ts'
import type { Trust } from '../../domain/result.ts'
import { RedgreenError } from '../../errors.ts'
import type { GuestEnvironment } from '../../sandbox/types.ts'
import type { ValidationRequest } from '../../validate/types.ts'
import type { MeasureTrust, MechanicTools, TrustRequest } from '../types.ts'
import { trustLevel } from './level.ts'
import type { Analysis, AnalysisInput, Mutant } from './messages.ts'
import { aborted, analyseInThread } from './thread.ts'

/** Two children run tests; one more candidate is in the hands of the compiler meanwhile. */
const inFlight = 3
/** What a mutant may burn: so many times what the candidate itself took, within these bounds. */
const patience = { factor: 20, minCpuMs: 400, maxCpuMs: 2_000 }
/** Of the budget, what mutants have at least, however long the analysis took. */
const mutantShare = 0.5

/** Days and places where calendars are awkward: a leap day's eve, the turn of a year, a half-hour zone, the far side of the date line. */
const surroundings: readonly Omit<GuestEnvironment, 'seed' | 'shuffleTests'>[] = [
  { epochMs: Date.UTC(2028, 1, 28, 23, 30), timeZone: 'America/New_York' },
  { epochMs: Date.UTC(2025, 11, 31, 22, 45), timeZone: 'Asia/Kolkata' },
  { epochMs: Date.UTC(2026, 2, 29, 0, 30), timeZone: 'Europe/Berlin' },
  { epochMs: Date.UTC(2030, 6, 15, 11, 0), timeZone: 'Pacific/Kiritimati' },
]

export interface TrustParts {
  readonly analyse: (input: AnalysisInput, signal?: AbortSignal) => Promise<Analysis>
  readonly nowMs: () => number
}

/**
 * Measures how far a green candidate may be believed; the rules are in docs/trust.md. Hidden tests take no part. `timeMs` is soft:
 * it bounds the mutants, and what was measured until then is judged. Deterministic unless that budget ends it early.
 * Rejects with ABORTED on the signal, LANGUAGE_UNAVAILABLE for languages other than JavaScript and TypeScript.
 */
export function createMeasureTrust({ analyse, nowMs }: TrustParts): MeasureTrust {
  return async (request, tools) => {
    const { language } = request.validation
    if (language !== 'typescript' && language !== 'javascript')
      throw new RedgreenError(
        'LANGUAGE_UNAVAILABLE',
        `Trust is measured for typescript and javascript, not ${language}.`,
      )
    const startedAt = nowMs()
    const judge = judgeWith(request, tools)
    const analysing = analyse(
      {
        language,
        files: request.validation.files,
        tests: request.validation.tests,
        mutants: request.mutants,
      },
      tools.signal,
    )
    analysing.catch(() => {}) // awaited below; the repeats may fail first
    const repeats = await repeat(request, judge)
    const analysis = await analysing
    const stub = await judge(analysis.stub, { validation: 'all' })
    const measuredMs = nowMs() - startedAt
    const leftMs = Math.max(request.timeMs - measuredMs, request.timeMs * mutantShare)
    const mutants = await killMutants(analysis.mutants, request, judge, {
      limits: patientLimits(request.validation.limits, repeats.cpuMs),
      deadlineAt: nowMs() + leftMs,
      nowMs,
      signal: tools.signal,
    })
    const measured = {
      stubFails: verdictOf(stub) === 'red',
      mutants,
      repeats: { runs: repeats.runs, flaky: repeats.flaky },
      suspicions: analysis.suspicions,
    }
    return {
      ...measured,
      suspicions: measured.suspicions.map(({ text }) => text),
      level: trustLevel(measured),
    }
  }
}

/** Measures in this process's own trust thread, by the system clock. */
export const measureTrust: MeasureTrust = createMeasureTrust({
  analyse: analyseInThread,
  nowMs: () => performance.now(),
})

type Judge = (
  files: ValidationRequest['files'],
  given?: Partial<ValidationRequest>,
  signal?: AbortSignal,
) => Promise<Report>

function judgeWith({ validation }: TrustRequest, { validator, scope, signal }: MechanicTools): Judge {
  return async (files, given = {}, own) => {
    if (signal?.aborted) throw aborted(signal)
    const combined = own ? (signal ? AbortSignal.any([signal, own]) : own) : signal
    return await validator.validate(
      { ...validation, files, hiddenTests: {}, validation: 'fail-fast', ...given },
      { scope, ...(combined ? { signal: combined } : {}) },
    )
  }
}

/** What the tests said: nothing where an earlier layer is red or the environment failed. */
function verdictOf(report: Report): 'green' | 'red' | 'none' {
  const layer = report.layers.find(({ layer: name }) => name === 'tests')
  if (!layer || layer.status === 'skipped') return 'none'
  if (layer.status !== 'failed') return 'green'
  return report.failures.some(({ kind }) => kind === 'environment') ? 'none' : 'red'
}

interface Repeats {
  readonly runs: number
  readonly flaky: string[]
  /** What the slowest took in the sandbox; undefined without runs. */
  readonly cpuMs: number | undefined
}

/** Runs the candidate under other circumstances; it is green under the usual ones, so whatever is not passed here has changed. */
async function repeat({ validation, repeats }: TrustRequest, judge: Judge): Promise<Repeats> {
  const reports = await Promise.all(
    Array.from({ length: repeats }, (_, index) => {
      const around = surroundings[index % surroundings.length]
      return judge(validation.files, {
        environment: { ...validation.environment, ...around, seed: 7_919 * (index + 1), shuffleTests: true },
      })
    }),
  )
  const counted = reports.filter((report) => verdictOf(report) !== 'none')
  const names = new Set(counted.flatMap(({ tests }) => tests.cases.map(({ name }) => name)))
  const flaky = new Set<string>()
  for (const report of counted) {
    const statuses = new Map(report.tests.cases.map(({ name, status }) => [name, status]))
    for (const name of names) {
      const status = statuses.get(name)
      const isSame = counted.every(({ tests }) =>
        tests.cases.some((each) => each.name === name && each.status === status),
      )
      if (status === undefined || status === 'failed' || !isSame) flaky.add(name)
    }
    const outside = report.failures.find(({ test, severity }) => test === undefined && severity === 'error')
    if (verdictOf(report) === 'red' && report.tests.failed === 0)
      flaky.add(`outside any test: ${outside?.message ?? 'the tests did not run'}`)
  }
  const times = counted.map(({ layers }) => layers.find(({ layer }) => layer === 'tests')?.durationMs ?? 0)
  return {
    runs: counted.length,
    flaky: [...flaky].sort(),
    cpuMs: times.length > 0 ? Math.max(...times) : undefined,
  }
}

function patientLimits(limits: Limits, cpuMs: number | undefined): Limits {
  const { factor, minCpuMs, maxCpuMs } = patience
  const wanted = cpuMs === undefined ? maxCpuMs : Math.min(maxCpuMs, Math.max(minCpuMs, cpuMs * factor))
  return { ...limits, cpuMs: Math.min(limits.cpuMs, Math.ceil(wanted)) }
}

interface Hunt {
  readonly limits: Limits
  readonly deadlineAt: number
  readonly nowMs: () => number
  readonly signal: AbortSignal | undefined
}

/** Judges mutants in their order until enough have counted or the time is up. */
async function killMutants(
  mutants: readonly Mutant[],
  { validation, mutants: wanted }: TrustRequest,
  judge: Judge,
  { limits, deadlineAt, nowMs, signal }: Hunt,
): Promise<Trust['mutants']> {
  const verdicts: ('green' | 'red' | 'none' | undefined)[] = []
  let next = 0
  let counted = 0
  const isOver = (): boolean => counted >= wanted || next >= mutants.length || nowMs() >= deadlineAt
  const hunt = async (): Promise<void> => {
    while (!isOver()) {
      if (signal?.aborted) throw aborted(signal)
      const index = next++
      const mutant = mutants[index]
      if (!mutant) return
      const verdict = verdictOf(await judge({ ...validation.files, [mutant.file]: mutant.text }, { limits }))
      verdicts[index] = verdict
      if (verdict !== 'none') counted++
    }
  }
  await Promise.all(Array.from({ length: inFlight }, hunt))
  // what was judged beyond the limit depends on which came first, so that only the first ones count
  const first = mutants
    .map((mutant, index) => ({ mutant, verdict: verdicts[index] }))
    .filter(({ verdict }) => verdict === 'green' || verdict === 'red')
    .slice(0, wanted)
  const survivors = first
    .filter(({ verdict }) => verdict === 'green')
    .map(({ mutant: { file, line, change } }) => ({ file, line, change }))
    .sort((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : a.line - b.line))
  return { killed: first.length - survivors.length, total: first.length, survivors }
}
