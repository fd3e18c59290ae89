import type {
  GenerateOutput,
  HumanAnswer,
  MendOutput,
  ReviewOutput,
  TestVerdict,
  TrustOutput,
} from '../../machines/ports.ts'
import type { SolveInput } from '../../machines/solve.context.ts'
import type { PortName, PortOutputs, SolveEvent } from '../../machines/solve.settle.ts'
import type { AttemptSummary } from '../../src/domain/attempt-summary.ts'
import { scoreOf } from '../../src/domain/ordering.ts'
import { type PolicyInput, policySchema } from '../../src/domain/policy.ts'
import { noUsage, type Usage } from '../../src/domain/result.ts'
import { type ErrorCode, RedgreenError } from '../../src/errors.ts'
import type { Outcome, Snapshot } from './explore.ts'

export const usage = (tokens: number, costUsd = 0): Usage => ({
  promptTokens: tokens,
  completionTokens: 0,
  calls: 1,
  costUsd,
  estimated: false,
})

/** A verdict in short: the red layer (null for green) and its failures, a letter each; at `tests` a letter is also a red test. */
export interface Verdict {
  readonly layer: string | null
  readonly fp?: string
  readonly similarity?: number
}
export const green: Verdict = { layer: null }

const testCount = 4

export function summaryOf(
  attempt: Pick<AttemptSummary, 'number' | 'origin' | 'strategy'>,
  verdict: Verdict,
): AttemptSummary {
  const fp = verdict.fp ?? ''
  const passedTests = verdict.layer === 'tests' ? testCount - fp.length : verdict.layer === null ? testCount : 0
  return {
    number: attempt.number,
    origin: attempt.origin,
    strategy: attempt.strategy,
    passed: verdict.layer === null,
    failedLayer: verdict.layer,
    kind: verdict.layer === 'extract' ? 'reply' : verdict.layer === null ? null : 'logic',
    score: scoreOf(verdict.layer, passedTests / testCount),
    passedTests,
    totalTests: testCount,
    fingerprints: [...fp],
    failingTests: verdict.layer === 'tests' ? [...fp] : [],
    codeHash: verdict.layer === 'extract' ? '' : `code ${attempt.number}`,
    codeSimilarity: verdict.similarity ?? 0.5,
    duplicateOf: null,
  }
}

export const done = <P extends PortName>(port: P, output: PortOutputs[P]): SolveEvent =>
  // A mapped union cannot be built from a type parameter without saying so.
  ({ type: `xstate.done.actor.${port}`, output }) as SolveEvent
export const failed = (port: PortName, code: ErrorCode, budget?: string): SolveEvent => {
  const detail = budget === undefined ? {} : { detail: { budget } }
  return { type: `xstate.error.actor.${port}`, error: new RedgreenError(code, code, detail) }
}

export interface Alphabet {
  readonly verdicts: readonly Verdict[]
  readonly generate: readonly ('candidate' | 'duplicate' | 'duplicate of first' | 'unusable' | 'refused')[]
  /** Tokens, cost in USD and milliseconds that a step may take beside nothing. */
  readonly spends?: readonly { readonly tokens?: number; readonly costUsd?: number; readonly ms?: number }[]
  readonly errors?: Partial<Record<PortName, readonly (readonly [ErrorCode, string?])[]>>
  readonly environment?: boolean
  readonly mend?: readonly ('candidate' | 'duplicate' | 'nothing')[]
  readonly tried?: number
  readonly analyze?: readonly ('backs' | 'blames' | 'none')[]
  readonly verdictsOfReview?: readonly TestVerdict['verdict'][]
  readonly trust?: readonly TrustOutput[]
  readonly review?: readonly ReviewOutput['verdict'][]
  readonly answers?: readonly HumanAnswer[]
  /** Numbers of tests that may be written. */
  readonly written?: readonly number[]
}

/** Every outcome of the port that this state waits for, as far as the alphabet has it and it fits the state. */
export const outcomesOf =
  (alphabet: Alphabet) =>
  (snapshot: Snapshot): readonly Outcome[] => {
    const port = snapshot.value as PortName // active snapshots rest in states that are named as their ports
    const spends = [{}, ...(alphabet.spends ?? [])]
    const outcomes = plainOutcomes(alphabet, snapshot, port)
    const paid = outcomes.flatMap((outcome) =>
      port === 'await_human' ? [outcome] : spends.map((spend) => withSpend(outcome, spend)),
    )
    const errors = (alphabet.errors?.[port] ?? []).map(([code, budget]) => ({
      label: `${port} fails ${code}${budget ? ` ${budget}` : ''}`,
      event: failed(port, code, budget),
    }))
    return [...paid, ...errors]
  }

function withSpend(outcome: Outcome, spend: { tokens?: number; costUsd?: number; ms?: number }): Outcome {
  const { event, label } = outcome
  if (!('output' in event) || event.type === 'xstate.done.actor.await_human') return outcome
  const output = { ...event.output, durationMs: spend.ms ?? 0 }
  const isModelCall = 'usage' in output
  const paid = isModelCall ? { ...output, usage: usage(spend.tokens ?? 0, spend.costUsd ?? 0) } : output
  const words = Object.entries(spend).map(([unit, amount]) => `, ${amount} ${unit}`)
  // The event keeps its type; only what it cost has changed.
  return { label: label + words.join(''), event: { ...event, output: paid } as SolveEvent }
}

