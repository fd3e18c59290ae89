// Run with `npm run bench -- type-repair [--every 1] [--limit-ms 20000] [--no-logic] [--only words-of-a-title]`.
// Repairs the programs of test/fixtures/mechanic, written as small models write them, with no model: type repair, then the search for
// logic bugs, judged by the real validator and sandbox. Prints what stays red, the rate by error code, the median and the curve.
// The programs were used to find the kinds of mends, so the rate says what is mended, not what would be on others.
import { parseArgs } from 'node:util'
import { limitsSchema } from '../src/domain/policy.ts'
import { createMend } from '../src/mechanic/mend.ts'
import { closeSearchThread, searchLogic } from '../src/mechanic/search/index.ts'
import { closeRepairThreads } from '../src/mechanic/types/index.ts'
import { createSandbox } from '../src/sandbox/index.ts'
import { createTypeService, createValidator } from '../src/validate/index.ts'
import type { ValidationRequest } from '../src/validate/types.ts'
import { type BrokenProgram, readCorpus } from '../test/mechanic/corpus.ts'

const { values } = parseArgs({
  options: {
    every: { type: 'string', default: '1' },
    'limit-ms': { type: 'string', default: '20000' },
    'no-logic': { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
  },
})

interface Outcome {
  readonly ms: number
  readonly isGreen: boolean
  readonly codes: readonly string[]
}

await using sandbox = createSandbox()
const typeService = createTypeService()
await using validator = createValidator({ sandbox, typeService })
const mend = createMend(values['no-logic'] ? null : searchLogic)

/** Null where the program has no type or syntax defect. */
async function repair({ id, program, tests }: BrokenProgram): Promise<Outcome | null> {
  const validation: ValidationRequest = {
    language: 'typescript',
    entry: 'solution.ts',
    files: { 'solution.ts': program },
    context: {},
    tests: { 'solution.test.ts': tests },
    hiddenTests: {},
    packages: [],
    packageRoot: process.cwd(),
    compilerOptions: { strict: true },
    limits: limitsSchema.parse({}),
    allow: { anyCasts: false, tsIgnore: false, eval: false },
    deny: { modules: [], globals: [], calls: [] },
    validation: 'fail-fast',
    setAside: [],
  }
  const report = await validator.validate(validation, { scope: id })
  if (report.passed || report.layers.some(({ layer, status }) => layer === 'tests' && status === 'failed')) return null
  const startedAt = performance.now()
  const { files, changes } = await mend(
    { validation, report, depth: 'search', maxCandidates: 2_000, maxTimeMs: Number(values['limit-ms']) },
    { validator, sandbox, scope: id },
  )
  const ms = performance.now() - startedAt
  const isGreen = files !== null && (await validator.validate({ ...validation, files }, { scope: id })).passed
  await sandbox.release(id)
  const codes = [...new Set(report.failures.map(({ layer, code }) => code ?? layer))]
  if (!isGreen) console.log(`red   ${id}: ${codes.join(', ')}; ${changes.join('; ') || 'no change helped'}`)
  return { ms, isGreen, codes }
}

const outcomes: Outcome[] = []
const programs = readCorpus()
  .filter((_, index) => index % Number(values.every) === 0)
  .filter(({ id }) => id.includes(values.only))
for (const program of programs) {
  const outcome = await repair(program)
  if (outcome) outcomes.push(outcome)
}

const rate = (list: readonly Outcome[]): string => {
  const green = list.filter(({ isGreen }) => isGreen).length
  return `${green} of ${list.length} (${Math.round((100 * green) / Math.max(1, list.length))} %)`
}
const having = (code: string): Outcome[] => outcomes.filter(({ codes }) => codes.includes(code))
const codes = [...new Set(outcomes.flatMap((outcome) => outcome.codes))].sort(
  (a, b) => having(b).length - having(a).length || a.localeCompare(b),
)
console.table(Object.fromEntries(codes.map((code) => [code, { green: rate(having(code)) }])))
const sorted = outcomes.map(({ ms }) => ms).sort((a, b) => a - b)
const median = sorted[Math.floor(sorted.length / 2)] ?? 0
console.log(
  `${rate(outcomes)} green, median ${Math.round(median)} ms; ${programs.length - outcomes.length} of ${programs.length} have no such defect`,
)
for (const seconds of [0.1, 0.25, 0.5, 1, 2, 5, 10, 20])
  console.log(
    `within ${String(seconds).padStart(4)} s  ${outcomes.filter(({ isGreen, ms }) => isGreen && ms <= seconds * 1_000).length}`,
  )

await typeService.close()
await closeRepairThreads()
await closeSearchThread()
