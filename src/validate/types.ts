import type { Allow, Deny, Limits } from '../domain/policy.ts'
import type { Failure, LayerStatus, Report } from '../domain/report.ts'
import type { FileMap, Language } from '../domain/task.ts'
import type { GuestEnvironment, PackageModule, SourceModule, TestCaseOutcome } from '../sandbox/types.ts'

/** One candidate to be judged, with everything that judges it. */
export interface ValidationRequest {
  readonly language: Language
  readonly entry: string
  readonly files: FileMap
  readonly context: FileMap
  readonly tests: FileMap
  readonly hiddenTests: FileMap
  /** Names of npm packages that may be imported. */
  readonly packages: readonly string[]
  /** Folder whose node_modules holds the packages. */
  readonly packageRoot: string
  readonly compilerOptions: Readonly<Record<string, unknown>>
  readonly limits: Limits
  readonly allow: Allow
  readonly deny: Deny
  readonly validation: 'fail-fast' | 'all'
  /** Titles of tests that a person has set aside ('suite > name'); they are not run. */
  readonly setAside: readonly string[]
  readonly environment?: Partial<GuestEnvironment>
}

export interface ValidationOptions {
  /** Jobs of one scope may share a child process, others never do. */
  readonly scope: string
  readonly signal?: AbortSignal
  readonly onLayer?: (layer: { layer: string; status: LayerStatus; durationMs: number }) => void
  readonly onTest?: (test: TestCaseOutcome, hidden: boolean) => void
}

/** Judges candidates in layers. A red candidate is a Report; only broken infrastructure throws. */
export interface Validator {
  validate(request: ValidationRequest, options: ValidationOptions): Promise<Report>
  /**
   * Checks what must hold before anything is spent: tests parse, hold at least one test, import what a candidate can provide;
   * declared packages are installed. Throws TESTS_SYNTAX, TESTS_EMPTY, TESTS_IMPORT, PACKAGE_UNKNOWN, PATH_REFUSED, FILE_TOO_LARGE.
   */
  preflight(request: ValidationRequest): Promise<void>
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/** What the type service (a worker thread with a warm compiler) says about one candidate. */
export interface CheckRequest {
  readonly language: Language
  readonly entry: string
  readonly files: FileMap
  readonly context: FileMap
  /** Needed for what they import and for the types of their files; only diagnostics of `files` are reported. */
  readonly tests: FileMap
  readonly packages: readonly string[]
  readonly packageRoot: string
  readonly compilerOptions: Readonly<Record<string, unknown>>
  readonly allow: Allow
  readonly deny: Deny
}

export interface CheckResult {
  readonly syntax: readonly Failure[]
  readonly imports: readonly Failure[]
  readonly types: readonly Failure[]
  readonly policy: readonly Failure[]
  readonly durationsMs: {
    readonly syntax: number
    readonly imports: number
    readonly types: number
    readonly policy: number
  }
}

/** What `prepare` makes for the sandbox: the same sources as JavaScript. */
export interface PreparedSources {
  readonly modules: readonly SourceModule[]
  readonly tests: readonly SourceModule[]
  readonly hiddenTests: readonly SourceModule[]
  readonly packages: readonly PackageModule[]
}
