import type { GuestEnvironment } from '../../sandbox/types.ts'
import type { TrustRequest } from '../types.ts'
import { type JudgeFiles, verdictOf } from './judge.ts'

/** Days and places where calendars are awkward: a leap day's eve, the turn of a year, a change of summer time, the far side of the date line. */
const surroundings: readonly Omit<GuestEnvironment, 'seed' | 'shuffleTests'>[] = [
  { epochMs: Date.UTC(2028, 1, 28, 23, 30), timeZone: 'America/New_York' },
  { epochMs: Date.UTC(2025, 11, 31, 22, 45), timeZone: 'Asia/Kolkata' },
  { epochMs: Date.UTC(2026, 2, 29, 0, 30), timeZone: 'Europe/Berlin' },
  { epochMs: Date.UTC(2030, 6, 15, 11, 0), timeZone: 'Pacific/Kiritimati' },
]

export interface Repeats {
  readonly runs: number
  /** Titles of tests whose status changed, sorted. */
  readonly flaky: string[]
  /** What the slowest took, in milliseconds of the wall; undefined without runs. */
  readonly slowestMs: number | undefined
}

/** Runs the candidate under other circumstances; it is green under the usual ones, so whatever fails here has changed. */
export async function repeatRuns({ validation, repeats }: TrustRequest, judge: JudgeFiles): Promise<Repeats> {
  const reports = await Promise.all(
    Array.from({ length: repeats }, (_, index) =>
      judge(validation.files, {
        environment: {
          ...validation.environment,
          ...surroundings[index % surroundings.length],
          seed: 7_919 * (index + 1),
          shuffleTests: true,
        },
      }),
    ),
  )
  const counted = reports.filter((report) => verdictOf(report) !== 'none')
  const statuses = counted.map(({ tests }) => new Map(tests.cases.map(({ name, status }) => [name, status])))
  const flaky = new Set<string>()
  for (const name of new Set(statuses.flatMap((each) => [...each.keys()]))) {
    const seen = new Set(statuses.map((each) => each.get(name)))
    if (seen.has('failed') || seen.has(undefined) || seen.size > 1) flaky.add(name)
  }
  for (const report of counted) {
    if (verdictOf(report) === 'green' || report.tests.failed > 0) continue
    const outside = report.failures.find(({ severity }) => severity === 'error')
    flaky.add(`outside any test: ${outside?.message ?? 'the tests did not run'}`)
  }
  const times = counted.map(({ layers }) => layers.find(({ layer }) => layer === 'tests')?.durationMs ?? 0)
  return {
    runs: counted.length,
    flaky: [...flaky].sort(),
    slowestMs: times.length > 0 ? Math.max(...times) : undefined,
  }
}
