// The whole loop against what a script would do: `tsc --noEmit` and `vitest run` on the same three candidates, in one run of this file.
// Also: many runs side by side, and the delay of the event loop meanwhile. See README.md.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { fileURLToPath } from 'node:url'
import { createEngine } from 'redgreen'
import { scriptedModel } from 'redgreen/testing'

const here = dirname(fileURLToPath(import.meta.url))
const cli = join(here, '../dist/bin/redgreen.js')
const fenced = (code: string): string => `\`\`\`ts\n${code}\n\`\`\``
const candidates = [
  'export function toEpoch(text: string): number {\n  const parsed: string = Date.parse(text)\n  return parsed\n}\n',
  'export function toEpoch(text: string): number {\n  return Date.parse(text)\n}\n',
  'export function toEpoch(text: string): number {\n  return Math.floor(Date.parse(text) / 1000)\n}\n',
]
const tests = `import { describe, expect, it } from 'vitest'
import { toEpoch } from './solution'
describe('toEpoch', () => {
${Array.from({ length: 10 }, (_, n) => `  it('converts ${n}', () => expect(toEpoch('1970-01-01T00:00:0${n}Z')).toBe(${n}))`).join('\n')}
})
`
const policy = { mechanic: { mode: 'off' as const }, trust: { mutants: 0 } }
const diagnosis = '{"cause":"milliseconds","fix":"divide by 1000","blame":"code"}'
const task = { instruction: 'A UTC epoch in seconds.', tests: { 'solution.test.ts': tests }, policy }
const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
const print = (name: string, value: string): void => console.log(`${name.padEnd(58)} ${value}`)

/** Milliseconds of a command, whose exit code must be among these. */
function time(args: readonly string[], cwd: string, exitCodes: readonly number[]): number {
  const startedAt = performance.now()
  const { error, status } = spawnSync(process.execPath, args, { cwd, stdio: 'ignore' })
  if (error) throw error
  if (status === null || !exitCodes.includes(status)) throw new Error(`${args.join(' ')} ended with ${status}`)
  return performance.now() - startedAt
}

function peerPass(): number {
  const folder = mkdtempSync(join(here, 'peers/tmp-'))
  try {
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({
        compilerOptions: {
          strict: true,
          noEmit: true,
          target: 'es2023',
          module: 'esnext',
          moduleResolution: 'bundler',
          skipLibCheck: true,
          types: [],
        },
        include: ['*.ts'],
      }),
    )
    writeFileSync(join(folder, 'solution.test.ts'), tests)
    // without one of its own the runner would take the configuration of this repository, and find no tests
    writeFileSync(join(folder, 'vitest.config.js'), 'export default {}\n')
    let total = 0
    for (const [index, candidate] of candidates.entries()) {
      writeFileSync(join(folder, 'solution.ts'), candidate)
      const isTyped = index > 0
      const isRight = index === candidates.length - 1
      total += time([join(here, 'peers/node_modules/typescript/bin/tsc'), '-p', '.'], folder, [isTyped ? 0 : 2])
      total += time([join(here, 'peers/node_modules/vitest/vitest.mjs'), 'run'], folder, [isRight ? 0 : 1])
    }
    return total
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function coldPass(): number {
  const folder = mkdtempSync(join(here, 'peers/tmp-'))
  try {
    const call = (role: string, content: string) => ({
      role,
      model: 'zero latency',
      replies: [{ content, finish: 'stop' }],
      usage: { promptTokens: 1, completionTokens: 1, calls: 1, costUsd: null, estimated: true },
      durationMs: 0,
    })
    const calls = [
      call('generate', fenced(candidates[0] ?? '')),
      call('generate', fenced(candidates[1] ?? '')),
      call('analyze', diagnosis),
      call('generate', fenced(candidates[2] ?? '')),
    ]
    writeFileSync(join(folder, 'recording.json'), JSON.stringify({ version: 1, note: 'bench', task, calls }))
    return time([cli, 'solve', '--replay', 'recording.json', '--quiet'], folder, [0])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const rounds = 5
const hasPeers = existsSync(join(here, 'peers/node_modules/vitest'))
if (!hasPeers) console.log('peers are not installed (npm ci in bench/peers): ratios are left out')
const peer: number[] = []
const cold: number[] = []
for (let round = 0; round < rounds; round += 1) {
  // In turns, so that a drift of the machine's speed meets both.
  if (hasPeers) peer.push(peerPass())
  cold.push(coldPass())
}

const reply = (text: string): string =>
  fenced(candidates[text.includes('Attempt 2') ? 2 : text.includes('Attempt 1') ? 1 : 0] ?? '')
const model = scriptedModel((request) =>
  request.role === 'generate' ? reply(request.messages.at(-1)?.content ?? '') : diagnosis,
)
await using engine = createEngine({ model })
const solve = async (): Promise<void> => {
  const result = await engine.solve(task).result
  if (!result.verified || result.attempts.length !== 3)
    throw new Error(`a run ended ${result.status} after ${result.attempts.length} attempts`)
}
for (let warm = 0; warm < 5; warm += 1) await solve()
const warm: number[] = []
for (let round = 0; round < 20; round += 1) {
  const startedAt = performance.now()
  await solve()
  warm.push(performance.now() - startedAt)
}
print('three attempts, cold at the command line', `${median(cold).toFixed(0)} ms`)
print('three attempts, in a warm engine', `${median(warm).toFixed(0)} ms`)
if (hasPeers) {
  print('tsc --noEmit and vitest run, three times', `${median(peer).toFixed(0)} ms`)
  print('peer / cold', `${(median(peer) / median(cold)).toFixed(1)} x`)
  print('peer / warm', `${(median(peer) / median(warm)).toFixed(1)} x`)
}

const delay = monitorEventLoopDelay({ resolution: 2 })
delay.enable()
const startedAt = performance.now()
await Promise.all(Array.from({ length: 100 }, () => solve()))
delay.disable()
print('100 runs side by side, all right', `${(performance.now() - startedAt).toFixed(0)} ms`)
print('event loop delay meanwhile, p99', `${(delay.percentile(99) / 1e6).toFixed(1)} ms`)
