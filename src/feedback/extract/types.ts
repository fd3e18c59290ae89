import type { FileMap, Language } from '../../domain/task.ts'
import type { Finish } from '../../model/types.ts'

/** A provider's message as it came: text or content parts, and what came beside it. A ModelReply is one. */
export interface Reply {
  readonly content: string | readonly unknown[] | null | undefined
  readonly reasoning?: string | null
  readonly refusal?: string | null
  readonly toolCalls?: readonly { readonly name: string; readonly arguments: string }[]
  readonly finish: Finish
}

/** The JSON that is wanted: members by type word (`'string'`, `'string?'` when optional), a JSON Schema, or a zod schema. */
export type Shape =
  | Readonly<Record<string, unknown>>
  | { safeParse(value: unknown): { success: boolean; data?: unknown; error?: unknown } }

/** What the reply was asked for. Everything is optional; the more is known, the surer the choice. */
export interface Wanted {
  /** Default typescript. */
  readonly language?: Language
  /** Path that the tests import; default `solution.ts` by language, or the name the reply gives. */
  readonly entry?: string
  /** Names that the tests import from the entry; see `exportsWantedByTests`. */
  readonly exports?: readonly string[]
  /** The candidate that diffs and search/replace blocks build on. */
  readonly previousFiles?: FileMap
  /** Paths of the tests: never taken from a reply. */
  readonly testPaths?: readonly string[]
  /** False: all code goes into the entry. Default: several files are taken when the reply names them. */
  readonly multiFile?: boolean
  /** JSON was asked for. */
  readonly shape?: Shape
  /** With `esm`, `module.exports` and missing `export` words are adapted to what the tests import. */
  readonly module?: 'esm' | 'cjs'
  /** When given, no other path is taken. */
  readonly allowedPaths?: readonly string[]
  /** Code that the reply may go on with, when its own text is no program (completion models). */
  readonly prefix?: string
  /** Tests in the reply are the answer and stay in. */
  readonly keepTests?: boolean
}

/** Something about the way to the code that a reader of the record may want to know. */
export type Flag =
  | 'salvaged_from_unclosed_think'
  | 'salvaged_from_reasoning'
  | 'unclosed_fence'
  | 'half_closed_fence'
  | 'unfenced'
  | 'joined_blocks'
  | 'from_tool_call'
  | 'from_json'
  | 'patched'
  | 'patched_with_fuzz'
  | 'tests_set_aside'
  | 'continued_prefix'
  | 'mended_escapes'
  | 'mended_entities'
  | 'mended_punctuation'
  | 'mended_invisible'
  | 'stripped_line_numbers'
  | 'stripped_prompts'
  | 'stripped_heading'
  | 'commonjs_adapted'
  | 'export_added'
  | 'entry_renamed'
  | 'entry_reexported'
  | 'reply_cut_after_code'
  | 'json_mended'
  | 'does_not_parse'

/** Code of the reply that does not go into the candidate: tests the model added, refused paths. */
export interface SetAside {
  readonly why: 'tests' | 'path_refused'
  readonly path?: string
  readonly detail: string
  readonly text: string
}

/** What a reply holds. `next` is a sentence for the next prompt, or what the engine does next. */
export type Extraction =
  | {
      readonly outcome: 'files'
      readonly files: FileMap
      /** Key of `files` that the tests import. */
      readonly entry: string
      readonly language: Language
      /** The name that the reply itself gave to the entry. */
      readonly named?: string
      /** All wanted names are defined in the files. */
      readonly covered: boolean
      readonly flags: readonly Flag[]
      readonly setAside: readonly SetAside[]
      readonly next: string
    }
  | {
      readonly outcome: 'json'
      readonly value: unknown
      readonly flags: readonly Flag[]
      readonly next: string
    }
  | {
      readonly outcome: 'truncated'
      readonly where: 'reasoning' | 'code' | 'json' | 'prose'
      /** What there is of it, to continue from. */
      readonly partial: string
      readonly next: string
    }
  | {
      readonly outcome: 'elided'
      /** The placeholder as it stands in the code. */
      readonly placeholder: string
      /** 1-based, in the code. */
      readonly location: { readonly file: string; readonly line: number; readonly column: number }
      readonly partial: string
      readonly next: string
    }
  | { readonly outcome: 'refused'; readonly message: string; readonly next: string }
  | { readonly outcome: 'filtered'; readonly partial: string; readonly next: string }
  | {
      readonly outcome: 'language_mismatch'
      readonly wanted: Language
      readonly found: string
      readonly partial: string
      readonly next: string
    }
  | { readonly outcome: 'no_code'; readonly partial: string; readonly next: string }
  | { readonly outcome: 'empty'; readonly next: string }
  | {
      readonly outcome: 'bad_json'
      readonly problem: string
      /** 1-based, in the JSON text; the first trouble. */
      readonly location: { readonly line: number; readonly column: number }
      readonly partial: string
      readonly next: string
    }
  | { readonly outcome: 'patch_not_applied'; readonly problem: string; readonly partial: string; readonly next: string }
  | { readonly outcome: 'ambiguous'; readonly candidates: readonly string[]; readonly next: string }

/** A stretch of the reply that may be code. Offsets are in the answer's text. */
export interface Block {
  readonly body: string
  /** Info string of the fence, or what stands for it. */
  readonly info: string
  readonly start: number
  readonly end: number
  readonly closed: boolean
  readonly via: 'fence' | 'tag' | 'bare' | 'tool' | 'json'
  /** Path that an enclosing tag names. */
  readonly path?: string
  readonly flags?: readonly Flag[]
}
