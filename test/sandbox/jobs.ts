import { limitsSchema } from '../../src/domain/policy.ts'
import type { TestJob } from '../../src/sandbox/types.ts'

/** A job that judges one module by one test file. */
export function testJob(
  solution: string,
  test: string,
  limits: Partial<TestJob['limits']> = {},
  extraGlobals: readonly string[] = [],
): TestJob {
  return {
    kind: 'test',
    entry: 'solution.js',
    modules: [{ path: 'solution.js', code: solution, format: 'esm' }],
    tests: [{ path: 'solution.test.js', code: test, format: 'esm' }],
    packages: [],
    limits: limitsSchema.parse(limits),
    environment: { seed: 1, epochMs: 1_700_000_000_000, timeZone: 'UTC', shuffleTests: false, extraGlobals },
    allowEval: false,
  }
}

/** A good module with three tests that pass. */
export const goodJob = testJob(
  'export const add = (a, b) => a + b',
  `import { describe, expect, test } from 'vitest'
   import { add } from './solution.js'
   describe('add', () => {
     test('adds', () => { expect(add(1, 2)).toBe(3) })
     test('is commutative', () => { expect(add(2, 1)).toBe(add(1, 2)) })
     test('later', async () => { await new Promise((resolve) => setTimeout(resolve, 4_000)); expect(add(0, 0)).toBe(0) })
   })`,
)
