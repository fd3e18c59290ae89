import type { FilePatch } from './patch.ts'
import type { Edit } from './patch-apply.ts'

/** Reads the `*** Begin Patch` format: `*** Update File:`, `*** Add File:`, `*** Delete File:` with hunks after `@@`. */
export function readPatchScript(text: string): FilePatch[] {
  const patches: { path: string; kind: FilePatch['kind']; edits: Edit[] }[] = []
  let hunk: { old: string[]; new: string[]; near: null } | null = null
  let inside = false
  const endHunk = () => {
    if (hunk && (hunk.old.length > 0 || hunk.new.length > 0)) patches.at(-1)?.edits.push(hunk)
    hunk = null
  }
  for (const line of text.split('\n')) {
    if (/^\*\*\* Begin Patch/.test(line)) inside = true
    else if (/^\*\*\* End (?:Patch|of File)/.test(line)) {
      endHunk()
      if (/Patch/.test(line)) inside = false
    } else if (inside) {
      const file = /^\*\*\* (Update|Add|Delete) File:\s*(.+?)\s*$/.exec(line)
      if (file?.[1] && file[2]) {
        endHunk()
        patches.push({
          path: file[2],
          kind: file[1] === 'Add' ? 'create' : file[1] === 'Delete' ? 'delete' : 'change',
          edits: [],
        })
      } else if (line.startsWith('@@')) {
        endHunk()
        hunk = { old: [], new: [], near: null }
      } else if (patches.length > 0) {
        hunk ??= { old: [], new: [], near: null }
        if (line.startsWith('+')) hunk.new.push(line.slice(1))
        else if (line.startsWith('-')) hunk.old.push(line.slice(1))
        else if (!line.startsWith('***')) {
          const context = line.startsWith(' ') ? line.slice(1) : line
          hunk.old.push(context)
          hunk.new.push(context)
        }
      }
    }
  }
  endHunk()
  return patches
}
