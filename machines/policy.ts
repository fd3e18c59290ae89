/** Budgets and limits that several charts share. Pure. */
import type { Usage } from '../src/domain/result.ts'
import type { BudgetLeft, SpentBudget } from './ports.ts'

/** A run of more transitions than this would be a bug in a chart; the engine ends it with TRANSITION_LIMIT. */
export const transitionLimit = 200

export interface Limits {
  readonly tokens: number | null
  readonly costUsd: number | null
  readonly timeMs: number
}

export interface Spending {
  readonly limits: Limits
  readonly usage: Usage
  readonly elapsedMs: number
  /** Budget that a port found too small for its next call. */
  readonly exhausted: 'attempts' | 'tokens' | 'cost' | 'time' | null
}

const tokensOf = (usage: Usage) => usage.promptTokens + usage.completionTokens

export function isBudgetSpent(spending: Spending, budget: SpentBudget): boolean {
  const { limits, usage, elapsedMs, exhausted } = spending
  if (exhausted === budget) return true
  switch (budget) {
    case 'tokens':
      return limits.tokens !== null && tokensOf(usage) >= limits.tokens
    case 'cost':
      // An unknown price cannot be held against a limit; the engine refuses such a task at the start.
      return limits.costUsd !== null && usage.costUsd !== null && usage.costUsd >= limits.costUsd
    case 'time':
      return elapsedMs >= limits.timeMs
    default:
      return budget satisfies never
  }
}

/** Those of tokens, cost and time that are spent, in this order. */
export function spentBudgets(spending: Spending): SpentBudget[] {
  return (['tokens', 'cost', 'time'] as const).filter((budget) => isBudgetSpent(spending, budget))
}

export function budgetLeft({ limits, usage, elapsedMs }: Spending): BudgetLeft {
  return {
    tokens: limits.tokens === null ? null : Math.max(0, limits.tokens - tokensOf(usage)),
    costUsd: limits.costUsd === null ? null : Math.max(0, limits.costUsd - (usage.costUsd ?? 0)),
    timeMs: Math.max(0, limits.timeMs - elapsedMs),
  }
}

/** True once a path of states is longer than any right run of a chart. */
export function isOverTransitionLimit(path: readonly string[]): boolean {
  return path.length > transitionLimit
}

/** The shortest run of states that the end of a path repeats, for the message of TRANSITION_LIMIT; [] if there is none. */
export function cycleOf(path: readonly string[]): string[] {
  for (let period = 1; period * 2 <= path.length; period += 1) {
    const tail = path.slice(-period)
    const before = path.slice(-2 * period, -period)
    if (tail.every((state, index) => state === before[index])) return [...tail]
  }
  return []
}
