import type { AttemptSummary } from '../../domain/attempt-summary.ts'
import { scoreOf } from '../../domain/ordering.ts'
import { builtInLayers, type Failure } from '../../domain/report.ts'
import type { FileMap, Language } from '../../domain/task.ts'
import { fingerprint } from '../fingerprint.ts'
import { normalizeProgram } from '../program.ts'
import { purify } from '../purify.ts'

/** One attempt as a history outside the engine tells it: the code and what went wrong, as text or as failures. */
export interface HistoryEntry {
  /** Null where the reply held no program. */
  readonly code?: string | null
  readonly files?: FileMap
  readonly language?: Language
  /** Raw output or a sentence; '' or absent with `passed`. */
  readonly error?: string | null
  readonly failures?: readonly Failure[]
  /** First red layer; 'parse', 'compile', 'test' and the like are understood. */
  readonly layer?: string | null
  /** What was run; tells the layer where nothing else does. */
  readonly command?: string
  readonly passed?: boolean
  readonly passedTests?: number
  readonly totalTests?: number
  readonly strategy?: string
}

const layerNames: readonly (readonly [RegExp, string])[] = [
  [/^(?:extract|reply|format|extraction)/i, 'extract'],
  [/^(?:syntax|parse|parsing|parser)/i, 'syntax'],
  [/^(?:imports?|resolve|resolution|dependenc|install|modules?|bundle)/i, 'imports'],
  [/^(?:types?|typecheck|type-check|compile|compilation|tsc|build|mypy)/i, 'types'],
  [/^(?:policy|lint|eslint|biome)/i, 'policy'],
  [/^(?:tests?|unit|run|runtime|vitest|jest|pytest|mocha|execution)/i, 'tests'],
  [/^hidden/i, 'hidden'],
]

/** A layer's own name from the words that tools use for it; an unknown name stays (a layer of the user's own). */
export function layerNamed(name: string): string {
  if ((builtInLayers as readonly string[]).includes(name)) return name
  return layerNames.find(([pattern]) => pattern.test(name))?.[1] ?? name
}

/** A history's entry in the words of the chart: layer, score, counts, fingerprints, hash of the program. */
export function summariseEntry(entry: HistoryEntry, number: number): AttemptSummary {
  const text = entry.error ?? ''
  const failures = entry.failures ?? (text === '' ? [] : failuresOf(text))
  const errors = failures.filter((failure) => failure.severity === 'error')
  const passed = entry.passed ?? (text === '' && errors.length === 0)
  const layer = passed ? null : layerOf(entry, errors, text)
  const counts = countsIn(text)
  const total = entry.totalTests ?? counts.total ?? 0
  const failed = counts.failed ?? (errors.length > 0 ? errors.length : text === '' ? 0 : 1)
  const passedTests = entry.passedTests ?? counts.passed ?? (total > 0 ? Math.max(0, total - failed) : 0)
  const prints =
    errors.length > 0 ? errors.map((failure) => failure.fingerprint) : text === '' ? [] : [fingerprintText(text)]
  const red = total > 0 && entry.passedTests !== undefined ? Math.max(0, total - passedTests) : failed
  return {
    number,
    origin: 'model',
    strategy: entry.strategy ?? 'direct',
    passed,
    failedLayer: layer,
    kind: errors[0]?.kind ?? null,
    score: scoreOf(layer, total > 0 ? passedTests / total : 0),
    passedTests,
    totalTests: total,
    fingerprints: [...new Set(prints)].sort(),
    failureCount: red,
    failingTests: [...new Set(errors.flatMap((failure) => (failure.test === undefined ? [] : [failure.test])))],
    codeHash: hashOf(entry),
    codeSimilarity: 0,
    duplicateOf: null,
  }
}

function hashOf(entry: HistoryEntry): string {
  const files = entry.files ?? (entry.code === null || entry.code === undefined ? undefined : { code: entry.code })
  return files === undefined || Object.values(files).every((text) => text.trim() === '')
    ? ''
    : normalizeProgram(files, entry.language ?? 'typescript')
}

/** Tools' output is read; a sentence of one's own stands for itself. */
function failuresOf(text: string): Failure[] {
  if (isSummary(text)) return []
  return purify({ text })
}

function isSummary(text: string): boolean {
  return text.length < 400 && !text.includes('\n') && countsIn(text).failed !== undefined && !/^\S+[(:]\d+/.test(text)
}

/** A summary names what it counts and no more: other counts are another failure. */
function fingerprintText(text: string): string {
  return fingerprint({ kind: 'runtime', message: text })
}

function layerOf(entry: HistoryEntry, errors: readonly Failure[], text: string): string {
  if (entry.layer) return layerNamed(entry.layer)
  const own = errors[0]?.layer
  if (own !== undefined && own !== 'tests') return own
  if (/^no code|no (?:usable )?(?:code|program) found|prose only/i.test(text)) return 'extract'
  if (/\b(?:parse|syntax) errors?\b|SyntaxError|IndentationError/i.test(text)) return 'syntax'
  if (/\b(?:unknown|unresolved|missing) (?:import|module)|cannot find (?:module|package)|no module named/i.test(text))
    return 'imports'
  if (/\btype errors?\b|\bTS\d{4}\b/i.test(text)) return 'types'
  if (entry.command !== undefined) {
    const word = entry.command.trim().replace(/^(?:npx|npm run|pnpm|yarn|bun|node|python3? -m) /, '')
    const named = layerNamed(word)
    if (named !== word) return named
  }
  return 'tests'
}

/** Numbers that a summary names: failed, passed and all. */
export function countsIn(text: string): { failed?: number; passed?: number; total?: number } {
  if (text.length > 20_000) return {}
  const pick = (pattern: RegExp): number | undefined => {
    const found = pattern.exec(text)?.[1]
    return found === undefined ? undefined : Number(found)
  }
  let failed: number | undefined
  let passed: number | undefined
  let total: number | undefined
  const share =
    /\b(\d+) ?\/ ?(\d+)(?: tests?)? (pass|fail|green|ok|red)/i.exec(text) ??
    /\b(\d+) (?:tests? )?(?:out )?of (\d+)(?: tests?)?(?: are| were)? (pass|fail|green|ok|red)/i.exec(text) ??
    /\b(\d+) (?:tests? )?(pass|fail|green|red)\w* (?:out )?of (\d+)\b/i.exec(text)
  if (share) {
    const word = share.slice(2).find((part) => !/^\d/.test(part)) ?? ''
    total = Number(share.slice(2).find((part) => /^\d/.test(part)))
    if (/pass|green|ok/i.test(word)) passed = Number(share[1])
    else failed = Number(share[1])
  }
  failed ??= pick(/\b(\d+) (?:[a-z-]+ ){0,2}(?:errors?|failures?|failed|failing|fail|problems?|defects?)\b/i)
  failed ??= pick(/\bfail(?:ed|ures?|ing)?[:= ]+(\d+)\b/i)
  passed ??= pick(/\b(\d+) (?:tests? )?pass(?:ed|ing)?\b/i)
  if (failed === undefined && passed !== undefined && total !== undefined) failed = total - passed
  if (total === undefined && failed !== undefined && passed !== undefined) total = failed + passed
  return {
    ...(failed === undefined ? {} : { failed }),
    ...(passed === undefined ? {} : { passed }),
    ...(total === undefined ? {} : { total }),
  }
}
