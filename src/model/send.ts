import type OpenAI from 'openai'
import { addUsage, type Usage } from '../domain/result.ts'
import { RedgreenError } from '../errors.ts'
import { priceUsage } from './budget.ts'
import { chargeFailure } from './charged.ts'
import type { Collector } from './collect.ts'
import { ExchangeError, type ExchangeFailure, exchange } from './exchange.ts'
import { describeFailure, type Judged, outageError } from './failure.ts'
import { type Dialect, stepDown } from './memory.ts'
import type { ResolvedOpenaiOptions } from './options.ts'
import { readProblem, readProblemBody } from './problem.ts'
import { createRedact } from './redact.ts'
import { readRetryAfterMs } from './retry-after.ts'
import { countTokens, estimatePromptTokens, estimateTokens } from './tokens.ts'
import type { ModelCallOptions, ModelMessage, ModelReply, ModelRequest } from './types.ts'
import { judgeProblem, type Verdict } from './verdict.ts'
import { toWireBody, type WireBody } from './wire.ts'

/** One answered request, with what its failed tries had cost. */
export interface Answered {
  readonly replies: readonly ModelReply[]
  readonly model: string | undefined
  /** Not priced yet. */
  readonly usage: Usage
}

export interface SendOptions extends Omit<ModelCallOptions, 'signal' | 'onDelta'> {
  readonly signal: AbortSignal
  readonly startedAt: number
  readonly throwIfOver: () => void
  readonly onDelta?: ((text: string) => void) | undefined
}

/** Base and cap of the exponential backoff with full jitter (AWS Architecture Blog, "Exponential Backoff and Jitter"). */
const BACKOFF_BASE_MS = 500
const BACKOFF_CAP_MS = 8_000
/** More fallbacks than there are features and their forms; only a provider that contradicts itself gets here. */
const MAX_ADAPTATIONS = 16

/**
 * Makes the function that sends one request until it is answered or cannot be: fallbacks, bounded retries, compaction once.
 */
