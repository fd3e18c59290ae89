import type { Exit, SandboxChild } from './child-process.ts'
import type { Sample } from './meter.ts'
import type { FromChild, GuestOutcomeOfAny } from './protocol.ts'
import type { Job, JobEnd, SearchOutcome, TestCaseOutcome } from './types.ts'

/** How often the meter is read: a guest that only touches memory gets through some 10 MiB in that time. */
const sampleMs = 5
/** The inside knows more of how a limit was met (which test, what was printed), so it has this long to say so first. */
const graceMs = 200
const mebibyte = 1_048_576
/** Of one job. 5,000 tests say two each; a search says one for each variant. */
const messagesAtMost = 200_000

/** Who listens while a job runs. */
export interface JobListeners {
  readonly onTest?: (test: TestCaseOutcome) => void
  readonly onVariant?: (variant: SearchOutcome['variants'][number]) => void
}

/** What came of a job, and whether its child may serve another. */
export interface JobResult {
  readonly outcome: GuestOutcomeOfAny
  readonly reusable: boolean
  /** What a listener threw: the caller's own fault, and not to be blamed on the candidate. */
  readonly listenerError?: { readonly thrown: unknown }
}

/**
 * Runs one job in a child that has nothing else to do. The parent's clock and meter end it when a limit is passed, whatever
 * the child is doing then. Never rejects for what the guest does.
 *
 * @param id fresh in this child; a reply for any other is a breach of the protocol
 */
export function runInChild(child: SandboxChild, id: number, job: Job, listeners: JobListeners): Promise<JobResult> {
  return new Promise((resolve) => {
    new JobRun(child, id, job, listeners, resolve).start()
  })
}

class JobRun {
  readonly #child: SandboxChild
  readonly #id: number
  readonly #job: Job
  readonly #listeners: JobListeners
  readonly #resolve: (result: JobResult) => void
  readonly #startedAt = performance.now()
  readonly #cases: TestCaseOutcome[] = []
  readonly #variants: SearchOutcome['variants'][number][] = []
  #before: Sample | undefined
  #cpuFromMs = 0
  #peakBytes = 0
  #messages = 0
  #running: string | undefined
  readonly #printed = { out: '', err: '' }
  #console = ''
  #consoleTruncated = false
  /** The verdict stands once this is set; it is given when the process is gone, so that none is ever left behind. */
  #killedFor: JobEnd | undefined
  #lastWord: GuestOutcomeOfAny | undefined
  #listenerError: { readonly thrown: unknown } | undefined
  #sampler: NodeJS.Timeout | undefined
  #clock: NodeJS.Timeout | undefined

  constructor(
    child: SandboxChild,
    id: number,
    job: Job,
    listeners: JobListeners,
    resolve: (result: JobResult) => void,
  ) {
    this.#child = child
    this.#id = id
    this.#job = job
    this.#listeners = listeners
    this.#resolve = resolve
  }

