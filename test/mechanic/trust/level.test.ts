import { describe, expect, test } from 'vitest'
import { type Measured, trustLevel } from '../../../src/mechanic/trust/level.ts'

const good: Measured = {
  stubFails: true,
  mutants: { killed: 18, total: 20, survivors: [] },
  repeats: { runs: 2, flaky: [] },
  suspicions: [],
  unwatched: 0,
}
const minor = { kind: 'swallowed', isGrave: false, text: 'swallows errors at a.ts:1' } as const
const grave = { kind: 'answers', isGrave: true, text: 'answer table at a.ts:1' } as const
const mutants = (killed: number, total: number): Partial<Measured> => ({ mutants: { killed, total, survivors: [] } })

describe('the level of trust', () => {
  test.each<[string, Partial<Measured>, string]>([
    ['everything well', {}, 'high'],
    ['exactly 85 in 100 killed', mutants(17, 20), 'high'],
    ['most killed but a line that no test looks at', { unwatched: 1 }, 'medium'],
    ['fewer than 85 in 100 killed', mutants(16, 20), 'medium'],
    ['two fifths killed', mutants(8, 20), 'medium'],
    ['fewer than two fifths killed', mutants(7, 20), 'low'],
    ['too few mutants to say anything, all killed', mutants(4, 4), 'medium'],
    ['too few mutants to say anything, none killed', mutants(0, 4), 'medium'],
    ['no mutants at all', mutants(0, 0), 'medium'],
    ['the stub passes', { stubFails: false }, 'low'],
    ['a flaky test', { repeats: { runs: 2, flaky: ['adds'] } }, 'low'],
    ['a small suspicion', { suspicions: [minor] }, 'medium'],
    ['a suspicion that the code knows the answers', { suspicions: [grave] }, 'low'],
    ['a small suspicion and few killed', { suspicions: [minor], ...mutants(1, 20) }, 'low'],
  ])('with %s is as the rules say', (_, given, level) => {
    expect(trustLevel({ ...good, ...given })).toBe(level)
  })
})