function plainOutcomes(alphabet: Alphabet, { context }: Snapshot, port: PortName): Outcome[] {
  const paid = { usage: noUsage, durationMs: 0 }
  switch (port) {
    case 'write_tests':
      return (alphabet.written ?? []).map((count) => ({
        label: `${count} tests written`,
        event: done(port, count === 0 ? { kind: 'none', ...paid } : { kind: 'tests', tests: letters(count), ...paid }),
      }))
    case 'generate':
      return alphabet.generate.flatMap((kind): Outcome[] => {
        const output = generateOutput(kind, context.attempts, context.lastNumber + 1)
        return output === null ? [] : [{ label: kind, event: done(port, { ...output, ...paid }) }]
      })
    case 'validate': {
      const { current } = context
      if (current === null) throw new Error('validate without an attempt')
      const reports = alphabet.verdicts.map(
        (verdict): Outcome => ({
          label:
            verdict.layer === null
              ? 'green'
              : `red at ${verdict.layer} ${verdict.fp ?? ''}${verdict.similarity ? ' similar' : ''}`,
          event: done(port, { kind: 'report', summary: summaryOf(current, verdict), durationMs: 0 }),
        }),
      )
      if (!alphabet.environment) return reports
      return [
        ...reports,
        { label: 'environment fault', event: done(port, { kind: 'environment', detail: 'disk full', durationMs: 0 }) },
      ]
    }
    case 'mend':
      return (alphabet.mend ?? []).flatMap((kind): Outcome[] => {
        const cost = { tried: alphabet.tried ?? 1, durationMs: 0 }
        const earlier = context.attempts.at(-2)
        if (kind === 'duplicate' && earlier === undefined) return []
        const output: MendOutput =
          kind === 'duplicate' ? { kind, duplicateOf: earlier?.number ?? 0, ...cost } : { kind, ...cost }
        return [{ label: `mend: ${kind}`, event: done(port, output) }]
      })
    case 'analyze':
      return (alphabet.analyze ?? []).map((kind) => ({
        label: `diagnosis: ${kind}`,
        event: done(
          port,
          kind === 'none' ? { kind, ...paid } : { kind: 'diagnosis', backsCode: kind === 'backs', ...paid },
        ),
      }))
    case 'test_review': {
      const tests = context.attempts.at(-1)?.failingTests ?? []
      return (alphabet.verdictsOfReview ?? []).map((verdict) => ({
        label: `reviewer: ${verdict}`,
        event: done(port, { verdicts: tests.map((test) => ({ test, verdict })), ...paid }),
      }))
    }
    case 'trust':
      return (alphabet.trust ?? []).map((output) => ({
        label: `trust: ${output.kind === 'measured' ? output.level : output.kind}`,
        event: done(port, output),
      }))
    case 'review':
      return (alphabet.review ?? []).map((verdict) => ({
        label: `review: ${verdict}`,
        event: done(port, { verdict, ...paid }),
      }))
    case 'await_human':
      return (alphabet.answers ?? []).map((answer) => ({
        label: `person: ${answer.answer}${'raise' in answer ? ' with a raise' : ''}`,
        event: done(port, answer),
      }))
    default:
      return port satisfies never
  }
}

type WithoutCost<T> = T extends unknown ? Omit<T, 'usage' | 'durationMs'> : never

function generateOutput(
  kind: Alphabet['generate'][number],
  attempts: readonly AttemptSummary[],
  number: number,
): WithoutCost<GenerateOutput> | null {
  const programs = attempts.filter((attempt) => attempt.failedLayer !== 'extract')
  switch (kind) {
    case 'candidate':
      return { kind }
    case 'duplicate': {
      const original = programs.at(-1)
      return original ? { kind, duplicateOf: original.number } : null
    }
    case 'duplicate of first': {
      const original = programs[0]
      return original && programs.length > 1 ? { kind: 'duplicate', duplicateOf: original.number } : null
    }
    case 'unusable':
    case 'refused':
      return {
        kind,
        summary: summaryOf({ number, origin: 'model', strategy: '' }, { layer: 'extract', fp: kind.charAt(0) }),
      }
    default:
      return kind satisfies never
  }
}

const letters = (count: number) => [...'abcdefghij'].slice(0, count)

export const by = { by: 'ada', why: 'looked at it' } as const

/** Input of the chart for a policy; a model, tests and no starting files unless said. */
export const inputOf = (policy: PolicyInput, more: Partial<SolveInput> = {}): SolveInput => ({
  policy: policySchema.parse(policy),
  hasModel: true,
  hasFiles: false,
  hasTests: true,
  ...more,
})

/** Parts that a policy leaves out. */
export const bare = { mechanic: { mode: 'off' }, trust: { mutants: 0 } } as const satisfies PolicyInput
