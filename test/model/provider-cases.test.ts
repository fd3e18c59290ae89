import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { RedgreenError } from '../../src/errors.ts'
import type { HttpStep } from '../../src/testing/index.ts'
import { ask, createRig } from './setup.ts'

interface ProviderCase {
  readonly id: string
  readonly input: {
    readonly request?: Record<string, unknown>
    readonly cases?: readonly {
      readonly status?: number
      readonly headers?: Record<string, string>
      readonly body: string | object
    }[]
    readonly http?: { readonly status: number; readonly body: object }
    readonly sse?: string
    readonly message?: { readonly content: string }
    readonly finish_reason?: string
  }
}

/** The provider group of the corpus of replies. */
const cases = new Map<string, ProviderCase>(
  readFileSync(new URL('../fixtures/model/provider-replies.jsonl', import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map((line) => {
      const parsed: ProviderCase = JSON.parse(line)
      return [parsed.id, parsed]
    }),
)
const inputOf = (id: string) => {
  const found = cases.get(id)
  if (!found) throw new Error(`no case ${id}`)
  return found.input
}
const steps = (id: string): HttpStep[] =>
  (inputOf(id).cases ?? []).map(({ status = 200, headers, body }) => ({
    status,
    body,
    ...(headers ? { headers } : {}),
  }))

test('R63: refused max_tokens and temperature are sent in another form, each once, and remembered', async () => {
  await using rig = await createRig([...steps('R63'), 'first', 'second'])
  const request = ask({ temperature: 0.2, maxOutputTokens: 512 })
  expect((await rig.model.complete(request)).replies[0]?.content).toBe('first')
  const completion = await rig.model.complete(request)
  expect(completion.usage.calls).toBe(1)
  const bodies = rig.server.requests.map((one) => one.body)
  expect(bodies.map((body) => [body.max_tokens, body.max_completion_tokens, body.temperature])).toEqual([
    [512, undefined, 0.2],
    [undefined, 512, 0.2],
    [undefined, 512, undefined],
    [undefined, 512, undefined],
  ])
  expect(rig.clock.sleeps).toEqual([])
  rig.server.assertDone()
})

test('R65: a refused response_format falls back to JSON mode with the schema in the prompt, then to plain text', async () => {
  const refusal: HttpStep = { status: 400, body: inputOf('R65').http?.body ?? {} }
  await using rig = await createRig([refusal, refusal, '{"n":2}', '{"n":3}'])
  const request = ask({ json: { name: 'answer', schema: { type: 'object', properties: { n: { type: 'number' } } } } })
  expect((await rig.model.complete(request)).replies[0]?.content).toBe('{"n":2}')
  await rig.model.complete(request)
  const formats = rig.server.requests.map((one) => one.body.response_format)
  expect(formats).toMatchObject([{ type: 'json_schema' }, { type: 'json_object' }, undefined, undefined])
  const last = rig.server.requests.map((one) => one.body.messages?.at(-1)?.content ?? '')
  expect(last[1]).toMatch(/JSON object[\s\S]*"properties"/)
  expect(last[2]).toContain('```json')
  rig.server.assertDone()
})

test('R66: where n is ignored the other choices are sent for one by one, and next time from the start', async () => {
  const alone: HttpStep = { status: 200, body: inputOf('R66').http?.body ?? {} }
  await using rig = await createRig([alone, 'b', 'c', 'd', 'e', 'f'])
  const completion = await rig.model.complete(ask({ choices: 3 }))
  expect(completion.replies.map((reply) => reply.content)).toEqual(['```ts\nexport const n = 2;\n```', 'b', 'c'])
  expect(completion.usage.calls).toBe(3)
  const again = await rig.model.complete(ask({ choices: 3 }))
  expect(again.replies).toHaveLength(3)
  expect(rig.server.requests.map((one) => one.body.n)).toEqual([
    3,
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
  ])
})

test('R68: an error inside a stream with status 200 is tried again, and its partial text is not the reply', async () => {
  await using rig = await createRig([{ sse: inputOf('R68').sse ?? '' }, 'whole'])
  const reasons: string[] = []
  const completion = await rig.model.complete(ask(), { onRetry: ({ reason }) => reasons.push(reason) })
  expect(completion.replies).toEqual([{ content: 'whole', finish: 'stop' }])
  expect(reasons).toEqual(['status 502: upstream overloaded'])
})

test('R69: a stream cut without an end is tried again and its part is charged as an estimate', async () => {
  await using rig = await createRig([
    { sse: inputOf('R69').sse ?? '' },
    { content: 'whole', usage: { promptTokens: 9, completionTokens: 1 } },
  ])
  const completion = await rig.model.complete(ask())
  expect(completion.replies).toEqual([{ content: 'whole', finish: 'stop' }])
  expect(completion.usage).toMatchObject({ calls: 2, estimated: true })
  expect(completion.usage.completionTokens).toBeGreaterThan(1)
})

test('R69: a finish without [DONE] is complete', async () => {
  const sse = 'data: {"choices":[{"index":0,"delta":{"content":"ok"},"finish_reason":"stop"}]}\n\n'
  await using rig = await createRig([{ sse }])
  expect((await rig.model.complete(ask())).replies).toEqual([{ content: 'ok', finish: 'stop' }])
})

test('R71: chunks without choices are no harm, and usage comes from the last of them', async () => {
  await using rig = await createRig([{ sse: inputOf('R71').sse ?? '' }])
  const completion = await rig.model.complete(ask())
  expect(completion.replies).toEqual([{ content: 'ok', finish: 'stop' }])
  expect(completion.usage).toMatchObject({ promptTokens: 3, completionTokens: 1, estimated: false })
})

test('R72: what a filter stopped says so', async () => {
  const { message, finish_reason } = inputOf('R72')
  await using rig = await createRig([{ content: message?.content ?? '', finishReason: finish_reason ?? null }])
  expect((await rig.model.complete(ask())).replies).toEqual([
    { content: '```ts\nexport const', finish: 'content_filter' },
  ])
})

test('R74: no choices, odd finish reasons and missing usage are normalised', async () => {
  await using rig = await createRig(steps('R74'))
  const completions = []
  for (const _ of steps('R74')) completions.push(await rig.model.complete(ask()))
  expect(completions.map(({ replies }) => replies)).toEqual([
    [{ content: '', finish: 'unknown' }],
    [{ content: 'x', finish: 'length' }],
    [{ content: 'x', finish: 'stop' }],
    [{ content: 'x', finish: 'unknown' }],
  ])
  expect(completions.every(({ usage }) => usage.estimated)).toBe(true)
})

test.each([
  [0, undefined],
  [1, undefined],
  [2, 'MODEL_KEY_REFUSED'],
  [3, 'MODEL_ENDPOINT_INVALID'],
])(
  'R75: provider error %i is retried or coded by its status, and neither HTML nor the key is quoted',
  async (index, code) => {
    const step = steps('R75')[index]
    if (!step) throw new Error('no such case')
    await using rig = await createRig(code === undefined ? [step, 'ok'] : [step])
    const reasons: string[] = []
    const outcome = await rig.model.complete(ask(), { onRetry: ({ reason }) => reasons.push(reason) }).then(
      (completion) => completion.replies[0]?.content,
      (error: unknown) => error,
    )
    if (code === undefined) {
      expect(outcome).toBe('ok')
      expect(reasons).toHaveLength(1)
    } else {
      expect(RedgreenError.isInstance(outcome) && outcome.code).toBe(code)
    }
    const shown = `${reasons.join()} ${outcome instanceof Error ? `${outcome.message} ${JSON.stringify(outcome)}` : ''}`
    expect(shown).not.toMatch(/<html|bad key|sk-test/)
    rig.server.assertDone()
  },
)
