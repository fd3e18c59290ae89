// Bundles the sandbox child into one CommonJS file: inside its namespace there is no node_modules to look in.
// With --development the harness is built too if it is older than its sources, the bundle goes to the cache folder, named by
// its content, and its path is printed.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { bundleHarness } from './build-harness.js'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

const development = process.argv.includes('--development')
const harness = join(root, 'dist/sandbox/harness.js')
const harnessSources = join(root, 'src/sandbox/harness')
const newest = () =>
  Math.max(
    ...readdirSync(harnessSources, { recursive: true }).map((name) => statSync(join(harnessSources, name)).mtimeMs),
    statSync(join(root, 'scripts/build-harness.js')).mtimeMs,
  )
if (development && (!existsSync(harness) || statSync(harness).mtimeMs < newest())) {
  const { status } = spawnSync(process.execPath, [join(root, 'scripts/build-harness.js')], { stdio: ['ignore', 2, 2] })
  if (status !== 0) process.exit(status ?? 1)
}

/** The driver reads the harness from a file beside it; here that file is a part of the bundle. */
const harnessInside = {
  name: 'harness-inside',
  setup(plugin) {
    plugin.onResolve({ filter: /^node:fs$/ }, ({ importer }) =>
      importer.endsWith('ready-isolate.ts') ? { path: harness, namespace: 'harness' } : undefined,
    )
    plugin.onLoad({ filter: /.*/, namespace: 'harness' }, () => ({
      contents: `export const readFileSync = () => ${JSON.stringify(readFileSync(harness, 'utf8'))}`,
      loader: 'js',
    }))
  },
}

/** The parent names the addon's file as the first argument. */
const addonByArgument = {
  name: 'addon-by-argument',
  setup(plugin) {
    plugin.onResolve({ filter: /^isolated-vm$/ }, () => ({ path: 'isolated-vm', namespace: 'addon' }))
    plugin.onLoad({ filter: /.*/, namespace: 'addon' }, () => ({
      contents: 'module.exports = require(process.argv[2]).ivm',
      loader: 'js',
    }))
  },
}

const { outputFiles } = await build({
  entryPoints: [join(root, 'src/sandbox/child/main.ts')],
  bundle: true,
  write: false,
  format: 'cjs',
  platform: 'node',
  target: 'node22',
  minifySyntax: true,
  define: { 'import.meta.url': '"file:///redgreen/child.cjs"' },
  plugins: [addonByArgument, harnessInside],
})
const [bundle] = outputFiles
if (!bundle) throw new Error('esbuild wrote nothing')

const hash = createHash('sha256').update(bundle.contents).digest('hex').slice(0, 16)
const path = development
  ? join(root, 'node_modules/.cache/redgreen', `child-${hash}.cjs`)
  : join(root, 'dist/src/sandbox/child.cjs')
if (!development || !existsSync(path)) {
  mkdirSync(dirname(path), { recursive: true })
  // Written aside and renamed: a child that starts meanwhile sees the whole file or none.
  const partial = `${path}.${process.pid}`
  writeFileSync(partial, bundle.contents)
  renameSync(partial, path)
}
if (development) process.stdout.write(`${path}\n`)