export function createSender(options: ResolvedOpenaiOptions, getClient: () => Promise<OpenAI>) {
  const { clock, memory, model, baseURL } = options
  const redact = createRedact([
    ...(options.apiKey === null ? [] : [options.apiKey]),
    ...Object.values(options.headers).flatMap((value) => [value, value.replace(/^\w+\s+/, '')]),
  ])
  const firstCap =
    memory.get(baseURL, model).outputCap === 'max_completion_tokens' ? 'max_completion_tokens' : 'max_tokens'

  return async function send(request: ModelRequest, choices: number, call: SendOptions): Promise<Answered> {
    const client = await getClient()
    const timeoutMs = call.timeoutMs ?? options.timeoutMs
    let messages: readonly ModelMessage[] = request.messages
    let isCompacted = false
    let retries = 0
    let spent: Usage = { promptTokens: 0, completionTokens: 0, calls: 0, costUsd: null, estimated: false }

    try {
      for (let adaptations = 0; ; ) {
        call.throwIfOver()
        const dialect = memory.get(baseURL, model)
        // Refused meanwhile, by a call beside this one: the caller sends the rest one by one.
        const wanted = dialect.choices ? choices : 1
        const body: WireBody = { ...toWireBody(model, { ...request, messages }, wanted, dialect), ...options.extraBody }
        try {
          const collector = await exchange(client, body, {
            role: request.role,
            signal: call.signal,
            timeoutMs,
            clock,
            onDelta: call.onDelta,
          })
          learnFromAnswer(dialect, wanted, collector)
          const replies = collector.replies()
          return {
            replies: replies.length === 0 ? [{ content: '', finish: 'unknown' }] : replies,
            model: collector.model,
            usage: addUsage(spent, await usageOf(collector, body)),
          }
        } catch (error) {
          if (!(error instanceof ExchangeError)) throw error
          const { failure } = error
          spent = addUsage(spent, await usageOfPartial(failure, body))
          call.throwIfOver()
          const judged = judge(failure, body)
          const { verdict } = judged
          if (verdict.kind === 'filtered') {
            return { replies: [{ content: '', finish: 'content_filter' }], model: undefined, usage: spent }
          }
          if (verdict.kind === 'adapt' && adaptations < MAX_ADAPTATIONS) {
            adaptations++
            if (learnRefusal(verdict, dialect)) continue
          }
          if (verdict.kind === 'overflow') {
            const shorter = isCompacted ? undefined : request.compact?.()
            if (shorter === undefined || isSame(shorter, messages)) throw describeFailure(options, judged, redact)
            messages = shorter
            isCompacted = true
            continue
          }
          if (verdict.kind !== 'retry') throw describeFailure(options, judged, redact)
          if (retries >= options.maxRetries) throw outageError(options, judged, redact, retries + 1)
          const waitMs = nextWaitMs(judged, retries)
          retries++
          refuseLongWait(waitMs, judged, call)
          call.onRetry?.({ attempt: retries, waitMs, reason: redact(judged.summary) })
          await wait(waitMs, call)
        }
      }
    } catch (error) {
      throw chargeFailure(error, priceUsage(spent, options.price))
    }
  }

  /** What kind of failure it was, and what follows from it. */
  function judge(failure: ExchangeFailure, sent: WireBody): Judged {
    if (failure.kind === 'status' || failure.kind === 'inband') {
      const problem =
        failure.kind === 'status' ? readProblem(failure.status, failure.text) : readProblemBody(200, failure.body)
      const verdict = judgeProblem(problem, sent, failure.headers.get('x-should-retry'))
      const summary = problem.isHtml
        ? `status ${problem.status} with an HTML page`
        : `status ${problem.status}${problem.message.trim() === '' ? '' : `: ${problem.message}`}`
      const retryAfterMs = readRetryAfterMs(failure.headers, problem.body, problem.message, clock.now())
      return { verdict, failure, problem, summary, retryAfterMs }
    }
    const isProven = memory.get(baseURL, model).proven
    return { verdict: judgeTransport(failure, isProven), failure, summary: summarize(failure) }
  }

  /** Remembers what an answer shows; only ever moves the present dialect, which others may have moved meanwhile. */
  function learnFromAnswer(used: Dialect, asked: number, collector: Collector): void {
    const now = memory.get(baseURL, model)
    const cameAlone = asked > 1 && collector.replies().length < asked
    if (now.proven && !cameAlone) return
    memory.set(baseURL, model, { ...now, proven: true, choices: cameAlone && used.choices ? false : now.choices })
  }

  /** True when there is another form to try, found now or by a call beside this one. */
  function learnRefusal(verdict: Extract<Verdict, { kind: 'adapt' }>, used: Dialect): boolean {
    const now = memory.get(baseURL, model)
    const { feature, limit } = verdict
    if (feature === 'outputLimit') {
      if (limit === undefined || limit < 1) return false
      // A limit that follows from this prompt's length is learnt too: too small a cap is safe, and continued when cut.
      memory.set(baseURL, model, { ...now, outputLimit: Math.min(limit, now.outputLimit ?? limit) })
      return true
    }
    if (now[feature] !== used[feature]) return true
    const next =
      verdict.takesDeveloper && now.system === 'system'
        ? { ...now, system: 'developer' as const }
        : stepDown(now, feature, firstCap)
    if (next === undefined) return false
    memory.set(baseURL, model, next)
    return true
  }

  function nextWaitMs(judged: Judged, retries: number): number {
    const backoff = options.random() * Math.min(BACKOFF_CAP_MS, BACKOFF_BASE_MS * 2 ** retries)
    return judged.retryAfterMs === undefined
      ? backoff
      : Math.max(judged.retryAfterMs, Math.min(backoff, BACKOFF_BASE_MS))
  }

  function refuseLongWait(waitMs: number, judged: Judged, call: SendOptions): void {
    const seconds = Math.ceil(waitMs / 1_000)
    if (call.deadlineMs !== undefined) {
      const left = call.deadlineMs - (clock.now() - call.startedAt)
      if (waitMs <= left) return
      throw new RedgreenError(
        'BUDGET_EXHAUSTED',
        `the provider asks to wait ${seconds} s, more than the ${Math.max(0, Math.floor(left / 1_000))} s that the run has left`,
        { detail: { budget: 'time', retryAfterMs: waitMs } },
      )
    }
    if (waitMs <= options.maxRetryWaitMs) return
    throw new RedgreenError(
      'MODEL_UNAVAILABLE',
      `the provider asks to wait ${seconds} s (${redact(judged.summary)}): try again then, or use another model`,
      { detail: { retryAfterMs: waitMs } },
    )
  }

  async function wait(waitMs: number, call: SendOptions): Promise<void> {
    try {
      await clock.sleep(waitMs, call.signal)
    } catch (error) {
      call.throwIfOver()
      throw error
    }
  }
}

