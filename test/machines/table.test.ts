import { describe, expect, it } from 'vitest'
import { cycleOf, isOverTransitionLimit } from '../../machines/policy.ts'
import type { SolveInput } from '../../machines/solve.context.ts'
import { outcomeOf } from '../../machines/solve.outcome.ts'
import type { PolicyInput } from '../../src/domain/policy.ts'
import { bare, by, inputOf, usage } from './alphabet.ts'
import { drive } from './drive.ts'

const start = (policy: PolicyInput = {}, more: Partial<SolveInput> = {}) => drive(inputOf({ ...bare, ...policy }, more))
const measured: PolicyInput = { trust: { mutants: 50 } }
/** Two distinct candidates red at the same test, the diagnosis on the code's side. */
const suspect = (policy: PolicyInput = {}, more: Partial<SolveInput> = {}) => {
  const run = start(policy, more)
  if (run.state === 'write_tests') {
    run.answers('write_tests', { kind: 'tests', tests: ['a', 'b', 'c', 'd'], usage: usage(1), durationMs: 1 })
  }
  return run.attempt('tests', 'a').diagnosed().attempt('tests', 'a').diagnosed(true)
}

describe('start', () => {
  it('validates what was given as attempt 0, and asks nothing of a model if it passes', () => {
    const run = start({}, { hasFiles: true })
    expect(run.state).toBe('validate')
    run.judged(null)
    expect(outcomeOf(run.context)).toMatchObject({
      status: 'passed',
      accepted: 0,
      best: 0,
      origin: 'given',
      path: ['validate', 'done'],
    })
  })

  it('generates where nothing was given, and writes tests first where there are none', () => {
    expect(start().state).toBe('generate')
    expect(start({}, { hasTests: false }).state).toBe('write_tests')
  })
})

describe('mend', () => {
  const run = () => start({ mechanic: { mode: 'quick' } }).attempt('types', 'a')
  it('hands its candidate on as an attempt of its own', () => {
    const mended = run().mended('candidate').judged(null)
    expect(outcomeOf(mended.context)).toMatchObject({ status: 'passed', accepted: 2, origin: 'mechanic' })
    expect(mended.context.generations).toBe(1)
  })
  it('goes on with row 4 when it finds nothing or fails', () => {
    expect(run().mended('nothing').state).toBe('generate')
    expect(run().fails('mend', 'SANDBOX_UNAVAILABLE').state).toBe('generate')
  })
})

describe('analyze', () => {
  it('leads to test_review only if the diagnosis backs the code against a suspect test', () => {
    expect(suspect().state).toBe('test_review')
    expect(start().attempt('tests', 'a').diagnosed(true).state).toBe('generate')
    expect(start().attempt('tests', 'a').diagnosed().attempt('tests', 'a').diagnosed(false).state).toBe('generate')
  })
  it('leads nowhere further once its own call has spent the tokens', () => {
    const run = start({ maxTokens: 100 }).attempt('tests', 'a').diagnosed().attempt('tests', 'a')
    run.answers('analyze', { kind: 'diagnosis', backsCode: true, usage: usage(100), durationMs: 1 })
    expect(run).toMatchObject({ state: 'give_up', reason: 'tokens' })
  })
  it('that fails leaves no diagnosis and stops nothing', () => {
    const run = start().attempt('tests', 'a').fails('analyze', 'MODEL_UNAVAILABLE')
    expect(run.state).toBe('generate')
    expect(run.plan.diagnosis).toBeNull()
    expect(start().attempt('tests', 'a').fails('analyze', 'BUDGET_EXHAUSTED', 'tokens').reason).toBe('tokens')
  })
})

