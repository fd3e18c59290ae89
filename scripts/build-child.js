// Bundles the sandbox child into one CommonJS file: inside its namespace there is no node_modules to look in.
// With --development it goes to the cache folder, named by its content, and its path is printed.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { bundleHarness } from './build-harness.js'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

const development = process.argv.includes('--development')
const { text: harness } = await bundleHarness()

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
  minifyWhitespace: true,
  define: { REDGREEN_HARNESS: JSON.stringify(harness), 'import.meta.url': '""' },
  plugins: [addonByArgument],
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
