import type { Limits } from '../domain/policy.ts'
import type { Isolation, TestStatus } from '../domain/report.ts'

/** A module as the isolate evaluates it: JavaScript (or JSON) that never touches the disk. */
export interface SourceModule {
  /** Relative to the task, with `/`; how other modules reach it. */
  readonly path: string
  readonly code: string
  /** Source map of `code` as JSON, for own-source locations. */
  readonly map?: string
  readonly format: 'esm' | 'cjs' | 'json'
  /** Names that `code` binds at top level, exported or not: bare test scripts see those of the entry. */
  readonly topLevelNames?: readonly string[]
  /** Came with the tests: has their names in scope, is not run by itself, and the candidate cannot import it. */
  readonly isTestHelper?: boolean
}

/** An npm package made ready for the isolate: one self-contained module for each specifier that is imported. */
export interface PackageModule {
  /** As imported: `lodash`, `lodash/fp`, `react/jsx-runtime`. */
  readonly specifier: string
  readonly code: string
  readonly format: 'esm' | 'cjs'
}

/** What is volatile outside and fixed inside. */
export interface GuestEnvironment {
  readonly seed: number
  /** What `Date.now()` says at the start, in ms since 1970. */
  readonly epochMs: number
  /** IANA name. */
  readonly timeZone: string
  /** Run the tests of each file in an order drawn from the seed. */
  readonly shuffleTests: boolean
  /** Globals that are absent unless asked for: `WebAssembly`, `SharedArrayBuffer`, `Atomics`. */
  readonly extraGlobals?: readonly string[]
}

interface JobBase {
  readonly modules: readonly SourceModule[]
  readonly packages: readonly PackageModule[]
  readonly limits: Limits
  readonly environment: GuestEnvironment
  readonly allowEval: boolean
}

/** Run test files against modules. */
export interface TestJob extends JobBase {
  readonly kind: 'test'
  /** The candidate's main module; bare test scripts see its top-level names. */
  readonly entry: string
  readonly tests: readonly SourceModule[]
  /** Count executions of statements, as instrumented by the mechanic (`__cov[n]++`), and return them per test. */
  readonly coverage?: boolean
}

/** Run a program without tests. */
export interface ProgramJob extends JobBase {
  readonly kind: 'program'
  readonly entry: string
  readonly stdin: string
  readonly args: readonly string[]
}

/** Judge many variants of one program in one isolate, chosen by number; a search aid, never a verdict. */
export interface SearchJob extends JobBase {
  readonly kind: 'search'
  readonly entry: string
  readonly tests: readonly SourceModule[]
  /** Variants are switched inside `modules` by the number in `globalThis.__variant`. */
  readonly variants: readonly number[]
  /** Aligned with `variants`: modules that take the place of those with the same path while that variant is judged. */
  readonly variantModules?: readonly (readonly SourceModule[])[]
  /** Processor time that one variant may burn. */
  readonly variantCpuMs: number
}

export type Job = TestJob | ProgramJob | SearchJob

/** An error as the guest threw it, serialised inside the isolate with bounded texts. */
export interface GuestError {
  readonly name: string
  readonly message: string
  /** Frames in emitted positions, the guest's own module paths only. */
  readonly stack: string
  /** Values as the harness prints them; absent where the error compares nothing. */
  readonly expected?: string
  readonly actual?: string
  readonly diff?: string
  readonly operator?: string
  readonly code?: string
  /** The error was not an Error but this value, printed. */
  readonly thrown?: string
  readonly cause?: GuestError
}

export interface TestCaseOutcome {
  /** 'suite > name'; the file's path in front where several test files are run. */
  readonly name: string
  readonly file: string
  readonly status: TestStatus
  /** On the virtual clock. */
  readonly durationMs: number
  readonly errors: readonly GuestError[]
  /** The test waited for a promise that can never settle. */
  readonly neverSettles?: boolean
  readonly timedOut?: boolean
  /** Statement counters that this test raised, by number. */
  readonly coverage?: readonly number[]
}

/** How a job ended; everything but `completed` means that the child was killed or told on itself. */
export type JobEnd =
  | { readonly kind: 'completed' }
  | { readonly kind: 'timeout'; readonly which: 'cpu' | 'wall' }
  | { readonly kind: 'memory' }
  | { readonly kind: 'output' }
  /** The candidate brought its process down. */
  | { readonly kind: 'crash'; readonly detail: string }
  /** Not the candidate's fault. */
  | { readonly kind: 'environment'; readonly detail: string }

export interface TestOutcome {
  readonly kind: 'test'
  readonly end: JobEnd
  readonly cases: readonly TestCaseOutcome[]
  /** Errors outside any test: of loading a module, of a hook, unhandled rejections, errors after the end. */
  readonly errors: readonly {
    readonly phase: 'load-candidate' | 'load-tests' | 'hook' | 'unhandled'
    readonly file?: string
    readonly error: GuestError
  }[]
  /** Test that was running when the job was ended from outside. */
  readonly runningTest?: string
  readonly console: string
  readonly consoleTruncated: boolean
  readonly isolation: Isolation
  readonly durationMs: number
}

export interface ProgramOutcome {
  readonly kind: 'program'
  readonly end: JobEnd
  readonly error?: GuestError
  readonly stdout: string
  readonly stderr: string
  readonly exitCode: number
  /** The entry's default export (or the value of its last expression statement), printed; absent if there is none. */
  readonly result?: string
  readonly isolation: Isolation
  readonly durationMs: number
}

export interface SearchOutcome {
  readonly kind: 'search'
  readonly end: JobEnd
  /** In the order of `variants`; those after an early end are missing. `passed` are indices of tests. */
  readonly variants: readonly {
    readonly variant: number
    readonly passed: readonly number[]
    readonly total: number
    readonly timedOut: boolean
    /** Assertions that held, over all tests; a finer measure of progress than tests. */
    readonly checks?: number
  }[]
  readonly durationMs: number
}

export type Outcome<J extends Job> = J extends TestJob
  ? TestOutcome
  : J extends ProgramJob
    ? ProgramOutcome
    : SearchOutcome

/** Runs jobs in isolates inside child processes. A candidate's misdeeds are values; broken infrastructure throws. */
export interface Sandbox {
  /** What this machine gives; probed once, by trying to break it. */
  readonly isolation: Promise<Isolation>
  /**
   * @param options.scope jobs of one scope may share a child process, others never do
   * @param options.onTest called as each test finishes
   */
  run<J extends Job>(
    job: J,
    options: {
      scope: string
      signal?: AbortSignal
      onTest?: (test: TestCaseOutcome) => void
      onVariant?: (variant: SearchOutcome['variants'][number]) => void
    },
  ): Promise<Outcome<J>>
  /** Ends the children that serve a scope; idempotent. */
  release(scope: string): Promise<void>
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}
