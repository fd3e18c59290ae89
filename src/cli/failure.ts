import { errorCodes, RedgreenError } from '../errors.ts'
import type { CommandIo } from './io.ts'
import { printable } from './view/paint.ts'

/** Prints an error as one line (as an object with `--json`) and returns the exit code; a stack only with DEBUG. */
export function reportError(error: unknown, io: CommandIo, json: boolean): number {
  const known = RedgreenError.isInstance(error)
  const code = known ? error.code : 'INTERNAL'
  const message = error instanceof Error ? error.message : String(error)
  if (json) io.stdout.write(`${JSON.stringify({ error: { code, message } })}\n`)
  else io.stderr.write(`redgreen: ${code}: ${printable(message)}\n`)
  if (io.environment.DEBUG && error instanceof Error) io.stderr.write(`${error.stack ?? ''}\n`)
  return known ? errorCodes[error.code].exitCode : errorCodes.INTERNAL.exitCode
}
