import { fieldsOf, listOf, numberOf, stringOf } from './fields.ts'
import { readFinish } from './finish.ts'
import type { Finish, ModelReply } from './types.ts'

/** Tokens as the provider counted them. */
interface CountedTokens {
  readonly promptTokens: number
  readonly completionTokens: number
}

/** Gathers choices from chunks of a stream, or from one body; both have nearly the same shape. */
export interface Collector {
  /** Takes a chunk or body; true when it brought something of the model's own (text, an end, tokens), not a sign of life. */
  add(chunk: unknown): boolean
  /** Every choice seen has ended; false before the first. */
  readonly isFinished: boolean
  /** A choice ended because the provider failed. */
  readonly hasFailed: boolean
  /** The model's name as the provider gives it. */
  readonly model: string | undefined
  readonly tokens: CountedTokens | undefined
  /** Characters so far, reasoning included. */
  readonly size: number
  /** By index; empty when there was no choice. */
  replies(): ModelReply[]
}

interface Draft {
  content: string
  reasoning: string
  refusal: string
  readonly toolCalls: Map<number, { name: string; arguments: string }>
  finish: Finish
  ended: boolean
}

/** @param onDelta hears the text of the first choice as it comes */
export function createCollector(onDelta: ((text: string) => void) | undefined): Collector {
  const drafts = new Map<number, Draft>()
  let model: string | undefined
  let tokens: CountedTokens | undefined
  let size = 0
  let hasFailed = false

  const draftOf = (index: number): Draft => {
    const known = drafts.get(index)
    if (known) return known
    const fresh: Draft = {
      content: '',
      reasoning: '',
      refusal: '',
      toolCalls: new Map(),
      finish: 'unknown',
      ended: false,
    }
    drafts.set(index, fresh)
    return fresh
  }

  const addChoice = (value: unknown, position: number): boolean => {
    const choice = fieldsOf(value)
    if (choice === undefined) return false
    const index = numberOf(choice.index) ?? position
    const draft = draftOf(index)
    let news = false
    const delta = fieldsOf(choice.delta)
    const message = fieldsOf(choice.message)
    // Some close a stream with the whole message after its deltas; it counts only where nothing came before.
    const isRepeat = delta === undefined && message !== undefined && (draft.content !== '' || draft.reasoning !== '')
    const part = isRepeat ? undefined : (delta ?? message)
    const { content, reasoning } = readContent(part?.content ?? (isRepeat ? undefined : choice.text))
    const thought =
      stringOf(part?.reasoning_content) ??
      stringOf(part?.reasoning) ??
      stringOf(part?.thinking) ??
      readDetails(part?.reasoning_details)
    if (content !== '') {
      draft.content += content
      if (index === 0) onDelta?.(content)
    }
    const reasoningText = reasoning + (thought ?? '')
    draft.reasoning += reasoningText
    const refusal = stringOf(part?.refusal) ?? ''
    draft.refusal += refusal
    const calls = readToolCalls(draft, part)
    const grown = content.length + reasoningText.length + refusal.length + calls
    size += grown
    news = grown > 0
    const reason = choice.finish_reason ?? choice.finishReason
    if (reason !== null && reason !== undefined && reason !== '') {
      const finish = readFinish(reason)
      if (finish === 'provider_error') hasFailed = true
      else draft.finish = finish
      draft.ended = true
      news = true
    }
    return news
  }

  return {
    add: (value) => {
      const chunk = fieldsOf(value)
      if (chunk === undefined) return false
      model = stringOf(chunk.model) ?? model
      const counted = readTokens(chunk.usage) ?? readTokens(fieldsOf(chunk.x_groq)?.usage)
      tokens = counted ?? tokens
      let news = counted !== undefined
      listOf(chunk.choices).forEach((choice, position) => {
        news = addChoice(choice, position) || news
      })
      return news
    },
    get isFinished() {
      return drafts.size > 0 && [...drafts.values()].every((draft) => draft.ended)
    },
    get hasFailed() {
      return hasFailed
    },
    get model() {
      return model
    },
    get tokens() {
      return tokens
    },
    get size() {
      return size
    },
    replies: () => [...drafts].sort(([a], [b]) => a - b).map(([, draft]) => toReply(draft)),
  }
}

