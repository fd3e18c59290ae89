/**
 * The conditions of the solve machine by name. Each looks at the context as it is once the event has been taken in, reads no clock and
 * changes nothing.
 */
import { isStuck } from '../src/domain/stuck.ts'
import { isBudgetSpent, spentBudgets } from './policy.ts'
import { currentSummary, type SolveContext } from './solve.context.ts'
import { untriedStrategy } from './solve.plan.ts'
import { errorCodeOf, type SolveEvent, settle, suspectsOf } from './solve.settle.ts'

/** `asks`: the arrow exists only where a person is asked instead of giving up. */
export interface GuardParams {
  readonly asks?: 'human'
}
/** What must hold beside the budget for an arrow into `generate`. */
export interface BudgetParams {
  readonly when?: 'isStuck' | 'isTrustLow' | 'isRepairAsked' | 'isHintTaken'
}

type Condition = (context: SolveContext, event: SolveEvent) => boolean

const trustRank = { low: 0, medium: 1, high: 2 } as const
/** Times a run goes back to `generate` because its green result is not believed. */
const maxTrustRounds = 2
/** Answers in a row that cannot be taken before the run gives up waiting for one that can. */
const maxRefusedAnswers = 3
const unreachableCodes = ['MODEL_UNAVAILABLE', 'MODEL_KEY_REFUSED', 'MODEL_UNKNOWN', 'MODEL_ENDPOINT_INVALID']

const isAtLayer = (context: SolveContext, ...layers: string[]) => {
  const layer = currentSummary(context)?.failedLayer
  return typeof layer === 'string' && layers.includes(layer)
}

const isRunStuck = (context: SolveContext) =>
  isStuck(context.attempts, {
    similarity: context.policy.similarity,
    since: context.stuckSince ?? Number.POSITIVE_INFINITY,
  })

const hasAttemptsLeft = (context: SolveContext) =>
  context.generations < context.limits.generations && context.exhausted !== 'attempts'

/** Everything that a generation needs: a model, an attempt, tokens, cost and time. */
const canPay = (context: SolveContext) =>
  context.hasModel && hasAttemptsLeft(context) && spentBudgets(context).length === 0

const isTrusted = ({ trustLevel, policy: { requireTrust } }: SolveContext) =>
  requireTrust === null || (trustLevel !== null && trustRank[trustLevel] >= trustRank[requireTrust])

const conditions = {
  isTestsAbsent: (context) => context.testsOrigin === 'generated',
  isTestsUnwritten: (context) => context.testsOrigin === 'generated' && context.generatedTests === 0,
  isRepair: (context) => context.hasFiles,
  isModelAbsent: (context) => !context.hasModel,
  /** The last row of a table. */
  isOtherwise: () => true,

  isAborted: (_context, event) => 'error' in event && errorCodeOf(event.error) === 'ABORTED',
  isModelUnreachable: (_context, event) => 'error' in event && unreachableCodes.includes(errorCodeOf(event.error)),
  isRefusedTwice: (context) => context.refusalsRunning >= 2,
  isCandidateNew: (context) => context.current?.verdict === 'new',
  canValidateAgain: (context) => context.current?.verdict === 'environment' && context.current.faults === 1,
  isEnvironmentFault: (context) => context.current?.verdict === 'environment',

  /** Row 3. A duplicate shares its program, so what the mechanic did with the original counts for it. */
  canMend: (context) => {
    const { current, policy, mended } = context
    const summary = currentSummary(context)
    if (current?.verdict !== 'red' || summary === null || summary.failedLayer === 'extract') return false
    const { mode, maxCandidates, maxTimeMs } = policy.mechanic
    if (mode === 'off' || (mode === 'quick' && current.origin !== 'model')) return false
    const same = context.attempts.filter((attempt) => attempt.codeHash === summary.codeHash)
    if (same.some((attempt) => attempt.origin === 'mechanic' || mended.includes(attempt.number))) return false
    if (mended.includes(current.number)) return false
    return context.mechanicTried < maxCandidates && context.mechanicMs < maxTimeMs && !isBudgetSpent(context, 'time')
  },
  /** Row 5; attempts may be spent. */
  isTestSuspect: (context) => suspectsOf(context).length > 0 && spentBudgets(context).length === 0,
  isCodeBacked: (context) =>
    context.current?.backsCode === true && suspectsOf(context).length > 0 && spentBudgets(context).length === 0,
  isStuckForGood: (context) => isRunStuck(context) && untriedStrategy(context) === null,
  isOutOfAttempts: (context) => !hasAttemptsLeft(context),
  isOutOfTokens: (context) => isBudgetSpent(context, 'tokens'),
  isOutOfCost: (context) => isBudgetSpent(context, 'cost'),
  isOutOfTime: (context) => isBudgetSpent(context, 'time'),
  isRedAtTests: (context) => isAtLayer(context, 'tests', 'hidden'),

  isGreenToMeasure: (context) => context.current?.verdict === 'green' && context.policy.measuresTrust,
  isGreenToReview: (context) => context.current?.verdict === 'green' && context.policy.review,
  isGreen: (context) => context.current?.verdict === 'green',
  isTrustedToReview: (context) => isTrusted(context) && context.policy.review,
  isTrusted,

  isTestDisputed: (context) =>
    context.disputed.length > 0 && (context.testsOrigin === 'given' || context.generatedTests < 3),
  isTestDropped: (context) => context.disputed.length > 0 && context.testsOrigin === 'generated',
  isAccepted: (context) => context.reviewVerdict === 'accept',
  isRepairAsked: (context) => context.reviewVerdict === 'repair',

  isApproved: (context) => context.answer?.taken === true && context.accepted !== null,
  isTestSetAside: (context) => context.answer?.kind === 'approve' && context.answer.taken,
  isRejected: (context) => context.answer?.kind === 'reject',
  canAskAgain: (context) => context.refusedAnswers <= maxRefusedAnswers,
} satisfies Record<string, Condition>

const whenConditions = {
  isStuck: isRunStuck,
  isTrustLow: (context) => context.trustLevel !== null && !isTrusted(context) && context.trustRounds < maxTrustRounds,
  isRepairAsked: (context) =>
    context.reviewVerdict === 'repair' && context.reviewRepairs < context.policy.maxReviewRepairs,
  isHintTaken: (context) => context.answer?.kind === 'hint' && context.answer.taken,
} satisfies Record<NonNullable<BudgetParams['when']>, (context: SolveContext) => boolean>

export type ConditionName = keyof typeof conditions

interface GuardArgs {
  readonly context: SolveContext
  readonly event: SolveEvent
}
type Guard = (args: GuardArgs, params: GuardParams) => boolean

const guard =
  (condition: Condition): Guard =>
  ({ context, event }, params) => {
    if (params.asks === 'human' && !context.policy.human) return false
    return condition(settle(context, event), event)
  }

/** All named guards of the solve machine. */
export const solveGuards = {
  // The cast only keeps the names: every member is what `guard` returns.
  ...(Object.fromEntries(Object.entries(conditions).map(([name, condition]) => [name, guard(condition)])) as Record<
    ConditionName,
    Guard
  >),
  /** On every arrow into `generate`. */
  hasBudget: ({ context, event }: GuardArgs, params: BudgetParams): boolean => {
    const settled = settle(context, event)
    return canPay(settled) && (params.when === undefined || whenConditions[params.when](settled))
  },
}
