import { afterEach, describe, expect, it, vi } from 'vitest'
import { closeRepairThreads, repairInThread } from '../../../src/mechanic/types/thread.ts'
import { readCorpus } from '../corpus.ts'
import { inputOf, repairHere } from './judge.ts'

afterEach(closeRepairThreads)

const broken = 'export function f(s: string): number {\n  return s * 2\n}\n'

/** Much that is wrong at once, so that there is a lot to try. */
const hopeless = `${broken}${Array.from({ length: 5 }, (_, i) => `export const x${i}: { a: number } = unknown${i}(${i})\n`).join('')}`

describe('a repair', () => {
  it('never writes any, an ignore comment or a non-null assertion that was not there', {
    timeout: 60_000,
  }, async () => {
    for (const { program, tests } of readCorpus().filter((_, index) => index % 60 === 0)) {
      if (/\bany\b|@ts-|!/.test(program)) continue
      const seen: string[] = []
      await repairHere(
        program,
        (candidate) => {
          seen.push(candidate)
          return false
        },
        { tests: { 't.test.ts': tests }, maxStates: 12, patience: 4 },
      )
      for (const candidate of seen) {
        expect(candidate).not.toMatch(/:\s*any\b|\bas any\b|<any>|@ts-|as unknown/)
        expect(candidate).not.toMatch(/[\w)\]]!(?=[.;,)\]\s[])(?!==)/)
      }
    }
  })

  it('edits candidate files only', async () => {
    const { files } = await repairHere(
      "import { g } from './given.ts'\nexport const f = (): string => g()\n",
      () => true,
      {
        context: { 'given.ts': 'export const g = (): number => 1\n' },
      },
    )
    expect(Object.keys(files ?? {})).toEqual(['solution.ts'])
    expect(files?.['solution.ts']).toContain('String(g())')
  })

  it('mends errors of several files and functions at once', async () => {
    const { files, isGreen } = await repairHere('', () => true, {
      files: {
        'solution.ts':
          'export const f = (s: string): number => s * 2\nexport const g = (xs: string[]): number => xs.lenght\n',
        'other.ts': 'export function h(n: number): number {\n  const t = 0\n  t += n\n  return t\n}\n',
      },
      maxStates: 30,
    })
    expect(isGreen).toBe(true)
    expect(files).toEqual({
      'solution.ts':
        'export const f = (s: string): number => Number(s) * 2\nexport const g = (xs: string[]): number => xs.length\n',
      'other.ts': 'export function h(n: number): number {\n  let t = 0\n  t += n\n  return t\n}\n',
    })
  })

  it('mends what stricter options ask for', async () => {
    const { program, isGreen } = await repairHere(
      'class A {\n  size(): number {\n    return 1\n  }\n}\nexport class B extends A {\n  size(): number {\n    return 2\n  }\n}\nexport function f(xs: number[], o: { n?: number }): number {\n  let sum = 0\n  for (let i = 0; i < xs.length; i++) sum += xs[i]\n  return sum + o.n\n}\n',
      () => true,
      {
        compilerOptions: { noUncheckedIndexedAccess: true, exactOptionalPropertyTypes: true, noImplicitOverride: true },
        maxStates: 40,
      },
    )
    expect(isGreen).toBe(true)
    expect(program).toMatch(/override size\(\)/)
  })

  it('looks at no more states than it may', async () => {
    const { states, isGreen } = await repairHere(hopeless, () => false, { maxStates: 7 })
    expect(isGreen).toBe(false)
    expect(states).toBe(7)
  })

  it('gives up after as many programs without progress as its patience', async () => {
    const judge = vi.fn(() => false)
    await repairHere(broken, judge, { patience: 2 })
    expect(judge.mock.calls.length).toBeLessThanOrEqual(3)
  })

  it('stops at its time', async () => {
    const { Repair } = await import('../../../src/mechanic/types/search.ts')
    let now = 0
    const result = await new Repair(inputOf(hopeless, { maxTimeMs: 5 }), {
      judge: async () => ({ isGreen: false, passed: 0 }),
      progress() {},
      nowMs: () => now++,
    }).run()
    expect(result.states).toBeLessThan(8)
  })
})

describe('the repair thread', () => {
  it('rejects with ABORTED when it is aborted while it works', async () => {
    const stop = new AbortController()
    const work = repairInThread(inputOf(hopeless), {
      async judge() {
        return { isGreen: false, passed: 0 }
      },
      onProgress: () => stop.abort(),
      signal: stop.signal,
    })
    await expect(work).rejects.toMatchObject({ code: 'ABORTED' })
  })

  it('rejects with ABORTED while a candidate is being judged', async () => {
    const stop = new AbortController()
    const work = repairInThread(inputOf(broken), {
      judge: () => {
        stop.abort()
        return new Promise(() => {})
      },
      signal: stop.signal,
    })
    await expect(work).rejects.toMatchObject({ code: 'ABORTED' })
  })

  it('rejects with what the judge rejects with', async () => {
    const work = repairInThread(inputOf(broken), { judge: () => Promise.reject(new Error('no sandbox')) })
    await expect(work).rejects.toThrow('no sandbox')
  })

  it('is used again without gathering listeners, and ends when it is closed', { timeout: 30_000 }, async () => {
    const warnings: Error[] = []
    const onWarning = (warning: Error): void => void warnings.push(warning)
    process.on('warning', onWarning)
    const stop = new AbortController()
    for (let i = 0; i < 12; i += 1) {
      const result = await repairInThread(inputOf(broken), {
        judge: async () => ({ isGreen: true, passed: 1 }),
        signal: stop.signal,
      })
      expect(result.isGreen).toBe(true)
    }
    await new Promise((resolve) => setImmediate(resolve))
    process.off('warning', onWarning)
    expect(warnings).toEqual([])
    await closeRepairThreads()
    await closeRepairThreads()
    expect(process.getActiveResourcesInfo()).not.toContain('MessagePort')
  })
})
