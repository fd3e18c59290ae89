import { afterAll, describe, expect, it } from 'vitest'
import { createEngine, openaiModel, type RunEvent, resultSchema, type Task } from '../../src/index.ts'
import { createScriptedServer, scriptedModel } from '../../src/testing/index.ts'

const fenced = (code: string): string => `\`\`\`ts\n${code}\n\`\`\``
const wrongType = fenced(
  'export function toEpoch(text: string): number {\n  const parsed: string = Date.parse(text)\n  return parsed\n}',
)
const wrongLogic = fenced('export function toEpoch(text: string): number {\n  return Date.parse(text)\n}')
const right = fenced('export function toEpoch(text: string): number {\n  return Math.floor(Date.parse(text) / 1000)\n}')
const diagnosis = '{"cause":"milliseconds are returned","fix":"divide by 1000","blame":"code","test":null}'

const manyDiagnoses = Array.from({ length: 4 }, () => diagnosis)

const tests = {
  'solution.test.ts': `import { expect, it } from 'vitest'
import { toEpoch } from './solution'
it('converts', () => expect(toEpoch('2024-01-15T10:30:00+08:00')).toBe(1705285800))
it('knows the start', () => expect(toEpoch('1970-01-01T00:00:00Z')).toBe(0))
`,
}
/** Without the mechanic, so that each reply is judged as the model wrote it. */
const task: Task = {
  instruction: 'Parse a time into a UTC epoch in seconds.',
  tests,
  policy: { mechanic: { mode: 'off' }, trust: { mutants: 0 } },
}

const shared = createEngine()
afterAll(() => shared.close())

async function runScript(script: Parameters<typeof scriptedModel>[0], change: Partial<Task> = {}) {
  const model = scriptedModel(script)
  await using engine = createEngine({ model })
  const run = engine.solve({ ...task, ...change, policy: { ...task.policy, ...change.policy } })
  const result = await run.result
  return { model, result, run }
}

