import { enableCompileCache, flushCompileCache } from 'node:module'
import { setImmediate as immediate } from 'node:timers/promises'
import { parentPort } from 'node:worker_threads'
import { compileCacheFolder } from '../../cache-folder.ts'
import type { Answered, Asked, FromWorker, ToWorker } from './protocol.ts'

// Before the compiler is loaded: nine megabytes of it are otherwise compiled anew on every start.
enableCompileCache(compileCacheFolder)
const { Judge } = await import('./judge.ts')
const { inspectTask } = await import('./inspect.ts')
const { keepCompiled } = await import('./typescript.ts')
flushCompileCache()

const port = parentPort
if (!port) throw new Error('the type service worker runs as a worker thread only')
const judge = new Judge()

async function answer(question: ToWorker, say: (message: FromWorker) => void): Promise<void> {
  switch (question.kind) {
    case 'warm':
      // a question that comes in meanwhile is answered between two steps
      for (const _ of judge.warmSteps()) await immediate()
      say({ kind: 'warmed' })
      return
    case 'inspect':
      say({ kind: 'inspected', objection: inspectTask(question.request, judge) })
      return
    case 'judge': {
      const { request } = question
      const verdict = await judge.early(request)
      say({ kind: 'early', verdict })
      const isRed = [...verdict.syntax, ...verdict.imports].some((failure) => failure.severity === 'error')
      const hasTypes = request.types && verdict.syntax.length === 0 && !(request.failFast && isRed)
      const late = hasTypes ? judge.late(request, (file) => say({ kind: 'checking', file })) : null
      // before the answer: whoever has it may end this thread at once
      if (late) await keepCompiled()
      say({ kind: 'done', verdict: late, isWorn: judge.isWorn })
      return
    }
    default:
      question satisfies never
  }
}

port.on('message', ({ id, question }: Asked) => {
  const say = (message: FromWorker): void => port.postMessage({ id, message } satisfies Answered)
  answer(question, say).catch((error: unknown) => {
    const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
    say({ kind: 'failed', message })
  })
})
