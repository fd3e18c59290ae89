import { nodeModules } from './ambient/node-modules.ts'
import { webStandards } from './ambient/web-standards.ts'
import type { ResolvedOptions } from './options.ts'
import type { PackageFiles } from './package-files.ts'
import type { SourceCache } from './source-cache.ts'
import { libText, type TS, ts } from './typescript.ts'

export const taskRoot = '/task/'
const libRoot = '/lib/'
const ambientPath = '/lib/ambient.d.ts'

/**
 * Parsed libs, for all programs of this thread: what the binder adds to a declaration file depends on no option. They are
 * what takes longest at a first verdict, and some 60 MiB.
 */
const libSources = new Map<string, TS.SourceFile>()

/**
 * A warm compiler for one set of options and packages. Lib and package files are parsed and bound once; a candidate costs
 * its own parse, a checker, and the check of its own files. Reads nothing but what it is given and `packages`.
 */
export class ProgramHost {
  readonly #options: ResolvedOptions
  readonly #packages: PackageFiles
  /** Files of packages; of libs, see `libSources`. */
  readonly #fixed = new Map<string, TS.SourceFile>()
  readonly #ambient: string
  #previous: TS.Program | undefined

  constructor(options: ResolvedOptions, packages: PackageFiles) {
    this.#options = options
    this.#packages = packages
    this.#ambient = (options.hasDom ? '' : webStandards) + nodeModules
  }

  /** Parses and binds the libs ahead of demand, in steps between which something more urgent may be done. */
  *warmSteps(sources: SourceCache): Generator<void> {
    for (const name of libNames(this.#options.compiler.lib ?? [])) {
      this.#fixedSource(libRoot + name, (path) => libText(path.slice(libRoot.length)))
      yield
    }
    this.#fixedSource(ambientPath, () => this.#ambient)
    yield
    const text = 'export const warm: readonly string[] = [..."warm"].map((c) => c.trim())\n'
    const program = this.program({ 'warm.ts': text }, ['warm.ts'], sources)
    program.getSemanticDiagnostics(program.getSourceFile(`${taskRoot}warm.ts`))
  }

  /**
   * A program over the task's files.
   *
   * @param files all files that can be imported, by task path
   * @param roots those that are judged
   */
  program(files: Readonly<Record<string, string>>, roots: readonly string[], sources: SourceCache): TS.Program {
    const packages = this.#packages
    const own = (path: string): string | undefined => {
      const name = path.startsWith(taskRoot) ? path.slice(taskRoot.length) : undefined
      return name !== undefined && Object.hasOwn(files, name) ? files[name] : undefined
    }
    const folders = new Set(['/task', '/lib', '/pkg', '/task/node_modules'])
    for (const path of Object.keys(files)) {
      const parts = path.split('/')
      for (let end = 1; end < parts.length; end++) folders.add(taskRoot + parts.slice(0, end).join('/'))
    }
    const readFile = (path: string): string | undefined => {
      if (path === ambientPath) return this.#ambient
      if (path.startsWith(libRoot)) return libText(path.slice(libRoot.length))
      return own(path) ?? packages.read(path)
    }
    const host: TS.CompilerHost = {
      getSourceFile: (path) => {
        const text = own(path)
        return text === undefined ? this.#fixedSource(path, readFile) : sources.get(path.slice(taskRoot.length), text)
      },
      getDefaultLibFileName: () => `${libRoot}lib.es2023.d.ts`,
      getDefaultLibLocation: () => libRoot.slice(0, -1),
      writeFile: () => {},
      getCurrentDirectory: () => '/task',
      getCanonicalFileName: (path) => path,
      useCaseSensitiveFileNames: () => true,
      getNewLine: () => '\n',
      fileExists: (path) =>
        own(path) !== undefined ||
        path === ambientPath ||
        (path.startsWith(libRoot) ? libText(path.slice(libRoot.length)) !== undefined : packages.isFile(path)),
      readFile,
      directoryExists: (path) => folders.has(path) || packages.isFolder(path),
      getDirectories: (path) => packages.folders(path),
      realpath: (path) => packages.canonical(path),
    }
    const program = ts.createProgram({
      rootNames: [ambientPath, ...roots.map((path) => taskRoot + path)],
      options: this.#options.compiler,
      host,
      ...(this.#previous ? { oldProgram: this.#previous } : {}),
    })
    this.#previous = program
    return program
  }

  #fixedSource(path: string, read: (path: string) => string | undefined): TS.SourceFile | undefined {
    const sources = path.startsWith(libRoot) && path !== ambientPath ? libSources : this.#fixed
    const known = sources.get(path)
    if (known) return known
    const text = read(path)
    if (text === undefined) return undefined
    const file = ts.createSourceFile(
      path,
      text,
      { languageVersion: ts.ScriptTarget.Latest, jsDocParsingMode: ts.JSDocParsingMode.ParseNone },
      false,
    )
    sources.set(path, file)
    return file
  }
}

/** Lib files with those that they refer to, referred ones first. */
function libNames(roots: readonly string[], seen = new Set<string>()): string[] {
  return roots.flatMap((name) => {
    if (seen.has(name)) return []
    seen.add(name)
    const references = [...(libText(name) ?? '').matchAll(/<reference lib="([^"]+)"/g)]
    return [
      ...libNames(
        references.map((match) => `lib.${match[1]}.d.ts`),
        seen,
      ),
      name,
    ]
  })
}
