import type { BudgetLeft } from '../../machines/ports.ts'
import { noUsage, type Usage, usageSchema } from '../domain/result.ts'
import { RedgreenError } from '../errors.ts'
import { createBudget, withBudget } from '../model/budget.ts'
import type { Model, ModelCompletion } from '../model/types.ts'
import type { RunTools } from './session.ts'

/** The model with the budget that the run has left: every call is reserved before and settled after it. */
export function budgeted(model: Model, left: BudgetLeft, tools: RunTools): Model {
  const { price } = tools.task.policy
  return withBudget(
    model,
    createBudget({ maxTokens: left.tokens ?? undefined, maxCostUsd: left.costUsd ?? undefined, price }),
  )
}

/** Tells of a finished call. */
export function emitReplied(
  tools: RunTools,
  role: string,
  completion: Pick<ModelCompletion, 'model' | 'usage' | 'durationMs' | 'replies'>,
): void {
  tools.emit({
    type: 'model.replied',
    role,
    model: completion.model,
    usage: completion.usage,
    finish: completion.replies[0]?.finish ?? 'unknown',
    durationMs: completion.durationMs,
  })
}

/** What a failed call was charged, as its error says. */
export function usageOfError(error: unknown): Usage {
  if (!RedgreenError.isInstance(error)) return noUsage
  const parsed = usageSchema.safeParse(error.detail?.usage)
  return parsed.success ? parsed.data : noUsage
}

/** True for errors that end or redirect the run whatever was being looked at; other failures of a side call are "no answer". */
export function steersRun(error: unknown): boolean {
  return (
    !RedgreenError.isInstance(error) ||
    ['ABORTED', 'BUDGET_EXHAUSTED', 'JOURNAL_DIVERGED', 'RECORDING_INVALID'].includes(error.code)
  )
}
