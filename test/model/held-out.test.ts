import { expect, test } from 'vitest'
import { readRetryAfterMs } from '../../src/model/retry-after.ts'
import type { HttpStep } from '../../src/testing/index.ts'
import { ask, createRig, START_MS } from './setup.ts'

// 2026-01-01T00:00:00Z was a Thursday.
const waits: readonly [string, Record<string, string>, unknown, number | undefined][] = [
  ['the oldest notation of an HTTP date', { 'retry-after': 'Thu Jan  1 00:00:20 2026' }, '', 20_000],
  ['the notation of RFC 850', { 'retry-after': 'Thursday, 01-Jan-26 00:00:20 GMT' }, '', 20_000],
  ['the same header twice', { 'retry-after': '3, 3' }, '', 3_000],
  ['hours and minutes', { 'x-ratelimit-reset-tokens': '1h2m3s', 'x-ratelimit-remaining-tokens': '0' }, '', 3_723_000],
  ['a structured RateLimit field', { ratelimit: '"default";r=0;t=30' }, '', 30_000],
  ['a reset-after', { 'x-ratelimit-reset-after': '2.5' }, '', 2_500],
  ['a sentence of Gemini', {}, { error: { message: 'You exceeded your quota. Please retry in 21.5s.' } }, 21_500],
  ['a sentence of Azure', {}, { error: { message: 'Please retry after 24 seconds. Please contact support.' } }, 24_000],
  ['a sentence with hours', {}, { error: { message: 'Please try again in 1h2m3.5s.' } }, 3_723_500],
  ['a member in camel case', {}, { error: { message: 'x', retryAfter: '3s' } }, 3_000],
  ['a member of the details', {}, { error: { message: 'x', details: { retry_after_seconds: 4 } } }, 4_000],
]

test.each(waits)('a wait given as %s is understood', (_, headers, body, ms) => {
  const message = (body as { error?: { message?: string } }).error?.message ?? ''
  expect(readRetryAfterMs(new Headers(headers), body, message, START_MS)).toBe(ms)
})

const event = (choice: object, extra: object = {}) =>
  `data: ${JSON.stringify({ choices: [{ index: 0, ...choice }], ...extra })}\n\n`
const stop = event({ delta: {}, finish_reason: 'stop' })

const streams: readonly [string, string, object][] = [
  [
    'deltas of null and choices of null',
    `data: {"choices":null}\n\n${event({ delta: null })}${event({ delta: { content: 'x' } })}${stop}`,
    { content: 'x', finish: 'stop' },
  ],
  [
    'content as a list of parts',
    event({ delta: { content: [{ type: 'text', text: 'x' }] } }) + stop,
    { content: 'x', finish: 'stop' },
  ],
  [
    'reasoning_content before content',
    event({ delta: { reasoning_content: 'be' } }) +
      event({ delta: { reasoning_content: 'cause' } }) +
      event({ delta: { content: 'x' } }) +
      stop,
    { content: 'x', reasoning: 'because', finish: 'stop' },
  ],
  [
    'reasoning under another name',
    event({ delta: { reasoning: 'because', content: '' } }) + event({ delta: { content: 'x' } }) + stop,
    { content: 'x', reasoning: 'because', finish: 'stop' },
  ],
  [
    'a refusal in pieces',
    event({ delta: { refusal: 'I can' } }) + event({ delta: { refusal: 'not' } }) + stop,
    { content: '', refusal: 'I cannot', finish: 'refusal' },
  ],
  [
    'a tool call in pieces',
    event({ delta: { tool_calls: [{ index: 0, id: 'a', function: { name: 'write', arguments: '{"a"' } }] } }) +
      event({ delta: { tool_calls: [{ index: 0, function: { arguments: ':1}' } }] } }) +
      event({ delta: {}, finish_reason: 'tool_calls' }),
    { content: '', toolCalls: [{ name: 'write', arguments: '{"a":1}' }], finish: 'tool_calls' },
  ],
  [
    'two tool calls interleaved',
    event({
      delta: {
        tool_calls: [
          { index: 0, function: { name: 'a', arguments: '{' } },
          { index: 1, function: { name: 'b', arguments: '[' } },
        ],
      },
    }) +
      event({
        delta: {
          tool_calls: [
            { index: 1, function: { arguments: ']' } },
            { index: 0, function: { arguments: '}' } },
          ],
        },
      }) +
      stop,
    {
      content: '',
      toolCalls: [
        { name: 'a', arguments: '{}' },
        { name: 'b', arguments: '[]' },
      ],
      finish: 'stop',
    },
  ],
  [
    'a filter in the middle',
    event({ delta: { content: 'x' } }) + event({ delta: {}, finish_reason: 'content_filter' }),
    { content: 'x', finish: 'content_filter' },
  ],
  [
    'a finish beside the last text',
    event({ delta: { content: 'x' }, finish_reason: 'length' }),
    { content: 'x', finish: 'length' },
  ],
  [
    'a finish told twice',
    event({ delta: { content: 'x' }, finish_reason: 'stop' }) +
      event({ delta: { content: '' }, finish_reason: 'stop' }),
    { content: 'x', finish: 'stop' },
  ],
  [
    'the text of a legacy completion',
    `data: {"choices":[{"index":0,"text":"x","finish_reason":"stop"}]}\n\n`,
    { content: 'x', finish: 'stop' },
  ],
  [
    'usage in every chunk',
    event({ delta: { content: 'x' } }, { usage: { prompt_tokens: 3, completion_tokens: 1 } }) +
      event({ delta: {}, finish_reason: 'stop' }, { usage: { prompt_tokens: 3, completion_tokens: 2 } }),
    { content: 'x', finish: 'stop' },
  ],
]

test.each(streams)('a stream with %s is read', async (_, sse, reply) => {
  await using rig = await createRig([{ sse }])
  expect((await rig.model.complete(ask())).replies).toEqual([reply])
})

const passing: readonly [string, HttpStep][] = [
  [
    'a page of a proxy with status 503',
    { status: 503, headers: { 'content-type': 'text/html' }, body: '<!doctype html><h1>Service Unavailable</h1>' },
  ],
  [
    'a page of Cloudflare',
    {
      status: 524,
      headers: { 'content-type': 'text/html; charset=UTF-8' },
      body: '<html><head><title>524: A timeout occurred</title></head></html>',
    },
  ],
  [
    'Anthropic’s overload',
    { status: 529, body: { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } } },
  ],
  ['a request that took too long', { status: 408, body: '' }],
  ['a conflict', { status: 409, body: { error: { message: 'conflict, try again' } } }],
  ['a limit without any body', { status: 429, body: '' }],
  [
    'a model that is still loading',
    { status: 503, body: { error: { message: 'Loading model', type: 'unavailable_error', code: 503 } } },
  ],
]

test.each(passing)('%s is asked again, and nothing of its page is quoted', async (_, step) => {
  await using rig = await createRig([step, 'ok'])
  const reasons: string[] = []
  const completion = await rig.model.complete(ask(), { onRetry: ({ reason }) => reasons.push(reason) })
  expect(completion.replies[0]?.content).toBe('ok')
  expect(reasons.join()).not.toMatch(/<|doctype/i)
  rig.server.assertDone()
})

test('the last usage of a stream counts, not the sum', async () => {
  const [, sse] = streams.at(-1) ?? ['', '']
  await using rig = await createRig([{ sse }])
  expect((await rig.model.complete(ask())).usage).toMatchObject({
    promptTokens: 3,
    completionTokens: 2,
    estimated: false,
  })
})
