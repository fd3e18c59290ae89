import type { ErrorCode } from '../errors.ts'
import type { Feature } from './memory.ts'
import type { Problem } from './problem.ts'
import type { WireBody } from './wire.ts'

/** What to do about a provider's error. */
export type Verdict =
  /** The same request again, in time. */
  | { readonly kind: 'retry' }
  /** The request without a member, or in another form. `limit` is the largest output cap that the model takes. */
  | { readonly kind: 'adapt'; readonly feature: Feature; readonly limit?: number }
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
  return (
    /(?:maximum|max|model'?s?|available|allowed)[^.]{0,30} context (?:length|size|window)|context (?:length|size|window)[^.]{0,40}(?:exceed|only|limit|too)/i.test(
      message,
    ) ||
    /(?:exceed|larger than|longer than|beyond|fit)[^.]{0,40}context/i.test(message) ||
    /(?:prompt|input|request|messages?)\b[^.]{0,40}(?:too long|too large|too many tokens|exceeds? the (?:maximum|limit|max))/i.test(
      message,
    ) ||
    /(?:input|prompt) token count[^.]{0,60}exceeds/i.test(message) ||
    /reduce the length of (?:the|your) (?:messages|prompt|input)/i.test(message)
  )
}

/** Below this a reply is hardly a program; see MIN_OUTPUT_TOKENS of the budget. */
const SMALLEST_USEFUL_CAP = 256
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

interface Refusable {
  readonly feature: Feature
  /** The name of the member as `param` or `loc` gives it. */
  readonly param: RegExp
  /** How a sentence speaks of it, where there is no param. */
  readonly spoken: RegExp
  readonly isSent: (sent: WireBody) => boolean
}

/** In the order in which a sentence that names several is read. */
const refusables: readonly Refusable[] = [
  {
    feature: 'streamOptions',
    param: /^stream_options\b/,
    spoken: /stream_options|include_usage/i,
    isSent: (sent) => sent.stream_options !== undefined,
  },
  {
    feature: 'json',
    param: /^(?:response_format|text\.format|guided_json|json_schema|format)\b/,
    spoken: /response_?format|json_schema|json_object|json mode|structured output|guided_json|grammar/i,
    isSent: (sent) => sent.response_format !== undefined,
  },
  {
    feature: 'outputCap',
    param: /^max_(?:completion_|output_)?tokens\b/,
    spoken: /max_(?:completion_|output_)?tokens/i,
    isSent: (sent) => sent.max_tokens !== undefined || sent.max_completion_tokens !== undefined,
  },
  {
    feature: 'temperature',
    param: /^temperature\b/,
    spoken: /\btemperature\b/i,
    isSent: (sent) => sent.temperature !== undefined,
  },
  {
    feature: 'choices',
    param: /^(?:n|best_of|num_choices|candidate_?count|generationConfig\.candidateCount)$/i,
    spoken:
      /["'`]n["'`]|\bn\s*(?:=|==|>|must|should|is|>=|<=)|only (?:one|1|a single) (?:choice|completion|candidate)|multiple (?:choices|completions|candidates)|candidate_?count/i,
    isSent: (sent) => sent.n !== undefined,
  },
  { feature: 'stream', param: /^stream$/, spoken: /\bstream(?:ing)?\b/i, isSent: (sent) => sent.stream === true },
  {
    feature: 'system',
    param: /^messages?\b.*\brole\b/,
    spoken:
      /\b(?:system|developer)\b[^.]{0,40}\b(?:role|message|prompt|instruction)s?\b|\brole\b[^.]{0,40}\b(?:system|developer)\b/i,
    isSent: (sent) => sent.messages.some((message) => message.role === 'system' || message.role === 'developer'),
  },
  {
    feature: 'alternate',
    param: /^messages?\b/,
    spoken:
      /roles? must alternate|alternat\w+[^.]{0,30}(?:user|assistant|roles?)|consecutive[^.]{0,40}(?:messages|roles?)/i,
    isSent: () => true,
  },
]

/** Codes that say a value, not the member, was wrong. */
const valueCodes =
  /^(?:invalid_value|integer_above_max_value|integer_below_min_value|less_than_equal|value_error\.number)/

function refusedFeature(problem: Problem, sent: WireBody): Verdict | undefined {
  const { status, message, params, codes } = problem
  const isRefusal = status === 400 || status === 422
  if (isRefusal) {
    const byParam = refusables.filter(({ param, isSent }) => isSent(sent) && params.some((name) => param.test(name)))
    for (const { feature, spoken } of byParam) {
      // `messages` is named for many reasons; only a complaint about order is one about order.
      if (feature === 'alternate' && !spoken.test(message)) continue
      return feature === 'outputCap' ? judgeCap(message, codes, sent) : { kind: 'adapt', feature }
    }
    // `messages` and `model` say too little; any other param is known to be about something that cannot be left out.
    if (params.some((name) => !/^messages?\b/.test(name))) return undefined
  }
  // Chat templates throw inside the server, which then answers 500.
  const candidates = isRefusal
    ? refusables
    : refusables.filter(({ feature }) => status === 500 && /^(?:system|alternate)$/.test(feature))
  for (const { feature, spoken, isSent } of candidates) {
    if (!isSent(sent) || !spoken.test(message)) continue
    return feature === 'outputCap' ? judgeCap(message, codes, sent) : { kind: 'adapt', feature }
  }
  return undefined
}

/** The cap may be unknown by that name, or too large: then the model mostly says how much it takes. */
function judgeCap(message: string, codes: readonly string[], sent: WireBody): Verdict {
  const asked = sent.max_tokens ?? sent.max_completion_tokens ?? 0
  const isValue =
    codes.some((code) => valueCodes.test(code)) ||
    (!codes.some((code) => /unsupported|unknown|unrecognized|extra/.test(code)) &&
      /too large|too high|at most|less than|<=|valid range|maximum|must be (?:between|in)|exceed/i.test(message))
  if (!isValue) return { kind: 'adapt', feature: 'outputCap' }
  const told = [...message.matchAll(/\d[\d,_]*/g)]
    .map(([digits]) => Number(digits.replaceAll(/[,_]/g, '')))
    .filter((number) => number < asked && number >= SMALLEST_USEFUL_CAP)
  return { kind: 'adapt', feature: 'outputLimit', limit: told.length > 0 ? Math.max(...told) : Math.floor(asked / 2) }
}
