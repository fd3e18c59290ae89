import type { FileMap, Language } from '../../domain/task.ts'
import { defaultEntries, isSameFamily, languageOfPath, readAs } from './languages.ts'
import type { Piece } from './piece.ts'
import type { Shape, Wanted } from './types.ts'

/** A Wanted with its defaults filled in. */
export interface ResolvedWanted {
  readonly language: Language
  /** Null: the reply may name it. */
  readonly entry: string | null
  readonly defaultEntry: string
  readonly exports: readonly string[]
  readonly previousFiles: FileMap | null
  readonly testPaths: readonly string[]
  readonly multiFile: boolean
  readonly shape: Shape | null
  readonly module: 'esm' | 'cjs' | null
  readonly allowedPaths: readonly string[] | null
  readonly prefix: string | null
  readonly keepTests: boolean
  /** The language of a block that is a program in another one, null when it is none. */
  otherLanguageOf(piece: Piece): string | null
}

/** Fills in defaults. */
export function resolveWanted(wanted: Wanted): ResolvedWanted {
  const language = wanted.language ?? (wanted.entry === undefined ? null : languageOfPath(wanted.entry)) ?? 'typescript'
  return {
    language,
    entry: wanted.entry ?? null,
    defaultEntry: wanted.entry ?? defaultEntries[language],
    exports: [...new Set(wanted.exports ?? namesOfPrefix(wanted.prefix, language))].filter(
      (name) => name !== 'default' && name !== '*',
    ),
    previousFiles: wanted.previousFiles ?? null,
    testPaths: wanted.testPaths ?? [],
    multiFile: wanted.multiFile ?? true,
    shape: wanted.shape ?? null,
    module: wanted.module ?? null,
    allowedPaths: wanted.allowedPaths ?? null,
    prefix: wanted.prefix ?? null,
    keepTests: wanted.keepTests ?? false,
    otherLanguageOf: (piece) => otherLanguage(piece, language),
  }
}

/** Code that a reply goes on with names what is wanted. */
const namesOfPrefix = (prefix: string | undefined, language: Language): Iterable<string> =>
  prefix === undefined ? [] : readAs(prefix, language).defines

/** Longer texts are not tried in other languages: each try is a parse. */
const maxGuessedChars = 100_000

const foreignMarks: readonly (readonly [string, RegExp])[] = [
  ['java', /\bpublic\s+(?:static\s+)?(?:class|final|void|int|String|boolean)\b|\bSystem\.out\./],
  ['c#', /\busing\s+System\b|\bnamespace\s+\w+(?:\.\w+)*\s*[;{][\s\S]*\bclass\b|\bConsole\.Write/],
  ['go', /^\s*package\s+\w+|\bfunc\s+(?:\(\w+\s+\*?\w+\)\s*)?\w+\(/m],
  ['rust', /\bfn\s+\w+\s*(?:<[^>]*>)?\(|\blet\s+mut\s|\bimpl\b.*\{|\bprintln!/],
  ['c++', /^\s*#include\s*<|\bstd::|\busing\s+namespace\s+std\b/m],
  ['php', /<\?php/],
  ['ruby', /^\s*def\s+\w+[?!]?(?:\(.*\))?\s*$[\s\S]*^\s*end\s*$/m],
  ['kotlin', /\bfun\s+\w+\s*\(/],
  ['swift', /\bfunc\s+\w+\(.*\)\s*->/],
]

function otherLanguage(piece: Piece, wanted: Language): string | null {
  if (piece.reading.ok || piece.text.trim() === '') {
    // A block that parses as wanted is in the wanted language unless its tag says otherwise and it defines nothing.
    return null
  }
  if (piece.tag === 'data') return null
  if (typeof piece.tag === 'object' && piece.tag !== null) return piece.tag.other
  const text = piece.text
  if (text.length > maxGuessedChars)
    return foreignMarks.find(([, pattern]) => pattern.test(text.slice(0, 20_000)))?.[0] ?? null
  for (const language of ['python', 'typescript', 'sql'] as const) {
    if (isSameFamily(language, wanted)) continue
    const reading = readAs(text, language)
    if (
      reading.ok &&
      (reading.defines.size > 0 || (language === 'sql' && reading.statements.length > 0) || piece.tag === language)
    )
      return language
  }
  if (wanted === 'javascript') {
    const reading = readAs(text, 'typescript')
    if (reading.ok && reading.defines.size > 0) return 'typescript'
  }
  const mark = foreignMarks.find(([, pattern]) => pattern.test(text.slice(0, 20_000)))
  if (mark) return mark[0]
  if (
    typeof piece.tag === 'string' &&
    !isSameFamily(piece.tag, wanted) &&
    piece.tag !== 'bash' &&
    piece.reading.defines.size === 0
  )
    return piece.tag
  if (wanted !== 'bash' && isScript(text) && readAs(text, 'bash').ok) return 'bash'
  return null
}

/** A shell program, not commands to install or run something. */
const isScript = (text: string): boolean =>
  /^#!.*sh\b/.test(text) || /^\s*(?:function\s+\w+|\w+\s*\(\)\s*\{|for\s+\w+\s+in\b|while\s|if\s+\[|case\s)/m.test(text)
