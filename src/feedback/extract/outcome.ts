import type { FileMap } from '../../domain/task.ts'
import type { Finish } from '../../model/types.ts'
import { normalizeCandidatePath } from '../paths.ts'
import { choosePieces, coverOf, looksLikeCode } from './choose.ts'
import { completeHead } from './complete-head.ts'
import { isCut, repaired } from './cut.ts'
import { findElision } from './elision.ts'
import { settleFiles } from './files.ts'
import { isSameFamily, languageOfPath, readAs } from './languages.ts'
import { mergePieces } from './merge.ts'
import { adaptModule } from './module-form.ts'
import { next } from './next.ts'
import { type Piece, toPiece } from './piece.ts'
import { splitByMarkers } from './split.ts'
import { isTestPath } from './test-words.ts'
import { setTestsAside } from './tests-aside.ts'
import type { Carried } from './tool-calls.ts'
import type { Block, Extraction, Flag, SetAside } from './types.ts'
import type { ResolvedWanted } from './wanted.ts'

/** Of more blocks the first and the last are read: no program has so many parts, and each may use any other. */
const maxBlocks = 200

/** Reads blocks as one program or several files; null when none of them is any use. */
export function readBlocks(
  blocks: readonly Block[],
  text: string,
  wanted: ResolvedWanted,
  finish: Finish,
): Extraction | null {
  const few = blocks.length > maxBlocks ? [...blocks.slice(0, maxBlocks / 2), ...blocks.slice(-maxBlocks / 2)] : blocks
  const split = wanted.multiFile ? few.flatMap((block) => splitByMarkers(block)) : [...few]
  const pieces = split.map((block, index) =>
    repaired(toPiece(block, text, split[index - 1]?.end ?? 0, wanted.language), wanted, finish),
  )
  const named = pieces.filter(
    (piece) => piece.path !== null && piece.text.trim() !== '' && isProgramFile(piece.path, wanted),
  )
  const paths = new Set(named.filter((piece) => !piece.isTest).map((piece) => piece.path))
  if (wanted.multiFile && paths.size > 1 && !areVersions(named, wanted)) return readFiles(pieces, named, wanted, finish)
  return readProgram(pieces, wanted, finish)
}

const isProgramFile = (path: string, wanted: ResolvedWanted): boolean => {
  const language = languageOfPath(path)
  return language !== null && isSameFamily(language, wanted.language)
}

/** Named blocks that all define the one wanted name are versions of one file. */
function areVersions(named: readonly Piece[], wanted: ResolvedWanted): boolean {
  const own = named.filter((piece) => !piece.isTest)
  return (
    wanted.exports.length > 0 &&
    own.length > 1 &&
    own.every((piece) => coverOf(piece, wanted.exports).length === wanted.exports.length)
  )
}

const elisionOf = (piece: Piece, wanted: ResolvedWanted) => findElision(piece.text, piece.reading, wanted.language)

function readProgram(pieces: readonly Piece[], wanted: ResolvedWanted, finish: Finish): Extraction | null {
  const textEnd = Math.max(0, ...pieces.map((piece) => piece.block.end))
  const choice = choosePieces(pieces, wanted, (piece) => elisionOf(piece, wanted) !== null)
  if (choice.kind === 'none') {
    const cut = pieces.find(
      (piece) =>
        isCut(piece, finish, textEnd) &&
        !piece.reading.ok &&
        piece.tag !== 'data' &&
        (piece.tag !== null || piece.reading.defines.size > 0 || looksLikeCode(piece.text)),
    )
    return cut ? { outcome: 'truncated', where: 'code', partial: cut.text, next: next.truncated } : null
  }
  if (choice.kind === 'mismatch') {
    if (isCut(choice.piece, finish, textEnd))
      return { outcome: 'truncated', where: 'code', partial: choice.piece.text, next: next.truncated }
    return {
      outcome: 'language_mismatch',
      wanted: wanted.language,
      found: choice.found,
      partial: choice.piece.text,
      next: next.mismatch(wanted.language, choice.found),
    }
  }
  if (choice.kind === 'ambiguous') {
    const names = choice.candidates.map((piece) => [...piece.reading.defines].slice(0, 5).join(', '))
    return {
      outcome: 'ambiguous',
      candidates: choice.candidates.map((piece) => piece.text),
      next: next.ambiguous(names, wanted.exports),
    }
  }
  const cut = choice.pieces.find((piece) => isCut(piece, finish, textEnd))
  const head = cut && !cut.reading.ok ? completeHead(cut.text, wanted.language, wanted.exports) : null
  if (cut && head === null) return { outcome: 'truncated', where: 'code', partial: cut.text, next: next.truncated }
  const chosen = choice.pieces.map((piece) => (piece === cut && head !== null ? { ...piece, text: head } : piece))
  if (finish === 'length' && wanted.exports.some((name) => !choice.covered.has(name)))
    return {
      outcome: 'truncated',
      where: 'code',
      partial: chosen.map((piece) => piece.text).join('\n\n'),
      next: next.truncated,
    }
  const program = mergePieces(chosen)
  const named = choice.pieces.findLast((piece) => piece.path !== null)?.path ?? null
  const flags: Flag[] = choice.pieces.flatMap((piece) => [
    ...piece.flags,
    ...(piece.block.closed ? [] : (['unclosed_fence'] as const)),
  ])
  if (choice.pieces.length > 1) flags.push('joined_blocks')
  if (finish === 'length' || head !== null) flags.push('reply_cut_after_code')
  const others = pieces
    .filter((piece) => piece.isTest && !wanted.keepTests)
    .map(
      (piece): SetAside => ({
        why: 'tests',
        ...(piece.path === null ? {} : { path: piece.path }),
        detail: 'tests in a block of their own',
        text: piece.text,
      }),
    )
  return toProgram(program, named, flags, others, wanted)
}

