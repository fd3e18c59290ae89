import type { Report } from '../domain/report.ts'
import type { FileMap } from '../domain/task.ts'
import { isTypeDefect, repairTypes } from './types/repair-types.ts'
import type { MechanicTools, Mend, MendOutcome, MendRequest } from './types.ts'

/** The search for logic bugs, which starts where the code compiles. */
export type LogicSearch = (request: MendRequest, tools: MechanicTools) => Promise<MendOutcome>

/** A repair of types gives way to the search for logic bugs, which starts from what compiles, and may try on after it. */
const deep = { patience: 6, secondPatience: 60, share: 0.5, searchShare: 0.7 }
/** Between two calls of a model a repair is worth less than the next reply: it is short, or not at all. */
const quick = { patience: 3, maxCandidates: 40, maxTimeMs: 1_500 }

/**
 * The mechanic. Where the candidate does not compile: type and syntax repair; with depth `search` then the logic search from what
 * compiles best, and if that finds nothing the less likely types. Candidates and time of the budget are shared.
 */
export function createMend(search: LogicSearch | null, nowMs: () => number = () => performance.now()): Mend {
  return async (request, tools) => {
    const deadline = nowMs() + request.maxTimeMs
    let tried = 0
    const left = (share = 1): { maxCandidates: number; maxTimeMs: number } => ({
      maxCandidates: request.maxCandidates - tried,
      maxTimeMs: (deadline - nowMs()) * share,
    })
    const isSpent = (): boolean => left().maxCandidates < 1 || left().maxTimeMs <= 0
    const outcome = (files: FileMap | null, changes: readonly string[], disagreements: readonly string[] = []) => ({
      files,
      changes,
      tried,
      disagreements,
    })

    if (request.depth === 'quick') {
      if (!isTypeDefect(request.report)) return outcome(null, [])
      const { patience, maxCandidates, maxTimeMs } = quick
      const repair = await repairTypes(request, tools, {
        maxCandidates: Math.min(maxCandidates, request.maxCandidates),
        maxTimeMs: Math.min(maxTimeMs, request.maxTimeMs),
        patience,
      })
      tried += repair.tried
      return outcome(repair.files, repair.changes)
    }

    let start: { files: FileMap; report: Report; changes: readonly string[] } | null = null
    if (isTypeDefect(request.report)) {
      const repair = await repairTypes(request, tools, { ...left(deep.share), patience: deep.patience })
      tried += repair.tried
      if (!repair.files || !repair.report) return outcome(null, [])
      start = { files: repair.files, report: repair.report, changes: repair.changes }
      if (start.report.passed || isTypeDefect(start.report)) return outcome(start.files, start.changes)
    }
    const own = outcome(start?.files ?? null, start?.changes ?? [])
    if (!search || isSpent()) return { ...own, tried }
    const { files, report, changes } = start ?? { ...request, files: request.validation.files, changes: [] }
    const found = await search(
      {
        ...request,
        ...left(start ? deep.searchShare : 1),
        validation: { ...request.validation, files },
        report,
      },
      tools,
    )
    tried += found.tried
    if (found.files) return outcome(found.files, [...changes, ...found.changes], found.disagreements)
    if (!start || isSpent()) return { ...own, tried }
    const again = await repairTypes(request, tools, { ...left(), patience: deep.secondPatience })
    tried += again.tried
    return again.report?.passed ? outcome(again.files, again.changes) : { ...own, tried }
  }
}
