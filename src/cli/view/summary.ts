import type { Failure, Report } from '../../domain/report.ts'
import type { Result, Trust } from '../../domain/result.ts'
import type { FileMap } from '../../domain/task.ts'
import { diffFiles } from '../../report/diff-view.ts'
import { nextStep, reasonText, standing } from '../../run/handover.ts'
import { cutTo, type Paint, printable } from './paint.ts'

export interface SummaryOptions {
  readonly paint: Paint
  readonly columns: number
  /** What the run started from, for the diff. */
  readonly given: FileMap
  /** Files that were written, if any. */
  readonly written: readonly string[]
  /** Only the outcome. */
  readonly quiet: boolean
}

const maxDiffLines = 60
const maxFailures = 6

/** What a person reads at the end of a run: outcome, what changed or what failed, trust, usage. */
export function renderSummary(result: Result, options: SummaryOptions): string {
  const { paint } = options
  const lines: string[] = ['']
  if (result.verified) {
    lines.push(`${paint(['green', 'bold'], 'green')}  ${passedLine(result)}`)
  } else {
    lines.push(
      `${paint(['red', 'bold'], result.status.replace('_', ' '))}  ${result.reason ? `${result.reason}: ${reasonText(result.reason)}` : ''}`,
    )
  }
  if (options.quiet) return `${lines.slice(1).join('\n')}\n`
  for (const entry of result.setAside)
    lines.push(paint('yellow', `  set aside by ${entry.by}: ${printable(entry.test)} (${printable(entry.why)})`))
  const changed = diffFiles(options.given, result.files)
  if (changed.length > 0) {
    lines.push('', paint('dim', result.verified ? 'what changed' : 'best attempt so far, NOT VERIFIED'))
    for (const line of changed.slice(0, maxDiffLines)) {
      const text = printable(line.text)
      if (line.kind === 'added') lines.push(paint('green', `  ${text}`))
      else if (line.kind === 'removed') lines.push(paint('red', `  ${text}`))
      else lines.push(line.kind === 'same' ? `  ${text}` : paint('dim', `  ${text}`))
    }
    if (changed.length > maxDiffLines) lines.push(paint('dim', `  … ${changed.length - maxDiffLines} more lines`))
  }
  if (!result.verified) {
    if (result.report) lines.push('', ...renderFailureList(result.report.failures, paint, options.columns))
    if (result.attempts.length > 0) {
      lines.push('', paint('dim', 'history'))
      for (const attempt of result.attempts) {
        lines.push(
          cutTo(
            `  #${attempt.number} ${attempt.strategy}: ${standing(attempt)}${attempt.number === result.best ? ' (best)' : ''}`,
            options.columns,
          ),
        )
      }
    }
  }
  if (result.reason) lines.push('', `next  ${nextStep(result.reason)}`)
  if (result.trust) lines.push('', ...renderTrust(result.trust, paint, options.columns))
  lines.push('', paint('dim', usageText(result)))
  for (const path of options.written) lines.push(`wrote ${path}`)
  return `${lines.join('\n')}\n`
}

function passedLine(result: Result): string {
  const tests = result.report?.tests
  const how =
    result.origin === 'given'
      ? 'as given, nothing to do'
      : result.origin === 'mechanic'
        ? 'repaired without a model'
        : `after ${counted(result.attempts.filter((attempt) => attempt.origin === 'model').length, 'generation')}`
  return `${tests?.passed ?? 0} of ${tests?.total ?? 0} tests pass, ${how}`
}