/** One program for the entry: elisions looked for, tests set aside, the module's form adapted. */
export function toProgram(
  program: string,
  named: string | null,
  flags: readonly Flag[],
  setAside: readonly SetAside[],
  wanted: ResolvedWanted,
): Extraction {
  const path = entryPath(named, wanted)
  const settled = settleText(program, path, wanted)
  if (settled.kind === 'elided') return settled.extraction
  const all: Flag[] = [...flags, ...settled.flags]
  if (named !== null && wanted.entry !== null && named !== wanted.entry) all.push('entry_renamed')
  return {
    outcome: 'files',
    files: { [path]: settled.text },
    entry: path,
    language: wanted.language,
    ...(named === null ? {} : { named }),
    covered: settled.covered,
    flags: [...new Set(all)],
    setAside: [...setAside, ...settled.setAside],
    next: next.files,
  }
}

function entryPath(named: string | null, wanted: ResolvedWanted): string {
  if (wanted.entry !== null || named === null) return wanted.defaultEntry
  const normal = normalizeCandidatePath(named, { reserved: wanted.testPaths })
  const language = normal.ok ? languageOfPath(normal.path) : null
  return normal.ok && language !== null && isSameFamily(language, wanted.language) ? normal.path : wanted.defaultEntry
}

type Settled =
  | {
      readonly kind: 'text'
      readonly text: string
      readonly flags: readonly Flag[]
      readonly setAside: readonly SetAside[]
      readonly covered: boolean
    }
  | { readonly kind: 'elided'; readonly extraction: Extraction }

/** What is done to the text of every file that a reply gives. */
export function settleText(text: string, path: string, wanted: ResolvedWanted, isEntry = true): Settled {
  const reading = readAs(text, wanted.language)
  const elision = findElision(text, reading, wanted.language)
  if (elision) {
    const { placeholder, line, column } = elision
    return {
      kind: 'elided',
      extraction: {
        outcome: 'elided',
        placeholder,
        location: { file: path, line, column },
        partial: text,
        next: next.elided(placeholder, path, line),
      },
    }
  }
  const setAside: SetAside[] = []
  const flags: Flag[] = []
  let code = text
  const parted = wanted.keepTests ? { code: text, tests: null } : setTestsAside(text, reading, wanted.language)
  if (parted.tests !== null && parted.code.trim() !== '') {
    code = parted.code
    setAside.push({ why: 'tests', path, detail: 'tests beside the solution', text: parted.tests })
    flags.push('tests_set_aside')
  }
  if (isEntry) {
    const adapted = adaptModule(code, wanted)
    code = adapted.text
    flags.push(...adapted.flags)
  }
  const covered = wanted.exports.every((name) => reading.defines.has(name) || reading.exports.has(name))
  if (!reading.ok) flags.push('does_not_parse')
  return { kind: 'text', text: code, flags, setAside, covered }
}

/** Several named files. */
function readFiles(
  pieces: readonly Piece[],
  named: readonly Piece[],
  wanted: ResolvedWanted,
  finish: Finish,
): Extraction | null {
  const textEnd = Math.max(0, ...pieces.map((piece) => piece.block.end))
  const cut = pieces.find((piece) => isCut(piece, finish, textEnd))
  if (cut) return { outcome: 'truncated', where: 'code', partial: cut.text, next: next.truncated }
  const byPath = new Map<string, Piece[]>()
  const setAside: SetAside[] = []
  const flags: Flag[] = []
  for (const piece of named) {
    const path = piece.path ?? ''
    if (piece.isTest && !wanted.keepTests) {
      setAside.push({ why: 'tests', path, detail: 'a test file of the reply', text: piece.text })
      continue
    }
    const before = byPath.get(path) ?? []
    // A second block for a path replaces the first, unless the two go together.
    const isPart =
      before.length > 0 &&
      before.every(
        (other) =>
          other.reading.ok &&
          piece.reading.ok &&
          ![...other.reading.defines].some((name) => piece.reading.defines.has(name)),
      )
    byPath.set(path, isPart ? [...before, piece] : [piece])
    flags.push(...piece.flags)
  }
  const texts = new Map([...byPath].map(([path, parts]) => [path, mergePieces(parts)]))
  // A block without a name that defines what no named one does is the entry.
  const lone = pieces.filter(
    (piece) => piece.path === null && !piece.isTest && piece.reading.ok && coverOf(piece, wanted.exports).length > 0,
  )
  const isCovered = [...byPath.values()].flat().some((piece) => coverOf(piece, wanted.exports).length > 0)
  if (!isCovered && lone.length > 0 && !texts.has(wanted.defaultEntry))
    texts.set(wanted.defaultEntry, mergePieces(lone))
  return settleFiles(texts, flags, setAside, wanted, finish)
}

