import type { Failure } from '../../domain/report.ts'
import { codeFrame, lineAt } from '../frame.ts'
import type { StackFrame } from '../stack/parse.ts'
import { isForeignPath, matchKnownPath, toTaskPath } from '../stack/path.ts'
import { originalPosition, type SourceText } from '../stack/source-map.ts'

/** What is known of the task when its tools' output is read. */
export interface KnownSources {
  /** The candidate's files by path relative to the task. */
  readonly files: ReadonlyMap<string, SourceText>
  readonly tests: ReadonlyMap<string, SourceText>
  /** The task's folder in the tools' own paths, where known. */
  readonly root?: string
  /** Path of the candidate's main file. */
  readonly entry?: string
}

/** A place in a file of the task, mapped to the author's text. */
export interface OwnPlace {
  readonly file: string
  readonly line: number
  readonly column: number
  /** The file's text where it is known. */
  readonly source?: string
  readonly isTest: boolean
}

const emittedExtension: Readonly<Record<string, readonly string[]>> = {
  js: ['ts', 'tsx', 'jsx', 'mts', 'cts'],
  mjs: ['mts', 'ts'],
  cjs: ['cts', 'ts'],
  jsx: ['tsx'],
}

/** The task's file that a path means; emitted `solution.js` is the author's `solution.ts`. */
function findKnown(path: string, files: ReadonlyMap<string, SourceText>): string | undefined {
  const direct = matchKnownPath(path, files.keys())
  if (direct !== undefined) return direct
  const dot = path.lastIndexOf('.')
  for (const extension of emittedExtension[path.slice(dot + 1)] ?? []) {
    const found = matchKnownPath(`${path.slice(0, dot)}.${extension}`, files.keys())
    if (found !== undefined) return found
  }
  return undefined
}

/**
 * The place in the task's own text that a tool names; undefined for places of runtimes, packages and the host.
 *
 * @param emitted positions are those of emitted code, so that maps apply
 */
export function ownPlace(
  place: { file: string; line: number; column: number },
  sources: KnownSources,
  emitted: boolean,
): OwnPlace | undefined {
  if (place.file === '' || isForeignPath(place.file)) return undefined
  for (const [files, isTest] of [
    [sources.files, false],
    [sources.tests, true],
  ] as const) {
    const file = findKnown(place.file, files)
    const text = file === undefined ? undefined : files.get(file)
    if (file === undefined || text === undefined) continue
    const position = emitted && place.line > 0 ? originalPosition(text, place) : place
    if (position === undefined) return undefined
    return { file, line: position.line, column: position.column, source: text.source, isTest }
  }
  const known = sources.files.size > 0 || sources.tests.size > 0
  const file = toTaskPath(place.file, sources.root)
  // With the task's files known, an absolute path that is none of them is the host's.
  if (known && /^(?:[\\/]|[A-Za-z]:)/.test(place.file) && !isTestPath(file)) return undefined
  return { file, line: place.line, column: place.column, isTest: isTestPath(file) }
}

/** By its name a file of tests. */
export function isTestPath(path: string): boolean {
  return /(?:^|[/\\])(?:__tests__|tests?)[/\\]|[._-](?:test|spec)s?\.[cm]?[jt]sx?$|(?:^|[/\\])(?:test|spec)\.[cm]?[jt]sx?$|(?:^|[/\\])(?:test_[^/\\]*|[^/\\]*_test|conftest)\.py$/i.test(
    path,
  )
}

/** The frames of the task itself, mapped, nearest first, repetitions dropped. */
export function ownFrames(
  frames: readonly StackFrame[],
  sources: KnownSources,
  emitted: boolean,
): { frames: StackFrame[]; places: OwnPlace[] } {
  const own: StackFrame[] = []
  const places: OwnPlace[] = []
  const seen = new Set<string>()
  for (const frame of frames) {
    if (own.length >= 12) break
    const place = ownPlace(frame, sources, emitted)
    if (!place) continue
    const key = `${frame.name} ${place.file}:${place.line}:${place.column}`
    if (seen.has(key)) continue
    seen.add(key)
    own.push({ name: frame.name, file: place.file, line: place.line, column: place.column })
    places.push(place)
  }
  return { frames: own, places }
}

/** Location, frame and assertion line of a failure, from the places that are its own. */
export function placeParts(
  candidate: OwnPlace | undefined,
  test: OwnPlace | undefined,
): Pick<Failure, 'location' | 'frame' | 'assertion'> {
  const parts: Pick<Failure, 'location' | 'frame' | 'assertion'> = {}
  if (candidate && candidate.line > 0) {
    parts.location = { file: candidate.file, line: candidate.line, column: Math.max(1, candidate.column) }
    const frame = candidate.source === undefined ? '' : codeFrame(candidate.source, candidate.line, candidate.column)
    if (frame) parts.frame = frame
  }
  if (test && test.line > 0) {
    const source = test.source === undefined ? '' : lineAt(test.source, test.line).trim()
    parts.assertion = { file: test.file, line: test.line, source }
  }
  return parts
}
