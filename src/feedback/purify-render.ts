import type { Failure } from '../domain/report.ts'
import { bound } from './purify/finding.ts'

/** How much of failures is shown. */
export interface RenderOptions {
  /** Default 8; the rest is counted. */
  readonly maxFailures?: number
  /** UTF-16 units of the whole text; default 12_000. */
  readonly maxLength?: number
  /** `full` with frames and differences (default), `brief` without, `line` one line a failure. */
  readonly detail?: 'full' | 'brief' | 'line'
}

/** Failures as Markdown for prompts and hand-overs: the purified facts and nothing of the raw output. '' for none. */
export function renderFailures(failures: readonly Failure[], options: RenderOptions = {}): string {
  const { maxFailures = 8, maxLength = 12_000, detail = 'full' } = options
  const parts: string[] = []
  let left = maxLength
  for (const failure of failures.slice(0, maxFailures)) {
    const full = renderFailure(failure, detail)
    const text = full.length > left ? renderFailure(failure, 'line') : full
    if (text.length > left) break
    parts.push(text)
    left -= text.length + 2
  }
  const missing = failures.length - parts.length
  if (missing > 0) parts.push(`… and ${missing} more failure${missing === 1 ? '' : 's'}`)
  return parts.join(detail === 'line' ? '\n' : '\n\n')
}

/** One line on a failure: test, message, place, values. */
export function failureLine(failure: Failure, limit = 240): string {
  const test = failure.test === undefined ? '' : `${failure.test}: `
  const code = failure.code === undefined || failure.message.includes(failure.code) ? '' : ` [${failure.code}]`
  const place = failure.location ? ` at ${failure.location.file}:${failure.location.line}` : ''
  return bound(oneLine(`${test}${failure.message}${code}${place}`), limit)
}

function renderFailure(failure: Failure, detail: NonNullable<RenderOptions['detail']>): string {
  const lines = [`- **${failure.kind}** ${failureLine(failure, 600)}`]
  if (detail === 'line') return lines[0] ?? ''
  const add = (label: string, text: string | undefined) => {
    if (text === undefined || text === '') return
    if (text.includes('\n')) lines.push(`  ${label}:`, fence(text))
    else lines.push(`  ${label}: ${text}`)
  }
  add('expected', failure.expected)
  add('actual', failure.actual)
  if (failure.assertion)
    add('asserted', `${failure.assertion.file}:${failure.assertion.line} ${failure.assertion.source}`.trim())
  add('hint', failure.hint)
  if (detail === 'full') {
    if (failure.diff?.includes('\n')) add('difference (- expected, + actual)', failure.diff)
    add('code', failure.frame)
  }
  return lines.join('\n')
}

/** A fence longer than any run of backquotes inside. */
function fence(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map((match) => match[0].length))
  const mark = '`'.repeat(longest + 1)
  const body = text.split('\n').map((line) => `  ${line}`)
  return [`  ${mark}`, ...body, `  ${mark}`].join('\n')
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
