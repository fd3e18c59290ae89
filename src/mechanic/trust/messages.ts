import type { FileMap } from '../../domain/task.ts'
import type { Suspicion } from './suspicions/suspicion.ts'

/** What the thread looks at; hidden tests are not among it. */
export interface AnalysisInput {
  readonly language: 'typescript' | 'javascript'
  readonly files: FileMap
  readonly tests: FileMap
  /** How many mutants are wanted; more are given, since some will not compile. */
  readonly mutants: number
}

/** The candidate with one small change. */
export interface Mutant {
  readonly file: string
  /** 1-based. */
  readonly line: number
  /** `a < b -> a <= b` */
  readonly change: string
  /** The whole changed file. */
  readonly text: string
}

export interface Analysis {
  /** The candidate's files with the same signatures and empty implementations. */
  readonly stub: FileMap
  /** In the order in which they should be judged: the first ones are spread over functions and kinds. */
  readonly mutants: readonly Mutant[]
  readonly suspicions: readonly Suspicion[]
}

export interface ToWorker {
  readonly id: number
  readonly input: AnalysisInput
}
export type FromWorker =
  | { readonly id: number; readonly analysis: Analysis }
  | { readonly id: number; readonly failed: string }