/** Codes of a connection that could not be made, as against one that broke: the address is wrong, or nothing listens there. */
const unreachable =
  /^(?:ECONNREFUSED|ENOTFOUND|EAI_\w+|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|ERR_INVALID_URL|UND_ERR_INVALID_ARG)$/
/** Something listens, but does not speak HTTP or not the right TLS. */
const misspoken =
  /^(?:HPE_\w+|ERR_SSL_\w+|ERR_TLS_\w+|EPROTO|CERT_\w+|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_\w+)$/

function judgeTransport(failure: Exclude<ExchangeFailure, { kind: 'status' | 'inband' }>, isProven: boolean): Verdict {
  const invalid = { kind: 'fatal', code: 'MODEL_ENDPOINT_INVALID' } as const
  switch (failure.kind) {
    case 'network':
      if (misspoken.test(failure.code)) return { ...invalid, reason: 'path' }
      // A port that has never answered is a wrong one; one that has may be restarting.
      if (unreachable.test(failure.code) && !isProven) return { ...invalid, reason: 'path' }
      // "fetch failed: bad port": a port that fetch never talks to.
      if (failure.code === '' && failure.message === 'bad port') return { ...invalid, reason: 'path' }
      if (/^UND_ERR_(?:HEADERS|BODY)_TIMEOUT$/.test(failure.code))
        return { kind: 'fatal', code: 'MODEL_UNAVAILABLE', reason: 'refused' }
      return { kind: 'retry' }
    case 'cut':
      return { kind: 'retry' }
    case 'foreign':
      return { ...invalid, reason: 'html' }
    case 'silence':
    case 'flood':
    case 'aborted':
      return { kind: 'fatal', code: 'MODEL_UNAVAILABLE', reason: 'refused' }
    default:
      return failure satisfies never
  }
}

function summarize(failure: ExchangeFailure): string {
  switch (failure.kind) {
    case 'network':
      return failure.code === ''
        ? `the connection failed (${failure.message})`
        : `the connection failed (${failure.code})`
    case 'cut':
      return 'the answer broke off'
    default:
      return failure.kind
  }
}

async function usageOf(collector: Collector, body: WireBody): Promise<Usage> {
  if (collector.tokens !== undefined) return { ...collector.tokens, calls: 1, costUsd: null, estimated: false }
  return estimateUsage(collector, body)
}

/** A reply that broke off was paid for all the same; of one that never began nobody knows, and it is not charged. */
async function usageOfPartial(failure: ExchangeFailure, body: WireBody): Promise<Usage> {
  const partial = 'partial' in failure ? failure.partial : undefined
  if (partial === undefined || partial.size === 0) {
    return { promptTokens: 0, completionTokens: 0, calls: 0, costUsd: null, estimated: false }
  }
  // Who aborts does not want to wait for a tokenizer.
  if (failure.kind === 'aborted') return estimateUsage(partial, body, (texts) => texts.map(estimateTokens))
  return usageOf(partial, body)
}

async function estimateUsage(collector: Collector, body: WireBody, count: Count = countTokens): Promise<Usage> {
  const said = collector
    .replies()
    .map((reply) =>
      [
        reply.content,
        reply.reasoning,
        reply.refusal,
        ...(reply.toolCalls ?? []).map((call) => call.name + call.arguments),
      ].join(''),
    )
  const counts = await count([...body.messages.map((message) => message.content), ...said])
  const inPrompt = body.messages.length
  let next = 0
  const promptTokens = estimatePromptTokens(
    body.messages.map((message) => ({ role: 'user', content: message.content })),
    () => counts[next++] ?? 0,
  )
  const completionTokens = counts.slice(inPrompt).reduce((total, tokens) => total + tokens, 0)
  return { promptTokens, completionTokens, calls: 1, costUsd: null, estimated: true }
}

type Count = (texts: readonly string[]) => readonly number[] | Promise<readonly number[]>

function isSame(a: readonly ModelMessage[], b: readonly ModelMessage[]): boolean {
  const size = (list: readonly ModelMessage[]) => list.reduce((total, message) => total + message.content.length, 0)
  return size(a) >= size(b)
}
