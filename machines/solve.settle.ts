/**
 * How the result of a port changes what the chart knows. Guards look at the settled context and the action `record` stores it, so that a
 * choice and its record can never differ. Pure.
 */
import type { AttemptSummary } from '../src/domain/attempt-summary.ts'
import { addUsage, noUsage, type Usage } from '../src/domain/result.ts'
import { isBudgetSpent } from './policy.ts'
import type {
  AnalyzeOutput,
  GenerateOutput,
  HumanAnswer,
  MendOutput,
  ReviewOutput,
  TestReviewOutput,
  TrustOutput,
  ValidateOutput,
  WriteTestsOutput,
} from './ports.ts'
import { currentSummary, newAttempt, raiseLimits, type SolveContext } from './solve.context.ts'
import { approvableAttempt } from './solve.outcome.ts'

/** Output of each port, by the state that asks for it. */
export interface PortOutputs {
  write_tests: WriteTestsOutput
  generate: GenerateOutput
  validate: ValidateOutput
  mend: MendOutput
  analyze: AnalyzeOutput
  test_review: TestReviewOutput
  trust: TrustOutput
  review: ReviewOutput
  await_human: HumanAnswer
}
export type PortName = keyof PortOutputs

type PortDone = {
  [P in PortName]: { readonly type: `xstate.done.actor.${P}`; readonly output: PortOutputs[P] }
}[PortName]
type PortFailed = { [P in PortName]: { readonly type: `xstate.error.actor.${P}`; readonly error: unknown } }[PortName]
export type SolveEvent = { readonly type: 'run.aborted' } | PortDone | PortFailed

/** The code of an error that a port rejected with; INTERNAL for one that has none. */
export function errorCodeOf(error: unknown): string {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined
  return typeof code === 'string' ? code : 'INTERNAL'
}

/** What the chart knows once this event has come in; the same context for an event that tells nothing. */
export function settle(context: SolveContext, event: SolveEvent): SolveContext {
  switch (event.type) {
    case 'xstate.done.actor.write_tests':
      return {
        ...spend(context, event.output),
        generatedTests: event.output.kind === 'tests' ? event.output.tests.length : 0,
      }
    case 'xstate.done.actor.generate':
      return settleGenerate(spend(context, event.output), event.output)
    case 'xstate.done.actor.validate':
      return settleValidate(spend(context, event.output), event.output)
    case 'xstate.done.actor.mend':
      return settleMend(spend(context, event.output), event.output)
    case 'xstate.done.actor.analyze':
      return settleAnalyze(spend(context, event.output), event.output)
    case 'xstate.done.actor.test_review':
      return settleTestReview(spend(context, event.output), event.output)
    case 'xstate.done.actor.trust': {
      const level = event.output.kind === 'measured' ? event.output.level : null
      return { ...spend(context, event.output), trustLevel: level }
    }
    case 'xstate.done.actor.review':
      return { ...spend(context, event.output), reviewVerdict: event.output.verdict }
    case 'xstate.done.actor.await_human':
      return settleAnswer(context, event.output)
    case 'xstate.error.actor.validate':
      return withVerdict(settleError(context, event.error), 'environment')
    case 'xstate.error.actor.mend':
      return { ...settleError(context, event.error), mended: withCurrent(context) }
    case 'xstate.error.actor.analyze':
      return withDiagnosis(settleError(context, event.error), false)
    case 'xstate.error.actor.test_review':
      return withReviewed(settleError(context, event.error), suspectsOf(context))
    case 'xstate.error.actor.trust':
      return { ...settleError(context, event.error), trustLevel: null }
    case 'xstate.error.actor.write_tests':
    case 'xstate.error.actor.generate':
    case 'xstate.error.actor.review':
    case 'xstate.error.actor.await_human':
      return settleError(context, event.error)
    default:
      return context
  }
}

/**
 * Tests that are red in two successive distinct candidates and have not been reviewed in this run; replies without a program are no
 * candidates. Empty unless the attempt in hand is red at `tests`.
 */
