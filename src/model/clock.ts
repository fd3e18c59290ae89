/** Time as the model adapter needs it; injected so that tests neither sleep nor read the wall clock. */
export interface ModelClock {
  /** Milliseconds since the epoch, never running backwards. */
  now(): number
  /** Resolves after `ms`; rejects with the signal's reason when it aborts first. */
  sleep(ms: number, signal: AbortSignal): Promise<void>
  /** Calls `fire` once after `ms` unless the returned function is called before. */
  setTimer(ms: number, fire: () => void): () => void
}

/** Node's timers hold at most a signed 32-bit number of milliseconds. */
const MAX_TIMER_MS = 2_147_483_647

export const systemClock: ModelClock = {
  now: () => performance.timeOrigin + performance.now(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason)
      const stop = () => {
        clearTimeout(timer)
        reject(signal.reason)
      }
      const timer = setTimeout(
        () => {
          signal.removeEventListener('abort', stop)
          resolve()
        },
        Math.min(ms, MAX_TIMER_MS),
      )
      signal.addEventListener('abort', stop, { once: true })
    }),
  setTimer: (ms, fire) => {
    const timer = setTimeout(fire, Math.min(ms, MAX_TIMER_MS))
    return () => clearTimeout(timer)
  },
}
