import type { AttemptSummary } from '../src/domain/attempt-summary.ts'
import type { MechanicMode, Policy, TrustLevel } from '../src/domain/policy.ts'
import { noUsage, type Origin, type Reason, type Usage } from '../src/domain/result.ts'
import type { BudgetRaise, GenerationPlan } from './ports.ts'

export const solveStates = [
  'write_tests',
  'generate',
  'validate',
  'mend',
  'analyze',
  'test_review',
  'trust',
  'review',
  'await_human',
  'done',
  'give_up',
] as const
export type SolveState = (typeof solveStates)[number]

/** What a run of the chart starts from; all else comes in with the results of ports. */
export interface SolveInput {
  readonly policy: Policy
  /** A model is there to generate. */
  readonly hasModel: boolean
  /** Starting files are given: they are attempt 0. */
  readonly hasFiles: boolean
  /** Tests are given; without them they are written first. */
  readonly hasTests: boolean
}

/** The policy's part that routes, with the defaults that depend on the task filled in. */
export interface RoutingPolicy {
  readonly strategies: readonly string[]
  readonly temperatures: readonly number[]
  readonly similarity: number
  readonly mechanic: { readonly mode: MechanicMode; readonly maxCandidates: number; readonly maxTimeMs: number }
  readonly measuresTrust: boolean
  readonly requireTrust: TrustLevel | null
  readonly review: boolean
  readonly maxReviewRepairs: number
  readonly human: boolean
  readonly maxHints: number
}

/** The attempt that the chart is busy with. */
export interface CurrentAttempt {
  readonly number: number
  readonly origin: Origin
  readonly strategy: string
  /** `new`: no report yet. `environment`: the last try to judge it failed for no fault of its own. */
  readonly verdict: 'new' | 'red' | 'green' | 'environment'
  /** Environment faults while it was judged. */
  readonly faults: number
  /** Visit of `analyze` that looked at its report; a new report starts over. */
  readonly diagnosis: number | null
  readonly backsCode: boolean
}

export interface SetAside {
  readonly test: string
  readonly by: string
  readonly why: string
}

/** How the last transition came about, for events and traces. */
export interface Route {
  readonly from: SolveState | 'start'
  readonly by: string
  readonly guard: string | null
}

/** Everything the chart knows: counts, scores, fingerprints, ids, budgets. Serialisable; large texts live in step results. */
export interface SolveContext {
  readonly policy: RoutingPolicy
  readonly hasModel: boolean
  readonly hasFiles: boolean
  readonly testsOrigin: 'given' | 'generated'
  /** Tests still in force where they were generated; 0 where they were given (their number does not route). */
  readonly generatedTests: number
  readonly limits: {
    readonly generations: number
    readonly tokens: number | null
    readonly costUsd: number | null
    readonly timeMs: number
  }
  readonly usage: Usage
  /** Sum of step durations, without waiting for people. */
  readonly elapsedMs: number
  /** Budget that a port found too small for its next call. */
  readonly exhausted: 'attempts' | 'tokens' | 'cost' | 'time' | null

  readonly attempts: readonly AttemptSummary[]
  readonly lastNumber: number
  readonly current: CurrentAttempt | null
  readonly generations: number
  readonly refusalsRunning: number
  /** Numbers of attempts that the mechanic has had. */
  readonly mended: readonly number[]
  readonly mechanicTried: number
  readonly mechanicMs: number

  readonly plan: GenerationPlan | null
  readonly triedStrategies: readonly string[]
  /** First attempt that counts for stuck: the first of the model, later the first since a switch of strategy. */
  readonly stuckSince: number | null

  readonly reviewedTests: readonly string[]
  readonly standingTests: readonly string[]
  readonly disputed: readonly string[]
  readonly setAside: readonly SetAside[]

