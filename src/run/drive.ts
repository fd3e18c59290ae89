import { createActor, fromPromise, type SnapshotFrom } from 'xstate'
import { cycleOf, isOverTransitionLimit } from '../../machines/policy.ts'
import type * as ports from '../../machines/ports.ts'
import { solveMachine } from '../../machines/solve.machine.ts'
import { outcomeOf, type SolveOutcome } from '../../machines/solve.outcome.ts'
import { RedgreenError } from '../errors.ts'
import { awaitHuman, NobodyToAsk } from './ports/await-human.ts'
import { generate } from './ports/generate.ts'
import { analyze, review, testReview } from './ports/look.ts'
import { mend } from './ports/mend.ts'
import { trust } from './ports/trust.ts'
import { validate } from './ports/validate.ts'
import type { RunSession } from './session.ts'

/**
 * Takes a run through the chart until it ends, or rests with a person who cannot be asked now.
 *
 * @throws RedgreenError TRANSITION_LIMIT, or what a port threw that no arrow of the chart answers for
 */
export async function drive(session: RunSession): Promise<SolveOutcome> {
  const { tools } = session
  const { task } = tools
  let misuse: unknown
  /** Misuse that shows only at the first call (a refused key, an unknown model) is told as what it is, not as a run's end. */
  const port =
    <Input, Output>(effect: (session: RunSession, input: Input) => Promise<Output>) =>
    async ({ input }: { input: Input }): Promise<Output> => {
      try {
        return await effect(session, input)
      } catch (error) {
        if (isMisuse(error)) misuse ??= error
        if (error instanceof Error)
          session.lastFault = RedgreenError.isInstance(error) ? `${error.code}: ${error.message}` : error.message
        throw error
      }
    }
  let resting: SolveOutcome | undefined
  const machine = solveMachine.provide({
    actors: {
      write_tests: fromPromise<ports.WriteTestsOutput, ports.WriteTestsInput>(() =>
        Promise.reject(
          new RedgreenError('TESTS_REQUIRED', 'tests cannot be written from a requirement yet; give tests'),
        ),
      ),
      generate: fromPromise<ports.GenerateOutput, ports.GenerateInput>(port(generate)),
      validate: fromPromise<ports.ValidateOutput, ports.ValidateInput>(port(validate)),
      mend: fromPromise<ports.MendOutput, ports.MendInput>(port(mend)),
      analyze: fromPromise<ports.AnalyzeOutput, ports.AnalyzeInput>(port(analyze)),
      test_review: fromPromise<ports.TestReviewOutput, ports.TestReviewInput>(port(testReview)),
      trust: fromPromise<ports.TrustOutput, ports.TrustInput>(port(trust)),
      review: fromPromise<ports.ReviewOutput, ports.ReviewInput>(port(review)),
      await_human: fromPromise<ports.HumanAnswer, ports.AwaitHumanInput>(async ({ input }) => {
        try {
          return await awaitHuman(session, input)
        } catch (error) {
          if (error instanceof NobodyToAsk) rest()
          throw error
        }
      }),
    },
  })

  const actor = createActor(machine, {
    input: {
      policy: task.policy,
      hasModel: tools.models.generate !== null,
      hasFiles: task.kind === 'repair',
      hasTests: true,
    },
  })
  const rest = (): void => {
    resting = outcomeOf(actor.getSnapshot().context)
    actor.stop()
  }
  const onAbort = (): void => actor.send({ type: 'run.aborted' })

  try {
    return await new Promise<SolveOutcome>((resolve, reject) => {
      let told = tools.statesTold
      actor.subscribe({
        next: (snapshot) => {
          told = tellStates(session, snapshot, told)
          if (isOverTransitionLimit(snapshot.context.path)) {
            actor.stop()
            reject(
              new RedgreenError(
                'TRANSITION_LIMIT',
                `the run took ${snapshot.context.path.length} transitions; it goes round ${cycleOf(snapshot.context.path).join(' -> ')}`,
              ),
            )
          }
          if (snapshot.status === 'done') resolve(snapshot.output)
        },
        error: reject,
        complete: () => {
          if (resting) resolve(resting)
        },
      })
      tools.signal.addEventListener('abort', onAbort, { once: true })
      actor.start()
      if (tools.signal.aborted) onAbort()
    }).then((outcome) => {
      if (misuse !== undefined && outcome.attempts.every((attempt) => attempt.origin !== 'model')) throw misuse
      return outcome
    })
  } finally {
    tools.signal.removeEventListener('abort', onAbort)
    actor.stop()
  }
}

function isMisuse(error: unknown): boolean {
  return (
    RedgreenError.isInstance(error) &&
    ['MODEL_KEY_REFUSED', 'MODEL_UNKNOWN', 'MODEL_ENDPOINT_INVALID', 'RECORDING_INVALID', 'INVALID_CONFIG'].includes(
      error.code,
    )
  )
}

/** Emits `state.entered` for states that the path has gained; returns how many are told now. */
function tellStates(session: RunSession, snapshot: SnapshotFrom<typeof solveMachine>, told: number): number {
  const { path, route, usage, elapsedMs, generations, limits } = snapshot.context
  for (let index = told; index < path.length; index += 1) {
    const from = path[index - 1]
    const isLast = index === path.length - 1
    session.tools.emit({
      type: 'state.entered',
      state: path[index] ?? '',
      ...(from === undefined ? {} : { from }),
      ...(isLast ? { by: route.by, ...(route.guard === null ? {} : { guard: route.guard }) } : {}),
    })
  }
  if (path.length > told) {
    session.tools.emit({
      type: 'budget.updated',
      usage,
      elapsedMs,
      attemptsUsed: generations,
      maxAttempts: limits.generations,
    })
  }
  return Math.max(told, path.length)
}
