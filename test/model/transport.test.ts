import { createServer as createTcpServer } from 'node:net'
import { inspect } from 'node:util'
import { expect, test, vi } from 'vitest'
import { RedgreenError } from '../../src/errors.ts'
import { openaiModel } from '../../src/model/openai.ts'
import { ask, createManualClock, createRig } from './setup.ts'

const started = `data: {"choices":[{"index":0,"delta":{"content":"a"}}]}\n\n`
const never = new Promise<never>(() => undefined)

/** Resolves at the first delta: the stream is known to be under way. */
function firstDelta() {
  let heard: () => void = () => undefined
  const delta = new Promise<void>((resolve) => {
    heard = resolve
  })
  return { delta, onDelta: () => heard() }
}

test('abort before the answer, and abort in mid-stream, reject at once and free the connection', async () => {
  await using rig = await createRig([
    { content: 'late', after: never },
    { sse: started, end: 'open' },
  ])
  const before = new AbortController()
  const waiting = rig.model.complete(ask(), { signal: before.signal })
  await expect.poll(() => rig.server.requests.length).toBe(1)
  before.abort()
  await expect(waiting).rejects.toMatchObject({ code: 'ABORTED' })
  expect(await rig.server.requests[0]?.closed).toBe(true)

  const during = new AbortController()
  const { delta, onDelta } = firstDelta()
  const streaming = rig.model.complete(ask(), { signal: during.signal, onDelta })
  await delta
  during.abort()
  await expect(streaming).rejects.toMatchObject({ code: 'ABORTED' })
  expect(await rig.server.requests[1]?.closed).toBe(true)
  expect(rig.clock.timers).toEqual([])
})

