import type { SolveInput } from '../../machines/solve.context.ts'
import { outcomeOf } from '../../machines/solve.outcome.ts'
import type { Step } from './explore.ts'

/** What must hold of every step of every path; the words of the first broken rule, null if all hold. */
export function checkInvariants(step: Step, input: SolveInput): string | null {
  const { from, outcome, to, witness } = step
  const context = to.context

  if (outcome.event.type === 'run.aborted') {
    const isEnded = to.value === 'give_up' && context.reason === 'aborted' && outcomeOf(context).status === 'aborted'
    if (!isEnded) return 'does not end in one step on abort'
  }
  if (to.value === 'done') {
    const { accepted } = context
    if (accepted === null || !witness.green.includes(accepted))
      return 'is done without a green report of what it returns'
    if (outcomeOf(context).status !== 'passed') return 'is done without status passed'
    const { event } = outcome
    const isRed =
      event.type === 'xstate.done.actor.validate' && !(event.output.kind === 'report' && event.output.summary.passed)
    if (isRed) return 'goes from a red report straight to done'
  }
  if (witness.generations > input.policy.maxAttempts + Math.min(witness.hints, input.policy.maxHints)) {
    return `generates ${witness.generations} times with maxAttempts ${input.policy.maxAttempts} and ${witness.hints} hints`
  }
  if (input.hasTests) {
    const unasked = context.setAside.find(
      (entry) => !witness.approved.includes(entry.test) || entry.by === 'test_review',
    )
    if (unasked) return `sets the given test "${unasked.test}" aside without a person's answer`
  }
  if (to.value === 'give_up' || to.value === 'await_human') {
    const { reason, best, attempts } = outcomeOf(context)
    if (reason === null) return 'gives up without a reason'
    const programs = attempts.filter((attempt) => attempt.failedLayer !== 'extract')
    const top = Math.max(...programs.map((attempt) => attempt.score))
    const expected = programs.find((attempt) => attempt.score === top)?.number ?? null
    if (best !== expected) return `gives up naming attempt ${best} as the best, which is ${expected}`
    if (to.value === 'await_human' && !input.policy.human) return 'asks a person whom the policy does not have'
    const isForPeople = !['aborted', 'rejected', 'model_unavailable'].includes(reason)
    const isWaiting = from.value === 'await_human'
    if (to.value === 'give_up' && input.policy.human && isForPeople && !isWaiting)
      return `gives up for ${reason} without asking`
  }
  if (to.value === 'generate' && (context.plan === null || !context.hasModel))
    return 'generates without a plan or a model'
  if (to.value === 'validate' && context.current === null) return 'validates nothing'
  return null
}
