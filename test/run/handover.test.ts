import { describe, expect, it } from 'vitest'
import type { Failure, Report } from '../../src/domain/report.ts'
import type { Attempt, Result } from '../../src/domain/result.ts'
import { renderFailures } from '../../src/feedback/index.ts'
import { renderHandover } from '../../src/run/handover.ts'

const failure: Failure = {
  layer: 'tests',
  kind: 'logic',
  severity: 'error',
  message: 'expected -1 to be 3',
  test: 'adds',
  expected: '3',
  actual: '-1',
  location: { file: 'solution.ts', line: 2, column: 3 },
  frame: '  1 | export const add = (a, b) =>\n> 2 |   a - b',
  fingerprint: 'f',
}

const reportOf = (failures: Failure[]): Report => ({
  passed: false,
  layers: [{ layer: failures[0]?.layer ?? 'tests', status: 'failed', durationMs: 1 }],
  tests: { total: 2, passed: 1, failed: 1, skipped: 0, cases: [] },
  failures,
  score: 0.6,
  console: 'RAW OUTPUT of the program',
  isolation: 'isolate+process',
})

const usage = { promptTokens: 1, completionTokens: 1, calls: 1, costUsd: null, estimated: false }

const attempt = (number: number, failures: Failure[]): Attempt => ({
  number,
  origin: 'model',
  strategy: 'direct',
  files: { 'solution.ts': 'export const add = (a, b) =>\n  a - b\n' },
  report: reportOf(failures),
  usage,
  durationMs: 1,
})

const result = (attempts: Attempt[]): Omit<Result, 'handover'> => ({
  schemaVersion: 1,
  runId: 'r',
  status: 'gave_up',
  verified: false,
  reason: 'attempts',
  files: attempts[0]?.files ?? {},
  origin: 'model',
  testsOrigin: 'given',
  setAside: [],
  attempts,
  best: attempts[0]?.number ?? null,
  report: attempts[0]?.report ?? null,
  usage,
  durationMs: 1,
  path: ['generate', 'validate', 'give_up'],
})

describe('the hand-over', () => {
  it('shows the purified failures of the best attempt as a prompt does', () => {
    const text = renderHandover(result([attempt(1, [failure])]))
    expect(text).toContain(renderFailures([failure]))
    expect(text).toContain('> 2 |   a - b')
  })

  it('holds nothing of the raw output, which stays in the attempt’s record', () => {
    const given = result([attempt(1, [failure]), attempt(2, [failure])])
    expect(renderHandover(given)).not.toContain('RAW OUTPUT')
    expect(given.attempts[0]?.report.console).toContain('RAW OUTPUT')
  })

  it('has a line for each attempt, with what it failed at and where', () => {
    const text = renderHandover(result([attempt(1, [failure]), attempt(2, [{ ...failure, message: 'm'.repeat(900) }])]))
    expect(text).toContain('- attempt 1, direct: 1 of 2 tests: adds: expected -1 to be 3 at solution.ts:2')
    expect(text.split('\n').find((line) => line.startsWith('- attempt 2'))?.length).toBeLessThan(300)
  })

  it('tells a person which hidden test failed', () => {
    const hidden: Failure = { ...failure, layer: 'hidden', test: 'works for zero' }
    expect(renderHandover(result([attempt(1, [hidden])]))).toContain('works for zero')
  })
})
