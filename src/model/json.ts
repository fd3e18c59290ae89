import { jsonrepair } from 'jsonrepair'
import { z } from 'zod'
import { addUsage, type Usage } from '../domain/result.ts'
import { RedgreenError } from '../errors.ts'
import { chargeFailure } from './charged.ts'
import type { Model, ModelCallOptions, ModelMessage, ModelReply, ModelRequest } from './types.ts'

export interface JsonOptions extends ModelCallOptions {
  /** Name of the schema at the endpoint; default that of `request.json`, else `answer`. */
  readonly name?: string
}

export interface JsonCompletion<T> {
  readonly value: T
  /** Of all asks together. */
  readonly usage: Usage
  readonly durationMs: number
}

/** First ask, then twice more with the parser's complaint, the last time without any response format. */
const MAX_ASKS = 3
/** Longest piece of an answer that is looked through for JSON, in characters; a greater one is no answer to a question here. */
const MAX_JSON_LENGTH = 1_000_000
const MAX_COMPLAINT = 600
/** Fences, and outermost braces, that are looked at in one text. */
const MAX_PIECES = 50

/**
 * Asks for JSON of a schema and gives back the parsed value. The endpoint's own fallbacks (schema, JSON mode, plain text) are the
 * model's; here the text is read tolerantly (thoughts, fences, prose around it, comments, single quotes, trailing commas), and
 * where it does not fit the model is asked again with the complaint.
 *
 * @throws RedgreenError MODEL_REPLY_UNPARSABLE after the third answer (`detail.usage`, `detail.complaint`), and what `complete` throws
 */
export async function completeJson<S extends z.ZodType>(
  model: Model,
  request: ModelRequest,
  schema: S,
  { name, ...options }: JsonOptions = {},
): Promise<JsonCompletion<z.output<S>>> {
  // JSON Schema has no word for what only a parser can check; `any` leaves such members open.
  const shape = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  const json = request.json ?? { name: name ?? 'answer', schema: shape }
  let messages: readonly ModelMessage[] = request.messages
  let usage: Usage | undefined
  let durationMs = 0
  let complaint = ''
  for (let ask = 1; ask <= MAX_ASKS; ask++) {
    const isLast = ask === MAX_ASKS
    const { json: _, ...plain } = request
    const completion = await model
      .complete(
        isLast ? { ...plain, messages: withSchema(messages, json.schema) } : { ...request, messages, json },
        leftOf(options, durationMs),
      )
      .catch((error: unknown) => {
        throw chargeFailure(error, usage)
      })
    usage = usage === undefined ? completion.usage : addUsage(usage, completion.usage)
    durationMs += completion.durationMs
    const reply = completion.replies[0]
    const reading = readJson(textsOf(reply), schema)
    if (reading.ok) return { value: reading.value, usage, durationMs }
    complaint =
      reply?.finish === 'length' ? `the answer was cut off before its end; ${reading.complaint}` : reading.complaint
    messages = [
      ...request.messages,
      { role: 'assistant', content: clip(reply?.content || reply?.refusal || '(no answer)', 20_000) },
      {
        role: 'user',
        content: `That answer cannot be used: ${complaint}. Answer again, with one JSON object of the wanted schema and nothing else.`,
      },
    ]
  }
  throw new RedgreenError(
    'MODEL_REPLY_UNPARSABLE',
    `${model.name} gave no usable JSON in ${MAX_ASKS} answers: ${complaint}. Another model may do better at this role`,
    { detail: { role: request.role, complaint, ...(usage === undefined ? {} : { usage }) } },
  )
}

function leftOf(options: ModelCallOptions, usedMs: number): ModelCallOptions {
  return options.deadlineMs === undefined ? options : { ...options, deadlineMs: options.deadlineMs - usedMs }
}

function withSchema(messages: readonly ModelMessage[], schema: unknown): readonly ModelMessage[] {
  const last = messages.length - 1
  return messages.map((message, index) =>
    index === last ? { ...message, content: `${message.content}\n\nThe schema:\n${JSON.stringify(schema)}` } : message,
  )
}

/** Where an answer may be: the text, a tool call that the model made up for it, or, with no text at all, its thoughts. */
function textsOf(reply: ModelReply | undefined): readonly string[] {
  if (reply === undefined) return []
  const texts = [reply.content, ...(reply.toolCalls ?? []).map((call) => call.arguments)]
  return [...texts, ...(reply.content.trim() === '' ? [reply.reasoning ?? ''] : [])].filter(
    (text) => text.trim() !== '',
  )
}

type Reading<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly complaint: string }

