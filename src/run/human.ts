export type { HumanAnswer } from '../../machines/ports.ts'

import type { Reason } from '../domain/result.ts'
import type { FileMap } from '../domain/task.ts'

/** What a person is asked when a run would otherwise give up. */
export interface HumanRequest {
  readonly runId: string
  readonly reason: Reason
  /** Markdown: why, and what can be answered. */
  readonly question: string
  /** The best program so far; not verified unless `approvable`. */
  readonly files: FileMap
  /** Approval would accept a green program. */
  readonly approvable: boolean
  /** Given tests that approval would set aside. */
  readonly disputed: readonly string[]
  readonly hintsLeft: number
  /** Budgets that a hint must raise to be taken. */
  readonly spent: readonly ('tokens' | 'cost' | 'time')[]
}
