import { initialTransition, transition } from 'xstate'
import type { SolveInput } from '../../machines/solve.context.ts'
import { solveMachine } from '../../machines/solve.machine.ts'
import type { PortName, PortOutputs, SolveEvent } from '../../machines/solve.settle.ts'
import { noUsage } from '../../src/domain/result.ts'
import type { ErrorCode } from '../../src/errors.ts'
import { done, failed, summaryOf, type Verdict } from './alphabet.ts'
import type { Snapshot } from './explore.ts'

const paid = { usage: noUsage, durationMs: 1 }

/** Drives the chart by pure transitions, an answer of the waiting port at a time. */
export function drive(input: SolveInput) {
  let [snapshot]: [Snapshot, ...unknown[]] = initialTransition(solveMachine, input)
  const send = (event: SolveEvent) => {
    // Events of invoked actors are not part of the declared events that `transition` wants.
    ;[snapshot] = transition(solveMachine, snapshot, event as Parameters<typeof transition<typeof solveMachine>>[2])
    return self
  }
  const expectState = (port: PortName) => {
    if (snapshot.value !== port) throw new Error(`the chart waits in ${String(snapshot.value)}, not in ${port}`)
  }
  const self = {
    get state() {
      return String(snapshot.value)
    },
    get context() {
      return snapshot.context
    },
    get path() {
      return snapshot.context.path.join(' ')
    },
    get reason() {
      return snapshot.context.reason
    },
    get plan() {
      const { plan } = snapshot.context
      if (plan === null) throw new Error('no generation has been planned')
      return plan
    },
    send,
    answers<P extends PortName>(port: P, output: PortOutputs[P]) {
      expectState(port)
      return send(done(port, output))
    },
    fails(port: PortName, code: ErrorCode, budget?: string) {
      expectState(port)
      return send(failed(port, code, budget))
    },
    candidate: (cost: Partial<typeof paid> = {}) => self.answers('generate', { kind: 'candidate', ...paid, ...cost }),
    duplicate: (of: number) => self.answers('generate', { kind: 'duplicate', duplicateOf: of, ...paid }),
    noCode: (kind: 'unusable' | 'refused') => {
      const attempt = { number: snapshot.context.lastNumber + 1, origin: 'model', strategy: '' } as const
      return self.answers('generate', { kind, summary: summaryOf(attempt, { layer: 'extract', fp: 'e' }), ...paid })
    },
    judged(layer: string | null, fp?: string, more: Partial<Verdict> = {}) {
      const { current } = snapshot.context
      if (current === null) throw new Error('nothing to judge')
      const summary = summaryOf(current, { layer, ...(fp === undefined ? {} : { fp }), ...more })
      return self.answers('validate', { kind: 'report', summary, durationMs: 1 })
    },
    environment: () => self.answers('validate', { kind: 'environment', detail: 'disk full', durationMs: 1 }),
    /** A candidate with its report. */
    attempt: (layer: string | null, fp?: string) => self.candidate().judged(layer, fp),
    mended: (kind: 'candidate' | 'nothing', tried = 1) => self.answers('mend', { kind, tried, durationMs: 1 }),
    diagnosed: (backsCode = false) => self.answers('analyze', { kind: 'diagnosis', backsCode, ...paid }),
    reviewed(verdict: 'code_wrong' | 'test_wrong' | 'unclear') {
      const tests = snapshot.context.attempts.at(-1)?.failingTests ?? []
      return self.answers('test_review', { verdicts: tests.map((test) => ({ test, verdict })), ...paid })
    },
    trusted: (level: 'low' | 'medium' | 'high') => self.answers('trust', { kind: 'measured', level, durationMs: 1 }),
    review: (verdict: 'accept' | 'repair' | 'escalate') => self.answers('review', { verdict, ...paid }),
  }
  return self
}
