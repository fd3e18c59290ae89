import type { ModelMessage } from '../model/types.ts'
import { buildGeneratePrompt } from '../prompt/build.ts'
import { type Strategy, strategyInstruction } from '../prompt/strategy.ts'
import type { PromptTemplates } from '../prompt/templates.ts'
import type { ResolvedTask } from '../task.ts'

/** The prompt that a task starts with, as far as it is known before anything is judged. */
export function firstPrompt(
  task: ResolvedTask,
  templates: PromptTemplates,
  strategies: readonly Strategy[],
): ModelMessage[] {
  return buildGeneratePrompt(task, task.kind === 'repair' ? templates.repair : templates.generate, {
    candidate: task.kind === 'repair' ? { attempt: 0, files: task.files } : null,
    latest: null,
    regress: false,
    notes: [],
    history: [],
    strategyInstruction: strategyInstruction(task.policy.strategies[0] ?? 'direct', strategies),
    freshLook: false,
    redRounds: 0,
    generation: 1,
    maxGenerations: task.policy.maxAttempts,
    alternates: false,
  })
}
