import type { Failure } from '../domain/report.ts'
import { fenced } from './text.ts'

/**
 * Purified failures for a prompt, most telling first, bounded. A hidden test's failure shows nothing but that unseen requirements failed.
 *
 * @param options.maxChars of the whole text; failures that do not fit are counted
 */
export function renderFailureText(failures: readonly Failure[], options: { readonly maxChars: number }): string {
  const errors = failures.filter((failure) => failure.severity === 'error')
  const shown = errors.length > 0 ? errors : failures
  const blocks: string[] = []
  let used = 0
  for (const [index, failure] of shown.entries()) {
    const block = renderOne(failure, index + 1)
    if (used + block.length > options.maxChars && blocks.length > 0) {
      blocks.push(`${shown.length - index} more failures are not shown.`)
      break
    }
    blocks.push(block.slice(0, options.maxChars))
    used += block.length
  }
  return blocks.join('\n\n')
}

function renderOne(failure: Failure, number: number): string {
  if (failure.layer === 'hidden') {
    return `${number}. Unseen requirements failed. Look again at what the goal asks for: edge cases, empty and extreme input, errors.`
  }
  const lines = [
    `${number}. ${failure.test ? `test "${failure.test}": ` : ''}${failure.kind}${failure.code ? ` ${failure.code}` : ''}: ${failure.message}`,
  ]
  if (failure.assertion)
    lines.push(
      `   asserted in ${failure.assertion.file}:${failure.assertion.line}: \`${failure.assertion.source.trim()}\``,
    )
  if (failure.expected !== undefined) lines.push(value('expected', failure.expected))
  if (failure.actual !== undefined) lines.push(value('actual', failure.actual))
  if (failure.location) lines.push(`   at ${failure.location.file}:${failure.location.line}:${failure.location.column}`)
  if (failure.hint) lines.push(`   hint: ${failure.hint}`)
  if (failure.diff && (failure.expected?.includes('\n') || failure.actual?.includes('\n')))
    lines.push(fenced(failure.diff, 'diff'))
  if (failure.frame) lines.push(fenced(failure.frame, ''))
  return lines.join('\n')
}

function value(name: string, text: string): string {
  return text.includes('\n') ? `   ${name}:\n${fenced(text, '')}` : `   ${name}: ${text}`
}
