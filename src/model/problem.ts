import { fieldsOf, listOf, numberOf, parseJson, stringOf } from './fields.ts'

/** What a provider said was wrong, read from any of the shapes that error bodies have. */
export interface Problem {
  /** Of the response, or of the error itself where it came inside a stream or a body with status 200. */
  readonly status: number
  readonly message: string
  /** Machine-readable names, lower case, most specific first: code, type, status, reasons. */
  readonly codes: readonly string[]
  /** Names of refused request members, e.g. `max_tokens` or `messages[0].role`. */
  readonly params: readonly string[]
  readonly isHtml: boolean
  readonly isJson: boolean
  /** The body holds an error in a shape of an API, not just any JSON. */
  readonly isApiError: boolean
  readonly body: unknown
}

/** Longest message that is looked at, in characters: what matters stands first, and patterns run over it. */
const MAX_MESSAGE = 4_000
const clip = (message: string) => message.slice(0, MAX_MESSAGE)

/** @param text the body, already bounded */
export function readProblem(status: number, text: string): Problem {
  const body = parseJson(text)
  if (body !== undefined && typeof body === 'object') return readProblemBody(status, body)
  return {
    status,
    message: clip(typeof body === 'string' ? body : text),
    codes: [],
    params: [],
    isHtml: looksLikeHtml(text),
    isJson: body !== undefined,
    isApiError: false,
    body,
  }
}

export function looksLikeHtml(text: string): boolean {
  return /^\s*(?:<\?xml[^>]*>\s*|<!--[\s\S]{0,500}?-->\s*)*<(?:!doctype|html|head|body|title|script|meta|h1|center)\b/i.test(
    text.slice(0, 2_000),
  )
}

/** Reads an error object that is JSON already, as it comes in a stream. */
export function readProblemBody(status: number, body: unknown): Problem {
  // Gemini wraps its errors into an array.
  const outer = fieldsOf(Array.isArray(body) ? body[0] : body) ?? {}
  const inner = fieldsOf(outer.error) ?? fieldsOf(listOf(outer.errors)[0]) ?? outer
  // OpenRouter quotes the upstream's own body, which knows more.
  const quoted = fieldsOf(inner.metadata)?.raw
  const upstreamBody = typeof quoted === 'string' ? parseJson(quoted) : quoted
  const upstream = fieldsOf(upstreamBody) === undefined ? undefined : readProblemBody(status, upstreamBody)

  const codes = [
    ...[inner.code, fieldsOf(inner.innererror)?.code, inner.type, inner.status, outer.code, outer.type],
    ...listOf(inner.details).map((detail) => fieldsOf(detail)?.reason),
    typeof outer.error === 'string' ? outer.error : undefined,
  ]
    .filter((code): code is string => typeof code === 'string' && /^[\w.:-]{1,80}$/.test(code))
    .map((code) => code.toLowerCase())
  const own = messageOf(inner, outer)
  return {
    status: statusOf(status, inner, codes),
    message: clip(
      upstream && upstream.message !== '' ? (own === '' ? upstream.message : `${own}: ${upstream.message}`) : own,
    ),
    codes: [...codes, ...(upstream?.codes ?? [])],
    params: [...paramsOf(inner), ...paramsOf(outer), ...(upstream?.params ?? [])],
    isHtml: false,
    isJson: true,
    isApiError: outer.error !== undefined || inner.message !== undefined || outer.detail !== undefined,
    body,
  }
}

function messageOf(inner: Readonly<Record<string, unknown>>, outer: Readonly<Record<string, unknown>>): string {
  const direct =
    stringOf(inner.message) ??
    stringOf(outer.error) ??
    stringOf(outer.message) ??
    stringOf(outer.detail) ??
    stringOf(inner.msg)
  if (direct !== undefined) return direct
  const details = listOf(outer.detail ?? inner.detail)
    .map((detail) => stringOf(fieldsOf(detail)?.msg))
    .filter((text) => text !== undefined)
  return details.join('; ')
}

/** `param` of OpenAI, and the `loc` paths of pydantic (vLLM, Mistral and everything on FastAPI). */
function paramsOf(holder: Readonly<Record<string, unknown>>): string[] {
  const found: string[] = []
  const param = stringOf(holder.param)
  if (param !== undefined) found.push(param)
  for (const list of [holder.detail, fieldsOf(holder.message)?.detail, holder.errors]) {
    for (const entry of listOf(list)) {
      const path = listOf(fieldsOf(entry)?.loc).filter((part) => part !== 'body')
      if (path.length > 0) found.push(path.join('.'))
    }
  }
  return found
}

/** A status that the error itself carries outranks 200, and the names of errors stand in where there is none. */
function statusOf(status: number, inner: Readonly<Record<string, unknown>>, codes: readonly string[]): number {
  if (status >= 400) return status
  const own = [numberOf(inner.status_code), numberOf(inner.status), numberOf(inner.code)].find(
    (candidate) => candidate !== undefined && candidate >= 400 && candidate <= 599,
  )
  if (own !== undefined) return own
  const named = codes.join(' ')
  if (/rate.?limit|too_many|resource_exhausted|quota/.test(named)) return 429
  if (/auth|api_key|permission/.test(named)) return 401
  if (/context_length|invalid_request|invalid_argument|bad_request/.test(named)) return 400
  if (/not_found/.test(named)) return 404
  return 502
}
