import { beforeAll, describe, expect, it } from 'vitest'
import { assign } from 'xstate'
import { describeChart } from '../../machines/describe.ts'
import { transitionLimit } from '../../machines/policy.ts'
import { type SolveInput, solveStates } from '../../machines/solve.context.ts'
import { solveMachine } from '../../machines/solve.machine.ts'
import { type Alphabet, bare, green, inputOf, outcomesOf } from './alphabet.ts'
import { type Exploration, explore, type Machine } from './explore.ts'
import { checkInvariants } from './invariants.ts'
import { scenarios } from './scenarios.ts'

const search = (input: SolveInput, alphabet: Alphabet, bound: number, machine: Machine = solveMachine) =>
  explore({ input, machine, outcomes: outcomesOf(alphabet), check: checkInvariants, bound })

/** Edges that no path takes, by name, with the reason. None: what a policy leaves out, another scenario's policy has. */
const untakenByDesign: readonly string[] = []

describe('every path of the solve machine', () => {
  const explored = new Map<string, Exploration>()

  beforeAll(() => {
    // Errors are made by the hundred here and their stacks never read.
    const limit = Error.stackTraceLimit
    Error.stackTraceLimit = 0
    try {
      for (const { name, input, alphabet, bound } of scenarios) explored.set(name, search(input, alphabet, bound))
    } finally {
      Error.stackTraceLimit = limit
    }
  }, 120_000)

  it('keeps the invariants and ends within the stated bound, over every scenario', () => {
    let [states, transitions, paths] = [0, 0, 0n]
    for (const { name, bound } of scenarios) {
      const result = explored.get(name)
      if (result === undefined) throw new Error(`"${name}" was not explored`)
      expect(result.longest, name).toBeLessThanOrEqual(bound)
      expect(bound, name).toBeLessThan(transitionLimit)
      states += result.states
      transitions += result.transitions
      paths += result.paths
    }
    console.log(
      `explored ${states} states, ${transitions} transitions, ${paths} paths in ${scenarios.length} scenarios`,
    )
    expect(states).toBeGreaterThan(10_000)
  })

  it('takes every transition of the chart on some path, so that no guard is always false', () => {
    const taken = new Set([...explored.values()].flatMap((result) => [...result.edges]))
    const events = { done: 'xstate.done.actor.', error: 'xstate.error.actor.' } as const
    const untaken = describeChart()
      .edges.filter(({ from, on, guard, to }) => {
        const by = on === 'done' || on === 'error' ? `${events[on]}${from}` : on === 'start' ? 'xstate.init' : on
        return !taken.has(`${from}|${by}|${guard}|${to}`)
      })
      .map(({ from, on, guard, to }) => `${from} on ${on} if ${guard} to ${to}`)
    expect(untaken).toEqual(untakenByDesign)
  })

  it('visits every state, and every state but the two ends has a way out', () => {
    const { edges, states, final } = describeChart()
    expect(states).toEqual(solveStates)
    expect(final).toEqual(['done', 'give_up'])
    for (const state of states) {
      expect(
        edges.some((edge) => edge.to === state),
        `${state} is entered`,
      ).toBe(true)
      expect(
        edges.some((edge) => edge.from === state),
        `${state} is left`,
      ).toBe(!final.includes(state))
    }
  })

  it('reaches stuck and test_review within the default of four attempts', () => {
    const result = explored.get('default policy, 4 attempts')
    expect(result?.ends).toContain('give_up: stuck')
    expect(result?.ends).toContain('give_up: test_disputed')
  })

  it('has the guard hasBudget on every arrow into generate', () => {
    const into = describeChart().edges.filter((edge) => edge.to === 'generate')
    expect(into.length).toBeGreaterThan(5)
    for (const edge of into) expect(edge.guard).toMatch(/^hasBudget/)
  })
})

describe('a broken guard is found, with a shortest counterexample', () => {
  const small: Alphabet = {
    verdicts: [green, { layer: 'types', fp: 'a' }, { layer: 'types', fp: 'b' }],
    generate: ['candidate'],
  }
  const input = inputOf({ ...bare, maxAttempts: 2 })
  const broken = (guards: Parameters<Machine['provide']>[0]['guards']) => solveMachine.provide({ guards: guards ?? {} })

  it('finds nothing wrong with the chart as it is', () => {
    expect(() => search(input, small, 12)).not.toThrow()
  })

  it('hasBudget always true and attempts never spent: too many generations', () => {
    const machine = broken({ hasBudget: (_, params) => params.when === undefined, isOutOfAttempts: () => false })
    expect(() => search(input, small, 30, machine)).toThrowErrorMatchingInlineSnapshot(`
      [Error: The chart generates 3 times with maxAttempts 2 and 0 hints.
        1. start --hasBudget--> generate (generations 0, no attempt)
        2. candidate --isCandidateNew--> validate (generations 1, no attempt)
        3. red at types a --hasBudget--> generate (generations 1, attempt 1 types a)
        4. candidate --isCandidateNew--> validate (generations 2, attempt 1 types a)
        5. red at types a --hasBudget--> generate (generations 2, attempt 2 types a)
        6. candidate --isCandidateNew--> validate (generations 3, attempt 2 types a)]
    `)
  })

  it('isGreen always true: done after a red report', () => {
    expect(() => search(input, small, 12, broken({ isGreen: () => true }))).toThrowErrorMatchingInlineSnapshot(`
      [Error: The chart is done without a green report of what it returns.
        1. start --hasBudget--> generate (generations 0, no attempt)
        2. candidate --isCandidateNew--> validate (generations 1, no attempt)
        3. red at types a --isGreen--> done (generations 1, attempt 1 types a)]
    `)
  })

  it('canValidateAgain always true: a path that does not end', () => {
    const machine = broken({ canValidateAgain: () => true })
    expect(() => search(input, { ...small, environment: true }, 12, machine)).toThrow('has not ended after 12 states')
  })

  it('isApproved always true: a person’s hint taken for an approval', () => {
    const asked = inputOf({ ...bare, maxAttempts: 1, human: true })
    const hinted: Alphabet = { ...small, answers: [{ answer: 'hint', by: 'ada', hint: 'mind zero' }] }
    const machine = broken({ isApproved: () => true })
    expect(() => search(asked, hinted, 30, machine)).toThrow('is done without a green report of what it returns')
  })

  it('a given test set aside on the reviewer’s word alone', () => {
    const disputed: Alphabet = {
      verdicts: [{ layer: 'tests', fp: 'a' }],
      generate: ['candidate'],
      analyze: ['backs'],
      verdictsOfReview: ['test_wrong'],
    }
    const machine = solveMachine.provide({
      actions: {
        stop: assign(({ context }, { reason }) => ({
          reason,
          setAside: context.disputed.map((test) => ({ test, by: 'test_review', why: 'wrong' })),
        })),
      },
    })
    expect(() => search(input, disputed, 30, machine)).toThrow('sets the given test "a" aside without a person')
    expect(() => search(input, disputed, 30)).not.toThrow()
  })

  it('a state that ignores what its port says: no way on', () => {
    const machine = broken({ isOutOfAttempts: () => false, hasBudget: () => false })
    expect(() => search({ ...input, hasFiles: true }, small, 12, machine)).toThrow(
      'has no way on from "red at types a"',
    )
  })
})
