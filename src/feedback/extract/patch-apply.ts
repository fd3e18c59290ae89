/** One replacement: these lines become those. */
export interface Edit {
  readonly old: readonly string[]
  readonly new: readonly string[]
  /** 1-based line where the old lines are said to start, when the reply says it. */
  readonly near: number | null
}

export type Applied =
  | { readonly ok: true; readonly text: string; readonly fuzzy: boolean }
  | { readonly ok: false; readonly problem: string }

/** Ways to compare a line, from strict to lenient. */
const views: readonly ((line: string) => string)[] = [
  (line) => line,
  (line) => line.trimEnd(),
  (line) => line.trim().replace(/\s+/g, ' '),
]

/** Applies one edit; the text's own bytes stay wherever the edit does not change a line. */
export function applyEdit(text: string, edit: Edit): Applied {
  const lines = text.split('\n')
  if (edit.old.length === 0) return insert(text, lines, edit)
  for (const [level, view] of views.entries()) {
    const found = places(lines.map(view), edit.old.map(view))
    const at = choosePlace(found, edit.near)
    if (at === 'several') return { ok: false, problem: `fits in ${found.length} places` }
    if (at === null) continue
    const replacement = level === 0 ? edit.new : keepOwnLines(lines.slice(at, at + edit.old.length), edit, view)
    return {
      ok: true,
      text: [...lines.slice(0, at), ...replacement, ...lines.slice(at + edit.old.length)].join('\n'),
      fuzzy: level > 0,
    }
  }
  // Blank lines at the edges of a hunk are often made up.
  const trimmed = trimBlankEdges(edit)
  if (trimmed) {
    const result = applyEdit(text, trimmed)
    return result.ok ? { ...result, fuzzy: true } : result
  }
  return {
    ok: false,
    problem: `does not fit: the line ${JSON.stringify((firstMissing(lines, edit.old) ?? '').slice(0, 120))} is not there as it stands in the patch`,
  }
}

function insert(text: string, lines: readonly string[], edit: Edit): Applied {
  if (text === '') return { ok: true, text: edit.new.join('\n'), fuzzy: false }
  if (edit.near === null)
    return { ok: true, text: `${text.replace(/\n*$/, '\n')}${edit.new.join('\n')}\n`, fuzzy: true }
  const at = Math.min(edit.near, lines.length)
  return { ok: true, text: [...lines.slice(0, at), ...edit.new, ...lines.slice(at)].join('\n'), fuzzy: false }
}

/** Starts of all places where these lines stand. Linear for lines that differ (Knuth, Morris, Pratt). */
function places(lines: readonly string[], wanted: readonly string[]): number[] {
  const back: number[] = [0]
  for (let i = 1, k = 0; i < wanted.length; i++) {
    while (k > 0 && wanted[i] !== wanted[k]) k = back[k - 1] ?? 0
    if (wanted[i] === wanted[k]) k++
    back[i] = k
  }
  const found: number[] = []
  for (let i = 0, k = 0; i < lines.length; i++) {
    while (k > 0 && lines[i] !== wanted[k]) k = back[k - 1] ?? 0
    if (lines[i] === wanted[k]) k++
    if (k === wanted.length) {
      found.push(i - k + 1)
      k = back[k - 1] ?? 0
    }
  }
  return found
}

function choosePlace(found: readonly number[], near: number | null): number | 'several' | null {
  const [first] = found
  if (first === undefined) return null
  if (found.length === 1) return first
  if (near === null) return 'several'
  return found.reduce((best, at) => (Math.abs(at + 1 - near) < Math.abs(best + 1 - near) ? at : best), first)
}

/** Lines that the edit only repeats keep the bytes they have; new ones are shifted by the difference of indentation. */
function keepOwnLines(own: readonly string[], edit: Edit, view: (line: string) => string): string[] {
  const shift = shiftOf(own, edit.old)
  let from = 0
  return edit.new.map((line) => {
    const at = edit.old.findIndex((old, index) => index >= from && view(old) === view(line))
    if (at !== -1) {
      from = at + 1
      return own[at] ?? line
    }
    if (line.trim() === '') return line
    return shift.add !== '' ? shift.add + line : line.startsWith(shift.drop) ? line.slice(shift.drop.length) : line
  })
}

function shiftOf(own: readonly string[], old: readonly string[]): { add: string; drop: string } {
  for (let i = 0; i < old.length; i++) {
    const has = /^[ \t]*/.exec(own[i] ?? '')?.[0] ?? ''
    const said = /^[ \t]*/.exec(old[i] ?? '')?.[0] ?? ''
    if ((old[i] ?? '').trim() === '' || has === said) continue
    if (has.endsWith(said)) return { add: has.slice(0, has.length - said.length), drop: '' }
    if (said.endsWith(has)) return { add: '', drop: said.slice(0, said.length - has.length) }
  }
  return { add: '', drop: '' }
}

function trimBlankEdges(edit: Edit): Edit | null {
  const isBlank = (line: string | undefined) => line !== undefined && line.trim() === ''
  const old = [...edit.old]
  const fresh = [...edit.new]
  while (old.length > 1 && isBlank(old[0]) && isBlank(fresh[0])) {
    old.shift()
    fresh.shift()
  }
  while (old.length > 1 && isBlank(old.at(-1)) && isBlank(fresh.at(-1))) {
    old.pop()
    fresh.pop()
  }
  while (old.length > 1 && isBlank(old.at(-1))) old.pop()
  return old.length === edit.old.length ? null : { old, new: fresh, near: edit.near }
}

function firstMissing(lines: readonly string[], wanted: readonly string[]): string | undefined {
  const have = new Set(lines.map((line) => line.trim()))
  return wanted.find((line) => !have.has(line.trim())) ?? wanted[0]
}
