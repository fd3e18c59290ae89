import type { Failure } from '../domain/report.ts'
import type { Attempt } from '../domain/result.ts'
import { bound } from './purify/finding.ts'
import { failureLine, renderFailures } from './purify-render.ts'

/** What a prompt needs to know of one attempt. */
export interface CompactEntry {
  readonly number: number
  readonly strategy: string
  /** What was tried, in a sentence: the diagnosis or the plan. */
  readonly tried?: string
  readonly failures: readonly Failure[]
  readonly passedTests: number
  readonly totalTests: number
  /** First red layer; null when green. */
  readonly failedLayer: string | null
  readonly duplicateOf?: number
}

export interface CompactBudget {
  readonly maxTokens: number
  /** Tokens of a text; default a quarter of its length, rounded up. Must not fall when text is added. */
  readonly estimate?: (text: string) => number
  /** Attempts shown in full; default the last 2. */
  readonly recent?: number
}

export interface Compacted {
  /** Markdown; '' where there is no history or no room. */
  readonly text: string
  readonly tokens: number
  /** Numbers of the attempts shown in full. */
  readonly full: readonly number[]
}

const quarter = (text: string) => Math.ceil(text.length / 4)

// From all there is to the bare minimum; the first that fits is taken.
const levels = [
  { detail: 'full', maxFailures: 8, maxLength: 12_000, older: 40, line: 240 },
  { detail: 'full', maxFailures: 4, maxLength: 5_000, older: 20, line: 200 },
  { detail: 'brief', maxFailures: 4, maxLength: 3_000, older: 12, line: 160 },
  { detail: 'brief', maxFailures: 2, maxLength: 1_200, older: 6, line: 120 },
  { detail: 'line', maxFailures: 2, maxLength: 500, older: 3, line: 100 },
  { detail: 'line', maxFailures: 1, maxLength: 250, older: 0, line: 80 },
] as const

/**
 * What of a history goes into the next prompt: the last attempts' failures in full, each older attempt as a line with what was tried
 * and why it failed, runs of equal lines folded, all within the budget whatever the number of attempts. Deterministic.
 */
export function compact(history: readonly CompactEntry[], budget: CompactBudget): Compacted {
  const { maxTokens, estimate = quarter, recent = 2 } = budget
  const full = history.slice(Math.max(0, history.length - recent))
  const older = history.slice(0, Math.max(0, history.length - recent))
  for (const level of levels) {
    const parts = [olderLines(older, level.older, level.line), ...full.map((entry) => section(entry, level))].filter(
      (part) => part !== '',
    )
    const text = parts.join('\n\n')
    const tokens = estimate(text)
    if (tokens <= maxTokens) return { text, tokens, full: full.map((entry) => entry.number) }
  }
  const last = full.at(-1)
  const line = last === undefined ? '' : historyLine(last, 80)
  return estimate(line) <= maxTokens
    ? { text: line, tokens: estimate(line), full: [] }
    : { text: '', tokens: 0, full: [] }
}

/** The part of an engine's attempt that `compact` reads. */
export function toCompactEntry(attempt: Attempt): CompactEntry {
  const { report } = attempt
  const tried = attempt.diagnosis ?? attempt.plan?.map((step) => step.description).join('; ')
  return {
    number: attempt.number,
    strategy: attempt.strategy,
    failures: report.failures,
    passedTests: report.tests.passed,
    totalTests: report.tests.total,
    failedLayer: report.passed ? null : (report.layers.find((layer) => layer.status === 'failed')?.layer ?? null),
    ...(tried === undefined || tried === '' ? {} : { tried }),
    ...(attempt.duplicateOf === undefined ? {} : { duplicateOf: attempt.duplicateOf }),
  }
}

function section(entry: CompactEntry, level: (typeof levels)[number]): string {
  const tried = entry.tried === undefined ? '' : `\nTried: ${bound(oneLine(entry.tried), level.line * 2)}`
  const failures = renderFailures(errorsOf(entry), level)
  return `### Attempt ${entry.number} (${entry.strategy}): ${standing(entry)}${tried}${failures ? `\n${failures}` : ''}`
}

/** Newest lines are kept; what is older is counted. */
function olderLines(entries: readonly CompactEntry[], keep: number, limit: number): string {
  if (entries.length === 0) return ''
  const lines: { from: number; to: number; text: string }[] = []
  for (const entry of entries) {
    const text = historyLine(entry, limit, false)
    const before = lines.at(-1)
    if (before?.text === text) before.to = entry.number
    else lines.push({ from: entry.number, to: entry.number, text })
  }
  const shown = keep === 0 ? [] : lines.slice(-keep)
  const hidden = entries.filter((entry) => shown.length === 0 || entry.number < (shown[0]?.from ?? 0)).length
  const head = hidden > 0 ? [`- ${hidden} earlier attempt${hidden === 1 ? '' : 's'}, all red`] : []
  const body = shown.map(
    (line) => `- attempt${line.from === line.to ? ` ${line.from}` : `s ${line.from}–${line.to}`}, ${line.text}`,
  )
  return ['### Earlier attempts', ...head, ...body].join('\n')
}

function historyLine(entry: CompactEntry, limit: number, numbered = true): string {
  const tried = entry.tried === undefined ? '' : ` tried ${bound(oneLine(entry.tried), limit)};`
  const [first] = errorsOf(entry)
  const why =
    entry.duplicateOf === undefined
      ? first === undefined
        ? ''
        : `: ${failureLine(first, limit)}`
      : `: same program as attempt ${entry.duplicateOf}`
  return `${numbered ? `attempt ${entry.number}, ` : ''}${entry.strategy}:${tried} ${standing(entry)}${why}`
}

function errorsOf(entry: CompactEntry): readonly Failure[] {
  const errors = entry.failures.filter((failure) => failure.severity === 'error')
  return errors.length > 0 ? errors : entry.failures
}

function standing(entry: CompactEntry): string {
  if (entry.failedLayer === null) return 'green'
  if (entry.failedLayer === 'tests') return `${entry.passedTests} of ${entry.totalTests} tests passed`
  return `red at ${entry.failedLayer}`
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
