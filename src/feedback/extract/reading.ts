import type { Language } from '../../domain/task.ts'

/** A top-level statement. */
export interface Statement {
  readonly start: number
  readonly end: number
  /** `word`: a bare name or label, as prose leaves them. `call`: an expression run for its effect. */
  readonly kind: 'definition' | 'import' | 'export' | 'test' | 'assertion' | 'call' | 'word' | 'other'
  readonly defines: readonly string[]
  /** For imports: the module's name. */
  readonly module?: string
}

export interface Comment {
  readonly start: number
  readonly end: number
  /** Without its marks, trimmed. */
  readonly text: string
  /** Nothing but comments stands in the block around it. */
  readonly alone: boolean
}

/** What a language's parser makes of a text. */
export interface Reading {
  readonly language: Language
  readonly ok: boolean
  readonly error: { readonly offset: number; readonly message: string; readonly atEnd: boolean } | null
  readonly statements: readonly Statement[]
  /** Top-level names. */
  readonly defines: ReadonlySet<string>
  /** Names seen from outside; `default` for a default export. */
  readonly exports: ReadonlySet<string>
  /** Names used and defined nowhere in the text. */
  readonly needs: ReadonlySet<string>
  readonly comments: readonly Comment[]
}

/** Texts longer than this are judged by their lexical structure alone: a syntax tree of megabytes costs gigabytes. */
export const maxParsedChars = 600_000

export const emptyReading = (language: Language, error: Reading['error']): Reading => ({
  language,
  ok: error === null,
  error,
  statements: [],
  defines: new Set(),
  exports: new Set(),
  needs: new Set(),
  comments: [],
})
