import { describe, expect, it } from 'vitest'
import type { Failure, Report } from '../../src/domain/report.ts'
import { buildGeneratePrompt, type GenerateMaterial } from '../../src/prompt/build.ts'
import { freshLook } from '../../src/prompt/emphasis.ts'
import { defaultTemplates } from '../../src/prompt/templates.ts'
import { resolveTask } from '../../src/task.ts'

const task = resolveTask(
  {
    instruction: '把两个数相加。',
    tests: {
      'solution.test.ts':
        "import { add } from './solution'\nimport { it, expect } from 'vitest'\nit('adds', () => expect(add(1, 2)).toBe(3))\n",
    },
    hiddenTests: {
      'hidden.test.ts': "import { add } from './solution'\nit('secret name', () => expect(add(40, 2)).toBe(42))\n",
    },
    acceptance: ['works for negative numbers'],
  },
  { kind: 'solve', hasModel: true },
)

const failure = (change: Partial<Failure> = {}): Failure => ({
  layer: 'tests',
  kind: 'logic',
  severity: 'error',
  message: 'expected -1 to be 3',
  test: 'adds',
  expected: '3',
  actual: '-1',
  fingerprint: 'f',
  ...change,
})

const report = (failures: readonly Failure[], passed = 0): Report => ({
  passed: false,
  layers: [{ layer: failures[0]?.layer ?? 'tests', status: 'failed', durationMs: 1 }],
  tests: { total: 2, passed, failed: 2 - passed, skipped: 0, cases: [] },
  failures: [...failures],
  score: 0.6,
  console: 'RAW OUTPUT',
  isolation: 'isolate+process',
})

const material = (change: Partial<GenerateMaterial> = {}): GenerateMaterial => ({
  candidate: null,
  latest: null,
  regress: false,
  notes: [],
  history: [],
  strategyInstruction: 'Write the program.',
  freshLook: false,
  redRounds: 0,
  generation: 1,
  maxGenerations: 4,
  alternates: false,
  ...change,
})

const userPrompt = (change: Partial<GenerateMaterial> = {}): string =>
  buildGeneratePrompt(task, defaultTemplates.generate, material(change)).at(-1)?.content ?? ''

describe('the prompt of a generation', () => {
  it('puts the stable part first and in the stated order', () => {
    const text = userPrompt({
      candidate: { attempt: 1, files: { 'solution.ts': 'export const add = 1' } },
      latest: { attempt: 1, report: report([failure()]) },
      notes: ['a note'],
      history: [{ attempt: 1, strategy: 'direct', report: report([failure()]) }],
    })
    const headings = [...text.matchAll(/^## (.*)$/gm)].map((match) => match[1])
    expect(headings).toEqual([
      'Goal',
      'Signature',
      'Acceptance',
      'Tests',
      'Candidate to build on',
      'Verdict',
      'Failures',
      'Diagnosis, plan, hints and findings',
      'History',
      'Now',
    ])
  })

  it('begins with the same bytes in every round, so that a provider can cache them', () => {
    const first = userPrompt()
    const later = userPrompt({ generation: 3, latest: { attempt: 2, report: report([failure()]) }, redRounds: 2 })
    const stable = first.slice(0, first.indexOf('## Now'))
    expect(later.startsWith(stable)).toBe(true)
    expect(stable).toContain('把两个数相加。')
  })

  it('names what the tests import and how', () => {
    expect(userPrompt()).toContain('a named export `add`')
  })

  it('never holds anything of the hidden tests', () => {
    const text = userPrompt({
      latest: {
        attempt: 1,
        report: report([
          failure({
            layer: 'hidden',
            message: 'expected 41 to be 42',
            test: 'secret name',
            expected: '42',
            actual: '41',
          }),
        ]),
      },
    })
    expect(text).not.toMatch(/secret name|42|41|hidden\.test/)
    expect(text).toContain('Unseen requirements failed')
  })

  it('carries the purified failure and nothing of the raw output', () => {
    const text = userPrompt({ latest: { attempt: 1, report: report([failure()]) } })
    expect(text).toContain('expected: 3')
    expect(text).not.toContain('RAW OUTPUT')
  })

  it('says what broke when it builds on an earlier, better attempt', () => {
    const text = userPrompt({
      candidate: { attempt: 1, files: { 'solution.ts': 'x' } },
      latest: { attempt: 2, report: report([failure()]) },
      regress: true,
    })
    expect(text).toContain('worse than attempt 1')
  })

  it('asks for a fresh look when the chart says so', () => {
    expect(userPrompt({ freshLook: true })).toContain(freshLook)
    expect(userPrompt()).not.toContain(freshLook)
  })

  it('hardens its emphasis with the rounds', () => {
    const at = (redRounds: number): string =>
      userPrompt({ redRounds, latest: { attempt: 1, report: report([failure()]) } }).split('## Now')[1] ?? ''
    expect(new Set([at(1), at(2), at(3)]).size).toBe(3)
  })

  it('does not grow with the number of attempts', () => {
    const history = (count: number) =>
      Array.from({ length: count }, (_, index) => ({
        attempt: index,
        strategy: 'direct',
        report: report([failure({ message: 'x'.repeat(5_000) })]),
      }))
    const long = userPrompt({ history: history(400) }).length
    expect(long).toBeLessThan(userPrompt({ history: history(20) }).length + 200)
  })

  it('bounds the history in tokens, however long and however wordy the attempts are', () => {
    const noisy = Array.from({ length: 60 }, (_, index) => ({
      attempt: index,
      strategy: 'direct',
      diagnosis: 'the sign is wrong because '.repeat(40),
      report: report(
        Array.from({ length: 30 }, (_, at) =>
          failure({ test: `test ${at}`, message: 'y'.repeat(900), diff: '- a\n+ b\n'.repeat(99) }),
        ),
      ),
    }))
    const history = userPrompt({ history: noisy }).split('## History')[1]?.split('## Now')[0] ?? ''
    expect(history).toContain('Attempt 59')
    expect(history.length).toBeLessThan(4 * 2_000 + 200)
  })

  it('tells of hidden tests in the history no more than that they failed', () => {
    const hidden = report([
      failure({ layer: 'hidden', message: 'expected 41 to be 42', test: 'secret name', expected: '42', actual: '41' }),
    ])
    const entries = [1, 2, 3].map((attempt) => ({ attempt, strategy: 'direct', report: hidden }))
    const text = userPrompt({ history: entries })
    expect(text).not.toMatch(/secret name|\b42\b|\b41\b/)
    expect(text.match(/Unseen requirements failed/g)?.length).toBeGreaterThan(1)
  })

  it('fences a program that itself holds fences so that it cannot end its block', () => {
    const text = userPrompt({ candidate: { attempt: 1, files: { 'solution.ts': 'const a = `\n```\n`' } } })
    expect(text).toContain('````ts')
  })
})
