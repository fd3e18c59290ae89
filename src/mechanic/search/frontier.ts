import type { FileMap } from '../../domain/task.ts'
import type { Fitness } from './judging.ts'
import type { Variant } from './messages.ts'

/** A program from which changes are made: the given one, or one that is better than it already. */
export interface Base {
  readonly files: FileMap
  readonly changes: readonly string[]
  /** Sum of the costs of the changes so far. */
  readonly cost: number
  readonly size: number
  readonly depth: number
  readonly fitness: Fitness
}

export interface Branch {
  readonly base: Base
  readonly expansion: number
  nextCost: number
  isBusy: boolean
}

/** What a further change costs on top, so that programs with two changes come after the likely ones with one. */
const depthCost = 0.3
/** What a base that mends all failing checks but none would be preferred by. */
const gainWorth = 0.9

/** How much of what was missing a program has won, 0..1, against the given one. */
export function gainOf(fitness: Fitness, given: Fitness): number {
  const tests = share(fitness.passed - given.passed, Math.max(fitness.total, given.total) - given.passed)
  if (tests < 0) return 0
  // how many assertions there are is known from the best only; a few more that hold are a sign, not a measure
  const checks = fitness.checks > given.checks ? Math.min(0.5, (fitness.checks - given.checks) / (given.checks + 4)) : 0
  return Math.min(1, tests + checks * (tests > 0 ? 0.5 : 1))
}

const share = (part: number, whole: number): number => (whole <= 0 ? 0 : part / whole)

/** The branch whose next change is the likeliest to lead to green. */
export function nextBranch(branches: readonly Branch[], given: Fitness): Branch | null {
  let best: Branch | null = null
  let bestRank = Number.POSITIVE_INFINITY
  for (const branch of branches) {
    const rank = rankOf(branch, given)
    if (rank < bestRank) {
      best = branch
      bestRank = rank
    }
  }
  return best
}

function rankOf({ base, nextCost }: Branch, given: Fitness): number {
  if (base.depth === 0) return nextCost
  return nextCost + base.depth * depthCost + base.cost * 0.5 - gainOf(base.fitness, given) * gainWorth
}

/** The program that a variant is, as a base for further changes. */
export function baseOf(variant: Variant, from: Base, fitness: Fitness): Base {
  return {
    files: { ...from.files, [variant.file]: variant.text },
    changes: [...from.changes, `${variant.file}:${variant.line} ${variant.change}`],
    cost: from.cost + variant.cost,
    size: from.size + variant.size,
    depth: from.depth + 1,
    fitness,
  }
}
