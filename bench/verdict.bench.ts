// One verdict against `tsc --noEmit` and `vitest run` on the same files, against what its parts cost alone, side by side, and what it
// takes in memory. `npm run bench -- verdict [--candidates 10000]`; built (`npm run build`) and on an idle machine. See README.md.
import { readFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { createEngine, type Engine, type Report } from 'redgreen'
import { childProcesses } from '../test/sandbox/puppet.ts'
import { bareIsolateMs, bareRecheckMs } from './verdict/limit.ts'
import { coldVerdictMs, hasPeers, peerPair } from './verdict/peers.ts'
import { median, rounded, solution, tests, timed } from './verdict/sample.ts'

const { values } = parseArgs({
  options: { candidates: { type: 'string', default: '1000' }, rounds: { type: 'string', default: '5' } },
})
const candidates = Number(values.candidates)
const rounds = Number(values.rounds)
const pauseMs = 50
const times = (whole: number, part: number): string => `${(whole / part).toFixed(0)} x`
const print = (name: string, value: string): void => console.log(`${name.padEnd(66)} ${value}`)
let turn = 0

async function verdict(engine: Engine, scope = 'bench'): Promise<Report> {
  const report = await engine.verify({
    files: { 'solution.ts': solution(++turn) },
    tests: { 'solution.test.ts': tests },
    scope,
  })
  if (!report.passed || report.tests.passed !== 10)
    throw new Error(`the sample is red: ${JSON.stringify(report.failures[0])}`)
  return report
}

const residentMiB = (pid: number): number =>
  Number(readFileSync(`/proc/${pid}/statm`, 'latin1').split(' ')[1] ?? 0) / 256
const childrenMiB = (): number => childProcesses().reduce((sum, pid) => sum + residentMiB(pid), 0)
const hostMiB = (): number => process.memoryUsage.rss() / 1_048_576

const beforeEngineMiB = hostMiB()
const engine = createEngine()
const pairs: number[] = []
const colds: number[] = []
/** A run's verdicts: a model thinks, or a person types, between two of them. */
const paced: number[] = []
const backToBack: number[] = []
const layers = new Map<string, number[]>()
for (let warm = 0; warm < 100; warm++) await verdict(engine)
const engineMiB = hostMiB() - beforeEngineMiB
const rechecks: number[] = []
const isolates: number[] = []
// in turns, so that a drift of the machine's speed meets all of them
for (let round = 0; round < rounds; round++) {
  if (hasPeers) {
    const { tscMs, vitestMs } = peerPair(++turn)
    pairs.push(tscMs + vitestMs)
    colds.push(coldVerdictMs(++turn))
  }
  for (let each = 0; each < 20; each++) backToBack.push(await timed(() => verdict(engine)))
  for (let each = 0; each < 20; each++) {
    await setTimeout(pauseMs)
    paced.push(
      await timed(async () => {
        for (const { layer, durationMs } of (await verdict(engine)).layers)
          layers.set(layer, [...(layers.get(layer) ?? []), durationMs])
      }),
    )
  }
  if (hasPeers) {
    rechecks.push(bareRecheckMs(20))
    isolates.push(bareIsolateMs())
  }
}
const [pacedMs, backToBackMs] = [median(paced), median(backToBack)]
const withTail = (values: readonly number[]): string =>
  `${median(values).toFixed(1)} ms (${values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.9)]?.toFixed(1)} ms)`
print(`warm verdict ${pauseMs} ms after the last, median (p90)`, withTail(paced))
for (const [layer, ms] of layers) print(`  ${layer}`, `${median(ms).toFixed(1)} ms`)
print('warm verdict back to back, median (p90)', withTail(backToBack))
if (hasPeers) {
  const pairMs = median(pairs)
  print('tsc --noEmit, then vitest run', `${pairMs.toFixed(0)} ms`)
  print(
    'that pair / warm verdict, after a pause and back to back',
    `${times(pairMs, pacedMs)} ${times(pairMs, backToBackMs)}`,
  )
  print('first verdict in a fresh process', `${median(colds).toFixed(0)} ms`)
  print('first verdict / that pair', (median(colds) / pairMs).toFixed(2))
  const limitMs = median(rechecks) + median(isolates)
  print(
    'bare language-service recheck + bare isolate',
    `${median(rechecks).toFixed(1)} + ${median(isolates).toFixed(1)} ms`,
  )
  print(
    'warm verdict / their sum, after a pause and back to back',
    `${(pacedMs / limitMs).toFixed(2)} ${(backToBackMs / limitMs).toFixed(2)}`,
  )
} else console.log('peers are not installed (npm ci in bench/peers): their ratios are left out')

const perChild = childProcesses().map(residentMiB)
print('memory of the engine in its host', `${engineMiB.toFixed(0)} MiB`)
print('memory of a child and its wrappers', `${(perChild.reduce((sum, mib) => sum + mib, 0) / 2).toFixed(0)} MiB`)

const waiting = 1_000
globalThis.gc?.()
const heapBefore = process.memoryUsage().heapUsed
const many = Array.from({ length: waiting }, () => verdict(engine))
await new Promise((resolve) => setImmediate(resolve))
print(
  'memory of a verdict that waits',
  `${((process.memoryUsage().heapUsed - heapBefore) / waiting / 1_024).toFixed(1)} KiB`,
)
await Promise.all(many)

const table: Record<string, number>[] = []
for (const callers of [1, 2, 4, 16, 64]) {
  const verdicts = Math.max(200, callers)
  let left = verdicts
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  const tookMs = await timed(() =>
    Promise.all(
      Array.from({ length: callers }, async () => {
        while (left-- > 0) await verdict(engine)
      }),
    ),
  )
  delay.disable()
  table.push({
    'callers in flight': callers,
    'verdicts a second': rounded((verdicts / tookMs) * 1_000),
    'event loop delay p99 ms': rounded(delay.percentile(99) / 1e6),
  })
}
const one = table[0]?.['verdicts a second'] ?? 1
console.table(table.map((row) => ({ ...row, 'times one caller': rounded((row['verdicts a second'] ?? 0) / one, 2) })))

const growth: Record<string, number>[] = []
let done = 0
const note = (): number =>
  growth.push({ candidates: done, 'host MiB': rounded(hostMiB()), 'children MiB': rounded(childrenMiB()) })
note()
while (done < candidates) {
  const next = Math.min(candidates, done + Math.ceil(candidates / 10))
  await Promise.all(
    Array.from({ length: 4 }, async () => {
      while (done < next) {
        done++
        await verdict(engine)
      }
    }),
  )
  note()
}
console.table(growth)
await engine.close()
