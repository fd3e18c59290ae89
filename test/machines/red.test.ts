import { describe, expect, it } from 'vitest'
import type { SolveInput } from '../../machines/solve.context.ts'
import type { PolicyInput } from '../../src/domain/policy.ts'
import { bare, inputOf, usage } from './alphabet.ts'
import { drive } from './drive.ts'

const start = (policy: PolicyInput = {}, more: Partial<SolveInput> = {}) => drive(inputOf({ ...bare, ...policy }, more))
const quick: PolicyInput = { mechanic: { mode: 'quick' } }

describe('the Red table, row by row', () => {
  it('row 1: an abort ends the run, whether it comes as an event or as the port’s error', () => {
    expect(start().candidate().send({ type: 'run.aborted' })).toMatchObject({ state: 'give_up', reason: 'aborted' })
    expect(start().candidate().fails('validate', 'ABORTED')).toMatchObject({ state: 'give_up', reason: 'aborted' })
  })

  it('row 2: the environment’s fault is tried again once per candidate, uncharged, then ends the run', () => {
    const run = start().candidate().environment()
    expect(run).toMatchObject({ state: 'validate', path: 'generate validate validate' })
    expect(run.context.generations).toBe(1)
    expect(run.environment()).toMatchObject({ state: 'give_up', reason: 'environment' })
    expect(start().candidate().fails('validate', 'SANDBOX_UNAVAILABLE').state).toBe('validate')
    expect(start().candidate().environment().judged('types', 'a').candidate().environment().state).toBe('validate')
  })

  it('row 3: the mechanic has each red candidate once, before anything else, while it is on and has budget', () => {
    expect(start(quick).attempt('types', 'a').state).toBe('mend')
    expect(start().attempt('types', 'a').state).toBe('generate')
    expect(start(quick).attempt('types', 'a').mended('nothing').duplicate(1).state).toBe('generate')
    expect(start(quick).attempt('types', 'a').mended('candidate').judged('tests', 'a').state).not.toBe('mend')
    const spent = start({ mechanic: { mode: 'quick', maxCandidates: 5 } })
      .attempt('types', 'a')
      .mended('nothing', 5)
    expect(spent.attempt('types', 'b').state).toBe('generate')
    const late = start({ ...quick, maxTimeMs: 10 })
      .candidate({ durationMs: 10 })
      .judged('types', 'a')
    expect(late).toMatchObject({ path: 'generate validate give_up', reason: 'time' })
  })

  it('row 3: quick mends only what the model wrote, first also searches what was given, and a reply without a program has nothing to mend', () => {
    expect(start(quick, { hasFiles: true }).judged('types', 'a').state).toBe('generate')
    expect(start({ mechanic: { mode: 'first' } }, { hasFiles: true }).judged('types', 'a').state).toBe('mend')
    expect(start(quick).noCode('unusable').state).toBe('generate')
  })

  it('row 4: without a model the mechanic’s end is the run’s end', () => {
    const run = start({ mechanic: { mode: 'only' } }, { hasModel: false, hasFiles: true }).judged('tests', 'a')
    expect(run.mended('nothing')).toMatchObject({ state: 'give_up', reason: 'mechanic_exhausted' })
  })

  it('row 5: a test red in two successive distinct candidates is looked at, though attempts are spent and before stuck', () => {
    const run = start({ maxAttempts: 2 }).attempt('tests', 'ab').diagnosed().attempt('tests', 'bc')
    expect(run.state).toBe('analyze')
    expect(run.diagnosed(true)).toMatchObject({ state: 'test_review' })
    expect(run.reviewed('code_wrong')).toMatchObject({ state: 'give_up', reason: 'attempts' })
    expect(run.context.reviewedTests).toEqual(['b'])
  })

  it('row 5: not for a repeated candidate, not with tokens spent, not for a test reviewed before', () => {
    expect(start().attempt('tests', 'a').diagnosed().duplicate(1).state).toBe('generate')
    const poor = start({ maxTokens: 100 })
      .attempt('tests', 'a')
      .diagnosed()
      .candidate({ usage: usage(100) })
    expect(poor.judged('tests', 'a')).toMatchObject({ state: 'give_up', reason: 'tokens' })
    const once = start().attempt('tests', 'a').diagnosed().attempt('tests', 'a').diagnosed(true).reviewed('unclear')
    expect(once.attempt('tests', 'a').diagnosed(true).state).not.toBe('test_review')
  })

  it('row 6: stuck with every strategy tried ends the run, before the attempts are counted', () => {
    const run = start({ maxAttempts: 2, strategies: ['direct'] })
      .attempt('types', 'a')
      .attempt('types', 'a')
    expect(run).toMatchObject({ state: 'give_up', reason: 'stuck' })
  })

  it('row 7: names the budget that is spent: attempts, tokens, cost, time, in this order', () => {
    expect(start({ maxAttempts: 1 }).attempt('types', 'a').reason).toBe('attempts')
    const priced: PolicyInput = { maxTokens: 100, maxCostUsd: 1, maxTimeMs: 50 }
    const over = (cost: object) => start(priced).candidate(cost).judged('types', 'a').reason
    expect(over({ usage: usage(100, 1), durationMs: 50 })).toBe('tokens')
    expect(over({ usage: usage(99, 1), durationMs: 50 })).toBe('cost')
    expect(over({ usage: usage(99, 0.99), durationMs: 49 })).toBe('time')
    expect(over({ usage: usage(99, 0.99), durationMs: 48 })).toBeNull()
    expect(
      start({ ...priced, maxAttempts: 1 })
        .candidate({ usage: usage(100) })
        .judged('types', 'a').reason,
    ).toBe('attempts')
    expect(start().fails('generate', 'BUDGET_EXHAUSTED', 'cost').reason).toBe('cost')
  })

  it('row 8: stuck with a strategy untried switches to it and builds on the best attempt', () => {
    const run = start().attempt('types', 'a').attempt('types', 'a')
    expect(run.state).toBe('generate')
    expect(run.plan).toMatchObject({
      strategy: 'different-approach',
      switchedFrom: 'plan-first',
      basedOn: 1,
      temperature: 0.7,
    })
    expect(start().attempt('types', 'a').plan).toMatchObject({
      strategy: 'plan-first',
      switchedFrom: null,
      temperature: 0.4,
    })
  })

  it('row 9: red at tests or hidden is analyzed, once per report, and the prompt gets the diagnosis', () => {
    for (const layer of ['tests', 'hidden']) {
      const run = start().attempt(layer, 'a')
      expect(run.state).toBe('analyze')
      expect(run.diagnosed().plan.diagnosis).toBe(1)
    }
  })

  it('row 10: red anywhere else asks the model again at once', () => {
    for (const layer of ['syntax', 'imports', 'types', 'policy', 'lint']) {
      expect(start().attempt(layer, 'a')).toMatchObject({ state: 'generate', path: 'generate validate generate' })
    }
  })
})

