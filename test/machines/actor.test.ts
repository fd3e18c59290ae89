import { describe, expect, it } from 'vitest'
import { createActor, fromPromise, toPromise } from 'xstate'
import type * as ports from '../../machines/ports.ts'
import { solveMachine } from '../../machines/solve.machine.ts'
import { RedgreenError } from '../../src/errors.ts'
import type { Journal } from '../../src/journal/journal.ts'
import { createMemoryJournal, createMemoryJournalStore } from '../../src/journal/memory.ts'
import { bare, inputOf, summaryOf, usage, type Verdict } from './alphabet.ts'

/** The chart as the engine runs it: every port a step of the journal, named by state and visit, its budget left out of the input's hash. */
function runnable(journal: Journal, verdicts: readonly Verdict[], calls: string[] = []) {
  const effect = <Output, Input extends { visit: number; left: ports.BudgetLeft }>(
    state: string,
    work: (input: Input) => Output,
  ) =>
    fromPromise<Output, Input>(({ input }) => {
      const { left: _left, ...identity } = input
      return journal.step(`${state}/${input.visit}`, identity, async () => {
        calls.push(`${state}/${input.visit}`)
        return work(input)
      })
    })
  const paid = { usage: usage(10), durationMs: 5 }
  return solveMachine.provide({
    actors: {
      generate: effect<ports.GenerateOutput, ports.GenerateInput>('generate', () => ({ kind: 'candidate', ...paid })),
      validate: effect<ports.ValidateOutput, ports.ValidateInput>('validate', (input) => {
        const verdict = verdicts[input.visit - 1]
        if (verdict === undefined) throw new RedgreenError('SANDBOX_UNAVAILABLE', 'no child')
        const { attempt: number, origin, strategy } = input
        return { kind: 'report', summary: summaryOf({ number, origin, strategy }, verdict), durationMs: 5 }
      }),
      analyze: effect<ports.AnalyzeOutput, ports.AnalyzeInput>('analyze', () => ({ kind: 'none', ...paid })),
    },
  })
}

const input = inputOf(bare)
const verdicts: readonly Verdict[] = [{ layer: 'types', fp: 'a' }, { layer: 'tests', fp: 'b' }, { layer: null }]

describe('the solve machine as an actor', () => {
  it('runs its ports to the end and adds up what they cost', async () => {
    const actor = createActor(runnable(createMemoryJournal(), verdicts), { input }).start()
    const outcome = await toPromise(actor)
    expect(outcome).toMatchObject({
      status: 'passed',
      accepted: 3,
      path: ['generate', 'validate', 'generate', 'validate', 'analyze', 'generate', 'validate', 'done'],
      usage: { promptTokens: 40, calls: 4 },
      elapsedMs: 35,
    })
  })

  it('arrives at the same outcome over the same journal without running anything again', async () => {
    const store = createMemoryJournalStore()
    const first = await toPromise(createActor(runnable(store.open('run'), verdicts), { input }).start())
    const calls: string[] = []
    const again = await toPromise(createActor(runnable(store.open('run'), verdicts, calls), { input }).start())
    expect(again).toEqual(first)
    expect(calls).toEqual([])
    expect((await store.entries('run')).map((entry) => entry.name)).toEqual([
      ...['generate/1', 'validate/1', 'generate/2', 'validate/2', 'analyze/1', 'generate/3', 'validate/3'],
    ])
  })

  it('goes on after a fault of the infrastructure when it is started again over the same journal', async () => {
    const store = createMemoryJournalStore()
    const broken = await toPromise(createActor(runnable(store.open('run'), verdicts.slice(0, 2)), { input }).start())
    expect(broken).toMatchObject({
      status: 'gave_up',
      reason: 'environment',
      best: 2,
      errorCode: 'SANDBOX_UNAVAILABLE',
    })
    const calls: string[] = []
    const resumed = await toPromise(createActor(runnable(store.open('run'), verdicts, calls), { input }).start())
    expect(resumed).toMatchObject({ status: 'passed', accepted: 3 })
    expect(calls).toEqual(['validate/3'])
  })

  it('ends at once when it is aborted while a port is busy, and stops the port', async () => {
    let stopped = false
    const machine = solveMachine.provide({
      actors: {
        generate: fromPromise<ports.GenerateOutput, ports.GenerateInput>(
          ({ signal }) =>
            new Promise(() => {
              signal.addEventListener('abort', () => {
                stopped = true
              })
            }),
        ),
      },
    })
    const actor = createActor(machine, { input }).start()
    actor.send({ type: 'run.aborted' })
    expect(await toPromise(actor)).toMatchObject({
      status: 'aborted',
      reason: 'aborted',
      path: ['generate', 'give_up'],
    })
    expect(stopped).toBe(true)
  })

  it('ends as a fault of the environment when the engine forgot a port', async () => {
    const outcome = await toPromise(createActor(solveMachine, { input }).start())
    expect(outcome).toMatchObject({ status: 'gave_up', reason: 'environment', errorCode: 'INTERNAL', best: null })
  })
})
