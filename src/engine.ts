import { randomUUID } from 'node:crypto'
import { describeIssues } from './config.ts'
import { type PolicyInput, policySchema } from './domain/policy.ts'
import type { Report } from './domain/report.ts'
import type { Task } from './domain/task.ts'
import { RedgreenError } from './errors.ts'
import { type ExecuteOptions, type ExecuteResult, executeProgram } from './execute.ts'
import type { Journal, JournalStore } from './journal/journal.ts'
import { createMemoryJournalStore } from './journal/memory.ts'
import { createMend } from './mechanic/mend.ts'
import { closeSearchThread, searchLogic } from './mechanic/search/index.ts'
import { closeTrustThread, measureTrust } from './mechanic/trust/index.ts'
import { closeRepairThreads } from './mechanic/types/index.ts'
import { estimateRequest, type RequestEstimate } from './model/estimate.ts'
import type { Model, ModelMessage } from './model/types.ts'
import type { Strategy } from './prompt/strategy.ts'
import type { PromptTemplate } from './prompt/template.ts'
import { defaultTemplates, type PromptTemplates, type TemplateName } from './prompt/templates.ts'
import { EventStream } from './run/event-stream.ts'
import { firstPrompt } from './run/first-prompt.ts'
import type { HumanAnswer, HumanRequest } from './run/human.ts'
import { toResult } from './run/result.ts'
import { Run } from './run/run.ts'
import { RunSession } from './run/session.ts'
import { createSandbox, type SandboxOptions } from './sandbox/index.ts'
import { modelRequired, type ResolvedTask, resolveTask } from './task.ts'
import { createTypeService, createValidator } from './validate/index.ts'

export interface EngineOptions {
  /** Writes the code. Without one the engine verifies, executes, and repairs by search. */
  readonly model?: Model
  /** Models of their own for the other calls; default `model`. */
  readonly models?: Partial<Readonly<Record<'analyze' | 'test_review' | 'review', Model>>>
  /** Defaults for the policies of tasks. */
  readonly policy?: Partial<PolicyInput>
  /** Replacements for prompt templates. */
  readonly templates?: Partial<Readonly<Record<TemplateName, PromptTemplate>>>
  /** Own strategies, named in `policy.strategies`. */
  readonly strategies?: readonly Strategy[]
  /** Folder whose node_modules holds the packages that tasks declare; default the current one. */
  readonly packageRoot?: string
  readonly sandbox?: SandboxOptions
  /** Where effects are recorded; default in memory, for the life of the engine. */
  readonly journal?: JournalStore
  /** Asks a person where `policy.human` says so; without it such a run rests with status `needs_human`. */
  readonly onHuman?: (request: HumanRequest, signal: AbortSignal) => Promise<HumanAnswer>
  /** Milliseconds since 1970, for the times of events; default the system clock. */
  readonly now?: () => number
}

/** How many ended runs an engine without a journal of the caller's keeps for `resume`. */
const resumableRuns = 200

export interface RunOptions {
  readonly signal?: AbortSignal
}

/** What `verify` judges: code and tests, without a run around it. */
export type VerifyInput = Pick<
  Task,
  'language' | 'entry' | 'context' | 'hiddenTests' | 'packages' | 'compilerOptions' | 'policy'
> &
  Required<Pick<Task, 'files' | 'tests'>> & {
    /** Jobs of one scope may share a child process, others never do; default one scope for the engine. */
    readonly scope?: string
  }

/** What `--dry-run` shows of a task. */
export interface Preview {
  readonly messages: readonly ModelMessage[]
  readonly estimate: RequestEstimate
}

