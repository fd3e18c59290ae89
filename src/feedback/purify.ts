import type { Failure } from '../domain/report.ts'
import type { DetailedFailure } from './purify/finding.ts'
import { finishFinding } from './purify/finish.ts'
import { causesFirst, foldDuplicates } from './purify/order.ts'
import type { KnownSources } from './purify/place.ts'
import { type RawFinding, rawFindings, resolveSources, type Sources } from './purify/raw.ts'
import { isForeignPath, toTaskPath } from './stack/path.ts'

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
  const details = telling.map(({ finding, source }) =>
    finishFinding(finding, withMapped(known, finding, source), source, sources.layer),
  )
  return foldDuplicates(causesFirst(details)).slice(0, maxFailures)
}

export type { DetailedFailure, FinerKind } from './purify/finding.ts'

/** A program given with its map and no path: the file that ran is its emitted form. */
function withMapped(known: KnownSources, finding: RawFinding['finding'], source: RawFinding['source']): KnownSources {
  if (source?.map === undefined || known.files.size > 0) return known
  const ran = finding.frames?.find((frame) => frame.file !== '' && !isForeignPath(frame.file))?.file
  if (ran === undefined) return known
  const path = toTaskPath(ran, known.root).replace(/\.([cm]?)jsx?$/, '.$1ts')
  return { ...known, files: new Map([[path, source]]), entry: path }
}

const isEarly = ({ finding }: RawFinding): boolean =>
  ['syntax', 'import', 'export', 'infrastructure', 'missing_command', 'crash', 'out_of_memory'].includes(finding.finer)

export type { Sources } from './purify/raw.ts'
