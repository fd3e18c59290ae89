import { normalizeProgram } from '../program.ts'
import { isSameFamily, languageOfPath } from './languages.ts'
import type { Piece } from './piece.ts'
import type { ResolvedWanted } from './wanted.ts'

/** What of a reply's blocks makes up one program. */
export type Choice =
  | { readonly kind: 'pieces'; readonly pieces: readonly Piece[]; readonly covered: ReadonlySet<string> }
  | { readonly kind: 'ambiguous'; readonly candidates: readonly Piece[] }
  | { readonly kind: 'mismatch'; readonly found: string; readonly piece: Piece }
  | { readonly kind: 'none' }

/** Wanted names that this piece defines or exports. */
export const coverOf = (piece: Piece, exports: readonly string[]): string[] =>
  exports.filter((name) => piece.reading.defines.has(name) || piece.reading.exports.has(name))

const isDefining = (piece: Piece): boolean =>
  piece.reading.defines.size > 0 ||
  piece.reading.exports.size > 0 ||
  (piece.reading.language === 'sql' || piece.reading.language === 'bash' ? piece.reading.ok : false)

/**
 * Chooses the blocks that are the program: those that define what is wanted, the later of two that define the same, and the
 * others that they use. `isElided` says whether a block has gaps; a whole block is preferred to one with gaps.
 */
export function choosePieces(
  all: readonly Piece[],
  wanted: ResolvedWanted,
  isElided: (piece: Piece) => boolean,
): Choice {
  const usable = all.filter(
    (piece) => piece.text.trim() !== '' && !(piece.isTest && !wanted.keepTests) && isWantedLanguage(piece, wanted),
  )
  const whole = usable.filter((piece) => piece.reading.ok)
  const ranked = rank(whole, wanted, isElided)
  if (wanted.exports.length > 0) {
    const chosen = cover(ranked, wanted.exports)
    if (chosen.length > 0) return withHelpers(chosen, whole, wanted.exports)
    const broken = usable.filter((piece) => !piece.reading.ok && coverOf(piece, wanted.exports).length > 0)
    const last = broken.at(-1)
    const found = last ? wanted.otherLanguageOf(last) : null
    if (last && found !== null) return { kind: 'mismatch', found, piece: last }
    if (last) return { kind: 'pieces', pieces: [last], covered: new Set(coverOf(last, wanted.exports)) }
  }
  const allDefining = ranked.filter(isDefining)
  const solutions = allDefining.filter((piece) => !isUsage(piece, allDefining))
  const defining = solutions.length > 0 ? solutions : allDefining
  const running = whole.filter((piece) =>
    piece.reading.statements.some((statement) => statement.kind === 'other' || statement.kind === 'call'),
  )
  const last = defining.at(-1)
  if (last) return chooseUnnamed(defining, last, wanted)
  const broken = usable.filter(
    (piece) => !piece.reading.ok && (piece.reading.defines.size > 0 || isTaggedWanted(piece, wanted)),
  )
  const other = foreign(all, wanted)
  const lastBroken = broken.at(-1)
  if (lastBroken && !(other && broken.every((piece) => piece === other.piece)))
    return { kind: 'pieces', pieces: [lastBroken], covered: new Set() }
  if (other) return { kind: 'mismatch', ...other }
  const script = running.at(-1)
  if (script && wanted.exports.length === 0) return { kind: 'pieces', pieces: [script], covered: new Set() }
  const untagged = usable.filter(
    (piece) => !piece.reading.ok && piece.tag === null && piece.block.info === '' && looksLikeCode(piece.text),
  )
  const lastUntagged = untagged.at(-1)
  return lastUntagged ? { kind: 'pieces', pieces: [lastUntagged], covered: new Set() } : { kind: 'none' }
}

/** A block that shows how another one is called or run. */
function isUsage(piece: Piece, others: readonly Piece[]): boolean {
  if (piece.reading.language === 'bash') return runLines.test(piece.text)
  const { statements, exports, needs, language } = piece.reading
  if (language === 'sql' || (exports.size > 0 && language !== 'python')) return false
  const isCalled = statements.some((statement) => statement.kind === 'call')
  const isPlain = statements.every(
    (statement) =>
      !/^\s*(?:export|async|function|class|def|interface|type|enum|@)\b/.test(
        piece.text.slice(statement.start, statement.start + 40),
      ),
  )
  return (
    isCalled &&
    isPlain &&
    others.some((other) => other !== piece && [...needs].some((name) => other.reading.defines.has(name)))
  )
}

