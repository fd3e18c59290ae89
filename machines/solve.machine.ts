/**
 * How a task becomes code that has passed its tests, or an honest end.
 *
 *   start ─► write_tests ─┐                 ┌─► mend ─► validate
 *     │                   ▼                 │
 *     └─────────────► generate ─► validate ─┼─► analyze ─► test_review ─► generate | validate
 *                         ▲                 │      └─► generate
 *                         └──── red ────────┤
 *                                           └─► green: trust ─► review ─► done
 *   every state ─► give_up, or with policy.human ─► await_human ─► generate | validate | done | give_up
 *
 * Invariants, proven over all paths in test/machines: `done` only after a green report of the accepted attempt; never more generations
 * than the budget and the hints allow; a given test is set aside by a person's recorded answer alone; every path ends or rests with a
 * person; `give_up` has a reason and names the best attempt. Pure: every effect is a port, named as its state.
 *
 * Guards look at the context as the event changes it (`settle`), the action `record` stores it; see solve.guards.ts and solve.settle.ts.
 */
import { assign, setup } from 'xstate'
import type { Reason } from '../src/domain/result.ts'
import { port } from './port.ts'
import type * as ports from './ports.ts'
import { createContext, type SolveContext, type SolveInput, type SolveState } from './solve.context.ts'
import { solveGuards } from './solve.guards.ts'
import {
  analyzeInput,
  awaitHumanInput,
  generateInput,
  mendInput,
  reviewInput,
  testReviewInput,
  trustInput,
  validateInput,
  writeTestsInput,
} from './solve.inputs.ts'
import { outcomeOf, type SolveOutcome } from './solve.outcome.ts'
import { planGeneration } from './solve.plan.ts'
import {
  abort,
  accept,
  afterTrust,
  afterTrustFailed,
  ask,
  end,
  go,
  green,
  greenAgain,
  redAfterGenerate,
  redAfterLooking,
  redAfterMend,
  redAfterValidate,
  row7,
  stop,
  unreachable,
} from './solve.rows.ts'
import { type SolveEvent, settle } from './solve.settle.ts'

const solveSetup = setup({
  types: {
    context: {} as SolveContext,
    input: {} as SolveInput,
    output: {} as SolveOutcome,
    events: {} as SolveEvent,
  },
  actors: {
    write_tests: port<ports.WriteTestsOutput, ports.WriteTestsInput>('write_tests'),
    generate: port<ports.GenerateOutput, ports.GenerateInput>('generate'),
    validate: port<ports.ValidateOutput, ports.ValidateInput>('validate'),
    mend: port<ports.MendOutput, ports.MendInput>('mend'),
    analyze: port<ports.AnalyzeOutput, ports.AnalyzeInput>('analyze'),
    test_review: port<ports.TestReviewOutput, ports.TestReviewInput>('test_review'),
    trust: port<ports.TrustOutput, ports.TrustInput>('trust'),
    review: port<ports.ReviewOutput, ports.ReviewInput>('review'),
    await_human: port<ports.HumanAnswer, ports.AwaitHumanInput>('await_human'),
  },
  guards: solveGuards,
  actions: {
    /** Takes in what the event brought and notes how the chart goes on. */
    record: assign(({ context, event }, { guard }: { guard: string }) => ({
      ...settle(context, event),
      route: { from: context.path.at(-1) ?? ('start' as const), by: event.type, guard },
    })),
    /** Counts the visit. */
    enter: assign(({ context }, { state }: { state: SolveState }) => ({
      path: [...context.path, state],
      visits: { ...context.visits, [state]: (context.visits[state] ?? 0) + 1 },
    })),
    plan: assign(({ context }, params: { occasion: ports.Occasion; isSwitch: boolean }) =>
      planGeneration({ ...context, reason: null }, params.occasion, params.isSwitch),
    ),
    /** Null keeps the reason for which a person was asked. */
    stop: assign(({ context }, { reason }: { reason: Reason | null }) => ({ reason: reason ?? context.reason })),
    accept: assign(({ context }) => ({
      accepted: context.accepted ?? context.current?.number ?? null,
      reason: null,
    })),
  },
})

const enter = (state: SolveState) => ({ type: 'enter' as const, params: { state } })