  start(): void {
    if (!this.#child.alive) {
      // Who has died in its idle time (by the kernel's killer, or a person) gives no exit any more.
      this.#endBy({ kind: 'environment', detail: 'the process ended before the job began' })
      return
    }
    this.#before = this.#child.meter?.sample()
    this.#cpuFromMs = this.#before?.cpuMs ?? 0
    this.#sampler = setInterval(() => this.#measure(), sampleMs)
    this.#clock = setTimeout(() => this.#killFor({ kind: 'timeout', which: 'wall' }), this.#job.limits.wallMs + graceMs)
    this.#child.listen({
      onMessage: (message) => this.#receive(message),
      onViolation: (reason) => this.#breach(reason),
      onExit: (exit) => this.#endBy(this.#killedFor ?? endOf(exit, this.#memoryIsHigh())),
    })
    this.#child.send({ type: 'run', id: this.#id, job: this.#job })
  }

  #measure(): void {
    const sample = this.#child.meter?.sample()
    const before = this.#before
    if (!sample || !before) return
    const { memoryMiB, cpuMs } = this.#job.limits
    const grownBytes = sample.residentBytes - before.residentBytes
    this.#peakBytes = Math.max(this.#peakBytes, grownBytes)
    if (grownBytes > memoryMiB * mebibyte) this.#killFor({ kind: 'memory' })
    else if (sample.cpuMs - this.#cpuFromMs > cpuMs + graceMs) this.#killFor({ kind: 'timeout', which: 'cpu' })
  }

  #memoryIsHigh(): boolean {
    return this.#peakBytes > (this.#job.limits.memoryMiB * mebibyte) / 2
  }

  #receive(message: FromChild): void {
    const breach = this.#lastWord
      ? `it sent ${message.type} after its last word`
      : breachOf(message, this.#id, this.#job)
    if (breach) {
      this.#breach(breach)
      return
    }
    if (++this.#messages > messagesAtMost) {
      this.#killFor({ kind: 'output' })
      return
    }
    switch (message.type) {
      case 'running':
        this.#running = message.name
        return
      case 'console':
        this.#print(message.stream, message.text)
        return
      case 'test':
        this.#cases.push(message.test)
        this.#tell(() => this.#listeners.onTest?.(message.test))
        return
      case 'variant':
        this.#variants.push(message.variant)
        // Each variant of a search is a candidate of its own; all of them together have the wall time.
        this.#cpuFromMs = this.#child.meter?.sample()?.cpuMs ?? this.#cpuFromMs
        this.#tell(() => this.#listeners.onVariant?.(message.variant))
        return
      case 'done':
        this.#lastWord = message.outcome
        // What comes in the same breath is read first: a second reply makes the first worth nothing.
        queueMicrotask(() => this.#accept())
        return
      case 'failed':
        this.#killFor({ kind: 'environment', detail: `the sandbox's driver failed: ${message.message.slice(0, 500)}` })
        return
      case 'ready':
      case 'probed':
        return // refused above
      default:
        message satisfies never
    }
  }

  /** Kept for the case that the child has to be killed; a whole outcome brings its own. */
  #print(stream: 'out' | 'err', text: string): void {
    const room = this.#job.limits.outputBytes - this.#printed.out.length - this.#printed.err.length
    this.#consoleTruncated ||= text.length > room
    const kept = text.slice(0, Math.max(0, room))
    this.#printed[stream] += kept
    this.#console += kept
  }

  #tell(listener: () => void): void {
    try {
      listener()
    } catch (thrown) {
      this.#listenerError ??= { thrown }
      this.#killFor({ kind: 'environment', detail: 'a listener of the caller threw' })
    }
  }

  #accept(): void {
    const outcome = this.#lastWord
    if (!outcome || this.#killedFor) return
    this.#finish({ outcome, reusable: outcome.end.kind === 'completed' })
  }

  #breach(reason: string): void {
    this.#killFor({ kind: 'crash', detail: `the process broke the protocol: ${reason}` })
  }

  #killFor(end: JobEnd): void {
    if (this.#killedFor) return
    this.#killedFor = end
    this.#child.kill()
  }

  /** Ends with what is known of a job whose child is no more. */
  #endBy(end: JobEnd): void {
    this.#finish({ outcome: this.#partialOutcome(end), reusable: false })
  }

  #finish(result: JobResult): void {
    clearInterval(this.#sampler)
    clearTimeout(this.#clock)
    this.#child.listen(undefined)
    this.#resolve(this.#listenerError ? { ...result, listenerError: this.#listenerError } : result)
  }

  #partialOutcome(end: JobEnd): GuestOutcomeOfAny {
    const durationMs = performance.now() - this.#startedAt
    switch (this.#job.kind) {
      case 'test':
        return {
          kind: 'test',
          end,
          cases: this.#cases,
          errors: [],
          ...(this.#running === undefined ? {} : { runningTest: this.#running }),
          console: this.#console,
          consoleTruncated: this.#consoleTruncated,
          durationMs,
        }
      case 'program':
        return { kind: 'program', end, stdout: this.#printed.out, stderr: this.#printed.err, exitCode: 1, durationMs }
      case 'search':
        return { kind: 'search', end, variants: this.#variants, durationMs }
      default:
        return this.#job satisfies never
    }
  }
}

function breachOf(message: FromChild, id: number, job: Job): string | undefined {
  if (message.type === 'ready' || message.type === 'probed') return `it sent ${message.type} during a job`
  if (message.id !== id) return 'it answered for another job'
  if (message.type === 'done' && message.outcome.kind !== job.kind)
    return `it answered a ${job.kind} job with another kind`
  return undefined
}

/** Attributes the end of a process that nobody here has killed. */
function endOf(exit: Exit, memoryHigh: boolean): JobEnd {
  // A wrapper passes a signal on as 128 and its number.
  const signalNumber = exit.code !== null && exit.code > 128 ? exit.code - 128 : undefined
  const signal = exit.signal ?? (signalNumber === undefined ? undefined : signalNames[signalNumber])
  if (/out of memory|allocation failed|bad_alloc|heap limit/i.test(exit.standardError)) return { kind: 'memory' }
  if (signal === 'SIGKILL') {
    // The kernel's own killer, or a person's.
    return memoryHigh ? { kind: 'memory' } : { kind: 'environment', detail: 'the process was killed from outside' }
  }
  if (signal && memoryHigh) return { kind: 'memory' }
  return {
    kind: 'crash',
    detail: signal ? `the process ended by ${signal}` : `the process ended with code ${exit.code}`,
  }
}

const signalNames: Readonly<Record<number, string>> = {
  4: 'SIGILL',
  5: 'SIGTRAP',
  6: 'SIGABRT',
  7: 'SIGBUS',
  8: 'SIGFPE',
  9: 'SIGKILL',
  11: 'SIGSEGV',
  15: 'SIGTERM',
}
