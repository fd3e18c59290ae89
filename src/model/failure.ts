import { RedgreenError } from '../errors.ts'
import type { ExchangeFailure } from './exchange.ts'
import type { ResolvedOpenaiOptions } from './options.ts'
import type { Problem } from './problem.ts'
import { type Redact, showUrl } from './redact.ts'
import type { FatalReason, Verdict } from './verdict.ts'

/** A failure with what it means. */
export interface Judged {
  readonly verdict: Verdict
  readonly failure: ExchangeFailure
  readonly problem?: Problem
  /** In a provider's words, not yet fit to be shown. */
  readonly summary: string
  readonly retryAfterMs?: number | undefined
}

/**
 * The coded error for a failure that no retry mends. Says what was asked, what came and what to do; provider's words are
 * redacted and bounded, HTML is never quoted, and of a refused key nothing is quoted at all, since providers echo it.
 */
export function describeFailure(options: ResolvedOpenaiOptions, judged: Judged, redact: Redact): RedgreenError {
  const { verdict, failure, problem } = judged
  const place = showUrl(options.baseURL)
  const said = problem && !problem.isHtml && problem.message !== '' ? `: ${redact(problem.message)}` : ''
  const detail = {
    model: options.model,
    baseURL: place,
    ...(problem ? { status: problem.status } : {}),
  }
  if (verdict.kind === 'overflow') {
    return new RedgreenError(
      'MODEL_CONTEXT_OVERFLOW',
      `the prompt is longer than ${options.model} takes, also after shortening${said}. Give less context, or a model with a larger one`,
      { detail },
    )
  }
  if (failure.kind === 'silence') {
    return new RedgreenError(
      'MODEL_UNAVAILABLE',
      `${options.model} at ${place} said nothing for longer than the timeout: is it loaded, and is the address right? A longer policy.modelTimeoutMs waits longer`,
      { detail: { ...detail, reason: 'silence' } },
    )
  }
  if (failure.kind === 'flood') {
    return new RedgreenError(
      'MODEL_UNAVAILABLE',
      `${options.model} at ${place} would not stop: the answer passed 64 MiB`,
      { detail },
    )
  }
  if (failure.kind === 'foreign') {
    const what = {
      html: 'a web page (a sign-in page?)',
      json: 'JSON without choices',
      text: 'text that is no chat completion',
    }[failure.what]
    return new RedgreenError('MODEL_ENDPOINT_INVALID', `${place} answered with ${what}: ${endpointAdvice(place)}`, {
      detail,
    })
  }
  if (failure.kind === 'network') {
    const code = verdict.kind === 'fatal' ? verdict.code : 'MODEL_UNAVAILABLE'
    const why = failure.code === '' ? redact(failure.message) : failure.code
    const found = /^(?:ENOTFOUND|EAI_)/.test(failure.code)
      ? 'has no address (is the host name right, is the network there?)'
      : `cannot be reached (${why})`
    return new RedgreenError(code, `${place} ${found}: ${endpointAdvice(place)}`, {
      detail: { ...detail, reason: failure.code },
    })
  }
  if (verdict.kind !== 'fatal') {
    return new RedgreenError('MODEL_UNAVAILABLE', `${place} refused the request in every form that was tried${said}`, {
      detail,
    })
  }
  const status = problem?.status ?? 0
  return new RedgreenError(
    verdict.code,
    explain(verdict.reason, { place, status, said, model: options.model, hasKey: options.apiKey !== null }),
    {
      detail: { ...detail, reason: verdict.reason },
    },
  )
}

/** The coded error after the last retry. */
export function outageError(
  options: ResolvedOpenaiOptions,
  judged: Judged,
  redact: Redact,
  tries: number,
): RedgreenError {
  const place = showUrl(options.baseURL)
  return new RedgreenError(
    'MODEL_UNAVAILABLE',
    `${options.model} at ${place} could not be reached in ${tries} ${tries === 1 ? 'try' : 'tries'}, the last one with ${redact(judged.summary)}. Try again later, or use another model`,
    {
      detail: {
        model: options.model,
        baseURL: place,
        tries,
        ...(judged.problem ? { status: judged.problem.status } : {}),
        ...(judged.retryAfterMs === undefined ? {} : { retryAfterMs: judged.retryAfterMs }),
      },
    },
  )
}

function endpointAdvice(place: string): string {
  return /\/v\d+\w*(?:\/|$)/.test(place)
    ? 'check the base URL'
    : 'check the base URL; most end in /v1, e.g. http://localhost:11434/v1'
}

interface Facts {
  readonly place: string
  readonly status: number
  readonly said: string
  readonly model: string
  readonly hasKey: boolean
}

function explain(reason: FatalReason, { place, status, said, model, hasKey }: Facts): string {
  switch (reason) {
    case 'key':
      return hasKey
        ? `${place} refused the API key (status ${status}): check OPENAI_API_KEY, and that the key belongs to this endpoint`
        : `${place} wants an API key (status ${status}): set OPENAI_API_KEY or pass apiKey`
    case 'forbidden':
      return `${place} does not let this key use ${model} (status ${status}): check the key's rights, or choose another model`
    case 'model':
      return `${place} does not know the model ${model} (status ${status})${said}. Check its name, or pull it first where models are local`
    case 'quota':
      return `${place} says that the account has no credit or quota left (status ${status})${said}. Add credit, or use another key or model`
    case 'rate':
      return `${place} limits the rate and does not want to be asked again (status ${status})${said}`
    case 'path':
      return `${place} has no chat completions (status ${status}): ${endpointAdvice(place)}`
    case 'html':
      return `${place} answered with a web page (status ${status}): ${endpointAdvice(place)}`
    case 'redirect':
      return `${place} sends elsewhere (status ${status}): use the address it leads to as base URL`
    case 'refused':
      return `${place} refused the request (status ${status})${said}`
    default:
      return reason satisfies never
  }
}