export const solveMachine = solveSetup.createMachine({
  id: 'solve',
  context: ({ input }) => createContext(input),
  output: ({ context }) => outcomeOf(context),
  initial: 'start',
  on: { 'run.aborted': abort },
  states: {
    // A point of decision, never a place of rest.
    start: {
      always: [
        go('isTestsAbsent', 'write_tests'),
        go('isRepair', 'validate'),
        ...stop('isModelAbsent', 'mechanic_exhausted'),
        ...stop('isOutOfAttempts', 'attempts'),
        ask('first'),
      ],
    },

    write_tests: {
      entry: enter('write_tests'),
      invoke: {
        id: 'write_tests',
        src: 'write_tests',
        input: writeTestsInput,
        onDone: [...stop('isTestsUnwritten', 'model_refused'), go('isRepair', 'validate'), ...row7, ask('first')],
        onError: [...unreachable, ...row7, ...stop('isOtherwise', 'environment')],
      },
    },

    generate: {
      entry: enter('generate'),
      invoke: {
        id: 'generate',
        src: 'generate',
        input: generateInput,
        onDone: [
          go('isCandidateNew', 'validate'),
          ...stop('isRefusedTwice', 'model_refused'),
          ...greenAgain,
          ...redAfterGenerate,
        ],
        onError: [...unreachable, ...row7, ...stop('isOtherwise', 'environment')],
      },
    },

    validate: {
      entry: enter('validate'),
      invoke: {
        id: 'validate',
        src: 'validate',
        input: validateInput,
        onDone: [
          go('canValidateAgain', 'validate'),
          ...stop('isEnvironmentFault', 'environment'),
          ...green,
          ...redAfterValidate,
        ],
        onError: [
          end('isAborted', 'aborted'),
          ...stop('isOutOfTime', 'time'),
          go('canValidateAgain', 'validate'),
          ...stop('isEnvironmentFault', 'environment'),
        ],
      },
    },

    mend: {
      entry: enter('mend'),
      invoke: {
        id: 'mend',
        src: 'mend',
        input: mendInput,
        onDone: [go('isCandidateNew', 'validate'), ...redAfterMend],
        onError: [end('isAborted', 'aborted'), ...redAfterMend],
      },
    },

    analyze: {
      entry: enter('analyze'),
      invoke: {
        id: 'analyze',
        src: 'analyze',
        input: analyzeInput,
        onDone: [go('isCodeBacked', 'test_review'), ...redAfterLooking],
        onError: [end('isAborted', 'aborted'), ...redAfterLooking],
      },
    },

    test_review: {
      entry: enter('test_review'),
      invoke: {
        id: 'test_review',
        src: 'test_review',
        input: testReviewInput,
        onDone: [...stop('isTestDisputed', 'test_disputed'), go('isTestDropped', 'validate'), ...redAfterLooking],
        onError: [end('isAborted', 'aborted'), ...redAfterLooking],
      },
    },

    trust: {
      entry: enter('trust'),
      invoke: {
        id: 'trust',
        src: 'trust',
        input: trustInput,
        onDone: afterTrust,
        onError: [end('isAborted', 'aborted'), ...afterTrustFailed],
      },
    },

    review: {
      entry: enter('review'),
      invoke: {
        id: 'review',
        src: 'review',
        input: reviewInput,
        onDone: [
          accept('isAccepted'),
          ask('review', { when: 'isRepairAsked' }),
          ...stop('isRepairAsked', 'review_rejected'),
          ...stop('isOtherwise', 'escalated'),
        ],
        onError: [end('isAborted', 'aborted'), ...stop('isOtherwise', 'escalated')],
      },
    },

    await_human: {
      entry: enter('await_human'),
      invoke: {
        id: 'await_human',
        src: 'await_human',
        input: awaitHumanInput,
        onDone: [
          accept('isApproved'),
          go('isTestSetAside', 'validate'),
          ask('hint', { when: 'isHintTaken' }),
          end('isRejected', 'rejected'),
          go('canAskAgain', 'await_human'),
          end('isOtherwise', null),
        ],
        onError: [end('isAborted', 'aborted'), end('isOtherwise', 'environment')],
      },
    },

    done: { entry: enter('done'), type: 'final' },
    give_up: { entry: enter('give_up'), type: 'final' },
  },
})