/** Content is a string, or a list of parts, of which some may be thoughts (Mistral, Anthropic). */
function readContent(value: unknown): { content: string; reasoning: string } {
  if (typeof value === 'string') return { content: value, reasoning: '' }
  let content = ''
  let reasoning = ''
  for (const entry of listOf(value)) {
    const part = fieldsOf(entry)
    if (typeof entry === 'string') content += entry
    else if (part === undefined) continue
    else if (part.type === 'thinking' || part.type === 'reasoning') {
      const inner = readContent(part.thinking ?? part.reasoning ?? part.text)
      reasoning += inner.content + inner.reasoning
    } else content += stringOf(part.text) ?? ''
  }
  return { content, reasoning }
}

/** OpenRouter's list form, used only where the plain members are absent, since it repeats them. */
function readDetails(value: unknown): string | undefined {
  const text = listOf(value)
    .map((entry) => stringOf(fieldsOf(entry)?.text) ?? stringOf(fieldsOf(entry)?.summary) ?? '')
    .join('')
  return text === '' ? undefined : text
}

function readToolCalls(draft: Draft, part: Readonly<Record<string, unknown>> | undefined): number {
  let grown = 0
  const addCall = (index: number, call: unknown) => {
    const called = fieldsOf(call)
    if (called === undefined) return
    const known = draft.toolCalls.get(index) ?? { name: '', arguments: '' }
    const name = stringOf(called.name) ?? ''
    const given =
      typeof called.arguments === 'object' && called.arguments !== null
        ? JSON.stringify(called.arguments)
        : called.arguments
    const more = stringOf(given) ?? ''
    // Some repeat the name in every piece.
    if (known.name !== name) known.name += name
    known.arguments += more
    draft.toolCalls.set(index, known)
    grown += name.length + more.length
  }
  listOf(part?.tool_calls).forEach((call, position) => {
    addCall(numberOf(fieldsOf(call)?.index) ?? position, fieldsOf(call)?.function)
  })
  if (part?.function_call !== undefined) addCall(0, part.function_call)
  return grown
}

function toReply(draft: Draft): ModelReply {
  const toolCalls = [...draft.toolCalls].sort(([a], [b]) => a - b).map(([, call]) => ({ ...call }))
  return {
    content: draft.content,
    ...(draft.reasoning === '' ? {} : { reasoning: draft.reasoning }),
    ...(draft.refusal === '' ? {} : { refusal: draft.refusal }),
    ...(toolCalls.length === 0 ? {} : { toolCalls }),
    // A refusal ends with `stop`; that it is one is what matters.
    finish: draft.refusal !== '' && (draft.finish === 'stop' || draft.finish === 'unknown') ? 'refusal' : draft.finish,
  }
}

/** Usage in OpenAI's names or Anthropic's; all zeros and anything not a number count as missing. */
function readTokens(value: unknown): CountedTokens | undefined {
  const usage = fieldsOf(value)
  if (usage === undefined) return undefined
  const prompt = countOf(usage.prompt_tokens ?? usage.input_tokens)
  const total = countOf(usage.total_tokens)
  const completion =
    countOf(usage.completion_tokens ?? usage.output_tokens) ??
    (prompt !== undefined && total !== undefined && total >= prompt ? total - prompt : undefined)
  if (prompt === undefined || completion === undefined || prompt + completion === 0) return undefined
  return { promptTokens: prompt, completionTokens: completion }
}

function countOf(value: unknown): number | undefined {
  const count = numberOf(value)
  return count === undefined || count < 0 ? undefined : Math.round(count)
}
