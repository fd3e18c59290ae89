import { execFile } from 'node:child_process'
import { existsSync, realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { cacheFolder } from '../cache-folder.ts'
import { RedgreenError } from '../errors.ts'

const run = promisify(execFile)

/** All files that a child process needs; nothing else of the host is shown to it. */
export interface RuntimeFiles {
  /** This very Node: the addon and the child fit it. */
  readonly node: string
  /** One CommonJS file: driver, harness and protocol. */
  readonly entry: string
  /** isolated-vm's native addon. */
  readonly addon: string
  /** Shared libraries of Node and the addon, by the paths under which the loader looks for them. */
  readonly libraries: readonly string[]
  /** A folder for what is made once and used by later hosts; null for a child that a test brings along. */
  readonly cache: string | null
}

/** Finds the runtime, and in a source checkout builds the child first. Throws SANDBOX_UNAVAILABLE. */
export async function findRuntimeFiles(entry?: string): Promise<RuntimeFiles> {
  const node = realpathSync(process.execPath)
  const addon = findAddon()
  const own = entry === undefined ? await once('entry', findEntry) : null
  return {
    node,
    addon,
    // By real path, as the others: Node's permission model looks behind links (a linked package, pnpm), and refuses.
    entry: realpathSync(own?.entry ?? entry ?? ''),
    cache: own?.cache ?? null,
    libraries: process.platform === 'linux' ? await once('libraries', () => findLibraries(node, addon)) : [],
  }
}

const known = new Map<string, Promise<unknown>>()

/** These do not change while the host runs, and cost tens of milliseconds each; a failure is not kept. */
function once<T>(name: string, look: () => Promise<T>): Promise<T> {
  const before = known.get(name)
  // Each name has one kind of value.
  if (before) return before as Promise<T>
  const looking = look()
  known.set(name, looking)
  looking.catch(() => known.delete(name))
  return looking
}

function findAddon(): string {
  try {
    const ours = createRequire(import.meta.url)
    const folder = dirname(ours.resolve('isolated-vm'))
    // isolated-vm finds its addon with node-gyp-build, which is its dependency and not ours.
    const gyp: unknown = createRequire(join(folder, 'package.json'))('node-gyp-build')
    if (!hasResolve(gyp)) throw new Error('node-gyp-build has no resolve()')
    return realpathSync(gyp.resolve(folder))
  } catch (cause) {
    throw new RedgreenError(
      'SANDBOX_UNAVAILABLE',
      `isolated-vm has no native addon for Node ${process.version} on ${process.platform}-${process.arch}; use Node 22, 24 or 26, or build it from source (npm rebuild isolated-vm)`,
      { cause },
    )
  }
}

function hasResolve(value: unknown): value is { resolve(folder: string): string } {
  return typeof value === 'function' && 'resolve' in value && typeof value.resolve === 'function'
}

async function findEntry(): Promise<{ entry: string; cache: string }> {
  const here = fileURLToPath(import.meta.url)
  const root = join(dirname(here), '..', '..')
  if (!here.endsWith('.ts')) {
    const built = join(dirname(here), 'child.cjs')
    if (existsSync(built)) return { entry: built, cache: cacheFolder }
    throw new RedgreenError(
      'SANDBOX_UNAVAILABLE',
      `the sandbox child is missing at ${built}; install the package again`,
    )
  }
  // A source checkout: always built afresh, so that a test never runs against yesterday's child.
  try {
    const { stdout } = await run(process.execPath, [join(root, 'scripts', 'build-child.js'), '--development'])
    const made = stdout.trim()
    return { entry: made, cache: dirname(made) }
  } catch (cause) {
    throw new RedgreenError('SANDBOX_UNAVAILABLE', 'the sandbox child could not be built from source', { cause })
  }
}

/**
 * What the loader would load. glibc's tells it when asked in this way (ld.so(8)), in one process; `ldd`, which is a shell
 * script around the same question, is asked where that gave nothing (musl).
 */
async function findLibraries(node: string, addon: string): Promise<string[]> {
  const asked = { env: { LD_TRACE_LOADED_OBJECTS: '1', LD_PRELOAD: addon } }
  const listed = librariesIn((await run(node, ['--version'], asked).catch(() => ({ stdout: '' }))).stdout)
  if (listed.includes(addon)) return listed.filter((path) => path !== addon)
  const outputs = await Promise.all([node, addon].map((file) => run('ldd', [file]).catch(() => ({ stdout: '' }))))
  return [...new Set(outputs.flatMap(({ stdout }) => librariesIn(stdout)))]
}

const librariesIn = (listing: string): string[] =>
  [...listing.matchAll(/(?:=>\s+|^\s*)(\/\S+)\s+\(0x/gm)].flatMap((match) => match[1] ?? [])
