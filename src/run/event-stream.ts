import type { RunEvent, RunEventBody } from '../domain/event.ts'

/** Stamps events of one run and hands them to iterators and listeners in order. */
export class EventStream implements AsyncIterable<RunEvent> {
  readonly #runId: string
  readonly #now: () => number
  readonly #history: RunEvent[] = []
  readonly #listeners = new Set<(event: RunEvent) => void>()
  readonly #waiting = new Set<() => void>()
  /** While set, what is emitted is dropped: a resumed run comes by what was told before. */
  isQuiet = false
  #sequence: number
  #ended = false
  #failure: { readonly error: unknown } | undefined

  /** `told` is the number of events of the same run that were told before it was resumed. */
  constructor(runId: string, now: () => number, told = 0) {
    this.#runId = runId
    this.#now = now
    this.#sequence = told
  }

  /** Events told so far, those before a resume included. */
  get count(): number {
    return this.#sequence
  }

  emit(body: RunEventBody): void {
    if (this.#ended || this.isQuiet) return
    const event: RunEvent = {
      ...body,
      runId: this.#runId,
      seq: this.#sequence,
      at: new Date(this.#now()).toISOString(),
    }
    this.#sequence += 1
    // Deltas are for those who listen while they come; kept, they would be the largest part of a run's memory.
    if (event.type !== 'model.delta' || this.#waiting.size > 0) this.#history.push(event)
    for (const listener of this.#listeners) listener(event)
    this.#wake()
  }

  /** Calls `listener` for each event from now on, deltas included; returns how to stop. */
  listen(listener: (event: RunEvent) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  end(failure?: { readonly error: unknown }): void {
    if (this.#ended) return
    this.#ended = true
    this.#failure = failure
    this.#wake()
  }

  #wake(): void {
    for (const resolve of this.#waiting) resolve()
    this.#waiting.clear()
  }

  /** Every iterator sees the whole run from its start (but for deltas that came before anyone waited). */
  async *[Symbol.asyncIterator](): AsyncGenerator<RunEvent, void, undefined> {
    for (let next = 0; ; ) {
      const event = this.#history[next]
      if (event !== undefined) {
        next += 1
        yield event
      } else if (this.#ended) {
        if (this.#failure) throw this.#failure.error
        return
      } else {
        await new Promise<void>((resolve) => this.#waiting.add(resolve))
      }
    }
  }
}
