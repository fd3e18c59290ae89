import type { MendInput, MendOutput } from '../../../machines/ports.ts'
import { withDeadline } from '../deadline.ts'
import type { RunSession } from '../session.ts'

/** Lets the mechanic try its hand at a red candidate. */
export async function mend(session: RunSession, input: MendInput): Promise<MendOutput> {
  const { tools } = session
  const record = session.attempt(input.attempt)
  const { left, maxTimeMs, ...identity } = input
  const { report } = record
  if (report === null) throw new Error(`attempt ${input.attempt} has no report to mend by`)
  const mended = await tools.journal.step(`mend/${input.visit}/candidate`, { ...identity, files: record.files }, () =>
    withDeadline(tools.signal, left.timeMs, async (signal) => {
      const startedAt = performance.now()
      const outcome = await tools.mend(
        {
          validation: session.validationRequest(record.files, input.setAside),
          report,
          depth: input.depth,
          maxCandidates: input.maxCandidates,
          maxTimeMs,
        },
        {
          validator: tools.validator,
          sandbox: tools.sandbox,
          scope: tools.runId,
          signal,
          onProgress: (progress) => tools.emit({ type: 'mend.progress', ...progress }),
        },
      )
      return { ...outcome, durationMs: performance.now() - startedAt }
    }),
  )
  const { tried, durationMs } = mended
  if (mended.files === null) {
    session.charge(input.attempt, { durationMs })
    return { kind: 'nothing', tried, durationMs }
  }
  const duplicateOf = session.equalTo(mended.files, input.candidate)
  const base = {
    number: input.candidate,
    origin: 'mechanic' as const,
    strategy: 'mechanic',
    basedOn: input.attempt,
    files: mended.files,
    durationMs,
    disagreements: mended.disagreements,
  }
  const diagnosis = mended.changes.join('\n')
  tools.emit({
    type: 'candidate.extracted',
    attempt: input.candidate,
    files: Object.keys(mended.files),
    strategy: 'mechanic',
    origin: 'mechanic',
  })
  if (duplicateOf !== null) {
    session.begin({ ...base, duplicateOf, report: session.attempt(duplicateOf).report })
    return { kind: 'duplicate', duplicateOf, tried, durationMs }
  }
  session.begin({ ...base, ...(diagnosis === '' ? {} : { diagnosis }) })
  return { kind: 'candidate', tried, durationMs }
}
