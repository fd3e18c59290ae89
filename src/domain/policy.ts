import { z } from 'zod'

/** How much of the mechanic (the repairer without a model) a run uses. */
export const mechanicModeSchema = z.enum(['off', 'quick', 'first', 'only'])
export type MechanicMode = z.infer<typeof mechanicModeSchema>

export const trustLevelSchema = z.enum(['low', 'medium', 'high'])
export type TrustLevel = z.infer<typeof trustLevelSchema>

const count = z.number().int().nonnegative()
const positive = z.number().int().positive()

/** Bounds on one candidate's run inside the sandbox. */
export const limitsSchema = z.strictObject({
  /** Processor time a candidate may burn; the clock inside is virtual. */
  cpuMs: positive.default(5_000),
  /** The parent's own clock, from start to verdict. */
  wallMs: positive.default(30_000),
  /** Heap and external memory together, above the process's own baseline. */
  memoryMiB: positive.min(8).default(256),
  /** Console is cut there and flagged; ten times that is a flood and ends the candidate. */
  outputBytes: positive.default(102_400),
  /** Source and data files together. */
  fileBytes: positive.default(10_485_760),
  tests: positive.default(5_000),
})
export type Limits = z.infer<typeof limitsSchema>

/** What a candidate may do that is otherwise a `policy` failure, and what more is denied. */
export const allowSchema = z.strictObject({
  anyCasts: z.boolean().default(false),
  tsIgnore: z.boolean().default(false),
  eval: z.boolean().default(false),
})
export type Allow = z.infer<typeof allowSchema>

/** Names that a caller forbids on top of the built-in rules; found in the syntax tree, not by pattern. */
export const denySchema = z.strictObject({
  modules: z.array(z.string()).default([]),
  globals: z.array(z.string()).default([]),
  /** Dotted callee names, e.g. `Math.random` or `console.log`. */
  calls: z.array(z.string()).default([]),
})
export type Deny = z.infer<typeof denySchema>

export const priceSchema = z.strictObject({
  inputPerMillionUsd: z.number().nonnegative(),
  outputPerMillionUsd: z.number().nonnegative(),
})
export type Price = z.infer<typeof priceSchema>

/** Budgets and choices of one run. Every member has a default but those marked optional. */
export const policySchema = z.strictObject({
  /** Model generations, not counting truncated replies asked for again. */
  maxAttempts: count.default(4),
  maxTokens: positive.optional(),
  maxCostUsd: z.number().positive().optional(),
  maxTimeMs: positive.default(600_000),
  /** Candidates asked for together and judged side by side. */
  candidates: positive.max(16).default(1),
  strategies: z.array(z.string().min(1)).min(1).default(['direct', 'plan-first', 'different-approach']),
  /** One per strategy; the last one again when used up. */
  temperatures: z.array(z.number().min(0).max(2)).min(1).default([0.2, 0.4, 0.7]),
  stuck: z.strictObject({ similarity: z.number().min(0).max(1).default(0.9) }).prefault({}),
  mechanic: z
    .strictObject({
      mode: mechanicModeSchema.optional(),
      maxCandidates: count.default(2_000),
      /** Default 60_000; 30_000 in mode `first`. */
      maxTimeMs: positive.optional(),
    })
    .prefault({}),
  trust: z
    .strictObject({
      /** 0 skips the state. */
      mutants: count.default(50),
      timeMs: positive.default(3_000),
      repeats: count.default(2),
    })
    .prefault({}),
  requireTrust: trustLevelSchema.optional(),
  validation: z.enum(['fail-fast', 'all']).default('fail-fast'),
  review: z.boolean().default(false),
  maxReviewRepairs: count.default(2),
  human: z.boolean().default(false),
  maxHints: count.default(3),
  limits: limitsSchema.prefault({}),
  /** Longest silence of a model before the call counts as failed. */
  modelTimeoutMs: positive.default(60_000),
  allow: allowSchema.prefault({}),
  deny: denySchema.prefault({}),
  price: priceSchema.optional(),
})
/** A policy with every default filled in. */
export type Policy = z.infer<typeof policySchema>
/** What a caller may give. */
export type PolicyInput = z.input<typeof policySchema>

/**
 * Lays policies over each other: later ones win, in groups (`limits`, `mechanic`, `trust` …) member by member. Nothing is
 * defaulted, so that what a layer leaves open stays open for the one beneath. Pure.
 */
export function mergePolicies(...layers: readonly (Partial<PolicyInput> | undefined)[]): Partial<PolicyInput> {
  const merged: Record<string, unknown> = {}
  for (const layer of layers) {
    for (const [name, value] of Object.entries(layer ?? {})) {
      if (value === undefined) continue
      const under = merged[name]
      merged[name] = isGroup(value) && isGroup(under) ? { ...under, ...value } : value
    }
  }
  return merged
}

const isGroup = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** What a caller wrote, once it is known to be valid; the schema's own output would have every default filled in. */
export function parsePolicyInput(
  content: unknown,
): { readonly ok: true; readonly policy: Partial<PolicyInput> } | { readonly ok: false; readonly error: z.ZodError } {
  const parsed = policySchema.partial().safeParse(content)
  // its shape has just been checked
  return parsed.success ? { ok: true, policy: content as Partial<PolicyInput> } : { ok: false, error: parsed.error }
}
