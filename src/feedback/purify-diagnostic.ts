import type { Failure } from '../domain/report.ts'
import { codeFrame } from './frame.ts'
import { compilerFinding } from './purify/compiler-codes.ts'
import { toFailure } from './purify/finding.ts'
import { locate } from './stack/source-map.ts'

/** A diagnostic as the compiler's programming interface gives it. */
export interface DiagnosticInput {
  /** 2322 or 'TS2322'; a rule's name for `policy`. */
  readonly code: number | string
  /** Flattened: elaborations on indented lines, as `ts.flattenDiagnosticMessageText` makes them. */
  readonly message: string
  /** Relative to the task. */
  readonly file?: string
  /** The file's text; needed for `start` and for the frame. */
  readonly source?: string
  /** Offset in UTF-16 units. */
  readonly start?: number
  /** 1-based; taken when there is no `start`. */
  readonly line?: number
  readonly column?: number
  readonly severity?: 'error' | 'warning'
  /** Default: by the code. */
  readonly layer?: string
  /** Default: by the code and the layer. */
  readonly kind?: 'syntax' | 'dependency' | 'type' | 'policy' | 'test' | 'environment'
  readonly hint?: string
}

const layerOfKind: Readonly<Record<string, string>> = { syntax: 'syntax', dependency: 'imports', policy: 'policy' }
const finerOfKind = {
  syntax: 'syntax',
  dependency: 'import',
  type: 'type',
  policy: 'policy',
  test: 'no_test_report',
  environment: 'infrastructure',
} as const

/** One diagnostic of the compiler as a failure: first sentence and elaborations on one line, suggestion as hint, frame. */
export function failureFromDiagnostic(diagnostic: DiagnosticInput): Failure {
  const code = typeof diagnostic.code === 'number' ? `TS${diagnostic.code}` : diagnostic.code
  const finding = compilerFinding(code, diagnostic.message)
  if (diagnostic.kind !== undefined) finding.finer = finerOfKind[diagnostic.kind]
  else if (diagnostic.layer === 'syntax') finding.finer = 'syntax'
  else if (diagnostic.layer === 'policy') finding.finer = 'policy'
  else if (diagnostic.layer === 'imports' && finding.finer === 'type') finding.finer = 'import'
  const { source } = diagnostic
  const position =
    diagnostic.start !== undefined && source !== undefined
      ? locate(source, { start: diagnostic.start })
      : diagnostic.line !== undefined
        ? { line: diagnostic.line, column: diagnostic.column ?? 1 }
        : undefined
  const located = diagnostic.file !== undefined && position !== undefined
  const failure = toFailure({
    ...finding,
    layer: diagnostic.layer ?? layerOfKind[diagnostic.kind ?? kindWord(finding.finer)] ?? 'types',
    severity: diagnostic.severity ?? 'error',
    hint: diagnostic.hint ?? finding.hint,
    location: located && diagnostic.file !== undefined ? { file: diagnostic.file, ...position } : undefined,
    frame: located && source !== undefined ? codeFrame(source, position.line, position.column) : undefined,
  })
  return failure
}

function kindWord(finer: string): string {
  if (finer === 'import' || finer === 'export') return 'dependency'
  return finer
}
