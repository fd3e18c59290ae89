import { RedgreenError } from '../../src/errors.ts'
import type { Job, Outcome, Sandbox, TestCaseOutcome, TestJob, TestOutcome } from '../../src/sandbox/types.ts'

/** A sandbox that gives what it is told to give, and remembers what it was asked. */
export interface ScriptedSandbox extends Sandbox {
  readonly jobs: TestJob[]
  readonly signals: AbortSignal[]
}

export const passed = (name: string, file = 'solution.test.ts'): TestCaseOutcome => ({
  name,
  file,
  status: 'passed',
  durationMs: 1,
  errors: [],
})

export const failed = (name: string, more: Partial<TestCaseOutcome> = {}): TestCaseOutcome => ({
  ...passed(name),
  status: 'failed',
  ...more,
})

export const outcomeOf = (cases: readonly TestCaseOutcome[], more: Partial<TestOutcome> = {}): TestOutcome => ({
  kind: 'test',
  end: { kind: 'completed' },
  cases,
  errors: [],
  console: '',
  consoleTruncated: false,
  isolation: 'isolate+process',
  durationMs: 5,
  ...more,
})

/** `hang` never answers until it is aborted. */
export function scriptedSandbox(...script: (TestOutcome | 'hang' | Error)[]): ScriptedSandbox {
  const jobs: TestJob[] = []
  const signals: AbortSignal[] = []
  const close = async (): Promise<void> => {}
  return {
    jobs,
    signals,
    isolation: Promise.resolve('isolate+process'),
    async run<J extends Job>(job: J, options: Parameters<Sandbox['run']>[1]): Promise<Outcome<J>> {
      if (job.kind !== 'test') throw new Error('only tests are scripted')
      jobs.push(job)
      if (options.signal) signals.push(options.signal)
      const next = script.shift()
      if (next === undefined) throw new Error('an unexpected job')
      if (next instanceof Error) throw next
      if (next === 'hang')
        return await new Promise((_, reject) => {
          options.signal?.addEventListener('abort', () => reject(new RedgreenError('ABORTED', 'aborted')))
        })
      for (const test of next.cases) options.onTest?.(test)
      // the script holds outcomes of test jobs only, which is what was asked for
      return next as Outcome<J>
    },
    async release() {},
    close,
    [Symbol.asyncDispose]: close,
  }
}
