import type { Failure, Report } from '../domain/report.ts'
import type { FileMap } from '../domain/task.ts'
import { renderFailures } from '../feedback/purify-render.ts'
import type { ModelMessage } from '../model/types.ts'
import type { ResolvedTask } from '../task.ts'
import { emphasisFor, freshLook } from './emphasis.ts'
import { type HistoryEntry, renderHistory } from './history.ts'
import { exportedSignatures, requiredExports } from './module-shape.ts'
import { type PromptTemplate, renderTemplate } from './template.ts'
import { fenced, renderFiles } from './text.ts'

/** What the next generation is told beside the task. */
export interface GenerateMaterial {
  /** Program to build on; null when there is none yet. */
  readonly candidate: { readonly attempt: number; readonly files: FileMap } | null
  /** The latest attempt's report. */
  readonly latest: { readonly attempt: number; readonly report: Report } | null
  /** The latest scored lower than the candidate to build on: its failures are what the change broke. */
  readonly regress: boolean
  readonly notes: readonly string[]
  /** All red attempts so far, oldest first. */
  readonly history: readonly HistoryEntry[]
  readonly strategyInstruction: string
  readonly freshLook: boolean
  readonly redRounds: number
  readonly generation: number
  readonly maxGenerations: number
  /** Attempts are in a cycle of this many: say so, and show the failures of all of them together. */
  readonly alternates: boolean
}

/** Characters of the tests and of the files shown; more is cut in the middle. */
const limits = { tests: 60_000, context: 30_000, candidate: 80_000 } as const

/**
 * The prompt of a generation: the stable part first, for the prompt caches of providers, then what changes.
 *
 * @param share of the usual size, less than 1 after a context overflow
 */
export function buildGeneratePrompt(
  task: ResolvedTask,
  template: PromptTemplate,
  material: GenerateMaterial,
  share = 1,
): ModelMessage[] {
  const { latest, candidate } = material
  const slots = {
    ...stableSlots(task, share),
    candidate: candidate === null ? '' : renderFiles(candidate.files, limits.candidate * share),
    verdict: verdictText(material),
    failures: latest === null ? '' : failureText(latest.report.failures, share),
    notes: material.notes.join('\n\n'),
    history: renderHistory(material.history, { maxTokens: 2_000 * share }),
    instruction: instructionText(task, material),
  }
  return renderMessages(template, slots)
}

/** The prompt of a call that looks at one program: analysis, test review, review. */
export function buildLookPrompt(
  task: ResolvedTask,
  template: PromptTemplate,
  look: { readonly files: FileMap; readonly failures: readonly Failure[]; readonly question?: string },
): ModelMessage[] {
  return renderMessages(template, {
    ...stableSlots(task, 1),
    candidate: renderFiles(look.files, limits.candidate),
    verdict: '',
    failures: failureText(look.failures, 1),
    notes: '',
    history: '',
    instruction: '',
    question: look.question ?? '',
  })
}

/** Errors alone where there are any: a warning is no task. */
function failureText(failures: readonly Failure[], share: number): string {
  const errors = failures.filter((failure) => failure.severity === 'error')
  return renderFailures(errors.length > 0 ? errors : failures, { maxFailures: 12, maxLength: 12_000 * share })
}

function renderMessages(template: PromptTemplate, slots: Readonly<Record<string, string>>): ModelMessage[] {
  return [
    { role: 'system', content: renderTemplate(template.system, slots, template.name) },
    { role: 'user', content: renderTemplate(template.user, slots, template.name) },
  ]
}

function stableSlots(task: ResolvedTask, share: number): Record<string, string> {
  return {
    language: task.language === 'typescript' ? 'TypeScript' : 'JavaScript',
    goal: task.instruction,
    signature: signatureText(task),
    acceptance: task.acceptance.map((criterion) => `- ${criterion}`).join('\n'),
    context: Object.keys(task.context).length === 0 ? '' : renderFiles(task.context, limits.context * share),
    tests: renderFiles(task.tests, limits.tests * share),
    question: '',
  }
}

/** What the entry must export: what the tests import, and the declarations that are there already. */
function signatureText(task: ResolvedTask): string {
  const lines = [`The tests import from the file \`${task.entry}\`.`]
  for (const { name, kind } of requiredExports(task.tests, task.entry)) {
    if (kind === 'named') lines.push(`- a named export \`${name}\``)
    else if (kind === 'default') lines.push(`- a default export (called \`${name}\` in the tests)`)
    else lines.push(`- the module as a whole (\`${name}\` in the tests)`)
  }
  const given = task.files[task.entry]
  const signatures = given === undefined ? [] : exportedSignatures(given, task.entry)
  if (signatures.length > 0) lines.push(`It has these exports now:\n\n${fenced(signatures.join('\n'), 'ts')}`)
  lines.push(
    task.packages.length > 0
      ? `It may import these packages: ${task.packages.join(', ')}; no others, and no Node modules that reach files, network or processes.`
      : 'It may import no npm packages, and no Node modules that reach files, network or processes.',
  )
  return lines.join('\n')
}

function verdictText({ candidate, latest, regress, alternates }: GenerateMaterial): string {
  if (latest === null) return ''
  const { report } = latest
  const red = report.layers.find((layer) => layer.status === 'failed')?.layer ?? 'tests'
  const standing =
    red === 'hidden'
      ? 'All visible tests pass, but unseen requirements failed.'
      : red === 'tests'
        ? `${report.tests.passed} of ${report.tests.total} tests pass.`
        : red === 'extract'
          ? 'The reply held no usable program.'
          : report.passed
            ? `All ${report.tests.total} tests pass.`
            : `The program fails at ${red}; the tests were not reached.`
  const lines = [`Attempt ${latest.attempt}: ${standing}`]
  if (regress && candidate !== null && candidate.attempt !== latest.attempt) {
    lines.push(
      `That is worse than attempt ${candidate.attempt}, which is the program to build on above. The failures below are what attempt ${latest.attempt} broke; do not repeat its change.`,
    )
  } else if (candidate !== null && candidate.attempt !== latest.attempt) {
    lines.push(`The program above is attempt ${candidate.attempt}, the best one so far.`)
  }
  if (alternates)
    lines.push(
      'The attempts alternate between the same programs or failures: each undoes what the other mended. Meet both at once.',
    )
  return lines.join('\n')
}

function instructionText(task: ResolvedTask, material: GenerateMaterial): string {
  const leading = material.latest?.report.failures.find((failure) => failure.severity === 'error')?.kind ?? null
  const parts = [
    `This is attempt ${material.generation} of ${material.maxGenerations}.`,
    emphasisFor(leading, material.redRounds),
    material.freshLook ? freshLook : '',
    material.strategyInstruction,
    `Reply with the complete content of \`${task.entry}\`${material.candidate === null ? '' : ', not with a patch'}.`,
  ]
  return parts.filter((part) => part !== '').join(' ')
}
