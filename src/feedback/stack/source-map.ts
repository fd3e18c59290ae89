import { originalPositionFor, TraceMap } from '@jridgewell/trace-mapping'
import { positionAt } from '../frame.ts'

/** A file of the task, as a person wrote it, with the map of what was emitted from it. */
export interface SourceText {
  readonly source: string
  /** Source map of the emitted JavaScript as JSON; absent when the source ran as it is. */
  readonly map?: string
}

/** 1-based. */
export interface Position {
  readonly line: number
  readonly column: number
}

const cache = new Map<string, TraceMap | null>()
const cacheSize = 32

function traceMap(json: string): TraceMap | null {
  const known = cache.get(json)
  if (known !== undefined) return known
  let map: TraceMap | null
  try {
    map = new TraceMap(json)
  } catch {
    // An unreadable map is no reason to lose the failure: positions then stay unmapped.
    map = null
  }
  if (cache.size >= cacheSize) cache.clear()
  cache.set(json, map)
  return map
}

/**
 * The place in the author's text of a place in the emitted code. Without a map the place itself; undefined where the map
 * has nothing for it (code that the compiler added).
 */
export function originalPosition(text: SourceText, position: Position): Position | undefined {
  if (text.map === undefined) return position
  const map = traceMap(text.map)
  if (map === null || position.line < 1) return undefined
  const found = originalPositionFor(map, { line: position.line, column: Math.max(0, position.column - 1) })
  return found.line === null ? undefined : { line: found.line, column: found.column + 1 }
}

/** Line and column of an offset, or the given place; the one way in which all parts count. */
export function locate(
  source: string,
  place: { readonly start: number } | { readonly line: number; readonly column?: number },
): Position {
  return 'start' in place ? positionAt(source, place.start) : { line: place.line, column: place.column ?? 1 }
}
