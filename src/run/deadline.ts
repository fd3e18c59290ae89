import { RedgreenError } from '../errors.ts'

/**
 * Runs an effect that must end within the time left to the run.
 *
 * @throws RedgreenError BUDGET_EXHAUSTED (detail.budget `time`) when the time is over first; ABORTED when `signal` was aborted
 */
export async function withDeadline<T>(
  signal: AbortSignal,
  leftMs: number,
  effect: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  if (signal.aborted) throw new RedgreenError('ABORTED', 'the run was aborted')
  const deadline = new AbortController()
  // Timers of Node hold at most a 32-bit number of milliseconds.
  const timer = setTimeout(() => deadline.abort(), Math.min(Math.max(leftMs, 0), 2_147_483_647))
  try {
    return await effect(AbortSignal.any([signal, deadline.signal]))
  } catch (error) {
    if (signal.aborted) throw new RedgreenError('ABORTED', 'the run was aborted', { cause: error })
    if (deadline.signal.aborted) {
      throw new RedgreenError('BUDGET_EXHAUSTED', 'the time of the run is spent', {
        cause: error,
        detail: { budget: 'time' },
      })
    }
    throw error
  } finally {
    clearTimeout(timer)
  }
}
