import type { ValidateInput, ValidateOutput } from '../../../machines/ports.ts'
import type { RunEventBody } from '../../domain/event.ts'
import type { Report } from '../../domain/report.ts'
import { RedgreenError } from '../../errors.ts'
import type { ValidationOptions } from '../../validate/types.ts'
import { withDeadline } from '../deadline.ts'
import type { RunSession } from '../session.ts'
import { summarize } from '../summary.ts'
import { emitFinished } from './generate.ts'

/** Judges an attempt's candidate; of several asked for together the best one becomes the attempt. */
export async function validate(session: RunSession, input: ValidateInput): Promise<ValidateOutput> {
  const { tools } = session
  const record = session.attempt(input.attempt)
  const { left, ...identity } = input
  let reports: readonly { readonly report: Report; readonly durationMs: number }[]
  try {
    reports = await Promise.all(
      record.pending.map((files, index) =>
        tools.journal.step(`validate/${input.visit}/report/${index}`, { ...identity, files }, () =>
          withDeadline(tools.signal, left.timeMs, async (signal) => {
            const startedAt = performance.now()
            const report = await tools.validator.validate(session.validationRequest(files, input.setAside), {
              scope: tools.runId,
              signal,
              // Of candidates asked for together the first one is shown as it is judged; the best is told at the end.
              ...(index === 0 ? toldAsJudged(tools.emit, input.attempt) : {}),
            })
            const fault = report.failures.find((failure) => failure.kind === 'environment')
            // Thrown, so that it is not recorded: a resumed run tries again.
            if (fault) throw new RedgreenError('SANDBOX_UNAVAILABLE', fault.message)
            return { report, durationMs: performance.now() - startedAt }
          }),
        ),
      ),
    )
  } catch (error) {
    if (!RedgreenError.isInstance(error) || ['ABORTED', 'BUDGET_EXHAUSTED', 'JOURNAL_DIVERGED'].includes(error.code))
      throw error
    session.lastFault = `${error.code}: ${error.message}`
    return { kind: 'environment', detail: session.lastFault, durationMs: 0 }
  }

  const durationMs = Math.max(...reports.map((entry) => entry.durationMs))
  const best = reports.reduce(
    (chosen, entry, index) => (entry.report.score > (reports[chosen]?.report.score ?? -1) ? index : chosen),
    0,
  )
  const report = reports[best]?.report
  const files = record.pending[best]
  if (report === undefined || files === undefined) throw new Error(`attempt ${input.attempt} has no candidate to judge`)
  session.update(input.attempt, {
    files,
    report,
    durationMs: record.durationMs + durationMs,
    alternatives: reports.flatMap((entry, index) => {
      const other = record.pending[index]
      return index === best || other === undefined ? [] : [{ files: other, report: entry.report }]
    }),
  })
  emitFinished(session, input.attempt)
  return {
    kind: 'report',
    summary: summarize({
      number: input.attempt,
      origin: input.origin,
      strategy: input.strategy,
      files,
      language: tools.task.language,
      report,
      previousFiles: session.previousFiles(input.attempt),
      duplicateOf: null,
    }),
    durationMs,
  }
}

/**
 * Tells of layers and tests in the order of a report. Tests run beside the type check: those of a candidate that turns out not to
 * compile are not in its report, so none is told before the layers in front of them are green.
 */
function toldAsJudged(
  emit: (event: RunEventBody) => void,
  attempt: number,
): Pick<Required<ValidationOptions>, 'onLayer' | 'onTest'> {
  let held: RunEventBody[] | null = []
  return {
    onLayer: (layer) => {
      const isRun = layer.status !== 'skipped'
      if (layer.layer === 'tests' && isRun) release()
      emit({ type: 'layer.finished', attempt, ...layer })
      if (layer.layer === 'policy' && isRun && layer.status !== 'failed') release()
    },
    onTest: (test, hidden) => {
      const event: RunEventBody = {
        type: 'test.finished',
        attempt,
        name: hidden ? 'hidden test' : test.name,
        status: test.status,
        hidden,
        durationMs: test.durationMs,
      }
      if (held === null) emit(event)
      else held.push(event)
    },
  }

  function release(): void {
    for (const event of held ?? []) emit(event)
    held = null
  }
}
