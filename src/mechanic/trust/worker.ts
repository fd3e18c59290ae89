import { parentPort } from 'node:worker_threads'
import { analyse } from './analyse.ts'
import type { FromWorker, ToWorker } from './messages.ts'

const port = parentPort
if (!port) throw new Error('the trust worker runs as a worker thread only')

// the host of this thread is the only sender
port.on('message', ({ id, input }: ToWorker) => {
  let answer: FromWorker
  try {
    answer = { id, analysis: analyse(input) }
  } catch (error) {
    answer = { id, failed: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
  port.postMessage(answer)
})
