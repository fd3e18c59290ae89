import type { ReplyStep, ScriptedChoice, ScriptedUsage } from './script.ts'

const CREATED_SECONDS = 1_700_000_000
const defaultUsage: ScriptedUsage = { promptTokens: 10, completionTokens: 5 }
/** Characters in each piece of a streamed reply: small enough that readers must join pieces. */
const PIECE_LENGTH = 24

/** The body of a plain chat completion. */
export function toCompletionBody(step: ReplyStep, model: string, id: string): object {
  return {
    id,
    object: 'chat.completion',
    created: CREATED_SECONDS,
    model,
    choices: choicesOf(step).map((choice, index) => ({
      index,
      message: { role: 'assistant', ...messageOf(choice) },
      finish_reason: choice.finishReason === undefined ? 'stop' : choice.finishReason,
    })),
    ...usageMember(step),
  }
}

/** The same completion as server-sent events, usage last where asked for. */
export function toEventChunks(step: ReplyStep, model: string, id: string, includeUsage: boolean): string[] {
  const base = { id, object: 'chat.completion.chunk', created: CREATED_SECONDS, model }
  const events: object[] = []
  choicesOf(step).forEach((choice, index) => {
    const put = (delta: object, finish: string | null = null) =>
      events.push({ ...base, choices: [{ index, delta, finish_reason: finish }] })
    put({ role: 'assistant', content: '' })
    const { content, reasoning_content, refusal, tool_calls } = messageOf(choice)
    for (const piece of piecesOf(reasoning_content)) put({ reasoning_content: piece })
    for (const piece of piecesOf(content)) put({ content: piece })
    for (const piece of piecesOf(refusal)) put({ refusal: piece })
    tool_calls?.forEach((call, at) => void put({ tool_calls: [{ index: at, ...call }] }))
    put({}, choice.finishReason === undefined ? 'stop' : choice.finishReason)
  })
  if (includeUsage && step.usage !== null) events.push({ ...base, choices: [], ...usageMember(step) })
  return [...events.map((event) => `data: ${JSON.stringify(event)}\n\n`), 'data: [DONE]\n\n']
}

function choicesOf(step: ReplyStep): readonly ScriptedChoice[] {
  return step.choices ?? [step]
}

function messageOf(choice: ScriptedChoice) {
  return {
    content: choice.content ?? null,
    ...(choice.reasoning === undefined ? {} : { reasoning_content: choice.reasoning }),
    ...(choice.refusal === undefined ? {} : { refusal: choice.refusal }),
    ...(choice.toolCalls === undefined
      ? {}
      : {
          tool_calls: choice.toolCalls.map((call, at) => ({
            id: `call_${at}`,
            type: 'function',
            function: { ...call },
          })),
        }),
  }
}

function usageMember(step: ReplyStep): object {
  if (step.usage === null) return {}
  const { promptTokens, completionTokens } = step.usage ?? defaultUsage
  return {
    usage: {
      prompt_tokens: promptTokens,
      completion_tokens: completionTokens,
      total_tokens: promptTokens + completionTokens,
    },
  }
}

function piecesOf(text: string | null | undefined): string[] {
  const pieces: string[] = []
  for (let from = 0; from < (text?.length ?? 0); from += PIECE_LENGTH)
    pieces.push(text?.slice(from, from + PIECE_LENGTH) ?? '')
  return pieces
}
