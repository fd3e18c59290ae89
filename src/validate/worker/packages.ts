import type { Metafile, Plugin } from 'esbuild'
import type { PackageModule } from '../../sandbox/types.ts'
import { classifySpecifier, packageNameOf } from '../specifiers.ts'
import { type InstalledPackage, isInside, type PackageFiles } from './package-files.ts'

/** A specifier that could not be bundled, and why (without paths of the host). */
export interface BundleProblem {
  readonly specifier: string
  readonly message: string
}

/** What a package bundles to, and the other packages that it leaves to be linked. */
interface Bundle {
  readonly module: PackageModule
  readonly needs: readonly string[]
}

/**
 * Bundles each imported specifier into one module, once per engine and specifier. Reads inside the declared packages and
 * their dependencies only, by real path; Node's own modules stay imports. Packages that are declared themselves stay
 * imports of each other, so that `react` is the same in `react/jsx-runtime`.
 */
export class PackageBundler {
  readonly #packages: PackageFiles
  readonly #root: string
  readonly #bundled = new Map<string, Promise<Bundle | BundleProblem>>()

  constructor(packages: PackageFiles, root: string) {
    this.#packages = packages
    this.#root = root
  }

  async bundle(specifiers: Iterable<string>): Promise<{ modules: PackageModule[]; problems: BundleProblem[] }> {
    const wanted = [...new Set(specifiers)].sort()
    const modules: PackageModule[] = []
    const problems: BundleProblem[] = []
    for (let index = 0; index < wanted.length; index++) {
      const specifier = wanted[index] ?? ''
      const known = this.#bundled.get(specifier) ?? this.#bundle(specifier)
      this.#bundled.set(specifier, known)
      const result = await known
      if ('message' in result) problems.push(result)
      else {
        modules.push(result.module)
        for (const need of result.needs) if (!wanted.includes(need)) wanted.push(need)
      }
    }
    return { modules, problems }
  }

  async #bundle(specifier: string): Promise<Bundle | BundleProblem> {
    const first = await this.#attempt(specifier, [], 'esm')
    if ('message' in first) return first
    // a build for browsers does without Node's modules, which the isolate does not have
    if (first.missing === 0) return first.bundle
    const second = await this.#attempt(specifier, ['browser'], 'esm')
    return 'message' in second || second.missing >= first.missing ? first.bundle : second.bundle
  }

  async #attempt(
    specifier: string,
    conditions: readonly string[],
    format: 'esm' | 'cjs',
  ): Promise<{ bundle: Bundle; missing: number } | BundleProblem> {
    const esbuild = await import('esbuild')
    try {
      const { outputFiles, metafile } = await esbuild.build({
        entryPoints: [specifier],
        absWorkingDir: this.#root,
        bundle: true,
        write: false,
        metafile: true,
        format,
        platform: 'neutral',
        target: 'es2022',
        mainFields: conditions.includes('browser') ? ['browser', 'module', 'main'] : ['module', 'main'],
        conditions: [...conditions, 'worker', 'import', 'module'],
        define: { 'process.env.NODE_ENV': '"test"' },
        // a tsconfig.json of the host is never looked for
        tsconfigRaw: '{}',
        loader: { '.css': 'empty', '.node': 'empty' },
        legalComments: 'none',
        logLevel: 'silent',
        plugins: [this.#wall(specifier)],
      })
      const facts = factsOf(metafile)
      if (format === 'esm' && (facts.entryIsCommonJs || facts.requiresExternal))
        return await this.#attempt(specifier, conditions, 'cjs')
      const code = outputFiles[0]?.text ?? ''
      const needs = facts.external.filter((name) => classifySpecifier(name).kind === 'package')
      const missing = facts.external.filter((name) => {
        const kind = classifySpecifier(name)
        return kind.kind === 'node' && !kind.harmless
      }).length
      return { bundle: { module: { specifier, code, format }, needs }, missing }
    } catch (error) {
      return { specifier, message: `The package "${specifier}" cannot be prepared: ${firstError(error)}` }
    }
  }

  /**
   * Lets the bundler see only what a package may see. Names of packages are judged where they are resolved; relative paths,
   * of which there are thousands and each question costs a round trip, where the file that they lead to is read.
   */
  #wall(specifier: string): Plugin {
    const packages = this.#packages
    const root = this.#root
    return {
      name: 'declared-packages-only',
      setup: (build) => {
        build.onResolve({ filter: /^[^.]/ }, async (args) => {
          if (isOwnQuestion(args.pluginData)) return undefined
          const isEntry = args.kind === 'entry-point'
          const kind = classifySpecifier(args.path)
          if (kind.kind === 'node') return { path: args.path, external: true }
          const importer = isEntry ? null : packages.ownerOf(args.importer)
          const owner = isEntry
            ? packages.declared(packageNameOf(args.path))
            : ownerOfImport(args.path, kind.kind, importer, packages)
          if (!owner) return refuse(args.kind, args.path)
          if (!isEntry && kind.kind === 'package' && args.path !== specifier && packages.declared(kind.name) === owner)
            return { path: args.path, external: true }
          const resolved = await build.resolve(args.path, {
            kind: isEntry ? 'import-statement' : args.kind,
            importer: args.importer,
            resolveDir: isEntry ? root : args.resolveDir,
            pluginData: { ours: true },
          })
          if (resolved.errors.length > 0) return refuse(args.kind, args.path)
          if (resolved.external || resolved.path === '' || resolved.path.startsWith('(disabled)'))
            return { path: resolved.path, external: resolved.external, namespace: resolved.namespace }
          if (!isInside(owner.folder, resolved.path)) return refuse(args.kind, args.path)
          return { path: resolved.path, sideEffects: resolved.sideEffects, namespace: resolved.namespace }
        })
        // the path is real: the bundler has followed links by now
        build.onLoad({ filter: /.*/, namespace: 'file' }, ({ path }) =>
          packages.ownerOf(path) || path.startsWith('(disabled)') ? undefined : unreadable,
        )
      },
    }
  }

  /** Ends the bundler's process; it is started again when the next package comes. */
  async rest(): Promise<void> {
    const esbuild = await import('esbuild')
    await esbuild.stop()
  }
}

