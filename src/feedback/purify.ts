import type { Failure } from '../domain/report.ts'
import type { DetailedFailure } from './purify/finding.ts'
import { finishFinding } from './purify/finish.ts'
import { causesFirst, foldDuplicates } from './purify/order.ts'
import { type RawFinding, rawFindings, resolveSources, type Sources } from './purify/raw.ts'

const maxFailures = 60
const maxFound = 120

/**
 * Turns what a tool said into failures: root cause first, duplicates and recursion folded, the task's own frames and paths only,
 * values visible, texts bounded, advice dropped. Never throws; linear in the size of the input. An empty list means that nothing
 * in it is a failure.
 *
 * @param raw text, or an object with what is known: `tool`, `exitCode`, `signal`, `stdout`, `stderr`, `message`, `error`, `thrown`,
 *   `stack`, `events`, `diff`, `failureMessages`, `errors`, `sql`, `source` …; a list of such gives the failures of all
 * @param sources the task's files, with maps where code was emitted
 */
export function purify(raw: unknown, sources: Sources = {}): Failure[] {
  return purifyDetailed(raw, sources).map((detail) => detail.failure)
}

/** As `purify`, with the finer kind, own frames, cycle, causes and other parts that a Failure has no member for. */
export function purifyDetailed(raw: unknown, sources: Sources = {}): DetailedFailure[] {
  const known = resolveSources(sources)
  const found = rawFindings(raw, known)
  // More than can be shown is not made ready; what comes before other things in importance is looked for among all.
  const telling =
    found.length > maxFound
      ? [...found.filter(isEarly), ...found.filter((entry) => !isEarly(entry))].slice(0, maxFound)
      : found
  const details = telling.map(({ finding, source }) => finishFinding(finding, known, source, sources.layer))
  return foldDuplicates(causesFirst(details)).slice(0, maxFailures)
}

export type { DetailedFailure, FinerKind } from './purify/finding.ts'

const isEarly = ({ finding }: RawFinding): boolean =>
  ['syntax', 'import', 'export', 'infrastructure', 'missing_command', 'crash', 'out_of_memory'].includes(finding.finer)

export type { Sources } from './purify/raw.ts'