export function suspectsOf(context: SolveContext): readonly string[] {
  const last = currentSummary(context)
  if (last === null || last.failedLayer !== 'tests') return []
  const candidates = context.attempts.filter((attempt) => attempt.failedLayer !== 'extract')
  const previous = candidates[candidates.indexOf(last) - 1]
  if (previous === undefined || previous.codeHash === last.codeHash) return []
  return last.failingTests.filter(
    (test) => previous.failingTests.includes(test) && !context.reviewedTests.includes(test),
  )
}

function spend(context: SolveContext, paid: { readonly usage?: Usage; readonly durationMs: number }): SolveContext {
  return {
    ...context,
    usage: addUsage(context.usage, paid.usage ?? noUsage),
    elapsedMs: context.elapsedMs + paid.durationMs,
  }
}

function settleError(context: SolveContext, error: unknown): SolveContext {
  const code = errorCodeOf(error)
  return { ...context, errorCode: code, exhausted: code === 'BUDGET_EXHAUSTED' ? budgetOf(error) : context.exhausted }
}

function budgetOf(error: unknown): NonNullable<SolveContext['exhausted']> {
  const detail = typeof error === 'object' && error !== null && 'detail' in error ? error.detail : undefined
  const budget = typeof detail === 'object' && detail !== null && 'budget' in detail ? detail.budget : undefined
  return budget === 'attempts' || budget === 'tokens' || budget === 'cost' ? budget : 'time'
}

function settleGenerate(context: SolveContext, output: GenerateOutput): SolveContext {
  const number = context.lastNumber + 1
  const strategy = context.plan?.strategy ?? ''
  const next: SolveContext = {
    ...context,
    lastNumber: number,
    current: newAttempt(number, 'model', strategy),
    generations: context.generations + 1,
    refusalsRunning: output.kind === 'refused' ? context.refusalsRunning + 1 : 0,
    stuckSince: context.stuckSince ?? number,
  }
  switch (output.kind) {
    case 'candidate':
      return next
    case 'duplicate':
      return takeOver(next, output.duplicateOf)
    case 'unusable':
    case 'refused':
      return withReport(next, { ...output.summary, number, origin: 'model', strategy })
    default:
      return output satisfies never
  }
}

function settleValidate(context: SolveContext, output: ValidateOutput): SolveContext {
  const { current } = context
  if (output.kind === 'environment' || current === null) return withVerdict(context, 'environment')
  const { number, origin, strategy } = current
  return withReport(context, { ...output.summary, number, origin, strategy })
}

function settleMend(context: SolveContext, output: MendOutput): SolveContext {
  const next: SolveContext = {
    ...context,
    mended: withCurrent(context),
    mechanicTried: context.mechanicTried + output.tried,
    mechanicMs: context.mechanicMs + output.durationMs,
  }
  if (output.kind === 'nothing') return next
  const number = context.lastNumber + 1
  const moved: SolveContext = { ...next, lastNumber: number, current: newAttempt(number, 'mechanic', 'mechanic') }
  return output.kind === 'candidate' ? moved : takeOver(moved, output.duplicateOf)
}

function settleAnalyze(context: SolveContext, output: AnalyzeOutput): SolveContext {
  return withDiagnosis(context, output.kind === 'diagnosis' && output.backsCode, output.kind === 'diagnosis')
}

function settleTestReview(context: SolveContext, output: TestReviewOutput): SolveContext {
  const suspects = suspectsOf(context)
  const wrong = output.verdicts.filter(({ test, verdict }) => verdict === 'test_wrong' && suspects.includes(test))
  const disputed = wrong.map(({ test }) => test)
  const next = { ...withReviewed(context, suspects, disputed), disputed }
  if (context.testsOrigin === 'given' || disputed.length === 0) return next
  const dropped = disputed.map((test) => ({ test, by: 'test_review', why: 'the generated test contradicts the task' }))
  const generatedTests = context.generatedTests - dropped.length
  return { ...next, setAside: [...context.setAside, ...dropped], generatedTests }
}

