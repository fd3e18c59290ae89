import { scoreOf } from '../domain/ordering.ts'
import type { Failure, LayerStatus, Report } from '../domain/report.ts'
import { RedgreenError } from '../errors.ts'
import type { GuestEnvironment, Sandbox, TestJob, TestOutcome } from '../sandbox/types.ts'
import { preflight } from './preflight.ts'
import { emptyFailure, hiddenFailure, readOutcome, type TestVerdict } from './test-layer.ts'
import { createTypeService, type TypeService } from './type-service.ts'
import type { PreparedSources, ValidationOptions, ValidationRequest, Validator } from './types.ts'
import type { EarlyVerdict, JudgeRequest, LateVerdict } from './worker/protocol.ts'

export interface ValidatorOptions {
  readonly sandbox: Sandbox
  /** Default: one of its own, closed with the validator. */
  readonly typeService?: TypeService
}

/** 2024-01-01T00:00:00Z: a day on which nothing is special, the same in every run. */
const defaultEnvironment: GuestEnvironment = {
  seed: 1,
  epochMs: 1_704_067_200_000,
  timeZone: 'UTC',
  shuffleTests: false,
}

/** How long a run whose result no longer counts may go on before it is ended: ending it costs a process. */
const dropAfterMs = 250

/**
 * Judges JavaScript and TypeScript in layers. Syntax, imports and policy come first; then the types are checked in a worker
 * thread while the tests already run in the sandbox. With `fail-fast` an earlier red layer steers and what came of the later
 * ones is dropped. The sandbox is the caller's to close.
 */
export function createValidator(options: ValidatorOptions): Validator {
  const { sandbox } = options
  const typeService = options.typeService ?? createTypeService()
  // the compiler's libs are parsed while the caller still reads files or waits for a model
  typeService.start()
  const running = new Set<Promise<unknown>>()
  let isClosed = false

  const validator: Validator = {
    async validate(request, run) {
      if (isClosed) throw new RedgreenError('ENGINE_CLOSED', 'The validator is closed.')
      if (request.language !== 'typescript' && request.language !== 'javascript')
        throw new RedgreenError(
          'LANGUAGE_UNAVAILABLE',
          `This validator judges typescript and javascript, not ${request.language}.`,
        )
      throwIfAborted(run.signal)
      return await new Validation(request, run, sandbox, typeService, running).report()
    },
    preflight: (request) => preflight(request, typeService),
    async close() {
      isClosed = true
      if (!options.typeService) await typeService.close()
      await Promise.allSettled(running)
    },
    [Symbol.asyncDispose]: () => validator.close(),
  }
  return validator
}

function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new RedgreenError('ABORTED', 'The validation was aborted.', { cause: signal.reason })
}

/** One candidate on its way through the layers. */
class Validation {
  readonly #request: ValidationRequest
  readonly #run: ValidationOptions
  readonly #sandbox: Sandbox
  readonly #typeService: TypeService
  readonly #running: Set<Promise<unknown>>
  readonly #layers: Report['layers'] = []
  readonly #failures: Failure[] = []

  constructor(
    request: ValidationRequest,
    run: ValidationOptions,
    sandbox: Sandbox,
    typeService: TypeService,
    running: Set<Promise<unknown>>,
  ) {
    this.#request = request
    this.#run = run
    this.#sandbox = sandbox
    this.#typeService = typeService
    this.#running = running
  }

