import { z } from 'zod'
import { trustLevelSchema } from './policy.ts'
import { reportSchema } from './report.ts'
import { fileMapSchema } from './task.ts'

/** Tokens and cost, in the provider's figures or estimates (then marked). */
export const usageSchema = z.strictObject({
  promptTokens: z.number().int().nonnegative(),
  completionTokens: z.number().int().nonnegative(),
  calls: z.number().int().nonnegative(),
  /** Null where the price is not known. */
  costUsd: z.number().nonnegative().nullable(),
  estimated: z.boolean(),
})
export type Usage = z.infer<typeof usageSchema>

export const reviewSchema = z.strictObject({
  verdict: z.enum(['accept', 'repair', 'escalate']),
  score: z.number().min(1).max(10),
  findings: z.array(
    z.strictObject({
      severity: z.enum(['critical', 'warning', 'info']),
      category: z.string(),
      file: z.string(),
      line: z.number().int(),
      description: z.string(),
      suggestion: z.string(),
      evidence: z.string(),
    }),
  ),
})
export type Review = z.infer<typeof reviewSchema>

/** How far a green result may be believed. */
export const trustSchema = z.strictObject({
  /** The tests fail on an empty implementation of the same signature. */
  stubFails: z.boolean(),
  mutants: z.strictObject({
    killed: z.number().int(),
    total: z.number().int(),
    survivors: z.array(z.strictObject({ file: z.string(), line: z.number().int(), change: z.string() })),
  }),
  repeats: z.strictObject({ runs: z.number().int(), flaky: z.array(z.string()) }),
  suspicions: z.array(z.string()),
  level: trustLevelSchema,
})
export type Trust = z.infer<typeof trustSchema>

export const originSchema = z.enum(['given', 'mechanic', 'model'])
export type Origin = z.infer<typeof originSchema>

/** One candidate with its strategy, report, usage and duration. */
export const attemptSchema = z.strictObject({
  number: z.number().int().nonnegative(),
  origin: originSchema,
  /** 'given', 'mechanic', 'direct', 'plan-first', 'different-approach' or a user's own. */
  strategy: z.string(),
  basedOn: z.number().int().optional(),
  duplicateOf: z.number().int().optional(),
  files: fileMapSchema,
  report: reportSchema,
  plan: z.array(z.strictObject({ description: z.string(), expectedOutput: z.string() })).optional(),
  diagnosis: z.string().optional(),
  review: reviewSchema.optional(),
  alternatives: z.array(z.strictObject({ files: fileMapSchema, report: reportSchema })).optional(),
  prompt: z.strictObject({ template: z.string(), hash: z.string() }).optional(),
  /** Of this attempt's generate, analyze, test_review and review calls. */
  usage: usageSchema,
  durationMs: z.number().nonnegative(),
})
export type Attempt = z.infer<typeof attemptSchema>

export const reasonSchema = z.enum([
  'attempts',
  'tokens',
  'cost',
  'time',
  'stuck',
  'mechanic_exhausted',
  'test_disputed',
  'trust',
  'review_rejected',
  'escalated',
  'rejected',
  'environment',
  'model_unavailable',
  'model_refused',
  'aborted',
])
/** Why a run stopped short of green. */
export type Reason = z.infer<typeof reasonSchema>

export const statusSchema = z.enum(['passed', 'gave_up', 'needs_human', 'aborted'])
export type Status = z.infer<typeof statusSchema>

/** What a run gives back. */
export const resultSchema = z.strictObject({
  schemaVersion: z.literal(1),
  runId: z.string(),
  status: statusSchema,
  /** True only with status `passed`. */
  verified: z.boolean(),
  reason: reasonSchema.optional(),
  /** The accepted candidate, else the best one, else {}. */
  files: fileMapSchema,
  origin: originSchema.nullable(),
  testsOrigin: z.enum(['given', 'generated']),
  setAside: z.array(z.strictObject({ test: z.string(), by: z.string(), why: z.string() })),
  attempts: z.array(attemptSchema),
  /** Attempt number. */
  best: z.number().int().nullable(),
  /** Of the returned files. */
  report: reportSchema.nullable(),
  trust: trustSchema.optional(),
  usage: usageSchema,
  durationMs: z.number().nonnegative(),
  /** States visited, in order. */
  path: z.array(z.string()),
  /** Markdown for a person, with status gave_up or needs_human. */
  handover: z.string().optional(),
})
export type Result = z.infer<typeof resultSchema>

export const noUsage: Usage = { promptTokens: 0, completionTokens: 0, calls: 0, costUsd: 0, estimated: false }

/** The sum of two usages; a cost not known in either is not known in the sum. */
export function addUsage(a: Usage, b: Usage): Usage {
  return {
    promptTokens: a.promptTokens + b.promptTokens,
    completionTokens: a.completionTokens + b.completionTokens,
    calls: a.calls + b.calls,
    costUsd: a.costUsd === null || b.costUsd === null ? null : a.costUsd + b.costUsd,
    estimated: a.estimated || b.estimated,
  }
}
