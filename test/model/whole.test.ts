import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createBudget, withBudget } from '../../src/model/budget.ts'
import { completeWhole, joinContinued } from '../../src/model/whole.ts'
import { scriptedModel } from '../../src/testing/index.ts'
import { ask, createRig } from './setup.ts'

const program =
  '```ts\nexport function total(items: readonly number[]): number {\n  let sum = 0\n  for (const item of items) sum += item\n  return sum\n}\n```\n'

test('a reply cut by length is continued once and joined, and says so', async () => {
  await using rig = await createRig([
    { content: program.slice(0, 90), finishReason: 'length', usage: { promptTokens: 10, completionTokens: 20 } },
    { content: program.slice(90), usage: { promptTokens: 30, completionTokens: 15 } },
  ])
  const whole = await completeWhole(rig.model, ask())
  expect(whole.replies).toEqual([{ content: program, finish: 'stop' }])
  expect(whole.mended).toEqual(['continued'])
  expect(whole.usage).toMatchObject({ promptTokens: 40, completionTokens: 35, calls: 2 })
  expect(rig.server.requests[1]?.body.messages?.slice(-2)).toMatchObject([
    { role: 'assistant', content: program.slice(0, 90) },
    { role: 'user' },
  ])
})

test('a whole reply costs one call; one still cut after the continuation says length', async () => {
  const model = scriptedModel([
    'a',
    { content: 'abc', finishReason: 'length' },
    { content: 'def', finishReason: 'length' },
  ])
  expect((await completeWhole(model, ask())).mended).toEqual(['none'])
  expect((await completeWhole(model, ask())).replies).toEqual([{ content: 'abcdef', finish: 'length' }])
  model.assertDone()
})

test('a filtered reply is asked for again once, and stays filtered when it is again', async () => {
  const model = scriptedModel([
    { content: 'x', finishReason: 'content_filter' },
    'fine',
    { content: 'x', finishReason: 'content_filter' },
    { content: 'y', finishReason: 'content_filter' },
  ])
  const first = await completeWhole(model, ask())
  expect([first.replies[0]?.content, first.mended]).toEqual(['fine', ['asked-again']])
  expect((await completeWhole(model, ask())).replies[0]?.finish).toBe('content_filter')
  expect(model.requests[1]?.messages).toEqual(ask().messages)
})

test('a reply whose cap went into thoughts alone is asked for again with twice the cap', async () => {
  const model = scriptedModel([{ content: '', reasoning: 'hmm', finishReason: 'length' }, 'code'])
  const whole = await completeWhole(model, ask({ maxOutputTokens: 400 }))
  expect([whole.replies[0]?.content, whole.mended]).toEqual(['code', ['asked-again']])
  expect(model.requests[1]?.maxOutputTokens).toBe(800)
})

test('where the budget does not reach for a second call the cut reply is given back', async () => {
  const inner = scriptedModel([
    { content: 'abc', finishReason: 'length', usage: { promptTokens: 20, completionTokens: 400 } },
  ])
  const whole = await completeWhole(withBudget(inner, createBudget({ maxTokens: 500 })), ask())
  expect(whole.replies).toEqual([{ content: 'abc', finish: 'length' }])
  expect(whole.mended).toEqual(['none'])
})

test('of several choices only the cut ones are continued', async () => {
  const model = scriptedModel([
    { choices: [{ content: 'a' }, { content: 'b', finishReason: 'length' }] },
    { content: 'B' },
  ])
  const whole = await completeWhole(model, ask({ choices: 2 }))
  expect(whole.replies.map((reply) => reply.content)).toEqual(['a', 'bB'])
  expect(whole.mended).toEqual(['none', 'continued'])
  expect(model.requests[1]?.choices).toBeUndefined()
})

test.each([
  ['a fence opened again', program.slice(0, 90), `\`\`\`typescript\n${program.slice(90)}`],
  ['words and a fence opened again', program.slice(0, 90), `Continuing:\n\n\`\`\`ts\n${program.slice(90)}`],
  ['the last lines repeated', program.slice(0, 95), program.slice(55)],
  ['the broken line begun anew', program.slice(0, 95), program.slice(program.lastIndexOf('\n', 94) + 1)],
  [
    'the broken line begun anew without its indentation',
    program.slice(0, 95),
    program.slice(program.lastIndexOf('\n', 94) + 1).trimStart(),
  ],
  ['the whole answer once more', program.slice(0, 95), program],
])('a continuation with %s is joined without doubling', (_, head, tail) => {
  expect(joinContinued(head, tail)).toBe(program)
})

test('a closing fence is kept, and braces that repeat by chance are too', () => {
  expect(joinContinued('```ts\nlet a = 1\n', '```\n')).toBe('```ts\nlet a = 1\n```\n')
  expect(joinContinued('  }\n}\n', '}\n')).toBe('  }\n}\n}\n')
})

test('a text cut anywhere is joined to itself', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: program.length - 1 }), (at) => {
      expect(joinContinued(program.slice(0, at), program.slice(at))).toBe(program)
    }),
  )
})