describe('test_review', () => {
  it.each(['code_wrong', 'unclear'] as const)('%s goes on with row 6, here a switch of strategy', (verdict) => {
    expect(suspect().reviewed(verdict).plan.switchedFrom).toBe('plan-first')
  })
  it('that fails goes on as well, and the test is not reviewed again', () => {
    const run = suspect().fails('test_review', 'MODEL_UNAVAILABLE')
    expect(run.state).toBe('generate')
    expect(run.plan.standingTests).toEqual(['a'])
  })
  it('never drops a given test: the run ends with what is disputed', () => {
    const run = suspect().reviewed('test_wrong')
    expect(run).toMatchObject({ state: 'give_up', reason: 'test_disputed' })
    expect(run.context).toMatchObject({ setAside: [], disputed: ['a'] })
  })
  it('drops and records a generated test, and validates again, while three are left', () => {
    const run = suspect({}, { hasTests: false }).reviewed('test_wrong')
    expect(run.state).toBe('validate')
    expect(run.context.setAside).toMatchObject([{ test: 'a', by: 'test_review' }])
    run.judged('tests', 'b').diagnosed().attempt('tests', 'b').diagnosed(true)
    expect(run.reviewed('test_wrong')).toMatchObject({ state: 'give_up', reason: 'test_disputed' })
  })
})

describe('trust', () => {
  it('is measured after green if the policy has it, and accepts any level where none is required', () => {
    expect(start(measured).attempt(null).state).toBe('trust')
    expect(start(measured).attempt(null).trusted('low').state).toBe('done')
    expect(start(measured).attempt(null).fails('trust', 'SANDBOX_UNAVAILABLE').state).toBe('done')
  })
  it('too low goes back at most twice a run, with what was found, then gives up', () => {
    const run = start({ ...measured, requireTrust: 'high' })
      .attempt(null)
      .trusted('medium')
    expect(run.plan).toMatchObject({ occasion: 'trust', trust: 1 })
    run.attempt(null).trusted('low')
    expect(run.state).toBe('generate')
    expect(run.attempt(null).trusted('low')).toMatchObject({ state: 'give_up', reason: 'trust' })
    expect(outcomeOf(run.context).best).toBe(1)
  })
  it('too low without an attempt left gives up, as does a level that is required and could not be measured', () => {
    const required: PolicyInput = { ...measured, requireTrust: 'low' }
    expect(
      start({ ...required, requireTrust: 'high', maxAttempts: 1 })
        .attempt(null)
        .trusted('low').reason,
    ).toBe('trust')
    expect(start(required).attempt(null).fails('trust', 'SANDBOX_UNAVAILABLE').reason).toBe('trust')
    expect(start(required).attempt(null).trusted('low').state).toBe('done')
  })
})

describe('review', () => {
  const reviewed: PolicyInput = { review: true, maxReviewRepairs: 1 }
  it('accepts', () => expect(start(reviewed).attempt(null).review('accept').state).toBe('done'))
  it('asks for repair as often as the policy allows', () => {
    const run = start(reviewed).attempt(null).review('repair')
    expect(run.plan).toMatchObject({ occasion: 'review', review: 1, basedOn: 1 })
    expect(run.attempt(null).review('repair')).toMatchObject({ state: 'give_up', reason: 'review_rejected' })
  })
  it('gives up as rejected without an attempt left', () => {
    expect(
      start({ ...reviewed, maxAttempts: 1 })
        .attempt(null)
        .review('repair').reason,
    ).toBe('review_rejected')
  })
  it('escalates, also when the call fails', () => {
    expect(start(reviewed).attempt(null).review('escalate').reason).toBe('escalated')
    expect(start(reviewed).attempt(null).fails('review', 'MODEL_UNAVAILABLE').reason).toBe('escalated')
  })
  it('sees a repeated green candidate again without validating it again', () => {
    const run = start({ ...reviewed, maxReviewRepairs: 2 })
      .attempt(null)
      .review('repair')
      .duplicate(1)
    expect(run).toMatchObject({ state: 'review', path: 'generate validate review generate review' })
  })
})

