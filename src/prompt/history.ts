import type { Report } from '../domain/report.ts'

/** A red attempt, as later prompts tell of it. */
export interface HistoryEntry {
  readonly attempt: number
  readonly strategy: string
  readonly report: Report
  readonly diagnosis?: string
  readonly duplicateOf?: number
}

/** Attempts whose failures are told one by one; of older ones a line says what was tried and why it failed. */
const toldInFull = 2
const maxOldLines = 12

/**
 * What of the history goes into the next prompt: the last two attempts' failures, a line for each older one, the oldest summed up.
 * Bounded whatever the number of attempts.
 */
export function renderHistory(history: readonly HistoryEntry[], options: { readonly maxChars: number }): string {
  const lines: string[] = []
  const recent = history.slice(-toldInFull)
  const older = history.slice(0, -toldInFull)
  if (older.length > maxOldLines) lines.push(`- ${older.length - maxOldLines} earlier attempts failed likewise.`)
  for (const entry of older.slice(-maxOldLines)) lines.push(`- ${headOf(entry)}: ${cut(reasonOf(entry), 160)}`)
  for (const entry of recent) {
    lines.push(`- ${headOf(entry)}:`)
    const errors = entry.report.failures.filter((failure) => failure.severity === 'error')
    for (const failure of errors.slice(0, 4)) {
      const values =
        failure.layer !== 'hidden' && failure.expected !== undefined
          ? ` (expected ${cut(failure.expected, 80)}, got ${cut(failure.actual ?? 'nothing', 80)})`
          : ''
      lines.push(`  - ${failure.test ? `${failure.test}: ` : ''}${cut(failure.message, 200)}${values}`)
    }
    if (errors.length > 4) lines.push(`  - and ${errors.length - 4} more`)
    if (entry.diagnosis) lines.push(`  - diagnosis then: ${cut(entry.diagnosis, 300)}`)
  }
  const text = lines.join('\n')
  return text.length > options.maxChars ? `${text.slice(0, options.maxChars)}…` : text
}

function headOf(entry: HistoryEntry): string {
  const same = entry.duplicateOf === undefined ? '' : `, the same program as attempt ${entry.duplicateOf}`
  const { tests } = entry.report
  return `attempt ${entry.attempt} (${entry.strategy}${same}), ${tests.passed} of ${tests.total} tests`
}

function reasonOf(entry: HistoryEntry): string {
  const first = entry.report.failures.find((failure) => failure.severity === 'error')
  return first ? `${first.test ? `${first.test}: ` : ''}${first.message}` : 'red'
}

function cut(text: string, length: number): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > length ? `${line.slice(0, length)}…` : line
}
