import './globals.ts'
import { resetCells } from './cells.ts'
import { connect, send } from './channel.ts'
import { advance, elapsedMs, isDry, resetClock } from './clock.ts'
import { disableCodeGeneration } from './codegen.ts'
import { resetConsole } from './console.ts'
import { installCoverage } from './coverage.ts'
import { chai, expect } from './expecting.ts'
import { toGuestError } from './failure.ts'
import { freezeWorld, surveyWorld } from './freeze.ts'
import type { ModuleDefinition } from './module-types.ts'
import { define } from './modules.ts'
import { allNodeModules } from './node/modules.ts'
import { createProcess } from './node/process.ts'
import { runProgram } from './program-job.ts'
import { seedRandom } from './random.ts'
import { runVariant } from './search-job.ts'
import { type JobSettings, settings } from './settings.ts'
import { suiteGlobals } from './suite-api.ts'
import { surroundings } from './surroundings.ts'
import { handleDry, runTestFiles } from './test-job.ts'
import { resetUnhandled } from './unhandled.ts'

/** The inside of a sandbox: what the driver in the child process calls. Everything here runs in the isolate. */

/** Timers left over by tests may go off for so long on the virtual clock; then the run is over. */
const leftoverMs = 60_000
const mostLeftovers = 2_000

let finished: 'no' | 'finishing' | 'yes' = 'no'
let job: JobSettings | undefined
let leftovers = 0
let endMs = 0

/** Fixes the world before guest code is loaded; made ahead of demand, since it does not depend on the job. */
function freezeAll(extraGlobals: readonly string[]): void {
  for (const name of ['WebAssembly', 'SharedArrayBuffer', 'Atomics']) {
    if (!extraGlobals.includes(name)) Reflect.deleteProperty(globalThis, name)
  }
  freezeWorld()
}

function done(extra: { exitCode?: number; error?: ReturnType<typeof toGuestError>; result?: string } = {}): void {
  finished = 'yes'
  send({ type: 'done', durationMs: endMs, ...extra })
}

let finalReport: Parameters<typeof done>[0] = {}

function run(work: Promise<Parameters<typeof done>[0] | undefined>): void {
  work.then(
    (extra) => {
      finalReport = extra ?? {}
      endMs = elapsedMs()
      finished = 'finishing'
    },
    (error) => {
      send({ type: 'error', phase: 'load-tests', error: toGuestError(error) })
      endMs = elapsedMs()
      finished = 'finishing'
    },
  )
}

/** Begins a job; all modules are defined by then. */
function start(given: JobSettings): void {
  job = given
  finished = 'no'
  leftovers = 0
  settings.process = createProcess(given)
  settings.showProcess = given.showProcess
  settings.isSearch = given.kind === 'search'
  resetCells()
  resetClock(given.environment.epochMs)
  seedRandom(given.environment.seed)
  resetConsole(given.outputBytes)
  resetUnhandled()
  if (!given.allowEval) disableCodeGeneration()
  if (given.coverage) installCoverage()
  if (given.showProcess) {
    Object.defineProperty(globalThis, 'process', { value: settings.process, configurable: true, writable: true })
  }
  if (given.kind === 'test') {
    run(
      runTestFiles(given, surroundings, {
        onRunning: (name) => send({ type: 'running', name: name.slice(0, 1_000) }),
        onTest: (test) => send({ type: 'test', test }),
        onError: (phase, file, error) => send({ type: 'error', phase, file, error }),
      }).then(() => undefined),
    )
  } else if (given.kind === 'program') run(runProgram(given, surroundings))
}

/** Begins one variant of a search. */
function startVariant(variant: number): void {
  if (!job) throw new Error('no job')
  finished = 'no'
  leftovers = 0
  resetCells()
  resetClock(job.environment.epochMs)
  seedRandom(job.environment.seed)
  resetConsole(job.outputBytes)
  resetUnhandled()
  run(runVariant(variant, job, surroundings).then(() => undefined))
}

/** One macrotask. The answer tells the driver whether to come again: 1 yes, 0 the job is over. */
function pump(): number {
  if (finished === 'yes') return 0
  if (finished === 'finishing') {
    if (isDry() || elapsedMs() - endMs > leftoverMs || ++leftovers > mostLeftovers) {
      done(finalReport)
      return 0
    }
  }
  if (isDry() && handleDry()) return 1
  if (advance() === 'dry') {
    send({ type: 'error', phase: 'load-tests', error: neverLoads() })
    done()
    return 0
  }
  return 1
}

const neverLoads = () => ({
  name: 'Error',
  message: 'a module awaits at top level what nothing can resolve any more',
  stack: '',
  code: 'NEVER_SETTLES',
})

/** Whatever goes wrong in here is told, never thrown to the driver. */
function safely<A extends unknown[]>(action: (...args: A) => unknown): (...args: A) => number {
  return (...args) => {
    try {
      const answer = action(...args)
      return typeof answer === 'number' ? answer : 1
    } catch (error) {
      try {
        send({ type: 'error', phase: 'unhandled', error: toGuestError(error) })
      } catch {
        // the guest has left no room even for this; the driver sees that the job does not end
      }
      return 1
    }
  }
}

type Definer = (definition: string, factory?: ModuleDefinition['factory']) => void

/** The driver takes this from the global object and removes it before anything else is run. */
Object.defineProperty(globalThis, '__redgreen', {
  configurable: true,
  value: {
    connect,
    freeze: (extraGlobals: string) => freezeAll(JSON.parse(extraGlobals) as string[]),
    define: ((definition, factory) => {
      const parsed = JSON.parse(definition) as ModuleDefinition
      define(factory ? { ...parsed, factory } : parsed)
    }) satisfies Definer,
    start: safely((given: string) => start(JSON.parse(given) as JobSettings)),
    startVariant: safely(startVariant),
    pump: safely(pump),
  },
})

surveyWorld(
  [...allNodeModules(), chai.AssertionError, expect.any(Number), expect.anything()],
  new Set([expect, suiteGlobals]),
)
