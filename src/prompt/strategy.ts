/** How a generation is asked for. A user's own strategy is a name with its instruction. */
export interface Strategy {
  readonly name: string
  readonly instruction: string
}

export const builtInStrategies: readonly Strategy[] = [
  { name: 'direct', instruction: 'Write the program.' },
  {
    name: 'plan-first',
    instruction:
      'First write a plan as a list, one step a line, in the form "- what the step does => what it gives for one of the tests". Then write the program that follows the plan.',
  },
  {
    name: 'different-approach',
    instruction:
      'The approaches tried so far have failed. Choose another algorithm or data structure than before, name it in one line, and write the program with it.',
  },
]

/** The instruction of a strategy by name; an unknown name is its own instruction. */
export function strategyInstruction(name: string, own: readonly Strategy[]): string {
  const found = [...own, ...builtInStrategies].find((strategy) => strategy.name === name)
  return found?.instruction ?? `Strategy for this attempt: ${name}. Write the program.`
}

export interface PlanStep {
  description: string
  expectedOutput: string
}

/** Reads the steps of a plan-first reply; lines without `=>` are steps without an expected output. */
export function readPlan(reply: string): PlanStep[] {
  const steps: PlanStep[] = []
  for (const line of reply.split('\n')) {
    if (/^\s*(```|~~~)/.test(line)) break
    const item = /^\s*(?:[-*]|\d+[.)])\s+(.*)$/.exec(line)
    const text = item?.[1]?.trim()
    if (!text) continue
    const [description = '', ...rest] = text.split('=>')
    steps.push({ description: description.trim().slice(0, 300), expectedOutput: rest.join('=>').trim().slice(0, 300) })
    if (steps.length === 20) break
  }
  return steps
}
