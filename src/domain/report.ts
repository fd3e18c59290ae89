import { z } from 'zod'

/** The built-in layers, in the order in which they are run. */
export const builtInLayers = ['extract', 'syntax', 'imports', 'types', 'policy', 'tests', 'hidden'] as const

export const failureKindSchema = z.enum([
  'reply',
  'syntax',
  'dependency',
  'type',
  'policy',
  'runtime',
  'logic',
  'timeout',
  'memory',
  'output',
  'crash',
  'test',
  'environment',
])
export type FailureKind = z.infer<typeof failureKindSchema>

/** One defect, purified. */
export const failureSchema = z.strictObject({
  layer: z.string(),
  kind: failureKindSchema,
  severity: z.enum(['error', 'warning']),
  /** One purified line. */
  message: z.string(),
  /** TS2322, ENOENT, SQLSTATE … */
  code: z.string().optional(),
  /** 'suite > name' */
  test: z.string().optional(),
  /** The line of the test that failed. */
  assertion: z.strictObject({ file: z.string(), line: z.number().int(), source: z.string() }).optional(),
  expected: z.string().optional(),
  actual: z.string().optional(),
  diff: z.string().optional(),
  /** 1-based, in the candidate's own source. */
  location: z.strictObject({ file: z.string(), line: z.number().int(), column: z.number().int() }).optional(),
  /** Three lines either side, the line marked. */
  frame: z.string().optional(),
  hint: z.string().optional(),
  fingerprint: z.string(),
})
export type Failure = z.infer<typeof failureSchema>

export const layerStatusSchema = z.enum(['passed', 'failed', 'warned', 'skipped'])
export type LayerStatus = z.infer<typeof layerStatusSchema>

export const testStatusSchema = z.enum(['passed', 'failed', 'skipped'])
export type TestStatus = z.infer<typeof testStatusSchema>

export const isolationSchema = z.enum(['isolate+process', 'isolate+process+namespace'])
export type Isolation = z.infer<typeof isolationSchema>

/** What all layers said about one candidate. */
export const reportSchema = z.strictObject({
  passed: z.boolean(),
  layers: z.array(z.strictObject({ layer: z.string(), status: layerStatusSchema, durationMs: z.number() })),
  /** Green needs at least one passed and none failed. */
  tests: z.strictObject({
    total: z.number().int(),
    passed: z.number().int(),
    failed: z.number().int(),
    skipped: z.number().int(),
    cases: z.array(z.strictObject({ name: z.string(), status: testStatusSchema, durationMs: z.number() })),
  }),
  hidden: z.strictObject({ total: z.number().int(), passed: z.number().int() }).optional(),
  /** Most telling first. */
  failures: z.array(failureSchema),
  /** 0..1, orders attempts: further layer first, then share of tests passed. */
  score: z.number().min(0).max(1),
  /** What the code printed, cut to the limit. */
  console: z.string(),
  isolation: isolationSchema,
})
export type Report = z.infer<typeof reportSchema>
