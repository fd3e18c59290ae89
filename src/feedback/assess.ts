import type { AttemptSummary } from '../domain/attempt-summary.ts'
import { failureCountOf, isBetter, layerRank } from '../domain/progress.ts'
import { findStuck } from '../domain/stuck.ts'
import { type HistoryEntry, summariseEntry } from './assess/summarise.ts'

/** How a history stands still or goes in circles. */
export type HistoryPattern =
  | 'same_failure'
  | 'same_code'
  | 'similar_code'
  | 'oscillation'
  | 'recurring_failure'
  | 'plateau'

/** What a history of attempts shows at its end. */
export interface Assessment {
  readonly stuck: boolean
  readonly pattern: HistoryPattern | null
  /** Of an oscillation. */
  readonly period?: 2 | 3
  /** Number of the first attempt of the pattern. */
  readonly since: number | null
  /** The program of the last attempt equals that of the attempt of this number: its report may be taken over. */
  readonly sameCodeAs?: number
  /** For each attempt: better than every earlier one? Null for the first. */
  readonly progress: readonly (boolean | null)[]
  /** Where the last attempt stands against the best before it. */
  readonly trend: 'first' | 'progress' | 'plateau' | 'regress'
  /** Number of the attempt that came closest; null for an empty history. Ties go to the earlier one. */
  readonly best: number | null
  /** Its index in the history. */
  readonly bestIndex: number | null
  /** One sentence for the next prompt; '' where there is nothing to say. */
  readonly words: string
}

export interface AssessOptions {
  /** Code and failures at least this much alike (0..1) count as the same; default 0.9. */
  readonly similarity?: number
  /** Number of the first attempt that counts for being stuck; default all. */
  readonly since?: number
  /** Attempts without a better one after which a history is on a plateau; default 3. */
  readonly plateau?: number
}

/**
 * Says whether attempts go in circles, stand still, fall back or get further. Progress is a further layer, then fewer failures or more
 * tests passed; a shrinking list of errors is never stuck. Pure. Entries of one's own are numbered from 1.
 */
export function assess(history: readonly (HistoryEntry | AttemptSummary)[], options: AssessOptions = {}): Assessment {
  const attempts = history.map((entry, index) => (isSummary(entry) ? entry : summariseEntry(entry, index + 1)))
  const { similarity = 0.9, plateau = 3 } = options
  const standing = standings(attempts)
  const last = attempts.at(-1)
  const base = {
    progress: standing.progress,
    trend: standing.trend,
    best: standing.best?.number ?? null,
    bestIndex: standing.bestIndex,
  }
  if (last === undefined || last.passed) return { ...base, stuck: false, pattern: null, since: null, words: '' }
  const counted =
    options.since === undefined ? attempts : attempts.filter((attempt) => attempt.number >= (options.since ?? 0))
  const better = standing.trend === 'progress'
  const period = better ? null : oscillation(counted)
  if (period !== null) {
    const since = circleStart(counted, period)
    return {
      ...base,
      stuck: true,
      pattern: 'oscillation',
      period,
      since,
      words: `the attempts alternate between ${period} states that all fail: a change that mends one breaks the other`,
    }
  }
  const stuck = findStuck(attempts, { similarity, ...(options.since === undefined ? {} : { since: options.since }) })
  if (stuck !== null) {
    switch (stuck.pattern) {
      case 'repeated_candidate':
        return {
          ...base,
          stuck: true,
          pattern: 'same_code',
          since: stuck.of,
          sameCodeAs: stuck.of,
          words: `the program is the same as in attempt ${stuck.of}, apart from comments and layout`,
        }
      case 'same_failures':
        return {
          ...base,
          stuck: true,
          pattern: 'same_failure',
          since: streakStart(counted),
          words: 'the last attempts fail in the same way: this part of the approach does not change anything',
        }
      case 'similar_code':
        return {
          ...base,
          stuck: true,
          pattern: 'similar_code',
          since: streakStart(counted),
          words: 'the last two programs are nearly the same and fail nearly alike',
        }
      case 'period':
        return {
          ...base,
          stuck: true,
          pattern: 'oscillation',
          period: stuck.period,
          since: circleStart(counted, stuck.period),
          words: `the attempts alternate between ${stuck.period} states that all fail`,
        }
      default:
        stuck satisfies never
    }
  }
  const recurring = better ? null : recurringSince(counted)
  if (recurring !== null) {
    return {
      ...base,
      stuck: true,
      pattern: 'recurring_failure',
      since: recurring,
      words: 'one failure keeps coming back between varying others',
    }
  }
  const flat = flatSince(counted, plateau)
  if (flat !== null) {
    return {
      ...base,
      stuck: false,
      pattern: 'plateau',
      since: flat,
      words: `no attempt since attempt ${flat} got further`,
    }
  }
  return { ...base, stuck: false, pattern: null, since: null, words: '' }
}

