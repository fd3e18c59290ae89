/** The arrows of the solve machine, and the rows that several states share, in the order in which they are tried. */
import type { Reason } from '../src/domain/result.ts'
import type { Occasion } from './ports.ts'
import type { SolveState } from './solve.context.ts'
import type { BudgetParams, ConditionName, GuardParams } from './solve.guards.ts'

type ConditionGuard = { [N in ConditionName]: { type: N; params: GuardParams } }[ConditionName]
type Guard = ConditionGuard | { type: 'hasBudget'; params: BudgetParams }

type Action =
  | { type: 'record'; params: { guard: string } }
  | { type: 'stop'; params: { reason: Reason | null } }
  | { type: 'plan'; params: { occasion: Occasion; isSwitch: boolean } }
  | { type: 'accept' }

/** One arrow: where to, on which condition, and what is noted on the way. Always a fresh visit, also to the same state. */
export interface Arrow {
  guard: Guard
  target: SolveState
  reenter: true
  actions: Action[]
}

/** The compiler does not distribute a union of more than 25 names over an object, hence the cast. */
const holds = (type: ConditionName, params: GuardParams = {}) => ({ type, params }) as ConditionGuard

/** To a state that is neither an end nor `generate`. */
export function go(condition: ConditionName, target: SolveState): Arrow {
  const record: Action = { type: 'record', params: { guard: condition } }
  return { guard: holds(condition), target, reenter: true, actions: [record] }
}

/** To `done`. */
export function accept(condition: ConditionName): Arrow {
  const arrow = go(condition, 'done')
  return { ...arrow, actions: [...arrow.actions, { type: 'accept' }] }
}

/** To `give_up`; a person is not asked. */
export function end(condition: ConditionName, reason: Reason | null): Arrow {
  const arrow = go(condition, 'give_up')
  return { ...arrow, actions: [...arrow.actions, { type: 'stop', params: { reason } }] }
}

/** To `give_up`, or with `policy.human` to `await_human`. */
export function stop(condition: ConditionName, reason: Reason): [Arrow, Arrow] {
  const giveUp = end(condition, reason)
  return [{ ...giveUp, guard: holds(condition, { asks: 'human' }), target: 'await_human' }, giveUp]
}

/** To `generate`, never but within the budget. */
export function ask(occasion: Occasion, params: BudgetParams = {}): Arrow {
  const guard = params.when === undefined ? 'hasBudget' : `hasBudget and ${params.when}`
  return {
    guard: { type: 'hasBudget', params },
    target: 'generate',
    reenter: true,
    actions: [
      { type: 'record', params: { guard } },
      { type: 'plan', params: { occasion, isSwitch: params.when === 'isStuck' } },
    ],
  }
}

const row3 = [go('canMend', 'mend')]
const row4 = stop('isModelAbsent', 'mechanic_exhausted')
const row5 = [go('isTestSuspect', 'analyze')]
const row6 = stop('isStuckForGood', 'stuck')
export const row7 = [
  ...stop('isOutOfAttempts', 'attempts'),
  ...stop('isOutOfTokens', 'tokens'),
  ...stop('isOutOfCost', 'cost'),
  ...stop('isOutOfTime', 'time'),
]
const row8 = [ask('red', { when: 'isStuck' })]
const row9 = [go('isRedAtTests', 'analyze')]
const row10 = [ask('red')]

/** Rows 1 and 2 are `validate`'s own (an abort comes as an error or as the event `run.aborted`). */
export const redAfterValidate = [...row3, ...row4, ...row5, ...row6, ...row7, ...row8, ...row9, ...row10]
/** A duplicate or a reply without a program: there is a model, and a duplicate is always stuck, so rows 4 and 9 cannot hold. */
export const redAfterGenerate = [...row3, ...row5, ...row6, ...row7, ...row8, ...row10]
export const redAfterMend = [...row4, ...row5, ...row6, ...row7, ...row8, ...row9, ...row10]
export const redAfterLooking = [...row6, ...row7, ...row8, ...row10]

/** A duplicate of a green attempt comes up only where trust or review have sent that one back. */
export const greenAgain = [go('isGreenToMeasure', 'trust'), go('isGreenToReview', 'review')]
export const green = [...greenAgain, accept('isGreen')]

const trusted = [go('isTrustedToReview', 'review'), accept('isTrusted')]
export const afterTrust = [...trusted, ask('trust', { when: 'isTrustLow' }), ...stop('isOtherwise', 'trust')]
/** Trust that could not be measured has found nothing that a generation could mend. */
export const afterTrustFailed = [...trusted, ...stop('isOtherwise', 'trust')]

/** The generating model cannot be reached: a person could not help. */
export const unreachable = [end('isAborted', 'aborted'), end('isModelUnreachable', 'model_unavailable')]

/** From every state, in one step. */
export const abort = {
  target: '.give_up',
  actions: [
    { type: 'record', params: { guard: 'isAborted' } },
    { type: 'stop', params: { reason: 'aborted' } },
  ],
} as const
