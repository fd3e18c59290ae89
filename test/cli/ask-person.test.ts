import { describe, expect, it } from 'vitest'
import { askPerson } from '../../src/cli/ask-person.ts'
import type { HumanRequest } from '../../src/run/human.ts'

const request: HumanRequest = {
  runId: 'r',
  reason: 'attempts',
  question: 'All attempts are spent.',
  files: {},
  approvable: false,
  disputed: [],
  hintsLeft: 3,
  spent: [],
}

async function answered(lines: string[], change: Partial<HumanRequest> = {}) {
  const left = [...lines]
  const prompts: string[] = []
  let shown = ''
  const ask = askPerson({
    stdout: { write: (text) => (shown += text) },
    stderr: { write: () => {} },
    environment: { USER: 'ada' },
    now: () => 0,
    onInterrupt: () => () => {},
    ask: async (prompt) => {
      prompts.push(prompt)
      return left.shift() ?? expect.unreachable('asked once too often')
    },
  })
  const answer = await ask({ ...request, ...change }, new AbortController().signal)
  expect(left).toEqual([])
  return { answer, prompts, shown }
}

describe('the question at the terminal', () => {
  it.each([
    ['hint mind the empty list', { answer: 'hint', by: 'ada', hint: 'mind the empty list' }],
    ['reject not wanted any more', { answer: 'reject', by: 'ada', why: 'not wanted any more' }],
    ['r', { answer: 'reject', by: 'ada', why: '' }],
  ])('takes "%s"', async (line, expected) => {
    expect((await answered([line])).answer).toEqual(expected)
  })

  it('offers approval only where there is something to approve', async () => {
    const green = await answered(['approve fine'], { approvable: true })
    expect(green.answer).toEqual({ answer: 'approve', by: 'ada', why: 'fine' })
    const red = await answered(['approve fine', 'reject'])
    expect(red.prompts[0]).not.toContain('approve')
    expect(red.shown).toContain('none of: hint TEXT, reject [WHY]')
  })

  it('asks again for an empty line, an unknown word, a hint without text, and a hint when none is left', async () => {
    expect((await answered(['', 'maybe', 'hint', 'reject'])).answer.answer).toBe('reject')
    expect((await answered(['hint try again', 'reject'], { hintsLeft: 0 })).answer.answer).toBe('reject')
  })

  it('asks for the new limit of each spent budget, in the units of the flags', async () => {
    const { answer } = await answered(['hint go on', '5000', '90'], { spent: ['tokens', 'time'] })
    expect(answer).toMatchObject({ raise: { maxTokens: 5_000, maxTimeMs: 90_000 } })
  })

  it('shows the question without control characters of the code', async () => {
    expect((await answered(['reject'], { question: 'a\u001b[2Jb' })).shown).not.toContain('\u001b')
  })
})
