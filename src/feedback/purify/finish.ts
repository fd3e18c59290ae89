import { parse } from '@babel/parser'
import { withoutHostPaths } from '../stack/path.ts'
import type { SourceText } from '../stack/source-map.ts'
import { firstTextDifference } from '../values/text.ts'
import { type DetailedFailure, type Finding, kindOf, toFailure } from './finding.ts'
import { type KnownSources, type OwnPlace, ownFrames, ownPlace, placeParts } from './place.ts'

const layerOf: Readonly<Record<string, string>> = {
  reply: 'extract',
  syntax: 'syntax',
  dependency: 'imports',
  type: 'types',
  policy: 'policy',
}

/**
 * A finding made a failure: its place in the task's own text, frames of others dropped, large values compared, texts bounded.
 *
 * @param source text of the one program that ran, for places without a file
 */
export function finishFinding(
  finding: Finding,
  sources: KnownSources,
  source: SourceText | undefined,
  layer?: string,
): DetailedFailure {
  const emitted = finding.emitted !== false
  const { frames, places } = ownFrames(finding.frames ?? [], sources, emitted)
  const direct = finding.place
    ? resolvePlace(finding.place, sources, source, emitted && finding.place.file !== '(query)')
    : undefined
  const nearest = direct ?? firstPlace(places, source)
  const located =
    nearest ?? (finding.finer === 'syntax' && source !== undefined ? parsedAgain(source.source, sources) : undefined)
  const candidate = places.find((place) => !place.isTest) ?? (located?.isTest ? undefined : located)
  const test = located?.isTest ? located : places.find((place) => place.isTest)
  const known = sources.files.size > 0
  // The line that a timeout names is where the test is declared.
  const blameless = finding.finer === 'timeout' && (located?.isTest ?? true)
  // Where the candidate is not known, the nearest own place is the best there is; a test's place then is the location.
  const main = direct && !direct.isTest ? direct : known ? candidate : (located ?? candidate)
  const parts = blameless
    ? {}
    : placeParts(main && main.line > 0 ? main : undefined, test && test !== main ? test : undefined)
  const hints = [finding.hint, suggestionHint(finding), differenceHint(finding)].filter(
    (hint): hint is string => hint !== undefined && hint !== '',
  )
  const failure = toFailure({
    ...finding,
    message:
      finding.finer === 'assertion' ? finding.message : withoutHostPaths(finding.message.slice(0, 4_000), sources.root),
    layer: layer ?? layerOf[kindOf(finding.finer)] ?? 'tests',
    hint: hints.length > 0 ? [...new Set(hints)].join('; ') : undefined,
    ...parts,
  })
  return {
    failure,
    finer: finding.finer,
    frames,
    ...(finding.cycle ? { cycle: finding.cycle } : {}),
    ...(finding.causes ? { causes: finding.causes } : {}),
    ...(finding.suggestion === undefined ? {} : { suggestion: finding.suggestion }),
    ...(finding.call === undefined ? {} : { call: finding.call }),
    ...(finding.table === undefined ? {} : { table: finding.table }),
    ...(finding.constraint === undefined ? {} : { constraint: finding.constraint }),
  }
}

function firstPlace(places: readonly OwnPlace[], source: SourceText | undefined): OwnPlace | undefined {
  const first = places.find((place) => !place.isTest) ?? places[0]
  if (first && first.source === undefined && source !== undefined && places.length === 1)
    return { ...first, source: source.source }
  return first
}

function resolvePlace(
  place: NonNullable<Finding['place']>,
  sources: KnownSources,
  source: SourceText | undefined,
  emitted: boolean,
): OwnPlace | undefined {
  if (place.file === '(query)' || place.file === '(candidate)' || place.file === '') {
    const file = place.file === '' || place.file === '(candidate)' ? (sources.entry ?? '(candidate)') : place.file
    const text = sources.files.get(file)?.source ?? source?.source
    return {
      file,
      line: place.line,
      column: place.column,
      isTest: false,
      ...(text === undefined ? {} : { source: text }),
    }
  }
  // Compilers name places in the author's text; only what ran is emitted.
  const own = ownPlace(place, sources, emitted && false)
  if (own && own.source === undefined && source !== undefined && !own.isTest) return { ...own, source: source.source }
  return own
}

/** Node gives no place for the syntax of a module: its text is parsed once more to find it. */
function parsedAgain(text: string, sources: KnownSources): OwnPlace | undefined {
  for (const plugins of [[], ['typescript'], ['typescript', 'jsx']] as const) {
    try {
      parse(text, { sourceType: 'unambiguous', plugins: [...plugins] })
      return undefined
    } catch (error) {
      const loc = typeof error === 'object' && error !== null && 'loc' in error ? error.loc : undefined
      const isLast = plugins.length === 2 || !/[:<]/.test(text)
      if (typeof loc === 'object' && loc !== null && 'line' in loc && 'column' in loc && isLast) {
        const file = sources.entry ?? '(candidate)'
        return { file, line: Number(loc.line), column: Number(loc.column) + 1, source: text, isTest: false }
      }
    }
  }
  return undefined
}

function suggestionHint(finding: Finding): string | undefined {
  if (finding.suggestion === undefined || finding.hint?.includes(finding.suggestion)) return undefined
  return `did you mean '${finding.suggestion}'?`
}

function differenceHint(finding: Finding): string | undefined {
  if (finding.expected === undefined || finding.actual === undefined) return undefined
  if (finding.hint !== undefined && /first difference|differ/.test(finding.hint)) return undefined
  return firstTextDifference(finding.expected, finding.actual)
}
