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
  /** `told` for a person: hidden tests by name and value. Default `withheld`: a model learns only that unseen requirements failed. */
  readonly hidden?: 'told' | 'withheld'
}

/** Failures as Markdown for prompts and hand-overs: the purified facts and nothing of the raw output. '' for none. */
export function renderFailures(failures: readonly Failure[], options: RenderOptions = {}): string {
  const { maxFailures = 8, maxLength = 12_000, detail = 'full', hidden = 'withheld' } = options
  const shown = hidden === 'told' ? failures : withheld(failures)
  const parts: string[] = []
  let left = maxLength
  for (const failure of shown.slice(0, maxFailures)) {
    const full = renderFailure(failure, detail)
    const text = full.length > left ? renderFailure(failure, 'line') : full
    if (text.length > left) break
    parts.push(text)
    left -= text.length + 2
  }
  const missing = shown.length - parts.length
  if (missing > 0) parts.push(`… and ${missing} more failure${missing === 1 ? '' : 's'}`)
  return parts.join(detail === 'line' ? '\n' : '\n\n')
}

/** All failures of hidden tests as one that holds no name, value or message of theirs. */
function withheld(failures: readonly Failure[]): readonly Failure[] {
  const first = failures.findIndex(({ layer }) => layer === 'hidden')
  if (first === -1) return failures
  return failures.flatMap((failure, index) =>
    failure.layer !== 'hidden' ? [failure] : index === first ? [unseen(failure)] : [],
  )
}

const unseen = ({ layer, kind, severity }: Failure): Failure => ({
  layer,
  kind,
  severity,
  message: 'Unseen requirements failed',
  hint: 'look again at what the goal asks for: edge cases, empty and extreme input, errors',
  fingerprint: '',
})

/** One line on a failure, of a hidden test only that it failed unless it is to be told: test, message, place. */
export function failureLine(failure: Failure, limit = 240, hidden: 'told' | 'withheld' = 'withheld'): string {
  return lineOf(failure.layer === 'hidden' && hidden === 'withheld' ? unseen(failure) : failure, limit)
}

function lineOf(failure: Failure, limit: number): string {
  const test = failure.test === undefined ? '' : `${failure.test}: `
  const code = failure.code === undefined || failure.message.includes(failure.code) ? '' : ` [${failure.code}]`
  const place = failure.location ? ` at ${failure.location.file}:${failure.location.line}` : ''
  return bound(oneLine(`${test}${failure.message}${code}${place}`), limit)
}

function renderFailure(failure: Failure, detail: NonNullable<RenderOptions['detail']>): string {
  const lines = [`- **${failure.kind}** ${lineOf(failure, 600)}`]
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
