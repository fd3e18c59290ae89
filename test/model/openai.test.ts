import { expect, test } from 'vitest'
import { ask, createRig } from './setup.ts'

test('a streamed reply arrives whole, with usage, deltas and the role on the wire', async () => {
  await using rig = await createRig([
    { content: 'export const n = 2 // and a little more text', usage: { promptTokens: 7, completionTokens: 3 } },
  ])
  const deltas: string[] = []
  const completion = await rig.model.complete(ask({ temperature: 0.2, maxOutputTokens: 512 }), {
    onDelta: (text) => deltas.push(text),
  })
  expect(completion).toEqual({
    replies: [{ content: 'export const n = 2 // and a little more text', finish: 'stop' }],
    model: 'm',
    usage: { promptTokens: 7, completionTokens: 3, calls: 1, costUsd: null, estimated: false },
    durationMs: 0,
  })
  expect(deltas.length).toBeGreaterThan(1)
  expect(deltas.join('')).toBe(completion.replies[0]?.content)
  const [request] = rig.server.requests
  expect(request?.role).toBe('generate')
  expect(request?.headers.authorization).toBe('Bearer sk-test-secret-0123456789')
  expect(request?.body).toEqual({
    model: 'm',
    messages: [
      { role: 'system', content: 'You write code.' },
      { role: 'user', content: 'Write n.' },
    ],
    temperature: 0.2,
    max_tokens: 512,
    stream: true,
    stream_options: { include_usage: true },
  })
  rig.server.assertDone()
})

test('missing usage is estimated with a tokenizer and marked', async () => {
  await using rig = await createRig([{ content: 'export const n = 2', usage: null }])
  const { usage } = await rig.model.complete(ask())
  expect(usage.estimated).toBe(true)
  expect(usage.completionTokens).toBe(6)
  expect(usage.promptTokens).toBeGreaterThan(8)
})
