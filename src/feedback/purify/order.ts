import type { DetailedFailure, FinerKind } from './finding.ts'

const first: readonly FinerKind[] = ['infrastructure', 'syntax', 'import', 'export', 'missing_command']
const last: readonly FinerKind[] = ['exit_code', 'no_test_report', 'cancelled']
// TypeScript codes that are mostly consequences: implicit any, unknown, possibly undefined.
const consequence = /^TS(?:7\d{3}|1804[6-9]|2571|6133)$/

function rank(detail: DetailedFailure): number {
  if (detail.failure.severity === 'warning') return 9
  if (first.includes(detail.finer)) return 0
  if (last.includes(detail.finer)) return 8
  if (detail.failure.code !== undefined && consequence.test(detail.failure.code)) return 3
  return detail.finer === 'out_of_memory' || detail.finer === 'crash' || detail.finer === 'fixture' ? 1 : 2
}

/** Causes before consequences, warnings last; otherwise as found. */
export function causesFirst(details: readonly DetailedFailure[]): DetailedFailure[] {
  return [...details].sort((a, b) => rank(a) - rank(b))
}

/** Of errors of types that differ in nothing but their place so many are shown, and the rest counted. */
const shownAlike = 3

/** One of each: repeated reports of one failure go, one error that stops many tests stands once and says how many. */
export function foldDuplicates(details: readonly DetailedFailure[]): DetailedFailure[] {
  const out: DetailedFailure[] = []
  const exact = new Map<string, number>()
  const shared = new Map<string, { index: number; tests: number }>()
  const alike = new Map<string, { count: number; index: number }>()
  for (const detail of details) {
    const { failure } = detail
    const place = failure.location ? `${failure.location.file}:${failure.location.line}:${failure.location.column}` : ''
    const at = failure.assertion ? `${failure.assertion.file}:${failure.assertion.line}` : ''
    const key = `${failure.fingerprint}|${place}|${at}|${failure.test ?? ''}|${failure.message}`
    if (exact.has(key)) continue
    exact.set(key, out.length)
    if (failure.kind === 'type') {
      const known = alike.get(failure.fingerprint) ?? { count: 0, index: 0 }
      known.count += 1
      if (known.count <= shownAlike) known.index = out.length
      alike.set(failure.fingerprint, known)
      if (known.count > shownAlike) continue
    }
    // The same error from the same line of the candidate in several tests has one cause; assertions are each their own.
    if (failure.kind !== 'logic' && failure.test !== undefined && place !== '') {
      const sharedKey = `${failure.kind}|${failure.message}|${place}`
      const known = shared.get(sharedKey)
      if (known) {
        known.tests += 1
        continue
      }
      shared.set(sharedKey, { index: out.length, tests: 0 })
    }
    out.push(detail)
  }
  for (const { index, tests } of shared.values())
    if (tests > 0) addHint(out, index, `same error in ${tests} other test${tests === 1 ? '' : 's'}`)
  for (const { index, count } of alike.values())
    if (count > shownAlike) addHint(out, index, `the same in ${count - shownAlike} more places`)
  return out
}

function addHint(details: DetailedFailure[], index: number, more: string): void {
  const detail = details[index]
  if (!detail) return
  const { failure } = detail
  details[index] = { ...detail, failure: { ...failure, hint: failure.hint ? `${failure.hint}; ${more}` : more } }
}