function settleAnswer(context: SolveContext, output: HumanAnswer): SolveContext {
  const refused: SolveContext = {
    ...context,
    answer: { kind: output.answer, taken: false },
    refusedAnswers: context.refusedAnswers + 1,
  }
  const taken = { ...context, answer: { kind: output.answer, taken: true }, refusedAnswers: 0 } as const
  switch (output.answer) {
    case 'approve': {
      if (context.reason !== 'test_disputed') {
        const accepted = approvableAttempt(context)
        return accepted === null ? refused : { ...taken, accepted }
      }
      const { by, why } = output
      const named = context.setAside.map((entry) => entry.test)
      const more = context.disputed.filter((test) => !named.includes(test)).map((test) => ({ test, by, why }))
      return { ...taken, setAside: [...context.setAside, ...more], disputed: [] }
    }
    case 'hint': {
      const limits = raiseLimits(context.limits, output.raise ?? {})
      const exhausted = isRaised(context, limits) ? null : context.exhausted
      const raised = { ...taken, limits: { ...limits, generations: limits.generations + 1 }, exhausted }
      const isSpent = (['tokens', 'cost', 'time'] as const).some((budget) => isBudgetSpent(raised, budget))
      if (isSpent || context.hints >= context.policy.maxHints || !context.hasModel) return refused
      return { ...raised, hints: context.hints + 1, hintVisit: context.visits.await_human ?? null }
    }
    case 'reject':
      return taken
    default:
      return output satisfies never
  }
}

/** True if the limit that a port found too small has been raised; an attempt is what every hint grants. */
function isRaised(context: SolveContext, limits: SolveContext['limits']): boolean {
  switch (context.exhausted) {
    case 'tokens':
      return limits.tokens !== context.limits.tokens
    case 'cost':
      return limits.costUsd !== context.limits.costUsd
    case 'time':
      return limits.timeMs !== context.limits.timeMs
    default:
      return true
  }
}

/** The attempt in hand with the report of an earlier one; without a report there (its surroundings failed) it is judged after all. */
function takeOver(context: SolveContext, of: number): SolveContext {
  const earlier = context.attempts.find((attempt) => attempt.number === of)
  if (earlier === undefined || context.current === null) return context
  const { number, origin, strategy } = context.current
  const codeSimilarity = context.attempts.at(-1)?.codeHash === earlier.codeHash ? 1 : 0
  const duplicateOf = earlier.duplicateOf ?? of
  return withReport(context, { ...earlier, number, origin, strategy, codeSimilarity, duplicateOf })
}

function withReport(context: SolveContext, summary: AttemptSummary): SolveContext {
  if (context.current === null || summary.kind === 'environment') return withVerdict(context, 'environment')
  const others = context.attempts.filter((attempt) => attempt.number !== summary.number)
  return {
    ...context,
    attempts: [...others, summary],
    current: { ...context.current, verdict: summary.passed ? 'green' : 'red', diagnosis: null, backsCode: false },
  }
}

function withVerdict(context: SolveContext, verdict: 'environment'): SolveContext {
  const { current } = context
  return current === null ? context : { ...context, current: { ...current, verdict, faults: current.faults + 1 } }
}

function withDiagnosis(context: SolveContext, backsCode: boolean, found = false): SolveContext {
  const { current } = context
  const diagnosis = found ? (context.visits.analyze ?? null) : null
  return current === null ? context : { ...context, current: { ...current, diagnosis, backsCode } }
}

function withReviewed(context: SolveContext, tests: readonly string[], disputed: readonly string[] = []): SolveContext {
  const standing = tests.filter((test) => !disputed.includes(test))
  return {
    ...context,
    reviewedTests: [...context.reviewedTests, ...tests],
    standingTests: [...context.standingTests, ...standing],
    disputed: [...disputed],
  }
}

function withCurrent(context: SolveContext): readonly number[] {
  return context.current === null ? context.mended : [...context.mended, context.current.number]
}
