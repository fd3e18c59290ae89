import { expect, test } from 'vitest'
import { createScriptedServer } from '../../src/testing/index.ts'

const post = (baseURL: string, body: object, headers: Record<string, string> = {}) =>
  fetch(`${baseURL}/chat/completions`, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...headers },
  })

/** The answer as JSON of any shape; assertions check it. */
// biome-ignore lint/suspicious/noExplicitAny: the shape is what these tests assert
const jsonOf = async (response: Response): Promise<any> => response.json()

test('a plain completion has the shape of the API', async () => {
  await using server = await createScriptedServer({
    script: [{ content: 'hi', reasoning: 'r', usage: { promptTokens: 3, completionTokens: 4 } }],
  })
  const response = await post(server.baseURL, { model: 'm', messages: [] })
  expect(await jsonOf(response)).toEqual({
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1_700_000_000,
    model: 'm',
    choices: [
      { index: 0, message: { role: 'assistant', content: 'hi', reasoning_content: 'r' }, finish_reason: 'stop' },
    ],
    usage: { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 },
  })
  server.assertDone()
})

test('a stream comes as events in pieces, with usage only where asked for', async () => {
  await using server = await createScriptedServer({ script: [`${'x'.repeat(30)}`, 'y'] })
  const text = await (
    await post(server.baseURL, { model: 'm', stream: true, stream_options: { include_usage: true } })
  ).text()
  const events = text.trim().split('\n\n')
  expect(events.at(-1)).toBe('data: [DONE]')
  expect(events.at(-2)).toContain('"total_tokens":15')
  expect(events.filter((event) => event.includes('"content":"x'))).toHaveLength(2)
  expect(await (await post(server.baseURL, { model: 'm', stream: true })).text()).not.toContain('usage')
})

test('queues by role are independent, and requests are recorded with role, headers and body', async () => {
  await using server = await createScriptedServer({ script: { generate: ['g'], review: ['r'] } })
  const answer = async (role: string) =>
    (await jsonOf(await post(server.baseURL, { model: 'm' }, { 'x-redgreen-role': role }))).choices[0].message.content
  expect([await answer('review'), await answer('generate')]).toEqual(['r', 'g'])
  expect(server.requests.map(({ role, method, path, body }) => ({ role, method, path, body }))).toEqual([
    { role: 'review', method: 'POST', path: '/v1/chat/completions', body: { model: 'm' } },
    { role: 'generate', method: 'POST', path: '/v1/chat/completions', body: { model: 'm' } },
  ])
  server.assertDone()
})

test('an unexpected call gets status 400 and is reported, as is a step that nobody asked for', async () => {
  await using server = await createScriptedServer({ script: { generate: ['a'], analyze: ['b', 'c'] } })
  const response = await post(server.baseURL, {}, { 'x-redgreen-role': 'review' })
  expect([response.status, (await jsonOf(response)).error.code]).toEqual([400, 'unexpected_call'])
  expect(() => server.assertDone()).toThrow(/unexpected review call.*1 of 1 generate steps.*2 of 2 analyze steps/)
})

test('statuses, headers, raw bodies and raw events are sent as given', async () => {
  await using server = await createScriptedServer({
    script: [
      { status: 429, headers: { 'retry-after': '7' }, body: { error: 'slow' } },
      { status: 502, headers: { 'content-type': 'text/html' }, body: '<html>' },
      { sse: ['data: a', new TextEncoder().encode('b\n\n')] },
    ],
  })
  const limited = await post(server.baseURL, {})
  expect([
    limited.status,
    limited.headers.get('retry-after'),
    limited.headers.get('content-type'),
    await limited.text(),
  ]).toEqual([429, '7', 'application/json', '{"error":"slow"}'])
  const html = await post(server.baseURL, {})
  expect([html.status, html.headers.get('content-type'), await html.text()]).toEqual([502, 'text/html', '<html>'])
  expect(await (await post(server.baseURL, {})).text()).toBe('data: ab\n\n')
})

test('a drop and a cut break the connection', async () => {
  await using server = await createScriptedServer({ script: [{ drop: true }, { sse: 'data: a\n\n', end: 'cut' }] })
  await expect(post(server.baseURL, {})).rejects.toThrow()
  const response = await post(server.baseURL, {})
  await expect(response.text()).rejects.toThrow()
})

test('a step waits for its gate', async () => {
  let open: () => void = () => undefined
  const after = new Promise<void>((resolve) => {
    open = resolve
  })
  await using server = await createScriptedServer({ script: [{ content: 'late', after }] })
  let isAnswered = false
  const answer = post(server.baseURL, {}).then((response) => {
    isAnswered = true
    return response.status
  })
  await expect.poll(() => server.requests.length).toBe(1)
  expect(isAnswered).toBe(false)
  open()
  expect(await answer).toBe(200)
})

test('a function answers by the request, and one that throws is reported', async () => {
  await using server = await createScriptedServer({
    script: ({ body }) => {
      if (body.model === 'bad') throw new Error('no')
      return `you asked ${body.model}`
    },
  })
  expect(await (await post(server.baseURL, { model: 'm' })).text()).toContain('you asked m')
  await expect(post(server.baseURL, { model: 'bad' })).rejects.toThrow()
  expect(() => server.assertDone()).toThrow(/script failed: no/)
})

test('models are listed, other paths are 404, and neither uses the script', async () => {
  await using server = await createScriptedServer({ script: ['a'], models: ['one', 'two'] })
  const models = await jsonOf(await fetch(`${server.baseURL}/models`))
  expect(models.data.map((model: { id: string }) => model.id)).toEqual(['one', 'two'])
  expect((await fetch(server.baseURL.replace('/v1', '/nope'), { method: 'POST' })).status).toBe(404)
  expect(server.requests).toEqual([])
})

test('close ends open streams, frees the port and may be called again', async () => {
  const server = await createScriptedServer({ script: [{ sse: 'data: a\n\n', end: 'open' }] })
  const response = await post(server.baseURL, {})
  await Promise.all([server.close(), server.close()])
  await server[Symbol.asyncDispose]()
  await expect(response.text()).rejects.toThrow()
  await expect(post(server.baseURL, {})).rejects.toThrow()
})
