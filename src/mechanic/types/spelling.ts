/** Edits (insert, delete, replace, swap neighbours) between two words, at most `limit` + 1. */
export function distance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, column) => column)]
  const at = (row: number, column: number): number => rows[row]?.[column] ?? limit + 1
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row]
    rows.push(current)
    for (let column = 1; column <= b.length; column += 1) {
      const same = a[row - 1] === b[column - 1]
      let best = Math.min(at(row - 1, column) + 1, at(row, column - 1) + 1, at(row - 1, column - 1) + (same ? 0 : 1))
      if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1])
        best = Math.min(best, at(row - 2, column - 2) + 1)
      current.push(best)
    }
  }
  return at(a.length, b.length)
}

/** The known word that is meant by a misspelt one; null where none is near enough or it is known itself. */
export function nearest(word: string, known: readonly string[]): string | null {
  const plain = (text: string): string => text.toLowerCase().replace(/_/g, '')
  let best: string | null = null
  let least = Math.max(1, Math.floor(word.length * 0.34)) + 1
  for (const other of known) {
    if (other === word || other.startsWith('__')) continue
    if (plain(other) === plain(word)) return other
    const steps = distance(plain(word), plain(other), least)
    if (steps < least) {
      least = steps
      best = other
    }
  }
  return word.length < 3 && least > 0 ? null : best
}
