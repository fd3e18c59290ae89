import { expect, test } from 'vitest'
import { z } from 'zod'
import { RedgreenError } from '../../src/errors.ts'
import { createBudget, withBudget } from '../../src/model/budget.ts'
import { completeJson } from '../../src/model/json.ts'
import { completeWhole } from '../../src/model/whole.ts'
import { scriptedModel } from '../../src/testing/index.ts'
import { ask, createRig } from './setup.ts'

const price = { inputPerMillionUsd: 1_000_000, outputPerMillionUsd: 1_000_000 }
const down = { error: new RedgreenError('MODEL_UNAVAILABLE', 'down') }
const started = `data: {"choices":[{"index":0,"delta":{"content":"some words"}}]}\n\n`

test('a question that fails at its second ask says what the first one cost', async () => {
  const model = scriptedModel(['no json', down])
  await expect(completeJson(model, ask(), z.string())).rejects.toMatchObject({
    code: 'MODEL_UNAVAILABLE',
    message: 'down',
    detail: { usage: { promptTokens: 10, completionTokens: 5, calls: 1 } },
  })
})

test('a continuation that fails says what the cut reply cost', async () => {
  const model = scriptedModel([{ content: 'abc', finishReason: 'length' }, down])
  await expect(completeWhole(model, ask())).rejects.toMatchObject({
    detail: { usage: { calls: 1, completionTokens: 5 } },
  })
})

test('under a budget what a failed call cost is priced, and charged once', async () => {
  const usage = { promptTokens: 3, completionTokens: 4, calls: 1, costUsd: null, estimated: true }
  const budget = createBudget({ price })
  const inner = scriptedModel([
    { error: new RedgreenError('MODEL_UNAVAILABLE', 'down', { detail: { tries: 2, usage } }) },
  ])
  await expect(withBudget(inner, budget).complete(ask())).rejects.toMatchObject({
    detail: { tries: 2, usage: { costUsd: 7 } },
  })
  expect(budget.spent).toMatchObject({ promptTokens: 3, completionTokens: 4, calls: 1, costUsd: 7 })
})

test('a stream that is aborted, and one whose wait is too long, say what had come', async () => {
  await using rig = await createRig(
    [{ sse: started, end: 'open' }, { sse: started }, { status: 429, headers: { 'retry-after': '99' } }],
    { price },
  )
  const controller = new AbortController()
  const aborted = rig.model.complete(ask(), { signal: controller.signal, onDelta: () => controller.abort() })
  await expect(aborted).rejects.toMatchObject({ code: 'ABORTED', detail: { usage: { calls: 1, estimated: true } } })
  await expect(rig.model.complete(ask(), { deadlineMs: 10_000 })).rejects.toMatchObject({
    code: 'BUDGET_EXHAUSTED',
    detail: { budget: 'time', usage: { calls: 1, completionTokens: 2 } },
  })
})
