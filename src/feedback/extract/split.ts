import { pathInComment, pathInHeading } from './naming.ts'
import type { Block } from './types.ts'

/** A line that names a file and separates: `// file: a.ts`, `// --- a.ts ---`, `=== a.ts ===`, `### a.ts`. */
function pathOfMarker(line: string): string | null {
  if (!/^(?:\/\/|#|--|\/\*|<!--|=|\*\*)/.test(line)) return null
  const plain = line.replace(/[-=─━*#]{3,}/g, ' ')
  const comment = /^\s*(?:\/\/|#+|--|\/\*|<!--)/.test(line)
    ? line.replace(/(\/\/|#|--)\s*[-=─━*#]{2,}/, '$1 ').replace(/[-=─━*#]{2,}\s*$/, '')
    : plain
  return pathInComment(comment) ?? pathInHeading(plain.trim())
}

/** Splits one block that holds several files, each after a line that names it. Other blocks come back as they are. */
export function splitByMarkers(block: Block): Block[] {
  if (block.body.length > 2_000_000 || !/\.\w{2,4}\b/.test(block.body)) return [block]
  const lines = block.body.split('\n')
  const marks: { index: number; path: string }[] = []
  for (const [index, line] of lines.entries()) {
    if (line.length > 200) continue
    const path = pathOfMarker(line)
    if (path !== null) marks.push({ index, path })
  }
  const [first] = marks
  if (!first || new Set(marks.map((mark) => mark.path)).size < 2) return [block]
  const before = lines.slice(0, first.index).join('\n')
  // Code before the first name belongs to a file of its own, so the marks are remarks and not separators.
  if (before.replace(/^\s*(?:\/\/|#|--).*$/gm, '').trim() !== '') return [block]
  return marks.map((mark, position) => ({
    ...block,
    body: lines
      .slice(mark.index + 1, marks[position + 1]?.index ?? lines.length)
      .join('\n')
      .trim(),
    path: mark.path,
    closed: block.closed || position < marks.length - 1,
  }))
}
