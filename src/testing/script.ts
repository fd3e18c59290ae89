import type { ModelRole } from '../model/types.ts'

/** One choice of a scripted answer, in the provider's own words. */
export interface ScriptedChoice {
  readonly content?: string | null
  readonly reasoning?: string
  readonly refusal?: string
  readonly toolCalls?: readonly { readonly name: string; readonly arguments: string }[]
  /** As sent on the wire, in any spelling; default `stop`. */
  readonly finishReason?: string | null
}

/** Counts as a provider sends them; null sends none. */
export interface ScriptedUsage {
  readonly promptTokens: number
  readonly completionTokens: number
}

/** Things that every scripted step may have. */
interface StepBase {
  /** Nothing is sent before this resolves: delays without a clock. */
  readonly after?: Promise<unknown>
}

/** A well-formed completion, streamed where the request asks for it. */
export interface ReplyStep extends ScriptedChoice, StepBase {
  /** Several choices in place of the one above. */
  readonly choices?: readonly ScriptedChoice[]
  /** Default `{ promptTokens: 10, completionTokens: 5 }`. */
  readonly usage?: ScriptedUsage | null
}

/** Any HTTP answer: errors, HTML, odd JSON. An object as body is sent as JSON. */
export interface HttpStep extends StepBase {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array | object | null
}

/** Raw pieces of an event stream, each written on its own. */
export interface SseStep extends StepBase {
  readonly sse: string | readonly (string | Uint8Array | Promise<unknown>)[]
  readonly headers?: Readonly<Record<string, string>>
  /** `close` ends cleanly, `cut` breaks the connection, `open` leaves it open until the other side goes. Default `close`. */
  readonly end?: 'close' | 'cut' | 'open'
}

/** The connection is broken before any answer. */
export interface DropStep extends StepBase {
  readonly drop: true
}

/** One answer; a text is a completion that says it. */
export type ServerStep = string | ReplyStep | HttpStep | SseStep | DropStep

/**
 * Steps in one queue, or a queue for each role (the header X-Redgreen-Role), or a function of the request; a function is never
 * used up.
 */
export type Script<Step, Request> =
  | readonly Step[]
  | Readonly<Partial<Record<ModelRole, readonly Step[]>>>
  | ((request: Request) => Step | Promise<Step>)

/** Hands out steps and keeps the books of what was asked beyond them and what was left over. */
export interface StepQueue<Step, Request> {
  /** The next step, or undefined when the script has none: noted as unexpected. */
  next(role: string | undefined, request: Request): Promise<Step | undefined>
  /** One line for each thing that went other than scripted. */
  problems(): string[]
}

export function createStepQueue<Step, Request>(script: Script<Step, Request>): StepQueue<Step, Request> {
  const unexpected: string[] = []
  if (typeof script === 'function') return { next: async (_, request) => script(request), problems: () => [] }
  const isList = (value: unknown): value is readonly Step[] => Array.isArray(value)
  const queues = new Map<string, { readonly steps: readonly Step[]; used: number }>()
  if (isList(script)) queues.set('', { steps: script, used: 0 })
  else for (const [role, steps] of Object.entries(script)) queues.set(role, { steps, used: 0 })
  return {
    next: async (role) => {
      const queue = queues.get(isList(script) ? '' : (role ?? ''))
      const step = queue?.steps[queue.used]
      if (queue === undefined || step === undefined) {
        unexpected.push(`unexpected ${role ?? 'unnamed'} call: the script has ${queue?.steps.length ?? 0} of them`)
        return undefined
      }
      queue.used++
      return step
    },
    problems: () => [
      ...unexpected,
      ...[...queues].flatMap(([role, { steps, used }]) =>
        used < steps.length
          ? [`${steps.length - used} of ${steps.length} ${role === '' ? '' : `${role} `}steps were never asked for`]
          : [],
      ),
    ],
  }
}