describe('a solve run', () => {
  it('goes from wrong types over wrong logic to green, and tells each prompt what failed', async () => {
    const { model, result } = await runScript({ generate: [wrongType, wrongLogic, right], analyze: [diagnosis] })
    model.assertDone()
    expect(result).toMatchObject({ status: 'passed', verified: true, origin: 'model' })
    expect(result.attempts).toHaveLength(3)
    expect(result.path).toEqual([
      'generate',
      'validate',
      'generate',
      'validate',
      'analyze',
      'generate',
      'validate',
      'done',
    ])
    const prompts = model.requests
      .filter((request) => request.role === 'generate')
      .map((request) => request.messages.at(-1)?.content ?? '')
    expect(prompts[1]).toMatch(/TS2322[\s\S]*> 2 \|/)
    expect(prompts[2]).toContain('milliseconds are returned')
    expect(prompts[2]).toContain('expected: 1705285800')
    expect(result.usage).toMatchObject({ calls: 4, promptTokens: 40, completionTokens: 20 })
    const sum = result.attempts.reduce((total, attempt) => total + attempt.usage.promptTokens, 0)
    expect(sum).toBe(result.usage.promptTokens)
    expect(() => resultSchema.parse(result)).not.toThrow()
  })

  it('gives up after always wrong answers with the best attempt and a hand-over that names each', async () => {
    const half = fenced('export function toEpoch(text: string): number {\n  return text.startsWith("1970") ? 0 : 1\n}')
    const others = [2, 3, 4].map((n) =>
      fenced(`export const toEpoch = (text: string): number => text.length * ${n}${n}`),
    )
    const { result } = await runScript({
      generate: [others[0] ?? '', half, others[1] ?? '', others[2] ?? ''],
      analyze: manyDiagnoses,
      test_review: ['{"verdict":"code_wrong"}'],
    })
    expect(result).toMatchObject({ status: 'gave_up', verified: false, best: 2 })
    expect(result.files['solution.ts']).toContain('1970')
    for (const attempt of result.attempts) expect(result.handover).toContain(`attempt ${attempt.number}`)
    expect(result.handover).toContain('not verified')
  })

  it('does not judge the same program twice: it takes the report over, changes strategy, and ends stuck', async () => {
    const same = (note: string) => fenced(`// ${note}\n${wrongLogic.split('\n').slice(1, -1).join('\n')}`)
    const { result, run } = await runScript({
      generate: [same('a'), same('b'), same('c'), same('d')],
      analyze: manyDiagnoses,
      test_review: ['{"verdict":"code_wrong"}'],
    })
    expect(result).toMatchObject({ status: 'gave_up', reason: 'stuck' })
    expect(result.attempts.slice(1).every((attempt) => attempt.duplicateOf === 1)).toBe(true)
    expect(result.path.filter((state) => state === 'validate')).toHaveLength(1)
    const events = []
    for await (const event of run) events.push(event)
    expect(events.filter((event) => event.type === 'strategy.changed')).not.toHaveLength(0)
    expect(events.filter((event) => event.type === 'test.finished')).toHaveLength(2)
  })

  it('ends disputed when a reviewer holds a given test to be wrong, and leaves the test alone', async () => {
    const wrongTest = { 'solution.test.ts': tests['solution.test.ts'].replace('toBe(0)', 'toBe(7)') }
    const again = fenced('export const toEpoch = (text: string): number => Math.trunc(new Date(text).getTime() / 1000)')
    const { model, result } = await runScript(
      {
        generate: [right, again],
        analyze: [diagnosis, '{"cause":"the epoch starts at 0","fix":"","blame":"test","test":"knows the start"}'],
        test_review: ['{"verdicts":[{"test":"knows the start","verdict":"test_wrong","why":"0 by definition"}]}'],
      },
      { tests: wrongTest },
    )
    expect(result).toMatchObject({ status: 'gave_up', reason: 'test_disputed', setAside: [] })
    const texts = model.requests.map((request) => request.messages.map((message) => message.content).join())
    expect(texts.every((text) => text.includes(wrongTest['solution.test.ts'].trim()))).toBe(true)
  })

  it('tells a model nothing of hidden tests but that unseen requirements failed', async () => {
    await using server = await createScriptedServer({
      script: { generate: [wrongLogic, right], analyze: manyDiagnoses },
    })
    await using engine = createEngine({
      model: openaiModel({ model: 'm', baseURL: server.baseURL, apiKey: 'sk-test' }),
    })
    const visible = {
      'solution.test.ts':
        "import { expect, it } from 'vitest'\nimport { toEpoch } from './solution'\nit('is a number', () => expect(typeof toEpoch('1970-01-01T00:00:00Z')).toBe('number'))\n",
    }
    const hiddenTests = {
      'secret.test.ts':
        "import { expect, it } from 'vitest'\nimport { toEpoch } from './solution'\nit('zebra requirement', () => expect(toEpoch('2001-09-09T01:46:40Z'), 'quagga').toBe(1000000000))\n",
    }
    const result = await engine.solve({ ...task, tests: visible, hiddenTests }).result
    expect(result).toMatchObject({ status: 'passed', report: { hidden: { total: 1, passed: 1 } } })
    expect(result.attempts[0]?.report).toMatchObject({ passed: false, hidden: { total: 1, passed: 0 } })
    for (const request of server.requests) expect(request.text).not.toMatch(/zebra|quagga|secret|2001-09-09|1000000000/)
    expect(server.requests.at(-1)?.text).toContain('nseen requirements failed')
  })

  it('counts a reply without a program as an attempt that failed at extract', async () => {
    const { result } = await runScript({ generate: ['I would use Date.parse here.', right] })
    expect(result.attempts[0]).toMatchObject({ files: {}, report: { failures: [{ layer: 'extract', kind: 'reply' }] } })
    expect(result.status).toBe('passed')
  })

  it('ends after two refusals', async () => {
    const refusal = { content: '', refusal: 'I cannot help with that.' }
    const { result } = await runScript({ generate: [refusal, refusal] })
    expect(result).toMatchObject({ status: 'gave_up', reason: 'model_refused' })
  })

  it('ends at once when aborted, with what was found', async () => {
    let release = (): void => {}
    const after = new Promise<void>((resolve) => {
      release = resolve
    })
    const model = scriptedModel({ generate: [wrongLogic, { content: right, after }], analyze: manyDiagnoses })
    await using engine = createEngine({ model })
    const controller = new AbortController()
    const run = engine.solve(task, { signal: controller.signal })
    for await (const event of run)
      if (event.type === 'state.entered' && event.state === 'generate' && event.from === 'analyze') controller.abort()
    release()
    expect(await run.result).toMatchObject({ status: 'aborted', reason: 'aborted', verified: false, best: 1 })
    expect((await run.result).files['solution.ts']).toContain('Date.parse')
  })

  it('keeps a spent token budget', async () => {
    const { result, model } = await runScript(
      {
        generate: [1, 2, 3].map((n) => ({
          content: fenced(`export const toEpoch = (text: string): number => text.length + ${n}`),
          usage: { promptTokens: 900, completionTokens: 200 },
        })),
        analyze: manyDiagnoses,
      },
      { policy: { maxTokens: 3_000 } },
    )
    expect(result).toMatchObject({ status: 'gave_up', reason: 'tokens' })
    expect(model.requests.length).toBeLessThanOrEqual(3)
  })

  it('takes the best of several candidates asked for together and keeps the others as alternatives', async () => {
    const { result } = await runScript(
      { generate: [{ choices: [wrongLogic, right].map((content) => ({ content })) }] as never },
      { policy: { candidates: 2 } },
    )
    expect(result).toMatchObject({
      status: 'passed',
      attempts: [{ number: 1, alternatives: [{ report: { passed: false } }] }],
    })
  })

  it('resumes without asking the model again for what is recorded', async () => {
    const model = scriptedModel({ generate: [wrongLogic, right], analyze: [diagnosis] })
    await using engine = createEngine({ model })
    const run = engine.solve(task)
    const first = await run.result
    const second = await engine.resume(run.id).result
    expect(second.path).toEqual(first.path)
    expect(second.files).toEqual(first.files)
    model.assertDone()
  })
})

