import type { FilePatch } from './patch.ts'
import type { Edit } from './patch-apply.ts'

const header = /^@@+(?: -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@+)?.*$/

/**
 * Reads a unified diff as models write it: counts in hunk headers are not believed, headers may be missing or bare `@@`, and a
 * context line may have lost its leading blank.
 */
export function readUnifiedDiff(text: string): FilePatch[] {
  const lines = text.replace(/\n+$/, '').split('\n')
  const patches: FilePatch[] = []
  let current: { path: string | null; kind: FilePatch['kind']; edits: Edit[] } | null = null
  let hunk: { old: string[]; new: string[]; near: number | null } | null = null
  const endHunk = () => {
    if (hunk && current && (hunk.old.length > 0 || hunk.new.length > 0)) current.edits.push(dropTrailingContext(hunk))
    hunk = null
  }
  const endFile = () => {
    endHunk()
    if (current && (current.edits.length > 0 || current.kind !== 'change')) patches.push(current)
    current = null
  }
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i] ?? ''
    const next = lines[i + 1] ?? ''
    if (/^diff --git /.test(line)) {
      endFile()
      continue
    }
    // `--- a` is a header only before `+++ b`: a removed line may start with two dashes of its own.
    if (/^--- /.test(line) && /^\+\+\+ /.test(next)) {
      endFile()
      const from = pathOf(line.slice(4))
      const to = pathOf(next.slice(4))
      current = {
        path: to ?? from,
        kind: from === null && to !== null ? 'create' : to === null ? 'delete' : 'change',
        edits: [],
      }
      i++
      continue
    }
    if (
      /^(?:index [0-9a-f]|new file mode|deleted file mode|similarity index|rename (?:from|to) |old mode|new mode|\\ No newline)/.test(
        line,
      )
    )
      continue
    const at = header.exec(line)
    if (at && line.startsWith('@@')) {
      endHunk()
      current ??= { path: null, kind: 'change', edits: [] }
      hunk = { old: [], new: [], near: at[1] === undefined ? null : Number(at[1]) }
      continue
    }
    if (!hunk) {
      // A diff without any header starts with its first marked line.
      if (
        !/^[-+ ]/.test(line) ||
        (!current && !/^[-+]/.test(line) && !lines.slice(i, i + 200).some((later) => /^[-+]/.test(later)))
      )
        continue
      current ??= { path: null, kind: 'change', edits: [] }
      hunk = { old: [], new: [], near: null }
    }
    const body: { old: string[]; new: string[] } = hunk
    if (line.startsWith('+')) body.new.push(line.slice(1))
    else if (line.startsWith('-')) body.old.push(line.slice(1))
    else {
      const context = line.startsWith(' ') ? line.slice(1) : line
      body.old.push(context)
      body.new.push(context)
    }
  }
  endFile()
  return patches.filter(
    (patch) => patch.kind !== 'change' || patch.edits.some((edit) => edit.old.join('\n') !== edit.new.join('\n')),
  )
}

const pathOf = (text: string): string | null => {
  const path = text
    .replace(/\t.*$/, '')
    .trim()
    .replace(/^"(.*)"$/, '$1')
  return path === '/dev/null' ? null : path.replace(/^[abiwco]\//, '')
}

/** Blank context lines at the end of a hunk are often those between hunks. */
function dropTrailingContext(hunk: { old: string[]; new: string[]; near: number | null }): Edit {
  while (hunk.old.length > 0 && hunk.old.at(-1) === '' && hunk.new.at(-1) === '' && hunk.old.length > 1) {
    hunk.old.pop()
    hunk.new.pop()
  }
  return hunk
}
