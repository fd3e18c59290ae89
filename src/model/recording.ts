import { z } from 'zod'
import { usageSchema } from '../domain/result.ts'
import { taskSchema } from '../domain/task.ts'
import { type ErrorCode, errorCodes, RedgreenError } from '../errors.ts'
import { estimateTokens } from './tokens.ts'
import type { Model, ModelCompletion, ModelReply, ModelRole } from './types.ts'

const roleSchema = z.enum(['generate', 'analyze', 'test_review', 'review', 'write_tests'])
const finishSchema = z.enum(['stop', 'length', 'content_filter', 'refusal', 'tool_calls', 'unknown'])

const replySchema = z.strictObject({
  /** Text, or its lines, which are easier to read and to compare in a file. */
  content: z.union([z.string(), z.array(z.string())]),
  reasoning: z.string().optional(),
  refusal: z.string().optional(),
  toolCalls: z.array(z.strictObject({ name: z.string(), arguments: z.string() })).optional(),
  finish: finishSchema.default('stop'),
})

/** The names of all error codes; the cast says that keys of the list are its codes. */
const codes = Object.keys(errorCodes) as [ErrorCode, ...ErrorCode[]]

const recordedCallSchema = z.union([
  z.strictObject({
    role: roleSchema,
    model: z.string().optional(),
    replies: z.array(replySchema).min(1),
    usage: usageSchema,
    durationMs: z.number().nonnegative().default(0),
  }),
  /** A call that failed for good. */
  z.strictObject({ role: roleSchema, error: z.strictObject({ code: z.enum(codes), message: z.string() }) }),
])

/** What a model said in a run, without prompts, addresses, headers or keys. */
export const recordingSchema = z.strictObject({
  version: z.literal(1),
  /** For people: what this is, and that the replies are recorded. */
  note: z.string().default(''),
  /** The task it was recorded for. */
  task: taskSchema.optional(),
  calls: z.array(recordedCallSchema),
})
export type Recording = z.output<typeof recordingSchema>
type RecordedCall = Recording['calls'][number]

/**
 * Reads a recording file.
 *
 * @throws RedgreenError RECORDING_INVALID that says where it is wrong
 */
export function parseRecording(text: string): Recording {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw new RedgreenError('RECORDING_INVALID', 'the recording is not JSON: expected a file written by --record', {
      cause,
    })
  }
  return toRecording(value)
}

function toRecording(value: unknown): Recording {
  const parsed = recordingSchema.safeParse(value)
  if (parsed.success) return parsed.data
  const version = typeof value === 'object' && value !== null && 'version' in value ? value.version : undefined
  if (typeof version === 'number' && version !== 1) {
    throw new RedgreenError('RECORDING_INVALID', `the recording has version ${version}; this redgreen reads version 1`)
  }
  const issue = parsed.error.issues[0]
  throw new RedgreenError(
    'RECORDING_INVALID',
    `the recording is wrong at ${issue?.path.join('.') || 'its top'}: ${issue?.message ?? 'not valid'}`,
  )
}

/** The text of a recording file: JSON, indented, long texts as lists of lines. Parses back to the same recording but for that. */
export function formatRecording(recording: z.input<typeof recordingSchema>): string {
  const calls = recording.calls.map((call) =>
    'replies' in call
      ? { ...call, replies: call.replies.map((reply) => ({ ...reply, content: toLines(reply.content) })) }
      : call,
  )
  return `${JSON.stringify({ ...recording, calls }, null, 2)}\n`
}

function toLines(content: string | readonly string[]): string | readonly string[] {
  return typeof content === 'string' && content.includes('\n') ? content.split('\n') : content
}

/** Where recorded calls go, in the order in which the calls were begun. */
export type RecordingSink = (call: RecordedCall, index: number) => void

export interface Recorder {
  readonly sink: RecordingSink
  /** What was recorded so far; calls that have not ended are left out. */
  recording(): Recording
}

