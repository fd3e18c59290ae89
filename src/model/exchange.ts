import type OpenAI from 'openai'
import type { ModelClock } from './clock.ts'
import { type Collector, createCollector } from './collect.ts'
import { fieldsOf, parseJson } from './fields.ts'
import { looksLikeHtml } from './problem.ts'
import { createSseParser } from './sse.ts'
import type { ModelRole } from './types.ts'
import type { WireBody } from './wire.ts'

/** How one HTTP exchange ended, other than by an answer. `partial` holds what had come of a reply. */
export type ExchangeFailure =
  | { readonly kind: 'status'; readonly status: number; readonly headers: Headers; readonly text: string }
  /** An error object inside an answer with status 200. */
  | { readonly kind: 'inband'; readonly headers: Headers; readonly body: unknown; readonly partial: Collector }
  /** `code` is the system's or undici's. */
  | { readonly kind: 'network'; readonly code: string; readonly message: string; readonly partial?: Collector }
  | { readonly kind: 'cut'; readonly partial: Collector }
  | { readonly kind: 'silence'; readonly partial?: Collector }
  /** A 200 that is no answer of a model. */
  | { readonly kind: 'foreign'; readonly what: 'html' | 'json' | 'text' }
  | { readonly kind: 'flood' }
  | { readonly kind: 'aborted'; readonly partial?: Collector }

/** Carries a failure through code that knows only exceptions, the `openai` client among it. */
export class ExchangeError extends Error {
  override readonly name = 'ExchangeError'
  readonly failure: ExchangeFailure
  constructor(failure: ExchangeFailure) {
    super(`exchange ended: ${failure.kind}`)
    this.failure = failure
  }
}

/** Bytes of an error body that are read; the rest cannot say more. */
const MAX_ERROR_BYTES = 65_536
/** Bytes of an answer; a model that says more has lost its way, and memory is ours. */
const MAX_ANSWER_BYTES = 64 * 1_048_576
/** How long to wait for usage and `[DONE]` once every choice has ended. */
const AFTER_FINISH_MS = 2_000

/**
 * The `fetch` given to the client: refuses redirects (a redirect would carry headers with secrets to another place) and turns
 * an error status and a failed connection into an ExchangeError, body bounded.
 */
export function createGuardedFetch(fetchImpl: typeof fetch): typeof fetch {
  return async (input, init) => {
    let response: Response
    try {
      response = await fetchImpl(input, { ...init, redirect: 'manual' })
    } catch (error) {
      throw new ExchangeError(toNetworkFailure(error))
    }
    if (response.ok) return response
    const text = await readBounded(response, MAX_ERROR_BYTES)
    throw new ExchangeError({ kind: 'status', status: response.status, headers: response.headers, text })
  }
}

async function readBounded(response: Response, limit: number): Promise<string> {
  const reader = response.body?.getReader()
  if (!reader) return ''
  const decoder = new TextDecoder()
  let text = ''
  try {
    while (text.length < limit) {
      const { value, done } = await reader.read()
      if (done) break
      text += decoder.decode(value, { stream: true })
    }
  } catch {
    // The status is known and is what counts; a body cut short only says less.
  }
  await reader.cancel().catch(() => undefined)
  return text.slice(0, limit)
}

function toNetworkFailure(error: unknown, partial?: Collector): ExchangeFailure {
  let code = ''
  let message = ''
  // undici: TypeError("fetch failed") around the cause, an AggregateError where several addresses were tried.
  for (let at: unknown = error, depth = 0; at instanceof Error && depth < 5; depth++) {
    // undici leaves out the code of some parser errors.
    const own = fieldsOf(at)?.code ?? (at.name === 'HTTPParserError' ? 'HPE_INVALID' : undefined)
    if (code === '' && typeof own === 'string') code = own
    if (at.message !== '' && at.message !== 'fetch failed') message = at.message
    at = at.cause ?? (at instanceof AggregateError ? at.errors[0] : undefined)
  }
  return { kind: 'network', code, message, ...(partial ? { partial } : {}) }
}

