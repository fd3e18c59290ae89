import type { Language } from '../../domain/task.ts'
import { readAs } from './languages.ts'
import type { Reading } from './reading.ts'
import { maxParsedChars } from './reading.ts'
import type { Block } from './types.ts'

/** Lines that a program or a part of one may start with. */
const starts: Readonly<Record<Language, RegExp>> = {
  typescript:
    /^(?:export|import|function|async\s+function|const|let|var|class|abstract\s+class|interface|type\s+[\w$]+\s*(?:=|<)|enum|declare|namespace|@[\w$.]+\(?|\/\*|\/\/|['"]use strict['"]|module\.exports|exports\.)(?![\w$])?/,
  javascript:
    /^(?:export|import|function|async\s+function|const|let|var|class|\/\*|\/\/|['"]use strict['"]|module\.exports|exports\.)/,
  python:
    /^(?:def|class|import|from\s+[\w.]+\s+import|@[\w.]+|async\s+def|if\s+__name__|"""|'''|#|[A-Za-z_]\w*(?:\s*:\s*[\w[\], .]+)?\s*=[^=])/,
  sql: /^(?:SELECT|WITH|INSERT|UPDATE|DELETE|CREATE|ALTER|DROP|MERGE|VALUES|BEGIN|PRAGMA|EXPLAIN|TRUNCATE|REPLACE|--|\/\*)/i,
  bash: /^(?:#!|#|set\s+-|function\s|[\w-]+\s*\(\)|[A-Za-z_]\w*=|if\s+\[|for\s+\w+\s+in|while\s|case\s|echo\s|printf\s|export\s|local\s|read\s|awk\s|sed\s|grep\s|find\s|cat\s|sort\s|cut\s|tr\s|declare\s|trap\s)/,
}

/** How often the parser is tried on one text. Each try may cost its length. */
const maxParses = 40
/** Work of all tries together, in multiples of the text's length. */
const maxWork = 12

/**
 * Finds code that stands in a text without fences: from a line that may start a program to where the language's parser
 * stops, again and again. Lone closing fences count as the end of code. Bounded work.
 */
export function findBareCode(text: string, language: Language): Block[] {
  const clean = text.replace(/^[ \t]*(?:`{2,}|~{3,})[\w+#.:/-]*[ \t]*$/gm, (line) => ' '.repeat(line.length))
  if (clean.length > maxParsedChars) return []
  const whole = clean.trim()
  if (whole !== '' && !/^[^\S\n]*[A-Z][a-z]+(?: [a-z']+){3}/.test(whole)) {
    const reading = readAs(whole, language)
    if (reading.ok && hasSubstance(reading))
      return [toBlock(trimBlank(clean), text.length - text.trimStart().length, text.length)]
  }
  const lines = lineStarts(clean)
  const blocks: Block[] = []
  const state = { parses: 0, work: 0 }
  let i = 0
  /** Indentation of the first line that starts code; deeper ones are inside something. */
  let indent: number | null = null
  while (i < lines.length && state.parses < maxParses && state.work < maxWork * clean.length + 10_000) {
    const start = lines[i] ?? 0
    const line = lineAt(clean, start)
    const dedented = line.trimStart()
    if (!starts[language].test(dedented) || isSentence(line, language)) {
      i++
      continue
    }
    const depth = line.length - dedented.length
    if (indent !== null && depth > indent) {
      i++
      continue
    }
    const found = longestProgram(clean, start, language, state)
    if (found === null) {
      i++
      continue
    }
    indent = depth
    if (found === 'cut') {
      blocks.push({ ...toBlock(clean.slice(start), start, clean.length), closed: false })
      break
    }
    blocks.push(toBlock(found.text, start, found.end))
    while (i < lines.length && (lines[i] ?? 0) < found.end) i++
  }
  return blocks
}

const trimBlank = (text: string): string => text.replace(/^(?:[ \t]*\n)+/, '').trimEnd()

const toBlock = (body: string, start: number, end: number): Block => ({
  body,
  info: '',
  start,
  end,
  closed: true,
  via: 'bare',
  flags: ['unfenced'],
})

/** A line of prose that begins with a keyword: `Import the module and call it.` */
const isSentence = (line: string, language: Language): boolean =>
  language === 'sql'
    ? /^(?:Select|With|Create|Update|Insert|Delete|Begin|Replace|Explain)\s+(?:the|a|an|this|your|all the|it)\b/.test(
        line,
      )
    : /^(?:[A-Z][a-z]+|import|export|class|type|const|let|function)\s+(?:the|a|an|this|your|is|are|that|it)\s+[a-z]+/.test(
        line.trimStart(),
      ) && !/[={(;]/.test(line)

const hasSubstance = (reading: Reading): boolean =>
  reading.defines.size > 0 ||
  reading.exports.size > 0 ||
  reading.statements.some((statement) => statement.kind === 'other')

/** The longest stretch from here that parses: cut back at the parser's error, line by line, until it does. */
function longestProgram(
  text: string,
  start: number,
  language: Language,
  state: { parses: number; work: number },
): { text: string; end: number } | 'cut' | null {
  let end = text.length
  for (let tries = 0; tries < 12; tries++) {
    const body = text.slice(start, end).trimEnd()
    if (body === '' || state.parses >= maxParses) return null
    state.parses++
    state.work += body.length
    const reading = readAs(body, language)
    if (reading.ok) {
      const trimmed = trimProse(body, reading)
      if (!hasSubstance(reading) || trimmed.trim() === '') return null
      return { text: trimmed, end: start + body.length }
    }
    const offset = Math.min(reading.error?.offset ?? 0, body.length - 1)
    // Prose is often read as far as its first few words, so the cut goes to the start of the line, or of its paragraph.
    let cut = body.lastIndexOf('\n', offset)
    if (tries > 1 && cut > 0) {
      const paragraph = body.lastIndexOf('\n\n', offset)
      cut = tries > 4 && paragraph > 0 ? paragraph : body.lastIndexOf('\n', cut)
    }
    if (reading.error?.atEnd) {
      const prose = proseStart(body)
      if (prose <= 0) return tries === 0 && reading.defines.size > 0 ? 'cut' : null
      cut = prose
    }
    if (cut <= 0) return null
    end = start + cut
  }
  return null
}

/** Start of the last paragraph that reads as prose, -1 when there is none. */
function proseStart(body: string): number {
  let at = body.length
  let found = -1
  for (let count = 0; count < 40; count++) {
    const paragraph = body.lastIndexOf('\n\n', at - 1)
    if (paragraph <= 0) break
    if (/^\s*(?:[A-Z*#>-]|\d+\.)[^\n{};=]*\s[a-z]+\s[^\n{};]*(?:\n|$)/.test(body.slice(paragraph, paragraph + 300)))
      found = paragraph
    else if (found !== -1) break
    at = paragraph
  }
  return found
}

/** Takes words of prose off the end that happen to parse: a lone name, a label. */
function trimProse(body: string, reading: Reading): string {
  let last = reading.statements.length - 1
  while (last >= 0 && reading.statements[last]?.kind === 'word') last--
  const end = reading.statements[last]?.end
  if (end === undefined) return ''
  if (last === reading.statements.length - 1) return body
  const lineEnd = body.indexOf('\n', end)
  return lineEnd === -1 ? body : body.slice(0, lineEnd)
}

function lineStarts(text: string): number[] {
  const all = [0]
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) all.push(at + 1)
  return all
}

const lineAt = (text: string, start: number): string => {
  const end = text.indexOf('\n', start)
  return text.slice(start, Math.min(end === -1 ? text.length : end, start + 400))
}