/** Gathers calls of one or several models into one recording. */
export function createRecorder(
  options: { readonly note?: string; readonly task?: z.input<typeof taskSchema> } = {},
): Recorder {
  const calls: { readonly order: number; readonly call: RecordedCall }[] = []
  return {
    sink: (call, order) => void calls.push({ order, call }),
    recording: () => ({
      version: 1,
      note: options.note ?? 'Replies of a model, recorded by redgreen. Replaying them asks no model.',
      ...(options.task === undefined ? {} : { task: taskSchema.parse(options.task) }),
      calls: [...calls].sort((a, b) => a.order - b.order).map(({ call }) => call),
    }),
  }
}

/** Calls are numbered over all models of the process, so that several that share a recorder stay in their order. */
let begun = 0

/** The model, with what it says handed to `sink`. Aborted calls are not recorded: they never ended. */
export function recordModel(model: Model, sink: RecordingSink): Model {
  return {
    name: model.name,
    estimateTokens: (text) => model.estimateTokens(text),
    complete: async (request, options) => {
      const order = begun++
      const { role } = request
      try {
        const completion = await model.complete(request, options)
        sink(
          {
            role,
            model: completion.model,
            replies: completion.replies.map(copyReply),
            usage: completion.usage,
            durationMs: completion.durationMs,
          },
          order,
        )
        return completion
      } catch (error) {
        if (RedgreenError.isInstance(error) && error.code !== 'ABORTED') {
          sink({ role, error: { code: error.code, message: error.message } }, order)
        }
        throw error
      }
    },
  }
}

function copyReply(reply: ModelReply): z.output<typeof replySchema> {
  return { ...reply, toolCalls: reply.toolCalls?.map((call) => ({ ...call })) }
}

export interface ReplayModel extends Model {
  /** Calls that the run has not asked for, one line per role; empty when all was used. */
  unused(): readonly string[]
}

/**
 * A model that says again what was recorded, per role in order, at once. Usage and durations are the recorded ones.
 * A call that the recording does not hold rejects with RECORDING_INVALID, which says what was asked and what is left.
 *
 * @throws RedgreenError RECORDING_INVALID for a value that is no recording
 */
export function replayModel(recording: z.input<typeof recordingSchema>): ReplayModel {
  const { calls } = toRecording(recording)
  const used = new Map<ModelRole, number>()
  const ofRole = (role: ModelRole) => calls.filter((call) => call.role === role)
  const unused = () =>
    roleSchema.options.flatMap((role) => {
      const left = ofRole(role).length - (used.get(role) ?? 0)
      return left > 0 ? [`${left} of ${ofRole(role).length} ${role} calls`] : []
    })
  return {
    name: 'recording',
    estimateTokens,
    unused,
    complete: async (request, { signal, onDelta } = {}) => {
      if (signal?.aborted) throw new RedgreenError('ABORTED', 'the model call was aborted')
      const at = used.get(request.role) ?? 0
      const call = ofRole(request.role)[at]
      if (call === undefined) {
        const left = unused()
        throw new RedgreenError(
          'RECORDING_INVALID',
          `the run asks for ${request.role} call ${at + 1}, but the recording holds ${ofRole(request.role).length} of them` +
            `${left.length > 0 ? ` (left are ${left.join(', ')})` : ''}: it was recorded for another task, policy or version`,
          { detail: { role: request.role, asked: at + 1, recorded: ofRole(request.role).length } },
        )
      }
      used.set(request.role, at + 1)
      if ('error' in call) throw new RedgreenError(call.error.code, call.error.message)
      const replies = call.replies.map(toReply)
      const said = replies[0]?.content ?? ''
      if (said !== '') onDelta?.(said)
      return {
        replies,
        model: call.model ?? 'recording',
        usage: call.usage,
        durationMs: call.durationMs,
      } satisfies ModelCompletion
    },
  }
}

function toReply({ content, reasoning, refusal, toolCalls, finish }: z.output<typeof replySchema>): ModelReply {
  return {
    content: typeof content === 'string' ? content : content.join('\n'),
    ...(reasoning === undefined ? {} : { reasoning }),
    ...(refusal === undefined ? {} : { refusal }),
    ...(toolCalls === undefined ? {} : { toolCalls }),
    finish,
  }
}
