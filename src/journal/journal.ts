import { createHash } from 'node:crypto'
import { RedgreenError } from '../errors.ts'

/**
 * The one port through which every effect of a run goes. A run is resumed by starting it again over the same journal: recorded steps
 * answer at once and the chart arrives where it was.
 */
export interface Journal {
  /**
   * Runs `effect` once per (run, name) and records its result; a recorded result is returned without running it again. Steps may run
   * side by side; a second call of a running name shares its result. Results and inputs are JSON: what comes back is what a later
   * process would read, so `undefined` members are gone.
   *
   * Nothing is recorded when the effect rejects, so a resumed run tries again. The effect gets the run's signal; once that is
   * aborted no new effect starts (ABORTED), while recorded steps still answer and a result that arrives anyway is kept.
   *
   * @throws JOURNAL_DIVERGED if the name is known with another input; ABORTED; whatever `effect` rejects with
   */
  step<T>(name: string, input: unknown, effect: (signal: AbortSignal) => Promise<T>): Promise<T>
}

/** A recorded step. */
export interface JournalEntry {
  /** `<state>/<visit>/<part>[/<call>]` */
  readonly name: string
  readonly inputHash: string
  /** JSON text; undefined for an effect without a result. */
  readonly result: string | undefined
}

/** Journals of many runs in one place; opening a run twice gives journals over the same entries. */
export interface JournalStore {
  open(runId: string, options?: { readonly signal?: AbortSignal }): Journal
  /** Recorded steps in the order in which they were started; [] for a run that has none. */
  entries(runId: string): Promise<readonly JournalEntry[]>
  /** Starts a run with these entries, e.g. those that a fork keeps. Throws INVALID_OPTION if the run has entries already. */
  seed(runId: string, entries: readonly JournalEntry[]): Promise<void>
  /** Drops a run's entries; such a run cannot be resumed any more. Unknown runs are no error. */
  forget(runId: string): Promise<void>
  /** Idempotent. Steps that still run are not recorded any more. */
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/** Hash of a step's input, blind to the order of members and to undefined ones. */
export function hashInput(input: unknown): string {
  return createHash('sha256').update(canonicalJson(input)).digest('hex')
}

/** The entries before the step of this name, in order: what a fork at that step keeps. Throws INVALID_OPTION if there is no such step. */
export function entriesBefore(entries: readonly JournalEntry[], name: string): readonly JournalEntry[] {
  const index = entries.findIndex((entry) => entry.name === name)
  if (index === -1) {
    throw new RedgreenError('INVALID_OPTION', `The run has no step "${name}". Its steps are listed by "redgreen show".`)
  }
  return entries.slice(0, index)
}

export function divergedError(name: string): RedgreenError {
  return new RedgreenError(
    'JOURNAL_DIVERGED',
    `Step "${name}" is recorded with another input. The task, the policy or the version of redgreen has changed since; start a new run.`,
    { detail: { step: name } },
  )
}

export function abortedError(name: string, cause: unknown): RedgreenError {
  if (RedgreenError.isInstance(cause) && cause.code === 'ABORTED') return cause
  return new RedgreenError('ABORTED', `Step "${name}" was aborted.`, { cause, detail: { step: name } })
}

/** JSON text of a step's result. Throws INTERNAL for what JSON cannot hold (cycles, BigInt). */
export function encodeResult(name: string, result: unknown): string | undefined {
  try {
    return JSON.stringify(result)
  } catch (cause) {
    throw new RedgreenError('INTERNAL', `The result of step "${name}" cannot be recorded: it is not JSON.`, { cause })
  }
}

function canonicalJson(value: unknown): string {
  return (
    JSON.stringify(value, (_key, member: unknown) => {
      if (typeof member !== 'object' || member === null || Array.isArray(member)) return member
      return Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
    }) ?? 'undefined'
  )
}
