/**
 * What the chart asks of the engine and what it gets back: small, serialisable, without texts. Every input holds `visit`, the number of
 * this visit to the state (1 is the first), so that the engine names its journal steps `<state>/<visit>/<part>[/<call>]`, and finds
 * texts (files, reports, prompts, diagnoses, findings, hints) in the results of the steps and attempts that are named by number.
 *
 * A port rejects with ABORTED, MODEL_UNAVAILABLE, BUDGET_EXHAUSTED (detail.budget) or another coded error; everything else is a value.
 */
import type { AttemptSummary } from '../src/domain/attempt-summary.ts'
import type { TrustLevel } from '../src/domain/policy.ts'
import type { Reason, Usage } from '../src/domain/result.ts'

/** What the run may still spend; null is unlimited. Not part of what identifies a step: leave it out of the journal's input hash. */
export interface BudgetLeft {
  readonly tokens: number | null
  readonly costUsd: number | null
  readonly timeMs: number
}

export interface Visit {
  /** Number of this visit to the state, from 1. */
  readonly visit: number
  readonly left: BudgetLeft
}

/** Spent by a step; model calls only. */
export interface Paid {
  readonly usage: Usage
  /** Of parallel parts the longest. */
  readonly durationMs: number
}

export type WriteTestsInput = Visit
export type WriteTestsOutput = (
  | { readonly kind: 'tests'; readonly tests: readonly string[] }
  | { readonly kind: 'none' }
) &
  Paid

/** Why a generation is asked for: nothing to build on yet, a red report, low trust, review findings, a person's hint. */
export type Occasion = 'first' | 'red' | 'trust' | 'review' | 'hint'

/** How the next generation is asked for; decided by the chart on the arrow into `generate`. */
export interface GenerationPlan {
  readonly occasion: Occasion
  readonly strategy: string
  /** The strategy of the model attempt before, where stuck made the chart switch; else null. */
  readonly switchedFrom: string | null
  readonly temperature: number
  /** Attempt whose files the prompt builds on: the latest, or the best after a regress or a switch; null if there is no program yet. */
  readonly basedOn: number | null
  /** Attempt whose failures the prompt tells; null before the first. */
  readonly latest: number | null
  /** The latest scored lower than the best: say what broke. */
  readonly regress: boolean
  /** Ask for a fresh look at the whole approach. */
  readonly freshLook: boolean
  /** Model generation n of m; n counts from 1. */
  readonly generation: number
  readonly maxGenerations: number
  /** Visit of `analyze` whose diagnosis is of `latest`; else null. */
  readonly diagnosis: number | null
  /** Visit of `trust` that found too little (occasion `trust`); else null. */
  readonly trust: number | null
  /** Visit of `review` that asks for repair (occasion `review`); else null. */
  readonly review: number | null
  /** Visit of `await_human` that gave a hint (the last one, kept for all later prompts); null if none. */
  readonly hint: number | null
  /** Red tests that a reviewer has looked at and let stand. */
  readonly standingTests: readonly string[]
}

export interface GenerateInput extends Visit, GenerationPlan {
  /** Number that the attempt will have. */
  readonly attempt: number
}

/**
 * `candidate`: a program not seen before, to be validated. `duplicate`: AST-equal to an earlier attempt, whose report is taken over.
 * `unusable` and `refused`: no program in the reply; `summary` fails at `extract`. Truncated replies are asked again inside the port.
 */
export type GenerateOutput = (
  | { readonly kind: 'candidate' }
  | { readonly kind: 'duplicate'; readonly duplicateOf: number }
  | { readonly kind: 'unusable' | 'refused'; readonly summary: AttemptSummary }
) &
  Paid

export interface ValidateInput extends Visit {
  readonly attempt: number
  readonly origin: 'given' | 'mechanic' | 'model'
  readonly strategy: string
  /** Titles of tests not to be run: set aside by a person, or generated and found wrong. */
  readonly setAside: readonly string[]
}
export type ValidateOutput =
  | { readonly kind: 'report'; readonly summary: AttemptSummary; readonly durationMs: number }
  | { readonly kind: 'environment'; readonly detail: string; readonly durationMs: number }

export interface MendInput extends Visit {
  /** The red attempt to be mended. */
  readonly attempt: number
  /** Number that the mended candidate will have. */
  readonly candidate: number
  readonly depth: 'quick' | 'search'
  readonly maxCandidates: number
  /** What is left to the mechanic and to the run; like `left` it does not identify the step. */
  readonly maxTimeMs: number
  readonly setAside: readonly string[]
}
export type MendOutput = (
  | { readonly kind: 'candidate' }
  | { readonly kind: 'duplicate'; readonly duplicateOf: number }
  | { readonly kind: 'nothing' }
) & { readonly tried: number; readonly durationMs: number }

export interface AnalyzeInput extends Visit {
  readonly attempt: number
  /** Tests red in two successive distinct candidates and not reviewed yet; a diagnosis may back the code against them. */
  readonly suspects: readonly string[]
}
/** An unparsable diagnosis is plain text with `backsCode: false`. */
export type AnalyzeOutput = ({ readonly kind: 'diagnosis'; readonly backsCode: boolean } | { readonly kind: 'none' }) &
  Paid

export interface TestReviewInput extends Visit {
  readonly attempt: number
  /** Each is reviewed once a run. */
  readonly tests: readonly string[]
}
export interface TestVerdict {
  readonly test: string
  readonly verdict: 'code_wrong' | 'test_wrong' | 'unclear'
}
export type TestReviewOutput = { readonly verdicts: readonly TestVerdict[] } & Paid

export interface TrustInput extends Visit {
  readonly attempt: number
  readonly setAside: readonly string[]
}
export type TrustOutput = (
  | { readonly kind: 'measured'; readonly level: TrustLevel }
  | { readonly kind: 'unmeasured' }
) & { readonly durationMs: number }

export interface ReviewInput extends Visit {
  readonly attempt: number
}
export type ReviewOutput = { readonly verdict: 'accept' | 'repair' | 'escalate' } & Paid

export interface AwaitHumanInput extends Visit {
  readonly reason: Reason
  readonly best: number | null
  /** Green attempt that `approve` would accept; null if there is none. */
  readonly approvable: number | null
  /** Given tests held to be wrong, which `approve` sets aside (if nothing is green). */
  readonly disputed: readonly string[]
  readonly hintsLeft: number
  /** Budgets that a hint must raise to be taken. */
  readonly spent: readonly SpentBudget[]
}
export type SpentBudget = 'tokens' | 'cost' | 'time'
/** New limits, not increments; one that is not above the old one counts for nothing. */
export interface BudgetRaise {
  readonly maxTokens?: number
  readonly maxCostUsd?: number
  readonly maxTimeMs?: number
}
/** A person's answer, the result of the step `await_human/<visit>`. */
export type HumanAnswer =
  | { readonly answer: 'approve'; readonly by: string; readonly why: string }
  | { readonly answer: 'hint'; readonly by: string; readonly hint: string; readonly raise?: BudgetRaise }
  | { readonly answer: 'reject'; readonly by: string; readonly why: string }
