import { send } from './channel.ts'
import { assertions } from './expecting.ts'
import type { Surroundings } from './module-types.ts'
import type { JobSettings } from './settings.ts'
import { runTestFiles } from './test-job.ts'

/** Judges one variant: modules are evaluated anew with `__variant` set, then all tests are run. */
export async function runVariant(variant: number, job: JobSettings, surroundings: Surroundings): Promise<void> {
  Object.defineProperty(globalThis, '__variant', { value: variant, configurable: true, writable: false })
  const passed: number[] = []
  let total = 0
  let failed = 0
  const before = { ...assertions }
  await runTestFiles(job, surroundings, {
    onRunning: () => undefined,
    onTest(test) {
      if (test.status === 'passed') passed.push(total)
      // what throws has ended its test; in a script that was before the assertion counted
      else if (!job.bareScripts.includes(test.file)) failed++
      total++
    },
    onError: () => undefined,
  })
  const checks = Math.max(0, assertions.count - before.count - (assertions.failed - before.failed) - failed)
  send({ type: 'variant', variant, passed, total, checks })
}