/** The engine: solve, repair, verify and execute over one sandbox and one type service. Create one, share it, close it. */
export interface Engine {
  /** Writes code for a task until its tests pass. Throws for misuse (INVALID_TASK, TESTS_REQUIRED, MODEL_REQUIRED …). */
  solve(task: Task, options?: RunOptions): Run
  /** Like `solve`, from starting files; the instruction defaults to 'Make the tests pass.'. */
  repair(task: Omit<Task, 'instruction'> & { readonly instruction?: string }, options?: RunOptions): Run
  /** Judges a candidate once. A red candidate is a Report; rejects for misuse and infrastructure. */
  verify(input: VerifyInput, options?: RunOptions): Promise<Report>
  /** Runs a program without tests, inside the same walls. */
  execute(code: string, options?: ExecuteOptions): Promise<ExecuteResult>
  /** Goes on with a run of this engine's journal that stopped short, from what it has recorded. */
  resume(runId: string, options?: RunOptions): Run
  /** The first prompt of a task and what it would take; nothing is sent. */
  preview(task: Task): Preview
  /** Ends children and workers; idempotent. Runs under way are aborted. */
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * Creates an engine. Children and workers start with the first use.
 *
 * @throws RedgreenError INVALID_CONFIG for a policy that is not valid
 */
export function createEngine(options: EngineOptions = {}): Engine {
  const { model } = options
  const checked = policySchema.partial().safeParse(options.policy ?? {})
  if (!checked.success)
    throw new RedgreenError('INVALID_CONFIG', `the engine's policy is not valid: ${describeIssues(checked.error)}`)
  const now = options.now ?? Date.now
  const packageRoot = options.packageRoot ?? process.cwd()
  const templates: PromptTemplates = { ...defaultTemplates, ...options.templates }
  const journals = options.journal ?? createMemoryJournalStore()
  const sandbox = createSandbox(options.sandbox)
  const typeService = createTypeService()
  const validator = createValidator({ sandbox, typeService })
  const mend = createMend(searchLogic)
  const tasks = new Map<string, ResolvedTask>()
  /** What was told of a run so far, so that a resumed one goes on from there. */
  const told = new Map<string, { readonly events: number; readonly states: number }>()
  const ended = new Set<string>()
  /** Keeps what `resume` needs of the latest runs only, so that an engine does not grow with the runs that it has done. */
  const remember = (runId: string): void => {
    ended.delete(runId)
    ended.add(runId)
    const [oldest] = ended
    if (oldest === undefined || ended.size <= resumableRuns || options.journal) return
    for (const known of [ended, tasks, told]) known.delete(oldest)
    void journals.forget(oldest)
  }
  const running = new Map<Run, Promise<unknown>>()
  let closing: Promise<void> | undefined

  const open = (): void => {
    if (closing) throw new RedgreenError('ENGINE_CLOSED', 'the engine is closed; create a new one')
  }
  const resolved = (task: Task, kind: 'solve' | 'repair'): ResolvedTask =>
    resolveTask(task, { kind, hasModel: model !== undefined, ...(options.policy ? { policy: options.policy } : {}) })

  const start = (runId: string, task: ResolvedTask, { signal }: RunOptions, resumed: boolean): Run => {
    const controller = new AbortController()
    const combined = signal ? AbortSignal.any([signal, controller.signal]) : controller.signal
    const events = new EventStream(runId, now, told.get(runId)?.events)
    const journal = journals.open(runId, { signal: combined })
    const usesModel = task.policy.mechanic.mode !== 'only'
    const main = usesModel ? (model ?? null) : null
    const conduct = async () => {
      const session = new RunSession({
        task,
        runId,
        journal: resumed ? loudFromFirstEffect(journal, events) : journal,
        models: {
          generate: main,
          analyze: main && (options.models?.analyze ?? main),
          test_review: main && (options.models?.test_review ?? main),
          review: main && (options.models?.review ?? main),
        },
        validator,
        sandbox,
        mend,
        measureTrust,
        templates,
        strategies: options.strategies ?? [],
        packageRoot,
        isolation: await sandbox.isolation,
        signal: combined,
        statesTold: told.get(runId)?.states ?? 0,
        emit: (event) => events.emit(event),
        ...(options.onHuman ? { askHuman: options.onHuman } : {}),
      })
      if (!resumed) {
        await validator.preflight(session.validationRequest(task.files, []))
        events.emit({
          type: 'run.started',
          kind: task.kind,
          entry: task.entry,
          language: task.language,
          maxAttempts: task.policy.maxAttempts,
        })
      }
      let states = 0
      try {
        // with the chart and the readers of replies, which a host that only verifies has no use for
        const { drive } = await import('./run/drive.ts')
        const result = toResult(session, await drive(session))
        // the end is where a resumed run leaves the old path
        states = result.path.length - (result.path.at(-1) === 'give_up' ? 1 : 0)
        events.isQuiet = false
        events.emit({ type: 'run.finished', result })
        return result
      } finally {
        told.set(runId, { events: events.count, states })
        remember(runId)
        await sandbox.release(runId)
      }
    }
    const result = conduct().then(
      (value) => {
        events.end()
        return value
      },
      (error: unknown) => {
        events.end({ error })
        throw error
      },
    )
    const run = new Run(runId, result, events, () => controller.abort())
    const settled = result.then(
      () => {},
      () => {},
    )
    running.set(run, settled)
    void settled.then(() => running.delete(run))
    return run
  }

  const close = (): Promise<void> => {
    closing ??= (async () => {
      for (const run of running.keys()) run.abort()
      await Promise.all(running.values())
      await validator.close()
      // Idle threads are shared by the engines of a process; another one starts them again when it needs them.
      const threads = [closeRepairThreads(), closeSearchThread(), closeTrustThread()]
      await Promise.all([typeService.close(), sandbox.close(), ...threads])
      if (!options.journal) await journals.close()
    })()
    return closing
  }

  const begin = (task: Task, kind: 'solve' | 'repair', runOptions: RunOptions): Run => {
    open()
    const ready = resolved(task, kind)
    const runId = randomUUID()
    tasks.set(runId, ready)
    return start(runId, ready, runOptions, false)
  }

  return {
    solve: (task, runOptions = {}) => {
      if (task.files !== undefined && Object.keys(task.files).length > 0) return begin(task, 'repair', runOptions)
      if (model === undefined) throw modelRequired('solve')
      return begin(task, 'solve', runOptions)
    },
    repair: (task, runOptions = {}) =>
      begin({ ...task, instruction: task.instruction ?? 'Make the tests pass.' }, 'repair', runOptions),
    verify: async (input, { signal } = {}) => {
      open()
      const { scope, ...rest } = input
      const task = resolveTask(
        { ...rest, instruction: 'Judge.' },
        { kind: 'repair', hasModel: true, ...(options.policy ? { policy: options.policy } : {}) },
      )
      const { policy } = task
      const request = {
        ...task,
        packageRoot,
        limits: policy.limits,
        allow: policy.allow,
        deny: policy.deny,
        validation: policy.validation,
        setAside: [],
      }
      await validator.preflight(request)
      return validator.validate(request, { scope: scope ?? 'verify', ...(signal ? { signal } : {}) })
    },
    execute: async (code, executeOptions = {}) => {
      open()
      return executeProgram(sandbox, typeService, code, executeOptions, packageRoot)
    },
    resume: (runId, runOptions = {}) => {
      open()
      const task = tasks.get(runId)
      if (!task) throw new RedgreenError('RUN_UNKNOWN', `there is no run ${runId} in this engine`)
      return start(runId, task, runOptions, true)
    },
    preview: (task) => {
      const kind = task.files !== undefined && Object.keys(task.files).length > 0 ? 'repair' : 'solve'
      const ready = resolved(task, kind)
      if (!model) throw modelRequired(kind)
      const messages = firstPrompt(ready, templates, options.strategies ?? [])
      return { messages, estimate: estimateRequest(model, { role: 'generate', messages }, ready.policy.price) }
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}

/** Nothing is told of steps that the journal answers: it was told when they ran. */
function loudFromFirstEffect(journal: Journal, events: EventStream): Journal {
  events.isQuiet = true
  return {
    step: (name, input, effect) =>
      journal.step(name, input, (signal) => {
        events.isQuiet = false
        return effect(signal)
      }),
  }
}
