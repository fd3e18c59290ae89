// Run with `node bench/sandbox.bench.ts [growth jobs, default 1000]` on an idle machine.
// Phases: what one caller waits for, with a namespace and without; `other scope` includes ending a child and starting one.
// Throughput: callers of one scope on two children, as a ratio to one caller. Growth: resident memory over many candidates.
// Figures are of one run on one machine; the ratios are what can be compared.
import { readFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { createSandbox } from '../src/sandbox/index.ts'
import { goodJob } from '../test/sandbox/jobs.ts'
import { childProcesses } from '../test/sandbox/puppet.ts'

const growthJobs = Number(process.argv[2] ?? 1_000)

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}
const round = (value: number) => Math.round(value * 10) / 10

/** Resident memory of all children and their wrappers. */
const childrenMiB = () =>
  childProcesses().reduce(
    (sum, pid) => sum + Number(readFileSync(`/proc/${pid}/statm`, 'latin1').split(' ')[1]) / 256,
    0,
  )

async function phases(namespace: 'auto' | 'off') {
  const openedAt = performance.now()
  await using sandbox = createSandbox({ maxChildren: 1, namespace })
  const level = await sandbox.isolation
  const openMs = performance.now() - openedAt
  const firstMs = await timed(() => sandbox.run(goodJob, { scope: 's' }))
  const whole: number[] = []
  const inside: number[] = []
  for (let turn = 0; turn < 100; turn++) {
    const startedAt = performance.now()
    const { durationMs } = await sandbox.run(goodJob, { scope: 's' })
    whole.push(performance.now() - startedAt)
    inside.push(durationMs)
  }
  const memoryMiB = childrenMiB()
  const otherScopeMs = await timed(() => sandbox.run(goodJob, { scope: 'other' }))
  return {
    level,
    'open ms': round(openMs),
    'first verdict ms': round(firstMs),
    'warm verdict ms': round(median(whole)),
    'of it inside ms': round(median(inside)),
    'pool + protocol share': round((1 - median(inside) / median(whole)) * 100) / 100,
    'other scope ms': round(otherScopeMs),
    'MiB a child': round(memoryMiB),
  }
}

async function throughput(callers: number) {
  await using sandbox = createSandbox({ maxChildren: 2 })
  await Promise.all([1, 2].map(() => sandbox.run(goodJob, { scope: 'engine' })))
  const jobs = Math.max(128, callers)
  let left = jobs
  const caller = async () => {
    while (left-- > 0) await sandbox.run(goodJob, { scope: 'engine' })
  }
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  const tookMs = await timed(() => Promise.all(Array.from({ length: callers }, caller)))
  delay.disable()
  return {
    callers,
    'verdicts a second': round((jobs / tookMs) * 1_000),
    'event loop delay p99 ms': round(delay.percentile(99) / 1e6),
  }
}

async function growth() {
  await using sandbox = createSandbox({ maxChildren: 1 })
  const rows: Record<string, number>[] = []
  for (let job = 0; job <= growthJobs; job++) {
    await sandbox.run(goodJob, { scope: 's' })
    if (job % Math.ceil(growthJobs / 5) !== 0) continue
    rows.push({
      jobs: job,
      'host MiB': round(process.memoryUsage.rss() / 1_048_576),
      'child MiB': round(childrenMiB()),
    })
  }
  return rows
}

console.table([await phases('auto'), await phases('off')])
const rates: Awaited<ReturnType<typeof throughput>>[] = []
for (const callers of [1, 4, 16, 64]) rates.push(await throughput(callers))
const one = rates[0]?.['verdicts a second'] ?? 1
console.table(rates.map((row) => ({ ...row, 'times one caller': round(row['verdicts a second'] / one) })))
console.table(await growth())
