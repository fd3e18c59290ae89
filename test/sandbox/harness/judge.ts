import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { ts } from 'ts-morph'
import { afterAll } from 'vitest'
import type { GuestOutcome } from '../../../src/sandbox/child/isolate.ts'
import type { Job, PackageModule, ProgramJob, SearchJob, SourceModule, TestJob } from '../../../src/sandbox/types.ts'

export const limits = {
  cpuMs: 5_000,
  wallMs: 20_000,
  memoryMiB: 256,
  outputBytes: 102_400,
  fileBytes: 1e7,
  tests: 5_000,
}
export const environment = { seed: 1, epochMs: Date.UTC(2024, 0, 15, 12), timeZone: 'UTC', shuffleTests: false }

let child: ChildProcess | undefined

function getChild(): ChildProcess {
  child ??= fork(fileURLToPath(new URL('judge-child.ts', import.meta.url)), [], {
    execArgv: ['--no-node-snapshot', '--no-warnings'],
    env: { TZ: 'UTC' },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  return child
}

afterAll(() => {
  child?.kill('SIGKILL')
  child = undefined
})

/** How long after a job's limit this parent, like the real one, ends a child that does not end itself. */
const graceMs = 1_000

/** Runs one job in a child process; rejects if the driver itself throws or the process dies, or has to be killed. */
export function judge<J extends Job>(job: J): Promise<GuestOutcome<J>> {
  const process = getChild()
  return new Promise((resolve, reject) => {
    const watch = setTimeout(() => process.kill('SIGKILL'), job.limits.wallMs + graceMs)
    const onMessage = (message: { outcome?: GuestOutcome<J>; failure?: string }): void => {
      clearTimeout(watch)
      process.off('exit', onExit)
      if (message.outcome) resolve(message.outcome)
      else reject(new Error(message.failure))
    }
    const onExit = (): void => {
      clearTimeout(watch)
      process.off('message', onMessage)
      child = undefined
      reject(new Error('the child died'))
    }
    process.once('message', onMessage)
    process.once('exit', onExit)
    process.send(job)
  })
}

/** A file as the preparer gives it: TypeScript is transpiled, module or CommonJS is told by the ending. */
export function toModule(path: string, code: string): SourceModule {
  if (path.endsWith('.json')) return { path, code, format: 'json' }
  if (path.endsWith('.cjs')) return { path, code, format: 'cjs' }
  if (!/\.tsx?$/.test(path)) return { path, code, format: 'esm' }
  const { outputText } = ts.transpileModule(code, {
    fileName: path,
    compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 },
  })
  return { path, code: outputText, format: 'esm' }
}

const toModules = (files: Record<string, string>): SourceModule[] =>
  Object.entries(files).map(([path, code]) => toModule(path, code))

interface Given {
  readonly packages?: readonly PackageModule[]
  readonly limits?: Partial<TestJob['limits']>
  readonly environment?: Partial<TestJob['environment']>
  readonly allowEval?: boolean
  readonly coverage?: boolean
}

const common = (files: Record<string, string>, given: Given) => ({
  entry: Object.keys(files)[0] ?? 'solution.js',
  modules: toModules(files),
  packages: given.packages ?? [],
  limits: { ...limits, ...given.limits },
  environment: { ...environment, ...given.environment },
  allowEval: given.allowEval ?? false,
})

/** A test job; a text alone is `solution.js` or `solution.test.js`. */
export function testJob(
  candidate: string | Record<string, string>,
  tests: string | Record<string, string>,
  given: Given = {},
): TestJob {
  const files = typeof candidate === 'string' ? { 'solution.js': candidate } : candidate
  return {
    kind: 'test',
    ...common(files, given),
    tests: toModules(typeof tests === 'string' ? { 'solution.test.js': tests } : tests),
    ...(given.coverage ? { coverage: true } : {}),
  }
}

export const programJob = (code: string, given: Given & { stdin?: string; args?: string[] } = {}): ProgramJob => ({
  kind: 'program',
  ...common({ 'program.js': code }, given),
  stdin: given.stdin ?? '',
  args: given.args ?? [],
})

export const searchJob = (code: string, tests: string, variants: readonly number[], given: Given = {}): SearchJob => ({
  kind: 'search',
  ...common({ 'solution.js': code }, given),
  tests: toModules({ 'solution.test.js': tests }),
  variants,
  variantCpuMs: 300,
})

export const runTests = (
  candidate: string | Record<string, string>,
  tests: string | Record<string, string>,
  given: Given = {},
): Promise<GuestOutcome<TestJob>> => judge(testJob(candidate, tests, given))

/** Each test as 'status name', and each error outside tests as 'phase: message'. */
export function summarise(outcome: GuestOutcome<TestJob>): string[] {
  return [
    ...outcome.cases.map((test) => `${test.status} ${test.name}`),
    ...outcome.errors.map(({ phase, error }) => `${phase}: ${error.message}`),
    ...(outcome.end.kind === 'completed' ? [] : [outcome.end.kind]),
  ]
}

/** Green as the validator takes it. */
export const isGreen = (outcome: GuestOutcome<TestJob>): boolean =>
  outcome.end.kind === 'completed' &&
  outcome.errors.length === 0 &&
  outcome.cases.some((test) => test.status === 'passed') &&
  outcome.cases.every((test) => test.status !== 'failed')
