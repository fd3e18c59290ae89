import { addUsage, type Usage, usageSchema } from '../domain/result.ts'
import { RedgreenError } from '../errors.ts'

/** What a failed call was charged, as `detail.usage` of its error says; undefined when nothing. */
export function usageOfFailure(error: unknown): Usage | undefined {
  if (!RedgreenError.isInstance(error)) return undefined
  const parsed = usageSchema.safeParse(error.detail?.usage)
  return parsed.success ? parsed.data : undefined
}

/** The same error with `usage` added to what it says was charged: tokens are paid for also where a call fails in the end. */
export function chargeFailure(error: unknown, usage: Usage | undefined): unknown {
  if (!RedgreenError.isInstance(error) || usage === undefined || usage.calls === 0) return error
  const before = usageOfFailure(error)
  return withUsage(error, before === undefined ? usage : addUsage(before, usage))
}

/** The same error with `usage` in place of what it says was charged. */
export function withUsage(error: RedgreenError, usage: Usage): RedgreenError {
  return new RedgreenError(error.code, error.message, { cause: error.cause, detail: { ...error.detail, usage } })
}
