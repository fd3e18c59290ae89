import { Worker } from 'node:worker_threads'
import type { Asked } from './worker/protocol.ts'

/** Old space of one thread: warm libs take about 100 MiB of it, and a runaway type must not take the host's memory. */
const maxHeapMiB = 768

let early: Worker | undefined
const ignore = (): void => {}

/** A thread with a compiler. Keeps no program alive. */
function createTypeWorker(): Worker {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
  const worker = new Worker(new URL(`./worker/main.${extension}`, import.meta.url), {
    name: 'redgreen-types',
    env: {},
    execArgv: extension === 'ts' ? ['--no-warnings'] : [],
    resourceLimits: { maxOldGenerationSizeMb: maxHeapMiB },
  })
  // an idle thread keeps no program alive; a question in flight does, by its timer
  worker.unref()
  return worker
}

/** Starts a thread before there is a service that could ask it: a command line loads the rest of the engine meanwhile. */
export function startTypeWorkerEarly(): void {
  early ??= createTypeWorker()
  // whoever takes it listens; until then its fall must not end the host
  early.on('error', ignore)
  early.on('exit', () => {
    early = undefined
  })
  early.postMessage({ id: -1, question: { kind: 'warm' } } satisfies Asked)
}

/** The thread that was started early, once, else a new one. */
export function takeTypeWorker(): Worker {
  const taken = early
  early = undefined
  if (!taken) return createTypeWorker()
  taken.removeAllListeners('exit')
  taken.off('error', ignore)
  return taken
}
