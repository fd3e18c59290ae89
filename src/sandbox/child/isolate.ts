import { performance } from 'node:perf_hooks'
import type { GuestMessage } from '../harness/channel.ts'
import type { JobSettings } from '../harness/settings.ts'
import type { Job, JobEnd, Outcome, SearchJob, SearchOutcome, SourceModule, TestCaseOutcome } from '../types.ts'
import { OutcomeBuilder } from './outcome.ts'
import { type GuestModule, prepareModules } from './prepare.ts'
import { type IsolateKind, type ReadyIsolate, takeIsolate, warmIsolate } from './ready-isolate.ts'

/** What is told while a job runs; the texts in it are bounded. */
export interface GuestEvents {
  onTest(test: TestCaseOutcome): void
  /** A test (or hook, or loading step) begins: the name to give when the job is ended from outside. */
  onRunning(name: string): void
  onVariant(variant: SearchOutcome['variants'][number]): void
  /** What the guest printed, as it prints; cut to the limit. */
  onConsole?(text: string, stream: 'out' | 'err'): void
}

/** The part of an outcome that the inside knows; how well it was contained is added outside. */
export type GuestOutcome<J extends Job> =
  Outcome<J> extends infer O ? (O extends unknown ? Omit<O, 'isolation'> : never) : never

/**
 * How much longer than its processor time a guest may take by the clock before its isolate is stopped: others run too. The
 * isolate can only be stopped by the clock. Where the parent meters processor time, it is there first, and this can be ample.
 */
const contention = process.platform === 'linux' ? 4 : 2
/** Of one variant of a search, which must not cost the others their time. */
const variantContention = 2

/**
 * Processor time of this process, all its threads, in ms, as the parent's meter counts it. (`isolate.cpuTime` counts by the
 * clock on the wall, so that a busy machine would make slow programs fail.)
 */
function usedCpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}

const isolateKind = (job: Job): IsolateKind => ({
  memoryMiB: job.limits.memoryMiB,
  extraGlobals: job.environment.extraGlobals ?? [],
  timeZone: process.env.TZ ?? 'UTC',
})

/** Makes the next isolate (from the snapshot, frozen) ahead of demand. */
export function prewarm(): void {
  warmIsolate()
}

/** Runs one job in a fresh isolate; never throws for what the guest does. */
export async function runJob<J extends Job>(job: J, events: GuestEvents): Promise<GuestOutcome<J>>
export async function runJob(job: Job, events: GuestEvents): Promise<GuestOutcome<Job>> {
  const startedAt = performance.now()
  const deadline = startedAt + job.limits.wallMs
  if (job.kind === 'search') return await runSearch(job, events, startedAt, deadline)
  const modules = prepareModules(job)
  const outcome = new OutcomeBuilder(job, events, modules)
  const ready = takeIsolate(isolateKind(job))
  const cpuFromMs = usedCpuMs()
  try {
    const end = beginJob(ready, job, modules, outcome) ?? drive(ready, job, outcome, deadline, cpuFromMs)
    const durationMs = performance.now() - startedAt
    return job.kind === 'test' ? outcome.toTestOutcome(end, durationMs) : outcome.toProgramOutcome(end, durationMs)
  } finally {
    ready.dispose()
  }
}

/** Defines the modules and starts the job; gives an end if it already came to one. */
function beginJob(
  ready: ReadyIsolate,
  job: Job,
  modules: readonly GuestModule[],
  outcome: OutcomeBuilder,
): JobEnd | undefined {
  ready.onMessage = (message) => outcome.take(message)
  try {
    for (const [index, module] of modules.entries()) ready.define(module, `rg:${index}`)
    ready.seal()
    ready.call('start', JSON.stringify(toSettings(job, modules)), job.limits.cpuMs * contention)
    return undefined
  } catch (error) {
    return outcome.endOf(error, ready)
  }
}

/** Calls the guest once per macrotask until its job is over or it must be stopped. */
function drive(ready: ReadyIsolate, job: Job, outcome: OutcomeBuilder, deadline: number, cpuFromMs: number): JobEnd {
  // The same for every call: isolated-vm starts a thread for each timer that is due before all others, and thousands of
  // calls with ever earlier deadlines end in a process that may not start another. Between calls the rest is checked.
  const callMs = Math.min(job.limits.cpuMs * contention, job.limits.wallMs)
  for (;;) {
    if (outcome.early) return outcome.early
    const cpuLeftMs = job.limits.cpuMs - (usedCpuMs() - cpuFromMs)
    const wallLeftMs = deadline - performance.now()
    if (cpuLeftMs <= 0) return { kind: 'timeout', which: 'cpu' }
    if (wallLeftMs <= 0) return { kind: 'timeout', which: 'wall' }
    try {
      const more = ready.call('pump', undefined, callMs)
      if (outcome.isDone) return { kind: 'completed' }
      if (more !== 1) return { kind: 'crash', detail: 'the guest stopped answering' }
    } catch (error) {
      const end = outcome.endOf(error, ready, deadline)
      if (end) return end
    }
  }
}

