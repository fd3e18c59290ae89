import type { Language } from '../../domain/task.ts'
import { readAs } from './languages.ts'
import { maxParsedChars, type Reading } from './reading.ts'
import { withoutRepeats } from './repeats.ts'
import type { Block } from './types.ts'

/** Lines that a program or a part of one may start with. */
const starts: Readonly<Record<Language, RegExp>> = {
  typescript:
    /^(?:(?:export|import|function|async|const|let|var|class|abstract|interface|type|enum|declare|namespace)\b|@[\w$.]+|\/\*|\/\/|['"]use strict['"]|module\.exports|exports\.)/,
  javascript:
    /^(?:(?:export|import|function|async|const|let|var|class)\b|\/\*|\/\/|['"]use strict['"]|module\.exports|exports\.)/,
  python:
    /^(?:(?:def|class|import|async)\s|from\s+[\w.]+\s+import\b|@[\w.]+|if\s+__name__|"""|'''|#|[A-Za-z_]\w*(?:\s*:\s*[\w[\], .]+)?\s*=[^=])/,
  sql: /^(?:(?:SELECT|WITH|INSERT|UPDATE|DELETE|CREATE|ALTER|DROP|MERGE|VALUES|BEGIN|PRAGMA|EXPLAIN|TRUNCATE|REPLACE)\b|--|\/\*)/i,
  bash: /^(?:#!|#|set\s+-|function\s|[\w-]+\s*\(\)|[A-Za-z_]\w*=|if\s+\[|for\s+\w+\s+in|while\s|case\s|echo\s|printf\s|export\s|local\s|read\s|awk\s|sed\s|grep\s|find\s|cat\s|sort\s|cut\s|tr\s|declare\s|trap\s)/,
}

/** How often the parser is tried on one text, and from one place. */
const maxParses = 60
const maxCuts = 16
/** Work of all tries together, in multiples of the text's length. */
const maxWork = 20

/** What chains write before a query on the same line. */
const queryLabel =
  /^[ \t]*(?:\w{0,20} ?)?(?:SQL|Query|Answer)(?: ?\w{0,20})?[ \t]*:[ \t]*(?=(?:SELECT|WITH|INSERT|UPDATE|DELETE|CREATE)\b)/gim

interface Budget {
  parses: number
  chars: number
}

/**
 * Finds code that stands in a text without fences: from a line that may start a program to where the language's parser
 * stops, again and again. Lone fences are passed over. Bounded work. A block that the text's end cuts is not `closed`.
 */
export function findBareCode(text: string, language: Language): Block[] {
  const unfenced = text.replace(/^[ \t]*(?:`{2,}|~{3,})[\w+#.:/-]*[ \t]*$/gm, (line) => ' '.repeat(line.length))
  const clean = language === 'sql' ? unfenced.replace(queryLabel, (label) => ' '.repeat(label.length)) : unfenced
  if (clean.length > maxParsedChars || clean.trim() === '') return []
  const whole = wholeProgram(clean, language)
  if (whole) return [whole]
  const lines = lineStarts(clean)
  const blocks: Block[] = []
  const budget: Budget = { parses: maxParses, chars: maxWork * clean.length + 10_000 }
  /** Indentation of the first line that starts code; deeper ones are inside something. */
  let indent: number | null = null
  let firstStart = -1
  for (let i = 0; i < lines.length && budget.parses > 0 && budget.chars > 0; i++) {
    const start = lines[i] ?? 0
    const line = lineAt(clean, start)
    const depth = line.length - line.trimStart().length
    if (!isStart(line, lineAt(clean, lines[i + 1] ?? clean.length), language)) continue
    if (indent !== null && depth > indent) continue
    const found = longestProgram(clean, start, language, budget)
    if (firstStart === -1 && !isCommentLine(line)) {
      firstStart = start
      indent ??= depth
    }
    if (found === null) continue
    indent = depth
    if (found === 'cut') {
      blocks.push({ ...toBlock(dedent(clean.slice(start), depth), start, clean.length), closed: false })
      break
    }
    blocks.push(toBlock(dedent(found.text, depth), start, found.end))
    while (i + 1 < lines.length && (lines[i + 1] ?? 0) < found.end) i++
  }
  if (blocks.length > 0 || firstStart === -1) return blocks
  return brokenProgram(clean, firstStart, language)
}

const toBlock = (body: string, start: number, end: number): Block => ({
  body,
  info: '',
  start,
  end,
  closed: true,
  via: 'bare',
  flags: ['unfenced'],
})

function wholeProgram(text: string, language: Language): Block | null {
  const body = text.replace(/^(?:[ \t]*\n)+/, '').trimEnd()
  const reading = readAs(body, language)
  if (!reading.ok || !hasSubstance(reading)) return null
  const trimmed = trimWords(body, reading)
  return trimmed.trim() === '' ? null : toBlock(trimmed, 0, text.length)
}

const isCommentLine = (line: string): boolean => /^\s*(?:\/\/|#|--|\/\*)/.test(line)

function isStart(line: string, nextLine: string, language: Language): boolean {
  const text = line.trimStart()
  if (!starts[language].test(text) || isSentence(text, language)) return false
  // A heading of Markdown is a comment of Python and Bash: only one right above code is taken for a comment.
  return !/^#(?!!)/.test(text) || starts[language].test(nextLine.trimStart())
}

/** A line of prose that begins with a keyword: `Import the module and call it.` */
const isSentence = (line: string, language: Language): boolean =>
  language === 'sql'
    ? /^(?:Select|With|Create|Update|Insert|Delete|Begin|Replace|Explain)\s+(?:the|a|an|this|your|all the|it|these)\b/.test(
        line,
      )
    : /^(?:[A-Za-z]+)\s+(?:the|a|an|this|your|is|are|that|it|of|and|to)\s+[a-z]+/.test(line) && !/[={(;]/.test(line)

const hasSubstance = (reading: Reading): boolean =>
  reading.defines.size > 0 ||
  reading.exports.size > 0 ||
  reading.statements.some((statement) => statement.kind === 'other' || statement.kind === 'definition')

const proseLine = /^\s*(?:[*>-]\s+|\d+[.)]\s+|#{1,6}\s+|\*\*)?[A-Z"'“*`][^{}=;<>]*(?:[.:!?*]|\.\)|`)\s*$/

/** The longest stretch from here that parses: cut back at the parser's error, line by line, until it does. */
function longestProgram(
  text: string,
  start: number,
  language: Language,
  budget: Budget,
): { text: string; end: number } | 'cut' | null {
  let end = text.length
  for (let tries = 0; tries < maxCuts && budget.parses > 0; tries++) {
    const body = text.slice(start, end).trimEnd()
    if (body === '') return null
    budget.parses--
    budget.chars -= body.length
    const reading = readAs(body, language)
    if (reading.ok) {
      const trimmed = trimWords(body, reading)
      return hasSubstance(reading) && trimmed.trim() !== '' ? { text: trimmed, end: start + body.length } : null
    }
    const offset = Math.min(reading.error?.offset ?? 0, body.length - 1)
    const lastLine = body.lastIndexOf('\n')
    if (tries === 0 && reading.error?.atEnd === true && !proseLine.test(body.slice(lastLine + 1)))
      return reading.defines.size > 0 ? 'cut' : null
    // An error at the end after a cut means that the last line left is prose too.
    const cut = Math.min(body.lastIndexOf('\n', offset), lastLine)
    if (cut <= 0) return null
    end = start + cut
  }
  return null
}

/** Code with an error of its own in it: from its first line to the last line that ends like code. */
function brokenProgram(text: string, start: number, language: Language): Block[] {
  const lines = text.slice(start).split('\n')
  const last =
    language === 'python'
      ? lines.findLastIndex((line) => /^[ \t]+\S/.test(line) || /[:)\]]\s*$/.test(line))
      : lines.findLastIndex((line) => /[{};)\],]\s*(?:\/\/.*)?$/.test(line) && !proseLine.test(line))
  if (last <= 0) return []
  const body = lines.slice(0, last + 1).join('\n')
  return readAs(body, language).defines.size > 0 ? [toBlock(body, start, start + body.length)] : []
}

/** Takes words of prose off both ends that happen to parse (a lone name, a label), and what the program says twice. */
function trimWords(given: string, reading: Reading): string {
  const body = withoutRepeats(given, reading)
  const statements = reading.statements.filter((statement) => statement.end <= body.length)
  const last = statements.findLastIndex((statement) => statement.kind !== 'word')
  const first = statements.findIndex((statement) => statement.kind !== 'word')
  const lastStatement = statements[last]
  const firstStatement = statements[first]
  if (!lastStatement || !firstStatement) return ''
  let end = body.length
  let start = 0
  if (last < statements.length - 1) {
    const lineEnd = body.indexOf('\n', lastStatement.end)
    end = lineEnd === -1 ? body.length : lineEnd
  }
  if (first > 0)
    start =
      (statements[first - 1]?.end ?? 0) +
      (/^[^\n]*\n\s*?(?=\S|[ \t]+\S)/.exec(body.slice(statements[first - 1]?.end))?.[0].length ?? 0)
  return body.slice(Math.min(start, firstStatement.start), end)
}

/** Takes an indentation off that every line has. */
function dedent(text: string, depth: number): string {
  if (depth === 0) return text
  const lines = text.split('\n')
  if (
    !lines.every(
      (line, index) => index === 0 || line.trim() === '' || (/^\s*/.exec(line)?.[0].length as number) >= depth,
    )
  )
    return text
  return lines
    .map((line) =>
      line.trim() === '' ? line.slice(depth) : line.slice(Math.min(depth, line.length - line.trimStart().length)),
    )
    .join('\n')
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
