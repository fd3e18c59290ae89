import type { FailureKind } from './report.ts'
import type { Origin } from './result.ts'

/** What the chart knows of an attempt: counts, scores and fingerprints; large texts stay in step results. */
export interface AttemptSummary {
  readonly number: number
  readonly origin: Origin
  readonly strategy: string
  readonly passed: boolean
  /** First red layer, null when green. */
  readonly failedLayer: string | null
  readonly kind: FailureKind | null
  readonly score: number
  readonly passedTests: number
  readonly totalTests: number
  /** Of the errors of the first red layer, sorted, each once. */
  readonly fingerprints: readonly string[]
  /** Errors of the first red layer, repeats counted; where absent, the number of red tests or of fingerprints. */
  readonly failureCount?: number
  /** Titles of red tests. */
  readonly failingTests: readonly string[]
  /** Hash of the normalised program (no comments, no layout); equal means AST-equal. */
  readonly codeHash: string
  /** Similarity of normalised tokens to the attempt before, 0..1. */
  readonly codeSimilarity: number
  readonly duplicateOf: number | null
}
