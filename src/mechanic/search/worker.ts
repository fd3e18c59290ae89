import { parentPort } from 'node:worker_threads'
import type { Answers, FromWorker, Question, ToWorker } from './messages.ts'
import { Workbench } from './workbench.ts'

const port = parentPort
if (!port) throw new Error('the search worker runs as a worker thread only')

let bench = new Workbench()

async function answer(question: Question): Promise<Answers[Question['kind']]> {
  switch (question.kind) {
    case 'open':
      bench = new Workbench()
      return await bench.open(question.validation)
    case 'expand':
      return await bench.expand(question.files, question.suspects, question.mostRounds)
    case 'instrument':
      return bench.instrument()
    case 'probe':
      return await bench.probe(question.files)
    case 'take':
      return bench.take(question.expansion, question.count)
    default:
      return question satisfies never
  }
}

// questions are answered one after the other, in their order
let before: Promise<unknown> = Promise.resolve()

// the host of this thread is the only sender
port.on('message', ({ id, question }: ToWorker) => {
  before = before
    .then(() => answer(question))
    .then(
      (given): FromWorker => ({ id, answer: given }),
      (error: unknown): FromWorker => ({
        id,
        failed: error instanceof Error ? (error.stack ?? error.message) : String(error),
      }),
    )
    .then((message) => port.postMessage(message))
})
