import type { Language } from '../../domain/task.ts'
import { readAs } from './languages.ts'
import { decodeEntities, mendPunctuation, removeInvisible, unescapeAll, unescapeBreaks } from './mend-characters.ts'
import { stripLineNumbers, stripPrompts } from './mend-lines.ts'
import type { Reading } from './reading.ts'
import type { Flag } from './types.ts'

export interface Mended {
  readonly text: string
  readonly reading: Reading
  readonly flags: readonly Flag[]
}

interface Remedy {
  readonly flag: Flag
  apply(text: string, language: Language): string
}

const remedies: readonly Remedy[] = [
  { flag: 'mended_invisible', apply: removeInvisible },
  { flag: 'stripped_line_numbers', apply: stripLineNumbers },
  { flag: 'stripped_prompts', apply: stripPrompts },
  { flag: 'mended_escapes', apply: unescapeAll },
  { flag: 'mended_escapes', apply: unescapeBreaks },
  { flag: 'mended_entities', apply: decodeEntities },
  { flag: 'mended_punctuation', apply: mendPunctuation },
]

/** Longest text that is mended: each remedy costs a parse. */
const maxMendedChars = 400_000

/**
 * Reads code, and where it does not parse undoes what transport or typography may have done to it: one remedy at a time,
 * then several in order. A remedy counts only if the text parses with it; else the text stays as it came, byte for byte.
 */
export function readMended(text: string, language: Language): Mended {
  const numbered = stripLineNumbers(text, language)
  // Numbers before every line are never the program's, and `1 | x` parses in more than one language.
  if (numbered !== text) {
    const reading = readAs(numbered, language)
    if (reading.ok) return { text: numbered, reading, flags: ['stripped_line_numbers'] }
  }
  const raw = readAs(text, language)
  // A text that is nothing but a comment may be a program whose line breaks are written out.
  const isWhole = raw.ok && (raw.statements.length > 0 || !text.includes('\\n'))
  if (isWhole || text.length > maxMendedChars || text.trim() === '') return { text, reading: raw, flags: [] }
  let all = text
  const applied: Flag[] = []
  for (const remedy of remedies) {
    const once = remedy.apply(text, language)
    if (once !== text) {
      const reading = readAs(once, language)
      if (reading.ok && reading.statements.length > 0) return { text: once, reading, flags: [remedy.flag] }
    }
  }
  for (const remedy of remedies) {
    const next = remedy.apply(all, language)
    if (next === all) continue
    all = next
    applied.push(remedy.flag)
    if (applied.length < 2) continue
    const reading = readAs(all, language)
    if (reading.ok) return { text: all, reading, flags: [...new Set(applied)] }
  }
  return { text, reading: raw, flags: [] }
}