  get #failFast(): boolean {
    return this.#request.validation === 'fail-fast'
  }

  async report(): Promise<Report> {
    const request = this.#request
    const { early, late } = this.#typeService.judge(
      judgeRequest(request),
      this.#run.signal ? { signal: this.#run.signal } : {},
    )
    const verdict = await early
    const { prepared } = verdict
    // speculatively: most candidates have no type errors, and the other processor is free
    const tests = prepared && prepared.tests.length > 0 ? this.#start(prepared, prepared.tests, false) : undefined
    try {
      const types = await late
      return await this.#verdict(verdict, types, tests)
    } finally {
      tests?.drop()
    }
  }

  async #verdict(early: EarlyVerdict, types: LateVerdict | null, tests: StartedRun | undefined): Promise<Report> {
    const { durationsMs } = early
    this.#finish('syntax', early.syntax, durationsMs.syntax)
    const isParsed = early.syntax.length === 0
    this.#finish('imports', early.imports, durationsMs.imports, !isParsed)
    if (this.#request.language === 'typescript')
      this.#finish('types', types?.types ?? [], types?.durationMs ?? 0, types === null)
    this.#finish('policy', early.policy, durationsMs.policy, !isParsed)
    if (!early.prepared || (this.#failFast && this.#isRed)) return await this.#withoutTests()

    const outcome = tests ? await tests.outcome : undefined
    const isProvable = outcome !== undefined || early.prepared.hiddenTests.length > 0
    const visible = outcome ? readOutcome(outcome, this.#request, early.prepared) : isProvable ? noTests : nothingToRun
    if (outcome || !isProvable)
      this.#finish('tests', visible.failures, (outcome?.durationMs ?? 0) + durationsMs.prepare)
    const hidden = await this.#hidden(early.prepared)
    return this.#assemble(visible, outcome, hidden)
  }

  /** Runs the hidden tests in an isolate of their own once everything else is green. */
  async #hidden(prepared: PreparedSources): Promise<Report['hidden']> {
    if (prepared.hiddenTests.length === 0) return undefined
    if (this.#isRed) {
      this.#skip('hidden')
      return undefined
    }
    const outcome = await this.#start(prepared, prepared.hiddenTests, true).outcome
    const { cases, passed, failures } = readOutcome(outcome, this.#request, prepared)
    this.#finish('hidden', failures.length > 0 ? [hiddenFailure(outcome.end)] : [], outcome.durationMs)
    return { total: Math.max(cases.length, passed), passed }
  }

  #start(prepared: PreparedSources, tests: TestJob['tests'], isHidden: boolean): StartedRun {
    const { limits, environment, allow, entry } = this.#request
    const job: TestJob = {
      kind: 'test',
      entry: entryAmong(entry, prepared),
      modules: prepared.modules,
      packages: prepared.packages,
      tests,
      limits,
      environment: { ...defaultEnvironment, ...environment },
      allowEval: allow.eval,
    }
    const controller = new AbortController()
    const signal = this.#run.signal ? AbortSignal.any([this.#run.signal, controller.signal]) : controller.signal
    let isWanted = true
    let isEnded = false
    const outcome = this.#sandbox
      .run(job, { scope: this.#run.scope, signal, onTest: (test) => isWanted && this.#run.onTest?.(test, isHidden) })
      .finally(() => {
        isEnded = true
        this.#running.delete(outcome)
      })
    this.#running.add(outcome)
    // whoever drops the run does not hear of its end
    outcome.catch(() => {})
    return {
      outcome,
      drop() {
        isWanted = false
        if (isEnded) return
        const timer = setTimeout(() => controller.abort(), dropAfterMs)
        void outcome.catch(() => {}).finally(() => clearTimeout(timer))
      },
    }
  }

  get #isRed(): boolean {
    return this.#layers.some(({ status }) => status === 'failed')
  }

  #finish(layer: string, failures: readonly Failure[], durationMs: number, notRun = false): void {
    if (notRun || (this.#failFast && this.#isRed)) {
      this.#skip(layer)
      return
    }
    const status: LayerStatus = failures.some(({ severity }) => severity === 'error')
      ? 'failed'
      : failures.length > 0
        ? 'warned'
        : 'passed'
    const finished = { layer, status, durationMs: Math.round(durationMs * 100) / 100 }
    this.#layers.push(finished)
    this.#failures.push(...failures)
    this.#run.onLayer?.(finished)
  }

  #skip(layer: string): void {
    const skipped = { layer, status: 'skipped', durationMs: 0 } as const
    this.#layers.push(skipped)
    this.#run.onLayer?.(skipped)
  }

  async #withoutTests(): Promise<Report> {
    if (Object.keys(this.#request.tests).length > 0) this.#skip('tests')
    if (Object.keys(this.#request.hiddenTests).length > 0) this.#skip('hidden')
    return await this.#assemble(noTests, undefined, undefined)
  }

  async #assemble(visible: TestVerdict, outcome: TestOutcome | undefined, hidden: Report['hidden']): Promise<Report> {
    const red = this.#layers.find(({ status }) => status === 'failed')?.layer ?? null
    const total = visible.cases.length
    const share =
      red === 'hidden' && hidden ? hidden.passed / Math.max(1, hidden.total) : visible.passed / Math.max(1, total)
    return {
      passed: red === null,
      layers: this.#layers,
      tests: {
        total,
        passed: visible.passed,
        failed: visible.failed,
        skipped: visible.skipped,
        cases: visible.cases.map(({ name, status, durationMs }) => ({ name, status, durationMs })),
      },
      ...(hidden ? { hidden } : {}),
      failures: this.#failures,
      score: scoreOf(red, share),
      console: outcome ? outcome.console + (outcome.consoleTruncated ? '\n… (cut)' : '') : '',
      isolation: outcome?.isolation ?? (await this.#sandbox.isolation),
    }
  }
}

interface StartedRun {
  readonly outcome: Promise<TestOutcome>
  /** The result no longer counts: lets the run end by itself for a moment, then ends it. */
  drop(): void
}

const noTests: TestVerdict = { cases: [], passed: 0, failed: 0, skipped: 0, failures: [] }

/** Nothing can be proven without a test. */
const nothingToRun: TestVerdict = { ...noTests, failures: emptyFailure(0, 0, 0) }

function judgeRequest(request: ValidationRequest): JudgeRequest {
  const {
    language,
    entry,
    files,
    context,
    tests,
    hiddenTests,
    packages,
    packageRoot,
    compilerOptions,
    allow,
    deny,
    setAside,
  } = request
  return {
    language,
    entry,
    files,
    context,
    tests,
    hiddenTests,
    packages,
    packageRoot,
    compilerOptions,
    allow,
    deny,
    setAside,
    prepare: true,
    types: language === 'typescript',
    failFast: request.validation === 'fail-fast',
  }
}

/** The entry as it came: a task may name `solution.ts` where the candidate answers in `solution.tsx`. */
function entryAmong(entry: string, prepared: PreparedSources): string {
  if (prepared.modules.some(({ path }) => path === entry)) return entry
  const stem = entry.replace(/\.[^./]+$/, '')
  return prepared.modules.find(({ path }) => path.replace(/\.[^./]+$/, '') === stem)?.path ?? entry
}
