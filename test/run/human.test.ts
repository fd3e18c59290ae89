import { describe, expect, it } from 'vitest'
import { createEngine, type HumanAnswer, type HumanRequest, type Task } from '../../src/index.ts'
import { scriptedModel } from '../../src/testing/index.ts'

const fenced = (code: string): string => `\`\`\`ts\n${code}\n\`\`\``
const wrong = fenced('export const half = (n: number): number => n')
const right = fenced('export const half = (n: number): number => n / 2')
const blamesTest = JSON.stringify({ cause: 'the test is off', fix: '', blame: 'test', test: null })

const task: Task = {
  instruction: 'Halve a number.',
  tests: {
    'solution.test.ts': `import { expect, it } from 'vitest'
import { half } from './solution'
it('halves', () => expect(half(4)).toBe(2))
`,
  },
  policy: { human: true, maxAttempts: 1, mechanic: { mode: 'off' }, trust: { mutants: 0 } },
}

/** Runs with a person who answers in this order; more questions than answers fail the test. */
async function withAnswers(script: Parameters<typeof scriptedModel>[0], answers: HumanAnswer[], change: Task = task) {
  const requests: HumanRequest[] = []
  const model = scriptedModel(script)
  await using engine = createEngine({
    model,
    onHuman: async (request) => {
      requests.push(request)
      const answer = answers.shift()
      if (!answer) throw new Error('the person was asked once too often')
      return answer
    },
  })
  const result = await engine.solve(change).result
  model.assertDone()
  return { result, requests, model }
}

describe('a run with a person', () => {
  it('asks instead of giving up, and a hint buys one more attempt whose prompt holds it', async () => {
    const { result, requests, model } = await withAnswers({ generate: [wrong, right] }, [
      { answer: 'hint', by: 'ada', hint: 'divide by two' },
    ])
    expect(result).toMatchObject({ status: 'passed', attempts: [{ number: 1 }, { number: 2 }] })
    expect(requests).toMatchObject([{ reason: 'attempts', approvable: false, hintsLeft: 3 }])
    expect(requests[0]?.files['solution.ts']).toContain('=> n')
    expect(model.requests.at(-1)?.messages.at(-1)?.content).toContain('divide by two')
    expect(result.path).toContain('await_human')
  })

  it('ends as rejected on their word', async () => {
    const { result } = await withAnswers({ generate: [wrong] }, [
      { answer: 'reject', by: 'ada', why: 'not what I meant' },
    ])
    expect(result).toMatchObject({ status: 'gave_up', reason: 'rejected', verified: false })
  })

  it('cannot be made to accept what is red: approval is asked again or refused, never believed', async () => {
    const { result } = await withAnswers({ generate: [wrong] }, [
      { answer: 'approve', by: 'ada', why: 'looks good' },
      { answer: 'reject', by: 'ada', why: 'then not' },
    ])
    expect(result.verified).toBe(false)
    expect(result.status).not.toBe('passed')
  })

  it('sets a disputed test aside on their word alone, and lists it', async () => {
    const two: Task = {
      ...task,
      tests: {
        'solution.test.ts': `import { expect, it } from 'vitest'
import { half } from './solution'
it('halves', () => expect(half(4)).toBe(2))
it('lies', () => expect(half(4)).toBe(3))
`,
      },
      policy: { ...task.policy, maxAttempts: 2 },
    }
    const { result, requests } = await withAnswers(
      {
        generate: [right, fenced('export function half(n: number): number {\n  return n * 0.5\n}')],
        analyze: [blamesTest, blamesTest],
        test_review: ['{"verdict":"test_wrong","reason":"half of 4 is 2"}'],
      },
      [{ answer: 'approve', by: 'ada', why: 'it contradicts the other' }],
      two,
    )
    expect(requests).toMatchObject([{ reason: 'test_disputed', disputed: ['lies'] }])
    expect(result).toMatchObject({
      status: 'passed',
      verified: true,
      setAside: [{ test: 'lies', by: 'ada', why: 'it contradicts the other' }],
    })
    expect(result.report?.tests).toMatchObject({ total: 1, passed: 1 })
  })

  it('rests with needs_human where nobody can be asked, and can be resumed', async () => {
    const model = scriptedModel({ generate: [wrong] })
    await using engine = createEngine({ model })
    const run = engine.solve(task)
    const result = await run.result
    expect(result).toMatchObject({ status: 'needs_human', reason: 'attempts', verified: false, best: 1 })
    expect(result.handover).toContain('attempt')
    expect(await engine.resume(run.id).result).toMatchObject({ status: 'needs_human' })
    model.assertDone()
  })
})