const runLines =
  /^(?:\s*(?:#[^!\n]*|(?:sudo\s+)?(?:chmod|\.\/|bash\s|sh\s|npm|npx|pnpm|yarn|pip3?|apt(?:-get)?|brew|cd\s|mkdir|git\s+clone|source\s|node\s|python3?\s)[^\n]*)?(?:\n|$))+$/

/** True for text with the marks of code, whatever the language, and not those of a shell session or of data. */
export const looksLikeCode = (text: string): boolean =>
  /[{};]\s*(?:\n|$)|=>|^\s*(?:def|class)\s.*:\s*$/m.test(text) &&
  !/^\s*[$>]\s/.test(text) &&
  !/^\s*[{[]\s*["\n]/.test(text)

const isTaggedWanted = (piece: Piece, wanted: ResolvedWanted): boolean =>
  typeof piece.tag === 'string' && piece.tag !== 'data' && isSameFamily(piece.tag, wanted.language)

/** The body decides over the tag; but a block tagged as something else must define something to be taken. */
function isWantedLanguage(piece: Piece, wanted: ResolvedWanted): boolean {
  const byPath = piece.path === null ? null : languageOfPath(piece.path)
  if (byPath !== null && !isSameFamily(byPath, wanted.language) && !piece.reading.ok) return false
  if (piece.tag === null) return true
  if (isTaggedWanted(piece, wanted)) return true
  return piece.reading.ok && isDefining(piece) && !(wanted.language === 'bash' || wanted.language === 'sql')
}

/** Order of preference, the best last: quotations of the old code and blocks with gaps come before what follows them. */
function rank(pieces: readonly Piece[], wanted: ResolvedWanted, isElided: (piece: Piece) => boolean): Piece[] {
  if (pieces.length < 2) return [...pieces]
  const previous = new Set(
    Object.values(wanted.previousFiles ?? {}).map((text) => normalizeProgram({ x: text }, wanted.language)),
  )
  const isOld = (piece: Piece) =>
    previous.size > 0 && previous.has(normalizeProgram({ x: piece.text }, wanted.language))
  const value = (piece: Piece) => (isElided(piece) ? 0 : isOld(piece) ? 1 : piece.isQuoted ? 2 : 3)
  const values = new Map(pieces.map((piece) => [piece, value(piece)]))
  return [...pieces].sort((a, b) => (values.get(a) ?? 0) - (values.get(b) ?? 0) || a.block.start - b.block.start)
}

/** For each wanted name the best piece that defines it; a piece that only repeats names is left out. */
function cover(ranked: readonly Piece[], exports: readonly string[]): Piece[] {
  const missing = new Set(exports)
  const chosen: Piece[] = []
  for (const piece of [...ranked].reverse()) {
    const names = coverOf(piece, exports).filter((name) => missing.has(name))
    if (names.length === 0) continue
    chosen.push(piece)
    for (const name of names) missing.delete(name)
  }
  return chosen
}

/** Names that a block brings along: what it defines and what it imports. */
const providesOf = (piece: Piece): ReadonlySet<string> =>
  new Set(piece.reading.statements.flatMap((statement) => [...statement.defines]))

/** Adds the blocks that define names which the chosen ones use; of several the nearest before, else the first after. */
function withHelpers(chosen: readonly Piece[], all: readonly Piece[], exports: readonly string[]): Choice {
  const pieces = new Set(chosen)
  const queue = [...chosen]
  const defined = new Set(chosen.flatMap((piece) => [...providesOf(piece)]))
  for (let piece = queue.pop(); piece; piece = queue.pop()) {
    for (const name of piece.reading.needs) {
      if (defined.has(name)) continue
      const at = piece.block.start
      const helper =
        all.findLast((other) => other.block.start < at && providesOf(other).has(name)) ??
        all.find((other) => providesOf(other).has(name))
      if (!helper || pieces.has(helper)) continue
      pieces.add(helper)
      queue.push(helper)
      for (const other of providesOf(helper)) defined.add(other)
    }
  }
  const ordered = [...pieces].sort((a, b) => a.block.start - b.block.start)
  return { kind: 'pieces', pieces: ordered, covered: new Set(ordered.flatMap((piece) => coverOf(piece, exports))) }
}

const alternative =
  /\b(?:option|alternative(?:ly)?|approach|method|version|variant|solution|way)\s*(?:#?\d+|[A-D]\b|one|two|three)|\balternatively\b|\banother (?:way|option|approach)\b|\byou could also\b|\bor\s*:?\s*$/i

/** No block defines a wanted name, or none is known: one program that they make together, or several that do not fit. */
function chooseUnnamed(defining: readonly Piece[], last: Piece, wanted: ResolvedWanted): Choice {
  if (defining.length === 1) return { kind: 'pieces', pieces: [last], covered: new Set() }
  const isRelated = (a: Piece, b: Piece) =>
    [...a.reading.defines].some((name) => b.reading.defines.has(name) || b.reading.needs.has(name)) ||
    [...b.reading.defines].some((name) => a.reading.needs.has(name))
  const apart = defining.filter((piece) => piece !== last && !isRelated(piece, last))
  const exporting = defining.filter((piece) => piece.reading.exports.size > 0)
  if (apart.length === 0 || wanted.language === 'sql' || wanted.language === 'bash')
    return withHelpers([last], defining, wanted.exports)
  if (exporting.length === 1 && exporting[0] && wanted.language !== 'python')
    return withHelpers([exporting[0]], defining, wanted.exports)
  if (wanted.exports.length > 0) return { kind: 'ambiguous', candidates: [...apart, last] }
  const offered = defining.filter((piece) => alternative.test(piece.leadLine))
  if (offered.length >= 2 || (offered.length === 1 && offered[0] === last))
    return { kind: 'ambiguous', candidates: [...apart, last] }
  return withHelpers(defining, defining, wanted.exports)
}

/** A block that is a program in another language. */
function foreign(all: readonly Piece[], wanted: ResolvedWanted): { found: string; piece: Piece } | null {
  for (const piece of [...all].reverse()) {
    const found = wanted.otherLanguageOf(piece)
    if (found !== null) return { found, piece }
  }
  return null
}
