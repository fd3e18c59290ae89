// Run with `node bench/mechanic.bench.ts [--limit-ms 60000] [--every 1] [--visible tests|example_tests] [--max 20000] [--only id,id]`.
// Repairs the buggy JavaScript functions of humanevalpack with the mechanic alone (MIT, bigcode-project/octopack; read from
// ../shared/corpora, skipped where absent). With `--visible example_tests` the few tests of the task's text are shown and the many
// are the hidden ones: a patch that passes what is shown and fails what is hidden is plausible but wrong. Then trust is measured too.
// One needs a package (js-md5) and is left out. Times are of one run on one machine, others may have been using it.
import { existsSync, readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { limitsSchema } from '../src/domain/policy.ts'
import { createMend } from '../src/mechanic/mend.ts'
import { closeSearchThread, searchLogic } from '../src/mechanic/search/index.ts'
import { measureTrust } from '../src/mechanic/trust/index.ts'
import { createSandbox } from '../src/sandbox/index.ts'
import { createTypeService, createValidator } from '../src/validate/index.ts'
import type { ValidationRequest } from '../src/validate/types.ts'

const corpus = new URL('../../shared/corpora/humanevalpack_js.jsonl', import.meta.url)
const { values } = parseArgs({
  options: {
    'limit-ms': { type: 'string', default: '60000' },
    every: { type: 'string', default: '1' },
    from: { type: 'string', default: '0' },
    visible: { type: 'string', default: 'tests' },
    max: { type: 'string', default: '20000' },
    only: { type: 'string', default: '' },
    verbose: { type: 'boolean', default: false },
  },
})

interface Row {
  readonly id: string
  readonly bug_type: string
  readonly declaration: string
  readonly buggy: string
  readonly solution: string
  readonly tests: string
  readonly example_tests: string
}

if (!existsSync(corpus)) {
  console.log('skipped: ../shared/corpora/humanevalpack_js.jsonl is not there')
  process.exit(0)
}
const only = new Set(values.only.split(',').filter(Boolean))
const rows = readFileSync(corpus, 'utf8')
  .trim()
  .split('\n')
  .map((line): Row => JSON.parse(line))
  .filter(({ id }) => id !== 'JavaScript/162')
  .filter(({ id }, index) =>
    only.size > 0
      ? only.has(id.replace('JavaScript/', ''))
      : index >= Number(values.from) && index % Number(values.every) === 0,
  )
const withDeclaration = (row: Row, body: string): string =>
  body.includes(row.declaration.trim()) ? body : row.declaration + body

await using sandbox = createSandbox()
const typeService = createTypeService()
await using validator = createValidator({ sandbox, typeService })
const mend = createMend(searchLogic)

interface Outcome {
  readonly id: string
  readonly type: string
  readonly ms: number
  readonly tried: number
  readonly green: boolean
  readonly right: boolean
  readonly disagreed: boolean
  /** What trust said of a green patch; only asked where few tests are shown. */
  readonly level: 'high' | 'medium' | 'low' | undefined
}

async function repair(row: Row): Promise<Outcome> {
  const visible = values.visible === 'example_tests' ? row.example_tests : row.tests
  const validation: ValidationRequest = {
    language: 'javascript',
    entry: 'solution.js',
    files: { 'solution.js': withDeclaration(row, row.buggy) },
    context: {},
    tests: { 'solution.test.js': visible },
    hiddenTests: {},
    packages: [],
    packageRoot: process.cwd(),
    compilerOptions: {},
    limits: limitsSchema.parse({}),
    allow: { anyCasts: false, tsIgnore: false, eval: false },
    deny: { modules: [], globals: [], calls: [] },
    validation: 'fail-fast',
    setAside: [],
  }
  const scope = row.id
  const report = await validator.validate(validation, { scope })
  const startedAt = performance.now()
  const outcome = report.passed
    ? { files: validation.files, changes: ['nothing: it passes'], tried: 0, disagreements: [] }
    : await mend(
        {
          validation,
          report,
          depth: 'search',
          maxCandidates: Number(values.max),
          maxTimeMs: Number(values['limit-ms']),
        },
        { validator, sandbox, scope },
      )
  const ms = performance.now() - startedAt
  const judged = async (tests: string): Promise<boolean> =>
    outcome.files !== null &&
    (await validator.validate({ ...validation, files: outcome.files, tests: { 'solution.test.js': tests } }, { scope }))
      .passed
  const green = await judged(visible)
  const right = values.visible === 'example_tests' ? green && (await judged(row.tests)) : green
  const level =
    green && outcome.files && values.visible === 'example_tests'
      ? (
          await measureTrust(
            {
              validation: { ...validation, files: outcome.files },
              disagreements: outcome.disagreements,
              mutants: 50,
              timeMs: 3_000,
              repeats: 2,
            },
            { validator, sandbox, scope },
          )
        ).level
      : undefined
  await sandbox.release(scope)
  console.log(
    `${row.id.padEnd(15)} ${green ? (right ? 'right' : 'WRONG') : '  -  '} ${level ? level.padEnd(7) : ''}${String(Math.round(ms)).padStart(6)} ms ${String(outcome.tried).padStart(6)} tried  ${Math.round((outcome.tried / ms) * 1000)}/s  ${row.bug_type}: ${outcome.changes.join('; ').slice(0, 150)}`,
  )
  if (values.verbose) for (const text of outcome.disagreements) console.log(`    ${text}`)
  return {
    id: row.id,
    type: row.bug_type,
    ms,
    tried: outcome.tried,
    green,
    right,
    disagreed: outcome.disagreements.length > 0,
    level,
  }
}

const outcomes: Outcome[] = []
for (const row of rows) outcomes.push(await repair(row))

const share = (part: number, whole: number): string =>
  `${part} of ${whole} (${Math.round((100 * part) / Math.max(1, whole))} %)`
const types = [...new Set(outcomes.map(({ type }) => type))].sort()
console.table(
  Object.fromEntries(
    [...types, 'all'].map((type) => {
      const own = outcomes.filter((outcome) => type === 'all' || outcome.type === type)
      return [
        type,
        {
          green: share(own.filter(({ green }) => green).length, own.length),
          right: share(own.filter(({ right }) => right).length, own.length),
        },
      ]
    }),
  ),
)
const times = outcomes
  .filter(({ green }) => green)
  .map(({ ms }) => ms)
  .sort((a, b) => a - b)
console.log(`median time to green ${Math.round(times[times.length >> 1] ?? 0)} ms`)
console.log(
  'green after',
  [0.5, 1, 2, 3, 5, 10, 20, 30, 60]
    .map((seconds) => `${seconds} s: ${times.filter((ms) => ms <= seconds * 1000).length}`)
    .join(', '),
)
const tried = outcomes.reduce((sum, outcome) => sum + outcome.tried, 0)
const spent = outcomes.reduce((sum, outcome) => sum + outcome.ms, 0)
console.log(`${tried} candidates, ${Math.round((tried / spent) * 1000)} a second`)
const wrong = outcomes.filter(({ green, right }) => green && !right)
if (values.visible === 'example_tests') {
  const right = outcomes.filter((outcome) => outcome.right)
  const rated = (own: readonly Outcome[]): Record<string, number> =>
    Object.fromEntries(
      ['low', 'medium', 'high'].map((level) => [level, own.filter((row) => row.level === level).length]),
    )
  console.log('trust of the green patches')
  console.table({ 'right on the hidden tests': rated(right), 'wrong on them': rated(wrong) })
  console.log(
    `plausible but wrong: ${wrong.length}, of these with a disagreement reported: ${wrong.filter(({ disagreed }) => disagreed).length}; right with one: ${right.filter(({ disagreed }) => disagreed).length}`,
  )
}
await closeSearchThread()
await typeService.close()
