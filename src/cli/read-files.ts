import { readFileSync, statSync } from 'node:fs'
import { RedgreenError } from '../errors.ts'

/** Larger files are not source code that anyone wants judged; the limit of the sandbox is smaller still. */
const maxFileBytes = 10_485_760

/**
 * Reads a text file that a user named.
 *
 * @throws RedgreenError FILE_UNREADABLE (missing, a folder, no permission, binary) or FILE_TOO_LARGE
 */
export function readTextFile(path: string, what: string): string {
  let stats: ReturnType<typeof statSync>
  try {
    stats = statSync(path)
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? cause.code : undefined
    const why = code === 'ENOENT' ? 'does not exist' : code === 'EACCES' ? 'may not be read' : 'cannot be read'
    throw new RedgreenError('FILE_UNREADABLE', `${what} ${path} ${why}`, { cause })
  }
  if (stats.isDirectory()) throw new RedgreenError('FILE_UNREADABLE', `${what} ${path} is a folder; name a file`)
  if (!stats.isFile()) throw new RedgreenError('FILE_UNREADABLE', `${what} ${path} is not a regular file`)
  if (stats.size > maxFileBytes) {
    throw new RedgreenError(
      'FILE_TOO_LARGE',
      `${what} ${path} has ${stats.size} bytes; at most ${maxFileBytes} are read`,
    )
  }
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (cause) {
    throw new RedgreenError('FILE_UNREADABLE', `${what} ${path} cannot be read`, { cause })
  }
  if (text.includes('\u0000'))
    throw new RedgreenError('FILE_UNREADABLE', `${what} ${path} is a binary file; source text was expected`)
  return text.startsWith('\uFEFF') ? text.slice(1) : text
}
