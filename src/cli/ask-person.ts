import type { HumanAnswer, HumanRequest } from '../run/human.ts'
import type { CommandIo } from './io.ts'
import { printable } from './view/paint.ts'

type Ask = NonNullable<CommandIo['ask']>

/** Asks the person at the terminal; asks again until the answer is one that can be taken. */
export function askPerson(io: CommandIo): (request: HumanRequest, signal: AbortSignal) => Promise<HumanAnswer> {
  return async (request, signal) => {
    const { ask } = io
    if (!ask) throw new Error('nobody sits at the terminal')
    const by = io.environment.USER ?? io.environment.LOGNAME ?? 'terminal'
    const canApprove = request.approvable || request.disputed.length > 0
    const choices = [
      ...(canApprove ? ['approve [WHY]'] : []),
      ...(request.hintsLeft > 0 ? ['hint TEXT'] : []),
      'reject [WHY]',
    ]
    io.stdout.write(`\n${printable(request.question)}\n`)
    while (true) {
      const line = (await ask(`${choices.join(' | ')} > `, signal)).trim()
      const [word = '', ...rest] = line.split(/\s+/)
      const text = rest.join(' ')
      if ('approve'.startsWith(word) && word !== '' && canApprove) return { answer: 'approve', by, why: text }
      if ('reject'.startsWith(word) && word !== '') return { answer: 'reject', by, why: text }
      if ('hint'.startsWith(word) && word !== '' && text !== '' && request.hintsLeft > 0)
        return { answer: 'hint', by, hint: text, ...(await askRaise(request, ask, signal)) }
      io.stdout.write(`That is none of: ${choices.join(', ')}.\n`)
    }
  }
}

/** A hint needs budget: where one is spent, its new limit is asked for. */
async function askRaise(
  { spent }: HumanRequest,
  ask: Ask,
  signal: AbortSignal,
): Promise<Pick<Extract<HumanAnswer, { answer: 'hint' }>, 'raise'>> {
  if (spent.length === 0) return {}
  const limits = { tokens: 'tokens', cost: 'US dollars', time: 'seconds' } as const
  const raised = new Map<string, number>()
  for (const budget of spent) {
    const value = Number(await ask(`new limit of ${budget}, in ${limits[budget]} for the whole run > `, signal))
    if (Number.isFinite(value) && value > 0) raised.set(budget, value)
  }
  const [tokens, cost, time] = ['tokens', 'cost', 'time'].map((budget) => raised.get(budget))
  return {
    raise: {
      ...(tokens === undefined ? {} : { maxTokens: Math.floor(tokens) }),
      ...(cost === undefined ? {} : { maxCostUsd: cost }),
      ...(time === undefined ? {} : { maxTimeMs: Math.round(time * 1000) }),
    },
  }
}
