import type { Trust } from '../../domain/result.ts'
import type { SearchJob, SearchOutcome } from '../../sandbox/types.ts'
import type { MechanicTools, TrustRequest } from '../types.ts'
import { type JudgeFiles, verdictOf } from './judge.ts'
import type { Analysis, Mutant, PreparedProgram } from './messages.ts'
import { aborted } from './thread.ts'

/** One lane for each of the two children that a run has. */
const lanes = 2
/** Mutants that one isolate judges: an isolate costs as much as several of them. */
const batchSize = 8
/** What a mutant may burn: so many times what the candidate itself took, within these bounds. */
const patience = { factor: 4, minCpuMs: 150, maxCpuMs: 1_000 }

/** So many mutants of one line have to live before it counts as unwatched. */
const minAlive = 3

export interface Hunt {
  readonly analysis: Analysis
  readonly program: PreparedProgram | null
  readonly judge: JudgeFiles
  /** What the candidate's own tests take. */
  readonly usualMs: number | undefined
  readonly deadlineAt: number
  readonly nowMs: () => number
}

export interface Hunted {
  readonly mutants: Trust['mutants']
  /** Lines, as `file:line`, of which several mutants live and none was killed: no test looks at what they do. */
  readonly unwatched: readonly string[]
}

interface Judged {
  readonly mutant: Mutant
  readonly verdict: 'killed' | 'alive' | 'none'
}

/**
 * Judges mutants in their order until as many as wanted were or the time is up. Several share an isolate, which is quick; those that
 * live are judged once more by the validator, whose word counts, as far as time allows.
 */
export async function huntMutants(
  request: TrustRequest,
  tools: MechanicTools,
  { analysis, program, judge, usualMs, deadlineAt, nowMs }: Hunt,
): Promise<Hunted> {
  const { signal, sandbox, scope } = tools
  const { validation } = request
  const wanted = request.mutants
  const isOver = (): boolean => nowMs() >= deadlineAt
  if (!program || wanted === 0) return { mutants: { killed: 0, total: 0, survivors: [] }, unwatched: [] }

  const { factor, minCpuMs, maxCpuMs } = patience
  const variantCpuMs = Math.ceil(Math.min(maxCpuMs, Math.max(minCpuMs, (usualMs ?? maxCpuMs) * factor)))
  const search = async (mutants: readonly (Mutant | null)[]): Promise<SearchOutcome['variants']> => {
    const job: SearchJob = {
      kind: 'search',
      entry: program.entry,
      modules: program.modules,
      packages: program.packages,
      tests: program.tests,
      limits: validation.limits,
      environment: { ...usual, ...validation.environment },
      allowEval: validation.allow.eval,
      variants: mutants.map((_, index) => index),
      variantModules: mutants.map((mutant) => (mutant ? [mutant.module] : [])),
      variantCpuMs,
    }
    return (await sandbox.run(job, { scope, ...(signal ? { signal } : {}) })).variants
  }

  const judged: (Judged | undefined)[] = []
  let taken = 0
  let isExhausted = false
  /** Batches are taken one after the other, so that their numbers are in the order of the mutants. */
  let taking: Promise<unknown> = Promise.resolve()
  const takeBatch = (): Promise<{ from: number; mutants: readonly Mutant[] }> => {
    const batch = taking.then(async () => {
      const count = isExhausted ? 0 : Math.min(batchSize, wanted - taken)
      const mutants = count > 0 ? await analysis.take(count) : []
      isExhausted ||= mutants.length < count
      const from = taken
      taken += mutants.length
      return { from, mutants }
    })
    taking = batch.catch(() => {})
    return batch
  }

  const lane = async (): Promise<void> => {
    while (!isOver()) {
      if (signal?.aborted) throw aborted(signal)
      const { from, mutants } = await takeBatch()
      if (mutants.length === 0) return
      // the unchanged program first: what passes there has to pass
      const [base, ...variants] = await search([null, ...mutants])
      for (const [index, mutant] of mutants.entries()) {
        const variant = variants[index]
        const isKilled =
          variant && base && (variant.timedOut || base.passed.some((test) => !variant.passed.includes(test)))
        judged[from + index] = { mutant, verdict: !variant || !base ? 'none' : isKilled ? 'killed' : 'alive' }
      }
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane))

  const all = judged.filter((each) => each !== undefined)
  const alive = [...all.entries()].filter(([, { verdict }]) => verdict === 'alive')
  const confirm = async (): Promise<void> => {
    while (!isOver()) {
      const next = alive.shift()
      if (!next) return
      const [index, { mutant }] = next
      const report = await judge(
        { ...validation.files, [mutant.file]: mutant.text },
        { limits: { ...validation.limits, cpuMs: Math.min(validation.limits.cpuMs, 2 * maxCpuMs) } },
      )
      const verdict = verdictOf(report)
      all[index] = { mutant, verdict: verdict === 'red' ? 'killed' : verdict === 'green' ? 'alive' : 'none' }
    }
  }
  await Promise.all(Array.from({ length: lanes }, confirm))

  const counted = all.filter(({ verdict }) => verdict !== 'none')
  const survivors = counted
    .filter(({ verdict }) => verdict === 'alive')
    .map(({ mutant: { file, line, change } }) => ({ file, line, change }))
    .sort((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : a.line - b.line))
  return {
    mutants: { killed: counted.length - survivors.length, total: counted.length, survivors },
    unwatched: unwatchedLines(counted),
  }
}

function unwatchedLines(judged: readonly Judged[]): string[] {
  const lines = new Map<string, { alive: number; killed: number }>()
  for (const { mutant, verdict } of judged) {
    const place = `${mutant.file}:${mutant.line}`
    const line = lines.get(place) ?? { alive: 0, killed: 0 }
    if (verdict === 'alive') line.alive++
    else line.killed++
    lines.set(place, line)
  }
  return [...lines].filter(([, { alive, killed }]) => killed === 0 && alive >= minAlive).map(([place]) => place)
}

/** As the validator has it: 2024-01-01T00:00:00Z. */
const usual = { seed: 1, epochMs: 1_704_067_200_000, timeZone: 'UTC', shuffleTests: false }
