import { expect, test } from 'vitest'
import type { Finish } from '../../src/model/types.ts'
import { ask, createRig } from './setup.ts'

const chunk = (content: string, finish: string | null = null) =>
  JSON.stringify({ choices: [{ index: 0, delta: { content }, finish_reason: finish }] })
const usage = JSON.stringify({ choices: [], usage: { prompt_tokens: 3, completion_tokens: 1 } })
const bytes = new TextEncoder().encode(`data: ${chunk('né 漢 😀', 'stop')}\n\ndata: [DONE]\n\n`)

const framings: readonly [string, string | readonly (string | Uint8Array)[], string][] = [
  ['CRLF', `data: ${chunk('a')}\r\n\r\ndata: ${chunk('b', 'stop')}\r\n\r\ndata: [DONE]\r\n\r\n`, 'ab'],
  ['CR alone', `data: ${chunk('a')}\r\rdata: ${chunk('b', 'stop')}\r\rdata: [DONE]\r\r`, 'ab'],
  ['CRLF split between chunks', [`data: ${chunk('a')}\r`, `\n\r`, `\ndata: ${chunk('b', 'stop')}\r\n\r\n`], 'ab'],
  [
    'comments and keep-alives',
    `: OPENROUTER PROCESSING\n\ndata: ${chunk('a')}\n\n:\n\n: ping\n\ndata: ${chunk('b', 'stop')}\n\n`,
    'ab',
  ],
  ['no space after the colon', `data:${chunk('a')}\n\ndata:${chunk('b', 'stop')}\n\ndata:[DONE]\n\n`, 'ab'],
  [
    'data over several lines',
    `data: {"choices":[{"index":0,\ndata: "delta":{"content":"ab"},\ndata: "finish_reason":"stop"}]}\n\ndata: [DONE]\n\n`,
    'ab',
  ],
  ['a byte order mark', `\uFEFFdata: ${chunk('a')}\n\ndata: ${chunk('b', 'stop')}\n\n`, 'ab'],
  ['one byte at a time, characters split', [...bytes].map((byte) => Uint8Array.of(byte)), 'né 漢 😀'],
  ['no blank lines', `data: ${chunk('a')}\ndata: ${chunk('b', 'stop')}\ndata: ${usage}\ndata: [DONE]\n`, 'ab'],
  ['no last blank line', `data: ${chunk('a')}\n\ndata: ${chunk('b', 'stop')}`, 'ab'],
  [
    'event, id and retry fields',
    `event: message\nid: 1\nretry: 3000\ndata: ${chunk('a')}\n\nid\ndata: ${chunk('b', 'stop')}\n\n`,
    'ab',
  ],
  ['words as keep-alive data', `data: ping\n\ndata: ${chunk('a')}\n\ndata:\n\ndata: ${chunk('b', 'stop')}\n\n`, 'ab'],
  ['bare JSON lines', `${chunk('a')}\n${chunk('b', 'stop')}\n`, 'ab'],
  ['bare JSON lines after a comment', `: hi\n\n${chunk('a')}\n\n${chunk('b', 'stop')}\n\n`, 'ab'],
  ['leading blank lines', `\n\n\ndata: ${chunk('ab', 'stop')}\n\n`, 'ab'],
  [
    'a null error beside the text',
    `data: {"error":null,"choices":[{"index":0,"delta":{"content":"ab"},"finish_reason":"stop"}]}\n\n`,
    'ab',
  ],
  ['[DONE] without any finish', `data: ${chunk('ab')}\n\ndata: [DONE]\n\n`, 'ab'],
  ['something after [DONE]', `data: ${chunk('ab', 'stop')}\n\ndata: [DONE]\n\ndata: ${chunk('c')}\n\n`, 'ab'],
  [
    'the whole message once more at the end',
    `data: ${chunk('ab')}\n\ndata: {"choices":[{"index":0,"message":{"content":"ab"},"finish_reason":"stop"}]}\n\n`,
    'ab',
  ],
  [
    'messages in place of deltas',
    `data: {"choices":[{"index":0,"message":{"content":"ab"},"finish_reason":"stop"}]}\n\n`,
    'ab',
  ],
]

test.each(framings)('a stream framed with %s is read', async (_, sse, text) => {
  await using rig = await createRig([{ sse }])
  const deltas: string[] = []
  const completion = await rig.model.complete(ask(), { onDelta: (delta) => deltas.push(delta) })
  expect(completion.replies[0]?.content).toBe(text)
  expect(deltas.join('')).toBe(text)
  expect(rig.clock.sleeps).toEqual([])
})