function isSummary(entry: HistoryEntry | AttemptSummary): entry is AttemptSummary {
  return 'fingerprints' in entry && 'codeHash' in entry
}

/** Further layer, more tests passed, fewer failures. */
function isFurther(attempt: AttemptSummary, earlier: AttemptSummary): boolean {
  const layers = layerRank(attempt.failedLayer) - layerRank(earlier.failedLayer)
  if (layers !== 0) return layers > 0
  if (attempt.totalTests > 0 && earlier.totalTests > 0 && attempt.passedTests !== earlier.passedTests)
    return attempt.passedTests > earlier.passedTests
  return isBetter(attempt, earlier)
}

function standings(attempts: readonly AttemptSummary[]) {
  const progress: (boolean | null)[] = []
  let best: AttemptSummary | null = null
  let bestIndex: number | null = null
  let trend: Assessment['trend'] = 'first'
  for (const [index, attempt] of attempts.entries()) {
    const further = best === null ? null : isFurther(attempt, best)
    progress.push(further)
    trend = best === null ? 'first' : further ? 'progress' : isFurther(best, attempt) ? 'regress' : 'plateau'
    if (best === null || further) {
      best = attempt
      bestIndex = index
    }
  }
  return { progress, best, bestIndex, trend }
}

/** The same red layer and the same set of fingerprints; both lists are sorted and hold each once. */
const hasSameFailures = (a: AttemptSummary, b: AttemptSummary) =>
  a.failedLayer === b.failedLayer && a.fingerprints.join() === b.fingerprints.join()

const sameState = (a: AttemptSummary, b: AttemptSummary) =>
  hasSameFailures(a, b) || (a.codeHash !== '' && a.codeHash === b.codeHash)

/** A period of 2 or 3 seen twice in full, of states that are not all the same. */
function oscillation(attempts: readonly AttemptSummary[]): 2 | 3 | null {
  for (const period of [2, 3] as const) {
    const tail = attempts.slice(-2 * period)
    if (tail.length < 2 * period) continue
    const returns = tail.slice(period).every((attempt, index) => {
      const before = tail[index]
      return before !== undefined && sameState(attempt, before)
    })
    const [first, second] = tail
    if (returns && first && second && !sameState(first, second)) return period
  }
  return null
}

function circleStart(attempts: readonly AttemptSummary[], period: number): number | null {
  let start = attempts.length - 2 * period
  for (;;) {
    const at = attempts[start - 1]
    const later = attempts[start - 1 + period]
    if (!at || !later || !sameState(at, later)) break
    start -= 1
  }
  return attempts[start]?.number ?? null
}

function streakStart(attempts: readonly AttemptSummary[]): number | null {
  const last = attempts.at(-1)
  let since = last?.number ?? null
  for (let index = attempts.length - 2; last !== undefined && index >= 0; index -= 1) {
    const attempt = attempts[index]
    if (attempt === undefined || (!hasSameFailures(attempt, last) && index < attempts.length - 2)) break
    since = attempt.number
  }
  return since
}

/** A failure of the last attempts that was there three times and away between, while nothing got better. */
function recurringSince(attempts: readonly AttemptSummary[]): number | null {
  const window = attempts.slice(-8)
  for (const print of new Set(window.slice(-2).flatMap((attempt) => attempt.fingerprints))) {
    const holding = window.filter((attempt) => attempt.fingerprints.includes(print))
    const [first] = holding
    const last = holding.at(-1)
    if (holding.length < 3 || !first || !last) continue
    const span = window.slice(window.indexOf(first), window.indexOf(last) + 1)
    const returns = span.filter(
      (attempt, index) =>
        index > 0 && attempt.fingerprints.includes(print) && !span[index - 1]?.fingerprints.includes(print),
    ).length
    const counts = holding.map(failureCountOf)
    const shrinking = counts.every((count, index) => index === 0 || count < (counts[index - 1] ?? 0))
    if (returns >= 2 && !shrinking) return first.number
  }
  return null
}

function flatSince(attempts: readonly AttemptSummary[], length: number): number | null {
  if (attempts.length < length) return null
  const { bestIndex, trend } = standings(attempts)
  if (bestIndex === null || trend === 'progress') return null
  return attempts.length - bestIndex >= length ? (attempts[bestIndex]?.number ?? null) : null
}
