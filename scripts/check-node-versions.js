// Packs the package, installs the tarball afresh beside each version of Node that `engines` promises and judges with it there:
// a green and a red candidate by the command line, and a repair without a model by the library.
// `node scripts/check-node-versions.js [VERSION…]`, built (`npm run build`); asks the registry for Node itself.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
/** The oldest that is promised, the newest of its line, and the newest line. */
const defaultVersions = ['22.16.0', '22', '26']
/** Each version of the addon is built for two lines of Node. */
const isolatedVmFor = (version) => (Number.parseInt(version, 10) <= 22 ? '6.2.0' : '7.0.1')

const solution = 'export const add = (a: number, b: number): number => a + b\n'
const tests = `import { expect, it } from 'vitest'
import { add } from './solution'
it('adds', async () => { await new Promise((resolve) => setTimeout(resolve, 50)); expect(add(1, 2)).toBe(3) })
it('is commutative', () => expect(add(2, 5)).toBe(add(5, 2)))
`
const library = `import { createEngine } from 'redgreen'
const engine = createEngine()
const run = engine.repair({
  files: { 'solution.ts': ${JSON.stringify(solution.replace('a + b', 'a - b'))} },
  tests: { 'solution.test.ts': ${JSON.stringify(tests)} },
})
const { status, verified } = await run.result
await engine.close()
console.log(JSON.stringify({ status, verified }))
`

/** Name of the npm package that holds Node for this machine. */
const nodePackage = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`

function pack(folder) {
  const packed = JSON.parse(
    execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], {
      cwd: root,
      encoding: 'utf8',
    }),
  )
  const [{ filename }] = Array.isArray(packed) ? packed : Object.values(packed)
  return join(folder, filename)
}

/** Runs a command under a version of Node; gives its output, read as JSON. */
function run(node, args, cwd, expectedStatus) {
  const path = `${dirname(node)}:${process.env.PATH}`
  const { error, status, stdout, stderr } = spawnSync(node, args, {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, PATH: path, NODE_OPTIONS: '' },
  })
  if (error) throw error
  if (status !== expectedStatus) {
    throw new Error(
      `${args.slice(1).join(' ')} ended ${status}, not ${expectedStatus}: ${`${stdout}${stderr}`.slice(-800)}`,
    )
  }
  return JSON.parse(stdout)
}

function expectThat(condition, what, found) {
  if (!condition) throw new Error(`expected ${what}; found ${JSON.stringify(found).slice(0, 800)}`)
}

function check(version, tarball, folder) {
  mkdirSync(folder)
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'consumer', private: true, type: 'module' }))
  execFileSync(
    'npm',
    ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error', '--engine-strict=false', tarball, `${nodePackage}@${version}`, `isolated-vm@${isolatedVmFor(version)}`],
    { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] },
  ) // biome-ignore format: a list of arguments
  const node = join(folder, 'node_modules', nodePackage, process.platform === 'win32' ? 'bin/node.exe' : 'bin/node')
  const cli = join(folder, 'node_modules/redgreen/dist/bin/redgreen.js')
  writeFileSync(join(folder, 'solution.ts'), solution)
  writeFileSync(join(folder, 'solution.test.ts'), tests)
  writeFileSync(join(folder, 'repair.mjs'), library)

  const green = run(node, [cli, 'verify', 'solution.ts', '--json'], folder, 0)
  expectThat(green.passed && green.tests.passed === 2, 'a green report of two tests', green)
  writeFileSync(join(folder, 'solution.ts'), solution.replace('a + b', 'a - b'))
  const red = run(node, [cli, 'verify', 'solution.ts', '--json'], folder, 1)
  expectThat(!red.passed && red.tests.failed === 2 && red.failures[0]?.kind === 'logic', 'a red report', red)
  const repaired = run(node, ['repair.mjs'], folder, 0)
  expectThat(repaired.verified, 'a repaired program', repaired)
  const { status, stdout } = spawnSync(node, ['--version'], { encoding: 'utf8' })
  expectThat(status === 0, 'a Node that starts', version)
  process.stdout.write(`Node ${stdout.trim()}: verifies, refuses and repairs (${green.isolation})\n`)
}

const folder = mkdtempSync(join(tmpdir(), 'redgreen-node-'))
try {
  const tarball = pack(folder)
  const versions = process.argv.slice(2)
  for (const [index, version] of (versions.length > 0 ? versions : defaultVersions).entries()) {
    check(version, tarball, join(folder, String(index)))
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
