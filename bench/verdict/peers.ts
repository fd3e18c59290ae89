import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { solution, tests } from './sample.ts'

const bench = dirname(dirname(fileURLToPath(import.meta.url)))
const peers = join(bench, 'peers')
const cli = join(bench, '../dist/bin/redgreen.js')

export const hasPeers = existsSync(join(peers, 'node_modules/vitest/vitest.mjs'))

/** Milliseconds of a command that must succeed. */
function time(args: readonly string[], cwd: string): number {
  const startedAt = performance.now()
  const { error, status, stdout, stderr } = spawnSync(process.execPath, args, { cwd, encoding: 'utf8' })
  if (error) throw error
  if (status !== 0) throw new Error(`${args[0]} ended ${status}: ${`${stdout}${stderr}`.slice(-500)}`)
  return performance.now() - startedAt
}

/** A project that holds the sample, for the time of `work`. */
function inProject<T>(turn: number, work: (folder: string) => T): T {
  const folder = mkdtempSync(join(peers, 'tmp-'))
  try {
    const compilerOptions = {
      strict: true,
      noEmit: true,
      target: 'es2023',
      lib: ['es2023', 'dom'],
      module: 'esnext',
      moduleResolution: 'bundler',
      skipLibCheck: true,
      types: [],
    }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }))
    // else Vitest takes the configuration of this repository, which finds no tests here
    writeFileSync(join(folder, 'vitest.config.js'), 'export default {}\n')
    writeFileSync(join(folder, 'solution.ts'), solution(turn))
    writeFileSync(join(folder, 'solution.test.ts'), tests)
    return work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Milliseconds of `tsc --noEmit` and of `vitest run` after it, both from their bin files. */
export const peerPair = (turn: number): { tscMs: number; vitestMs: number } =>
  inProject(turn, (folder) => ({
    tscMs: time([join(peers, 'node_modules/typescript/bin/tsc'), '--noEmit', '-p', '.'], folder),
    vitestMs: time([join(peers, 'node_modules/vitest/vitest.mjs'), 'run'], folder),
  }))

/** Milliseconds of one verdict in a process that starts for it: the command line, as a user calls it. */
export const coldVerdictMs = (turn: number): number =>
  inProject(turn, (folder) => time([cli, 'verify', 'solution.ts', '--quiet'], folder))
