import { schedulers } from './clock.ts'
import { timers } from './timers.ts'

/**
 * In the place of Vitest's own module of timers: what the runner waits for are deadlines of the harness, which must not
 * make a test look alive that waits for nothing.
 */
export const getSafeTimers = () => ({
  nextTick: undefined,
  setTimeout: (callback: () => void, ms: number) => schedulers.watchdog(callback, ms),
  clearTimeout: (id: number | undefined) => id !== undefined && schedulers.clear(id),
  setInterval: timers.setInterval,
  clearInterval: timers.clearInterval,
  setImmediate: timers.setImmediate,
  clearImmediate: timers.clearImmediate,
  queueMicrotask: timers.queueMicrotask,
})

export const setSafeTimers = (): void => undefined

export const delay = (ms: number): Promise<void> => new Promise((resolve) => schedulers.timeout(resolve, ms))