export interface ExchangeOptions {
  readonly role: ModelRole
  /** Aborting ends the exchange at once with kind `aborted`. */
  readonly signal: AbortSignal
  /** Longest silence of the model. */
  readonly timeoutMs: number
  readonly clock: ModelClock
  readonly onDelta: ((text: string) => void) | undefined
}

/**
 * One request, one answer, streamed or not.
 *
 * @throws ExchangeError for everything else
 */
export async function exchange(client: OpenAI, body: WireBody, options: ExchangeOptions): Promise<Collector> {
  const { signal, clock, timeoutMs } = options
  const stop = new AbortController()
  let ended: 'silence' | 'aborted' | 'finished' | undefined
  const end = (why: 'silence' | 'aborted' | 'finished') => {
    ended ??= why
    stop.abort()
  }
  const onAbort = () => end('aborted')
  if (signal.aborted) onAbort()
  signal.addEventListener('abort', onAbort, { once: true })
  let cancelTimer = clock.setTimer(timeoutMs, () => end('silence'))
  const collector = createCollector(options.onDelta)
  /** The model was heard: the time of its silence starts anew. */
  const onNews = () => {
    cancelTimer()
    cancelTimer = collector.isFinished
      ? clock.setTimer(Math.min(AFTER_FINISH_MS, timeoutMs), () => end('finished'))
      : clock.setTimer(timeoutMs, () => end('silence'))
  }
  try {
    const response = await send(client, body, options.role, stop.signal)
    await readAnswer(response, collector, stop.signal, onNews)
    return collector
  } catch (error) {
    const partial = collector.size > 0 ? { partial: collector } : {}
    if (ended === 'finished' || (ended === undefined && collector.isFinished && isBroken(error))) return collector
    if (ended !== undefined) throw new ExchangeError({ kind: ended, ...partial })
    if (error instanceof ExchangeError) throw error
    throw new ExchangeError(toNetworkFailure(error, collector.size > 0 ? collector : undefined))
  } finally {
    cancelTimer()
    signal.removeEventListener('abort', onAbort)
    // Frees the socket of an answer that was not read to its end.
    stop.abort()
  }
}

/** Whether the connection broke, as against the provider saying something. */
function isBroken(error: unknown): boolean {
  return !(error instanceof ExchangeError) || error.failure.kind === 'network' || error.failure.kind === 'cut'
}

async function send(client: OpenAI, body: WireBody, role: ModelRole, signal: AbortSignal): Promise<Response> {
  try {
    // The body is of this module's making; the client's own type is narrower in what it lets be spread together.
    const params = body as unknown as OpenAI.ChatCompletionCreateParams
    return await client.chat.completions.create(params, { signal, headers: { 'X-Redgreen-Role': role } }).asResponse()
  } catch (error) {
    for (let at: unknown = error; at instanceof Error; at = at.cause) if (at instanceof ExchangeError) throw at
    throw error
  }
}

