// Bundles src/sandbox/harness into one classic script for the isolate's snapshot. The child's bundle holds its text; run by
// itself, this writes it to the cache folder for a driver that is run from its sources.
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('..', import.meta.url))
const harness = (name) => `${root}src/sandbox/harness/${name}`

/** Replaces a text that must be there: a change upstream must fail the build, not the sandbox's integrity. */
function patch(source, file, replacements) {
  return replacements.reduce((text, [from, to]) => {
    if (!text.includes(from)) throw new Error(`${file}: expected to find ${JSON.stringify(from)}`)
    return text.replaceAll(from, to)
  }, source)
}

const expectPatches = [
  // a candidate's result must not decide what it equals
  [
    'return !!obj && typeof obj === "object" && "asymmetricMatch" in obj && isA("Function", obj.asymmetricMatch);',
    'return isGenuineMatcher(obj);',
  ],
  [
    '\t\tthis.inverse = inverse;\n\t}\n\tgetMatcherContext',
    '\t\tthis.inverse = inverse;\n\t\tregisterMatcher(this);\n\t}\n\tgetMatcherContext',
  ],
  ['const result = isA("String", other) && ', 'const result = typeof other === "string" && '],
  ['return a.equals(b);', 'return b.equals(a);'],
  [
    '\tif (a.size !== undefined) {\n\t\tif (a.size !== b.size) {',
    '\tconst kind = collectionKind(a);\n\tif (kind !== collectionKind(b)) {\n\t\treturn false;\n\t}\n\tif (kind) {\n\t\ta = plainCollection(a, kind);\n\t\tb = plainCollection(b, kind);\n\t}\n\tif (a.size !== undefined) {\n\t\tif (a.size !== b.size) {',
  ],
  ['isA("Set", a) || isImmutableUnorderedSet(a)', 'kind === "Set" || isImmutableUnorderedSet(a)'],
  ['isA("Map", a) || isImmutableUnorderedKeyed(a)', 'kind === "Map" || isImmutableUnorderedKeyed(a)'],
  // no state of the matchers where a candidate can reach it
  ['globalThis', 'expectRealm'],
]

const chaiPatches = [['included = obj.has(val)', 'included = val2Has(obj, val)']]

const realm = {
  name: 'realm',
  setup(builder) {
    builder.onResolve({ filter: /^@vitest\/utils\/timers$/ }, () => ({ path: harness('vitest-timers.ts') }))
    builder.onResolve({ filter: /^@vitest\/utils\/error$/ }, () => ({ path: harness('vitest-error.ts') }))
    builder.onLoad({ filter: /@vitest[\\/]expect[\\/]dist[\\/]index\.js$/ }, ({ path }) => ({
      contents: `import { collectionKind, isGenuineMatcher, plainCollection, registerMatcher } from ${JSON.stringify(harness('genuine.ts'))};\nimport { expectRealm } from ${JSON.stringify(harness('realm.ts'))};\n${patch(readFileSync(path, 'utf8'), path, expectPatches)}`,
      loader: 'js',
    }))
    builder.onLoad({ filter: /chai[\\/](index|chai)\.js$/ }, ({ path }) => {
      const source = readFileSync(path, 'utf8')
      if (!source.includes('included = obj.has(val)')) return undefined
      return {
        contents: `${patch(source, path, chaiPatches)}\nfunction val2Has(obj, val) { return (obj instanceof WeakSet ? WeakSet : Set).prototype.has.call(obj, val) }\n`,
        loader: 'js',
      }
    })
  },
}

const absent = [
  'DOMTokenList',
  'HTMLElement',
  'Element',
  'Node',
  'document',
  'window',
  'navigator',
  'Deno',
  'Bun',
  'process',
  '__vitest_worker__',
]

/** The text of the harness; `metafile` tells what it is made of. */
export async function bundleHarness() {
  const { outputFiles, metafile } = await build({
    entryPoints: [harness('main.ts')],
    bundle: true,
    write: false,
    format: 'iife',
    platform: 'browser',
    target: 'es2023',
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: 'none',
    // sloppy functions would show their callers to guests
    banner: { js: '"use strict";' },
    define: Object.fromEntries(absent.map((name) => [name, 'undefined'])),
    mainFields: ['module', 'main'],
    alias: { util: harness('node/util.ts') },
    plugins: [realm],
    logLevel: 'warning',
    metafile: true,
  })
  const [bundle] = outputFiles
  if (!bundle) throw new Error('esbuild wrote nothing')
  return { text: bundle.text, metafile }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { text, metafile } = await bundleHarness()
  const file = `${root}node_modules/.cache/redgreen/harness.js`
  mkdirSync(dirname(file), { recursive: true })
  // whole or not at all: another process may be reading it
  writeFileSync(`${file}.${process.pid}`, text)
  renameSync(`${file}.${process.pid}`, file)
  if (process.argv.includes('--sizes')) printSizes(metafile)
}

function printSizes(metafile) {
  const [{ inputs }] = Object.values(metafile.outputs)
  const sizes = new Map()
  for (const [path, { bytesInOutput }] of Object.entries(inputs)) {
    const owner = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? 'harness'
    sizes.set(owner, (sizes.get(owner) ?? 0) + bytesInOutput)
  }
  for (const [owner, bytes] of [...sizes].sort((a, b) => b[1] - a[1])) console.log(bytes, owner)
}