/** Code that a tool call or JSON carries. */
export function filesOfCarried(
  carried: Carried,
  wanted: ResolvedWanted,
  finish: Finish,
  flags: readonly Flag[],
): Extraction | null {
  if (carried.kind === 'files') {
    const entries = Object.entries(carried.files).filter(
      ([path]) => isProgramFile(path, wanted) || wanted.allowedPaths?.includes(path),
    )
    const setAside = entries
      .filter(([path]) => isTestPath(path) && !wanted.keepTests)
      .map(([path, text]): SetAside => ({ why: 'tests', path, detail: 'a test file of the reply', text }))
    const own = entries.filter(([path]) => !isTestPath(path) || wanted.keepTests)
    const [only] = own
    if (!only) return null
    if (own.length === 1) return toProgram(only[1], only[0], flags, setAside, wanted)
    return settleFiles(new Map(own), flags, setAside, wanted, finish)
  }
  const fenced = /^\s*(`{3,}|~{3,})/.test(carried.code)
  const blocks: Block[] = fenced
    ? []
    : [
        {
          body: carried.code,
          info: '',
          start: 0,
          end: carried.code.length,
          closed: true,
          via: 'tool',
          flags,
          ...(carried.path === null ? {} : { path: carried.path }),
        },
      ]
  const read = fenced ? null : readBlocks(blocks, carried.code, wanted, finish)
  if (read?.outcome === 'files' || read?.outcome === 'elided' || read?.outcome === 'language_mismatch') return read
  const inner = carried.code
    .trim()
    .replace(/^(`{3,}|~{3,})[^\n]*\n/, '')
    .replace(/\n(`{3,}|~{3,})\s*$/, '')
  const again = fenced
    ? readBlocks(
        [{ body: inner, info: '', start: 0, end: inner.length, closed: true, via: 'tool', flags }],
        inner,
        wanted,
        finish,
      )
    : null
  return again
}

/** The files of a candidate after a patch. */
export function filesOfPatched(
  files: FileMap,
  changed: readonly string[],
  wanted: ResolvedWanted,
  flags: readonly Flag[],
): Extraction {
  const kept: Record<string, string> = {}
  const setAside: SetAside[] = []
  for (const [path, text] of Object.entries(files)) {
    if (!changed.includes(path)) {
      kept[path] = text
      continue
    }
    const normal = normalizeCandidatePath(path, pathRules(wanted))
    if (normal.ok && !(isTestPath(normal.path) && !wanted.keepTests)) kept[normal.path] = text
    else {
      setAside.push({
        why: normal.ok ? 'tests' : 'path_refused',
        path,
        detail: normal.ok ? 'a patch to a test' : normal.why,
        text,
      })
      const before = wanted.previousFiles?.[path]
      if (before !== undefined) kept[path] = before
    }
  }
  const all: Flag[] = [...flags]
  for (const path of changed) {
    const text = kept[path]
    if (text === undefined) continue
    const settled = settleText(text, path, { ...wanted, keepTests: true }, false)
    if (settled.kind === 'elided') return settled.extraction
    all.push(...settled.flags)
  }
  const entry =
    kept[wanted.defaultEntry] !== undefined ? wanted.defaultEntry : (Object.keys(kept)[0] ?? wanted.defaultEntry)
  if (
    Object.keys(kept).length === 0 ||
    (setAside.length > 0 && changed.every((path) => setAside.some((aside) => aside.path === path)))
  )
    return {
      outcome: 'patch_not_applied',
      problem: setAside[0]?.detail ?? 'nothing is left of it',
      partial: setAside[0]?.text ?? '',
      next: next.patch(setAside[0]?.detail ?? 'nothing is left of it'),
    }
  return {
    outcome: 'files',
    files: kept,
    entry,
    language: wanted.language,
    covered: coversAll(Object.values(kept), wanted),
    flags: [...new Set(all)],
    setAside,
    next: next.files,
  }
}

export const pathRules = (wanted: ResolvedWanted) => ({
  reserved: wanted.testPaths,
  ...(wanted.allowedPaths === null ? {} : { allowed: wanted.allowedPaths }),
})

const coversAll = (texts: readonly string[], wanted: ResolvedWanted): boolean => {
  const readings = texts.map((text) => readAs(text, wanted.language))
  return wanted.exports.every((name) =>
    readings.some((reading) => reading.defines.has(name) || reading.exports.has(name)),
  )
}
