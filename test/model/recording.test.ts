import { expect, test } from 'vitest'
import { RedgreenError } from '../../src/errors.ts'
import { createRecorder, formatRecording, parseRecording, recordModel, replayModel } from '../../src/model/recording.ts'
import { scriptedModel } from '../../src/testing/index.ts'
import { ask, createRig } from './setup.ts'

const code = '```ts\nexport const n = 2\n```\n'

test('what is recorded, written, read and replayed says the same, per role in order', async () => {
  const recorder = createRecorder({
    note: 'two calls',
    task: { instruction: 'Write n.', tests: { 'n.test.ts': 'test' } },
  })
  const inner = scriptedModel({
    generate: [
      code,
      {
        choices: [
          { content: 'b', reasoning: 'r' },
          { content: null, refusal: 'no' },
        ],
      },
    ],
    analyze: ['why'],
  })
  const model = recordModel(inner, recorder.sink)
  const said = []
  for (const role of ['generate', 'analyze', 'generate'] as const) said.push(await model.complete(ask({ role })))
  const text = formatRecording(recorder.recording())
  expect(text).toContain('"export const n = 2",')
  const recording = parseRecording(text)
  expect(recording).toMatchObject({ version: 1, note: 'two calls', task: { instruction: 'Write n.' } })
  const replay = replayModel(recording)
  // Another order between roles is no other run.
  const analyzed = await replay.complete(ask({ role: 'analyze' }))
  const first = await replay.complete(ask())
  expect(replay.unused()).toEqual(['1 of 2 generate calls'])
  const second = await replay.complete(ask())
  expect([first, analyzed, second]).toEqual(said)
  expect(replay.unused()).toEqual([])
})

test('calls side by side are recorded in the order in which they began', async () => {
  let release: () => void = () => undefined
  const gate = new Promise<void>((resolve) => {
    release = resolve
  })
  const recorder = createRecorder()
  const model = recordModel(scriptedModel([{ content: 'first', after: gate }, 'second']), recorder.sink)
  const first = model.complete(ask())
  await model.complete(ask())
  release()
  await first
  const replay = replayModel(recorder.recording())
  expect((await replay.complete(ask())).replies[0]?.content).toBe('first')
})

test('a failure is recorded and fails again; an abort is not recorded', async () => {
  const recorder = createRecorder()
  const inner = scriptedModel([{ error: new RedgreenError('MODEL_UNAVAILABLE', 'down') }])
  const model = recordModel(inner, recorder.sink)
  await expect(model.complete(ask(), { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'ABORTED' })
  await expect(model.complete(ask())).rejects.toMatchObject({ code: 'MODEL_UNAVAILABLE' })
  const replay = replayModel(parseRecording(formatRecording(recorder.recording())))
  await expect(replay.complete(ask())).rejects.toMatchObject({ code: 'MODEL_UNAVAILABLE', message: 'down' })
})

test('a recording holds no key, no header and no prompt', async () => {
  await using rig = await createRig([code], { headers: { 'X-Tenant': 'tenant-secret' } })
  const recorder = createRecorder()
  await recordModel(rig.model, recorder.sink).complete(ask())
  const text = formatRecording(recorder.recording())
  expect(text).not.toMatch(/sk-test|tenant-secret|127\.0\.0\.1|You write code/)
})

test('a run that asks for more, or for another role, is told what the recording holds', async () => {
  const replay = replayModel({
    version: 1,
    calls: [
      {
        role: 'generate',
        replies: [{ content: 'a' }],
        usage: { promptTokens: 1, completionTokens: 1, calls: 1, costUsd: null, estimated: false },
      },
    ],
  })
  await expect(replay.complete(ask({ role: 'review' }))).rejects.toMatchObject({
    code: 'RECORDING_INVALID',
    message: expect.stringMatching(/review call 1.*holds 0.*left are 1 of 1 generate/),
  })
  await replay.complete(ask())
  await expect(replay.complete(ask())).rejects.toMatchObject({
    code: 'RECORDING_INVALID',
    message: expect.stringMatching(/generate call 2.*holds 1/),
  })
})

test.each([
  ['no JSON', 'version: 1', /not JSON/],
  ['a later version', '{"version":2,"calls":[]}', /version 2/],
  ['no calls', '{"version":1}', /calls/],
  ['an unknown member', '{"version":1,"calls":[],"apiKey":"x"}', /apiKey|top/],
  ['a wrong role', '{"version":1,"calls":[{"role":"poet","replies":[]}]}', /calls\.0/],
  ['null', 'null', /top/],
])('a file with %s is RECORDING_INVALID, and says where', (_, text, where) => {
  expect(() => parseRecording(text)).toThrow(
    expect.objectContaining({ code: 'RECORDING_INVALID', message: expect.stringMatching(where) }),
  )
})
