import type { GuestMessage } from '../harness/channel.ts'
import type { GuestError, Job, JobEnd, ProgramOutcome, TestCaseOutcome, TestOutcome } from '../types.ts'
import type { GuestEvents } from './isolate.ts'
import type { GuestModule } from './prepare.ts'
import type { ReadyIsolate } from './ready-isolate.ts'

const mostErrors = 50
const longestRejection = 4_000

/** Gathers what the guest tells into the outcome of its job. */
export class OutcomeBuilder {
  readonly #job: Job
  readonly #events: GuestEvents
  readonly #modules: readonly GuestModule[]
  readonly #cases: TestCaseOutcome[] = []
  readonly #errors: TestOutcome['errors'][number][] = []
  #stdout = ''
  #stderr = ''
  #console = ''
  #isTruncated = false
  #running: string | undefined
  #done: Extract<GuestMessage, { type: 'done' }> | undefined
  /** An end that the guest came to before its job was over. */
  early: JobEnd | undefined

  constructor(job: Job, events: GuestEvents, modules: readonly GuestModule[]) {
    this.#job = job
    this.#events = events
    this.#modules = modules
  }

  get isDone(): boolean {
    return this.#done !== undefined
  }

  take(message: GuestMessage): void {
    switch (message.type) {
      case 'running':
        this.#running = message.name
        this.#events.onRunning(message.name)
        return
      case 'test': {
        const test = { ...message.test, errors: message.test.errors.map((error) => this.#localise(error)) }
        this.#cases.push(test)
        this.#events.onTest(test)
        return
      }
      case 'console':
        this.#print(message.stream, message.text)
        this.#isTruncated ||= message.truncated
        return
      case 'error':
        this.#addError({ ...message, error: this.#localise(message.error) })
        return
      case 'flood':
        this.early = { kind: 'output' }
        this.#isTruncated = true
        return
      case 'done':
        this.#done = message
        return
      case 'variant':
        return
      default:
        message satisfies never
    }
  }

  #print(stream: 'out' | 'err', text: string): void {
    this.#console += text
    if (stream === 'out') this.#stdout += text
    else this.#stderr += text
    this.#events.onConsole?.(text, stream)
  }

  #addError({ phase, file, error }: Extract<GuestMessage, { type: 'error' }>): void {
    // one candidate that does not load fails every test file alike
    const isKnown = this.#errors.some(
      (known) => known.phase === phase && known.error.message === error.message && known.error.stack === error.stack,
    )
    if (isKnown || this.#errors.length >= mostErrors) return
    this.#errors.push({ phase, ...(file === undefined ? {} : { file }), error })
  }

  /** Keeps the frames of the guest's own modules, in the positions of the code that was given. */
  #localise(error: GuestError): GuestError {
    const frames: string[] = []
    for (const line of error.stack.split('\n')) {
      const match = /^\s*at (?:(.*?) \()?(?:async )?rg:(\d+):(\d+):(\d+)\)?$/.exec(line)
      const module = match && this.#modules[Number(match[2])]
      if (!match || !module) continue
      const place = module.relocate(Number(match[3]), Number(match[4]))
      const where = `${module.path}:${place.line}:${place.column}`
      const name = match[1]?.replace(/\$rg\$*d\b/, 'default')
      frames.push(name ? `    at ${name} (${where})` : `    at ${where}`)
    }
    return {
      ...error,
      stack: frames.join('\n'),
      ...(error.cause ? { cause: this.#localise(error.cause) } : {}),
    }
  }

  /**
   * What an error that came out of isolated-vm means: an end of the job, or undefined when it only was a rejection that
   * nobody handled.
   * @param deadline by performance.now()
   */
  endOf(error: unknown, ready: ReadyIsolate, deadline = Number.POSITIVE_INFINITY): JobEnd | undefined {
    if (this.early) return this.early
    if (ready.isUnhandledRejection(error)) {
      this.#addError({ type: 'error', phase: 'unhandled', error: this.#localise(toRejection(error)) })
      return undefined
    }
    const message = error instanceof Error ? error.message : String(error)
    if (/memory limit/.test(message)) return { kind: 'memory' }
    if (message === 'Script execution timed out.') {
      return { kind: 'timeout', which: performance.now() >= deadline ? 'wall' : 'cpu' }
    }
    return { kind: 'crash', detail: message.slice(0, 500) }
  }

  toTestOutcome(end: JobEnd, durationMs: number): Omit<TestOutcome, 'isolation'> {
    return {
      kind: 'test',
      end,
      cases: this.#cases,
      errors: this.#errors,
      ...(end.kind === 'completed' || this.#running === undefined ? {} : { runningTest: this.#running }),
      console: this.#console,
      consoleTruncated: this.#isTruncated,
      durationMs,
    }
  }

  toProgramOutcome(end: JobEnd, durationMs: number): Omit<ProgramOutcome, 'isolation'> {
    const error = this.#done?.error ? this.#localise(this.#done.error) : this.#errors[0]?.error
    const failed = end.kind !== 'completed' || error !== undefined
    return {
      kind: 'program',
      end,
      ...(error ? { error } : {}),
      stdout: this.#stdout,
      stderr: this.#stderr,
      exitCode: failed ? this.#done?.exitCode || 1 : (this.#done?.exitCode ?? 0),
      ...(this.#done?.result === undefined ? {} : { result: this.#done.result }),
      durationMs,
    }
  }

  get job(): Job {
    return this.#job
  }
}

/** isolated-vm hands a rejection over as a copy of its name, message and stack. */
function toRejection(error: unknown): GuestError {
  if (error instanceof Error) {
    return {
      name: String(error.name).slice(0, 200),
      message: String(error.message).slice(0, longestRejection),
      stack: String(error.stack).slice(0, longestRejection * 2),
    }
  }
  const text = String(error).slice(0, longestRejection)
  return { name: 'NonError', message: `rejected: ${text}`, stack: '', thrown: text }
}