describe('the reply', () => {
  it('that repeats an earlier candidate takes its report over and is not validated again', () => {
    const run = start().attempt('types', 'a').duplicate(1)
    expect(run.path).toBe('generate validate generate generate')
    expect(run.context.attempts.at(-1)).toMatchObject({
      number: 2,
      duplicateOf: 1,
      fingerprints: ['a'],
      strategy: 'plan-first',
    })
    expect(run.duplicate(1)).toMatchObject({ state: 'give_up', reason: 'stuck' })
  })

  it('without a program is an attempt that fails at extract and is charged', () => {
    const run = start().noCode('unusable')
    expect(run.state).toBe('generate')
    expect(run.context).toMatchObject({ generations: 1, attempts: [{ number: 1, failedLayer: 'extract' }] })
    expect(run.plan.basedOn).toBeNull()
  })

  it('that refuses twice running ends the run; another reply in between starts the count again', () => {
    expect(start().noCode('refused').noCode('refused')).toMatchObject({ state: 'give_up', reason: 'model_refused' })
    expect(start().noCode('refused').attempt('types', 'a').noCode('refused').state).toBe('generate')
  })

  it('never comes: the run ends and no person is asked', () => {
    const run = start({ human: true }).fails('generate', 'MODEL_UNAVAILABLE')
    expect(run).toMatchObject({ state: 'give_up', reason: 'model_unavailable' })
  })
})

describe('the next prompt', () => {
  it('builds on the best attempt and says what broke after a regress', () => {
    const run = start().attempt('tests', 'a').diagnosed().attempt('types', 'b')
    expect(run.plan).toMatchObject({ basedOn: 1, latest: 2, regress: true, generation: 3, maxGenerations: 4 })
    expect(start().attempt('types', 'b').attempt('tests', 'a').diagnosed().plan).toMatchObject({
      basedOn: 2,
      regress: false,
    })
  })

  it('asks for a fresh look from the second red attempt in a row', () => {
    const run = start().attempt('types', 'a')
    expect(run.plan.freshLook).toBe(false)
    expect(run.attempt('types', 'b').plan.freshLook).toBe(true)
  })

  it('takes the last strategy of the list again when it is used up', () => {
    const run = start({ maxAttempts: 5, strategies: ['direct', 'mine'], temperatures: [0.1] })
    for (const fp of ['a', 'b', 'c']) run.attempt('types', fp)
    expect(run.plan).toMatchObject({ strategy: 'mine', temperature: 0.1, generation: 4 })
  })
})
