import { describe, expect, it } from 'vitest'
import type { AttemptSummary } from '../../src/domain/attempt-summary.ts'
import { scoreOf } from '../../src/domain/ordering.ts'
import { bestAttempt, failureCountOf, isBetter, isRegress, layerRank } from '../../src/domain/progress.ts'
import { findStuck, isStuck } from '../../src/domain/stuck.ts'

type Sketch = Partial<AttemptSummary> & { layer: string | null; fp?: string; passed?: boolean }

/** A history from sketches; fingerprints as letters, `share` of tests through passedTests of 10. */
function history(...sketches: Sketch[]): AttemptSummary[] {
  return sketches.map(({ layer, fp = '', ...rest }, index) => {
    const passedTests = rest.passedTests ?? (layer === 'tests' ? 10 - fp.length : 0)
    return {
      number: index + 1,
      origin: 'model',
      strategy: 'direct',
      passed: layer === null,
      failedLayer: layer,
      kind: null,
      score: scoreOf(layer, passedTests / 10),
      passedTests,
      totalTests: 10,
      fingerprints: [...fp],
      failingTests: layer === 'tests' ? [...fp].map((letter) => `test ${letter}`) : [],
      codeHash: layer === 'extract' ? '' : `hash ${index}`,
      codeSimilarity: 0.5,
      duplicateOf: null,
      ...rest,
    }
  })
}

const options = { similarity: 0.9 }
const tests = (fp: string, more: Partial<AttemptSummary> = {}): Sketch => ({ layer: 'tests', fp, ...more })

describe('stuck', () => {
  const cases: [string, AttemptSummary[], ReturnType<typeof findStuck>][] = [
    ['no history is not stuck', [], null],
    ['one attempt is not stuck', history(tests('ab')), null],
    ['the same failures twice running are stuck', history(tests('ab'), tests('ab')), { pattern: 'same_failures' }],
    ['a green attempt is never stuck', history(tests('a'), { layer: null }), null],
    ['other failures are not stuck', history(tests('ab'), tests('cd')), null],
    [
      'the same fingerprints at another layer are not the same failures',
      history({ layer: 'types', fp: 'a' }, { layer: 'syntax', fp: 'a' }),
      null,
    ],
    [
      'replies without a program twice running are stuck',
      history({ layer: 'extract', fp: 'a' }, { layer: 'extract', fp: 'a' }),
      { pattern: 'same_failures' },
    ],
    ['fewer failures are progress', history(tests('abc'), tests('ab', { codeSimilarity: 1 })), null],
    ['a further layer is progress', history({ layer: 'types', fp: 'a' }, tests('a', { codeSimilarity: 1 })), null],
    [
      'a list of errors that shrinks is progress although the set of fingerprints stays',
      history({ layer: 'types', fp: 'a', failureCount: 4 }, { layer: 'types', fp: 'a', failureCount: 1 }),
      null,
    ],
    [
      'near-identical code with near-identical failures and no better score is stuck',
      history(tests('abcdefghij', { passedTests: 0 }), tests('abcdefghijk', { passedTests: 0, codeSimilarity: 0.9 })),
      { pattern: 'similar_code' },
    ],
    [
      'near-identical code with other failures is not stuck',
      history(tests('abcdefghij', { passedTests: 0 }), tests('klmnopqrst', { passedTests: 0, codeSimilarity: 0.99 })),
      null,
    ],
    [
      'less similar code with near-identical failures is not stuck',
      history(tests('abcdefghij', { passedTests: 0 }), tests('abcdefghijk', { passedTests: 0, codeSimilarity: 0.89 })),
      null,
    ],
    [
      'failures that alternate are stuck once seen twice',
      history(tests('a'), tests('b'), tests('a'), tests('b')),
      { pattern: 'period', period: 2 },
    ],
    ['failures that alternate are not stuck before', history(tests('a'), tests('b'), tests('a')), null],
    [
      'a period of three is stuck',
      history(...['a', 'b', 'c', 'a', 'b', 'c'].map((fp) => tests(fp))),
      { pattern: 'period', period: 3 },
    ],
    [
      'an alternation of unequal sizes is stuck too',
      history(tests('ab'), tests('c'), tests('ab'), tests('c')),
      { pattern: 'period', period: 2 },
    ],
    [
      'a repeated candidate is stuck',
      history(tests('a'), tests('b'), tests('a', { duplicateOf: 1 })),
      { pattern: 'repeated_candidate', of: 1 },
    ],
    [
      'a repeated candidate is known by its hash too',
      history(tests('a', { codeHash: 'x' }), tests('b'), tests('a', { codeHash: 'x' })),
      { pattern: 'repeated_candidate', of: 1 },
    ],
  ]
  it.each(cases)('%s', (_title, given, wanted) => {
    expect(findStuck(given, options)).toEqual(wanted)
    expect(isStuck(given, options)).toBe(wanted !== null)
  })

  it('counts from the last switch of strategy only', () => {
    const given = history(tests('a'), tests('a'))
    expect(isStuck(given, { ...options, since: 1 })).toBe(true)
    expect(isStuck(given, { ...options, since: 2 })).toBe(false)
    expect(isStuck(given, { ...options, since: 3 })).toBe(false)
  })

  it('counts a repeated candidate over the whole run, also before the last switch', () => {
    expect(isStuck(history(tests('a'), tests('a', { duplicateOf: 1 })), { ...options, since: 2 })).toBe(true)
  })
})

describe('progress', () => {
  it('orders by layer first and then by the number of failures, as a later layer is hidden by an earlier one', () => {
    const [tests12, syntax, types] = history(
      tests('abcdefgh'),
      { layer: 'syntax', fp: 'a' },
      { layer: 'types', fp: 'abc' },
    )
    if (!tests12 || !syntax || !types) throw new Error('three attempts')
    expect([isBetter(syntax, tests12), isBetter(types, syntax), isBetter(types, tests12)]).toEqual([false, true, false])
    expect(bestAttempt([tests12, syntax, types])).toBe(tests12)
  })

  it('takes the earlier of two equal attempts as the best', () => {
    expect(bestAttempt(history(tests('a'), tests('b')))?.number).toBe(1)
    expect(bestAttempt([])).toBeNull()
  })

  it('calls a regress what scores lower than the best, not what scores the same', () => {
    expect(isRegress(history(tests('a'), tests('ab')))).toBe(true)
    expect(isRegress(history(tests('a'), tests('b')))).toBe(false)
    expect(isRegress(history(tests('a')))).toBe(false)
    expect(isRegress([])).toBe(false)
  })

  it('puts green last and a layer of the user’s own behind the built-in ones', () => {
    expect(['extract', 'tests', 'hidden', 'lint', null].map(layerRank)).toEqual([0, 5, 6, 7, 8])
  })

  it('counts failures by the report’s own number, else by red tests or fingerprints', () => {
    const [a, b] = history({ layer: 'types', fp: 'a', failureCount: 4 }, { layer: 'types', fp: 'ab' })
    expect([a, b].map((attempt) => attempt && failureCountOf(attempt))).toEqual([4, 2])
  })
})
