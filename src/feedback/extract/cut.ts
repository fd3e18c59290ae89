import type { Finish } from '../../model/types.ts'
import { findBareCode } from './bare.ts'
import { readAs } from './languages.ts'
import type { Piece } from './piece.ts'
import type { ResolvedWanted } from './wanted.ts'

/** An unclosed block that does not parse may hold prose after its code: then the code alone is taken. */
export function repaired(piece: Piece, wanted: ResolvedWanted, finish: Finish): Piece {
  if (
    piece.reading.ok ||
    piece.block.closed ||
    piece.block.via !== 'fence' ||
    finish === 'length' ||
    piece.text.length > 200_000
  )
    return piece
  const found = findBareCode(piece.text, wanted.language).filter((block) => block.closed)
  const [first] = found
  if (!first || found.length > 3) return piece
  const body = found.map((block) => block.body).join('\n\n')
  const reading = readAs(body, wanted.language)
  const loses = [...piece.reading.defines].some((name) => !reading.defines.has(name))
  if (!reading.ok || loses) return piece
  return {
    ...piece,
    text: body,
    reading,
    block: { ...piece.block, closed: true },
    flags: [...piece.flags, 'unclosed_fence'],
  }
}

/** True when the end of this block is where the reply was cut, not where the code ends. */
export function isCut(piece: Piece, finish: Finish, textEnd: number): boolean {
  if (piece.block.via === 'bare' && piece.block.closed) return finish === 'length' && piece.block.end >= textEnd
  if (piece.block.closed) return false
  if (finish === 'length') return true
  return !piece.reading.ok && (piece.reading.error?.atEnd === true || finish === 'unknown')
}
