import { type TS, ts } from './typescript.ts'

const maxFiles = 256

/**
 * Parsed task files by path and text. A tree serves syntax, imports, policy and types alike, and is bound once; programs
 * of different options must not share bound trees, so each key of options has its own cache.
 */
export class SourceCache {
  readonly #files = new Map<string, { readonly text: string; readonly file: TS.SourceFile }>()

  /** The tree of a file; parents are set. Throws RangeError for nesting beyond the parser's stack. */
  get(path: string, text: string): TS.SourceFile {
    const key = `${path}\0${text.length}\0${text.slice(0, 64)}`
    const known = this.#files.get(key)
    if (known?.text === text) {
      this.#files.delete(key)
      this.#files.set(key, known)
      return known.file
    }
    const kind = scriptKindOf(path)
    const file = ts.createSourceFile(
      `/task/${path}`,
      text,
      {
        languageVersion: ts.ScriptTarget.ES2022,
        jsDocParsingMode: ts.JSDocParsingMode.ParseNone,
        setExternalModuleIndicator: markAsModule,
      },
      true,
      kind,
    )
    dropReferences(file)
    this.#files.set(key, { text, file })
    for (const oldest of this.#files.keys()) {
      if (this.#files.size <= maxFiles) break
      this.#files.delete(oldest)
    }
    return file
  }
}

/**
 * `/// <reference …>` would name files, types and libs to be read beside the task's own; a file's own text must not widen
 * what its compiler sees. Declaration files of the context are part of the program anyway.
 */
function dropReferences(file: TS.SourceFile): void {
  const mutable = file as { -readonly [K in keyof TS.SourceFile]: TS.SourceFile[K] }
  mutable.referencedFiles = []
  mutable.typeReferenceDirectives = []
  mutable.libReferenceDirectives = []
}

/** The members that the compiler itself sets to tell a module from a script. */
type Markable = TS.SourceFile & { externalModuleIndicator?: TS.Node | true }

/** Every file is a module, as with `moduleDetection: force`; the real indicator is kept where there is one. */
function markAsModule(file: TS.SourceFile): void {
  const markable = file as Markable
  const indicator = file.statements.find(
    (statement) =>
      ts.isImportDeclaration(statement) ||
      ts.isExportDeclaration(statement) ||
      ts.isExportAssignment(statement) ||
      ts.isImportEqualsDeclaration(statement) ||
      (ts.canHaveModifiers(statement) &&
        ts.getModifiers(statement)?.some((modifier) => modifier.kind === ts.SyntaxKind.ExportKeyword)),
  )
  if (!file.isDeclarationFile && !file.fileName.endsWith('.json')) markable.externalModuleIndicator = indicator ?? true
  else if (indicator) markable.externalModuleIndicator = indicator
}

function scriptKindOf(path: string): TS.ScriptKind {
  const extension = /\.[^./]+$/.exec(path)?.[0] ?? ''
  switch (extension) {
    case '.tsx':
      return ts.ScriptKind.TSX
    case '.jsx':
      return ts.ScriptKind.JSX
    case '.js':
    case '.mjs':
    case '.cjs':
      return ts.ScriptKind.JS
    case '.json':
      return ts.ScriptKind.JSON
    default:
      return ts.ScriptKind.TS
  }
}
