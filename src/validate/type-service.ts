import { availableParallelism } from 'node:os'
import { RedgreenError } from '../errors.ts'
import { ServiceThread } from './service-thread.ts'
import type { CheckRequest, CheckResult } from './types.ts'
import type { EarlyVerdict, InspectRequest, JudgeRequest, LateVerdict, Objection } from './worker/protocol.ts'

export interface TypeServiceOptions {
  /** Worker threads, each with a warm compiler of about 150 MiB; default: half the cores, at least one. */
  readonly workers?: number
  /** How long the types of one candidate may take before they count as endless; default 5_000. */
  readonly deadlineMs?: number
}

/** The two parts of an answer: what can be said at once, and what the compiler says. */
export interface Judgement {
  readonly early: Promise<EarlyVerdict>
  /** Null when types were not asked for or an earlier layer is red. */
  readonly late: Promise<LateVerdict | null>
}

/**
 * Compilers in worker threads, so that the host's event loop never waits for one. Questions queue; a thread that does not
 * answer in time, or falls, is replaced, and the question is answered as a defect of the candidate.
 */
export interface TypeService {
  /** Starts a thread in the background; a question that comes before it is warm goes first. Keeps no program alive. */
  start(): void
  /** Starts a thread and lets it parse the libs, ahead of demand. */
  warmUp(): Promise<void>
  /** Layers without tests, for one candidate. */
  check(request: CheckRequest, options?: { signal?: AbortSignal }): Promise<CheckResult>
  judge(request: JudgeRequest, options?: { signal?: AbortSignal }): Judgement
  /** What makes a task pointless to start, or null. */
  inspect(request: InspectRequest): Promise<Objection | null>
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/** Threads start at the first question (or `warmUp`), not before. */
export function createTypeService(options: TypeServiceOptions = {}): TypeService {
  const size = Math.max(1, options.workers ?? Math.floor(availableParallelism() / 2))
  const deadlineMs = options.deadlineMs ?? 5_000
  const threads: ServiceThread[] = []
  const waiting: ((thread: ServiceThread) => void)[] = []
  let isClosed = false

  const acquire = (): Promise<ServiceThread> => {
    if (isClosed) throw new RedgreenError('ENGINE_CLOSED', 'The type service is closed.')
    const idle = threads.find((thread) => !thread.isBusy)
    if (idle) {
      idle.isBusy = true
      return Promise.resolve(idle)
    }
    if (threads.length < size) {
      const thread = new ServiceThread(deadlineMs)
      thread.isBusy = true
      threads.push(thread)
      return Promise.resolve(thread)
    }
    return new Promise((resolve) => waiting.push(resolve))
  }
  const release = (thread: ServiceThread): void => {
    const next = waiting.shift()
    if (next) next(thread)
    else thread.isBusy = false
  }
  const withThread = async <T>(work: (thread: ServiceThread) => Promise<T>): Promise<T> => {
    const thread = await acquire()
    try {
      return await work(thread)
    } finally {
      release(thread)
    }
  }

  function judge(request: JudgeRequest, { signal }: { signal?: AbortSignal } = {}): Judgement {
    let late: Promise<LateVerdict | null> = Promise.resolve(null)
    const early = new Promise<EarlyVerdict>((resolve, reject) => {
      const answered = withThread(async (thread) => {
        if (signal?.aborted) throw aborted(signal)
        return await thread.judge(request, resolve)
      })
      late = signal ? orAborted(answered, signal) : answered
      // a failure before the early part fails both; after it, rejecting again changes nothing
      late.catch(reject)
    })
    early.catch(() => {})
    return { early, late }
  }

  const service: TypeService = {
    start() {
      if (isClosed || threads.length > 0) return
      const thread = new ServiceThread(deadlineMs)
      threads.push(thread)
      thread.start()
    },
    warmUp: () => withThread((thread) => thread.warm()),
    inspect: (request) => withThread((thread) => thread.inspect(request)),
    judge,
    async check(request, checkOptions = {}) {
      const { early, late } = judge(
        { ...request, hiddenTests: {}, setAside: [], prepare: false, types: true, failFast: false },
        checkOptions,
      )
      const [{ syntax, imports, policy, durationsMs }, types] = await Promise.all([early, late])
      return {
        syntax,
        imports,
        policy,
        types: types?.types ?? [],
        durationsMs: { ...durationsMs, types: types?.durationMs ?? 0 },
      }
    },
    async close() {
      isClosed = true
      await Promise.all(threads.map((thread) => thread.close()))
    },
    [Symbol.asyncDispose]: () => service.close(),
  }
  return service
}

const aborted = (signal: AbortSignal): RedgreenError =>
  new RedgreenError('ABORTED', 'The check was aborted.', { cause: signal.reason })

/** Rejects at an abort; the thread finishes what it has begun, as ending it would cost the next question a start. */
function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(aborted(signal))
    if (signal.aborted) onAbort()
    signal.addEventListener('abort', onAbort, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  })
}
