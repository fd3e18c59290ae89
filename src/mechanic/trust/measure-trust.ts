import { RedgreenError } from '../../errors.ts'
import type { MeasureTrust } from '../types.ts'
import { huntMutants } from './hunt.ts'
import { judgeWith, verdictOf } from './judge.ts'
import { trustLevel } from './level.ts'
import type { OpenAnalysis } from './messages.ts'
import { repeatRuns } from './repeats.ts'
import type { Suspicion } from './suspicions/suspicion.ts'
import { openAnalysis } from './thread.ts'

/** Of the budget, what mutants have at least, however long the rest took. */
const mutantShare = 0.5

export interface TrustParts {
  readonly open: OpenAnalysis
  readonly nowMs: () => number
}

/**
 * Measures how far a green candidate may be believed; the rules are in docs/trust.md. Hidden tests take no part. `timeMs` is soft:
 * it bounds the mutants, and what was measured until then is judged. Deterministic unless that budget ends it early.
 * Rejects with ABORTED on the signal, LANGUAGE_UNAVAILABLE for languages other than JavaScript and TypeScript.
 */
export function createMeasureTrust({ open, nowMs }: TrustParts): MeasureTrust {
  return async (request, tools) => {
    const { validation } = request
    if (validation.language !== 'typescript' && validation.language !== 'javascript')
      throw new RedgreenError(
        'LANGUAGE_UNAVAILABLE',
        `Trust is measured for typescript and javascript, not ${validation.language}.`,
      )
    const startedAt = nowMs()
    const judge = judgeWith(request, tools)
    const analysis = open(validation, tools.signal)
    try {
      const looking = analysis.look()
      looking.catch(() => {}) // awaited below; the repeats may fail first
      const repeats = await repeatRuns(request, judge)
      const { stub, suspicions: seen, program } = await looking
      const suspicions = [...seen, ...(request.disagreements ?? []).map(otherPatch)]
      const stubReport = await judge(stub, { validation: 'all' })
      const leftMs = Math.max(request.timeMs - (nowMs() - startedAt), request.timeMs * mutantShare)
      const { mutants, unwatched } = await huntMutants(request, tools, {
        analysis,
        program,
        judge,
        usualMs: repeats.slowestMs,
        deadlineAt: nowMs() + leftMs,
        nowMs,
      })
      const measured = {
        stubFails: verdictOf(stubReport) === 'red',
        mutants,
        repeats: { runs: repeats.runs, flaky: repeats.flaky },
        suspicions,
      }
      return {
        ...measured,
        suspicions: suspicions.map(({ text }) => text),
        level: trustLevel({ ...measured, unwatched: unwatched.length }),
      }
    } finally {
      analysis.close()
    }
  }
}

/** Measures with a thread of this process, by the system clock. */
export const measureTrust: MeasureTrust = createMeasureTrust({ open: openAnalysis, nowMs: () => performance.now() })

function otherPatch(disagreement: string): Suspicion {
  return { kind: 'rival', text: `another patch passes the tests too and differs: ${disagreement}`, isGrave: false }
}
