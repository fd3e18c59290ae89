// Does trust tell solutions that only pass the visible tests from right ones? Run with
// `node bench/trust.bench.ts [solutions of each kind, default 24]`; about two minutes on two cores. Method:
// - humanevalpack_js: `example_tests` visible, `tests` hidden. Wrong: the seeded bugs that pass the visible ones.
// - exercism_ts: every second test hidden. Wrong: single changes of the reference solution that pass the visible half.
// - Right: the reference solutions with the same visible tests. Changes are drawn by a fixed seed; hidden tests only sort the sets.
import { existsSync, readFileSync } from 'node:fs'
import { policySchema } from '../src/domain/policy.ts'
import type { Trust } from '../src/domain/result.ts'
import type { FileMap, Language } from '../src/domain/task.ts'
import { generateMutations } from '../src/mechanic/mutations/generate.ts'
import { measureTrust } from '../src/mechanic/trust/index.ts'
import { createSandbox } from '../src/sandbox/index.ts'
import { createValidator } from '../src/validate/index.ts'
import type { ValidationRequest } from '../src/validate/types.ts'

const size = Number(process.argv[2] ?? 24)
const show = process.argv.includes('--list')
const corpora = new URL('../../shared/corpora/', import.meta.url)

interface Problem {
  readonly id: string
  readonly language: Language
  readonly entry: string
  readonly solution: FileMap
  readonly wrong: readonly FileMap[]
  readonly visible: FileMap
  readonly hidden: FileMap
}

