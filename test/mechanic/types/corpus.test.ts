import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { limitsSchema, policySchema } from '../../../src/domain/policy.ts'
import { createMend } from '../../../src/mechanic/mend.ts'
import { repairTypes } from '../../../src/mechanic/types/repair-types.ts'
import { closeRepairThreads } from '../../../src/mechanic/types/thread.ts'
import { createSandbox } from '../../../src/sandbox/index.ts'
import type { Sandbox } from '../../../src/sandbox/types.ts'
import { createValidator } from '../../../src/validate/index.ts'
import type { ValidationRequest, Validator } from '../../../src/validate/types.ts'
import { readCorpus } from '../corpus.ts'
import { judgeHere, repairHere } from './judge.ts'

const corpus = readCorpus()
/** Every sixteenth: the whole takes a minute, and `npm run bench -- type-repair` reads all. */
const some = corpus.filter((_, index) => index % 16 === 1)

describe('the corpus of programs that do not compile', () => {
  it('is mended but for a few, each by one that passes its tests', { timeout: 240_000 }, async () => {
    const left: string[] = []
    let broken = 0
    for (const { id, program, tests } of some) {
      const result = await repairHere(program, (candidate) => judgeHere(candidate, tests), {
        tests: { 'solution.test.ts': tests },
        maxStates: 150,
        patience: 6,
      })
      if (result.codes.length === 0) continue
      broken += 1
      if (!result.isGreen) left.push(id)
    }
    expect(broken).toBeGreaterThan(18)
    expect(left.length, left.join('\n')).toBeLessThanOrEqual(2)
  })
})

describe('createMend with the real sandbox', () => {
  let sandbox: Sandbox
  let validator: Validator
  const policy = policySchema.parse({})

  beforeAll(() => {
    sandbox = createSandbox()
    validator = createValidator({ sandbox })
  })
  afterAll(async () => {
    await validator.close()
    await sandbox.close()
    await closeRepairThreads()
  })

  const request = (program: string, tests: string): ValidationRequest => ({
    language: 'typescript',
    entry: 'solution.ts',
    files: { 'solution.ts': program },
    context: {},
    tests: { 'solution.test.ts': tests },
    hiddenTests: {},
    packages: [],
    packageRoot: import.meta.dirname,
    compilerOptions: {},
    limits: limitsSchema.parse({}),
    allow: policy.allow,
    deny: policy.deny,
    validation: 'fail-fast',
    setAside: [],
  })

  it('mends a sample of the corpus to green, in bounded tries', { timeout: 120_000 }, async () => {
    const outcomes: Record<string, boolean> = {}
    for (const { id, program, tests } of corpus.filter((_, index) => index % 72 === 3)) {
      const validation = request(program, tests)
      const report = await validator.validate(validation, { scope: 'sample' })
      if (report.passed) continue
      const mended = await createMend(null)(
        { validation, report, depth: 'search', maxCandidates: 200, maxTimeMs: 20_000 },
        { validator, sandbox, scope: 'sample' },
      )
      const files = mended.files ?? validation.files
      outcomes[id] = (await validator.validate({ ...validation, files }, { scope: 'sample' })).passed
    }
    expect(Object.keys(outcomes).length).toBeGreaterThan(3)
    expect(Object.entries(outcomes).filter(([, passed]) => !passed)).toEqual([])
  })

  it('hands over the best that compiles where a logic bug is left', { timeout: 60_000 }, async () => {
    const validation = request(
      'export function twice(s: string): number {\n  return s * 3\n}\nexport function size(xs: string[]): number {\n  return xs.lenght\n}\n',
      `import { expect, it } from 'vitest'\nimport { size, twice } from './solution'\nit('size', () => expect(size(['a'])).toBe(1))\nit('twice', () => expect(twice('2')).toBe(4))\n`,
    )
    const report = await validator.validate(validation, { scope: 'logic' })
    const repair = await repairTypes(
      { validation, report, depth: 'search', maxCandidates: 100, maxTimeMs: 20_000 },
      { validator, sandbox, scope: 'logic' },
      { maxCandidates: 100, maxTimeMs: 20_000, patience: 6 },
    )
    expect(repair.report?.layers.find(({ status }) => status === 'failed')?.layer).toBe('tests')
    expect(repair.report?.tests).toMatchObject({ total: 2, passed: 1 })
    expect(repair.files?.['solution.ts']).toContain('xs.length')
  })
})
