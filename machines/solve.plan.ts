import type { AttemptSummary } from '../src/domain/attempt-summary.ts'
import { hasCandidate, isRegress } from '../src/domain/progress.ts'
import type { GenerationPlan, Occasion } from './ports.ts'
import type { SolveContext } from './solve.context.ts'
import { bestOf } from './solve.outcome.ts'

/** A strategy of the list that no generation has used, null if all are used. */
export function untriedStrategy(context: SolveContext): string | null {
  return context.policy.strategies.find((strategy) => !context.triedStrategies.includes(strategy)) ?? null
}

/**
 * Plans the next generation: generation n takes strategy n of the list (the last one when it is used up), a switch takes the next untried
 * one. After a regress or a switch the prompt builds on the best attempt, else on the latest.
 */
export function planGeneration(context: SolveContext, occasion: Occasion, isSwitch: boolean): SolveContext {
  const { strategies, temperatures } = context.policy
  const generation = context.generations + 1
  const natural = strategies[Math.min(generation, strategies.length) - 1] ?? 'direct'
  const untried = isSwitch ? untriedStrategy(context) : null
  const strategy = untried ?? natural
  const place = untried === null ? Math.min(generation, strategies.length) - 1 : strategies.indexOf(untried)
  const latest = context.attempts.at(-1) ?? null
  const best = bestOf(context)
  const regress = occasion !== 'first' && isRegress(context.attempts)
  const buildsOnBest = isSwitch || regress || (latest !== null && !hasCandidate(latest))
  const plan: GenerationPlan = {
    occasion,
    strategy,
    switchedFrom: isSwitch ? (context.plan?.strategy ?? null) : null,
    temperature: temperatures[Math.min(place, temperatures.length - 1)] ?? 0.2,
    basedOn: (buildsOnBest ? best : latest)?.number ?? null,
    latest: latest?.number ?? null,
    regress,
    freshLook: redModelAttemptsRunning(context.attempts) >= 2,
    generation,
    maxGenerations: context.limits.generations,
    diagnosis: context.current?.diagnosis ?? null,
    trust: occasion === 'trust' ? (context.visits.trust ?? null) : null,
    review: occasion === 'review' ? (context.visits.review ?? null) : null,
    hint: context.hintVisit,
    standingTests: context.standingTests,
  }
  return {
    ...context,
    plan,
    triedStrategies: [...new Set([...context.triedStrategies, strategy])],
    stuckSince: isSwitch ? context.lastNumber + 1 : context.stuckSince,
    trustRounds: context.trustRounds + (occasion === 'trust' ? 1 : 0),
    reviewRepairs: context.reviewRepairs + (occasion === 'review' ? 1 : 0),
  }
}

/** Red attempts of the model at the end of the history; what the mechanic made of them in between neither counts nor breaks the row. */
function redModelAttemptsRunning(attempts: readonly AttemptSummary[]): number {
  let running = 0
  for (const attempt of attempts.toReversed()) {
    if (attempt.passed || attempt.origin === 'given') break
    if (attempt.origin === 'model') running += 1
  }
  return running
}
