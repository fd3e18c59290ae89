import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { RedgreenError } from '../errors.ts'
import { createStepQueue, type HttpStep, type ReplyStep, type Script, type ServerStep, type SseStep } from './script.ts'
import { checkServerOptions } from './server-options.ts'
import { toCompletionBody, toEventChunks } from './wire-answer.ts'

/** What a client sent, for assertions on the wire. */
export interface RecordedRequest {
  /** The header X-Redgreen-Role. */
  readonly role: string | undefined
  readonly method: string
  readonly path: string
  /** Names in lower case, secrets included: it is the test's own server. */
  readonly headers: Readonly<Record<string, string>>
  /** Parsed JSON. */
  readonly body: RecordedBody
  /** The body as it came. */
  readonly text: string
  /** Resolves when the answer is over or the client has gone; true when the client went before the end. */
  readonly closed: Promise<boolean>
}

/** The members of a chat completion request that tests look at. */
export interface RecordedBody {
  readonly model?: string
  readonly messages?: readonly { readonly role: string; readonly content: string }[]
  readonly stream?: boolean
  readonly [name: string]: unknown
}

export interface ScriptedServerOptions {
  readonly script: Script<ServerStep, RecordedRequest>
  /** Names listed by GET /v1/models; default `['scripted']`. */
  readonly models?: readonly string[]
  /** TCP port, 0 to 65535; default 0, a free one that the system chooses. */
  readonly port?: number
}

export interface ScriptedServer {
  /** To be given as base URL: `http://127.0.0.1:<port>/v1`. */
  readonly baseURL: string
  /** Of chat completions, in the order of coming. */
  readonly requests: readonly RecordedRequest[]
  /** @throws Error that lists unexpected calls and unused steps */
  assertDone(): void
  /** Ends all connections; may be called again. */
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * A real HTTP server on the loopback interface that speaks OpenAI's chat completions, streamed and plain, by a script.
 *
 * ```ts
 * await using server = await createScriptedServer({ script: ['first reply', { status: 500 }, 'second reply'] })
 * const model = openaiModel({ model: 'scripted', baseURL: server.baseURL, apiKey: 'any' })
 * // … use it …
 * server.assertDone()
 * ```
 *
 * A call beyond the script gets status 400 with the code `unexpected_call`, which no client repeats.
 *
 * @throws RedgreenError INVALID_OPTION where the options have another shape, or the port cannot be had (then with the `cause`)
 */
export async function createScriptedServer(options: ScriptedServerOptions): Promise<ScriptedServer> {
  checkServerOptions(options)
  const { port = 0 } = options
  const queue = createStepQueue(options.script)
  const requests: RecordedRequest[] = []
  let served = 0
  const failures: string[] = []

  const server = createServer((request, response) => {
    serve(request, response).catch((error: unknown) => {
      failures.push(`the script failed: ${error instanceof Error ? error.message : String(error)}`)
      response.destroy()
    })
  })
  // Whatever is broken off on purpose must not end the process.
  server.on('clientError', (_, socket) => socket.destroy())

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.on('error', () => undefined)
    const path = request.url ?? '/'
    if (request.method === 'GET' && /\/models\/?$/.test(path)) {
      const data = (options.models ?? ['scripted']).map((id) => ({ id, object: 'model', owned_by: 'script' }))
      return answer(response, { status: 200, body: { object: 'list', data } })
    }
    const text = await readText(request)
    const recorded = record(request, response, path, text)
    if (request.method !== 'POST' || !/\/chat\/completions(?:\?|$)/.test(path)) {
      return answer(response, {
        status: 404,
        body: { error: { message: `no route for ${request.method} ${path}`, code: 'no_route' } },
      })
    }
    requests.push(recorded)
    const step = await queue.next(recorded.role, recorded)
    if (step === undefined) {
      const message = `the script has no step for call ${requests.length} (role ${recorded.role ?? 'none'})`
      return answer(response, {
        status: 400,
        body: { error: { message, type: 'invalid_request_error', code: 'unexpected_call' } },
      })
    }
    await play(typeof step === 'string' ? { content: step } : step, recorded, response)
  }

  async function play(
    step: Exclude<ServerStep, string>,
    recorded: RecordedRequest,
    response: ServerResponse,
  ): Promise<void> {
    await step.after
    if ('drop' in step) return void response.destroy()
    if ('status' in step) return answer(response, step)
    if ('sse' in step) return stream(response, step)
    await reply(step, recorded, response)
  }

  async function reply(step: ReplyStep, { body }: RecordedRequest, response: ServerResponse): Promise<void> {
    const id = `chatcmpl-${++served}`
    const model = body.model ?? 'scripted'
    if (body.stream !== true) return answer(response, { status: 200, body: toCompletionBody(step, model, id) })
    const wanted = body.stream_options
    const includeUsage =
      typeof wanted === 'object' && wanted !== null && 'include_usage' in wanted && wanted.include_usage === true
    await stream(response, { sse: toEventChunks(step, model, id, includeUsage) })
  }

  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause) => {
      const message = `the scripted server cannot listen on port ${port} of 127.0.0.1: ${cause.message}; give another port, or none for a free one`
      reject(new RedgreenError('INVALID_OPTION', message, { cause, detail: { port } }))
    })
    server.listen(port, '127.0.0.1', resolve)
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the scripted server has no port')

  let closing: Promise<void> | undefined
  const close = () => {
    closing ??= new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
    return closing
  }
  return {
    baseURL: `http://127.0.0.1:${address.port}/v1`,
    requests,
    assertDone: () => {
      const problems = [...queue.problems(), ...failures]
      if (problems.length > 0)
        throw new Error(`the scripted server was used other than scripted: ${problems.join('; ')}`)
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}

async function readText(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece)
  return Buffer.concat(pieces).toString('utf8')
}

function record(request: IncomingMessage, response: ServerResponse, path: string, text: string): RecordedRequest {
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : (value ?? ''),
    ]),
  )
  let body: RecordedBody = {}
  try {
    const parsed: unknown = JSON.parse(text)
    // Every member is unknown or checked by the test that reads it.
    if (typeof parsed === 'object' && parsed !== null) body = parsed as RecordedBody
  } catch {
    // The raw text is there for tests of broken bodies.
  }
  const closed = new Promise<boolean>((resolve) => response.once('close', () => resolve(!response.writableFinished)))
  return { role: headers['x-redgreen-role'], method: request.method ?? '', path, headers, body, text, closed }
}

function answer(response: ServerResponse, { status, headers = {}, body }: HttpStep): void {
  const isRaw = typeof body === 'string' || body instanceof Uint8Array || body === null || body === undefined
  const type = Object.keys(headers).some((name) => name.toLowerCase() === 'content-type')
  response.writeHead(status, { ...(isRaw || type ? {} : { 'content-type': 'application/json' }), ...headers })
  response.end(isRaw ? (body ?? '') : JSON.stringify(body))
}

async function stream(response: ServerResponse, { sse, headers, end = 'close' }: SseStep): Promise<void> {
  response.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache',
    ...headers,
  })
  response.flushHeaders()
  for (const piece of typeof sse === 'string' ? [sse] : sse) {
    if (piece instanceof Promise) await piece
    // Each piece is handed to the network before the next, so that it travels alone.
    else if (!response.destroyed) await new Promise<void>((resolve) => response.write(piece, () => resolve()))
  }
  if (end === 'close') response.end()
  else if (end === 'cut') response.destroy()
}
