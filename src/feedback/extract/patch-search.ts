import { looksLikePath } from './info.ts'
import type { FilePatch } from './patch.ts'
import type { Edit } from './patch-apply.ts'

/**
 * Reads search/replace blocks: `<<<<<<< SEARCH`, the old lines, `=======`, the new lines, `>>>>>>> REPLACE`. A path stands on
 * one of the lines before, with or without marks or a fence between. A block without its end is left out.
 */
export function readSearchReplace(text: string): FilePatch[] {
  const lines = text.split('\n')
  const patches: FilePatch[] = []
  let path: string | null = null
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i] ?? ''
    if (!/^\s*<{5,9} ?(?:SEARCH|ORIGINAL|HEAD|OLD)\b/.test(line)) continue
    path = pathAbove(lines, i) ?? path
    const middle = find(lines, i + 1, /^\s*={5,9}\s*$/)
    const end = middle === -1 ? -1 : find(lines, middle + 1, /^\s*>{5,9}(?: ?\S+)?\s*$/)
    if (end === -1) break
    const edit: Edit = { old: lines.slice(i + 1, middle), new: lines.slice(middle + 1, end), near: null }
    const isEmpty = edit.old.every((old) => old.trim() === '')
    patches.push({ path, kind: isEmpty ? 'create' : 'change', edits: [isEmpty ? { ...edit, old: [] } : edit] })
    i = end
  }
  return patches
}

function find(lines: readonly string[], from: number, pattern: RegExp): number {
  for (let i = from; i < lines.length; i++) if (pattern.test(lines[i] ?? '')) return i
  return -1
}

function pathAbove(lines: readonly string[], at: number): string | null {
  for (let i = at - 1; i >= 0 && i >= at - 4; i--) {
    const line = (lines[i] ?? '').trim()
    if (/^>{5,9}/.test(line)) return null
    const word = line
      .replace(/^[`~]{3,}\w*[:\s]*/, '')
      .replace(/^(?:#{1,6}\s+|\*\*|\/\/\s*|File:\s*)/i, '')
      .replace(/^[`*]+|[`*:]+$/g, '')
      .trim()
    if (word !== '' && looksLikePath(word) && !/\s/.test(word)) return word
  }
  return null
}
