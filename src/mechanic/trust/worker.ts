import { parentPort } from 'node:worker_threads'
import { Bench } from './bench.ts'
import type { FromWorker, ToWorker } from './messages.ts'

const port = parentPort
if (!port) throw new Error('the trust worker runs as a worker thread only')

const bench = new Bench()
/** Questions are answered one after the other, in their order. */
let last: Promise<void> = Promise.resolve()

async function answer({ id, question }: ToWorker): Promise<FromWorker> {
  try {
    return {
      id,
      answer: question.kind === 'look' ? await bench.look(question.validation) : await bench.take(question.count),
    }
  } catch (error) {
    return { id, failed: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}

// the host of this thread is the only sender
port.on('message', (message: ToWorker) => {
  last = last.then(async () => port.postMessage(await answer(message)))
})
