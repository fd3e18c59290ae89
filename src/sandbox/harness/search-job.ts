import { send } from './channel.ts'
import type { Surroundings } from './modules.ts'
import type { JobSettings } from './settings.ts'
import { runTestFiles } from './test-job.ts'

/** Judges one variant: modules are evaluated anew with `__variant` set, then all tests are run. */
export async function runVariant(variant: number, job: JobSettings, surroundings: Surroundings): Promise<void> {
  Object.defineProperty(globalThis, '__variant', { value: variant, configurable: true, writable: false })
  const passed: number[] = []
  let total = 0
  await runTestFiles(job, surroundings, {
    onRunning: () => undefined,
    onTest(test) {
      if (test.status === 'passed') passed.push(total)
      total++
    },
    onError: () => undefined,
  })
  send({ type: 'variant', variant, passed, total })
}
