import { send } from './channel.ts'
import { toGuestError } from './failure.ts'

const mostReports = 20
let reported = 0
let listener: ((error: unknown) => boolean) | undefined

export function resetUnhandled(): void {
  reported = 0
  listener = undefined
}

/** Lets somebody else have the errors first; true from it means that the error is dealt with. */
export function listenUnhandled(take: (error: unknown) => boolean): void {
  listener = take
}

/** An error that nobody can catch any more: thrown in a timer, an event listener or a microtask. */
export function reportUnhandled(error: unknown): void {
  if (listener?.(error) || reported >= mostReports) return
  reported++
  send({ type: 'error', phase: 'unhandled', error: toGuestError(error) })
}
