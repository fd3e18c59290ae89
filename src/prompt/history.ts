import type { Report } from '../domain/report.ts'
import { compact } from '../feedback/compact.ts'

/** A red attempt, as later prompts tell of it. */
export interface HistoryEntry {
  readonly attempt: number
  readonly strategy: string
  readonly report: Report
  readonly diagnosis?: string
  readonly duplicateOf?: number
}

/** What of the history goes into the next prompt, within the budget whatever the number of attempts. */
export function renderHistory(history: readonly HistoryEntry[], options: { readonly maxTokens: number }): string {
  const entries = history.map(({ attempt, strategy, report, diagnosis, duplicateOf }) => ({
    number: attempt,
    strategy,
    failures: report.failures,
    passedTests: report.tests.passed,
    totalTests: report.tests.total,
    failedLayer: report.passed ? null : (report.layers.find((layer) => layer.status === 'failed')?.layer ?? 'tests'),
    ...(diagnosis === undefined || diagnosis === '' ? {} : { tried: diagnosis }),
    ...(duplicateOf === undefined ? {} : { duplicateOf }),
  }))
  return compact(entries, options).text
}
