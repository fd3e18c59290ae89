import type { Piece } from './piece.ts'
import { removeStatements } from './tests-aside.ts'

/**
 * Joins pieces in the order of the reply. What a later piece defines again, or imports again, is taken out of the earlier
 * ones, so that the later definition stands.
 */
export function mergePieces(pieces: readonly Piece[]): string {
  const [only] = pieces
  if (only && pieces.length === 1) return only.text
  const later = new Set<string>()
  const texts: string[] = []
  for (const piece of [...pieces].reverse()) {
    const { statements } = piece.reading
    const doubled = statements.filter(
      (statement) => statement.defines.length > 0 && statement.defines.every((name) => later.has(name)),
    )
    const text = removeStatements(piece.text, doubled)
    if (text.trim() !== '') texts.unshift(text)
    for (const statement of statements) for (const name of statement.defines) later.add(name)
  }
  return texts
    .map((text, index) =>
      index === 0 ? text.trimEnd() : index === texts.length - 1 ? text.replace(/^\n+/, '') : text.trim(),
    )
    .join('\n\n')
}
