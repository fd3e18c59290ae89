import { describeIssues } from './config.ts'
import { mergePolicies, type Policy, type PolicyInput, policySchema } from './domain/policy.ts'
import { type FileMap, type Language, type Task, taskSchema } from './domain/task.ts'
import { RedgreenError } from './errors.ts'
import { expectedModule } from './prompt/module-shape.ts'

/** A task with every default filled in. */
export interface ResolvedTask {
  readonly kind: 'solve' | 'repair'
  readonly instruction: string
  readonly language: Language
  readonly files: FileMap
  readonly context: FileMap
  readonly tests: FileMap
  readonly hiddenTests: FileMap
  readonly entry: string
  readonly acceptance: readonly string[]
  readonly packages: readonly string[]
  readonly compilerOptions: Readonly<Record<string, unknown>>
  readonly labels: Readonly<Record<string, string>>
  readonly policy: ResolvedPolicy
}

/** A policy whose mechanic is decided: mode and time follow from the kind of run and whether there is a model. */
export interface ResolvedPolicy extends Policy {
  readonly mechanic: Required<Policy['mechanic']>
}

const defaultEntries: Readonly<Record<Language, string>> = {
  typescript: 'solution.ts',
  javascript: 'solution.js',
  python: 'solution.py',
  sql: 'solution.sql',
  bash: 'solution.sh',
}

/** The languages that this build can judge. */
export const availableLanguages: readonly Language[] = ['typescript', 'javascript']

export interface ResolveTaskOptions {
  readonly kind: 'solve' | 'repair'
  readonly hasModel: boolean
  /** The engine's own policy, under the task's. */
  readonly policy?: Partial<PolicyInput>
}

/**
 * Checks a task's shape and fills its defaults; what needs a compiler is left to the validator's preflight.
 *
 * @throws RedgreenError INVALID_TASK, INSTRUCTION_EMPTY, TESTS_REQUIRED, LANGUAGE_UNAVAILABLE, PRICE_REQUIRED, MODEL_REQUIRED
 */
export function resolveTask(task: Task, options: ResolveTaskOptions): ResolvedTask {
  const parsed = taskSchema.safeParse(task)
  if (!parsed.success) throw new RedgreenError('INVALID_TASK', `the task is not valid: ${describeIssues(parsed.error)}`)
  const given = parsed.data
  const policy = resolvePolicy(mergePolicies(options.policy, task.policy), options)
  const files = given.files ?? {}
  const language = given.language ?? languageOf(given.entry ?? Object.keys(files)[0])
  if (!availableLanguages.includes(language)) {
    throw new RedgreenError(
      'LANGUAGE_UNAVAILABLE',
      `language "${language}" is not available in this build; available: ${availableLanguages.join(', ')}`,
    )
  }
  if (options.kind === 'repair' && Object.keys(files).length === 0) {
    throw new RedgreenError('INVALID_TASK', 'a repair needs starting code: give it in task.files')
  }
  const instruction = given.instruction.trim()
  if (instruction === '') {
    throw new RedgreenError('INSTRUCTION_EMPTY', 'the instruction is empty: say in a sentence what the code shall do')
  }
  const tests = given.tests ?? {}
  if (Object.keys(tests).length === 0) {
    throw new RedgreenError(
      'TESTS_REQUIRED',
      'no tests were given or found: name test files with --tests, or put them in task.tests; without tests nothing can be proven',
    )
  }
  return {
    kind: options.kind,
    instruction,
    language,
    files,
    context: given.context ?? {},
    tests,
    hiddenTests: given.hiddenTests ?? {},
    entry: given.entry ?? entryOf(files, language, tests, given.context ?? {}),
    acceptance: given.acceptance ?? [],
    packages: given.packages ?? [],
    compilerOptions: given.compilerOptions ?? {},
    labels: given.labels ?? {},
    policy,
  }
}

function resolvePolicy(input: Partial<PolicyInput>, options: ResolveTaskOptions): ResolvedPolicy {
  const parsed = policySchema.safeParse(input)
  if (!parsed.success)
    throw new RedgreenError('INVALID_TASK', `the policy is not valid: ${describeIssues(parsed.error)}`)
  const policy = parsed.data
  if (policy.maxCostUsd !== undefined && policy.price === undefined) {
    throw new RedgreenError(
      'PRICE_REQUIRED',
      'a cost budget needs the price of the model: give policy.price with inputPerMillionUsd and outputPerMillionUsd',
    )
  }
  const mode = policy.mechanic.mode ?? defaultMechanicMode(options)
  if (!options.hasModel && (options.kind === 'solve' || mode !== 'only')) throw modelRequired(options.kind)
  return {
    ...policy,
    mechanic: {
      mode,
      maxCandidates: policy.mechanic.maxCandidates,
      maxTimeMs: policy.mechanic.maxTimeMs ?? (mode === 'first' ? 30_000 : 60_000),
    },
  }
}

function defaultMechanicMode({ kind, hasModel }: ResolveTaskOptions): 'quick' | 'first' | 'only' {
  if (kind === 'solve') return 'quick'
  return hasModel ? 'first' : 'only'
}

/** Says how to give a model; `solve` cannot do without. */
export function modelRequired(kind: string): RedgreenError {
  return new RedgreenError(
    'MODEL_REQUIRED',
    [
      `${kind} needs a model. Give one in one of these ways:`,
      '  OpenAI      OPENAI_API_KEY=…  --model gpt-5-mini',
      '  Ollama      --base-url http://127.0.0.1:11434/v1 --model qwen2.5-coder',
      '  llama.cpp   --base-url http://127.0.0.1:8080/v1 --model default',
      '  vLLM        --base-url http://127.0.0.1:8000/v1 --model NAME',
      'Any OpenAI-compatible endpoint will do. Without a model: redgreen repair FILE --mechanic only, or --replay FILE.',
    ].join('\n'),
  )
}

function languageOf(path: string | undefined): Language {
  if (path === undefined) return 'typescript'
  const extension = path.slice(path.lastIndexOf('.') + 1)
  switch (extension) {
    case 'js':
    case 'mjs':
    case 'cjs':
    case 'jsx':
      return 'javascript'
    case 'py':
      return 'python'
    case 'sql':
      return 'sql'
    case 'sh':
    case 'bash':
      return 'bash'
    default:
      return 'typescript'
  }
}

/** The standard name, unless the starting files or the tests' imports say another. */
function entryOf(files: FileMap, language: Language, tests: FileMap, context: FileMap): string {
  const names = Object.keys(files)
  const standard = defaultEntries[language]
  if (names.includes(standard)) return standard
  if (names[0] !== undefined) return names[0]
  const expected = expectedModule(tests, context)
  return expected === null ? standard : `${expected}${standard.slice(standard.lastIndexOf('.'))}`
}
