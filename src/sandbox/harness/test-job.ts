import { type File, startTests, type Task, type Test } from '@vitest/runner'
import type { GuestError, TestCaseOutcome } from '../types.ts'
import { type CellState, restoreCells, saveCells } from './cells.ts'
import { type Counters, coverageSince } from './coverage.ts'
import { assertions, beginExpecting, endExpecting } from './expecting.ts'
import { toGuestError } from './failure.ts'
import type { ModuleDefinition, Surroundings } from './module-types.ts'
import { definitionOf, Registry } from './modules.ts'
import { type JobSettings, settings } from './settings.ts'
import { suiteGlobals } from './suite-api.ts'
import { resetVi } from './vi.ts'

type AnyFunction = (...args: unknown[]) => unknown

/** Tests that are running now, by the runner's task. */
const running = new Set<Test>()
/** Tests that waited when nothing was left to wait for. */
const neverSettling = new Set<Test>()
let idleWaiters: (() => void)[] = []

/** Resolves once nothing is left to do but what waits for this. */
const untilIdle = (): Promise<void> => new Promise((resolve) => idleWaiters.push(resolve))

/** Nothing can happen any more: wakes who waits for that, else marks the tests that wait in vain. */
export function handleDry(): boolean {
  const waiters = idleWaiters
  idleWaiters = []
  for (const wake of waiters) wake()
  if (waiters.length > 0) return true
  for (const test of running) neverSettling.add(test)
  return false
}

const bareScriptTimeoutMs = 2 ** 31 - 1

interface FileState {
  cells: CellState
  assertionsBefore: number
}

/** Runs the test files of a job, each with modules of its own, and reports test by test. */
export async function runTestFiles(job: JobSettings, surroundings: Surroundings, report: TestReport): Promise<void> {
  running.clear()
  neverSettling.clear()
  idleWaiters = []
  for (const path of job.testFiles) {
    settings.testTimeoutMs = settings.defaultTestTimeoutMs
    await runTestFile(path, job, surroundings, report)
    resetVi()
  }
}

/** Where outcomes go. */
export interface TestReport {
  onRunning(name: string): void
  onTest(test: TestCaseOutcome): void
  onError(phase: 'load-candidate' | 'load-tests' | 'hook', file: string, error: GuestError): void
}

