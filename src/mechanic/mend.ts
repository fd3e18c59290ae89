import type { Report } from '../domain/report.ts'
import type { FileMap } from '../domain/task.ts'
import { isTypeDefect, repairTypes } from './types/repair-types.ts'
import type { MechanicTools, Mend, MendOutcome, MendRequest } from './types.ts'

/** The search for logic bugs, which starts where the code compiles. */
export type LogicSearch = (request: MendRequest, tools: MechanicTools) => Promise<MendOutcome>

/** In a deep repair, what type repair may take of the budget: what it finds is where the search begins. */
const typeShare = 0.5

/**
 * The mechanic: type and syntax repair first; with depth `search` then the logic search, from the given code when it compiles and
 * else from the best candidate that does. The smallest budget rules: candidates and time are shared.
 */
export function createMend(search: LogicSearch | null, nowMs: () => number = () => performance.now()): Mend {
  return async (request, tools) => {
    const started = nowMs()
    let start: { files: FileMap; report: Report } = { files: request.validation.files, report: request.report }
    let changes: readonly string[] = []
    let tried = 0
    let isImproved = false
    if (isTypeDefect(request.report)) {
      const share = request.depth === 'search' && search ? typeShare : 1
      const repair = await repairTypes(request, tools, {
        maxCandidates: request.maxCandidates,
        maxTimeMs: request.maxTimeMs * share,
      })
      tried += repair.tried
      if (repair.files && repair.report) {
        start = { files: repair.files, report: repair.report }
        changes = repair.changes
        isImproved = true
      }
    }
    const own: MendOutcome = { files: isImproved ? start.files : null, changes, tried, disagreements: [] }
    if (start.report.passed || isTypeDefect(start.report) || request.depth === 'quick' || !search) return own
    const left = { maxCandidates: request.maxCandidates - tried, maxTimeMs: request.maxTimeMs - (nowMs() - started) }
    if (left.maxCandidates < 1 || left.maxTimeMs <= 0) return own
    const found = await search(
      { ...request, ...left, validation: { ...request.validation, files: start.files }, report: start.report },
      tools,
    )
    return {
      files: found.files ?? own.files,
      changes: [...changes, ...found.changes],
      tried: tried + found.tried,
      disagreements: found.disagreements,
    }
  }
}
