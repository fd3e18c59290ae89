/** What each port is asked, read from the context. Pure. */

import { budgetLeft, spentBudgets } from './policy.ts'
import type * as ports from './ports.ts'
import type { SolveContext, SolveState } from './solve.context.ts'
import { approvableAttempt, bestOf } from './solve.outcome.ts'
import { suspectsOf } from './solve.settle.ts'

type Args = { readonly context: SolveContext }

const visit = (context: SolveContext, state: SolveState) => ({
  visit: context.visits[state] ?? 0,
  left: budgetLeft(context),
})

/** Number of the attempt in hand. Each state that asks for it is entered with one. */
const attempt = (context: SolveContext) => context.current?.number ?? context.lastNumber

const setAside = (context: SolveContext) => context.setAside.map((entry) => entry.test)

export const writeTestsInput = ({ context }: Args): ports.WriteTestsInput => visit(context, 'write_tests')

export function generateInput({ context }: Args): ports.GenerateInput {
  if (context.plan === null) throw new Error('generate was entered without a plan')
  return { ...visit(context, 'generate'), ...context.plan, attempt: context.lastNumber + 1 }
}

export const validateInput = ({ context }: Args): ports.ValidateInput => ({
  ...visit(context, 'validate'),
  attempt: attempt(context),
  origin: context.current?.origin ?? 'model',
  strategy: context.current?.strategy ?? '',
  setAside: setAside(context),
})

export function mendInput({ context }: Args): ports.MendInput {
  const { mode, maxCandidates, maxTimeMs } = context.policy.mechanic
  const base = visit(context, 'mend')
  const isSearch = mode === 'only' || (mode === 'first' && context.current?.origin === 'given')
  return {
    ...base,
    attempt: attempt(context),
    candidate: context.lastNumber + 1,
    depth: isSearch ? 'search' : 'quick',
    maxCandidates: maxCandidates - context.mechanicTried,
    maxTimeMs: Math.min(maxTimeMs - context.mechanicMs, base.left.timeMs),
    setAside: setAside(context),
  }
}

export const analyzeInput = ({ context }: Args): ports.AnalyzeInput => ({
  ...visit(context, 'analyze'),
  attempt: attempt(context),
  suspects: suspectsOf(context),
})

export const testReviewInput = ({ context }: Args): ports.TestReviewInput => ({
  ...visit(context, 'test_review'),
  attempt: attempt(context),
  tests: suspectsOf(context),
})

export const trustInput = ({ context }: Args): ports.TrustInput => ({
  ...visit(context, 'trust'),
  attempt: attempt(context),
  setAside: setAside(context),
})

export const reviewInput = ({ context }: Args): ports.ReviewInput => ({
  ...visit(context, 'review'),
  attempt: attempt(context),
})

export function awaitHumanInput({ context }: Args): ports.AwaitHumanInput {
  const isDisputed = context.reason === 'test_disputed'
  return {
    ...visit(context, 'await_human'),
    reason: context.reason ?? 'environment',
    best: bestOf(context)?.number ?? null,
    approvable: isDisputed ? null : approvableAttempt(context),
    disputed: isDisputed ? context.disputed : [],
    hintsLeft: Math.max(0, context.policy.maxHints - context.hints),
    spent: spentBudgets(context),
  }
}
