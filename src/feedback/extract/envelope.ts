import type { Finish } from '../../model/types.ts'
import type { Reply } from './types.ts'

/** A reply with its parts sorted by what they are. */
export interface Envelope {
  readonly text: string
  readonly reasoning: string
  readonly refusal: string
  readonly toolCalls: readonly { readonly name: string; readonly arguments: string }[]
  readonly finish: Finish
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Opens a reply: text parts joined without a separator, thinking parts apart, unknown parts ignored. */
export function openEnvelope(reply: Reply): Envelope {
  const parts: unknown[] = Array.isArray(reply.content) ? [...reply.content] : [reply.content]
  let text = ''
  let reasoning = typeof reply.reasoning === 'string' ? reply.reasoning : ''
  let refusal = typeof reply.refusal === 'string' ? reply.refusal : ''
  const toolCalls = [...(Array.isArray(reply.toolCalls) ? reply.toolCalls : [])].flatMap(toToolCall)
  for (const part of parts) {
    if (typeof part === 'string') text += part
    else if (isRecord(part)) {
      const type = typeof part.type === 'string' ? part.type : 'text'
      if (/^(?:text|output_text|message|input_text)$/.test(type))
        text += textOf(part.text ?? part.content ?? part.value)
      else if (/think|reason/.test(type))
        reasoning += textOf(part.thinking ?? part.text ?? part.reasoning ?? part.summary ?? part.content)
      else if (type === 'refusal') refusal += textOf(part.refusal ?? part.text)
      else if (/^(?:tool_use|tool_call|function_call|function)$/.test(type)) toolCalls.push(...toToolCall(part))
    }
  }
  // One kind of line end, and no byte-order mark: columns and lines then mean the same to every parser.
  return {
    text: text.replace(/^\uFEFF+/, '').replace(/\r\n/g, '\n'),
    reasoning,
    refusal: refusal.trim(),
    toolCalls,
    finish: reply.finish,
  }
}

/** Text of a string, of a part, or of a list of parts; bounded in depth. */
function textOf(value: unknown, depth = 0): string {
  if (typeof value === 'string') return value
  if (depth > 4) return ''
  if (Array.isArray(value)) return value.map((item) => textOf(item, depth + 1)).join('')
  if (isRecord(value)) return textOf(value.text ?? value.content ?? value.value, depth + 1)
  return ''
}

function toToolCall(call: unknown): Envelope['toolCalls'] {
  if (!isRecord(call)) return []
  const inner = isRecord(call.function) ? call.function : call
  const name = typeof inner.name === 'string' ? inner.name : ''
  const given = inner.arguments ?? inner.input ?? inner.parameters
  return [{ name, arguments: typeof given === 'string' ? given : given === undefined ? '' : JSON.stringify(given) }]
}

const finishes: readonly (readonly [RegExp, Finish])[] = [
  [/^(?:length|max_?tokens|max_output_tokens|model_length|token_limit)$/i, 'length'],
  [
    /^(?:content_?filter|safety|recitation|blocklist|prohibited_content|spii|guardrail\w*|sensitive)$/i,
    'content_filter',
  ],
  [/^(?:refusal)$/i, 'refusal'],
  [/^(?:tool_?calls?|tool_use|function_call)$/i, 'tool_calls'],
  [/^(?:stop|end_turn|eos|eos_token|stop_sequence|complete|completed|finish|finished|done)$/i, 'stop'],
]

/**
 * Makes a Reply of a raw chat-completion message, as recordings hold it.
 *
 * @param message the `message` of a choice; unknown members are ignored
 * @param finishReason the provider's word; unknown words and null become `unknown`
 */
export function toReply(message: unknown, finishReason: unknown): Reply {
  const word = typeof finishReason === 'string' ? finishReason : ''
  const finish = finishes.find(([pattern]) => pattern.test(word))?.[1] ?? 'unknown'
  if (!isRecord(message)) return { content: typeof message === 'string' ? message : null, finish }
  const content = message.content
  const calls = message.tool_calls ?? message.toolCalls ?? (message.function_call ? [message.function_call] : [])
  return {
    content: typeof content === 'string' || Array.isArray(content) ? content : null,
    reasoning: textOf(message.reasoning_content ?? message.reasoning ?? message.thinking ?? message.reasoning_details),
    refusal: typeof message.refusal === 'string' ? message.refusal : null,
    toolCalls: Array.isArray(calls) ? calls.flatMap(toToolCall) : [],
    finish,
  }
}
