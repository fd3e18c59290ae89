import type { Result } from '../domain/result.ts'
import { renderFiles } from '../prompt/text.ts'
import { standing } from '../run/handover.ts'
import { diffFiles } from './diff-view.ts'

/** A run as Markdown: outcome, path, attempts with their first failures and changes, trust, code. A hand-over is its own report. */
export function renderMarkdownReport(result: Result, title: string): string {
  if (result.handover !== undefined) return result.handover
  const lines = [`# ${title}: ${result.status}`, `Path: ${result.path.join(' -> ')}`]
  let before: Result['files'] = {}
  for (const attempt of result.attempts) {
    lines.push(`## Attempt ${attempt.number} (${attempt.strategy}): ${standing(attempt)}`)
    for (const failure of attempt.report.failures.slice(0, 5))
      lines.push(`- ${failure.test ? `${failure.test}: ` : ''}${failure.message}`)
    const changed = attempt.number === 0 ? [] : diffFiles(before, attempt.files)
    if (changed.length > 0) lines.push(`\`\`\`\`diff\n${changed.map((line) => line.text).join('\n')}\n\`\`\`\``)
    before = attempt.files
  }
  if (result.trust)
    lines.push(
      `## Trust: ${result.trust.level}`,
      `${result.trust.mutants.killed} of ${result.trust.mutants.total} mutants killed.`,
      ...result.trust.suspicions.map((suspicion) => `- ${suspicion}`),
    )
  lines.push('## Accepted code', renderFiles(result.files))
  return `${lines.join('\n\n')}\n`
}
