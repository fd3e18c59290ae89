import { Worker } from 'node:worker_threads'
import { RedgreenError } from '../../errors.ts'
import type { Answers, FromWorker, Question, ToWorker } from './messages.ts'

/** A thread and who uses it now; its listeners stay for its life. */
interface Held {
  readonly worker: Worker
  user: { onMessage(message: FromWorker): void; onBroken(cause: unknown): void } | undefined
}

/** Kept warm for the next search: loading the compiler takes longer than most searches. */
let idle: Held | undefined
let questions = 0

function takeThread(): Held {
  const warm = idle
  idle = undefined
  if (warm) return warm
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
  // nothing of the host's environment is needed there
  const worker = new Worker(new URL(`./worker.${extension}`, import.meta.url), {
    name: 'redgreen-search',
    env: {},
    execArgv: extension === 'ts' ? ['--no-warnings'] : [],
  })
  const held: Held = { worker, user: undefined }
  const broke = (cause: unknown): void => {
    if (idle === held) idle = undefined
    held.user?.onBroken(cause)
  }
  worker.on('message', (message: FromWorker) => held.user?.onMessage(message))
  worker.on('error', broke)
  worker.on('exit', (code) => broke(new Error(`exit code ${code}`)))
  return held
}

/** Ends the warm thread; idempotent. A process may also just end: the thread does not hold it. */
export async function closeSearchThread(): Promise<void> {
  const held = idle
  idle = undefined
  await held?.worker.terminate()
}

/** A thread of one search: what needs the compiler is done there, so that the host's event loop never waits for it. */
export class SearchThread {
  readonly #held = takeThread()
  readonly #waiting = new Map<number, { resolve: (answer: never) => void; reject: (error: unknown) => void }>()
  #broken: RedgreenError | undefined

  constructor() {
    this.#held.worker.ref()
    this.#held.user = {
      onMessage: (message) => {
        const asked = this.#waiting.get(message.id)
        if (!asked) return
        this.#waiting.delete(message.id)
        if ('failed' in message) asked.reject(brokenError(new Error(message.failed)))
        // the worker answers a question with an answer of its kind
        else asked.resolve(message.answer as never)
      },
      onBroken: (cause) => this.#break(cause),
    }
  }

  /** Rejects with TYPE_SERVICE_FAILED when the thread breaks. */
  ask<K extends Question['kind']>(question: Extract<Question, { kind: K }>): Promise<Answers[K]> {
    if (this.#broken) return Promise.reject(this.#broken)
    questions += 1
    const id = questions
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve: resolve as (answer: never) => void, reject })
      this.#held.worker.postMessage({ id, question } satisfies ToWorker)
    })
  }

  /** Gives the thread back, or ends it when it is still at work; idempotent. */
  release(): void {
    const isWhole = !this.#broken && this.#waiting.size === 0
    if (this.#held.user === undefined) return
    this.#held.user = undefined
    this.#break(new Error('the thread was released'))
    if (isWhole && !idle) {
      this.#held.worker.unref()
      idle = this.#held
    } else void this.#held.worker.terminate()
  }

  #break(cause: unknown): void {
    this.#broken ??= brokenError(cause)
    for (const { reject } of this.#waiting.values()) reject(this.#broken)
    this.#waiting.clear()
  }
}

const brokenError = (cause: unknown): RedgreenError =>
  new RedgreenError('TYPE_SERVICE_FAILED', 'The search thread broke; run again, and report it if it repeats.', {
    cause,
  })
