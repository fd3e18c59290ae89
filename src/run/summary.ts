import type { AttemptSummary } from '../domain/attempt-summary.ts'
import { builtInLayers, type Failure, type Isolation, type Report } from '../domain/report.ts'
import type { Origin } from '../domain/result.ts'
import type { FileMap, Language } from '../domain/task.ts'
import { normalizeProgram, tokenSimilarity } from '../feedback/program.ts'

export interface SummaryInput {
  readonly number: number
  readonly origin: Origin
  readonly strategy: string
  readonly files: FileMap
  readonly language: Language
  readonly report: Report
  /** Files of the attempt before; null where there is none. */
  readonly previousFiles: FileMap | null
  readonly duplicateOf: number | null
}

/** What the chart needs to know of a judged candidate. Pure. */
export function summarize(input: SummaryInput): AttemptSummary {
  const { report } = input
  const failedLayer = report.passed ? null : firstRedLayer(report)
  const errors = report.failures.filter(
    (failure) => failure.severity === 'error' && (failedLayer === null || failure.layer === failedLayer),
  )
  const holdsProgram = Object.keys(input.files).length > 0
  return {
    number: input.number,
    origin: input.origin,
    strategy: input.strategy,
    passed: report.passed,
    failedLayer,
    kind: errors[0]?.kind ?? null,
    score: report.score,
    passedTests: report.tests.passed,
    totalTests: report.tests.total,
    fingerprints: [...new Set(errors.map((failure) => failure.fingerprint))].sort(),
    failureCount: errors.length,
    failingTests: report.tests.cases.filter((test) => test.status === 'failed').map((test) => test.name),
    codeHash: holdsProgram ? normalizeProgram(input.files, input.language) : `no program ${input.number}`,
    codeSimilarity:
      holdsProgram && input.previousFiles !== null
        ? tokenSimilarity(input.files, input.previousFiles, input.language)
        : 0,
    duplicateOf: input.duplicateOf,
  }
}

function firstRedLayer(report: Report): string {
  return report.layers.find((layer) => layer.status === 'failed')?.layer ?? report.failures[0]?.layer ?? 'tests'
}

/** The report of a reply without a usable program. */
export function extractReport(failure: Failure, isolation: Isolation): Report {
  return {
    passed: false,
    layers: builtInLayers.map((layer) => ({
      layer,
      status: layer === 'extract' ? 'failed' : 'skipped',
      durationMs: 0,
    })),
    tests: { total: 0, passed: 0, failed: 0, skipped: 0, cases: [] },
    failures: [failure],
    score: 0,
    console: '',
    isolation,
  }
}