const read = (name: string): Record<string, unknown>[] =>
  readFileSync(new URL(name, corpora), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
const text = (value: unknown): string => (typeof value === 'string' ? value : '')
const fileMap = (value: unknown): FileMap => (value ?? {}) as FileMap

/** A draw that is the same in every run. */
function* draws(): Generator<number> {
  for (let state = 42; ; state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) yield state / 2 ** 32
}
const draw = draws()
const shuffled = <T>(list: readonly T[]): T[] =>
  list
    .map((item) => ({ item, at: draw.next().value ?? 0 }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item)

function humanEval(): Problem[] {
  return read('humanevalpack_js.jsonl').map((row) => ({
    id: text(row.id),
    language: 'javascript',
    entry: 'solution.js',
    solution: { 'solution.js': text(row.solution).trimStart() },
    wrong: [{ 'solution.js': text(row.buggy).trimStart() }],
    visible: { 'visible.test.js': text(row.example_tests) },
    hidden: { 'hidden.test.js': text(row.tests) },
  }))
}

function exercism(): Problem[] {
  return read('exercism_ts.jsonl').map((row) => {
    const entry = text(row.entry_point)
    const solution = Object.fromEntries(
      Object.entries(fileMap(row.solution)).map(([path, code]) => [path === '.meta/proof.ci.ts' ? entry : path, code]),
    )
    const tests = Object.entries(fileMap(row.tests))
    const half = (rest: number): FileMap => {
      let count = 0
      return Object.fromEntries(
        tests.map(([path, code]) => [
          path,
          code.replace(/^(\s*)x?(?:it|test)\(/gm, (_, indent: string) =>
            count++ % 2 === rest ? `${indent}it(` : `${indent}it.skip(`,
          ),
        ]),
      )
    }
    const code = solution[entry] ?? ''
    const changed = shuffled(generateMutations(code, entry).filter(({ cost }) => cost < 0.6))
      .slice(0, 12)
      .map(({ edit }) => ({ ...solution, [entry]: code.slice(0, edit.start) + edit.text + code.slice(edit.end) }))
    return {
      id: text(row.id),
      language: 'typescript' as const,
      entry,
      solution,
      wrong: changed,
      visible: { ...half(0), ...fileMap(row.support_files) },
      hidden: { ...half(1), ...fileMap(row.support_files) },
    }
  })
}

if (!existsSync(corpora)) {
  console.log('skipped: the public sets are not here (../shared/corpora)')
  process.exit()
}

const policy = policySchema.parse({})
await using sandbox = createSandbox()
await using validator = createValidator({ sandbox })

const requestOf = (problem: Problem, files: FileMap, tests: FileMap): ValidationRequest => ({
  language: problem.language,
  entry: problem.entry,
  files,
  context: {},
  tests,
  hiddenTests: {},
  packages: [],
  packageRoot: process.cwd(),
  compilerOptions: {},
  limits: { ...policy.limits, cpuMs: 1_000 },
  allow: policy.allow,
  deny: policy.deny,
  validation: 'fail-fast',
  setAside: [],
})
const passes = async (problem: Problem, files: FileMap, tests: FileMap): Promise<boolean> =>
  (await validator.validate(requestOf(problem, files, tests), { scope: 'bench' })).passed

interface Row {
  readonly id: string
  readonly trust: Trust
}

async function measure(problem: Problem, files: FileMap): Promise<Row> {
  const validation = requestOf(problem, files, problem.visible)
  const trust = await measureTrust(
    { validation, mutants: 50, timeMs: 3_000, repeats: 2 },
    { validator, sandbox, scope: 'bench' },
  )
  return { id: problem.id, trust }
}

async function separate(name: string, problems: readonly Problem[]): Promise<void> {
  const right: Row[] = []
  const wrong: Row[] = []
  const tookMs: number[] = []
  const timed = async (problem: Problem, files: FileMap): Promise<Row> => {
    const startedAt = performance.now()
    const row = await measure(problem, files)
    tookMs.push(performance.now() - startedAt)
    return row
  }
  for (const problem of shuffled(problems)) {
    if (right.length >= size && wrong.length >= size) break
    const isRight =
      (await passes(problem, problem.solution, problem.visible)) &&
      (await passes(problem, problem.solution, problem.hidden))
    if (!isRight) continue
    if (right.length < size) right.push(await timed(problem, problem.solution))
    for (const files of problem.wrong) {
      if (wrong.length >= size) break
      if (!(await passes(problem, files, problem.visible)) || (await passes(problem, files, problem.hidden))) continue
      wrong.push(await timed(problem, files))
      break
    }
  }
  const share = (rows: readonly Row[], ...levels: readonly string[]): string =>
    `${rows.filter(({ trust }) => levels.includes(trust.level)).length} of ${rows.length}`
  const killed = (rows: readonly Row[]): number => {
    const shares = rows.map(({ trust: { mutants } }) => mutants.killed / Math.max(1, mutants.total))
    return Math.round((100 * shares.reduce((a, b) => a + b, 0)) / Math.max(1, shares.length))
  }
  console.log(name)
  console.table(
    Object.fromEntries(
      Object.entries({ wrong, right }).map(([kind, rows]) => [
        kind,
        {
          'low or medium': share(rows, 'low', 'medium'),
          low: share(rows, 'low'),
          high: share(rows, 'high'),
          '% killed': killed(rows),
        },
      ]),
    ),
  )
  const median = tookMs.toSorted((a, b) => a - b)[Math.floor(tookMs.length / 2)] ?? 0
  console.log(`median ${Math.round(median)} ms a verdict`)
  if (!show) return
  for (const [kind, rows] of Object.entries({ wrong, right }))
    for (const { id, trust } of rows) {
      const { mutants, repeats, suspicions, stubFails, level } = trust
      console.log(
        kind,
        id,
        level,
        `${mutants.killed}/${mutants.total}`,
        stubFails ? '' : 'stub passes',
        repeats.flaky,
        suspicions,
      )
      if (kind === 'right')
        for (const survivor of mutants.survivors) console.log(`     ${survivor.line}: ${survivor.change}`)
    }
}

const only = process.argv.find((argument) => /^--only=/.test(argument))?.slice(7)
if (only !== 'exercism') await separate('humanevalpack_js', humanEval())
if (only !== 'humaneval') await separate('exercism_ts', exercism())
