import type { GuestError, TestCaseOutcome } from '../types.ts'

/** What the harness tells its driver; each is one bounded string over the one callback. */
export type GuestMessage =
  | { readonly type: 'running'; readonly name: string }
  | { readonly type: 'test'; readonly test: TestCaseOutcome }
  | { readonly type: 'console'; readonly stream: 'out' | 'err'; readonly text: string; readonly truncated: boolean }
  | {
      readonly type: 'error'
      readonly phase: 'load-candidate' | 'load-tests' | 'hook' | 'unhandled'
      readonly file?: string
      readonly error: GuestError
    }
  | {
      readonly type: 'variant'
      readonly variant: number
      readonly checks: number
      readonly passed: readonly number[]
      readonly total: number
    }
  | { readonly type: 'flood' }
  | {
      readonly type: 'done'
      readonly exitCode?: number
      readonly error?: GuestError
      readonly result?: string
      readonly durationMs: number
    }

const stringify = JSON.stringify
/** More than any message that the harness makes by its own bounds. */
const longestMessage = 200_000

let post: (message: string) => void = () => undefined

/** Takes the way out; called once, before any guest code is there. */
export function connect(callback: (message: string) => void): void {
  post = callback
}

/** Sends one message. What is too long for any honest message is cut down to the fact. */
export function send(message: GuestMessage): void {
  const text = stringify(message)
  if (text.length <= longestMessage) post(text)
  else if (message.type === 'test') {
    const errors = message.test.errors
      .slice(0, 1)
      .map((error) => ({ ...error, message: error.message.slice(0, 500), stack: '' }))
    post(stringify({ ...message, test: { ...message.test, errors, name: message.test.name.slice(0, 500) } }))
  }
}