/** Stands for a file outside of all packages that may be read; fails when it is reached, as packages try optional ones. */
const unreadable = {
  contents: 'throw new Error("Cannot find module: it lies outside of its package")\nmodule.exports = undefined\n',
  loader: 'js',
} as const

const isOwnQuestion = (data: unknown): boolean => typeof data === 'object' && data !== null && 'ours' in data

function ownerOfImport(
  specifier: string,
  kind: string,
  importer: InstalledPackage | null,
  packages: PackageFiles,
): InstalledPackage | null {
  if (!importer) return null
  if (kind === 'internal') return importer
  return kind === 'package' ? packages.dependency(importer, packageNameOf(specifier)) : null
}

/** A static import that may not be read fails the bundle; a `require` or `import()` fails when it is reached, as packages try optional ones. */
function refuse(kind: string, path: string): { errors: { text: string }[] } | { path: string; external: true } {
  if (kind === 'require-call' || kind === 'dynamic-import' || kind === 'require-resolve')
    return { path, external: true }
  return { errors: [{ text: `"${path}" is not one of its declared dependencies, or not installed` }] }
}

function factsOf(metafile: Metafile): { entryIsCommonJs: boolean; requiresExternal: boolean; external: string[] } {
  const entry = Object.values(metafile.outputs)[0]?.entryPoint
  const external = new Set<string>()
  let requiresExternal = false
  for (const input of Object.values(metafile.inputs))
    for (const used of input.imports)
      if (used.external) {
        external.add(used.path)
        if (used.kind === 'require-call') requiresExternal = true
      }
  return {
    entryIsCommonJs: entry !== undefined && metafile.inputs[entry]?.format === 'cjs',
    requiresExternal,
    external: [...external],
  }
}

/** The bundler's first complaint; its places are the host's and stay here. */
function firstError(error: unknown): string {
  if (typeof error !== 'object' || error === null || !('errors' in error) || !Array.isArray(error.errors))
    return 'the bundler failed'
  const first: unknown = error.errors[0]
  const text =
    typeof first === 'object' && first !== null && 'text' in first ? String(first.text) : 'the bundler failed'
  return text.replace(/"\/[^"]*"/g, '"…"')
}