test('an aborted signal sends nothing, and an abort while waiting to retry ends the wait', async () => {
  await using rig = await createRig([{ status: 503, body: '' }])
  await expect(rig.model.complete(ask(), { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'ABORTED' })
  expect(rig.server.requests).toHaveLength(0)
  const controller = new AbortController()
  const call = rig.model.complete(ask(), { signal: controller.signal, onRetry: () => controller.abort() })
  await expect(call).rejects.toMatchObject({ code: 'ABORTED' })
})

test('silence before the answer ends the call with MODEL_UNAVAILABLE after the timeout, without a retry', async () => {
  await using rig = await createRig([{ content: 'late', after: never }])
  const call = rig.model.complete(ask(), { timeoutMs: 1_234 })
  const failed = expect(call).rejects.toMatchObject({ code: 'MODEL_UNAVAILABLE', detail: { reason: 'silence' } })
  await expect.poll(() => rig.server.requests.length).toBe(1)
  const timer = rig.clock.timers.find(({ ms }) => ms === 1_234)
  timer?.fire()
  await failed
  expect(await rig.server.requests[0]?.closed).toBe(true)
})

test('every token starts the time of silence anew, keep-alives do not', async () => {
  const empty = 'data: {"choices":[{"index":0,"delta":{"role":"assistant","content":""}}]}\n\n'
  await using rig = await createRig([{ sse: [': ping\n\n', 'data: ping\n\n', empty, started], end: 'open' }])
  const { delta, onDelta } = firstDelta()
  const call = rig.model.complete(ask(), { onDelta })
  const failed = expect(call).rejects.toMatchObject({ code: 'MODEL_UNAVAILABLE', detail: { reason: 'silence' } })
  await delta
  // One for the whole wait, one since the token.
  await expect.poll(() => rig.clock.timersSet).toBe(2)
  expect(rig.clock.timers.map(({ ms }) => ms)).toEqual([60_000])
  rig.clock.timers[0]?.fire()
  await failed
})

test('nothing is printed, whatever the environment asks of the client below', async () => {
  vi.stubEnv('OPENAI_LOG', 'debug')
  const printed = (['debug', 'info', 'log', 'warn', 'error'] as const).map((name) =>
    vi.spyOn(console, name).mockReturnValue(),
  )
  await using rig = await createRig(['ok', { status: 400, body: { error: { message: 'no' } } }])
  await rig.model.complete(ask())
  await expect(rig.model.complete(ask())).rejects.toThrow()
  for (const spy of printed) expect(spy).not.toHaveBeenCalled()
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
})

test('of the environment, organization and project go to OpenAI alone', async () => {
  vi.stubEnv('OPENAI_ORG_ID', 'org-1')
  vi.stubEnv('OPENAI_PROJECT_ID', 'proj-1')
  await using rig = await createRig(['ok'])
  await rig.model.complete(ask())
  expect(Object.keys(rig.server.requests[0]?.headers ?? {}).filter((name) => name.startsWith('openai'))).toEqual([])
  vi.unstubAllEnvs()
})

test('a stream that stays open after its finish is complete after a short while', async () => {
  const finished = `data: {"choices":[{"index":0,"delta":{"content":"ab"},"finish_reason":"stop"}]}\n\n`
  await using rig = await createRig([{ sse: finished, end: 'open' }])
  const call = rig.model.complete(ask())
  await expect.poll(() => rig.clock.timers[0]?.ms).toBe(2_000)
  rig.clock.timers[0]?.fire()
  expect((await call).replies).toEqual([{ content: 'ab', finish: 'stop' }])
})

test('the run’s deadline ends a call with the time budget', async () => {
  await using rig = await createRig([{ content: 'late', after: never }])
  const call = rig.model.complete(ask(), { deadlineMs: 777 })
  const failed = expect(call).rejects.toMatchObject({ code: 'BUDGET_EXHAUSTED', detail: { budget: 'time' } })
  await expect.poll(() => rig.server.requests.length).toBe(1)
  rig.clock.timers.find(({ ms }) => ms === 777)?.fire()
  await failed
  await expect(rig.model.complete(ask(), { deadlineMs: 0 })).rejects.toMatchObject({ code: 'BUDGET_EXHAUSTED' })
})

test('nothing listens: MODEL_ENDPOINT_INVALID without a retry; once it has answered it is an outage and retried', async () => {
  const rig = await createRig(['ok'])
  const clock = createManualClock()
  const stranger = openaiModel({ model: 'm', baseURL: rig.server.baseURL, apiKey: null, clock })
  await rig.model.complete(ask())
  await rig.server.close()
  await expect(stranger.complete(ask())).rejects.toMatchObject({
    code: 'MODEL_ENDPOINT_INVALID',
    detail: { reason: 'ECONNREFUSED' },
  })
  expect(clock.sleeps).toEqual([])
  await expect(rig.model.complete(ask())).rejects.toMatchObject({ code: 'MODEL_UNAVAILABLE' })
  expect(rig.clock.sleeps).toHaveLength(3)
})

test('a host without an address is MODEL_ENDPOINT_INVALID', async () => {
  const failing = async () => {
    throw Object.assign(new TypeError('fetch failed'), {
      cause: Object.assign(new Error('getaddrinfo ENOTFOUND no.test'), { code: 'ENOTFOUND' }),
    })
  }
  const model = openaiModel({
    model: 'm',
    baseURL: 'http://no.test/v1',
    apiKey: null,
    fetch: failing,
    clock: createManualClock(),
  })
  await expect(model.complete(ask())).rejects.toMatchObject({
    code: 'MODEL_ENDPOINT_INVALID',
    message: expect.stringContaining('host name'),
  })
})

test('a server that does not speak HTTP is MODEL_ENDPOINT_INVALID', async () => {
  const tcp = createTcpServer((socket) => {
    socket.on('error', () => undefined)
    socket.once('data', () => socket.end('SSH-2.0-OpenSSH_9.6\r\n'))
  })
  await new Promise<void>((resolve) => tcp.listen(0, '127.0.0.1', resolve))
  const address = tcp.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const model = openaiModel({
    model: 'm',
    baseURL: `http://127.0.0.1:${port}/v1`,
    apiKey: null,
    clock: createManualClock(),
  })
  await expect(model.complete(ask())).rejects.toMatchObject({ code: 'MODEL_ENDPOINT_INVALID' })
  await new Promise((resolve) => tcp.close(resolve))
})

test.each(['not a url', 'ftp://example.test/v1', ''])(
  'the base URL %j is refused before anything is sent',
  (baseURL) => {
    const build = () => openaiModel({ model: 'm', baseURL: baseURL || '   ', apiKey: null })
    expect(build).toThrow(expect.objectContaining({ code: 'MODEL_ENDPOINT_INVALID' }))
  },
)

test('a base URL with a trailing slash, with the path of the call, with a query or with credentials works', async () => {
  await using rig = await createRig(() => 'ok')
  const host = rig.server.baseURL.replace('http://', '')
  for (const baseURL of [
    `http://${host}/`,
    `http://${host}/chat/completions`,
    `http://user:p%40ss@${host}?api-version=1`,
  ]) {
    const model = openaiModel({ model: 'm', baseURL, apiKey: null })
    expect((await model.complete(ask())).replies[0]?.content).toBe('ok')
  }
  expect(rig.server.requests.map((request) => request.path)).toEqual([
    '/v1/chat/completions',
    '/v1/chat/completions',
    '/v1/chat/completions?api-version=1',
  ])
  expect(rig.server.requests.map((request) => request.headers.authorization)).toEqual([
    undefined,
    undefined,
    `Basic ${Buffer.from('user:p@ss').toString('base64')}`,
  ])
})

test('secrets appear in no error, no inspection and no JSON of the model', async () => {
  const secret = 'zz-very-secret-value-42'
  const echo = {
    status: 400,
    body: { error: { message: `bad request, your key is ${secret}, your header ${secret}-h` } },
  }
  await using rig = await createRig([echo], { apiKey: secret, headers: { 'X-Tenant': `${secret}-h` } })
  const error = await rig.model.complete(ask()).catch((reason: unknown) => reason)
  if (!RedgreenError.isInstance(error)) throw error
  expect(error.message).toContain('[redacted]')
  const seen = [
    inspect(error, { depth: 20, showHidden: true }),
    JSON.stringify(error),
    inspect(rig.model, { depth: 20, showHidden: true }),
    JSON.stringify(rig.model),
  ].join()
  expect(seen).not.toContain(secret)
  expect(rig.server.requests[0]?.headers['x-tenant']).toBe(`${secret}-h`)
})

test('a redirect is not followed, so that headers go nowhere else', async () => {
  await using other = await createRig(['stolen'])
  await using rig = await createRig(
    [{ status: 307, headers: { location: `${other.server.baseURL}/chat/completions` } }],
    { headers: { 'X-Secret': 'abcd' } },
  )
  await expect(rig.model.complete(ask())).rejects.toMatchObject({ code: 'MODEL_ENDPOINT_INVALID' })
  expect(other.server.requests).toHaveLength(0)
})

test('without a key no Authorization is sent; extra body members outrank', async () => {
  await using rig = await createRig(['ok'], { apiKey: null, extraBody: { reasoning_effort: 'low', temperature: 1 } })
  await rig.model.complete(ask({ temperature: 0 }))
  expect(rig.server.requests[0]?.headers.authorization).toBeUndefined()
  expect(rig.server.requests[0]?.body).toMatchObject({ reasoning_effort: 'low', temperature: 1 })
})

test('price turns tokens into a cost', async () => {
  await using rig = await createRig([{ content: 'x', usage: { promptTokens: 1_000_000, completionTokens: 500_000 } }], {
    price: { inputPerMillionUsd: 2, outputPerMillionUsd: 8 },
  })
  expect((await rig.model.complete(ask())).usage.costUsd).toBe(6)
})

test('a further choice that fails leaves those that came, with word of it', async () => {
  await using rig = await createRig(['a', { status: 402, body: { error: { message: 'no credit' } } }])
  const completion = await rig.model.complete(ask({ choices: 2 }))
  expect(completion.replies.map((reply) => reply.content)).toEqual(['a'])
  expect(completion.shortfall).toMatchObject({ code: 'MODEL_UNAVAILABLE' })
})

test('durations are of all tries, waits included', async () => {
  await using rig = await createRig([{ status: 429, headers: { 'retry-after': '3' } }, 'ok'])
  expect((await rig.model.complete(ask())).durationMs).toBe(3_000)
})

test('wrong options are refused by name', () => {
  expect(() => openaiModel({ model: ' ' })).toThrow(expect.objectContaining({ code: 'INVALID_OPTION' }))
  expect(() => openaiModel({ model: 'm', maxRetries: -1, apiKey: null })).toThrow(/maxRetries/)
})
