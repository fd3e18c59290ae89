import { fieldsOf, listOf, numberOf, stringOf } from './fields.ts'

/**
 * How long a provider asks to wait, in milliseconds from now, or undefined when it does not say.
 * Looked at in this order: `retry-after-ms` (OpenAI, Azure), `retry-after` (RFC 9110: seconds, here also fractional, or an HTTP
 * date), the body (`retryDelay` of google.rpc.RetryInfo, `retry_after`, headers quoted in OpenRouter's metadata, "try again in
 * 1m2.5s"), then reset headers (`x-ratelimit-reset-requests|tokens` as durations, `x-ratelimit-reset` and `ratelimit-reset` as
 * seconds from now or epoch, `anthropic-ratelimit-*-reset` as RFC 3339), then the structured `ratelimit` field (`"default";r=0;t=30`).
 *
 * @param nowMs milliseconds since the epoch, for dates
 */
export function readRetryAfterMs(headers: Headers, body: unknown, message: string, nowMs: number): number | undefined {
  return (
    readPlainMs(headers.get('retry-after-ms')) ??
    readDelay(headers.get('retry-after'), nowMs) ??
    readBody(body, nowMs) ??
    readSentence(message) ??
    readResets(headers, nowMs) ??
    readStructured(headers.get('ratelimit'))
  )
}

/** Numbers above this are no wait in seconds (31 years) but seconds since the epoch. */
const EPOCH_SECONDS_FROM = 1_000_000_000
const EPOCH_MS_FROM = 1_000_000_000_000

function readPlainMs(text: string | null): number | undefined {
  const ms = text === null ? undefined : numberOf(text)
  return ms === undefined || ms < 0 ? undefined : ms
}

/** Seconds, an HTTP or RFC 3339 date, a duration such as `1m30s`, or an epoch. */
function readDelay(value: unknown, nowMs: number): number | undefined {
  const number = numberOf(value)
  if (number !== undefined) {
    if (number < 0) return undefined
    if (number >= EPOCH_MS_FROM) return Math.max(0, number - nowMs)
    if (number >= EPOCH_SECONDS_FROM) return Math.max(0, number * 1_000 - nowMs)
    return number * 1_000
  }
  const text = stringOf(value)?.trim()
  if (text === undefined) return undefined
  // A header that came twice is joined by a comma; seconds have none.
  const repeated = /^(\d+(?:\.\d+)?)(?:\s*,\s*\d+(?:\.\d+)?)+$/.exec(text)?.[1]
  if (repeated !== undefined) return readDelay(repeated, nowMs)
  const duration = readDuration(text)
  if (duration !== undefined) return duration
  // Date.parse takes much for a date ("soon 1"); a date has a colon and a four-digit year, or the two digits of RFC 850.
  if (!/\d:\d\d/.test(text)) return undefined
  // asctime's notation, the oldest of HTTP's three, names no zone and means UTC.
  const date = Date.parse(/^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d /.test(text) ? `${text} GMT` : text)
  return Number.isNaN(date) ? undefined : Math.max(0, date - nowMs)
}

const unitMs: Readonly<Record<string, number>> = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1_000, ms: 1, us: 0.001 }

/** A duration in Go's spelling, as OpenAI's headers have it: `20ms`, `8.64s`, `1m30.5s`, `6m0s`, `1h`. */
function readDuration(text: string): number | undefined {
  if (!/^(?:\d+(?:\.\d+)?(?:ms|us|µs|[dhms]))+$/.test(text)) return undefined
  let total = 0
  for (const [, amount, unit] of text.matchAll(/(\d+(?:\.\d+)?)(ms|us|µs|[dhms])/g)) {
    total += Number(amount) * (unitMs[unit === 'µs' ? 'us' : (unit ?? '')] ?? 0)
  }
  return total
}

function readBody(body: unknown, nowMs: number): number | undefined {
  const outer = fieldsOf(Array.isArray(body) ? body[0] : body)
  const error = fieldsOf(outer?.error) ?? outer
  if (error === undefined) return undefined
  for (const detail of listOf(error.details)) {
    const delay = readDelay(fieldsOf(detail)?.retryDelay, nowMs)
    if (delay !== undefined) return delay
  }
  for (const holder of [error, outer, fieldsOf(error.metadata), fieldsOf(error.details)]) {
    const ms = numberOf(holder?.retry_after_ms ?? holder?.retryAfterMs)
    if (ms !== undefined && ms >= 0) return ms
    const delay = readDelay(holder?.retry_after ?? holder?.retryAfter ?? holder?.retry_after_seconds, nowMs)
    if (delay !== undefined) return delay
  }
  const quoted = fieldsOf(fieldsOf(error.metadata)?.headers)
  for (const [name, value] of Object.entries(quoted ?? {})) {
    if (!/^(?:retry-after|x-ratelimit-reset)$/i.test(name)) continue
    const delay = readDelay(value, nowMs)
    if (delay !== undefined) return delay
  }
  return undefined
}

const sentence =
  /\b(?:try again|retry|wait|available again|resets?)\b[^.;\d]{0,40}?((?:\d+(?:\.\d+)?\s*(?:milliseconds?|ms|minutes?|mins?|seconds?|secs?|hours?|hrs?|[hms])(?![a-z])\s*(?:,|and)?\s*)+)/i
const spokenUnits: Readonly<Record<string, string>> = { mi: 'm', ms: 'ms', h: 'h', s: 's', m: 'm' }

/** "Please try again in 20s", "retry after 1 minute and 5 seconds". */
function readSentence(message: string): number | undefined {
  const found = sentence.exec(message.slice(0, 4_000))?.[1]
  if (found === undefined) return undefined
  let total = 0
  for (const [, amount, word = ''] of found.matchAll(/(\d+(?:\.\d+)?)\s*([a-z]+)/gi)) {
    const unit = word.toLowerCase()
    const short = /^(?:ms|milli)/.test(unit)
      ? 'ms'
      : (spokenUnits[unit.slice(0, 2)] ?? spokenUnits[unit.slice(0, 1)] ?? 's')
    total += Number(amount) * (unitMs[short] ?? 0)
  }
  return total
}

/** The reset of what is used up; where that is not said, the latest, since an earlier one would be refused again. */
function readResets(headers: Headers, nowMs: number): number | undefined {
  const all: number[] = []
  const usedUp: number[] = []
  for (const [name, value] of headers) {
    if (!/ratelimit.*reset|reset.*ratelimit/.test(name)) continue
    const delay = readDelay(value, nowMs)
    if (delay === undefined) continue
    all.push(delay)
    if (numberOf(headers.get(name.replace('reset', 'remaining'))) === 0) usedUp.push(delay)
  }
  const chosen = usedUp.length > 0 ? usedUp : all
  return chosen.length === 0 ? undefined : Math.max(...chosen)
}

/** The IETF's RateLimit field: policies with `r` left and `t` seconds to the reset; the longest of those used up, else of all. */
function readStructured(value: string | null): number | undefined {
  const policies = (value ?? '')
    .slice(0, 2_000)
    .split(',')
    .flatMap((part) => {
      const seconds = numberOf(/;\s*t=(\d+)/.exec(part)?.[1])
      return seconds === undefined ? [] : [{ seconds, isSpent: /;\s*r=0(?!\d)/.test(part) }]
    })
  const spent = policies.filter(({ isSpent }) => isSpent)
  const chosen = (spent.length > 0 ? spent : policies).map(({ seconds }) => seconds * 1_000)
  return chosen.length === 0 ? undefined : Math.max(...chosen)
}
