import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Failure } from '../../src/domain/report.ts'
import { type CompactEntry, compact } from '../../src/feedback/compact.ts'

const failure = (message: string): Failure => ({
  layer: 'tests',
  kind: 'logic',
  severity: 'error',
  message,
  expected: '1',
  actual: '2',
  frame: '> 1 | code',
  fingerprint: message,
})
const entry = (number: number, message: string): CompactEntry => ({
  number,
  strategy: 'direct',
  tried: `idea ${number}`,
  failures: [failure(message)],
  passedTests: 1,
  totalTests: 3,
  failedLayer: 'tests',
})

describe('compact', () => {
  it('shows the last two attempts in full and a line for each older one', () => {
    const { text, full } = compact([entry(1, 'one is off'), entry(2, 'two is off'), entry(3, 'three is off')], {
      maxTokens: 2_000,
    })
    expect(full).toEqual([2, 3])
    expect(text).toMatch(/attempt 1, direct: tried idea 1; 1 of 3 tests passed: one is off/)
    expect(text.match(/expected: 1/g)).toHaveLength(2)
  })

  it('stays in the budget whatever the number of attempts, and is deterministic', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ maxLength: 2_000 }), { maxLength: 60 }),
        fc.integer({ min: 0, max: 3_000 }),
        (messages, maxTokens) => {
          const history = messages.map((message, index) => entry(index + 1, message || 'x'))
          const first = compact(history, { maxTokens })
          expect(first.tokens).toBeLessThanOrEqual(maxTokens)
          expect(Math.ceil(first.text.length / 4)).toBe(first.tokens)
          expect(compact(history, { maxTokens })).toEqual(first)
        },
      ),
      { numRuns: 60 },
    )
  })

  it('folds runs of attempts that failed alike', () => {
    const alike = Array.from(
      { length: 30 },
      (_, index): CompactEntry => ({ ...entry(index + 1, 'same'), tried: 'same idea' }),
    )
    expect(compact(alike, { maxTokens: 1_000 }).text).toMatch(/attempts 1–28, direct/)
  })
})
