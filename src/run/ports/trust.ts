import type { TrustInput, TrustOutput } from '../../../machines/ports.ts'
import { withDeadline } from '../deadline.ts'
import type { RunSession } from '../session.ts'

/** Measures how far the accepted candidate may be believed. */
export async function trust(session: RunSession, input: TrustInput): Promise<TrustOutput> {
  const { tools } = session
  const { policy } = tools.task
  const { measureTrust } = tools
  if (measureTrust === null) return { kind: 'unmeasured', durationMs: 0 }
  const record = session.attempt(input.attempt)
  const { left, ...identity } = input
  const measured = await tools.journal.step(`trust/${input.visit}/measure`, { ...identity, files: record.files }, () =>
    withDeadline(tools.signal, left.timeMs, async (signal) => {
      const startedAt = performance.now()
      const value = await measureTrust(
        {
          validation: session.validationRequest(record.files, input.setAside),
          mutants: policy.trust.mutants,
          timeMs: Math.min(policy.trust.timeMs, left.timeMs),
          repeats: policy.trust.repeats,
          disagreements: record.disagreements,
        },
        { validator: tools.validator, sandbox: tools.sandbox, scope: tools.runId, signal },
      )
      tools.emit({ type: 'trust.measured', trust: value })
      return { value, durationMs: performance.now() - startedAt }
    }),
  )
  session.trusts.set(input.visit, measured.value)
  session.charge(input.attempt, { durationMs: measured.durationMs })
  return { kind: 'measured', level: measured.value.level, durationMs: measured.durationMs }
}