async function runTestFile(
  path: string,
  job: JobSettings,
  surroundings: Surroundings,
  report: TestReport,
): Promise<void> {
  const registry = new Registry(surroundings)
  const cellsAtFile = saveCells()
  const isBare = job.bareScripts.includes(path)
  const several = job.testFiles.length > 1
  const states = new Map<Test, FileState>()
  let scriptAsserted = false
  let loadFailure: { phase: 'load-candidate' | 'load-tests' } | undefined
  let counters: Counters = []

  const fullName = (task: Task): string => {
    const names: string[] = []
    for (let at: Task | undefined = task; at && at !== task.file; at = at.suite) names.unshift(at.name)
    return (several && !isBare ? [path, ...names] : names).join(' > ')
  }

  async function load(): Promise<void> {
    try {
      const pending = registry.loadFile(path)
      if (pending) await pending
    } catch (error) {
      const failed: ModuleDefinition | undefined = registry.failed
      loadFailure = { phase: failed && failed.kind !== 'test' ? 'load-candidate' : 'load-tests' }
      throw error
    }
  }

  function registerBareScript(): void {
    const before = assertions.count
    const register = suiteGlobals.test as AnyFunction
    register(
      path,
      async () => {
        await load()
        await untilIdle()
        scriptAsserted = assertions.count > before || job.throwingScripts.includes(path)
        if (scriptFailures.length > 0) throw scriptFailures.length === 1 ? scriptFailures[0] : scriptFailures
      },
      bareScriptTimeoutMs,
    )
  }
  scriptFailures = []

  const runner = {
    config: {
      root: '/',
      setupFiles: [],
      name: '',
      passWithNoTests: true,
      testNamePattern: undefined,
      allowOnly: true,
      sequence: {
        seed: job.environment.seed,
        hooks: 'stack',
        setupFiles: 'list',
        shuffle: job.environment.shuffleTests ? { tests: true } : false,
      },
      maxConcurrency: 1_000_000,
      get testTimeout() {
        return settings.testTimeoutMs
      },
      get hookTimeout() {
        return Math.max(10_000, settings.testTimeoutMs)
      },
      retry: 0,
      includeTaskLocation: false,
      diffOptions: {},
      chaiConfig: {},
      tags: [],
      tagsFilter: undefined,
      strictTags: false,
    },
    async importFile() {
      report.onRunning(path)
      if (isBare) registerBareScript()
      else await load()
    },
    onCollected(files: File[]) {
      const tests = files.flatMap(testsOf)
      if (tests.length > job.maxTests) {
        throw new Error(`${tests.length} tests were collected; at most ${job.maxTests} may be run`)
      }
    },
    onBeforeRunTask(test: Test) {
      running.add(test)
      states.set(test, { cells: saveCells(), assertionsBefore: assertions.count })
      report.onRunning(fullName(test))
      counters = coverageSince([])
    },
    onBeforeTryTask(test: Test) {
      ;(Error as { stackTraceLimit?: number }).stackTraceLimit = settings.isSearch ? 0 : 20
      beginExpecting(fullName(test), path)
    },
    onAfterTryTask() {
      endExpecting()
    },
    onAfterRunTask(test: Test) {
      finish(test)
    },
    onTaskUpdate() {},
  }

  function finish(test: Test): void {
    running.delete(test)
    const state = states.get(test)
    if (state) restoreCells(state.cells)
  }

  /** Skipped tests never reach `onAfterRunTask`; each collected test is reported exactly once all the same. */
  function reportTests(tasks: readonly Task[]): void {
    for (const task of tasks) {
      if (task.type === 'suite') {
        reportHook(task.result?.errors)
        reportTests(task.tasks)
      } else reportTest(task)
    }
  }

  function reportHook(errors: unknown): void {
    for (const error of (errors ?? []) as GuestError[]) report.onError('hook', path, error)
  }

  function reportTest(test: Test): void {
    if (isBare && test.result?.state === 'pass' && !scriptAsserted) return
    const errors = (test.result?.errors ?? []) as unknown as GuestError[]
    const passed = test.result?.state === 'pass'
    const never = neverSettling.has(test)
    report.onTest({
      name: isBare ? path : fullName(test),
      file: path,
      status: passed
        ? 'passed'
        : test.mode === 'skip' || test.mode === 'todo' || test.result?.state === 'skip'
          ? 'skipped'
          : 'failed',
      durationMs: Math.max(0, test.result?.duration ?? 0),
      errors: never && !passed ? [neverSettles(), ...errors.slice(1)] : errors,
      ...(never && !passed ? { neverSettles: true } : {}),
      ...(!passed && !never && errors.some((error) => /^(Test|Hook) timed out in \d+ms/.test(error.message))
        ? { timedOut: true }
        : {}),
      ...(job.coverage ? { coverage: coverage.get(test) ?? [] } : {}),
    })
  }

  const coverage = new Map<Test, readonly number[]>()
  const finishTask = runner.onAfterRunTask
  runner.onAfterRunTask = (test) => {
    if (job.coverage) coverage.set(test, raised(counters))
    finishTask(test)
  }

  const files = await startTests([`/${path}`], runner as never)
  for (const file of files) {
    const errors = (file.result?.errors ?? []) as unknown as GuestError[]
    const phase = loadFailure && !isBare ? loadFailure.phase : undefined
    for (const error of errors) {
      if (phase) report.onError(phase, path, error)
      else report.onError('hook', path, error)
    }
    reportTests(file.tasks)
  }
  if (isBare && loadFailure?.phase === 'load-candidate') {
    const failed = files.flatMap(testsOf)[0]?.result?.errors?.[0]
    if (failed) report.onError('load-candidate', path, failed as unknown as GuestError)
  }
  restoreCells(cellsAtFile)
}

const raised = (before: Counters): readonly number[] => {
  const now = coverageSince([])
  return now.flatMap((value, index) => (value > (before[index] ?? 0) ? [index] : []))
}

const testsOf = (suite: { tasks: Task[] }): Test[] =>
  suite.tasks.flatMap((task) => (task.type === 'suite' ? testsOf(task) : [task as Test]))

function neverSettles(): GuestError {
  return {
    name: 'Error',
    message:
      'the test never settles: it awaits a promise that nothing can resolve any more (no timer and no work is left)',
    stack: '',
    code: 'NEVER_SETTLES',
  }
}

let scriptFailures: unknown[] = []

/** `console.assert` in a test file: a failure that does not throw. */
export function assertOnConsole(condition: unknown, data: readonly unknown[]): void {
  assertions.count++
  if (condition) return
  assertions.failed++
  const detail = data.length > 0 && typeof data[0] === 'string' ? `: ${data[0].slice(0, 500)}` : ''
  const error = Object.assign(new Error(`console.assert failed${detail}`), {
    name: 'AssertionError',
    code: 'ERR_ASSERTION',
  })
  const test = [...running].at(-1)
  if (test?.result && test.name !== undefined && definitionOf(test.name) === undefined) {
    test.result.errors = [...(test.result.errors ?? []), toGuestError(error) as never]
    test.result.state = 'fail'
  } else scriptFailures.push(error)
}
