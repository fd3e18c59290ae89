import { prewarm, runJob } from '../../../src/sandbox/child/isolate.ts'
import type { Job } from '../../../src/sandbox/types.ts'

/** A process of its own for the driver, as isolated-vm needs `--no-node-snapshot`. */
process.on('message', (job: Job) => {
  if (process.env.TZ !== job.environment.timeZone) process.env.TZ = job.environment.timeZone
  const variants: unknown[] = []
  const events = { onTest: () => undefined, onRunning: () => undefined, onVariant: (v: unknown) => variants.push(v) }
  runJob(job, events).then(
    (outcome) => process.send?.({ outcome }),
    (error: unknown) => process.send?.({ failure: error instanceof Error ? error.stack : String(error) }),
  )
})
prewarm()
