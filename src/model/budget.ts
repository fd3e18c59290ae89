import type { Price } from '../domain/policy.ts'
import { addUsage, noUsage, type Usage } from '../domain/result.ts'
import { RedgreenError } from '../errors.ts'
import { usageOfFailure, withUsage } from './charged.ts'
import { estimatePromptTokens } from './tokens.ts'
import type { Model } from './types.ts'

/** With less output left no call is made: hardly a program fits, and a cut reply would be paid for in vain. */
export const MIN_OUTPUT_TOKENS = 256
/** Output reserved for a call that names no cap of its own, while a budget holds; room for a model that reasons. */
export const DEFAULT_OUTPUT_TOKENS = 16_384

/** What a run may spend on models; absent means unbounded. */
export interface BudgetOptions {
  readonly maxTokens?: number | undefined
  readonly maxCostUsd?: number | undefined
  /** Needed for `maxCostUsd`, and for costs of models that know no price themselves. */
  readonly price?: Price | undefined
  /** Spent before, e.g. by the part of a run that is resumed. */
  readonly spent?: Usage
}

export interface ReservationRequest {
  /** Estimated, of one choice. */
  readonly promptTokens: number
  readonly maxOutputTokens?: number | undefined
  /** Each may need a request of its own, so each reserves prompt and output; default 1. */
  readonly choices?: number | undefined
}

/** A part of the budget set aside for one call; settled or released once, later calls do nothing. */
export interface Reservation {
  /** Cap for the call, per choice; undefined where nothing bounds it. */
  readonly maxOutputTokens: number | undefined
  /** Charges what was used instead of what was reserved; gives it back with its cost, where a price is known. */
  settle(usage: Usage): Usage
  /** The call failed and cost nothing. */
  release(): void
}

/** Tokens and cost of a run over all its models; calls side by side see each other's reservations. */
export interface Budget {
  /**
   * @throws RedgreenError BUDGET_EXHAUSTED with `detail.budget` `tokens` or `cost`, when less than MIN_OUTPUT_TOKENS of output
   *   would be left
   */
  reserve(request: ReservationRequest): Reservation
  /** Settled so far. */
  readonly spent: Usage
  /** Not spent and not reserved; null where unbounded. */
  readonly left: { readonly tokens: number | null; readonly costUsd: number | null }
}

/** The usage with its cost by this price; a cost that it has already is kept, without a price it is null. */
export function priceUsage(usage: Usage, price: Price | undefined): Usage {
  if (usage.costUsd !== null || price === undefined) return usage
  return { ...usage, costUsd: costOf(usage.promptTokens, usage.completionTokens, price) }
}

function costOf(promptTokens: number, completionTokens: number, price: Price): number {
  return (promptTokens * price.inputPerMillionUsd + completionTokens * price.outputPerMillionUsd) / 1_000_000
}

/** @throws RedgreenError PRICE_REQUIRED for a cost budget without a price */
export function createBudget(options: BudgetOptions): Budget {
  const { maxTokens, maxCostUsd, price } = options
  if (maxCostUsd !== undefined && price === undefined) {
    throw new RedgreenError(
      'PRICE_REQUIRED',
      'a cost budget needs a price: give policy.price with inputPerMillionUsd and outputPerMillionUsd',
    )
  }
  let spent = options.spent ?? noUsage
  let reservedTokens = 0
  let reservedUsd = 0

  const tokensLeft = () =>
    maxTokens === undefined ? null : maxTokens - spent.promptTokens - spent.completionTokens - reservedTokens
  const usdLeft = () =>
    maxCostUsd === undefined ? null : maxCostUsd - (priceUsage(spent, price).costUsd ?? 0) - reservedUsd

  /** Output tokens per choice that a bound leaves after the prompt. */
  const roomInTokens = (promptTokens: number, choices: number) => {
    const left = tokensLeft()
    return left === null ? Number.POSITIVE_INFINITY : Math.floor(left / choices - promptTokens)
  }
  const roomInUsd = (promptTokens: number, choices: number) => {
    const left = usdLeft()
    if (left === null || price === undefined) return Number.POSITIVE_INFINITY
    const afterPrompt = left / choices - costOf(promptTokens, 0, price)
    if (afterPrompt < 0) return 0
    return price.outputPerMillionUsd === 0
      ? Number.POSITIVE_INFINITY
      : Math.floor((afterPrompt * 1_000_000) / price.outputPerMillionUsd)
  }

  return {
    get spent() {
      return spent
    },
    get left() {
      return { tokens: tokensLeft(), costUsd: usdLeft() }
    },
    reserve: ({ promptTokens, maxOutputTokens, choices = 1 }) => {
      const byTokens = roomInTokens(promptTokens, choices)
      const byCost = roomInUsd(promptTokens, choices)
      const room = Math.min(byTokens, byCost)
      if (room < MIN_OUTPUT_TOKENS) throw exhausted(byTokens <= byCost ? 'tokens' : 'cost', room)
      const isBounded = maxTokens !== undefined || maxCostUsd !== undefined
      const cap = isBounded ? Math.min(maxOutputTokens ?? DEFAULT_OUTPUT_TOKENS, room) : maxOutputTokens
      const tokens = isBounded ? (promptTokens + (cap ?? 0)) * choices : 0
      const usd = price === undefined ? 0 : costOf(promptTokens * choices, (cap ?? 0) * choices, price)
      reservedTokens += tokens
      reservedUsd += usd
      let isOpen = true
      const close = () => {
        if (!isOpen) return false
        isOpen = false
        reservedTokens -= tokens
        reservedUsd -= usd
        // What is left of sums of fractions must not pile up.
        if (Math.abs(reservedUsd) < 1e-12) reservedUsd = 0
        return true
      }
      return {
        maxOutputTokens: cap,
        settle: (usage) => {
          const priced = priceUsage(usage, price)
          if (close()) spent = addUsage(spent, priced)
          return priced
        },
        release: () => void close(),
      }
    },
  }
}

function exhausted(budget: 'tokens' | 'cost', room: number): RedgreenError {
  const left = room > 0 && Number.isFinite(room) ? room : 0
  return new RedgreenError(
    'BUDGET_EXHAUSTED',
    `the ${budget === 'tokens' ? 'token' : 'cost'} budget leaves ${left} output tokens, fewer than the ${MIN_OUTPUT_TOKENS} that a call needs`,
    { detail: { budget } },
  )
}

/**
 * The model with every call reserved before and settled after. A failed call is charged what its broken tries cost
 * (`detail.usage` of the error), else nothing.
 */
export function withBudget(model: Model, budget: Budget): Model {
  return {
    name: model.name,
    estimateTokens: (text) => model.estimateTokens(text),
    complete: async (request, options) => {
      const reservation = budget.reserve({
        promptTokens: estimatePromptTokens(request.messages, (text) => model.estimateTokens(text)),
        maxOutputTokens: request.maxOutputTokens,
        choices: request.choices,
      })
      const cap = reservation.maxOutputTokens
      try {
        const completion = await model.complete(
          cap === undefined ? request : { ...request, maxOutputTokens: cap },
          options,
        )
        return { ...completion, usage: reservation.settle(completion.usage) }
      } catch (error) {
        const usage = usageOfFailure(error)
        if (usage === undefined || !RedgreenError.isInstance(error)) {
          reservation.release()
          throw error
        }
        throw withUsage(error, reservation.settle(usage))
      }
    },
  }
}
