import type { Deny, Limits } from './domain/policy.ts'
import { denySchema, limitsSchema } from './domain/policy.ts'
import type { FileMap, Language } from './domain/task.ts'
import { RedgreenError } from './errors.ts'
import type { ProgramOutcome, Sandbox } from './sandbox/types.ts'
import { availableLanguages } from './task.ts'
import type { TypeService } from './validate/index.ts'

export interface ExecuteOptions {
  /** Default typescript. */
  readonly language?: Language
  /** Further files that the program imports. */
  readonly files?: FileMap
  readonly packages?: readonly string[]
  readonly stdin?: string
  readonly args?: readonly string[]
  readonly limits?: Partial<Limits>
  /** Modules, globals and calls that the program may not use, found in its syntax tree. */
  readonly deny?: Partial<Deny>
  readonly allowEval?: boolean
  readonly signal?: AbortSignal
}

/** What running a program gave. A program that fails is a value. */
export interface ExecuteResult {
  readonly success: boolean
  /** What ended the program, in a line; null when it ended well. */
  readonly error: string | null
  readonly stdout: string
  readonly stderr: string
  readonly exitCode: number
  /** The default export or the value of the last expression, printed; null where there is none. */
  readonly result: string | null
}

/** Seed, time and zone of programs run without tests: those of tests. */
const environment = { seed: 1, epochMs: Date.UTC(2024, 0, 1), timeZone: 'UTC', shuffleTests: false } as const

/**
 * Runs a program without tests inside the walls of the sandbox.
 *
 * @throws RedgreenError LANGUAGE_UNAVAILABLE, PACKAGE_UNKNOWN, ABORTED, and infrastructure
 */
export async function executeProgram(
  sandbox: Sandbox,
  typeService: TypeService,
  code: string,
  options: ExecuteOptions,
  packageRoot: string,
): Promise<ExecuteResult> {
  const language = options.language ?? 'typescript'
  if (!availableLanguages.includes(language)) {
    throw new RedgreenError(
      'LANGUAGE_UNAVAILABLE',
      `language "${language}" is not available in this build; available: ${availableLanguages.join(', ')}`,
    )
  }
  const entry = language === 'typescript' ? 'program.ts' : 'program.js'
  const judgement = typeService.judge({
    language,
    entry,
    files: { ...options.files, [entry]: code },
    context: {},
    tests: {},
    hiddenTests: {},
    packages: options.packages ?? [],
    packageRoot,
    compilerOptions: {},
    // Types are not checked here: a program is run, not judged. What it may use is.
    allow: { anyCasts: true, tsIgnore: true, eval: options.allowEval ?? false },
    deny: denySchema.parse(options.deny ?? {}),
    setAside: [],
    prepare: true,
    types: false,
    failFast: true,
  })
  const early = await judgement.early
  const { prepared } = early
  const refused = [...early.syntax, ...early.imports, ...early.policy].find((failure) => failure.severity === 'error')
  if (refused || !prepared)
    return failed(refused ? `${refused.kind}: ${refused.message}` : 'the program could not be prepared')
  const outcome = await sandbox.run(
    {
      kind: 'program',
      modules: prepared.modules,
      packages: prepared.packages,
      entry,
      stdin: options.stdin ?? '',
      args: options.args ?? [],
      limits: limitsSchema.parse(options.limits ?? {}),
      environment,
      allowEval: options.allowEval ?? false,
    },
    { scope: 'execute', ...(options.signal ? { signal: options.signal } : {}) },
  )
  return toResult(outcome)
}

function failed(error: string): ExecuteResult {
  return { success: false, error, stdout: '', stderr: '', exitCode: 1, result: null }
}

function toResult(outcome: ProgramOutcome): ExecuteResult {
  const error = errorOf(outcome)
  return {
    success: error === null && outcome.exitCode === 0,
    error,
    stdout: outcome.stdout,
    stderr: outcome.stderr,
    exitCode: error !== null && outcome.exitCode === 0 ? 1 : outcome.exitCode,
    result: outcome.result ?? null,
  }
}

function errorOf({ end, error, exitCode }: ProgramOutcome): string | null {
  switch (end.kind) {
    case 'completed':
      if (error)
        return error.thrown === undefined
          ? `${error.name}: ${error.message}`
          : `thrown value (not an Error): ${error.thrown}`
      return exitCode === 0 ? null : `exit code ${exitCode}`
    case 'timeout':
      return end.which === 'cpu' ? 'the program used up its processor time' : 'the program did not end in time'
    case 'memory':
      return 'the program took more memory than allowed'
    case 'output':
      return 'the program printed without end'
    case 'crash':
      return 'the program brought its process down'
    case 'environment':
      throw new RedgreenError('SANDBOX_UNAVAILABLE', end.detail)
    default:
      return end satisfies never
  }
}
