import type { Feature } from './memory.ts'
import type { Problem } from './problem.ts'
import type { WireBody } from './wire.ts'

/** The same request without a member, or in another form. */
export interface Adaptation {
  readonly kind: 'adapt'
  readonly feature: Feature
  /** The largest output cap that the model takes. */
  readonly limit?: number
  /** The provider names the developer role as one it takes. */
  readonly takesDeveloper?: boolean
}

/** Below this a reply is hardly a program; see MIN_OUTPUT_TOKENS of the budget. */
export const SMALLEST_USEFUL_CAP = 256

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
      /\b(?:system|developer)\b[^.]{0,40}\b(?:role|message|prompt|instruction)s?\b|\brole\b[^.]{0,40}\b(?:system|developer)\b|(?:invalid|unsupported|unexpected|not support)[^.]{0,40}["'`](?:system|developer)["'`]|["'`]system["'`] is not/i,
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

/**
 * The member that a provider refused, by `param` or path first, and by the sentence only where there is neither. Undefined when
 * nothing of what was sent can be left out.
 */
export function refusedFeature(problem: Problem, sent: WireBody): Adaptation | undefined {
  const { status, message, params } = problem
  const isRefusal = status === 400 || status === 422
  if (isRefusal) {
    const byParam = refusables.filter(({ param, isSent }) => isSent(sent) && params.some((name) => param.test(name)))
    for (const { feature, spoken } of byParam) {
      // `messages` is named for many reasons; only a complaint about order is one about order.
      if (feature === 'alternate' && !spoken.test(message)) continue
      return toAdaptation(feature, problem, sent)
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
    return toAdaptation(feature, problem, sent)
  }
  return undefined
}

function toAdaptation(feature: Feature, { message, codes }: Problem, sent: WireBody): Adaptation {
  if (feature === 'outputCap') return judgeCap(message, codes, sent)
  if (feature !== 'system') return { kind: 'adapt', feature }
  const takesDeveloper =
    /["'`]developer["'`]/i.test(message) && !/not support\w*[^.]{0,20}["'`]developer/i.test(message)
  return { kind: 'adapt', feature, ...(takesDeveloper ? { takesDeveloper } : {}) }
}

/** The cap may be unknown by that name, or too large: then the model mostly says how much it takes. */
function judgeCap(message: string, codes: readonly string[], sent: WireBody): Adaptation {
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
