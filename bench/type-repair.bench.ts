// Run with `node bench/type-repair.bench.ts [--every 1] [--limit-ms 20000] [--logic]`.
// Repairs the programs of test/fixtures/mechanic (our own, written as weak models write) that do not compile, through createMend with
// the real validator and sandbox and no model. Says how many end green, by the codes of their errors, the median time, and how many
// are done after which time. With `--logic` the search for logic bugs goes on from what compiles. The fixtures were also used to
// build the templates: the rate on programs never seen is lower (docs say what was measured). Times are of one run on one machine.
import { parseArgs } from 'node:util'
import { limitsSchema, policySchema } from '../src/domain/policy.ts'
import { createMend } from '../src/mechanic/mend.ts'
import { closeSearchThread, searchLogic } from '../src/mechanic/search/index.ts'
import { isTypeDefect } from '../src/mechanic/types/repair-types.ts'
import { closeRepairThreads } from '../src/mechanic/types/thread.ts'
import { createSandbox } from '../src/sandbox/index.ts'
import { createValidator } from '../src/validate/index.ts'
import type { ValidationRequest } from '../src/validate/types.ts'
import { readCorpus } from '../test/mechanic/corpus.ts'

const { values } = parseArgs({
  options: {
    every: { type: 'string', default: '1' },
    'limit-ms': { type: 'string', default: '20000' },
    logic: { type: 'boolean', default: false },
  },
})
const maxTimeMs = Number(values['limit-ms'])
const programs = readCorpus().filter((_, index) => index % Number(values.every) === 0)

const sandbox = createSandbox()
const validator = createValidator({ sandbox })
const mend = createMend(values.logic ? searchLogic : null)
const { allow, deny } = policySchema.parse({})

const byCode = new Map<string, { green: number; all: number }>()
const greenMs: number[] = []
let broken = 0

for (const { id, program, tests } of programs) {
  const validation: ValidationRequest = {
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
    allow,
    deny,
    validation: 'fail-fast',
    setAside: [],
  }
  const report = await validator.validate(validation, { scope: id })
  if (report.passed || !isTypeDefect(report)) continue
  broken += 1
  const started = performance.now()
  const { files } = await mend(
    { validation, report, depth: 'search', maxCandidates: 2_000, maxTimeMs },
    { validator, sandbox, scope: id },
  )
  const isGreen = files !== null && (await validator.validate({ ...validation, files }, { scope: id })).passed
  if (isGreen) greenMs.push(performance.now() - started)
  else console.log(`left  ${id}`)
  for (const code of new Set(report.failures.map((failure) => failure.code ?? failure.layer))) {
    const count = byCode.get(code) ?? { green: 0, all: 0 }
    byCode.set(code, { green: count.green + (isGreen ? 1 : 0), all: count.all + 1 })
  }
  await sandbox.release(id)
}

greenMs.sort((a, b) => a - b)
const percent = (part: number): string => `${Math.round((100 * part) / Math.max(broken, 1))} %`
console.log(
  `\n${greenMs.length} of ${broken} end green (${percent(greenMs.length)}), median ${Math.round(greenMs[greenMs.length >> 1] ?? 0)} ms`,
)
console.log(
  `done within ${[100, 250, 500, 1_000, 2_000, 5_000, 10_000]
    .map((ms) => `${ms} ms: ${percent(greenMs.filter((time) => time <= ms).length)}`)
    .join(', ')}`,
)
for (const [code, { green, all }] of [...byCode].sort((a, b) => b[1].all - a[1].all))
  console.log(`  ${code}  ${green} of ${all}`)

await closeRepairThreads()
await closeSearchThread()
await validator.close()
await sandbox.close()
