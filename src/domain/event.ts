import { z } from 'zod'
import { failureSchema, layerStatusSchema, testStatusSchema } from './report.ts'
import { resultSchema, reviewSchema, trustSchema, usageSchema } from './result.ts'

const base = { runId: z.string(), seq: z.number().int().nonnegative(), at: z.string() }
const event = <T extends string, S extends z.ZodRawShape>(type: T, shape: S) =>
  z.strictObject({ type: z.literal(type), ...base, ...shape })

const attempt = { attempt: z.number().int().nonnegative() }

/** Everything a run says while it goes, for the iterator, `--events`, SSE and spans. */
export const eventSchema = z.discriminatedUnion('type', [
  event('run.started', {
    kind: z.enum(['solve', 'repair']),
    entry: z.string(),
    language: z.string(),
    maxAttempts: z.number().int(),
  }),
  /** `by` is the event that caused it, `guard` the guard that let it through. */
  event('state.entered', {
    state: z.string(),
    from: z.string().optional(),
    by: z.string().optional(),
    guard: z.string().optional(),
  }),
  event('tests.written', { tests: z.number().int(), files: z.array(z.string()) }),
  event('plan.written', {
    ...attempt,
    plan: z.array(z.strictObject({ description: z.string(), expectedOutput: z.string() })),
  }),
  event('model.delta', { role: z.string(), text: z.string() }),
  event('model.replied', {
    role: z.string(),
    model: z.string(),
    usage: usageSchema,
    finish: z.string(),
    durationMs: z.number(),
  }),
  event('candidate.extracted', { ...attempt, files: z.array(z.string()), strategy: z.string(), origin: z.string() }),
  event('layer.finished', { ...attempt, layer: z.string(), status: layerStatusSchema, durationMs: z.number() }),
  event('test.finished', {
    ...attempt,
    name: z.string(),
    status: testStatusSchema,
    hidden: z.boolean(),
    durationMs: z.number(),
  }),
  event('mend.progress', {
    tried: z.number().int(),
    maxCandidates: z.number().int(),
    bestPassed: z.number().int(),
    total: z.number().int(),
    note: z.string(),
  }),
  event('attempt.finished', {
    ...attempt,
    passed: z.boolean(),
    score: z.number(),
    tests: z.strictObject({ passed: z.number().int(), total: z.number().int() }),
    failures: z.array(failureSchema),
    duplicateOf: z.number().int().optional(),
  }),
  event('trust.measured', { trust: trustSchema }),
  event('review.finished', { ...attempt, review: reviewSchema }),
  event('strategy.changed', { from: z.string(), to: z.string(), why: z.string() }),
  event('budget.updated', {
    usage: usageSchema,
    elapsedMs: z.number(),
    attemptsUsed: z.number().int(),
    maxAttempts: z.number().int(),
  }),
  event('tool.called', { tool: z.string(), input: z.unknown() }),
  event('command.finished', { command: z.string(), exitCode: z.number().int().nullable(), durationMs: z.number() }),
  event('human.requested', { question: z.string() }),
  event('human.answered', { answer: z.enum(['approve', 'hint', 'reject']) }),
  event('run.finished', { result: resultSchema }),
])
export type RunEvent = z.infer<typeof eventSchema>
type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never
/** An event before the engine stamps it with run, sequence and time. */
export type RunEventBody = DistributiveOmit<RunEvent, 'runId' | 'seq' | 'at'>
