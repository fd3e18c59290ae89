import type { RunEvent } from '../domain/event.ts'
import type { Result } from '../domain/result.ts'
import type { EventStream } from './event-stream.ts'

/** A run under way: iterate it for its events, await `result` for what came of it. */
export class Run implements AsyncIterable<RunEvent> {
  readonly id: string
  /**
   * Rejects only for misuse that shows before the first attempt (a refused key, tests that do not parse); later troubles end the
   * run with a reason.
   */
  readonly result: Promise<Result>
  readonly #events: EventStream
  readonly #abort: () => void

  constructor(id: string, result: Promise<Result>, events: EventStream, abort: () => void) {
    this.id = id
    this.result = result
    this.#events = events
    this.#abort = abort
    // Whoever only iterates gets the error from the iterator; it must not end the process as unhandled.
    result.catch(() => {})
  }

  /** Calls `listener` for every event from now on, deltas of the model included; returns how to stop. */
  listen(listener: (event: RunEvent) => void): () => void {
    return this.#events.listen(listener)
  }

  /** Ends the run with what was found; `result` has status `aborted`. Idempotent. */
  abort(): void {
    this.#abort()
  }

  [Symbol.asyncIterator](): AsyncIterator<RunEvent> {
    return this.#events[Symbol.asyncIterator]()
  }
}
