import type { Exit, SandboxChild } from './child-process.ts'
import type { FromChild, GuestOutcomeOfAny } from './protocol.ts'
import type { Job, JobEnd, SearchOutcome, TestCaseOutcome } from './types.ts'

/** How often the meter is read: a guest that only touches memory gets through some 10 MiB in that time. */
const sampleMs = 5
/** The inside knows more of how a limit was met (which test, what was printed), so it has this long to say so first. */
const graceMs = 200
const mebibyte = 1_048_576
/** Bytes of all messages of one job. */
const maxMessages = 200_000

/** Who listens while a job runs. */
export interface JobListeners {
  readonly onTest?: (test: TestCaseOutcome) => void
  readonly onVariant?: (variant: SearchOutcome['variants'][number]) => void
}

/** What came of a job, and whether its child may serve another. */
export interface JobResult {
  readonly outcome: GuestOutcomeOfAny
  readonly reusable: boolean
}

/**
 * Runs one job in a child that has nothing else to do. The parent's clock and meter end it when a limit is passed, whatever
 * the child is doing then. Never rejects for what the guest does.
 *
 * @param id fresh in this child; replies for any other end the child
 */
export function runInChild(child: SandboxChild, id: number, job: Job, listeners: JobListeners): Promise<JobResult> {
  return new Promise((resolve) => {
    const startedAt = performance.now()
    const before = child.meter?.sample()
    let peakBytes = 0
    let killedFor: JobEnd | undefined
    let done: GuestOutcomeOfAny | undefined
    let settled = false
    let messages = 0
    let running: string | undefined
    const cases: TestCaseOutcome[] = []
    const variants: SearchOutcome['variants'][number][] = []

    const finish = (result: JobResult) => {
      if (settled) return
      settled = true
      clearInterval(sampler)
      clearTimeout(clock)
      child.listen(undefined)
      resolve(result)
    }
    const endedBy = (end: JobEnd) => {
      finish({ outcome: partialOutcome(job, end, { cases, variants, running, startedAt }), reusable: false })
    }
    /** The verdict stands from here on; it is given when the process is gone, so that none is ever left behind. */
    const killFor = (end: JobEnd) => {
      if (killedFor || settled) return
      killedFor = end
      child.kill()
    }

    const sampler = setInterval(() => {
      const sample = child.meter?.sample()
      if (!sample || !before) return
      const grownBytes = sample.residentBytes - before.residentBytes
      peakBytes = Math.max(peakBytes, grownBytes)
      if (grownBytes > job.limits.memoryMiB * mebibyte) killFor({ kind: 'memory' })
      else if (sample.cpuMs - before.cpuMs > job.limits.cpuMs + graceMs) killFor({ kind: 'timeout', which: 'cpu' })
    }, sampleMs)
    const clock = setTimeout(() => killFor({ kind: 'timeout', which: 'wall' }), job.limits.wallMs + graceMs)

    child.listen({
      onMessage: (message) => {
        messages++
        const violation = done ? `it sent ${message.type} after its last word` : violationOf(message, id, job)
        if (violation) {
          done = undefined
          killFor({ kind: 'crash', detail: `the process broke the protocol: ${violation}` })
          return
        }
        if (messages > maxMessages) {
          killFor({ kind: 'output' })
          return
        }
        switch (message.type) {
          case 'running':
            running = message.name
            return
          case 'test':
            cases.push(message.test)
            listeners.onTest?.(message.test)
            return
          case 'variant':
            variants.push(message.variant)
            listeners.onVariant?.(message.variant)
            return
          case 'done': {
            // What comes in the same breath is read first: a second reply makes the first worth nothing.
            done = message.outcome
            const outcome = message.outcome
            queueMicrotask(() => {
              if (done && !killedFor) finish({ outcome, reusable: outcome.end.kind === 'completed' })
            })
            return
          }
          case 'failed':
            killFor({ kind: 'environment', detail: `the sandbox's driver failed: ${message.message.slice(0, 500)}` })
            return
          case 'ready':
          case 'probed':
            return // violationOf has refused them
          default:
            message satisfies never
        }
      },
      onViolation: (reason) => {
        killedFor ??= { kind: 'crash', detail: `the process broke the protocol: ${reason}` }
      },
      onExit: (exit) => {
        const memoryHigh = peakBytes > (job.limits.memoryMiB * mebibyte) / 2
        endedBy(killedFor ?? endOf(exit, memoryHigh))
      },
    })
    // Whoever has died in its idle time (the kernel's killer, a person) gives no exit any more.
    if (child.alive) child.send({ type: 'run', id, job })
    else endedBy({ kind: 'environment', detail: 'the process ended before the job began' })
  })
}

function violationOf(message: FromChild, id: number, job: Job): string | undefined {
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

interface SoFar {
  readonly cases: readonly TestCaseOutcome[]
  readonly variants: SearchOutcome['variants']
  readonly running: string | undefined
  readonly startedAt: number
}

/** What is known of a job whose child had to be killed. */
function partialOutcome(job: Job, end: JobEnd, soFar: SoFar): GuestOutcomeOfAny {
  const durationMs = performance.now() - soFar.startedAt
  switch (job.kind) {
    case 'test':
      return {
        kind: 'test',
        end,
        cases: soFar.cases,
        errors: [],
        ...(soFar.running === undefined ? {} : { runningTest: soFar.running }),
        console: '',
        consoleTruncated: false,
        durationMs,
      }
    case 'program':
      return { kind: 'program', end, stdout: '', stderr: '', exitCode: 1, durationMs }
    case 'search':
      return { kind: 'search', end, variants: soFar.variants, durationMs }
    default:
      return job satisfies never
  }
}
