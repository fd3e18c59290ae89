import fc from 'fast-check'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { completeJson, readJson } from '../../src/model/json.ts'
import { scriptedModel } from '../../src/testing/index.ts'
import { ask, createRig } from './setup.ts'

const schema = z.strictObject({ verdict: z.enum(['code', 'test']), why: z.string() })
const value = { verdict: 'code', why: 'the sign {is} "wrong"' } as const
const text = JSON.stringify(value)

test.each([
  ['plain', text],
  ['in a fence', `Here you are:\n\n\`\`\`json\n${text}\n\`\`\`\nHope it helps.`],
  ['in a fence that never ends', `\`\`\`json\n${text}`],
  ['amid prose with braces', `I looked at {this} and [that]. ${text} Done {ok}.`],
  ['after thoughts', `<think>maybe {"verdict":"test"}</think>\n${text}`],
  ['after thoughts without an opening tag', `maybe {"verdict":"test","why":"x"}</think>${text}`],
  ['with a byte order mark', `\uFEFF${text}`],
  ['with single quotes and a trailing comma', `{'verdict': 'code', 'why': 'the sign {is} "wrong"',}`],
  ['with comments', `{\n// the verdict\n"verdict": "code", /* because */ "why": ${JSON.stringify(value.why)} }`],
  ['unclosed', text.slice(0, -1)],
  ['as JSON inside a string', JSON.stringify(text)],
  ['inside a list of one', `[${text}]`],
  ['under one member', `{"answer": ${text}}`],
  ['indented with raw line breaks', JSON.stringify(value, null, 2)],
])('JSON %s is read', (_, content) => {
  expect(readJson([content], schema)).toEqual({ ok: true, value })
})

test.each([
  ['prose', 'I think the code is wrong.', /no JSON/],
  ['JSON of another shape', '{"verdict":"maybe","why":1}', /verdict.*why/],
  ['nothing', '', /no JSON/],
])('%s is not JSON of the schema, and the complaint says why', (_, content, complaint) => {
  const reading = readJson([content], schema)
  expect(reading.ok).toBe(false)
  expect(reading.ok ? '' : reading.complaint).toMatch(complaint)
})

test('reading never throws, and finds a value that is wrapped in whatever prose', () => {
  fc.assert(fc.property(fc.string({ maxLength: 300 }), (noise) => void readJson([noise], schema)))
  fc.assert(
    fc.property(
      fc.string(),
      fc.stringMatching(/^[a-zA-Z .,\n]{0,80}$/),
      fc.stringMatching(/^[a-zA-Z .,\n]{0,80}$/),
      (why, before, after) => {
        const wanted = { verdict: 'test' as const, why }
        expect(readJson([`${before}${JSON.stringify(wanted)}${after}`], schema)).toEqual({ ok: true, value: wanted })
      },
    ),
  )
})

test('a good answer at once costs one call, with the schema sent strictly', async () => {
  await using rig = await createRig([text])
  const result = await completeJson(rig.model, ask({ role: 'test_review' }), schema, { name: 'verdict' })
  expect(result.value).toEqual(value)
  expect(result.usage.calls).toBe(1)
  expect(rig.server.requests[0]?.body.response_format).toMatchObject({
    type: 'json_schema',
    json_schema: { name: 'verdict', strict: true, schema: { required: ['verdict', 'why'] } },
  })
})

test('a schema with optional members is not sent as strict', async () => {
  await using rig = await createRig(['{}'])
  await completeJson(rig.model, ask(), z.strictObject({ n: z.number().optional() }))
  expect(rig.server.requests[0]?.body.response_format).toMatchObject({ json_schema: { strict: false } })
})

test('a bad answer is asked for again with the complaint, the last time as plain text', async () => {
  await using rig = await createRig(['{"verdict":"maybe","why":"x"}', 'sorry', `At last: ${text}`])
  const result = await completeJson(rig.model, ask(), schema)
  expect(result.value).toEqual(value)
  expect(result.usage.calls).toBe(3)
  const [, second, third] = rig.server.requests
  expect(second?.body.messages?.map((message) => message.role)).toEqual(['system', 'user', 'assistant', 'user'])
  expect(second?.body.messages?.at(-1)?.content).toMatch(/verdict/)
  expect(third?.body.response_format).toBeUndefined()
  expect(third?.body.messages?.at(-1)?.content).toMatch(/no JSON[\s\S]*"required"/)
})

test('three bad answers are MODEL_REPLY_UNPARSABLE with usage and complaint', async () => {
  const model = scriptedModel(['a', 'b', 'c'])
  await expect(completeJson(model, ask({ role: 'review' }), schema)).rejects.toMatchObject({
    code: 'MODEL_REPLY_UNPARSABLE',
    detail: { role: 'review', usage: { calls: 3 }, complaint: 'it holds no JSON' },
  })
  model.assertDone()
})

test('an answer in a tool call, or in thoughts alone, counts', async () => {
  const model = scriptedModel([
    { content: '', toolCalls: [{ name: 'answer', arguments: text }] },
    { content: '', reasoning: `so: ${text}` },
  ])
  expect((await completeJson(model, ask(), schema)).value).toEqual(value)
  expect((await completeJson(model, ask(), schema)).value).toEqual(value)
})
