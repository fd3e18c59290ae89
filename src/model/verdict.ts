import type { ErrorCode } from '../errors.ts'
import type { Problem } from './problem.ts'
import { type Adaptation, refusedFeature, SMALLEST_USEFUL_CAP } from './refusal.ts'
import type { WireBody } from './wire.ts'

/** What to do about a provider's error. */
export type Verdict =
  /** The same request again, in time. */
  | { readonly kind: 'retry' }
  | Adaptation
  | { readonly kind: 'overflow' }
  /** The prompt itself was stopped by a filter: an answer, not a failure. */
  | { readonly kind: 'filtered' }
  | { readonly kind: 'fatal'; readonly code: ErrorCode; readonly reason: FatalReason }

export type FatalReason = 'key' | 'forbidden' | 'model' | 'quota' | 'path' | 'html' | 'redirect' | 'refused' | 'rate'

/** Statuses worth another try: timeouts, conflicts, too early, rate limits; and every 5xx but "not implemented". */
const retryableStatuses: ReadonlySet<number> = new Set([408, 409, 425, 429])

/**
 * Decides by status, code and param, in that order of trust; the sentence is looked at only where a provider gives nothing else.
 *
 * @param sent the body that was refused, since only what was sent can be left out
 */
export function judgeProblem(problem: Problem, sent: WireBody, shouldRetry: string | null): Verdict {
  const { status, message, codes } = problem
  const has = (pattern: RegExp) => codes.some((code) => pattern.test(code))
  if (status >= 300 && status < 400) return { kind: 'fatal', code: 'MODEL_ENDPOINT_INVALID', reason: 'redirect' }
  if (isOverflow(problem)) {
    const limit = roomForOutput(message, sent)
    return limit === undefined ? { kind: 'overflow' } : { kind: 'adapt', feature: 'outputLimit', limit }
  }
  if (
    status === 402 ||
    has(/insufficient_quota|insufficient_(?:balance|credit|funds)|billing|credit_balance|payment/)
  ) {
    return { kind: 'fatal', code: 'MODEL_UNAVAILABLE', reason: 'quota' }
  }
  if (isFiltered(problem, has)) return { kind: 'filtered' }
  if (isUnknownModel(problem, sent.model, has)) return { kind: 'fatal', code: 'MODEL_UNKNOWN', reason: 'model' }
  if (status === 401 || has(/^(?:invalid_api_key|api_key_invalid|authentication_error|invalid_authentication)$/)) {
    return { kind: 'fatal', code: 'MODEL_KEY_REFUSED', reason: 'key' }
  }
  if (status === 403) {
    if (problem.isHtml) return { kind: 'fatal', code: 'MODEL_ENDPOINT_INVALID', reason: 'html' }
    return { kind: 'fatal', code: 'MODEL_KEY_REFUSED', reason: 'forbidden' }
  }
  if (status === 404 || status === 405) return { kind: 'fatal', code: 'MODEL_ENDPOINT_INVALID', reason: 'path' }
  if (status === 429) {
    if (shouldRetry === 'false') return { kind: 'fatal', code: 'MODEL_UNAVAILABLE', reason: 'rate' }
    return { kind: 'retry' }
  }
  const adapted = refusedFeature(problem, sent)
  if (adapted !== undefined) return adapted
  if (status >= 500 || retryableStatuses.has(status)) {
    if (shouldRetry === 'false' || status === 501 || status === 505) {
      return { kind: 'fatal', code: 'MODEL_UNAVAILABLE', reason: 'refused' }
    }
    return { kind: 'retry' }
  }
  if (/api[ _-]?key/i.test(message) && /invalid|incorrect|not valid|missing|expired|wrong/i.test(message)) {
    return { kind: 'fatal', code: 'MODEL_KEY_REFUSED', reason: 'key' }
  }
  if (problem.isHtml) return { kind: 'fatal', code: 'MODEL_ENDPOINT_INVALID', reason: 'html' }
  // Some refuse a response format without a word about it; of all that is sent it is the likeliest.
  const isMute =
    problem.params.length === 0 &&
    codes.every((code) => /^(?:invalid_request|bad_?request|invalid_argument|badrequest)/.test(code))
  if (isMute && sent.response_format !== undefined && (status === 400 || status === 422))
    return { kind: 'adapt', feature: 'json' }
  return { kind: 'fatal', code: 'MODEL_UNAVAILABLE', reason: 'refused' }
}

