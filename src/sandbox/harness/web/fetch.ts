import { encodeUtf8, TextDecoder } from './encoding.ts'

/** Headers, Request, Response and Blob as far as code with a stubbed `fetch` uses them: bodies are held whole. */

type HeadersInit = Headers | Iterable<readonly [string, string]> | Record<string, string> | undefined
type Body = string | ArrayBuffer | ArrayBufferView | Blob | URLSearchParamsLike | null | undefined
interface URLSearchParamsLike {
  toString(): string
}

export class Headers {
  readonly #values = new Map<string, string[]>()

  constructor(init?: HeadersInit) {
    if (init === undefined || init === null) return
    const entries = Symbol.iterator in init ? (init as Iterable<readonly [string, string]>) : Object.entries(init)
    for (const [name, value] of entries) this.append(name, value)
  }

  append(name: string, value: unknown): void {
    const key = check(name)
    this.#values.set(key, [...(this.#values.get(key) ?? []), String(value).trim()])
  }

  set(name: string, value: unknown): void {
    this.#values.set(check(name), [String(value).trim()])
  }

  get(name: string): string | null {
    return this.#values.get(check(name))?.join(', ') ?? null
  }

  getSetCookie(): string[] {
    return [...(this.#values.get('set-cookie') ?? [])]
  }

  has(name: string): boolean {
    return this.#values.has(check(name))
  }

  delete(name: string): void {
    this.#values.delete(check(name))
  }

  forEach(callback: (value: string, name: string, headers: Headers) => void, self?: unknown): void {
    for (const [name, value] of this) Reflect.apply(callback, self, [value, name, this])
  }

  *entries(): Generator<[string, string]> {
    for (const name of [...this.#values.keys()].sort()) yield [name, this.#values.get(name)?.join(', ') ?? '']
  }

  *keys(): Generator<string> {
    for (const [name] of this.entries()) yield name
  }

  *values(): Generator<string> {
    for (const [, value] of this.entries()) yield value
  }

  [Symbol.iterator](): Generator<[string, string]> {
    return this.entries()
  }

  get [Symbol.toStringTag](): string {
    return 'Headers'
  }
}

function check(name: unknown): string {
  const text = String(name)
  if (!/^[!#$%&'*+.^_`|~\w-]+$/.test(text)) throw new TypeError(`Header name '${text}' is not valid`)
  return text.toLowerCase()
}

function toBytes(part: unknown): Uint8Array<ArrayBuffer> {
  if (part instanceof Blob) return Blob.bytesOf(part)
  if (ArrayBuffer.isView(part)) return new Uint8Array(part.buffer, part.byteOffset, part.byteLength).slice()
  if (part instanceof ArrayBuffer) return new Uint8Array(part).slice()
  return encodeUtf8(String(part))
}

export class Blob {
  readonly #bytes: Uint8Array<ArrayBuffer>
  readonly type: string

  constructor(parts: Iterable<unknown> = [], options: { type?: string } = {}) {
    const chunks = Array.from(parts, toBytes)
    this.#bytes = new Uint8Array(chunks.reduce((size, chunk) => size + chunk.length, 0))
    let at = 0
    for (const chunk of chunks) {
      this.#bytes.set(chunk, at)
      at += chunk.length
    }
    this.type = String(options.type ?? '').toLowerCase()
  }

  static bytesOf(blob: Blob): Uint8Array<ArrayBuffer> {
    return blob.#bytes
  }

  get size(): number {
    return this.#bytes.length
  }

  slice(start?: number, end?: number, type = ''): Blob {
    return new Blob([this.#bytes.slice(start, end)], { type })
  }

  async text(): Promise<string> {
    return new TextDecoder().decode(this.#bytes)
  }

  async arrayBuffer(): Promise<ArrayBuffer> {
    return this.#bytes.slice().buffer
  }

  async bytes(): Promise<Uint8Array> {
    return this.#bytes.slice()
  }

  get [Symbol.toStringTag](): string {
    return 'Blob'
  }
}

class Message {
  #body: Uint8Array<ArrayBuffer> | null
  #used = false
  readonly headers: Headers

  constructor(body: Body, headers: HeadersInit) {
    this.headers = new Headers(headers)
    this.#body = body === null || body === undefined ? null : toBytes(body)
    if (this.headers.has('content-type') || body === null || body === undefined) return
    if (typeof body === 'string') this.headers.set('content-type', 'text/plain;charset=UTF-8')
    else if (body instanceof Blob && body.type) this.headers.set('content-type', body.type)
  }

  get bodyUsed(): boolean {
    return this.#used
  }

  protected copyBody(): Uint8Array<ArrayBuffer> | null {
    if (this.#used) throw new TypeError('Body has already been read')
    return this.#body
  }

  #take(): Uint8Array<ArrayBuffer> {
    if (this.#used) throw new TypeError('Body is unusable: Body has already been read')
    this.#used = this.#body !== null
    return this.#body ?? new Uint8Array(0)
  }

  async text(): Promise<string> {
    return new TextDecoder().decode(this.#take())
  }

  async json(): Promise<unknown> {
    return JSON.parse(new TextDecoder().decode(this.#take()))
  }

  async arrayBuffer(): Promise<ArrayBuffer> {
    return this.#take().slice().buffer
  }

  async bytes(): Promise<Uint8Array> {
    return this.#take().slice()
  }

  async blob(): Promise<Blob> {
    return new Blob([this.#take()], { type: this.headers.get('content-type') ?? '' })
  }
}

interface ResponseInit {
  status?: number
  statusText?: string
  headers?: HeadersInit
}

export class Response extends Message {
  readonly status: number
  readonly statusText: string
  readonly type = 'default'
  readonly url = ''
  readonly redirected = false

  constructor(body?: Body, init: ResponseInit = {}) {
    super(body, init.headers)
    const status = init.status ?? 200
    if (!(status >= 200 && status <= 599)) throw new RangeError('init["status"] must be in the range of 200 to 599')
    this.status = status
    this.statusText = String(init.statusText ?? '')
  }

  get ok(): boolean {
    return this.status >= 200 && this.status < 300
  }

  clone(): Response {
    return new Response(this.copyBody(), this)
  }

  static json(data: unknown, init: ResponseInit = {}): Response {
    const headers = new Headers(init.headers)
    if (!headers.has('content-type')) headers.set('content-type', 'application/json')
    return new Response(JSON.stringify(data), { ...init, headers })
  }

  static error(): Response {
    const response = new Response(null, { status: 599 })
    Object.defineProperty(response, 'status', { value: 0 })
    Object.defineProperty(response, 'type', { value: 'error' })
    return response
  }

  get [Symbol.toStringTag](): string {
    return 'Response'
  }
}

interface RequestInit {
  method?: string
  headers?: HeadersInit
  body?: Body
  signal?: unknown
}

export class Request extends Message {
  readonly url: string
  readonly method: string
  readonly signal: unknown

  constructor(input: unknown, init: RequestInit = {}) {
    const base = input instanceof Request ? input : undefined
    super(init.body ?? base?.copyBody(), init.headers ?? base?.headers)
    this.url = base ? base.url : String(input)
    this.method = String(init.method ?? base?.method ?? 'GET').toUpperCase()
    this.signal = init.signal ?? base?.signal
    if (init.body !== undefined && init.body !== null && /^(GET|HEAD)$/.test(this.method)) {
      throw new TypeError('Request with GET/HEAD method cannot have body')
    }
  }

  clone(): Request {
    return new Request(this)
  }

  get [Symbol.toStringTag](): string {
    return 'Request'
  }
}
