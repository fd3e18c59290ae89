import type { AttemptSummary } from './attempt-summary.ts'
import { builtInLayers } from './report.ts'

/** Place of a layer in the order of validation; green is behind all, a layer of the user's own behind the built-in ones. */
export function layerRank(failedLayer: string | null): number {
  if (failedLayer === null) return builtInLayers.length + 1
  const index = (builtInLayers as readonly string[]).indexOf(failedLayer)
  return index === -1 ? builtInLayers.length : index
}

/** How many defects the first red layer named. */
export function failureCountOf(attempt: AttemptSummary): number {
  return attempt.failureCount ?? Math.max(attempt.failingTests.length, attempt.fingerprints.length)
}

/** True if the attempt holds a program at all (a reply without one fails at `extract`). */
export function hasCandidate(attempt: AttemptSummary): boolean {
  return attempt.failedLayer !== 'extract'
}

/** Fewer failures or a further layer than `earlier`. */
export function isBetter(attempt: AttemptSummary, earlier: AttemptSummary): boolean {
  const further = layerRank(attempt.failedLayer) - layerRank(earlier.failedLayer)
  if (further !== 0) return further > 0
  return failureCountOf(attempt) < failureCountOf(earlier)
}

/** The attempt that came closest: score, ties by who was first. Null for an empty history. */
export function bestAttempt(history: readonly AttemptSummary[]): AttemptSummary | null {
  let best: AttemptSummary | null = null
  for (const attempt of history) if (best === null || attempt.score > best.score) best = attempt
  return best
}

/** True if the last attempt scores lower than the best one. */
export function isRegress(history: readonly AttemptSummary[]): boolean {
  const last = history.at(-1)
  const best = bestAttempt(history)
  return last !== undefined && best !== null && last.score < best.score
}
