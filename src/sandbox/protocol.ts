import { z } from 'zod'
import type { Job, Outcome, SearchOutcome, TestCaseOutcome } from './types.ts'

/**
 * What parent and child say to each other, one frame each: four bytes of length (little-endian), then JSON.
 * JSON and not v8's own serialisation, because a child that fell to its guest writes what it likes, and
 * JSON.parse gives nothing but plain data. The first frame to a child is not JSON: it holds the harness's snapshot as it is,
 * or nothing, and then the child makes one and gives it back.
 */
export type ToChild =
  | { readonly type: 'probe'; readonly targets: ProbeTargets }
  | { readonly type: 'run'; readonly id: number; readonly job: Job }

export type FromChild =
  /** @param snapshot of the harness, base64; given by a child that had none, before it has met any guest */
  | { readonly type: 'ready'; readonly snapshot: string | null }
  | { readonly type: 'probed'; readonly findings: ProbeFindings }
  | { readonly type: 'running'; readonly id: number; readonly name: string }
  | { readonly type: 'console'; readonly id: number; readonly text: string; readonly stream: 'out' | 'err' }
  | { readonly type: 'test'; readonly id: number; readonly test: TestCaseOutcome }
  | { readonly type: 'variant'; readonly id: number; readonly variant: SearchOutcome['variants'][number] }
  | { readonly type: 'done'; readonly id: number; readonly outcome: GuestOutcomeOfAny }
  /** The driver itself failed: a bug or a broken installation, never the guest's doing. */
  | { readonly type: 'failed'; readonly id: number; readonly message: string }

/** An outcome of any kind, before the parent stamps the level of isolation on it. */
export type GuestOutcomeOfAny =
  Outcome<Job> extends infer O ? (O extends unknown ? Omit<O, 'isolation'> : never) : never

/** What a new child is told to try, so that its walls are seen to hold. */
export interface ProbeTargets {
  /** A file of the host that the child must not be able to read. */
  readonly readPath: string
  /** A folder of the host in which the child must not be able to create a file. */
  readonly writeFolder: string
  /** A port on the host's loopback with a listener. */
  readonly port: number
  /** Starts so many processes at once; the limit must stop one of them. */
  readonly forks: number
}

/** What the child could do of what it was told to try. */
export interface ProbeFindings {
  readonly read: boolean
  readonly write: boolean
  readonly connect: boolean
  readonly fork: boolean
  /** Sees processes other than its own. */
  readonly processes: boolean
  readonly capabilities: string
}

const text = z.string()
const whole = z.number().int()

const guestErrorFields = {
  name: text,
  message: text,
  stack: text,
  expected: text.optional(),
  actual: text.optional(),
  diff: text.optional(),
  operator: text.optional(),
  code: text.optional(),
  thrown: text.optional(),
}
/** Causes are nested eight deep at most; a deeper one is dropped, so that a forged frame cannot exhaust the stack. */
const guestErrorSchema = Array.from({ length: 8 }).reduce<z.ZodType>(
  (cause) => z.object({ ...guestErrorFields, cause: cause.optional() }),
  z.object(guestErrorFields),
)

const testCaseSchema = z.object({
  name: text,
  file: text,
  status: z.enum(['passed', 'failed', 'skipped']),
  durationMs: z.number(),
  errors: z.array(guestErrorSchema),
  neverSettles: z.boolean().optional(),
  timedOut: z.boolean().optional(),
  coverage: z.array(whole).optional(),
})

const variantSchema = z.object({
  variant: whole,
  passed: z.array(whole),
  total: whole,
  timedOut: z.boolean(),
  checks: whole.optional(),
})

const endSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('completed') }),
  z.object({ kind: z.literal('timeout'), which: z.enum(['cpu', 'wall']) }),
  z.object({ kind: z.literal('memory') }),
  z.object({ kind: z.literal('output') }),
  z.object({ kind: z.literal('crash'), detail: text }),
  z.object({ kind: z.literal('environment'), detail: text }),
])

const outcomeSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('test'),
    end: endSchema,
    cases: z.array(testCaseSchema),
    errors: z.array(
      z.object({
        phase: z.enum(['load-candidate', 'load-tests', 'hook', 'unhandled']),
        file: text.optional(),
        error: guestErrorSchema,
      }),
    ),
    runningTest: text.optional(),
    console: text,
    consoleTruncated: z.boolean(),
    durationMs: z.number(),
  }),
  z.object({
    kind: z.literal('program'),
    end: endSchema,
    error: guestErrorSchema.optional(),
    stdout: text,
    stderr: text,
    exitCode: whole,
    result: text.optional(),
    durationMs: z.number(),
  }),
  z.object({
    kind: z.literal('search'),
    end: endSchema,
    variants: z.array(variantSchema),
    durationMs: z.number(),
  }),
])

const fromChildSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready'), snapshot: text.nullable() }),
  z.object({
    type: z.literal('probed'),
    findings: z.object({
      read: z.boolean(),
      write: z.boolean(),
      connect: z.boolean(),
      fork: z.boolean(),
      processes: z.boolean(),
      capabilities: text,
    }),
  }),
  z.object({ type: z.literal('running'), id: whole, name: text }),
  z.object({ type: z.literal('console'), id: whole, text, stream: z.enum(['out', 'err']) }),
  z.object({ type: z.literal('test'), id: whole, test: testCaseSchema }),
  z.object({ type: z.literal('variant'), id: whole, variant: variantSchema }),
  z.object({ type: z.literal('done'), id: whole, outcome: outcomeSchema }),
  z.object({ type: z.literal('failed'), id: whole, message: text }),
])

/** A child that breaks the protocol is not asked again; the message says how it broke it. */
export class ProtocolViolation extends Error {
  override readonly name = 'ProtocolViolation'
}

/** Parses one frame of a child; throws ProtocolViolation for anything but a message of the protocol. */
export function parseFromChild(frame: Buffer): FromChild {
  let value: unknown
  try {
    value = JSON.parse(frame.toString('utf8'))
  } catch (cause) {
    throw new ProtocolViolation('a frame is not JSON', { cause })
  }
  const parsed = fromChildSchema.safeParse(value)
  if (!parsed.success) throw new ProtocolViolation(`a frame is no message: ${describe(parsed.error)}`)
  // The schemas spell the same shapes as the types; zod says `| undefined` where exactOptionalPropertyTypes has none,
  // and what came out of JSON never holds undefined.
  return parsed.data as FromChild
}

/** Where it went wrong, without any text of the guest. */
function describe(error: z.ZodError): string {
  const issue = error.issues[0]
  return issue ? `${issue.code} at ${issue.path.join('.').slice(0, 80)}` : 'unknown'
}
