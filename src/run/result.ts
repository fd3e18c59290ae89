import type { SolveOutcome } from '../../machines/solve.outcome.ts'
import type { Result } from '../domain/result.ts'
import { renderHandover } from './handover.ts'
import type { RunSession } from './session.ts'

/** Puts together what a run gives back: the chart's outcome with the texts that it refers to. */
export function toResult(session: RunSession, outcome: SolveOutcome): Result {
  const passed = outcome.status === 'passed'
  const returned = passed ? outcome.accepted : outcome.best
  const record = returned === null ? undefined : session.find(returned)
  const trust = passed ? [...session.trusts.entries()].sort((a, b) => a[0] - b[0]).at(-1)?.[1] : undefined
  const result: Result = {
    schemaVersion: 1,
    runId: session.tools.runId,
    status: outcome.status,
    verified: passed && record?.report?.passed === true,
    ...(outcome.reason === null ? {} : { reason: outcome.reason }),
    files: { ...record?.files },
    origin: outcome.origin,
    testsOrigin: outcome.testsOrigin,
    setAside: outcome.setAside.map((entry) => ({ ...entry })),
    attempts: session.toAttempts(),
    best: passed ? outcome.accepted : outcome.best,
    report: record?.report ?? null,
    ...(trust ? { trust } : {}),
    usage: outcome.usage,
    durationMs: outcome.elapsedMs,
    path: [...outcome.path],
  }
  return result.status === 'passed' ? result : { ...result, handover: renderHandover(result, session.lastFault) }
}
