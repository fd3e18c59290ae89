import type { Usage } from '../domain/result.ts'
import { RedgreenError } from '../errors.ts'
import { readFinish } from '../model/finish.ts'
import { estimateTokens } from '../model/tokens.ts'
import type { Model, ModelReply, ModelRequest } from '../model/types.ts'
import { createStepQueue, type ReplyStep, type Script, type ScriptedChoice } from './script.ts'

/** The call rejects with this error. */
export interface ErrorStep {
  readonly error: Error
  readonly after?: Promise<unknown>
}

/** One answer of a scripted model; a text is a reply that says it. */
export type ModelStep = string | ReplyStep | ErrorStep

export interface ScriptedModel extends Model {
  /** In the order of coming. */
  readonly requests: readonly ModelRequest[]
  /** @throws Error that lists unexpected calls and unused steps */
  assertDone(): void
}

export interface ScriptedModelOptions {
  /** Default `scripted`. */
  readonly name?: string
}

/** Characters in each delta. */
const PIECE_LENGTH = 24

/**
 * A model that answers by a script, in this process and without delay: replies in one queue, in a queue for each role, or from
 * a function of the request.
 *
 * ```ts
 * const model = scriptedModel({ generate: [wrongReply, rightReply], analyze: ['The sign is wrong.'] })
 * ```
 *
 * A call beyond the script rejects with MODEL_UNAVAILABLE; `assertDone` reports it, and steps that nobody asked for.
 * Usage is 10 and 5 tokens where a step does not say; `usage: null` is estimated as of a provider that does not count.
 */
export function scriptedModel(
  script: Script<ModelStep, ModelRequest>,
  options: ScriptedModelOptions = {},
): ScriptedModel {
  const name = options.name ?? 'scripted'
  const queue = createStepQueue(script)
  const requests: ModelRequest[] = []
  return {
    name,
    requests,
    estimateTokens,
    complete: async (request, { signal, onDelta } = {}) => {
      requests.push(request)
      throwIfAborted(signal)
      const step = await queue.next(request.role, request)
      if (step === undefined) {
        throw new RedgreenError(
          'MODEL_UNAVAILABLE',
          `the script has no step for call ${requests.length} (role ${request.role})`,
        )
      }
      const answer: ReplyStep | ErrorStep = typeof step === 'string' ? { content: step } : step
      if (answer.after) await untilAborted(answer.after, signal)
      throwIfAborted(signal)
      if ('error' in answer) throw answer.error
      const replies = (answer.choices ?? [answer]).map(toReply)
      const said = replies[0]?.content ?? ''
      for (let from = 0; from < said.length && !signal?.aborted; from += PIECE_LENGTH)
        onDelta?.(said.slice(from, from + PIECE_LENGTH))
      throwIfAborted(signal)
      return { replies, model: name, usage: usageOf(answer, request, replies), durationMs: 0 }
    },
    assertDone: () => {
      const problems = queue.problems()
      if (problems.length > 0)
        throw new Error(`the scripted model was used other than scripted: ${problems.join('; ')}`)
    },
  }
}

function toReply(choice: ScriptedChoice): ModelReply {
  const finish = readFinish(choice.finishReason === undefined ? 'stop' : choice.finishReason)
  const isRefusal = choice.refusal !== undefined && choice.refusal !== ''
  return {
    content: choice.content ?? '',
    ...(choice.reasoning === undefined ? {} : { reasoning: choice.reasoning }),
    ...(choice.refusal === undefined ? {} : { refusal: choice.refusal }),
    ...(choice.toolCalls === undefined ? {} : { toolCalls: choice.toolCalls }),
    finish: isRefusal && finish === 'stop' ? 'refusal' : finish === 'provider_error' ? 'unknown' : finish,
  }
}

function usageOf(step: ReplyStep, request: ModelRequest, replies: readonly ModelReply[]): Usage {
  const { usage } = step
  if (usage === null) {
    const count = (texts: readonly string[]) => texts.reduce((sum, text) => sum + estimateTokens(text), 0)
    return {
      promptTokens: count(request.messages.map((message) => message.content)),
      completionTokens: count(replies.map((reply) => reply.content)),
      calls: 1,
      costUsd: null,
      estimated: true,
    }
  }
  return { ...(usage ?? { promptTokens: 10, completionTokens: 5 }), calls: 1, costUsd: null, estimated: false }
}

function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new RedgreenError('ABORTED', 'the model call was aborted')
}

async function untilAborted(promise: Promise<unknown>, signal: AbortSignal | undefined): Promise<void> {
  if (!signal) return void (await promise)
  if (signal.aborted) return
  let onAbort: () => void = () => undefined
  const aborted = new Promise<void>((resolve) => {
    onAbort = resolve
    signal.addEventListener('abort', onAbort, { once: true })
  })
  try {
    await Promise.race([promise, aborted])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}
