import type { Failure, FailureKind } from '../domain/report.ts'
import { fingerprint } from '../feedback/fingerprint.ts'
import { codeFrame } from '../feedback/frame.ts'

/** A defect that a layer found by itself, before it is a Failure. */
export interface Defect {
  readonly layer: string
  readonly kind: FailureKind
  readonly severity?: 'error' | 'warning'
  readonly message: string
  readonly code?: string
  readonly test?: string
  readonly assertion?: { readonly file: string; readonly line: number; readonly source: string }
  readonly expected?: string
  readonly actual?: string
  readonly hint?: string
  /** 1-based, in the source text given with it. */
  readonly location?: { readonly file: string; readonly line: number; readonly column: number }
  /** Text of the located file, for the frame. */
  readonly source?: string | undefined
}

const maxMessage = 1_000

/** Makes a Failure: one line of message, a frame where there is a place, a fingerprint. Pure. */
export function toFailure({ source, ...defect }: Defect): Failure {
  const flat = defect.message.replace(/\s*\n\s*/g, ' ').trim()
  const frame =
    defect.location && source !== undefined ? codeFrame(source, defect.location.line, defect.location.column) : ''
  const failure = {
    ...defect,
    severity: defect.severity ?? 'error',
    message: flat.length > maxMessage ? `${flat.slice(0, maxMessage)}…` : flat,
    ...(frame === '' ? {} : { frame }),
  } as const
  return { ...failure, fingerprint: fingerprint(failure) }
}
