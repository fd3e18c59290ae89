import type { Finish } from '../../model/types.ts'
import { normalizeCandidatePath } from '../paths.ts'
import { readAs } from './languages.ts'
import { next } from './next.ts'
import { pathRules, settleText, toProgram } from './outcome.ts'
import type { Extraction, Flag, SetAside } from './types.ts'
import type { ResolvedWanted } from './wanted.ts'

/** Several files by the names that the reply gives them: names checked, texts settled, one of them made the entry. */
export function settleFiles(
  given: ReadonlyMap<string, string>,
  flags: readonly Flag[],
  aside: readonly SetAside[],
  wanted: ResolvedWanted,
  finish: Finish,
): Extraction {
  const setAside: SetAside[] = [...aside]
  const files = new Map<string, string>()
  for (const [path, text] of given) {
    const normal = normalizeCandidatePath(path, pathRules(wanted))
    if (normal.ok) files.set(normal.path, text)
    else setAside.push({ why: 'path_refused', path, detail: normal.why, text })
  }
  if (files.size === 0) {
    const [only] = [...given]
    // A lone program under a refused name is still the program: it goes to the entry.
    if (given.size === 1 && only) return toProgram(only[1], null, flags, setAside, wanted)
    const detail = setAside
      .map((one) => `${one.path ?? ''}: ${one.detail}`)
      .slice(0, 3)
      .join('; ')
    return {
      outcome: 'no_code',
      partial: [...given.values()].join('\n\n').slice(0, 10_000),
      next: next.refusedPath(detail),
    }
  }
  const all: Flag[] = [...flags]
  const entry = chooseEntry(files, wanted, all)
  const settledFiles: Record<string, string> = {}
  let covered = false
  for (const [path, text] of files) {
    const settled = settleText(text, path, wanted, path === entry.path)
    if (settled.kind === 'elided') return settled.extraction
    settledFiles[path] = settled.text
    all.push(...settled.flags)
    setAside.push(...settled.setAside)
    covered ||= settled.covered
  }
  if (finish === 'length' && wanted.exports.length > 0 && !covered)
    return {
      outcome: 'truncated',
      where: 'code',
      partial: Object.values(settledFiles).join('\n\n'),
      next: next.truncated,
    }
  if (finish === 'length') all.push('reply_cut_after_code')
  return {
    outcome: 'files',
    files: settledFiles,
    entry: entry.path,
    language: wanted.language,
    ...(entry.named === entry.path ? {} : { named: entry.named }),
    covered: covered || wanted.exports.length === 0,
    flags: [...new Set(all)],
    setAside,
    next: next.files,
  }
}

/** Which file the tests import: the one with the entry's path, else the one that has the wanted names, put at the entry. */
function chooseEntry(
  files: Map<string, string>,
  wanted: ResolvedWanted,
  flags: Flag[],
): { path: string; named: string } {
  const paths = [...files.keys()]
  if (wanted.entry === null) {
    const found = bestOf(files, wanted) ?? paths.at(-1) ?? wanted.defaultEntry
    return { path: found, named: found }
  }
  if (files.has(wanted.entry)) return { path: wanted.entry, named: wanted.entry }
  const best = bestOf(files, wanted)
  if (best === null || wanted.previousFiles?.[best] !== undefined) return { path: wanted.entry, named: wanted.entry }
  const folder = best.slice(0, best.lastIndexOf('/') + 1)
  const target = wanted.entry.slice(0, wanted.entry.lastIndexOf('/') + 1)
  const base = best.slice(folder.length).replace(/\.\w+$/, '')
  const isImported = [...files].some(
    ([path, text]) =>
      path !== best && new RegExp(`['"][./]+(?:[\\w-]+/)*${escapePattern(base)}(?:\\.\\w+)?['"]`).test(text),
  )
  if (!isImported && paths.every((path) => path.startsWith(folder))) {
    const text = files.get(best) ?? ''
    const moved = paths
      .filter((path) => path !== best)
      .map((path): [string, string] => [target + path.slice(folder.length), files.get(path) ?? ''])
    files.clear()
    for (const [path, content] of moved) files.set(path, content)
    files.set(wanted.entry, text)
    flags.push('entry_renamed')
    return { path: wanted.entry, named: best }
  }
  if (wanted.language !== 'typescript' && wanted.language !== 'javascript')
    return { path: wanted.entry, named: wanted.entry }
  // Other files import it by its own name: it stays there, and the entry hands it on.
  const up = target
    .split('/')
    .filter((part) => part !== '')
    .map(() => '../')
    .join('')
  const specifier = `${up === '' ? './' : up}${best}`
  const hasDefault = readAs(files.get(best) ?? '', wanted.language).exports.has('default')
  files.set(
    wanted.entry,
    `export * from '${specifier}'\n${hasDefault ? `export { default } from '${specifier}'\n` : ''}`,
  )
  flags.push('entry_reexported')
  return { path: wanted.entry, named: best }
}

function bestOf(files: ReadonlyMap<string, string>, wanted: ResolvedWanted): string | null {
  let best: string | null = null
  let most = 0
  for (const [path, text] of files) {
    const reading = readAs(text, wanted.language)
    const count =
      wanted.exports.filter((name) => reading.exports.has(name)).length * 2 +
      wanted.exports.filter((name) => reading.defines.has(name)).length
    if (count > most) {
      most = count
      best = path
    }
  }
  return best ?? (files.size === 1 ? ([...files.keys()][0] ?? null) : null)
}

const escapePattern = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
