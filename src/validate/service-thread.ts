import type { Worker } from 'node:worker_threads'
import { RedgreenError } from '../errors.ts'
import { crashedTypes, endlessTypes, fatalSyntax } from './exhausted.ts'
import { takeTypeWorker } from './type-worker.ts'
import type {
  Answered,
  Asked,
  EarlyVerdict,
  FromWorker,
  InspectRequest,
  JudgeRequest,
  LateVerdict,
  Objection,
  ToWorker,
} from './worker/protocol.ts'

/** Loading the compiler and parsing libs on a busy machine; beyond this the installation is broken. */
const startDeadlineMs = 60_000

type How = 'endless' | 'fallen'

/** How a question came to its end without an answer. */
class ThreadLost extends Error {
  readonly how: How
  constructor(how: How) {
    super(`the thread is lost: ${how}`)
    this.how = how
  }
}

/** One worker thread, replaced when it is lost. Takes one question at a time. */
export class ServiceThread {
  /** Reserved by whoever asks next; kept by the service. */
  isBusy = false
  readonly #deadlineMs: number
  #worker: Worker | undefined
  #isClosed = false
  #nextId = 0

  constructor(deadlineMs: number) {
    this.#deadlineMs = deadlineMs
  }

  async warm(): Promise<void> {
    await this.#ask({ kind: 'warm' }, { deadlineMs: startDeadlineMs })
  }

  async inspect(request: InspectRequest): Promise<Objection | null> {
    const answer = await this.#ask({ kind: 'inspect', request }, { deadlineMs: startDeadlineMs })
    return answer.kind === 'inspected' ? answer.objection : null
  }

  /** Never throws for the candidate: what brings the compiler down is a failure of the layer it happened in. */
  async judge(request: JudgeRequest, onEarly: (verdict: EarlyVerdict) => void): Promise<LateVerdict | null> {
    let hasEarly = false
    let checking: string | undefined
    const startedMs = performance.now()
    try {
      const answer = await this.#ask(
        { kind: 'judge', request },
        {
          deadlineMs: startDeadlineMs,
          onMessage: (message, setDeadline) => {
            if (message.kind === 'early') {
              hasEarly = true
              onEarly(message.verdict)
            } else if (message.kind === 'checking') {
              checking = message.file
              setDeadline(this.#deadlineMs)
            }
          },
        },
      )
      if (answer.kind !== 'done') return null
      if (answer.isWorn) {
        void this.#replace()
        this.start()
      }
      return answer.verdict
    } catch (error) {
      if (!(error instanceof ThreadLost)) throw error
      this.start()
      if (!hasEarly) {
        onEarly(fatalSyntax('The code brought the parser down: it is too large or nested too deeply.'))
        return null
      }
      const failure =
        error.how === 'endless' ? endlessTypes(checking, this.#deadlineMs / 1_000) : crashedTypes(checking)
      return { types: [failure], durationMs: performance.now() - startedMs }
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#replace()
  }

  /** Ends the thread; the next question starts another. */
  async #replace(): Promise<void> {
    const worker = this.#worker
    this.#worker = undefined
    await worker?.terminate()
  }

  /** Starts and warms the next thread ahead of demand; what comes of it shows at the next question. */
  start(): void {
    if (this.#isClosed || this.#worker) return
    this.#open().postMessage({ id: -1, question: { kind: 'warm' } } satisfies Asked)
  }

  #forget(worker: Worker): void {
    if (this.#worker === worker) this.#worker = undefined
  }

  #open(): Worker {
    if (this.#isClosed) throw new RedgreenError('ENGINE_CLOSED', 'The type service is closed.')
    if (this.#worker) return this.#worker
    const worker = takeTypeWorker()
    // a thread that falls while nobody asks it anything is not used again; without a listener it would end the host
    worker.on('error', () => this.#forget(worker))
    worker.on('exit', () => this.#forget(worker))
    this.#worker = worker
    return worker
  }

  #ask(
    question: ToWorker,
    options: {
      deadlineMs: number
      onMessage?: (message: FromWorker, setDeadline: (ms: number) => void) => void
    },
  ): Promise<FromWorker> {
    const worker = this.#open()
    const id = this.#nextId++
    let resolve: (message: FromWorker) => void = () => {}
    let reject: (error: Error) => void = () => {}
    const promise = new Promise<FromWorker>((onResolve, onReject) => {
      resolve = onResolve
      reject = onReject
    })
    let timer: NodeJS.Timeout
    const lose = (how: How): void => {
      this.#forget(worker)
      void worker.terminate()
      reject(this.#isClosed ? new RedgreenError('ENGINE_CLOSED', 'The type service was closed.') : new ThreadLost(how))
    }
    const setDeadline = (ms: number): void => {
      clearTimeout(timer)
      timer = setTimeout(() => lose('endless'), ms)
    }
    const onMessage = ({ id: answered, message }: Answered): void => {
      if (answered !== id) return
      switch (message.kind) {
        case 'early':
        case 'checking':
          options.onMessage?.(message, setDeadline)
          return
        case 'failed':
          reject(new RedgreenError('TYPE_SERVICE_FAILED', `The type service failed: ${message.message}`))
          return
        case 'done':
        case 'inspected':
        case 'warmed':
          resolve(message)
          return
        default:
          message satisfies never
      }
    }
    const onError = (error: Error): void => {
      if ('code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY') lose('fallen')
      else {
        this.#forget(worker)
        reject(new RedgreenError('TYPE_SERVICE_FAILED', 'The type service could not run.', { cause: error }))
      }
    }
    const onExit = (): void => lose('fallen')
    setDeadline(options.deadlineMs)
    worker.on('message', onMessage).on('error', onError).on('exit', onExit)
    worker.ref()
    worker.postMessage({ id, question } satisfies Asked)
    return promise.finally(() => {
      clearTimeout(timer)
      worker.off('message', onMessage).off('error', onError).off('exit', onExit)
      worker.unref()
    })
  }
}