  readonly trustLevel: TrustLevel | null
  readonly trustRounds: number
  readonly reviewVerdict: 'accept' | 'repair' | 'escalate' | null
  readonly reviewRepairs: number
  readonly hints: number
  readonly hintVisit: number | null
  /** Answers in a row that could not be taken. */
  readonly refusedAnswers: number
  readonly answer: { readonly kind: 'approve' | 'hint' | 'reject'; readonly taken: boolean } | null

  /** Why the run stops short, or why a person is asked. */
  readonly reason: Reason | null
  /** Attempt that was accepted, with `done`. */
  readonly accepted: number | null
  /** Code of the last error that a port rejected with. */
  readonly errorCode: string | null
  readonly visits: Readonly<Partial<Record<SolveState, number>>>
  /** States visited, in order. */
  readonly path: readonly SolveState[]
  readonly route: Route
}

/** The context at the start; resolves the defaults of the mechanic, which depend on what is given. */
export function createContext(input: SolveInput): SolveContext {
  const { policy } = input
  const mode = policy.mechanic.mode ?? (input.hasModel ? (input.hasFiles ? 'first' : 'quick') : 'only')
  return {
    policy: {
      strategies: policy.strategies,
      temperatures: policy.temperatures,
      similarity: policy.stuck.similarity,
      mechanic: {
        mode,
        maxCandidates: policy.mechanic.maxCandidates,
        maxTimeMs: policy.mechanic.maxTimeMs ?? (mode === 'first' ? 30_000 : 60_000),
      },
      // A level that is required is measured even where the policy asks for no mutants.
      measuresTrust: policy.trust.mutants > 0 || policy.requireTrust !== undefined,
      requireTrust: policy.requireTrust ?? null,
      review: policy.review,
      maxReviewRepairs: policy.maxReviewRepairs,
      human: policy.human,
      maxHints: policy.maxHints,
    },
    hasModel: input.hasModel && mode !== 'only',
    hasFiles: input.hasFiles,
    testsOrigin: input.hasTests ? 'given' : 'generated',
    generatedTests: 0,
    limits: {
      generations: policy.maxAttempts,
      tokens: policy.maxTokens ?? null,
      costUsd: policy.maxCostUsd ?? null,
      timeMs: policy.maxTimeMs,
    },
    usage: noUsage,
    elapsedMs: 0,
    exhausted: null,
    attempts: [],
    lastNumber: 0,
    current: input.hasFiles ? newAttempt(0, 'given', 'given') : null,
    generations: 0,
    refusalsRunning: 0,
    mended: [],
    mechanicTried: 0,
    mechanicMs: 0,
    plan: null,
    triedStrategies: [],
    stuckSince: null,
    reviewedTests: [],
    standingTests: [],
    disputed: [],
    setAside: [],
    trustLevel: null,
    trustRounds: 0,
    reviewVerdict: null,
    reviewRepairs: 0,
    hints: 0,
    hintVisit: null,
    refusedAnswers: 0,
    answer: null,
    reason: null,
    accepted: null,
    errorCode: null,
    visits: {},
    path: [],
    route: { from: 'start', by: 'run.started', guard: null },
  }
}

export function newAttempt(number: number, origin: Origin, strategy: string): CurrentAttempt {
  return { number, origin, strategy, verdict: 'new', faults: 0, diagnosis: null, backsCode: false }
}

/** The summary of the attempt in hand, null while it has no report. */
export function currentSummary(context: SolveContext): AttemptSummary | null {
  const number = context.current?.number
  return context.attempts.find((attempt) => attempt.number === number) ?? null
}

/** The limits with a person's raises in them; a raise that raises nothing counts for nothing. */
export function raiseLimits(limits: SolveContext['limits'], raise: BudgetRaise): SolveContext['limits'] {
  const higher = (old: number | null, wanted: number | undefined) =>
    old === null || wanted === undefined ? old : Math.max(old, wanted)
  return {
    generations: limits.generations,
    tokens: higher(limits.tokens, raise.maxTokens),
    costUsd: higher(limits.costUsd, raise.maxCostUsd),
    timeMs: Math.max(limits.timeMs, raise.maxTimeMs ?? 0),
  }
}
