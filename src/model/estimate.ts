import type { Price } from '../domain/policy.ts'
import { DEFAULT_OUTPUT_TOKENS, priceUsage } from './budget.ts'
import { estimatePromptTokens } from './tokens.ts'
import type { Model, ModelRequest } from './types.ts'

/** What a request would take at most; nothing is sent. */
export interface RequestEstimate {
  readonly promptTokens: number
  /** The cap, for all choices together. */
  readonly maxOutputTokens: number
  /** Of the prompt alone, and with the whole output; null where no price is known. */
  readonly promptCostUsd: number | null
  readonly maxCostUsd: number | null
}

/** Estimates a request for `--dry-run`. Pure but for the model's own `estimateTokens`. */
export function estimateRequest(
  model: Pick<Model, 'estimateTokens'>,
  request: ModelRequest,
  price?: Price,
): RequestEstimate {
  const choices = request.choices ?? 1
  const promptTokens = estimatePromptTokens(request.messages, (text) => model.estimateTokens(text))
  const maxOutputTokens = (request.maxOutputTokens ?? DEFAULT_OUTPUT_TOKENS) * choices
  const costOf = (completionTokens: number) =>
    priceUsage({ promptTokens, completionTokens, calls: 1, costUsd: null, estimated: true }, price).costUsd
  return { promptTokens, maxOutputTokens, promptCostUsd: costOf(0), maxCostUsd: costOf(maxOutputTokens) }
}