/** The first value of the schema that the texts hold; else what was wrong with the likeliest candidate. Never throws. */
export function readJson<S extends z.ZodType>(texts: readonly string[], schema: S): Reading<z.output<S>> {
  let complaint = 'it holds no JSON'
  let isTelling = false
  for (const text of texts) {
    for (const candidate of candidatesOf(text.slice(0, MAX_JSON_LENGTH))) {
      const parsed = schema.safeParse(candidate.value)
      if (parsed.success) return { ok: true, value: parsed.data }
      if (isTelling) continue
      complaint = clip(describe(parsed.error), MAX_COMPLAINT)
      isTelling = true
    }
    if (!isTelling) complaint = clip(whyNot(text), MAX_COMPLAINT)
  }
  return { ok: false, complaint }
}

/** JSON values in a text, likeliest first: the whole, fences, then every outermost brace or bracket; at last all of it mended. */
function* candidatesOf(text: string): Generator<{ readonly value: unknown }> {
  const answer = text
    .replace(/^[\s\S]*<\/think(?:ing)?>/i, '')
    .replace(/^\uFEFF/, '')
    .trim()
  const pieces = [answer, ...fencesOf(answer), ...braceSpansOf(answer)]
  for (const piece of pieces) {
    const value = attempt(() => JSON.parse(piece))
    if (value !== undefined) yield* unwrap(value.value)
  }
  for (const piece of pieces) {
    // Mending prose would make a string of it, which is nobody's answer.
    if (!/^\s*[[{]/.test(piece)) continue
    const value = attempt(() => JSON.parse(jsonrepair(piece)))
    if (value !== undefined) yield* unwrap(value.value)
  }
}

/** The value, what a string holds that is JSON itself, and the one member under which some wrap an answer. */
function* unwrap(value: unknown): Generator<{ readonly value: unknown }> {
  yield { value }
  if (typeof value === 'string') {
    const inner = attempt(() => JSON.parse(value))
    if (inner !== undefined) yield inner
  }
  if (Array.isArray(value)) {
    if (value.length === 1) yield { value: value[0] }
  } else if (typeof value === 'object' && value !== null) {
    const members: unknown[] = Object.values(value)
    if (members.length === 1) yield { value: members[0] }
  }
}

function attempt(parse: () => unknown): { readonly value: unknown } | undefined {
  try {
    return { value: parse() }
  } catch {
    // Not JSON: the next candidate may be.
    return undefined
  }
}

/** Bodies of fences, line by line, since a pattern over the whole would take quadratic time on a page of backticks. */
function fencesOf(text: string): string[] {
  const bodies: string[] = []
  let mark = ''
  let body: string[] | undefined
  for (const line of text.split('\n')) {
    const found = /^[ \t]*(`{3,}|~{3,})/.exec(line)?.[1]
    if (body === undefined) {
      if (found === undefined) continue
      mark = found
      body = []
    } else if (found !== undefined && found[0] === mark[0] && found.length >= mark.length) {
      bodies.push(body.join('\n'))
      body = undefined
    } else body.push(line)
    if (bodies.length >= MAX_PIECES) return bodies
  }
  if (body !== undefined) bodies.push(body.join('\n'))
  return bodies
}

/** Outermost `{…}` and `[…]`, strings skipped; the last one may be unclosed. Linear in the text, and of bounded number. */
function braceSpansOf(text: string): string[] {
  const spans: string[] = []
  let depth = 0
  let from = -1
  let quoted = false
  for (let at = 0; at < text.length && spans.length < MAX_PIECES; at++) {
    const char = text[at]
    if (quoted) {
      if (char === '\\') at++
      else if (char === '"') quoted = false
    } else if (char === '"') quoted = depth > 0
    else if (char === '{' || char === '[') {
      if (depth++ === 0) from = at
    } else if ((char === '}' || char === ']') && depth > 0 && --depth === 0) spans.push(text.slice(from, at + 1))
  }
  if (depth > 0) spans.push(text.slice(from))
  return spans.sort((a, b) => b.length - a.length)
}

function describe(error: z.ZodError): string {
  return error.issues
    .slice(0, 5)
    .map((issue) => `${issue.path.length === 0 ? 'the whole' : issue.path.join('.')}: ${issue.message}`)
    .join('; ')
}

/** What a strict parser says about the likeliest piece. */
function whyNot(text: string): string {
  const piece = braceSpansOf(text)[0]
  if (piece === undefined) return 'it holds no JSON'
  try {
    JSON.parse(piece)
    return 'it holds JSON of another schema'
  } catch (error) {
    return error instanceof Error ? error.message : 'it is not JSON'
  }
}

function clip(text: string, limit: number): string {
  return text.length > limit ? `${text.slice(0, limit)}…` : text
}
