import type { AttemptSummary } from '../src/domain/attempt-summary.ts'
import { bestAttempt } from '../src/domain/progress.ts'
import type { Origin, Reason, Status, Usage } from '../src/domain/result.ts'
import { currentSummary, type SetAside, type SolveContext, type SolveState } from './solve.context.ts'

/** What a run came to, in numbers; the engine fills in files, reports and texts by attempt number. */
export interface SolveOutcome {
  readonly status: Status
  readonly reason: Reason | null
  /** Attempt whose files are returned with status `passed`; else null. */
  readonly accepted: number | null
  /** Attempt that came closest; null if there is none with a program. */
  readonly best: number | null
  readonly origin: Origin | null
  readonly testsOrigin: 'given' | 'generated'
  readonly setAside: readonly SetAside[]
  readonly attempts: readonly AttemptSummary[]
  readonly usage: Usage
  readonly elapsedMs: number
  /** States visited, in order. */
  readonly path: readonly SolveState[]
  /** Code of the last error that a port rejected with. */
  readonly errorCode: string | null
}

/** The best attempt that holds a program, null if there is none. */
export function bestOf(context: SolveContext): AttemptSummary | null {
  return bestAttempt(context.attempts.filter((attempt) => attempt.failedLayer !== 'extract'))
}

/** The green attempt that a person's approval accepts: the one in hand, else the best; null if none is green. */
export function approvableAttempt(context: SolveContext): number | null {
  const current = currentSummary(context)
  if (current?.passed) return current.number
  const best = bestOf(context)
  return best?.passed ? best.number : null
}

/** Reads a run's outcome from the chart's context, at its end or at rest in `await_human`. */
export function outcomeOf(context: SolveContext): SolveOutcome {
  const status = statusOf(context)
  const best = bestOf(context)
  const accepted = status === 'passed' ? context.accepted : null
  const returned = context.attempts.find((attempt) => attempt.number === accepted) ?? best
  return {
    status,
    reason: status === 'passed' ? null : context.reason,
    accepted,
    best: best?.number ?? null,
    origin: returned?.origin ?? null,
    testsOrigin: context.testsOrigin,
    setAside: context.setAside,
    attempts: context.attempts,
    usage: context.usage,
    elapsedMs: context.elapsedMs,
    path: context.path,
    errorCode: context.errorCode,
  }
}

function statusOf(context: SolveContext): Status {
  const state = context.path.at(-1)
  if (state === 'done') return 'passed'
  if (state === 'await_human') return 'needs_human'
  return context.reason === 'aborted' ? 'aborted' : 'gave_up'
}
