import type { AttemptSummary } from './attempt-summary.ts'
import { isBetter } from './progress.ts'

export interface StuckOptions {
  /** Code and failures at least this much alike (0..1) count as the same; `Policy.stuck.similarity`. */
  readonly similarity: number
  /** Number of the first attempt that counts, i.e. the first one since the last switch of strategy; default all. */
  readonly since?: number
}

/** How a history goes in circles. */
export type StuckPattern =
  | { readonly pattern: 'repeated_candidate'; readonly of: number }
  | { readonly pattern: 'same_failures' }
  | { readonly pattern: 'similar_code' }
  | { readonly pattern: 'period'; readonly period: 2 | 3 }

/**
 * Says whether the last attempt shows that the run goes in circles, and how; null if not. Pure.
 *
 * A repeated candidate counts over the whole history, everything else from `since` on: the same set of failures twice running,
 * near-identical code with near-identical failures and no better score, or failures that come back with a period of 2 or 3
 * (seen twice in full). An attempt with fewer failures or a further layer than every earlier one that counts is progress, never stuck.
 */
export function findStuck(history: readonly AttemptSummary[], options: StuckOptions): StuckPattern | null {
  const last = history.at(-1)
  if (last === undefined || last.passed) return null
  const repeats = repeatedCandidate(history, last)
  if (repeats !== null) return { pattern: 'repeated_candidate', of: repeats }

  const since = options.since ?? Number.NEGATIVE_INFINITY
  const counted = history.filter((attempt) => attempt.number >= since)
  const earlier = counted.slice(0, -1)
  const previous = earlier.at(-1)
  if (previous === undefined || !counted.includes(last)) return null
  if (earlier.every((attempt) => isBetter(last, attempt))) return null

  if (hasSameFailures(last, previous) && !isBetter(last, previous)) return { pattern: 'same_failures' }
  if (
    last.codeSimilarity >= options.similarity &&
    last.score <= previous.score &&
    last.failedLayer === previous.failedLayer &&
    overlap(last.fingerprints, previous.fingerprints) >= options.similarity
  ) {
    return { pattern: 'similar_code' }
  }
  for (const period of [2, 3] as const) if (hasPeriod(counted, period)) return { pattern: 'period', period }
  return null
}

/** True if the last attempt shows that the run goes in circles; see `findStuck`. */
export function isStuck(history: readonly AttemptSummary[], options: StuckOptions): boolean {
  return findStuck(history, options) !== null
}

/** Number of the earlier attempt with the same program, null if there is none. */
function repeatedCandidate(history: readonly AttemptSummary[], last: AttemptSummary): number | null {
  if (last.duplicateOf !== null) return last.duplicateOf
  // Replies without a program have no code to compare; their failures are compared instead.
  if (last.codeHash === '') return null
  return history.find((attempt) => attempt !== last && attempt.codeHash === last.codeHash)?.number ?? null
}

/** The same red layer and the same set of fingerprints. */
function hasSameFailures(a: AttemptSummary, b: AttemptSummary): boolean {
  return a.failedLayer === b.failedLayer && overlap(a.fingerprints, b.fingerprints) === 1
}

/** Shared fingerprints as a share of all of them (Jaccard), 0..1; two empty sets are the same. */
function overlap(a: readonly string[], b: readonly string[]): number {
  const left = new Set(a)
  const right = new Set(b)
  const all = new Set([...left, ...right])
  if (all.size === 0) return 1
  return [...left].filter((fingerprint) => right.has(fingerprint)).length / all.size
}

function hasPeriod(counted: readonly AttemptSummary[], period: number): boolean {
  const tail = counted.slice(-2 * period)
  if (tail.length < 2 * period) return false
  return tail.slice(period).every((attempt, index) => {
    const before = tail[index]
    return before !== undefined && hasSameFailures(attempt, before)
  })
}
