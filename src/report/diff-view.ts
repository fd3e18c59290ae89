import { structuredPatch } from 'diff'
import type { FileMap } from '../domain/task.ts'
import { escapeHtml } from './markup.ts'

export interface DiffLine {
  readonly kind: 'added' | 'removed' | 'same' | 'hunk' | 'file'
  readonly text: string
}

/** What changed between two sets of files, three lines of context around each change; empty where nothing did. */
export function diffFiles(before: FileMap, after: FileMap): DiffLine[] {
  const lines: DiffLine[] = []
  for (const path of [...new Set([...Object.keys(before), ...Object.keys(after)])].sort()) {
    const old = before[path]
    const now = after[path]
    if (old === now) continue
    const patch = structuredPatch(path, path, old ?? '', now ?? '', '', '', { context: 3 })
    lines.push({
      kind: 'file',
      text: old === undefined ? `${path} (new)` : now === undefined ? `${path} (removed)` : path,
    })
    for (const hunk of patch.hunks) {
      lines.push({ kind: 'hunk', text: `@@ -${hunk.oldStart},${hunk.oldLines} +${hunk.newStart},${hunk.newLines} @@` })
      for (const line of hunk.lines) {
        if (line.startsWith('\\')) continue
        const kind = line.startsWith('+') ? 'added' : line.startsWith('-') ? 'removed' : 'same'
        lines.push({ kind, text: line })
      }
    }
  }
  return lines
}

export function renderDiff(lines: readonly DiffLine[]): string {
  if (lines.length === 0) return '<p class="quiet">No change.</p>'
  return `<pre class="diff">${lines.map((line) => `<span class="${line.kind}">${escapeHtml(line.text)}</span>`).join('\n')}</pre>`
}
