import type { Report } from '../../domain/report.ts'
import type { FileMap } from '../../domain/task.ts'
import type { MechanicTools, MendRequest } from '../types.ts'
import { repairInThread } from './thread.ts'

/** What the type and syntax part of the mechanic found. */
export interface TypeRepair {
  /** The best candidate and its report; null when nothing was better than what came. */
  readonly files: FileMap | null
  readonly report: Report | null
  readonly changes: readonly string[]
  /** Candidates validated in the sandbox. */
  readonly tried: number
  /** Other candidates that compile, the best first; starting points for a search for logic bugs. */
  readonly compiling: readonly {
    readonly files: FileMap
    readonly report: Report
    readonly changes: readonly string[]
  }[]
}

/** Compiler states looked at for each candidate of the budget: a state costs about a hundredth of a second, a candidate some times that. */
const statesPerCandidate = 2
const compilingKept = 5

/** Layers that this part mends; anything else (tests, hidden) is for the search. */
export const isTypeDefect = (report: Report): boolean => {
  const red = report.layers.find((layer) => layer.status === 'failed')?.layer
  return red === 'extract' || red === 'syntax' || red === 'imports' || red === 'types' || red === 'policy'
}

/** True where a report is nearer to green than another: a further layer, then more tests. */
const isBetter = (a: Report, b: Report): boolean => (a.passed !== b.passed ? a.passed : a.score > b.score)

/**
 * Repairs what keeps a candidate from compiling, by fixes and templates in best-first combination; the sandbox judges what compiles.
 * Rejects with ABORTED, TYPE_SERVICE_FAILED or what the validator throws.
 */
export async function repairTypes(
  request: MendRequest,
  tools: MechanicTools,
  limits: { maxCandidates: number; maxTimeMs: number; patience: number },
): Promise<TypeRepair> {
  const { validation } = request
  const none: TypeRepair = { files: null, report: null, changes: [], tried: 0, compiling: [] }
  if (validation.language !== 'typescript' || limits.maxCandidates < 1) return none
  const compiling: { files: FileMap; report: Report; changes: readonly string[] }[] = []
  let tried = 0
  const judge = async (files: FileMap, changes: readonly string[]): Promise<Report> => {
    tried += 1
    const options = tools.signal ? { scope: tools.scope, signal: tools.signal } : { scope: tools.scope }
    const report = await tools.validator.validate(
      { ...validation, files, hiddenTests: {}, validation: 'fail-fast' },
      options,
    )
    compiling.push({ files, report, changes })
    return report
  }
  const result = await repairInThread(
    {
      files: validation.files,
      context: validation.context,
      tests: validation.tests,
      entry: validation.entry,
      compilerOptions: validation.compilerOptions,
      packages: validation.packages,
      packageRoot: validation.packageRoot,
      allowAnyCasts: validation.allow.anyCasts,
      allowTsIgnore: validation.allow.tsIgnore,
      maxStates: limits.maxCandidates * statesPerCandidate,
      maxTimeMs: limits.maxTimeMs,
      patience: limits.patience,
    },
    {
      async judge(files, changes) {
        const report = await judge({ ...files }, changes)
        return { isGreen: report.passed, passed: report.tests.passed }
      },
      onProgress: ({ errors, note }) =>
        tools.onProgress?.({
          tried,
          maxCandidates: limits.maxCandidates,
          bestPassed: best(compiling)?.report.tests.passed ?? 0,
          total: request.report.tests.total,
          note: `${errors} errors left: ${note}`,
        }),
      ...(tools.signal ? { signal: tools.signal } : {}),
    },
  )
  const ranked = [...compiling].sort((a, b) =>
    isBetter(a.report, b.report) ? -1 : isBetter(b.report, a.report) ? 1 : a.changes.length - b.changes.length,
  )
  const found = ranked[0]
  if (found && isBetter(found.report, request.report))
    return { ...found, tried, compiling: ranked.slice(1, compilingKept + 1) }
  if (!result.files) return { ...none, tried, compiling: ranked.slice(0, compilingKept) }
  const report = await judge({ ...result.files }, result.changes)
  // fewer errors in the same layer is better too: the next try starts from there
  const fewer = report.failures.length < request.report.failures.length || isBetter(report, request.report)
  return fewer
    ? { files: { ...result.files }, report, changes: result.changes, tried, compiling: ranked.slice(0, compilingKept) }
    : { ...none, tried, compiling: ranked.slice(0, compilingKept) }
}

const best = <T extends { report: Report }>(list: readonly T[]): T | undefined =>
  list.reduce<T | undefined>((found, item) => (!found || isBetter(item.report, found.report) ? item : found), undefined)
