import { Worker } from 'node:worker_threads'
import { RedgreenError } from '../../errors.ts'
import type { FromWorker, ToWorker, Verdict } from './messages.ts'
import type { RepairInput, RepairResult } from './search.ts'

export interface RepairHost {
  /** Judges a state that compiles; a rejection ends the repair with it. */
  judge(files: Readonly<Record<string, string>>, changes: readonly string[]): Promise<Verdict>
  readonly onProgress?: (progress: { states: number; errors: number; note: string }) => void
  readonly signal?: AbortSignal
}

/** Threads kept warm for the next repair; more are started when all are busy, and ended when done. */
const keptWarm = 1
const idle: Worker[] = []
let jobs = 0

function takeThread(): Worker {
  const warm = idle.pop()
  if (warm) return warm
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
  // nothing of the host's environment is needed there
  const worker = new Worker(new URL(`./worker.${extension}`, import.meta.url), { env: {}, name: 'redgreen-mechanic' })
  worker.unref()
  return worker
}

function giveBack(worker: Worker): void {
  if (idle.length < keptWarm) {
    worker.removeAllListeners()
    worker.unref()
    // an idle thread that dies is not missed; without a listener its error would end the process
    worker.on('error', () => drop(worker))
    worker.on('exit', () => drop(worker))
    idle.push(worker)
  } else void worker.terminate()
}

function drop(worker: Worker): void {
  const at = idle.indexOf(worker)
  if (at >= 0) idle.splice(at, 1)
}

/** Ends the warm threads; idempotent. A process may also just end: they do not hold it. */
export async function closeRepairThreads(): Promise<void> {
  await Promise.all(idle.splice(0).map((worker) => worker.terminate()))
}

/**
 * Repairs type and syntax defects in a worker thread, so that the host's event loop never waits for the compiler.
 * Rejects with ABORTED on the signal, TYPE_SERVICE_FAILED when the thread breaks, or with what `judge` rejects with.
 */
export async function repairInThread(input: RepairInput, host: RepairHost): Promise<RepairResult> {
  const { signal } = host
  if (signal?.aborted) throw aborted(signal)
  const worker = takeThread()
  jobs += 1
  const id = jobs
  const send = (message: ToWorker): void => worker.postMessage(message)
  let isWhole = false
  let onAbort: (() => void) | undefined
  try {
    worker.ref()
    const result = await new Promise<RepairResult>((resolve, reject) => {
      const broke = (cause: unknown): void =>
        reject(
          new RedgreenError('TYPE_SERVICE_FAILED', 'The repair thread broke; run again, and report it if it repeats.', {
            cause,
          }),
        )
      worker.removeAllListeners()
      worker.on('error', broke)
      worker.on('exit', (code) => broke(new Error(`exit code ${code}`)))
      worker.on('message', (message: FromWorker) => {
        if (message.id !== id) return
        switch (message.type) {
          case 'candidate':
            host.judge(message.files, message.changes).then((verdict) => send({ type: 'verdict', id, verdict }), reject)
            break
          case 'progress':
            host.onProgress?.(message)
            break
          case 'done':
            isWhole = true
            resolve(message.result)
            break
          case 'failed':
            broke(new Error(message.message))
            break
          default:
            message satisfies never
        }
      })
      onAbort = () => reject(aborted(signal))
      signal?.addEventListener('abort', onAbort, { once: true })
      send({ type: 'repair', id, input })
    })
    return result
  } finally {
    if (onAbort) signal?.removeEventListener('abort', onAbort)
    if (isWhole) giveBack(worker)
    else {
      worker.removeAllListeners()
      worker.on('error', () => {}) // it is being ended; its last words change nothing
      void worker.terminate()
    }
  }
}

const aborted = (signal: AbortSignal | undefined): RedgreenError =>
  new RedgreenError('ABORTED', 'The repair was aborted.', { cause: signal?.reason })