function toSettings(job: Job, modules: readonly GuestModule[]): JobSettings {
  const tests = modules.filter((module) => module.isRun)
  return {
    kind: job.kind,
    entry: job.entry,
    testFiles: tests.map((module) => module.path),
    bareScripts: tests.filter((module) => module.isBareScript).map((module) => module.path),
    throwingScripts: tests.filter((module) => module.hasThrow).map((module) => module.path),
    environment: job.environment,
    outputBytes: job.limits.outputBytes,
    maxTests: job.limits.tests,
    allowEval: job.allowEval,
    coverage: job.kind === 'test' && job.coverage === true,
    showProcess: job.kind === 'program' || modules.some((module) => module.kind === 'test' && module.mentionsProcess),
    stdin: job.kind === 'program' ? job.stdin : '',
    args: job.kind === 'program' ? job.args : [],
  }
}

/** Judges variants in one isolate; a variant that has to be stopped costs its isolate. */
async function runSearch(
  job: SearchJob,
  events: GuestEvents,
  startedAt: number,
  deadline: number,
): Promise<Omit<SearchOutcome, 'isolation'>> {
  const modules = prepareModules(job)
  const variants: SearchOutcome['variants'][number][] = []
  let ready: ReadyIsolate | undefined
  let end: JobEnd = { kind: 'completed' }
  let total = 0
  try {
    for (const [index, variant] of job.variants.entries()) {
      if (performance.now() >= deadline) {
        end = { kind: 'timeout', which: 'wall' }
        break
      }
      if (!ready) {
        const outcome = new OutcomeBuilder(job, events, modules)
        ready = takeIsolate(isolateKind(job))
        const failed = beginJob(ready, job, modules, outcome)
        if (failed) {
          end = failed
          break
        }
      }
      putVariant(ready, job, job.variantModules?.[index])
      const judged = judgeVariant(ready, job, variant)
      total = Math.max(total, judged.total)
      variants.push(judged)
      events.onVariant(judged)
      if (judged.timedOut) {
        ready.dispose()
        ready = undefined
      }
    }
  } finally {
    ready?.dispose()
  }
  return {
    kind: 'search',
    end,
    variants: variants.map((variant) => (variant.timedOut ? { ...variant, total } : variant)),
    durationMs: performance.now() - startedAt,
  }
}

/** Puts a variant's modules in place; what the one before had replaced is put back. */
function putVariant(ready: ReadyIsolate, job: SearchJob, own: readonly SourceModule[] | undefined): void {
  if (!job.variantModules) return
  const given = new Map((own ?? []).map((module) => [module.path, module]))
  const touched = new Set([...given.keys(), ...(replacedIn.get(ready) ?? [])])
  const modules = job.modules.map((module) => given.get(module.path) ?? module)
  for (const module of prepareModules({ ...job, modules }, touched)) ready.redefine(module, `rg:v${module.path}`)
  replacedIn.set(ready, [...given.keys()])
}

/** Paths that the variant before has replaced. */
const replacedIn = new WeakMap<ReadyIsolate, readonly string[]>()

function judgeVariant(ready: ReadyIsolate, job: SearchJob, variant: number): SearchOutcome['variants'][number] {
  let judged: { passed: readonly number[]; total: number; checks: number } | undefined
  let isDone = false
  let isUnhandled = false
  ready.onMessage = (message: GuestMessage) => {
    if (message.type === 'variant') judged = message
    else if (message.type === 'error' && message.phase === 'unhandled') isUnhandled = true
    else if (message.type === 'done' || message.type === 'flood') isDone = true
  }
  const cpuBefore = usedCpuMs()
  const stopped = { variant, passed: [], total: 0, timedOut: true }
  try {
    ready.call('startVariant', variant, job.variantCpuMs * variantContention)
    while (!isDone) {
      const left = job.variantCpuMs - (usedCpuMs() - cpuBefore)
      if (left <= 0) return stopped
      ready.call('pump', undefined, job.variantCpuMs * variantContention)
    }
  } catch (error) {
    // an unhandled rejection comes out here; anything else has cost the isolate
    if (!ready.isUnhandledRejection(error)) return stopped
    isUnhandled = true
  }
  if (!judged) return { ...stopped, timedOut: !isUnhandled }
  return {
    variant,
    passed: isUnhandled ? [] : judged.passed,
    total: judged.total,
    timedOut: false,
    checks: isUnhandled ? 0 : judged.checks,
  }
}
