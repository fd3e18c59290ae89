// Runs every example; an example that ends badly fails the run. The recordings are replayed through the built command line.
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const folder = dirname(fileURLToPath(import.meta.url))
const cli = join(folder, '../dist/bin/redgreen.js')
const programs = readdirSync(folder).filter((name) => name.endsWith('.ts') && name !== 'run-all.ts')
const recordings = readdirSync(join(folder, 'recordings')).filter((name) => name.endsWith('.json'))
const runs: [string, string[]][] = [
  ...programs.map((name): [string, string[]] => [name, [join(folder, name)]]),
  ...recordings.map((name): [string, string[]] => [name, [cli, 'solve', '--replay', join(folder, 'recordings', name)]]),
  ['invoice', [cli, 'repair', join(folder, 'invoice/invoice.ts')]],
]

let failed = 0
for (const [name, args] of runs) {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', timeout: 180_000 })
  console.log(`${status === 0 ? 'ok    ' : 'FAILED'} ${name}`)
  if (status !== 0) {
    failed += 1
    console.log(stdout, stderr)
  }
}
process.exitCode = failed > 0 ? 1 : 0
