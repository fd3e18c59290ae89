import { existsSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSandbox } from '../../src/sandbox/index.ts'
import type { Sandbox } from '../../src/sandbox/types.ts'
import { createValidator } from '../../src/validate/create-validator.ts'
import type { Validator } from '../../src/validate/types.ts'
import { requestOf } from './requests.ts'

const folder = new URL('../../../shared/corpora/', import.meta.url)
const isThere = existsSync(new URL('exercism_ts.jsonl', folder))
const read = (name: string): Record<string, unknown>[] =>
  readFileSync(new URL(name, folder), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
const filesOf = (value: unknown): Record<string, string> => (value ?? {}) as Record<string, string>
const renamed = (files: Record<string, string>, name: (path: string) => string): Record<string, string> =>
  Object.fromEntries(Object.entries(files).map(([path, text]) => [name(path), text]))

describe.skipIf(!isThere)('public programs (skipped where ../shared/corpora is absent)', () => {
  let sandbox: Sandbox
  let validator: Validator
  beforeAll(() => {
    sandbox = createSandbox({ maxChildren: 1 })
    validator = createValidator({ sandbox })
  })
  afterAll(async () => {
    await validator.close()
    await sandbox.close()
  })

  // two references compute for seconds under a plain engine already; they belong to the sandbox's own measurements
  const heavy = new Set(['nth-prime', 'pythagorean-triplet'])

  test('every reference of the TypeScript exercises is clean in all layers, and no stub passes', {
    timeout: 240_000,
  }, async () => {
    const wrong: string[] = []
    for (const exercise of read('exercism_ts.jsonl')) {
      const id = String(exercise.id)
      if (heavy.has(id)) continue
      const entry = String(exercise.entry_point)
      const tests = Object.fromEntries(
        Object.entries(filesOf(exercise.tests)).map(([path, text]) => [
          path,
          text.replace(/\bxit\(/g, 'it(').replace(/, xit\b|\bxit, /g, ''),
        ]),
      )
      const request = requestOf({
        entry,
        context: filesOf(exercise.support_files),
        files: renamed(filesOf(exercise.solution), (path) =>
          path.replace('.meta/proof.ci.ts', entry).replace('.meta/', ''),
        ),
        tests,
      })
      await validator.preflight(request)
      const report = await validator.validate(request, { scope: 'corpora' })
      const [red] = report.failures
      if (!report.passed) wrong.push(`${id}: ${red?.layer} ${red?.message}`)
      const stub = await validator.validate({ ...request, files: filesOf(exercise.stub) }, { scope: 'corpora' })
      if (stub.passed) wrong.push(`${id}: the stub passes`)
    }
    expect(wrong).toEqual([])
  })

  test('every fixed function of the JavaScript set passes, and no buggy one', { timeout: 240_000 }, async () => {
    const wrong: string[] = []
    for (const item of read('humanevalpack_js.jsonl')) {
      const id = String(item.id)
      const request = requestOf({
        language: 'javascript',
        entry: 'solution.js',
        files: { 'solution.js': String(item.solution) },
        tests: { 'solution.test.js': String(item.tests) },
      })
      if (String(item.solution).includes('js-md5')) continue
      await validator.preflight(request)
      const report = await validator.validate(request, { scope: 'corpora' })
      const [red] = report.failures
      if (!report.passed) wrong.push(`${id}: ${red?.layer} ${red?.message}`)
      if (
        (await validator.validate({ ...request, files: { 'solution.js': String(item.buggy) } }, { scope: 'corpora' }))
          .passed
      )
        wrong.push(`${id}: the buggy version passes`)
    }
    expect(wrong).toEqual([])
  })
})