function isOverflow({ status, message, codes, params }: Problem): boolean {
  const named =
    /context_length_exceeded|exceed_context|context_window|string_above_max_length|request_too_large|prompt_too_long|input_too_long|tokens_limit_reached|model_max_prompt_tokens/
  if (codes.some((code) => named.test(code))) return true
  if (status === 413) return true
  // Some answer 500 or 422 when the context overflows, so only the key and rate statuses are out.
  if ([401, 403, 404, 429].includes(status) || status < 400) return false
  if (params.length > 0 && !params.some((param) => /message|prompt|input|max_(?:completion_)?tokens/.test(param)))
    return false
  return overflowSentences.some((sentence) => sentence.test(message))
}

/** How providers without a code put it: vLLM, llama.cpp, Anthropic, Gemini, Mistral, TGI, Moonshot, Qwen, xAI and routers. */
const overflowSentences: readonly RegExp[] = [
  /(?:maximum|max|model'?s?|available|allowed)[^.]{0,30} context (?:length|size|window)/i,
  /context (?:length|size|window)[^.]{0,40}(?:exceed|only|limit|too)/i,
  /(?:exceed|larger than|longer than|beyond|fit)[^.]{0,40}context/i,
  /(?:prompt|inputs?|request|messages?)\b[^.]{0,40}(?:too long|too large|too many tokens|exceed(?:s|ed)? (?:the |your |model'?s? )*(?:maximum|limit|max|token))/i,
  /(?:input|prompt) (?:token count|length)[^.]{0,60}(?:exceeds|should be|must be)/i,
  /inputs?\b[^.]{0,40}(?:tokens\b[^.]{0,30}must be|must have less than)/i,
  /maximum (?:prompt|input) length/i,
  /too many (?:input |prompt )?tokens in (?:the )?(?:prompt|request|input)/i,
  /reduce the length of (?:the|your) (?:messages|prompt|input)|reduce your prompt/i,
]

/** Tokens that a chat template adds and a server counts. */
const TEMPLATE_MARGIN_TOKENS = 32

/** vLLM and OpenAI count the asked-for output into the context: where the prompt fits, a smaller cap is enough. */
function roomForOutput(message: string, sent: WireBody): number | undefined {
  const asked = sent.max_tokens ?? sent.max_completion_tokens
  if (asked === undefined) return undefined
  const total = /context (?:length|window|size)(?: is| of)?[^\d]{0,10}(\d[\d,]*)/i.exec(message)?.[1]
  const prompt =
    /(\d[\d,]*)\s*(?:tokens? )?(?:in the (?:messages|input|prompt)|(?:of )?(?:text )?input tokens|prompt tokens|input tokens)/i.exec(
      message,
    )?.[1] ?? /(?:request|prompt|input) has (\d[\d,]*)/i.exec(message)?.[1]
  if (total === undefined || prompt === undefined) return undefined
  const room = Number(total.replaceAll(',', '')) - Number(prompt.replaceAll(',', '')) - TEMPLATE_MARGIN_TOKENS
  return room >= SMALLEST_USEFUL_CAP && room < asked ? room : undefined
}

function isFiltered({ status, message, body }: Problem, has: (pattern: RegExp) => boolean): boolean {
  if (status !== 400 && status !== 403 && status !== 422) return false
  if (has(/content_?filter|content_policy|responsibleaipolicy|moderation|data_inspection_failed|prohibited_content/))
    return true
  return (
    status === 403 && JSON.stringify(body ?? null).includes('"flagged_input"') && /moderation|flagged/i.test(message)
  )
}

function isUnknownModel(
  { status, message, codes, params, isApiError }: Problem,
  model: string,
  has: (pattern: RegExp) => boolean,
): boolean {
  if (status !== 400 && status !== 403 && status !== 404 && status !== 422) return false
  if (
    has(
      /^(?:model_not_found|invalid_model|unknown_model|model_not_available|model_not_supported|deploymentnotfound|unsupported_model)$/,
    )
  ) {
    return true
  }
  if (params.includes('model')) return true
  if (!isApiError) return false
  const names = message.includes(model) || /\bmodel\b/i.test(message)
  if (status === 404) return names
  if (params.length > 0 || status === 403) return false
  // A sentence is all that some give: "gpt-9 is not a valid model ID", "Model Not Exist", "Invalid model: x".
  return (
    (codes.length === 0 || has(/invalid_request|bad_request|invalid_argument|not_found/)) &&
    /\bmodel\b[^.]{0,60}(?:not exist|not found|not available|unknown)|not a valid model|(?:invalid|unknown|no such) model/i.test(
      message,
    )
  )
}
