import type { RepairInput, RepairResult } from './search.ts'

/** What the host found about a state that compiles. */
export interface Verdict {
  readonly isGreen: boolean
  /** Tests passed; orders states that all compile. */
  readonly passed: number
}

/** From the host to the worker. One job at a time. */
export type ToWorker =
  | { readonly type: 'repair'; readonly id: number; readonly input: RepairInput }
  | { readonly type: 'verdict'; readonly id: number; readonly verdict: Verdict }

/** From the worker to the host. */
export type FromWorker =
  | {
      readonly type: 'candidate'
      readonly id: number
      readonly files: Readonly<Record<string, string>>
      readonly changes: readonly string[]
    }
  | {
      readonly type: 'progress'
      readonly id: number
      readonly states: number
      readonly errors: number
      readonly note: string
    }
  | { readonly type: 'done'; readonly id: number; readonly result: RepairResult }
  | { readonly type: 'failed'; readonly id: number; readonly message: string }
