import { expect, test } from 'vitest'
import { scriptedModel } from '../../src/testing/index.ts'
import { ask } from '../model/setup.ts'

test('replies come in order with usage, and text in deltas', async () => {
  const model = scriptedModel([
    'a'.repeat(60),
    { content: 'b', usage: { promptTokens: 1, completionTokens: 2 }, finishReason: 'MAX_TOKENS' },
  ])
  const deltas: string[] = []
  const first = await model.complete(ask(), { onDelta: (text) => deltas.push(text) })
  expect(first).toEqual({
    replies: [{ content: 'a'.repeat(60), finish: 'stop' }],
    model: 'scripted',
    usage: { promptTokens: 10, completionTokens: 5, calls: 1, costUsd: null, estimated: false },
    durationMs: 0,
  })
  expect(deltas).toHaveLength(3)
  expect(deltas.join('')).toBe('a'.repeat(60))
  expect(await model.complete(ask())).toMatchObject({ replies: [{ finish: 'length' }], usage: { completionTokens: 2 } })
  expect(model.requests).toHaveLength(2)
  model.assertDone()
})

test('queues by role, refusals, several choices, functions and errors', async () => {
  const model = scriptedModel({
    generate: [{ choices: [{ content: 'a' }, { refusal: 'no' }] }],
    analyze: [{ error: new Error('down') }],
  })
  expect((await model.complete(ask())).replies).toEqual([
    { content: 'a', finish: 'stop' },
    { content: '', refusal: 'no', finish: 'refusal' },
  ])
  await expect(model.complete(ask({ role: 'analyze' }))).rejects.toThrow('down')
  model.assertDone()
  const echo = scriptedModel((request) => request.messages.at(-1)?.content ?? '', { name: 'echo' })
  expect(await echo.complete(ask())).toMatchObject({ model: 'echo', replies: [{ content: 'Write n.' }] })
})

test('unexpected and unused calls are reported', async () => {
  const model = scriptedModel({ generate: ['a'], review: ['b'] })
  await expect(model.complete(ask({ role: 'analyze' }))).rejects.toMatchObject({ code: 'MODEL_UNAVAILABLE' })
  expect(() => model.assertDone()).toThrow(/unexpected analyze call.*1 of 1 generate.*1 of 1 review/)
})

test('abort rejects, also while a step waits for its gate', async () => {
  const controller = new AbortController()
  const model = scriptedModel([{ content: 'never', after: new Promise(() => undefined) }])
  const call = model.complete(ask(), { signal: controller.signal })
  controller.abort()
  await expect(call).rejects.toMatchObject({ code: 'ABORTED' })
})