/** Failures as short blocks: title, place, expected and actual, frame of the first. */
export function renderFailureList(failures: readonly Failure[], paint: Paint, columns: number): string[] {
  const lines: string[] = []
  for (const [index, failure] of failures.slice(0, maxFailures).entries()) {
    const title = `${failure.test ? `${failure.test}: ` : ''}${failure.message}`
    lines.push(
      `${paint('red', '✗')} ${paint('bold', failure.kind)}${failure.code ? ` ${failure.code}` : ''} ${cutTo(printable(title), Math.max(20, columns * 2))}`,
    )
    if (failure.location)
      lines.push(paint('dim', `    ${failure.location.file}:${failure.location.line}:${failure.location.column}`))
    if (failure.expected !== undefined)
      lines.push(`    expected ${paint('green', cutTo(printable(oneLine(failure.expected)), columns - 13))}`)
    if (failure.actual !== undefined)
      lines.push(`    actual   ${paint('red', cutTo(printable(oneLine(failure.actual)), columns - 13))}`)
    if (failure.hint) lines.push(`    hint     ${cutTo(printable(failure.hint), columns - 13)}`)
    if (failure.frame && index < 2)
      for (const row of failure.frame.split('\n')) lines.push(paint('dim', `    ${cutTo(printable(row), columns - 4)}`))
  }
  if (failures.length > maxFailures) lines.push(paint('dim', `  … ${failures.length - maxFailures} more failures`))
  return lines
}

function renderTrust(trust: Trust, paint: Paint, columns: number): string[] {
  const colour = trust.level === 'high' ? 'green' : trust.level === 'medium' ? 'yellow' : 'red'
  const lines = [
    `trust ${paint(colour, trust.level)}: ${trust.mutants.killed} of ${trust.mutants.total} mutants killed, ${trust.stubFails ? 'tests fail on a stub' : 'TESTS PASS ON A STUB'}, ${trust.repeats.flaky.length === 0 ? `${trust.repeats.runs} repeats agree` : `flaky: ${trust.repeats.flaky.map(printable).join(', ')}`}`,
  ]
  for (const survivor of trust.mutants.survivors.slice(0, 3))
    lines.push(
      paint('dim', cutTo(`  no test notices ${survivor.file}:${survivor.line} ${printable(survivor.change)}`, columns)),
    )
  if (trust.mutants.survivors.length > 3) lines.push(paint('dim', `  … ${trust.mutants.survivors.length - 3} more`))
  for (const suspicion of trust.suspicions) lines.push(paint('yellow', `  ! ${printable(suspicion)}`))
  return lines
}

/** Attempts, calls, tokens, cost and time in one line. */
export function usageText({ usage, durationMs, attempts }: Pick<Result, 'usage' | 'durationMs' | 'attempts'>): string {
  const tokens = usage.promptTokens + usage.completionTokens
  const model =
    usage.calls === 0
      ? 'no model'
      : `${counted(usage.calls, 'model call')}, ${tokens} tokens${usage.estimated ? ' (estimated)' : ''}`
  const cost = usage.calls > 0 && usage.costUsd !== null ? `, $${usage.costUsd.toFixed(4)}` : ''
  return `${counted(attempts.length, 'attempt')}, ${model}${cost}, ${(durationMs / 1000).toFixed(1)} s`
}

/** What `verify` prints. */
export function renderReport(report: Report, paint: Paint, columns: number): string {
  const { tests } = report
  const lines = [
    report.passed
      ? `${paint(['green', 'bold'], 'green')}  ${tests.passed} of ${tests.total} tests pass`
      : `${paint(['red', 'bold'], 'red')}  ${tests.passed} of ${tests.total} tests pass`,
    `  ${report.layers.map((layer) => paint(layer.status === 'failed' ? 'red' : layer.status === 'passed' ? 'green' : 'dim', `${layer.layer} ${layer.status}`)).join(' · ')}`,
    ...(report.hidden ? [`  hidden tests: ${report.hidden.passed} of ${report.hidden.total}`] : []),
    ...renderFailureList(report.failures, paint, columns),
    paint('dim', `  isolation ${report.isolation}`),
  ]
  return `${lines.join('\n')}\n`
}

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

function oneLine(text: string): string {
  return text.replace(/\s*\n\s*/g, ' ')
}