describe('await_human', () => {
  const asked: PolicyInput = { human: true, maxAttempts: 1, maxHints: 1 }
  const hint = { answer: 'hint', by: 'ada', hint: 'mind zero' } as const

  it('stands in for every give_up but aborted, rejected and model_unavailable', () => {
    expect(start(asked).attempt('types', 'a')).toMatchObject({ state: 'await_human', reason: 'attempts' })
    expect(outcomeOf(start(asked).attempt('types', 'a').context).status).toBe('needs_human')
  })
  it('approve after green is done', () => {
    const run = start({ ...asked, review: true })
      .attempt(null)
      .review('escalate')
    expect(run.answers('await_human', { answer: 'approve', ...by }).state).toBe('done')
    expect(outcomeOf(run.context)).toMatchObject({ status: 'passed', reason: null, accepted: 1 })
  })
  it('approve accepts the green attempt in hand, not an earlier green one', () => {
    const run = start({ ...measured, requireTrust: 'high', human: true, maxAttempts: 2 })
    run.attempt(null).trusted('low').attempt(null).trusted('low')
    expect(run).toMatchObject({ state: 'await_human', reason: 'trust' })
    run.answers('await_human', { answer: 'approve', ...by })
    expect(outcomeOf(run.context)).toMatchObject({ status: 'passed', accepted: 2 })
  })
  it('approve sets a disputed test aside in the person’s name and validates again', () => {
    const run = suspect({ human: true }).reviewed('test_wrong')
    expect(run).toMatchObject({ state: 'await_human', reason: 'test_disputed' })
    expect(run.answers('await_human', { answer: 'approve', ...by }).state).toBe('validate')
    expect(run.context.setAside).toEqual([{ test: 'a', ...by }])
    expect(run.judged(null).state).toBe('done')
  })
  it('approve of a red run is not taken; the person is asked again, three times at most', () => {
    const run = start(asked).attempt('types', 'a')
    for (const _ of [1, 2, 3])
      expect(run.answers('await_human', { answer: 'approve', ...by }).state).toBe('await_human')
    expect(run.answers('await_human', { answer: 'approve', ...by })).toMatchObject({
      state: 'give_up',
      reason: 'attempts',
    })
  })
  it('a hint grants one more attempt, at most maxHints', () => {
    const run = start(asked).attempt('types', 'a').answers('await_human', hint)
    expect(run.plan).toMatchObject({ occasion: 'hint', hint: 1, generation: 2, maxGenerations: 2 })
    run.attempt('types', 'b')
    expect(run.state).toBe('await_human')
    expect(run.answers('await_human', hint)).toMatchObject({
      state: 'await_human',
      path: expect.stringMatching(/await_human await_human$/),
    })
  })
  it('spent tokens refuse a hint unless the answer raises them', () => {
    const poor = () =>
      start({ ...asked, maxTokens: 100 })
        .candidate({ usage: usage(100) })
        .judged('types', 'a')
    expect(poor().answers('await_human', hint).state).toBe('await_human')
    expect(poor().answers('await_human', { ...hint, raise: { maxTokens: 100 } }).state).toBe('await_human')
    expect(poor().answers('await_human', { ...hint, raise: { maxTokens: 200 } }).state).toBe('generate')
  })
  it('reject ends the run', () => {
    const run = start(asked)
      .attempt('types', 'a')
      .answers('await_human', { answer: 'reject', ...by })
    expect(run).toMatchObject({ state: 'give_up', reason: 'rejected' })
  })
})

describe('the whole way', () => {
  it('is the path that the design names: red in types, red in a test, green', () => {
    const run = start().attempt('types', 'a').attempt('tests', 'a').diagnosed().attempt(null)
    expect(run.path).toBe('generate validate generate validate analyze generate validate done')
  })
  it('keeps a context that survives JSON', () => {
    const { context } = suspect({ human: true }).reviewed('test_wrong')
    expect(JSON.parse(JSON.stringify(context))).toEqual(context)
  })
  it('names the cycle of a run that is too long', () => {
    const path = ['generate', ...Array.from({ length: 100 }, () => ['validate', 'mend']).flat()]
    expect(isOverTransitionLimit(path)).toBe(true)
    expect(isOverTransitionLimit(path.slice(1))).toBe(false)
    expect(cycleOf(path)).toEqual(['validate', 'mend'])
    expect(cycleOf(['generate', 'validate', 'done'])).toEqual([])
  })
})
