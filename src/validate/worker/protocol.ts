import type { Failure } from '../../domain/report.ts'
import type { FileMap } from '../../domain/task.ts'
import type { ErrorCode } from '../../errors.ts'
import type { CheckRequest, PreparedSources } from '../types.ts'

/** What a worker thread is asked; one question at a time. */
export type ToWorker =
  | { readonly kind: 'warm' }
  | { readonly kind: 'judge'; readonly request: JudgeRequest }
  | { readonly kind: 'inspect'; readonly request: InspectRequest }

/** A question with the number that its answers carry. */
export interface Asked {
  readonly id: number
  readonly question: ToWorker
}

export interface Answered {
  readonly id: number
  readonly message: FromWorker
}

export interface JudgeRequest extends CheckRequest {
  readonly hiddenTests: FileMap
  readonly setAside: readonly string[]
  /** Make sources for the sandbox. */
  readonly prepare: boolean
  /** Check types. */
  readonly types: boolean
  /** A red layer ends the work. */
  readonly failFast: boolean
}

/** Everything but the types: quick, and enough to start the tests. */
export interface EarlyVerdict {
  readonly syntax: readonly Failure[]
  readonly imports: readonly Failure[]
  readonly policy: readonly Failure[]
  readonly durationsMs: {
    readonly syntax: number
    readonly imports: number
    readonly policy: number
    readonly prepare: number
  }
  /** Absent where a red layer makes a run pointless, or none was asked for. */
  readonly prepared?: PreparedSources
}

export interface LateVerdict {
  readonly types: readonly Failure[]
  readonly durationMs: number
}

export interface InspectRequest {
  readonly files: FileMap
  readonly context: FileMap
  readonly tests: FileMap
  readonly hiddenTests: FileMap
  readonly packages: readonly string[]
  readonly packageRoot: string
  readonly compilerOptions: Readonly<Record<string, unknown>>
}

/** What is wrong with a task before anything is spent. */
export interface Objection {
  readonly code: ErrorCode
  readonly message: string
  readonly detail: Readonly<Record<string, string>>
}

/** What a worker thread says; `done`, `objection` and `failed` end a question. */
export type FromWorker =
  | { readonly kind: 'early'; readonly verdict: EarlyVerdict }
  /** The compiler begins with a file: what is blamed when it never comes back. */
  | { readonly kind: 'checking'; readonly file: string }
  | { readonly kind: 'done'; readonly verdict: LateVerdict | null; readonly isWorn: boolean }
  | { readonly kind: 'inspected'; readonly objection: Objection | null }
  | { readonly kind: 'warmed' }
  | { readonly kind: 'failed'; readonly message: string }
