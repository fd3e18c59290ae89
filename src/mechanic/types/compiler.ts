import { createRequire } from 'node:module'
import { ts } from 'ts-morph'
import { webStandards } from './web-standards.ts'

/** What is compiled: candidate files are judged, context files are only known. Paths are relative with `/`. */
export interface CompilerInput {
  readonly files: Readonly<Record<string, string>>
  readonly context: Readonly<Record<string, string>>
  readonly compilerOptions: Readonly<Record<string, unknown>>
}

const root = '/task/'
const libRoot = '/lib/'

/** Reads the compiler's own lib texts, which ship inside ts-morph. */
function readLibs(): Map<string, string> {
  const near = createRequire(import.meta.url)
  const common: unknown = createRequire(near.resolve('ts-morph'))('@ts-morph/common')
  // the package has this function in its published declarations; it is a dependency of ts-morph, not ours
  const { getLibFiles } = common as { getLibFiles(): { fileName: string; text: string }[] }
  return new Map(getLibFiles().map((file) => [libRoot + file.fileName, file.text]))
}

let libs: Map<string, string> | undefined
const registry = ts.createDocumentRegistry()
/** Counts over all compilers: the registry tells texts of one path apart by version alone. */
let versions = 0

/** The options that a candidate is judged under: plain strict on ES2023 unless the task says otherwise. */
export function resolveCompilerOptions(given: Readonly<Record<string, unknown>>): ts.CompilerOptions {
  const { options } = ts.convertCompilerOptionsFromJson(given, root)
  const {
    outDir: _o,
    rootDir: _r,
    project: _p,
    types: _t,
    typeRoots: _y,
    composite: _c,
    incremental: _i,
    ...kept
  } = options
  return {
    strict: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    moduleDetection: ts.ModuleDetectionKind.Force,
    esModuleInterop: true,
    ...kept,
    lib: kept.lib ?? ['lib.es2023.d.ts'],
    allowImportingTsExtensions: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
    noUnusedLocals: false,
    noUnusedParameters: false,
  }
}

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
    libs ??= readLibs()
    const libTexts = libs
    this.options = resolveCompilerOptions(input.compilerOptions)
    const source = /\.[cm]?tsx?$/
    this.#candidate = Object.keys(input.files).filter((path) => source.test(path))
    for (const [path, text] of Object.entries({ ...input.context, ...input.files })) this.setText(path, text)
    this.#texts.set(`${root}__web-standards.d.ts`, { text: webStandards, version: 0 })
    const read = (path: string): string | undefined => this.#texts.get(path)?.text ?? libTexts.get(path)
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
        directoryExists: (path) => [...this.#texts.keys()].some((known) => known.startsWith(`${path}/`)),
        getDirectories: () => [],
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
      .filter((diagnostic) => diagnostic.category === ts.DiagnosticCategory.Error)
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
