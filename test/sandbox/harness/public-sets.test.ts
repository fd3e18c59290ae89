import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { isGreen, judge, testJob } from './judge.ts'

/** Programs that no one here wrote; they lie beside the repository and are skipped where they are absent. */
const corpora = fileURLToPath(new URL('../../../../shared/corpora/', import.meta.url))
const readSet = <T>(name: string): T[] => {
  const path = `${corpora}${name}.jsonl`
  if (!existsSync(path)) return []
  return readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as T)
}

interface Exercise {
  id: string
  entry_point: string
  tests: Record<string, string>
  stub: Record<string, string>
  solution: Record<string, string>
  support_files: Record<string, string>
}

interface Problem {
  id: string
  tests: string
  declaration: string
  solution: string
  buggy: string
}

const exercises = readSet<Exercise>('exercism_ts')
const problems = readSet<Problem>('humanevalpack_js')
/** Needs the npm package js-md5. */
const needsPackage = new Set(['JavaScript/162'])
/** Two references search by brute force for 4 and 7 s of a processor that many share; more than the default lets them. */
const usual = { cpuMs: 20_000, wallMs: 120_000 }
/** What is to be red anyway need not loop for so long. */
const short = { cpuMs: 1_000, wallMs: 60_000 }
const minutes = 20 * 60_000

const sourceFiles = (files: Record<string, string>): [string, string][] =>
  Object.entries(files).filter(([path]) => /\.(ts|js|json)$/.test(path))

function exerciseJob(exercise: Exercise, kind: 'solution' | 'stub') {
  const files = sourceFiles(exercise[kind])
  const named = files.map(([path, code]): [string, string] => [
    path.includes('proof.ci') || files.length === 1 ? exercise.entry_point : path.replace('.meta/', ''),
    code,
  ])
  const tests = Object.entries(exercise.tests).map(([path, code]): [string, string] => [
    path,
    code.replace(/\bx(it|describe)\b/g, '$1'),
  ])
  return testJob(Object.fromEntries([...named, ...sourceFiles(exercise.support_files)]), Object.fromEntries(tests), {
    limits: kind === 'solution' ? usual : short,
  })
}

describe.skipIf(exercises.length === 0)('exercism', () => {
  it('passes every reference solution and fails every stub', { timeout: minutes }, async () => {
    const wrong: string[] = []
    for (const exercise of exercises) {
      if (!isGreen(await judge(exerciseJob(exercise, 'solution')))) wrong.push(`${exercise.id} solution`)
      if (isGreen(await judge(exerciseJob(exercise, 'stub')))) wrong.push(`${exercise.id} stub`)
    }
    expect(wrong).toEqual([])
  })
})

describe.skipIf(problems.length === 0)('HumanEvalPack', () => {
  it('passes every reference solution and fails every buggy one', { timeout: minutes }, async () => {
    const wrong: string[] = []
    for (const { id, solution, buggy, tests } of problems) {
      const green = isGreen(await judge(testJob(solution, tests, { limits: usual })))
      if (green === needsPackage.has(id)) wrong.push(`${id} solution`)
      if (isGreen(await judge(testJob(buggy, tests, { limits: short })))) wrong.push(`${id} buggy`)
    }
    expect(wrong).toEqual([])
  })
})
