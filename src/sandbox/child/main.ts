import type { ToChild } from '../protocol.ts'
import { type Channel, openChannel } from './channel.ts'
import { type GuestEvents, prewarm, runJob } from './isolate.ts'
import { probe } from './probe.ts'
import { adoptSnapshot, snapshotBytes } from './ready-isolate.ts'

/** The entry of a child process: serves jobs one after the other until its channel ends. */
const channel: Channel = openChannel({
  onSnapshot: start,
  onMessage(message) {
    void serve(message)
  },
})

async function serve(message: ToChild): Promise<void> {
  switch (message.type) {
    case 'probe':
      channel.send({ type: 'probed', findings: await probe(message.targets) })
      return
    case 'run':
      await run(message)
      return
    default:
      message satisfies never
  }
}

function start(snapshot: Uint8Array): void {
  const isGiven = snapshot.length > 0
  if (isGiven) adoptSnapshot(snapshot)
  prewarm()
  const made = isGiven ? null : Buffer.from(snapshotBytes()).toString('base64')
  channel.send({ type: 'ready', snapshot: made })
}

async function run({ id, job }: Extract<ToChild, { type: 'run' }>): Promise<void> {
  const events: GuestEvents = {
    onTest: (test) => channel.send({ type: 'test', id, test }),
    onRunning: (name) => channel.send({ type: 'running', id, name }),
    onConsole: (text, stream) => channel.send({ type: 'console', id, text, stream }),
    onVariant: (variant) => channel.send({ type: 'variant', id, variant }),
  }
  // Setting it makes Node tell V8 and ICU; isolates made from here on have the zone.
  if (process.env.TZ !== job.environment.timeZone) process.env.TZ = job.environment.timeZone
  try {
    channel.send({ type: 'done', id, outcome: await runJob(job, events) })
  } catch (error) {
    channel.send({
      type: 'failed',
      id,
      message: error instanceof Error ? `${error.name}: ${error.message}` : String(error),
    })
  }
  prewarm()
}