describe('the events of a judged candidate', () => {
  it('tell no test of a candidate that does not compile, though its tests run beside the type check', async () => {
    const model = scriptedModel({ generate: [wrongType, right] })
    await using engine = createEngine({ model })
    const told = new Map<number, string[]>()
    for await (const event of engine.solve(task))
      if (event.type === 'test.finished' || event.type === 'layer.finished')
        told.set(event.attempt, [
          ...(told.get(event.attempt) ?? []),
          event.type === 'test.finished' ? 'test' : event.layer,
        ])
    expect(told.get(1)).not.toContain('test')
    expect(told.get(2)?.filter((part) => part === 'test')).toHaveLength(2)
    expect(told.get(2)?.indexOf('types')).toBeLessThan(told.get(2)?.indexOf('test') ?? 0)
    expect(told.get(2)?.at(-1)).toBe('tests')
  })
})

describe('a run that was aborted and is resumed', () => {
  it('goes on where it stopped: what is recorded is neither asked for nor told again, and events go on counting', async () => {
    let release = (): void => {}
    const after = new Promise<void>((resolve) => {
      release = resolve
    })
    const model = scriptedModel({ generate: [wrongLogic, { content: right, after }, right], analyze: [diagnosis] })
    await using engine = createEngine({ model })
    const controller = new AbortController()
    const run = engine.solve(task, { signal: controller.signal })
    const before: RunEvent[] = []
    for await (const event of run) {
      before.push(event)
      if (event.type === 'state.entered' && event.state === 'generate' && event.from === 'analyze') controller.abort()
    }
    release()
    expect(await run.result).toMatchObject({ status: 'aborted' })

    const resumed = engine.resume(run.id)
    const later: RunEvent[] = []
    for await (const event of resumed) later.push(event)
    expect(await resumed.result).toMatchObject({ status: 'passed', runId: run.id, attempts: [{}, {}] })
    expect([...before, ...later].filter(({ type }) => type !== 'model.delta').map(({ seq }) => seq)).toEqual(
      [...before, ...later]
        .filter(({ type }) => type !== 'model.delta')
        .map(({ seq }) => seq)
        .sort((a, b) => a - b),
    )
    expect(new Set([...before, ...later].map(({ seq }) => seq)).size).toBe(before.length + later.length)
    expect(later.filter(({ type }) => type === 'run.started')).toEqual([])
    expect(later.flatMap((event) => (event.type === 'attempt.finished' ? [event.attempt] : []))).toEqual([2])
    expect(later.flatMap((event) => (event.type === 'state.entered' ? [event.state] : []))).toEqual([
      'validate',
      ...(await resumed.result).path.slice(5),
    ])
    expect(later.at(-1)).toMatchObject({ type: 'run.finished' })
  })
})

