/** One replacement in a text: [start, end) becomes `text`. Offsets count UTF-16 units. */
export interface TextEdit {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** One proposal of a template: edits of one file that belong together. */
export interface Fix {
  readonly file: string
  readonly edits: readonly TextEdit[]
  /** How unlikely and how invasive: 0.05 is as good as certain, 1 is a last resort. */
  readonly cost: number
  /** What is changed, in words. */
  readonly what: string
}

/** The text with the edits made; null where they overlap (two templates then meant different things). */
export function applyEdits(text: string, edits: readonly TextEdit[]): string | null {
  const ordered = [...edits].sort((a, b) => a.start - b.start || a.end - b.end)
  let result = ''
  let at = 0
  for (const edit of ordered) {
    if (edit.start < at || edit.end > text.length) return null
    result += text.slice(at, edit.start) + edit.text
    at = edit.end
  }
  return result + text.slice(at)
}
