import { z } from 'zod'
import { type Price, priceSchema } from '../domain/policy.ts'
import { RedgreenError } from '../errors.ts'
import { type ModelClock, systemClock } from './clock.ts'
import { createEndpointMemory, type EndpointMemory } from './memory.ts'
import { showUrl } from './redact.ts'

/** How to reach a model. */
export interface OpenaiModelOptions {
  /** Its name at the endpoint. */
  readonly model: string
  /** Of an OpenAI-compatible API, with its `/v1`; default `OPENAI_BASE_URL`, else OpenAI's own. User and password in it are sent as Basic. */
  readonly baseURL?: string | undefined
  /** Default `OPENAI_API_KEY`; null sends none. Never logged, never in an error. */
  readonly apiKey?: string | null | undefined
  /** Sent with every request; values count as secrets. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Longest silence of the model before a call counts as failed; default 60_000. A call's own option outranks it. */
  readonly timeoutMs?: number | undefined
  /** Further tries after failures that may pass; default 3. Fallbacks to another form of the request are not counted. */
  readonly maxRetries?: number | undefined
  /** Longest wait that a provider may ask for, where the call has no deadline; default 300_000. */
  readonly maxRetryWaitMs?: number | undefined
  /** Without it `usage.costUsd` is null. */
  readonly price?: Price | undefined
  /** Further members of every request, e.g. `{ reasoning_effort: 'low' }`; they outrank redgreen's own. */
  readonly extraBody?: Readonly<Record<string, unknown>> | undefined
  /** What endpoints were found to refuse; share one among models of the same endpoint. Default: one of its own. */
  readonly memory?: EndpointMemory | undefined
  readonly fetch?: typeof fetch | undefined
  readonly clock?: ModelClock | undefined
  /** For the jitter of waits, in [0, 1). */
  readonly random?: (() => number) | undefined
}

/** Every option settled; internal. */
export interface ResolvedOpenaiOptions {
  readonly model: string
  readonly baseURL: string
  readonly apiKey: string | null
  readonly headers: Readonly<Record<string, string>>
  readonly timeoutMs: number
  readonly maxRetries: number
  readonly maxRetryWaitMs: number
  readonly price: Price | undefined
  readonly extraBody: Readonly<Record<string, unknown>>
  readonly memory: EndpointMemory
  readonly fetch: typeof fetch
  readonly clock: ModelClock
  readonly random: () => number
}

const OPENAI_URL = 'https://api.openai.com/v1'
const DEFAULT_TIMEOUT_MS = 60_000
const DEFAULT_RETRIES = 3
const DEFAULT_RETRY_WAIT_MS = 300_000

const plainOptions = z.object({
  model: z.string().trim().min(1, 'expected the name of a model'),
  apiKey: z.string().nullish(),
  headers: z.record(z.string(), z.string()).optional(),
  timeoutMs: z.number().int().positive().optional(),
  maxRetries: z.number().int().min(0).max(20).optional(),
  maxRetryWaitMs: z.number().nonnegative().optional(),
  price: priceSchema.optional(),
  extraBody: z.record(z.string(), z.unknown()).optional(),
})

/**
 * Fills in defaults, the environment's among them: a library call names a model only, as the `openai` package has it too.
 *
 * @throws RedgreenError INVALID_OPTION, or MODEL_ENDPOINT_INVALID for a base URL that is none
 */
export function resolveOpenaiOptions(
  options: OpenaiModelOptions,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): ResolvedOpenaiOptions {
  const parsed = plainOptions.safeParse(options)
  if (!parsed.success) {
    const issue = parsed.error.issues[0]
    throw new RedgreenError(
      'INVALID_OPTION',
      `openaiModel: ${issue?.path.join('.') ?? 'options'}: ${issue?.message ?? 'not valid'}`,
    )
  }
  const { url, authorization } = readBaseUrl(options.baseURL ?? (environment.OPENAI_BASE_URL || OPENAI_URL))
  const apiKey = (options.apiKey === undefined ? environment.OPENAI_API_KEY : options.apiKey)?.trim() || null
  if (apiKey !== null && !/^[\x21-\x7e]+$/.test(apiKey)) {
    throw new RedgreenError(
      'MODEL_KEY_REFUSED',
      'the API key holds characters that no key has (spaces, line breaks, other scripts): copy it again',
    )
  }
  return Object.freeze({
    model: parsed.data.model,
    baseURL: url,
    apiKey,
    headers: {
      ...(authorization !== undefined && apiKey === null ? { Authorization: authorization } : {}),
      ...options.headers,
    },
    timeoutMs: options.timeoutMs ?? DEFAULT_TIMEOUT_MS,
    maxRetries: options.maxRetries ?? DEFAULT_RETRIES,
    maxRetryWaitMs: options.maxRetryWaitMs ?? DEFAULT_RETRY_WAIT_MS,
    price: options.price,
    extraBody: options.extraBody ?? {},
    memory: options.memory ?? createEndpointMemory(),
    fetch: options.fetch ?? globalThis.fetch,
    clock: options.clock ?? systemClock,
    random: options.random ?? Math.random,
  })
}

function readBaseUrl(text: string): { url: string; authorization?: string } {
  const trimmed = text.trim()
  if (!URL.canParse(trimmed)) {
    throw new RedgreenError(
      'MODEL_ENDPOINT_INVALID',
      'the base URL is not a URL: expected something like https://api.openai.com/v1 or http://localhost:11434/v1',
    )
  }
  const url = new URL(trimmed)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new RedgreenError(
      'MODEL_ENDPOINT_INVALID',
      `the base URL ${showUrl(trimmed)} starts with ${url.protocol}//: expected http:// or https://`,
    )
  }
  const user = decodeURIComponent(url.username)
  const password = decodeURIComponent(url.password)
  url.username = ''
  url.password = ''
  url.hash = ''
  // People paste the whole address of the call; the client adds this part itself.
  url.pathname = url.pathname.replace(/\/(?:chat\/completions|completions)\/?$/, '').replace(/\/+$/, '')
  const shown = url.href.replace(/\/$/, '')
  if (user === '' && password === '') return { url: shown }
  return { url: shown, authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` }
}
