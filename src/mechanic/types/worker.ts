import { parentPort } from 'node:worker_threads'
import type { FromWorker, ToWorker, Verdict } from './messages.ts'
import { Repair, type RepairInput } from './search.ts'

const port = parentPort
if (!port) throw new Error('the repair worker runs as a worker thread only')

let settle: ((verdict: Verdict) => void) | undefined

const send = (message: FromWorker): void => port.postMessage(message)

async function repair(id: number, input: RepairInput): Promise<void> {
  try {
    const result = await new Repair(input, {
      judge: (files, changes) =>
        new Promise((resolve) => {
          settle = resolve
          send({ type: 'candidate', id, files, changes })
        }),
      progress: (states, errors, note) => send({ type: 'progress', id, states, errors, note }),
      nowMs: () => performance.now(),
    }).run()
    send({ type: 'done', id, result })
  } catch (error) {
    send({ type: 'failed', id, message: error instanceof Error ? (error.stack ?? error.message) : String(error) })
  }
}

// the host of this thread is the only sender
port.on('message', (message: ToWorker) => {
  if (message.type === 'repair') void repair(message.id, message.input)
  else settle?.(message.verdict)
})
