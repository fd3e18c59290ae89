import type { Dialect } from './memory.ts'
import type { ModelMessage, ModelRequest } from './types.ts'

interface WireMessage {
  readonly role: 'system' | 'developer' | 'user' | 'assistant'
  readonly content: string
}

/** The body of POST /chat/completions. */
export interface WireBody {
  readonly model: string
  readonly messages: readonly WireMessage[]
  readonly temperature?: number
  readonly max_tokens?: number
  readonly max_completion_tokens?: number
  readonly n?: number
  readonly response_format?: Readonly<Record<string, unknown>>
  readonly stream?: boolean
  readonly stream_options?: { readonly include_usage: true }
}

/** What is sent for a request in a provider's dialect. Pure. */
export function toWireBody(
  model: string,
  request: Pick<ModelRequest, 'messages' | 'temperature' | 'maxOutputTokens' | 'json'>,
  choices: number,
  dialect: Dialect,
): WireBody {
  const cap =
    request.maxOutputTokens === undefined
      ? undefined
      : Math.min(request.maxOutputTokens, dialect.outputLimit ?? Number.POSITIVE_INFINITY)
  return {
    model,
    messages: toWireMessages(withJsonDemand(request.messages, request.json, dialect.json), dialect),
    ...(request.temperature !== undefined && dialect.temperature ? { temperature: request.temperature } : {}),
    ...(cap !== undefined && dialect.outputCap !== 'none' ? { [dialect.outputCap]: cap } : {}),
    ...(choices > 1 ? { n: choices } : {}),
    ...toResponseFormat(request.json, dialect.json),
    ...(dialect.stream ? { stream: true } : {}),
    ...(dialect.stream && dialect.streamOptions ? { stream_options: { include_usage: true } as const } : {}),
  }
}

function toResponseFormat(json: ModelRequest['json'], level: Dialect['json']): Pick<WireBody, 'response_format'> {
  if (json === undefined || level === 'text') return {}
  if (level === 'object') return { response_format: { type: 'json_object' } }
  const strict = isStrictSchema(json.schema)
  return { response_format: { type: 'json_schema', json_schema: { name: json.name, schema: json.schema, strict } } }
}

/**
 * OpenAI's strict mode wants every object closed and every member required, and refuses the schema otherwise
 * (platform.openai.com/docs/guides/structured-outputs, "Supported schemas").
 */
function isStrictSchema(schema: unknown): boolean {
  if (Array.isArray(schema)) return schema.every(isStrictSchema)
  if (typeof schema !== 'object' || schema === null) return true
  // The cast says only that members are unknown.
  const node = schema as Readonly<Record<string, unknown>>
  if (typeof node.properties === 'object' && node.properties !== null) {
    const required = Array.isArray(node.required) ? node.required : []
    if (node.additionalProperties !== false) return false
    if (Object.keys(node.properties).some((name) => !required.includes(name))) return false
  } else if (node.type === 'object') return false
  return Object.values(node).every(isStrictSchema)
}

/** Where the endpoint does not enforce the schema, the prompt asks for it; JSON mode demands the word JSON in a message. */
function withJsonDemand(
  messages: readonly ModelMessage[],
  json: ModelRequest['json'],
  level: Dialect['json'],
): readonly ModelMessage[] {
  if (json === undefined || level === 'schema') return messages
  const shape = `JSON Schema of the answer:\n${JSON.stringify(json.schema)}`
  const demand =
    level === 'object'
      ? `Answer with one JSON object and nothing else. ${shape}`
      : `Answer with one JSON object in a \`\`\`json fence and nothing else. ${shape}`
  const last = messages.findLastIndex((message) => message.role === 'user')
  if (last === -1) return [...messages, { role: 'user', content: demand }]
  return messages.map((message, index) =>
    index === last ? { role: message.role, content: `${message.content}\n\n${demand}` } : message,
  )
}

function toWireMessages(messages: readonly ModelMessage[], dialect: Dialect): readonly WireMessage[] {
  const named = messages.map(
    (message): WireMessage => ({
      role: message.role === 'system' ? dialect.system : message.role,
      content: message.content,
    }),
  )
  if (dialect.system !== 'user' && !dialect.alternate) return named
  // Strict chat templates want user and assistant in turn: neighbours of one role become one message.
  const merged: WireMessage[] = []
  for (const message of named) {
    const before = merged.at(-1)
    if (before?.role === message.role) {
      merged[merged.length - 1] = { role: before.role, content: `${before.content}\n\n${message.content}` }
    } else merged.push(message)
  }
  return merged
}
