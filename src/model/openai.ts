import type OpenAI from 'openai'
import { addUsage } from '../domain/result.ts'
import { RedgreenError } from '../errors.ts'
import { priceUsage } from './budget.ts'
import { createGuardedFetch } from './exchange.ts'
import { type OpenaiModelOptions, type ResolvedOpenaiOptions, resolveOpenaiOptions } from './options.ts'
import { type Answered, createSender } from './send.ts'
import { estimateTokens } from './tokens.ts'
import type { Model, ModelCallOptions, ModelCompletion, ModelRequest } from './types.ts'

/**
 * A model behind any OpenAI-compatible endpoint. Nothing is sent before the first call. Whatever the endpoint refuses
 * (`max_tokens`, temperature, the system role, `response_format`, streaming, `n`) is left out or sent in another form, and
 * remembered.
 *
 * @throws RedgreenError INVALID_OPTION, MODEL_ENDPOINT_INVALID (a base URL that is none)
 */
export function openaiModel(options: OpenaiModelOptions): Model {
  const resolved = resolveOpenaiOptions(options)
  let client: Promise<OpenAI> | undefined
  const sender = createSender(resolved, () => {
    client ??= createClient(resolved)
    return client
  })
  return {
    name: resolved.model,
    estimateTokens,
    complete: (request, callOptions = {}) => complete(resolved, sender, request, callOptions),
  }
}

/** Far beyond any silence: this module keeps its own clock. */
const CLIENT_TIMEOUT_MS = 2_147_483_647

async function createClient(options: ResolvedOpenaiOptions): Promise<OpenAI> {
  // Loaded at the first call: it takes some 200 ms, which runs without a model need not pay.
  const { default: Client } = await import('openai')
  const isOpenai = new URL(options.baseURL).hostname === 'api.openai.com'
  return new Client({
    baseURL: options.baseURL,
    // The client insists on a key; the header is taken away again where there is none.
    apiKey: options.apiKey ?? 'none',
    adminAPIKey: null,
    webhookSecret: null,
    // Read from the environment for OpenAI alone: they are nobody else's business.
    ...(isOpenai ? {} : { organization: null, project: null }),
    maxRetries: 0,
    timeout: CLIENT_TIMEOUT_MS,
    logLevel: 'off',
    defaultHeaders: { ...(options.apiKey === null ? { Authorization: null } : {}), ...options.headers },
    fetch: createGuardedFetch(options.fetch),
  })
}

type Sender = ReturnType<typeof createSender>

async function complete(
  options: ResolvedOpenaiOptions,
  sender: Sender,
  request: ModelRequest,
  callOptions: ModelCallOptions,
): Promise<ModelCompletion> {
  const startedAt = options.clock.now()
  const asked = request.choices ?? 1
  if (!Number.isInteger(asked) || asked < 1) {
    throw new RedgreenError('INVALID_OPTION', `choices: expected a whole number from 1, got ${asked}`)
  }
  const limits = createCallLimits(options, callOptions, startedAt)
  try {
    const call = { ...callOptions, signal: limits.signal, startedAt, throwIfOver: limits.throwIfOver }
    const isSplit = asked > 1 && !options.memory.get(options.baseURL, options.model).choices
    const first = isSplit ? [] : [await sender(request, asked, call)]
    const missing = asked - first.reduce((sum, answer) => sum + answer.replies.length, 0)
    const rest = await Promise.allSettled(
      Array.from({ length: Math.max(0, missing) }, (_, index) =>
        // Deltas of one choice only, or they would interleave.
        sender(request, 1, first.length + index === 0 ? call : { ...call, onDelta: undefined }),
      ),
    )
    const answers: readonly Answered[] = [
      ...first,
      ...rest.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : [])),
    ]
    const failed = rest.find((one) => one.status === 'rejected')
    limits.throwIfOver()
    // What has been paid for is given back, with word of what is missing.
    if (failed !== undefined && answers.length === 0) throw failed.reason
    const usage = answers.map((answer) => answer.usage).reduce(addUsage)
    return {
      replies: answers.flatMap((answer) => answer.replies).slice(0, asked),
      model: answers[0]?.model ?? options.model,
      usage: priceUsage(usage, options.price),
      durationMs: options.clock.now() - startedAt,
      ...(failed === undefined ? {} : { shortfall: describeShortfall(failed.reason) }),
    }
  } finally {
    limits.close()
  }
}

function describeShortfall(reason: unknown): { code: RedgreenError['code']; message: string } {
  return RedgreenError.isInstance(reason)
    ? { code: reason.code, message: reason.message }
    : { code: 'INTERNAL', message: 'a further choice could not be had' }
}

/** The caller's abort and the run's deadline as one signal, told apart when it comes to saying why. */
function createCallLimits(options: ResolvedOpenaiOptions, callOptions: ModelCallOptions, startedAt: number) {
  const controller = new AbortController()
  let isOver = false
  const onAbort = () => controller.abort()
  const { signal, deadlineMs } = callOptions
  if (signal?.aborted || (deadlineMs !== undefined && deadlineMs <= 0)) controller.abort()
  isOver = deadlineMs !== undefined && deadlineMs <= 0
  signal?.addEventListener('abort', onAbort, { once: true })
  const cancelTimer =
    deadlineMs === undefined || deadlineMs <= 0
      ? () => undefined
      : options.clock.setTimer(deadlineMs - (options.clock.now() - startedAt), () => {
          isOver = true
          controller.abort()
        })
  return {
    signal: controller.signal,
    /** @throws RedgreenError ABORTED or BUDGET_EXHAUSTED */
    throwIfOver: () => {
      if (signal?.aborted) throw new RedgreenError('ABORTED', 'the model call was aborted')
      if (isOver) {
        throw new RedgreenError(
          'BUDGET_EXHAUSTED',
          `no time left: the model had not answered when the run's time was up`,
          {
            detail: { budget: 'time' },
          },
        )
      }
    },
    close: () => {
      cancelTimer()
      signal?.removeEventListener('abort', onAbort)
    },
  }
}
