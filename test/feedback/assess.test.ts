import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { HistoryEntry } from '../../src/feedback/assess/summarise.ts'
import { assess } from '../../src/feedback/assess.ts'

interface Case {
  readonly id: string
  readonly input: { readonly attempts: readonly HistoryEntry[] }
  readonly expect: {
    stuck?: boolean
    pattern?: string
    since?: number
    period?: number
    best?: string
    progress?: (boolean | null)[]
  }
}

const cases = readFileSync(new URL('../fixtures/stuck.jsonl', import.meta.url), 'utf8')
  .split('\n')
  .filter(Boolean)
  .map((line) => JSON.parse(line) as Case)

describe('the cases of stuck.jsonl', () => {
  it.each(cases.map((entry) => [entry.id, entry] as const))(
    '%s is assessed as expected',
    (_, { input, expect: wanted }) => {
      const found = assess(input.attempts)
      for (const key of ['stuck', 'pattern', 'since', 'period', 'progress'] as const) {
        if (wanted[key] !== undefined) expect(found[key]).toEqual(wanted[key])
      }
      if (wanted.best !== undefined) expect(input.attempts[found.bestIndex ?? -1]?.code).toBe(wanted.best)
    },
  )
})

const history = (...errors: string[]): HistoryEntry[] =>
  errors.map((error, index) => ({ code: `export const v = ${index}`, error }))

describe('assess', () => {
  it('sees a period of three', () => {
    const found = assess(
      history(
        'TypeError: a is undefined',
        'RangeError: bad b',
        'Error: c',
        'TypeError: a is undefined',
        'RangeError: bad b',
        'Error: c',
      ),
    )
    expect(found).toMatchObject({ stuck: true, pattern: 'oscillation', period: 3, since: 1 })
  })

  it('takes other symbols for other failures', () => {
    expect(
      assess(
        history("a.ts(1,1): error TS2304: Cannot find name 'foo'.", "a.ts(1,1): error TS2304: Cannot find name 'bar'."),
      ).stuck,
    ).toBe(false)
  })

  it('counts tests passed as progress and falls back to the best attempt', () => {
    const found = assess([
      { code: 'a', error: '3 failed, 17 passed' },
      { code: 'b', error: '5 failed, 15 passed' },
    ])
    expect(found).toMatchObject({ stuck: false, trend: 'regress', best: 1, progress: [null, false] })
  })

  it('calls standing still with ever new failures a plateau', () => {
    expect(assess(history('Error: a', 'TypeError: b', 'RangeError: c'))).toMatchObject({
      stuck: false,
      pattern: 'plateau',
      since: 1,
    })
  })

  it('takes timings, dates, temporary names and generated ids for noise', () => {
    const found = assess(
      history(
        'Error: job 550e8400-e29b-41d4-a716-446655440000 failed after 123ms at 2026-01-02T03:04:05Z in /tmp/run-a81f3/solution.ts:3:4',
        'Error: job 650e8400-e29b-41d4-a716-446655440001 failed after 7.5s at 2026-02-03T13:14:15Z in /tmp/run-77b21/solution.ts:9:1',
      ),
    )
    expect(found).toMatchObject({ stuck: true, pattern: 'same_failure' })
  })

  it('says nothing of an empty or a green history', () => {
    expect(assess([])).toMatchObject({ stuck: false, best: null, progress: [] })
    expect(
      assess([
        { code: 'a', error: 'Error: x' },
        { code: 'b', passed: true },
      ]),
    ).toMatchObject({ stuck: false, trend: 'progress', best: 2 })
  })
})