test('a plain JSON answer to a request for a stream is read', async () => {
  const body = {
    choices: [{ message: { content: 'ab' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 3, completion_tokens: 1 },
  }
  await using rig = await createRig([{ status: 200, body }])
  const deltas: string[] = []
  const completion = await rig.model.complete(ask(), { onDelta: (delta) => deltas.push(delta) })
  expect(completion).toMatchObject({
    replies: [{ content: 'ab', finish: 'stop' }],
    usage: { promptTokens: 3, estimated: false },
  })
  expect(deltas).toEqual(['ab'])
})

const reset = { end: 'cut' } as const
const cuts: readonly [string, object][] = [
  ['a clean close', { sse: `data: ${chunk('a')}\n\n` }],
  ['a broken connection', { sse: `data: ${chunk('a')}\n\n`, ...reset }],
  ['a connection broken before the first event', { sse: ': hello\n\n', ...reset }],
  ['a close before the first event', { sse: ': hello\n\n' }],
  ['an event cut in the middle', { sse: `data: ${chunk('a')}\n\ndata: {"choices":[{"ind` }],
  ['nothing at all', { sse: '' }],
  ['an empty body', { status: 200, body: '' }],
  ['half a JSON body', { status: 200, body: '{"choices":[{"message":{"content":"ab' }],
  ['a dropped connection', { drop: true }],
  [
    'one of two choices without its end',
    {
      sse: `data: {"choices":[{"index":0,"delta":{"content":"a"},"finish_reason":"stop"},{"index":1,"delta":{"content":"b"}}]}\n\n`,
    },
  ],
]

test.each(cuts)('an answer that ends with %s is asked for again', async (_, step) => {
  await using rig = await createRig([step, 'whole'])
  const completion = await rig.model.complete(ask())
  expect(completion.replies).toEqual([{ content: 'whole', finish: 'stop' }])
  expect(rig.clock.sleeps).toHaveLength(1)
  rig.server.assertDone()
})

test('a connection that breaks after the finish has lost nothing', async () => {
  await using rig = await createRig([{ sse: `data: ${chunk('ab', 'stop')}\n\n`, end: 'cut' }])
  expect((await rig.model.complete(ask())).replies).toEqual([{ content: 'ab', finish: 'stop' }])
})

test('answers that are cut every time end in MODEL_UNAVAILABLE that carries what was paid', async () => {
  await using rig = await createRig(() => ({ sse: `data: ${chunk('abc')}\n\n` }))
  await expect(rig.model.complete(ask())).rejects.toMatchObject({
    code: 'MODEL_UNAVAILABLE',
    detail: { tries: 4, usage: { calls: 4, estimated: true } },
  })
})

const inband: readonly [string, string, boolean, string?][] = [
  ['an error event', 'event: error\ndata: {"message":"overloaded"}\n\n', true],
  ['an error object with a status', `data: {"error":{"code":429,"message":"slow"}}\n\n`, true],
  ['an error as string', 'data: {"error":"boom"}\n\n', true],
  ['the object of vLLM', 'data: {"object":"error","message":"engine died","code":500}\n\n', true],
  [
    'the type of Anthropic',
    'data: {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}\n\n',
    true,
  ],
  ['a choice that ends with an error', `data: ${chunk('a', 'error')}\n\n`, true],
  [
    'a choice beside the error',
    `data: {"error":{"code":502,"message":"x"},"choices":[{"index":0,"delta":{"content":""},"finish_reason":"error"}]}\n\n`,
    true,
  ],
  ['insufficient resources', `data: ${chunk('a', 'insufficient_system_resource')}\n\n`, true],
  ['a plain body', '{"error":{"message":"upstream","code":500}}', true],
  ['a refused key', 'data: {"error":{"message":"bad","type":"authentication_error"}}\n\n', false, 'MODEL_KEY_REFUSED'],
  ['a spent quota', 'data: {"error":{"message":"no","code":"insufficient_quota"}}\n\n', false, 'MODEL_UNAVAILABLE'],
]

test.each(inband)(
  '%s inside an answer with status 200 is an error, retried where it may pass',
  async (_, body, retried, code) => {
    await using rig = await createRig(retried ? [{ status: 200, body }, 'whole'] : [{ status: 200, body }])
    const outcome = await rig.model.complete(ask()).then(
      (completion) => completion.replies[0]?.content,
      (error) => error.code,
    )
    expect(outcome).toBe(retried ? 'whole' : code)
  },
)

const finishes: readonly [string | null, Finish][] = [
  ['stop', 'stop'],
  ['end_turn', 'stop'],
  ['STOP', 'stop'],
  ['eos_token', 'stop'],
  ['stop_sequence', 'stop'],
  ['COMPLETE', 'stop'],
  ['length', 'length'],
  ['MAX_TOKENS', 'length'],
  ['max_tokens', 'length'],
  ['model_length', 'length'],
  ['maxTokens', 'length'],
  ['FINISH_REASON_MAX_TOKENS', 'length'],
  ['content_filter', 'content_filter'],
  ['SAFETY', 'content_filter'],
  ['RECITATION', 'content_filter'],
  ['sensitive', 'content_filter'],
  ['refusal', 'refusal'],
  ['tool_calls', 'tool_calls'],
  ['tool_use', 'tool_calls'],
  ['function_call', 'tool_calls'],
  [null, 'unknown'],
  ['OTHER', 'unknown'],
  ['something new', 'unknown'],
]

test.each(finishes)('the finish reason %s reads as %s, streamed or not', async (finishReason, finish) => {
  await using rig = await createRig([
    { content: 'x', finishReason },
    {
      status: 200,
      body: {
        choices: [{ message: { content: 'x' }, finish_reason: finishReason }],
        usage: { prompt_tokens: 1, completion_tokens: 1 },
      },
    },
  ])
  for (let round = 0; round < 2; round++) expect((await rig.model.complete(ask())).replies[0]?.finish).toBe(finish)
})

const message = (fields: object) => ({
  status: 200,
  body: {
    choices: [{ message: { role: 'assistant', ...fields }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 1, completion_tokens: 1 },
  },
})

test.each([
  [
    'reasoning_content',
    message({ content: 'x', reasoning_content: 'because' }),
    { content: 'x', reasoning: 'because', finish: 'stop' },
  ],
  [
    'reasoning',
    message({ content: 'x', reasoning: 'because' }),
    { content: 'x', reasoning: 'because', finish: 'stop' },
  ],
  [
    'both, which repeat each other',
    message({ content: 'x', reasoning: 'because', reasoning_content: 'because' }),
    { content: 'x', reasoning: 'because', finish: 'stop' },
  ],
  [
    'reasoning_details',
    message({ content: 'x', reasoning_details: [{ type: 'reasoning.text', text: 'because' }] }),
    { content: 'x', reasoning: 'because', finish: 'stop' },
  ],
  [
    'thinking parts',
    message({
      content: [
        { type: 'thinking', thinking: [{ type: 'text', text: 'because' }] },
        { type: 'text', text: 'x' },
      ],
    }),
    { content: 'x', reasoning: 'because', finish: 'stop' },
  ],
  [
    'think tags, left to the reader of replies',
    message({ content: '<think>because</think>x' }),
    { content: '<think>because</think>x', finish: 'stop' },
  ],
  [
    'a refusal',
    message({ content: null, refusal: 'I cannot' }),
    { content: '', refusal: 'I cannot', finish: 'refusal' },
  ],
  ['a null content', message({ content: null }), { content: '', finish: 'stop' }],
  [
    'tool calls',
    message({ content: '', tool_calls: [{ function: { name: 'write', arguments: '{"a":1}' } }] }),
    { content: '', toolCalls: [{ name: 'write', arguments: '{"a":1}' }], finish: 'stop' },
  ],
  [
    'a function call with an object',
    message({ function_call: { name: 'write', arguments: { a: 1 } } }),
    { content: '', toolCalls: [{ name: 'write', arguments: '{"a":1}' }], finish: 'stop' },
  ],
])('a message with %s is read', async (_, step, reply) => {
  await using rig = await createRig([step])
  expect((await rig.model.complete(ask())).replies).toEqual([reply])
})

test('several choices stream interleaved, and deltas are those of the first', async () => {
  const part = (index: number, content: string, finish_reason: string | null = null) =>
    `data: ${JSON.stringify({ choices: [{ index, delta: { content }, finish_reason }] })}\n\n`
  await using rig = await createRig([
    { sse: [part(1, 'b'), part(0, 'a'), part(1, 'B', 'length'), part(0, 'A', 'stop'), 'data: [DONE]\n\n'] },
  ])
  const deltas: string[] = []
  const completion = await rig.model.complete(ask({ choices: 2 }), { onDelta: (delta) => deltas.push(delta) })
  expect(completion.replies).toEqual([
    { content: 'aA', finish: 'stop' },
    { content: 'bB', finish: 'length' },
  ])
  expect(deltas).toEqual(['a', 'A'])
  expect(rig.server.requests).toHaveLength(1)
})

test.each([
  ['Anthropic names', { input_tokens: 4, output_tokens: 2 }, 4, 2],
  ['a total in place of the completion', { prompt_tokens: 4, total_tokens: 6 }, 4, 2],
  ['numbers as strings', { prompt_tokens: '4', completion_tokens: '2' }, 4, 2],
])('usage with %s is the provider’s', async (_, usage, promptTokens, completionTokens) => {
  await using rig = await createRig([
    { status: 200, body: { choices: [{ message: { content: 'x' }, finish_reason: 'stop' }], usage } },
  ])
  expect((await rig.model.complete(ask())).usage).toMatchObject({ promptTokens, completionTokens, estimated: false })
})
