// Bundles what starts as a process or thread of its own: each module file costs its look-up at every start, and the command line has some
// five hundred of its own and of its packages. It goes to dist/bin; threads are bundled where the compiler put them, without packages.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const bin = join(root, 'dist/bin')
rmSync(bin, { recursive: true, force: true })

/** A module that is bundled into `outdir` still finds what lies beside its own file: workers, the child, the manifest. */
const urlOfSource = (outdir) => ({
  name: 'url-of-source',
  setup(plugin) {
    plugin.onLoad({ filter: /dist\/.*\.js$/ }, ({ path }) => {
      const url = `new URL(${JSON.stringify(relative(outdir, path))}, import.meta.url).href`
      return { contents: readFileSync(path, 'utf8').replaceAll('import.meta.url', url), loader: 'js' }
    })
  },
})

const options = {
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node22',
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'none',
}

const threads = ['validate/worker/main', 'mechanic/types/worker', 'mechanic/search/worker', 'mechanic/trust/worker']
await Promise.all(
  threads.map((thread) => {
    const file = join(root, 'dist/src', `${thread}.js`)
    return build({
      ...options,
      entryPoints: [file],
      outfile: file,
      allowOverwrite: true,
      packages: 'external',
      plugins: [urlOfSource(dirname(file))],
    })
  }),
)

const { metafile } = await build({
  ...options,
  entryPoints: { redgreen: join(root, 'dist/src/cli/main.js') },
  outdir: bin,
  chunkNames: '[name]-[hash]',
  splitting: true,
  metafile: true,
  plugins: [urlOfSource(bin)],
  // what packages in CommonJS call
  banner: { js: "import{createRequire as requireOf}from'node:module';const require=requireOf(import.meta.url);" },
})

const packages = new Set(
  Object.keys(metafile.inputs).flatMap((path) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []),
)
const notices = [...packages].sort().map((path) => {
  const folder = join(root, path)
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry))
  const text = file ? readFileSync(join(folder, file), 'utf8') : `License: ${license}`
  return `${name} ${version}\n\n${text.trim()}\n`
})
writeFileSync(join(bin, 'THIRD-PARTY-LICENSES.txt'), notices.join(`\n${'-'.repeat(80)}\n\n`))
