import { Worker } from 'node:worker_threads'
import { RedgreenError } from '../../errors.ts'
import type { Analysis, Answers, FromWorker, OpenAnalysis, Question, ToWorker } from './messages.ts'

/** Kept warm for the next analysis: loading the compiler takes longer than using it. */
let idle: Worker | undefined
let questions = 0

function takeThread(): Worker {
  const warm = idle
  idle = undefined
  if (warm) return warm
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
  const worker = new Worker(new URL(`./worker.${extension}`, import.meta.url), {
    name: 'redgreen-trust',
    env: {},
    execArgv: extension === 'ts' ? ['--no-warnings'] : [],
  })
  const forget = (): void => {
    if (idle === worker) idle = undefined
  }
  // a thread that dies while nobody asks it anything is not missed; without a listener its error would end the process
  worker.on('error', forget)
  worker.on('exit', forget)
  return worker
}

/** Keeps the thread if there is none yet; an idle one does not hold the process. */
function giveBack(worker: Worker): void {
  if (idle) void worker.terminate()
  else {
    worker.unref()
    idle = worker
  }
}

/** Ends the warm thread; idempotent. A process may also just end: the thread does not hold it. */
export async function closeTrustThread(): Promise<void> {
  const worker = idle
  idle = undefined
  await worker?.terminate()
}

/**
 * Stub, mutants and suspicions of a candidate, worked out in a thread so that the host's event loop never waits for the compiler.
 * Questions reject with ABORTED on the signal, TYPE_SERVICE_FAILED when the thread breaks. Close it when done.
 */
export const openAnalysis: OpenAnalysis = (validation, signal) => {
  const worker = takeThread()
  let isWhole = true
  let open = 0
  worker.ref()

  async function ask<K extends Question['kind']>(question: Extract<Question, { kind: K }>): Promise<Answers[K]> {
    if (signal?.aborted) throw aborted(signal)
    const id = ++questions
    let settle: { resolve: (answer: Answers[K]) => void; reject: (error: RedgreenError) => void } | undefined
    const broke = (cause: unknown): void => {
      isWhole = false
      settle?.reject(
        new RedgreenError('TYPE_SERVICE_FAILED', 'The trust thread broke; run again, and report it if it repeats.', {
          cause,
        }),
      )
    }
    const onExit = (code: number): void => broke(new Error(`exit code ${code}`))
    const onMessage = (message: FromWorker): void => {
      if (message.id !== id) return
      if ('failed' in message) broke(new Error(message.failed))
      // the answer to this number is of the kind that was asked for
      else settle?.resolve(message.answer as Answers[K])
    }
    const onAbort = (): void => settle?.reject(aborted(signal))
    open++
    try {
      return await new Promise<Answers[K]>((resolve, reject) => {
        settle = { resolve, reject }
        worker.on('error', broke).on('exit', onExit).on('message', onMessage)
        signal?.addEventListener('abort', onAbort, { once: true })
        worker.postMessage({ id, question } satisfies ToWorker)
      })
    } catch (error) {
      isWhole = false
      throw error
    } finally {
      open--
      signal?.removeEventListener('abort', onAbort)
      worker.off('error', broke).off('exit', onExit).off('message', onMessage)
    }
  }

  const analysis: Analysis = {
    look: () => ask({ kind: 'look', validation: { ...validation, hiddenTests: {} } }),
    take: (count) => ask({ kind: 'take', count }),
    close() {
      if (isWhole && open === 0) giveBack(worker)
      else void worker.terminate()
    },
  }
  return analysis
}

export const aborted = (signal: AbortSignal | undefined): RedgreenError =>
  new RedgreenError('ABORTED', 'The measurement of trust was aborted.', { cause: signal?.reason })
