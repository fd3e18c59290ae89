import { send } from './channel.ts'
import { toGuestError } from './failure.ts'

const mostReports = 20
let reported = 0

export function resetUnhandled(): void {
  reported = 0
}

/** An error that nobody can catch any more: thrown in a timer, an event listener or a microtask. */
export function reportUnhandled(error: unknown): void {
  if (reported >= mostReports) return
  reported++
  send({ type: 'error', phase: 'unhandled', error: toGuestError(error) })
}
