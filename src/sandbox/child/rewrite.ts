/** A text being rewritten piece by piece, which remembers where each kept piece came from. */
export class Rewrite {
  readonly #source: string
  readonly #edits: { start: number; end: number; text: string; order: number }[] = []

  constructor(source: string) {
    this.#source = source
  }

  /** Replaces [start, end) by `text`; edits must not overlap, those at one place keep their order. */
  replace(start: number, end: number, text: string): void {
    this.#edits.push({ start, end, text, order: this.#edits.length })
  }

  insert(at: number, text: string): void {
    this.replace(at, at, text)
  }

  /** The rewritten form of [start, end), to be put elsewhere: the edits in it are used up. */
  finish(moved: readonly { start: number; end: number }[]): Piece[] {
    const edits = [...this.#edits].sort((a, b) => a.start - b.start || a.end - b.end || a.order - b.order)
    const inRange = (start: number, end: number): Piece[] => {
      const pieces: Piece[] = []
      let at = start
      for (const edit of edits) {
        if (edit.start < start || edit.end > end || edit.start < at) continue
        if (edit.start > at) pieces.push({ text: this.#source.slice(at, edit.start), from: at })
        pieces.push({ text: edit.text, from: edit.start, isNew: true })
        at = edit.end
      }
      if (end > at) pieces.push({ text: this.#source.slice(at, end), from: at })
      return pieces
    }
    const first = moved.flatMap((range) => [
      ...inRange(range.start, range.end),
      { text: ';', from: range.end, isNew: true },
    ])
    const rest: Piece[] = []
    let at = 0
    for (const range of moved) {
      rest.push(...inRange(at, range.start))
      at = range.end
    }
    rest.push(...inRange(at, this.#source.length))
    return [...first, { text: '', from: 0, isNew: true, isSeam: true }, ...rest]
  }
}

/** A run of text of the result. */
export interface Piece {
  readonly text: string
  /** Offset in the source of its first character, or of the place where it was put in. */
  readonly from: number
  readonly isNew?: boolean
  /** Marks the end of what was moved to the front. */
  readonly isSeam?: boolean
}

/** Leads from line and column of a rewritten text to those of its source (both 1-based). */
export type Relocate = (line: number, column: number) => { line: number; column: number }

const lineStarts = (text: string): number[] => {
  const starts = [0]
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
}

/** The index of the last item not above `value`, in a rising list. */
function lastNotAbove(rising: readonly number[], value: number): number {
  let low = 0
  let high = rising.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((rising[middle] ?? 0) <= value) low = middle
    else high = middle - 1
  }
  return low
}

/** Joins pieces to text and makes the way back; the tables are built when first needed. */
export function joinPieces(source: string, pieces: readonly Piece[]): { text: string; relocate: Relocate } {
  const text = pieces.map((piece) => piece.text).join('')
  let tables: { starts: number[]; sourceStarts: number[]; offsets: number[] } | undefined
  const relocate: Relocate = (line, column) => {
    if (!tables) {
      const offsets: number[] = []
      let offset = 0
      for (const piece of pieces) {
        offsets.push(offset)
        offset += piece.text.length
      }
      tables = { starts: lineStarts(text), sourceStarts: lineStarts(source), offsets }
    }
    const offset = (tables.starts[line - 1] ?? text.length) + column - 1
    const index = lastNotAbove(tables.offsets, offset)
    const piece = pieces[index]
    if (!piece) return { line: 1, column: 1 }
    const original = Math.min(
      piece.isNew ? piece.from : piece.from + offset - (tables.offsets[index] ?? 0),
      source.length,
    )
    const originalLine = lastNotAbove(tables.sourceStarts, original)
    return { line: originalLine + 1, column: original - (tables.sourceStarts[originalLine] ?? 0) + 1 }
  }
  return { text, relocate }
}
