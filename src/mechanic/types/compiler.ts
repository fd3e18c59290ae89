import { ts } from 'ts-morph'
import { nodeModules } from '../../validate/worker/ambient/node-modules.ts'
import { webStandards } from '../../validate/worker/ambient/web-standards.ts'
import { resolveOptions } from '../../validate/worker/options.ts'
import { PackageFiles } from '../../validate/worker/package-files.ts'
import { libText } from '../../validate/worker/typescript.ts'

/** What is compiled: candidate files are judged, context files are only known. Paths are relative with `/`. */
export interface CompilerInput {
  readonly files: Readonly<Record<string, string>>
  readonly context: Readonly<Record<string, string>>
  readonly compilerOptions: Readonly<Record<string, unknown>>
  /** Names of npm packages that may be imported, and the folder whose node_modules holds them. */
  readonly packages: readonly string[]
  readonly packageRoot: string
}

const root = '/task/'
const libRoot = '/lib/'
/** Defects of the project's layout or of a declared package, which the validator does not hold against a candidate either. */
const notTheCandidates = new Set([1202, 1203, 1479, 7016, 5097])

const registry = ts.createDocumentRegistry()
/** Counts over all compilers: the registry tells texts of one path apart by version alone. */
let versions = 0

/**
 * A warm compiler over one task's files. `setText` is cheap; the next `program()` re-checks only what changed.
 * Not thread-safe and synchronous: lives in a worker.
 */
export class Compiler {
  readonly options: ts.CompilerOptions
  readonly #texts = new Map<string, { text: string; version: number }>()
  readonly #service: ts.LanguageService
  readonly #candidate: readonly string[]

  constructor(input: CompilerInput) {
    const resolved = resolveOptions(input.compilerOptions)
    this.options = resolved.compiler
    const packages = new PackageFiles(input.packageRoot, input.packages)
    const source = /\.[cm]?tsx?$/
    this.#candidate = Object.keys(input.files).filter((path) => source.test(path))
    for (const [path, text] of Object.entries({ ...input.context, ...input.files })) this.setText(path, text)
    this.#texts.set(`${root}__ambient.d.ts`, {
      text: (resolved.hasDom ? '' : webStandards) + nodeModules,
      version: resolved.hasDom ? 1 : 0,
    })
    const read = (path: string): string | undefined =>
      this.#texts.get(path)?.text ??
      (path.startsWith(libRoot) ? libText(path.slice(libRoot.length)) : packages.read(path))
    this.#service = ts.createLanguageService(
      {
        getCompilationSettings: () => this.options,
        getScriptFileNames: () => [...this.#texts.keys()].filter((path) => source.test(path)),
        getScriptVersion: (path) => String(this.#texts.get(path)?.version ?? 0),
        getScriptSnapshot: (path) => {
          const text = read(path)
          return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text)
        },
        getCurrentDirectory: () => root,
        getDefaultLibFileName: () => `${libRoot}lib.es2023.d.ts`,
        fileExists: (path) => read(path) !== undefined,
        readFile: read,
        directoryExists: (path) =>
          packages.isFolder(path) || [...this.#texts.keys()].some((known) => known.startsWith(`${path}/`)),
        getDirectories: (path) => packages.folders(path),
        realpath: (path) => packages.canonical(path),
        useCaseSensitiveFileNames: () => true,
      },
      registry,
    )
  }

  /** Candidate files that the compiler reads. */
  get files(): readonly string[] {
    return this.#candidate
  }

  setText(path: string, text: string): void {
    const known = this.#texts.get(root + path)
    if (known?.text === text) return
    versions += 1
    this.#texts.set(root + path, { text, version: versions })
  }

  text(path: string): string {
    return this.#texts.get(root + path)?.text ?? ''
  }

  program(): ts.Program {
    const program = this.#service.getProgram()
    if (!program) throw new Error('the language service has no program')
    return program
  }

  sourceFile(path: string): ts.SourceFile {
    const file = this.program().getSourceFile(root + path)
    if (!file) throw new Error(`not part of the program: ${path}`)
    return file
  }

  /** Errors of one candidate file; with syntax errors only those, since types of a torn tree mislead. */
  errors(path: string): readonly ts.Diagnostic[] {
    const syntactic = this.#service.getSyntacticDiagnostics(root + path)
    if (syntactic.length > 0) return syntactic
    return this.#service
      .getSemanticDiagnostics(root + path)
      .filter(
        (diagnostic) => diagnostic.category === ts.DiagnosticCategory.Error && !notTheCandidates.has(diagnostic.code),
      )
  }

  /** The language service's own fixes for one diagnostic. */
  codeFixes(path: string, diagnostic: ts.Diagnostic): readonly ts.CodeFixAction[] {
    const start = diagnostic.start ?? 0
    const preferences = { quotePreference: 'single' } as const
    return this.#service.getCodeFixesAtPosition(
      root + path,
      start,
      start + (diagnostic.length ?? 0),
      [diagnostic.code],
      ts.getDefaultFormatCodeSettings('\n'),
      preferences,
    )
  }

  /** The path of a program file as the task knows it; null for the compiler's own. */
  toTaskPath(fileName: string): string | null {
    return fileName.startsWith(root) ? fileName.slice(root.length) : null
  }

  dispose(): void {
    this.#service.dispose()
  }
}
