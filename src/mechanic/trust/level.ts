import type { TrustLevel } from '../../domain/policy.ts'
import type { Trust } from '../../domain/result.ts'
import type { Suspicion } from './suspicions/suspicion.ts'

/** Share of mutants killed under which green says little, and from which on it says much. */
export const lowShare = 0.4
export const highShare = 0.85
/** Fewer mutants than this carry no judgement by themselves. */
export const minMutants = 5

export type Measured = Omit<Trust, 'level' | 'suspicions'> & {
  readonly suspicions: readonly Suspicion[]
  /** Lines of which several mutants live and none was killed. */
  readonly unwatched: number
}

/** The level by the rules in docs/trust.md. Pure. */
export function trustLevel({ stubFails, mutants, repeats, suspicions, unwatched }: Measured): TrustLevel {
  const share = mutants.total === 0 ? 0 : mutants.killed / mutants.total
  const isWeak = mutants.total >= minMutants && share < lowShare
  if (!stubFails || repeats.flaky.length > 0 || suspicions.some(({ isGrave }) => isGrave) || isWeak) return 'low'
  return suspicions.length === 0 && unwatched === 0 && mutants.total >= minMutants && share >= highShare
    ? 'high'
    : 'medium'
}
