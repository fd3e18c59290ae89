import type { Failure } from '../domain/report.ts'
import type { GuestError } from '../sandbox/types.ts'
import { cleanText } from './purify/ansi.ts'
import { toFailure } from './purify/finding.ts'
import { type KnownSources, type OwnPlace, ownFrames, placeParts } from './purify/place.ts'
import { thrownFinding } from './purify/thrown.ts'
import { parseStack } from './stack/parse.ts'
import type { SourceText } from './stack/source-map.ts'

/** What is known around an error of the sandbox. */
export interface GuestContext {
  readonly layer: string
  /** 'suite > name' */
  readonly test?: string
  /** The candidate's files: the author's text, and the map of what ran where something was emitted. */
  readonly sources: Readonly<Record<string, SourceText>>
  readonly testSources?: Readonly<Record<string, SourceText>>
  /** Default: by the error. */
  readonly kind?: 'runtime' | 'logic' | 'timeout' | 'test' | 'syntax' | 'dependency'
  readonly hint?: string
}

const finerOfKind = {
  runtime: 'runtime',
  logic: 'assertion',
  timeout: 'timeout',
  test: 'fixture',
  syntax: 'syntax',
  dependency: 'import',
} as const

/**
 * An error of the sandbox as a failure: the assertion read, the stack mapped to the author's text and cut to the task's own
 * frames, recursion folded, causes named in the hint. `location` is in the candidate, `assertion` in the tests.
 */
export function failureFromGuestError(error: GuestError, context: GuestContext): Failure {
  const sources: KnownSources = {
    files: new Map(Object.entries(context.sources)),
    tests: new Map(Object.entries(context.testSources ?? {})),
  }
  const finding = thrownFinding(error)
  if (context.kind !== undefined) finding.finer = finerOfKind[context.kind]
  const { candidate, test } = placesOf(error, sources)
  const cause = finding.finer === 'assertion' ? undefined : placesOfCause(error, sources)
  return toFailure({
    ...finding,
    layer: context.layer,
    test: context.test,
    hint: joinHints(context.hint, finding.hint),
    ...placeParts(cause ?? candidate, test),
  })
}

/** The nearest place in the candidate and the nearest in the tests. */
function placesOf(error: GuestError, sources: KnownSources): { candidate?: OwnPlace; test?: OwnPlace } {
  const message = cleanText(error.message)
  const stack = parseStack(cleanText(error.stack), message)
  const { places } = ownFrames(stack.frames, sources, true)
  const candidate = places.find((place) => sources.files.has(place.file))
  const test = places.find((place) => sources.tests.has(place.file))
  return { ...(candidate ? { candidate } : {}), ...(test ? { test } : {}) }
}

/** Where the deepest cause came from: that is where to look. */
function placesOfCause(error: GuestError, sources: KnownSources): OwnPlace | undefined {
  let deepest: OwnPlace | undefined
  let current = error.cause
  for (let depth = 0; current !== undefined && depth < 8; depth += 1) {
    deepest = placesOf(current, sources).candidate ?? deepest
    current = current.cause
  }
  return deepest
}

function joinHints(...hints: readonly (string | undefined)[]): string | undefined {
  const present = hints.filter((hint): hint is string => hint !== undefined && hint !== '')
  return present.length > 0 ? present.join('; ') : undefined
}
