import type { FileMap } from '../../domain/task.ts'
import type { PackageModule, SourceModule } from '../../sandbox/types.ts'
import type { ValidationRequest } from '../../validate/types.ts'
import type { Suspicion } from './suspicions/suspicion.ts'

/** The candidate with one small change; it compiles. */
export interface Mutant {
  readonly file: string
  /** 1-based. */
  readonly line: number
  /** `a < b -> a <= b` */
  readonly change: string
  /** The whole changed file. */
  readonly text: string
  /** The changed file as the sandbox takes it. */
  readonly module: SourceModule
}

/** The candidate and its tests as the sandbox takes them. */
export interface PreparedProgram {
  readonly entry: string
  readonly modules: readonly SourceModule[]
  readonly tests: readonly SourceModule[]
  readonly packages: readonly PackageModule[]
}

export interface Look {
  /** The candidate's files with the same signatures and empty implementations. */
  readonly stub: FileMap
  readonly suspicions: readonly Suspicion[]
  /** Null where it cannot be prepared; there are no mutants then. */
  readonly program: PreparedProgram | null
}

/** What is known of a candidate by its syntax and types, asked for step by step. */
export interface Analysis {
  look(): Promise<Look>
  /** The next mutants, in the order in which they should be judged; fewer than asked for when there are no more. */
  take(count: number): Promise<readonly Mutant[]>
  close(): void
}

/** Looks at a candidate; `hiddenTests` of the request are not passed on. */
export type OpenAnalysis = (validation: ValidationRequest, signal?: AbortSignal) => Analysis

export type Question =
  | { readonly kind: 'look'; readonly validation: ValidationRequest }
  | { readonly kind: 'take'; readonly count: number }
export interface Answers {
  readonly look: Look
  readonly take: readonly Mutant[]
}
export interface ToWorker {
  readonly id: number
  readonly question: Question
}
export type FromWorker =
  | { readonly id: number; readonly answer: Answers[Question['kind']] }
  | { readonly id: number; readonly failed: string }