/** Reads whatever came: events, one JSON body, JSON lines, or something foreign; the first character decides, not the header. */
async function readAnswer(
  response: Response,
  collector: Collector,
  signal: AbortSignal,
  onNews: () => void,
): Promise<void> {
  const { headers } = response
  let isDone = false
  const take = (chunk: unknown) => {
    const error = errorInside(chunk)
    if (error !== undefined) throw new ExchangeError({ kind: 'inband', headers, body: error, partial: collector })
    const isNews = collector.add(chunk)
    if (collector.hasFailed) {
      const body = { error: { message: 'the provider ended the reply with an error', code: 502 } }
      throw new ExchangeError({ kind: 'inband', headers, body, partial: collector })
    }
    if (isNews) onNews()
  }
  const events = createSseParser(({ event, data }) => {
    const text = data.trim()
    if (isDone || text === '') return
    if (text === '[DONE]') {
      isDone = true
      return
    }
    const chunk = parseJson(text)
    if (event === 'error') {
      throw new ExchangeError({
        kind: 'inband',
        headers,
        body: chunk ?? { error: { message: text } },
        partial: collector,
      })
    }
    if (chunk !== undefined) take(chunk)
    // Broken JSON is a lost piece of the reply; anything else without a brace ("ping") is a sign of life.
    else if (text.startsWith('{')) throw new ExchangeError({ kind: 'cut', partial: collector })
  })

  const decoder = new TextDecoder()
  let head = ''
  let mode: 'unknown' | 'events' | 'whole' = 'unknown'
  let bytes = 0
  const pending: Uint8Array[] = []
  for await (const piece of piecesOf(response, signal)) {
    bytes += piece.byteLength
    if (bytes > MAX_ANSWER_BYTES) throw new ExchangeError({ kind: 'flood' })
    if (mode === 'unknown') {
      pending.push(piece)
      head += decoder.decode(piece, { stream: true })
      const first = head.trimStart()[0]
      if (first === undefined) continue
      mode = first === '<' || first === '{' || first === '[' ? 'whole' : 'events'
      if (mode === 'events') for (const early of pending.splice(0)) events.push(early)
    } else if (mode === 'whole') head += decoder.decode(piece, { stream: true })
    else events.push(piece)
    if (isDone) return
  }
  if (mode === 'events') {
    events.end()
    if (isDone || collector.isFinished) return
    if (collector.size > 0 || /(?:^|[\r\n])(?:data|event|id|retry|:)/.test(head))
      throw new ExchangeError({ kind: 'cut', partial: collector })
    throw new ExchangeError({ kind: 'foreign', what: 'text' })
  }
  if (mode === 'unknown') throw new ExchangeError({ kind: 'cut', partial: collector })
  readWhole(head + decoder.decode(), collector, take)
}

function readWhole(text: string, collector: Collector, take: (chunk: unknown) => void): void {
  if (text.trimStart().startsWith('<')) {
    throw new ExchangeError({ kind: 'foreign', what: looksLikeHtml(text) ? 'html' : 'text' })
  }
  const body = parseJson(text)
  if (body !== undefined) {
    const answer = Array.isArray(body) ? body[0] : body
    take(answer)
    if (fieldsOf(answer)?.choices === undefined) throw new ExchangeError({ kind: 'foreign', what: 'json' })
    return
  }
  // JSON lines without the frame of server-sent events.
  const lines = text.split(/[\r\n]+/).filter((line) => line.trim() !== '')
  for (const line of lines) {
    const chunk = parseJson(line.replace(/^data:/, ''))
    if (chunk !== undefined) take(chunk)
  }
  if (!collector.isFinished) throw new ExchangeError({ kind: 'cut', partial: collector })
}

/** The error that a chunk or body with status 200 holds, in the shapes of OpenAI, vLLM and Anthropic. */
function errorInside(chunk: unknown): unknown {
  const fields = fieldsOf(Array.isArray(chunk) ? chunk[0] : chunk)
  if (fields === undefined) return undefined
  const { error } = fields
  if (error !== undefined && error !== null && error !== false && error !== '') return fields
  const hasChoices = Array.isArray(fields.choices) && fields.choices.length > 0
  if (hasChoices) return undefined
  if (fields.object === 'error' || fields.type === 'error' || fields.success === false) return fields
  return Array.isArray(fields.errors) && fields.errors.length > 0 ? fields : undefined
}

/** The body's pieces; ends with the signal's reason thrown when it aborts, even where the stream below does not notice. */
async function* piecesOf(response: Response, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const reader = response.body?.getReader()
  if (!reader) return
  let onAbort: () => void = () => undefined
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason)
    if (signal.aborted) onAbort()
    signal.addEventListener('abort', onAbort, { once: true })
  })
  aborted.catch(() => undefined)
  try {
    while (true) {
      const { value, done } = await Promise.race([reader.read(), aborted])
      if (done) return
      yield value
    }
  } finally {
    signal.removeEventListener('abort', onAbort)
    // Not awaited: a stream that hangs would hang this too.
    reader.cancel().catch(() => undefined)
  }
}
