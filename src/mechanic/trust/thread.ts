import { Worker } from 'node:worker_threads'
import { RedgreenError } from '../../errors.ts'
import type { Analysis, AnalysisInput, FromWorker, ToWorker } from './messages.ts'

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
 * Rejects with ABORTED on the signal, TYPE_SERVICE_FAILED when the thread breaks.
 */
export async function analyseInThread(input: AnalysisInput, signal?: AbortSignal): Promise<Analysis> {
  if (signal?.aborted) throw aborted(signal)
  const worker = takeThread()
  const id = ++questions
  let settle: { resolve: (analysis: Analysis) => void; reject: (error: RedgreenError) => void } | undefined
  const broke = (cause: unknown): void =>
    settle?.reject(
      new RedgreenError('TYPE_SERVICE_FAILED', 'The trust thread broke; run again, and report it if it repeats.', {
        cause,
      }),
    )
  const onExit = (code: number): void => broke(new Error(`exit code ${code}`))
  const onMessage = (message: FromWorker): void => {
    if (message.id !== id) return
    if ('failed' in message) broke(new Error(message.failed))
    else settle?.resolve(message.analysis)
  }
  const onAbort = (): void => settle?.reject(aborted(signal))
  let isWhole = false
  try {
    worker.ref()
    const analysis = await new Promise<Analysis>((resolve, reject) => {
      settle = { resolve, reject }
      worker.on('error', broke).on('exit', onExit).on('message', onMessage)
      signal?.addEventListener('abort', onAbort, { once: true })
      worker.postMessage({ id, input } satisfies ToWorker)
    })
    isWhole = true
    return analysis
  } finally {
    signal?.removeEventListener('abort', onAbort)
    worker.off('error', broke).off('exit', onExit).off('message', onMessage)
    if (isWhole) giveBack(worker)
    else void worker.terminate()
  }
}

export const aborted = (signal: AbortSignal | undefined): RedgreenError =>
  new RedgreenError('ABORTED', 'The measurement of trust was aborted.', { cause: signal?.reason })
