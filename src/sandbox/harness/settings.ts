import type { GuestEnvironment } from '../types.ts'

/** A harmless stand-in for Node's `process`: no access to anything. */
export interface GuestProcess {
  readonly env: Record<string, string | undefined>
  readonly argv: string[]
  [member: string]: unknown
}

/** What one job asks for; set once before guest code is loaded. */
export interface JobSettings {
  readonly kind: 'test' | 'program' | 'search'
  readonly entry: string
  readonly testFiles: readonly string[]
  /** Paths of test files that never register a test. */
  readonly bareScripts: readonly string[]
  readonly throwingScripts: readonly string[]
  readonly environment: GuestEnvironment
  readonly outputBytes: number
  readonly maxTests: number
  readonly allowEval: boolean
  readonly coverage: boolean
  readonly showProcess: boolean
  readonly stdin: string
  readonly args: readonly string[]
}

const defaultTestTimeoutMs = 5_000

/** State of the running job that several parts read. */
export const settings = {
  defaultTestTimeoutMs,
  testTimeoutMs: defaultTestTimeoutMs,
  process: { env: {}, argv: [] } as GuestProcess,
  /** A search only counts; what failed and why is not told. */
  isSearch: false,
  /** Whether candidates may import `process`. */
  showProcess: false,
}
