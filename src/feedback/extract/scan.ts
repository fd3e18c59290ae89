import type { Language } from '../../domain/task.ts'

/** A stretch of source text by its lexical kind. Together the segments are the text. */
export interface Segment {
  readonly kind: 'code' | 'string' | 'comment'
  readonly start: number
  readonly end: number
  /** False when the text ends inside it. */
  readonly closed: boolean
}

interface Lexis {
  readonly line: readonly string[]
  readonly block: readonly (readonly [string, string])[]
  readonly quotes: string
  readonly triple: boolean
  readonly backslash: boolean
  /** Strings go over line ends. */
  readonly multiline: boolean
}

const lexes: Record<Language, Lexis> = {
  typescript: { line: ['//'], block: [['/*', '*/']], quotes: `'"`, triple: false, backslash: true, multiline: false },
  javascript: { line: ['//'], block: [['/*', '*/']], quotes: `'"`, triple: false, backslash: true, multiline: false },
  python: { line: ['#'], block: [], quotes: `'"`, triple: true, backslash: true, multiline: false },
  sql: { line: ['--'], block: [['/*', '*/']], quotes: `'"`, triple: false, backslash: false, multiline: true },
  bash: { line: ['#'], block: [], quotes: `'"`, triple: false, backslash: true, multiline: true },
}

const isWord = (char: string | undefined): boolean => char !== undefined && /[\p{L}\p{N}_$]/u.test(char)
const regexAfterWord = /(?:^|[^\w$.])(?:return|typeof|case|in|of|do|else|void|delete|throw|new|await|yield)$/

/** True when a slash after this text starts a regular expression, not a division. */
function startsRegex(text: string, at: number): boolean {
  let i = at - 1
  while (i >= 0 && /\s/.test(text[i] ?? '')) i--
  if (i < 0) return true
  const char = text[i] ?? ''
  if (isWord(char)) return regexAfterWord.test(text.slice(Math.max(0, i - 12), i + 1))
  return !')]}\'"`'.includes(char)
}

/**
 * Splits source text into code, string and comment segments without parsing it, so that it also serves text that does not
 * parse. JavaScript's regular expressions count as strings, template literals are strings with code in their holes.
 * Linear in the text; never throws.
 */
export function scan(text: string, language: Language): Segment[] {
  const lexis = lexes[language]
  const script = language === 'typescript' || language === 'javascript'
  const segments: Segment[] = []
  let codeStart = 0
  let i = 0
  /** Depth of braces at each open template hole. */
  const holes: number[] = []
  let braces = 0

  const push = (kind: 'string' | 'comment', start: number, end: number, closed: boolean) => {
    if (start > codeStart) segments.push({ kind: 'code', start: codeStart, end: start, closed: true })
    segments.push({ kind, start, end, closed })
    codeStart = end
    i = end
  }
  /** Reads on in a template from `from`; stops at its end or at a hole. */
  const template = (start: number, from: number) => {
    let j = from
    while (j < text.length) {
      if (text[j] === '\\') j += 2
      else if (text[j] === '`') return push('string', start, j + 1, true)
      else if (text[j] === '$' && text[j + 1] === '{') {
        push('string', start, j + 2, true)
        holes.push(braces)
        return
      } else j++
    }
    push('string', start, text.length, false)
  }

  while (i < text.length) {
    const char = text[i] ?? ''
    const comment = lexis.line.find((mark) => text.startsWith(mark, i))
    if (comment !== undefined && (language !== 'bash' || i === 0 || /[\s;(]/.test(text[i - 1] ?? ''))) {
      const end = text.indexOf('\n', i)
      push('comment', i, end === -1 ? text.length : end, true)
      continue
    }
    const block = lexis.block.find(([open]) => text.startsWith(open, i))
    if (block) {
      const end = text.indexOf(block[1], i + block[0].length)
      push('comment', i, end === -1 ? text.length : end + block[1].length, end !== -1)
      continue
    }
    if (script && char === '`') {
      template(i, i + 1)
      continue
    }
    if (script && holes.length > 0 && char === '}' && braces === holes.at(-1)) {
      holes.pop()
      template(i, i + 1)
      continue
    }
    if (script && char === '/' && startsRegex(text, i)) {
      const end = endOfRegex(text, i)
      if (end !== -1) {
        push('string', i, end, true)
        continue
      }
    }
    if (lexis.quotes.includes(char)) {
      const triple = lexis.triple && text.startsWith(char.repeat(3), i)
      const end = triple ? endOfTriple(text, i, char) : endOfString(text, i, char, lexis)
      push('string', i, Math.abs(end), end > 0)
      continue
    }
    if (char === '{') braces++
    else if (char === '}') braces--
    else if (language === 'bash' && char === '\\') i++
    i++
  }
  if (codeStart < text.length) segments.push({ kind: 'code', start: codeStart, end: text.length, closed: true })
  return segments
}

/** End of a string, negative when it is not closed. */
function endOfString(text: string, at: number, quote: string, lexis: Lexis): number {
  for (let i = at + 1; i < text.length; i++) {
    const char = text[i]
    if (char === '\\' && lexis.backslash) i++
    else if (char === quote) return i + 1
    else if (char === '\n' && !lexis.multiline) return -i
  }
  return -text.length
}

function endOfTriple(text: string, at: number, quote: string): number {
  for (let i = at + 3; i < text.length; i++) {
    if (text[i] === '\\') i++
    else if (text[i] === quote && text[i + 1] === quote && text[i + 2] === quote) return i + 3
  }
  return -text.length
}

/** Longest regular expression looked for; a bound, so that unclosed ones do not make the scan quadratic. */
const maxRegexChars = 1_000

function endOfRegex(text: string, at: number): number {
  let inClass = false
  const limit = Math.min(text.length, at + maxRegexChars)
  for (let i = at + 1; i < limit; i++) {
    const char = text[i]
    if (char === '\n') return -1
    if (char === '\\') i++
    else if (char === '[') inClass = true
    else if (char === ']') inClass = false
    else if (char === '/' && !inClass) {
      let end = i + 1
      while (/[a-z]/.test(text[end] ?? '')) end++
      return i === at + 1 ? -1 : end
    }
  }
  return -1
}

/** The text with every code segment mapped, strings and comments byte for byte. */
export function mapCode(text: string, language: Language, change: (code: string) => string): string {
  return scan(text, language)
    .map((segment) => {
      const part = text.slice(segment.start, segment.end)
      return segment.kind === 'code' ? change(part) : part
    })
    .join('')
}
