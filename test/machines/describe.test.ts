import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { describeChart, edgeLabel, renderEdgeTable, renderMermaid } from '../../machines/describe.ts'

describe('the chart as data', () => {
  it('has docs/chart.md in step with the machine', () => {
    const page = readFileSync(new URL('../../docs/chart.md', import.meta.url), 'utf8')
    expect(page).toContain(renderMermaid())
    expect(page).toContain(renderEdgeTable())
  })

  it('lists edges in the order in which they are tried, with guard and reason', () => {
    const red = describeChart().edges.filter(
      (edge) => edge.from === 'validate' && edge.on === 'done' && !edge.asksHuman,
    )
    expect(red.map((edge) => edge.guard)).toEqual([
      ...[
        'canValidateAgain',
        'isEnvironmentFault',
        'isGreenToMeasure',
        'isGreenToReview',
        'isGreen',
        'canMend',
        'isModelAbsent',
      ],
      ...['isTestSuspect', 'isStuckForGood', 'isOutOfAttempts', 'isOutOfTokens', 'isOutOfCost', 'isOutOfTime'],
      ...['hasBudget and isStuck', 'isRedAtTests', 'hasBudget'],
    ])
    expect(red.find((edge) => edge.guard === 'isStuckForGood')).toMatchObject({ to: 'give_up', reason: 'stuck' })
  })

  it('labels an edge by what set it off and its guard', () => {
    const [edge] = describeChart().edges.filter(
      (candidate) => candidate.from === 'generate' && candidate.on === 'error',
    )
    expect(edge && edgeLabel(edge)).toBe('failed: isAborted')
  })
})
