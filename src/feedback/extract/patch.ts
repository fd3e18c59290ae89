import type { FileMap } from '../../domain/task.ts'
import { applyEdit, type Edit } from './patch-apply.ts'
import { readPatchScript } from './patch-script.ts'
import { readSearchReplace } from './patch-search.ts'
import { readUnifiedDiff } from './patch-unified.ts'
import type { Block } from './types.ts'

/** Changes to one file, in order. */
export interface FilePatch {
  /** Null where the reply names no file. */
  readonly path: string | null
  readonly kind: 'change' | 'create' | 'delete'
  readonly edits: readonly Edit[]
}

export type Patched =
  | { readonly kind: 'none' }
  | { readonly kind: 'applied'; readonly files: FileMap; readonly changed: readonly string[]; readonly fuzzy: boolean }
  | { readonly kind: 'failed'; readonly problem: string; readonly partial: string }

/** True for text that is a patch by its own marks, whatever its fence says. */
export const isPatchText = (text: string): boolean =>
  /^(?:<{5,9} ?(?:SEARCH|ORIGINAL|HEAD|OLD)\b|\*\*\* Begin Patch)/m.test(text) ||
  (/^@@ .*@@|^@@\s*$/m.test(text) && /^[-+]/m.test(text)) ||
  /^--- \S.*\n\+\+\+ \S/m.test(text)

/** The patches that a reply holds: search/replace blocks, patch scripts, unified diffs in fences or bare. */
export function findPatches(text: string, fences: readonly Block[]): { patches: FilePatch[]; source: string } | null {
  if (/^<{5,9} ?(?:SEARCH|ORIGINAL|HEAD|OLD)\b/m.test(text)) {
    const patches = readSearchReplace(text)
    if (patches.length > 0) return { patches, source: text }
  }
  if (/^\*\*\* Begin Patch/m.test(text)) {
    const patches = readPatchScript(text)
    if (patches.length > 0) return { patches, source: text }
  }
  const diffs = fences.filter((block) => /^(?:diff|patch|udiff)\b/i.test(block.info) || isPatchText(block.body))
  const sources =
    diffs.length > 0 ? diffs.map((block) => block.body) : isPatchText(text) && fences.length === 0 ? [text] : []
  const patches = sources.flatMap((source) => readUnifiedDiff(source))
  return patches.length > 0 ? { patches, source: sources.join('\n') } : null
}

/**
 * Applies patches to the previous candidate. A hunk is placed by its content, not by its numbers (models count badly);
 * differences of white space are allowed where the place is still the only one.
 */
export function applyPatches(patches: readonly FilePatch[], previous: FileMap, entry: string): Patched {
  const files = new Map(Object.entries(previous))
  const changed = new Set<string>()
  let fuzzy = false
  for (const patch of patches) {
    const path = findTarget(patch, files, entry)
    if (patch.kind === 'delete') {
      files.delete(path)
      continue
    }
    const known = files.get(path)
    if (known === undefined && patch.kind === 'change' && patch.edits.some((edit) => edit.old.length > 0))
      return { kind: 'failed', problem: `it changes ${path}, which is not among the files`, partial: '' }
    let text = patch.kind === 'create' ? '' : (known ?? '')
    for (const [index, edit] of patch.edits.entries()) {
      const result = applyEdit(text, edit)
      if (!result.ok)
        return {
          kind: 'failed',
          problem: `part ${index + 1} of ${patch.edits.length} for ${path} ${result.problem}`,
          partial: edit.old.join('\n'),
        }
      text = result.text
      fuzzy ||= result.fuzzy
    }
    files.set(path, text)
    changed.add(path)
  }
  return { kind: 'applied', files: Object.fromEntries(files), changed: [...changed], fuzzy }
}

/** The file that a patch means: by its path, by its name, or the only one. */
function findTarget(patch: FilePatch, files: ReadonlyMap<string, string>, entry: string): string {
  const { path } = patch
  if (path !== null && files.has(path)) return path
  if (path !== null) {
    const stripped = path.replace(/^\.?\//, '')
    const suffix = [...files.keys()].filter(
      (known) => known === stripped || known.endsWith(`/${stripped}`) || stripped.endsWith(`/${known}`),
    )
    if (suffix.length === 1 && suffix[0] !== undefined) return suffix[0]
    const name = stripped.split('/').at(-1)
    const named = [...files.keys()].filter((known) => known.split('/').at(-1) === name)
    if (named.length === 1 && named[0] !== undefined) return named[0]
    if (patch.kind === 'create') return stripped
  }
  if (files.size === 1) return [...files.keys()][0] ?? entry
  if (path === null && files.has(entry)) return entry
  // Without a name the file that holds the lines is meant.
  const holding = [...files]
    .filter(([, text]) => patch.edits.every((edit) => edit.old.length === 0 || applyEdit(text, edit).ok))
    .map(([known]) => known)
  return path === null && holding.length === 1 ? (holding[0] ?? entry) : (path ?? entry)
}
