import { toUSVString } from 'node:util'
import type { Failure, FailureKind } from '../../domain/report.ts'
import { fingerprint } from '../fingerprint.ts'
import type { StackFrame } from '../stack/parse.ts'

/** Words finer than `Failure.kind`; each belongs to one kind. */
export const finerKinds = {
  reply: 'reply',
  syntax: 'syntax',
  type: 'type',
  policy: 'policy',
  import: 'dependency',
  export: 'dependency',
  missing_command: 'dependency',
  assertion: 'logic',
  snapshot: 'logic',
  runtime: 'runtime',
  stack_overflow: 'runtime',
  unhandled: 'runtime',
  constraint: 'runtime',
  schema: 'runtime',
  exit_code: 'runtime',
  timeout: 'timeout',
  cancelled: 'timeout',
  out_of_memory: 'memory',
  output: 'output',
  crash: 'crash',
  no_test_report: 'test',
  fixture: 'test',
  infrastructure: 'environment',
} as const satisfies Record<string, FailureKind>

/** A kind in the finer words of tools' output. */
export type FinerKind = keyof typeof finerKinds

/** The kind of a failure that a finer word belongs to. */
export function kindOf(finer: FinerKind): FailureKind {
  return finerKinds[finer]
}

/** What a reader of one tool found; made into a Failure at the end. */
export interface Finding {
  finer: FinerKind
  message: string
  severity?: 'error' | 'warning'
  code?: string
  test?: string
  expected?: string
  actual?: string
  diff?: string
  /** As the tool names it; line and column 1-based, 0 where unknown. */
  place?: { file: string; line: number; column: number }
  /** Positions are in emitted code and the sources' maps apply. */
  emitted?: boolean
  /** Frames as read, before foreign ones are dropped. */
  frames?: readonly StackFrame[]
  /** What the tool suggests instead: a name. */
  suggestion?: string
  hint?: string
  /** Functions that call each other without end. */
  cycle?: readonly string[]
  /** What led to the error, nearest first. */
  causes?: readonly string[]
  /** The call whose result was compared. */
  call?: string
  table?: string
  constraint?: string
  /** Source line that the tool shows at the place. */
  sourceLine?: string
  /** Name of the error class, where there is one. */
  errorName?: string
}

/** A failure with what has no member of its own in a report. */
export interface DetailedFailure {
  readonly failure: Failure
  readonly finer: FinerKind
  /** The task's own frames, nearest first. */
  readonly frames: readonly StackFrame[]
  readonly cycle?: readonly string[]
  readonly causes?: readonly string[]
  readonly suggestion?: string
  readonly call?: string
  readonly table?: string
  readonly constraint?: string
}

const limits = { message: 1_000, value: 2_000, diff: 4_000, hint: 800, test: 400, frame: 2_500 } as const

/** Cuts in the middle, at no half of a surrogate pair, and says how much is left out. */
export function bound(text: string, limit: number): string {
  const whole = toUSVString(text)
  if (whole.length <= limit) return whole
  const head = Math.floor(limit * 0.7)
  const tail = limit - head - 30
  const cut = `${whole.slice(0, head)} … (${whole.length - head - tail} characters) … ${whole.slice(-tail)}`
  return toUSVString(cut)
}

/** A Failure from its parts: bounded texts, no empty members, fingerprint added. */
export function toFailure(parts: {
  layer: string
  finer: FinerKind
  severity?: 'error' | 'warning'
  message: string
  code?: string | undefined
  test?: string | undefined
  assertion?: Failure['assertion'] | undefined
  expected?: string | undefined
  actual?: string | undefined
  diff?: string | undefined
  location?: Failure['location'] | undefined
  frame?: string | undefined
  hint?: string | undefined
}): Failure {
  const failure: Failure = {
    layer: parts.layer,
    kind: kindOf(parts.finer),
    severity: parts.severity ?? 'error',
    message: bound(parts.message.trim() || parts.finer.replaceAll('_', ' '), limits.message),
    fingerprint: '',
  }
  if (parts.code) failure.code = parts.code
  if (parts.test) failure.test = bound(parts.test, limits.test)
  if (parts.assertion) failure.assertion = { ...parts.assertion, source: bound(parts.assertion.source, 300) }
  if (parts.expected !== undefined) failure.expected = bound(parts.expected, limits.value)
  if (parts.actual !== undefined) failure.actual = bound(parts.actual, limits.value)
  if (parts.diff) failure.diff = bound(parts.diff, limits.diff)
  if (parts.location) failure.location = parts.location
  if (parts.frame) failure.frame = bound(parts.frame, limits.frame)
  if (parts.hint) failure.hint = bound(parts.hint, limits.hint)
  failure.fingerprint = fingerprint(failure)
  return failure
}
