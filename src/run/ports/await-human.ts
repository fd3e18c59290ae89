import type { AwaitHumanInput, HumanAnswer } from '../../../machines/ports.ts'
import { reasonText } from '../handover.ts'
import type { RunSession } from '../session.ts'

/** Rejects the port so that the run rests: nobody can answer now. */
export class NobodyToAsk extends Error {
  override readonly name = 'NobodyToAsk'
}

/** Asks a person; the answer is the result of the step, so that it outlives the process. */
export async function awaitHuman(session: RunSession, input: AwaitHumanInput): Promise<HumanAnswer> {
  const { tools } = session
  const { left, ...identity } = input
  const question = questionOf(input)
  const answer = await tools.journal.step(`await_human/${input.visit}`, identity, async () => {
    tools.emit({ type: 'human.requested', question })
    if (!tools.askHuman) throw new NobodyToAsk('the run waits for a person')
    return tools.askHuman(
      {
        runId: tools.runId,
        reason: input.reason,
        question,
        files: input.best === null ? {} : session.attempt(input.best).files,
        approvable: input.approvable !== null,
        disputed: input.disputed,
        hintsLeft: input.hintsLeft,
        spent: input.spent,
      },
      tools.signal,
    )
  })
  tools.emit({ type: 'human.answered', answer: answer.answer })
  if (answer.answer === 'hint') session.hints.set(input.visit, answer.hint)
  return answer
}

function questionOf(input: AwaitHumanInput): string {
  const lines = [reasonText(input.reason)]
  if (input.disputed.length > 0) lines.push(`Approve to set these tests aside: ${input.disputed.join(', ')}.`)
  else if (input.approvable !== null)
    lines.push(`Approve to accept attempt ${input.approvable}, whose tests are green.`)
  if (input.hintsLeft > 0)
    lines.push(
      `Or give a hint (${input.hintsLeft} left)${input.spent.length > 0 ? `, raising the budget of ${input.spent.join(', ')}` : ''}.`,
    )
  lines.push('Or reject.')
  return lines.join(' ')
}
