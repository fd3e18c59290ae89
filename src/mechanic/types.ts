import type { Report } from '../domain/report.ts'
import type { Trust } from '../domain/result.ts'
import type { FileMap } from '../domain/task.ts'
import type { Sandbox } from '../sandbox/types.ts'
import type { ValidationRequest, Validator } from '../validate/types.ts'

export interface MendRequest {
  /** The red candidate with its tests and policies; hiddenTests are never shown to the search. */
  readonly validation: ValidationRequest
  readonly report: Report
  /** quick: language-service fixes and templates only; search: those, then mutations. */
  readonly depth: 'quick' | 'search'
  readonly maxCandidates: number
  readonly maxTimeMs: number
}

export interface MendProgress {
  readonly tried: number
  readonly maxCandidates: number
  readonly bestPassed: number
  readonly total: number
  readonly note: string
}

/** A better candidate (fewer failures or a further layer, green at best), or null when nothing helped. */
export interface MendOutcome {
  readonly files: FileMap | null
  /** What was changed, in words, smallest first. */
  readonly changes: readonly string[]
  readonly tried: number
  /** Other passing patches that disagree with this one on generated inputs. */
  readonly disagreements: readonly string[]
}

export interface MechanicTools {
  readonly validator: Validator
  readonly sandbox: Sandbox
  readonly scope: string
  readonly signal?: AbortSignal
  readonly onProgress?: (progress: MendProgress) => void
}

export type Mend = (request: MendRequest, tools: MechanicTools) => Promise<MendOutcome>

export interface TrustRequest {
  /** The accepted candidate. */
  readonly validation: ValidationRequest
  readonly mutants: number
  readonly timeMs: number
  readonly repeats: number
  /** Where other passing patches of the mechanic give other values than the accepted one: each is a suspicion. */
  readonly disagreements?: readonly string[]
}
export type MeasureTrust = (request: TrustRequest, tools: MechanicTools) => Promise<Trust>