describe('misuse', () => {
  it.each([
    ['a test file that does not parse', { 'a.test.ts': 'it("x", () => {' }, 'TESTS_SYNTAX'],
    ['a test file without a test', { 'a.test.ts': 'export {}\n' }, 'TESTS_EMPTY'],
    [
      'a test that imports an unknown package',
      { 'a.test.ts': "import x from 'left-pad'\nimport { it } from 'vitest'\nit('x', () => x)\n" },
      'TESTS_IMPORT',
    ],
  ])('%s ends before the model is asked', async (_, broken, code) => {
    const model = scriptedModel({ generate: [] })
    await using engine = createEngine({ model })
    await expect(engine.solve({ ...task, tests: broken }).result).rejects.toMatchObject({ code })
    expect(model.requests).toEqual([])
  })

  it('a solve without a model throws and names the ways to give one', () => {
    expect(() => shared.solve(task)).toThrow(expect.objectContaining({ code: 'MODEL_REQUIRED' }))
  })

  it('a wrong key at the first call is told as that', async () => {
    await using server = await createScriptedServer({
      script: [{ status: 401, body: { error: { message: 'bad', code: 'invalid_api_key' } } }],
    })
    await using engine = createEngine({
      model: openaiModel({ model: 'm', baseURL: server.baseURL, apiKey: 'sk-very-secret' }),
    })
    const error: unknown = await engine.solve(task).result.catch((reason: unknown) => reason)
    expect(error).toMatchObject({ code: 'MODEL_KEY_REFUSED' })
    expect(String(error)).not.toContain('sk-very-secret')
  })
})

describe('many runs in one process', () => {
  it('stay apart', async () => {
    const model = scriptedModel((request) => {
      const text = request.messages.map((message) => message.content).join()
      const n = Number(/number (\d+)/.exec(text)?.[1])
      if (request.role !== 'generate') return diagnosis
      return fenced(
        text.includes('Attempt 1')
          ? `export const value = (): number => ${n}`
          : `export const value = (): number => ${n} + 1`,
      )
    })
    await using engine = createEngine({ model })
    const results = await Promise.all(
      Array.from(
        { length: 24 },
        (_, n) =>
          engine.solve({
            instruction: `Give the number ${n}.`,
            tests: {
              'solution.test.ts': `import { expect, it } from 'vitest'\nimport { value } from './solution'\nit('gives it', () => expect(value()).toBe(${n}))\n`,
            },
            policy: { mechanic: { mode: 'off' }, trust: { mutants: 0 } },
          }).result,
      ),
    )
    for (const [n, result] of results.entries()) {
      expect(result).toMatchObject({ status: 'passed' })
      expect(result.files['solution.ts']).toContain(`=> ${n}\n`.trim())
      expect(result.attempts).toHaveLength(2)
    }
  }, 120_000)
})
