const around = 3
const maxWidth = 160
const maxSourceLines = 200_000

/** Splits at every line end that JavaScript, Python or an editor knows; the ends themselves are dropped. */
export function splitLines(source: string): string[] {
  return source.split(/\r\n|\n|\r/)
}

/** The text of one line, 1-based, without its end; empty when there is no such line. */
export function lineAt(source: string, line: number): string {
  return splitLines(source)[line - 1] ?? ''
}

/**
 * Turns an offset in UTF-16 units (0-based) into a 1-based line and column.
 * An offset beyond the end gives the end.
 */
export function positionAt(source: string, offset: number): { line: number; column: number } {
  const end = Math.max(0, Math.min(Math.trunc(offset) || 0, source.length))
  let line = 1
  let start = 0
  for (let index = source.indexOf('\n'); index !== -1 && index < end; index = source.indexOf('\n', index + 1)) {
    line += 1
    start = index + 1
  }
  return { line, column: end - start + 1 }
}

/**
 * Three lines either side of a place, numbered, the line marked with `>` and the column with `^`.
 * Long lines are cut to a window around the column. Empty when the source has no such line.
 *
 * @param line 1-based
 * @param column 1-based, in UTF-16 units; left out or below 1: only the line is marked
 */
export function codeFrame(source: string, line: number, column?: number): string {
  const lines = splitLines(source)
  if (!Number.isInteger(line) || line < 1 || line > lines.length || lines.length > maxSourceLines) return ''
  const first = Math.max(1, line - around)
  const last = Math.min(lines.length, line + around)
  const gutter = String(last).length
  const target = lines[line - 1] ?? ''
  const caret = column !== undefined && column >= 1 ? Math.min(Math.trunc(column), target.length + 1) : undefined
  const shift = caret !== undefined && caret > maxWidth - 20 ? caret - Math.floor(maxWidth / 2) : 0
  const out: string[] = []
  for (let number = first; number <= last; number += 1) {
    const marked = number === line
    const text = cut(lines[number - 1] ?? '', shift)
    out.push(`${marked ? '>' : ' '} ${String(number).padStart(gutter)} | ${text}`.trimEnd())
    if (marked && caret !== undefined) {
      // Tabs before the caret are kept, so that it stands under its character at any tab width.
      const before = cut(target, shift).slice(0, caret - 1 - shift + (shift > 0 ? 1 : 0))
      out.push(`  ${' '.repeat(gutter)} | ${before.replace(/[^\t]/g, ' ')}^`)
    }
  }
  return out.join('\n')
}

function cut(text: string, shift: number): string {
  const start = shift > 0 ? `…${text.slice(shift)}` : text
  return start.length > maxWidth ? `${start.slice(0, maxWidth)}…` : start
}
