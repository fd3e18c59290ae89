import { describe, expect, test } from 'vitest'
import { normalizeProgram } from '../../../src/feedback/program.ts'
import { rawMutants } from '../../../src/mechanic/trust/mutants.ts'

const code = `export function first(a: number, b: number): number {
  if (a < b) return a * 2
  console.log('first')
  return b
}

export function second(words: string[]): number {
  if (words.length === 0) throw new Error('no words are given here')
  let sum = 0
  for (const word of words) sum += word.length
  return sum
}
`
const mutantsOf = (text: string) => [...rawMutants({ 'solution.ts': text }, 'typescript')]

describe('mutants', () => {
  test('are the same ones in the same order whenever they are made', () => {
    expect(mutantsOf(code)).toEqual(mutantsOf(code))
  })

  test('begin with all functions, not with all changes of one', () => {
    const lines = mutantsOf(code)
      .slice(0, 8)
      .map(({ line }) => line)
    expect(lines.some((line) => line <= 5)).toBe(true)
    expect(lines.some((line) => line >= 7)).toBe(true)
  })

  test('differ from the program and from each other by more than layout', () => {
    const forms = mutantsOf(code).map(({ text }) => normalizeProgram({ 'solution.ts': text }, 'typescript'))
    expect(new Set([...forms, normalizeProgram({ 'solution.ts': code }, 'typescript')]).size).toBe(forms.length + 1)
  })

  test('leave out what no test has to notice: logging and the words of errors', () => {
    const changes = mutantsOf(code).map(({ change }) => change)
    expect(changes.filter((change) => /console|no words/.test(change) && !change.startsWith('removed: if'))).toEqual([])
  })

  test('hold boundaries, constants, removed statements and returned values', () => {
    const changes = mutantsOf(code).map(({ change }) => change)
    expect(changes).toEqual(
      expect.arrayContaining([
        'a < b -> a <= b',
        '0 -> 1',
        'removed: for (const word of words) sum += word.length',
        'sum -> 0',
      ]),
    )
  })
})
