import type { Failure } from '../domain/report.ts'
import type { Attempt, Result, Trust } from '../domain/result.ts'
import type { FileMap } from '../domain/task.ts'
import { nextStep, reasonText, standing } from '../run/handover.ts'
import { diffFiles, renderDiff } from './diff-view.ts'
import { escapeHtml } from './markup.ts'
import { renderPathPicture } from './path-picture.ts'
import { stylesheet } from './stylesheet.ts'
import { renderTestsPlot } from './tests-plot.ts'

export interface HtmlReportOptions {
  readonly title: string
  /** What the run started from, for the first diff. */
  readonly given: FileMap
}

/** One self-contained page about a run: no scripts, nothing loaded from elsewhere, everything that others wrote escaped. */
export function renderHtmlReport(result: Result, options: HtmlReportOptions): string {
  const good = result.verified
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>redgreen: ${escapeHtml(options.title)}</title><style>${stylesheet}</style></head>
<body><main>
<header><p class="badge ${good ? 'good' : 'bad'}">${escapeHtml(headline(result))}</p><h1>${escapeHtml(options.title)}</h1>
<p class="quiet">run ${escapeHtml(result.runId)} · ${escapeHtml(usageLine(result))}</p>
${good ? '' : `<p><strong>The code on this page is not verified.</strong> ${result.reason ? `${escapeHtml(reasonText(result.reason))}</p><p>Next step: ${escapeHtml(nextStep(result.reason))}` : ''}</p>`}
${result.setAside.map((entry) => `<p class="warn">Test set aside by ${escapeHtml(entry.by)}: ${escapeHtml(entry.test)} (${escapeHtml(entry.why)})</p>`).join('')}
${result.trust ? renderTrust(result.trust) : ''}</header>
<section><h2>Path</h2>${renderPathPicture(result.path)}<p class="quiet path">${result.path.map(escapeHtml).join(' → ')}</p></section>
${result.attempts.length > 0 ? `<section><h2>Tests passed per attempt</h2>${renderTestsPlot(result.attempts)}</section>` : ''}
<section><h2>Attempts</h2>${result.attempts.map((attempt) => renderAttempt(attempt, result, options.given)).join('') || '<p class="quiet">None.</p>'}</section>
<section><h2>${good ? 'Accepted code' : 'Best code so far (not verified)'}</h2>${renderFilesHtml(result.files)}</section>
</main></body></html>
`
}

function headline(result: Result): string {
  if (result.status === 'passed') return `passed · ${result.origin ?? ''} · ${result.report?.tests.passed ?? 0} tests`
  return `${result.status.replace('_', ' ')}${result.reason ? ` · ${result.reason}` : ''}`
}

function usageLine({ usage, durationMs, attempts }: Result): string {
  const cost = usage.costUsd === null || usage.calls === 0 ? '' : ` · ${usage.costUsd.toFixed(4)} USD`
  return `${attempts.length} attempts · ${usage.calls} model calls · ${usage.promptTokens} + ${usage.completionTokens} tokens${usage.estimated ? ' (estimated)' : ''}${cost} · ${(durationMs / 1000).toFixed(2)} s`
}

function renderTrust(trust: Trust): string {
  const survivors = trust.mutants.survivors
    .map(
      (survivor) =>
        `<li><code>${escapeHtml(survivor.file)}:${survivor.line}</code> ${escapeHtml(survivor.change)}</li>`,
    )
    .join('')
  const list = (title: string, items: readonly string[]): string =>
    items.length > 0 ? `<p>${title}</p><ul>${items.map((item) => `<li>${escapeHtml(item)}</li>`).join('')}</ul>` : ''
  return `<details class="trust"><summary>Trust: <strong>${trust.level}</strong> · ${trust.mutants.killed} of ${trust.mutants.total} mutants killed · ${trust.stubFails ? 'tests fail on a stub' : 'tests pass on a stub'} · ${trust.repeats.flaky.length === 0 ? `${trust.repeats.runs} repeats agree` : `${trust.repeats.flaky.length} flaky tests`}${trust.suspicions.length > 0 ? ` · ${trust.suspicions.length} suspicions` : ''}</summary>
${survivors ? `<p>Changes that no test noticed:</p><ul>${survivors}</ul>` : ''}${list('Flaky tests:', trust.repeats.flaky)}${list('Suspicions:', trust.suspicions)}</details>`
}

function renderAttempt(attempt: Attempt, result: Result, given: FileMap): string {
  const previous =
    attempt.number === 0
      ? given
      : (result.attempts.filter((other) => other.number < attempt.number).at(-1)?.files ?? given)
  const failures = attempt.report.failures.map(renderFailure).join('')
  const layers = attempt.report.layers
    .map((layer) => `<span class="layer ${layer.status}">${escapeHtml(layer.layer)}</span>`)
    .join(' ')
  const mark = attempt.report.passed ? 'good' : 'bad'
  return `<details class="attempt" ${attempt.number === result.best || result.attempts.length === 1 ? 'open' : ''}><summary><span class="badge ${mark}">#${attempt.number}</span> ${escapeHtml(attempt.strategy)} · ${escapeHtml(standing(attempt))}${attempt.duplicateOf === undefined ? '' : ` · same program as #${attempt.duplicateOf}`}${attempt.number === result.best ? ' · best' : ''}</summary>
<p>${layers}</p>${attempt.diagnosis ? `<p><strong>Diagnosis:</strong> ${escapeHtml(attempt.diagnosis)}</p>` : ''}${failures}
<h4>Change${attempt.number === 0 ? '' : ' against the attempt before'}</h4>${renderDiff(diffFiles(previous, attempt.files))}</details>`
}

function renderFailure(failure: Failure): string {
  const place = failure.location
    ? `<code>${escapeHtml(failure.location.file)}:${failure.location.line}:${failure.location.column}</code> `
    : ''
  const rows = [
    ['expected', failure.expected],
    ['actual', failure.actual],
    ['hint', failure.hint],
  ]
    .filter((row): row is [string, string] => row[1] !== undefined)
    .map(([name, value]) => `<tr><th>${name}</th><td><code>${escapeHtml(value)}</code></td></tr>`)
    .join('')
  return `<div class="failure ${failure.severity}"><p><span class="kind">${escapeHtml(failure.kind)}${failure.code ? ` ${escapeHtml(failure.code)}` : ''}</span> ${failure.test ? `<em>${escapeHtml(failure.test)}</em>: ` : ''}${escapeHtml(failure.message)} ${place}</p>${rows ? `<table>${rows}</table>` : ''}${failure.frame ? `<pre>${escapeHtml(failure.frame)}</pre>` : ''}</div>`
}

function renderFilesHtml(files: FileMap): string {
  return (
    Object.entries(files)
      .map(([path, text]) => `<h4>${escapeHtml(path)}</h4><pre>${escapeHtml(text)}</pre>`)
      .join('') || '<p class="quiet">None.</p>'
  )
}
