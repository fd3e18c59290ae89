import { ts } from 'ts-morph'
import type { Fix, TextEdit } from './edit.ts'
import { fromPython } from './python.ts'

const closers: Record<string, string> = { '(': ')', '[': ']', '{': '}' }

/** Whole-text repairs, tried before anything else: what is not code is taken away. */
export function* unwrap(path: string, text: string): Generator<Fix> {
  const whole = (code: string, cost: number, what: string): Fix => ({
    file: path,
    edits: [{ start: 0, end: text.length, text: code }],
    cost,
    what,
  })
  const fence = /^[ \t]*(?:```|~~~)[^\n]*\n([\s\S]*?)(?:^[ \t]*(?:```|~~~)[ \t]*$|(?![\s\S]))/gm
  const blocks = [...text.matchAll(fence)].map((match) => match[1] ?? '')
  if (blocks.length > 0) {
    yield whole(blocks.join('\n'), 0.05, 'text around the code is dropped')
    const longest = [...blocks].sort((a, b) => b.length - a.length)[0]
    if (longest !== undefined && blocks.length > 1) yield whole(longest, 0.1, 'only the longest code block is kept')
    const closing = text.search(/^[ \t]*```/m)
    if (closing > 0) yield whole(text.slice(0, closing), 0.1, 'text after the code is dropped')
    yield whole(text.replace(/^[ \t]*(```|~~~).*$/gm, ''), 0.1, 'fences are dropped')
  }
  const straight = text
    .replace(/[\u2018\u2019]/g, "'")
    .replace(/[\u201C\u201D]/g, '"')
    .replace(/\u00A0/g, ' ')
    .replace(/[\u200B\uFEFF]/g, '')
  if (straight !== text) yield whole(straight, 0.05, 'typographic quotes become straight ones')
  const lines = text.split('\n')
  const first = lines.findIndex((line) =>
    /^\s*((import|export|function|const|let|var|class|interface|type|async|declare|enum|abstract)\b|\/\/|\/\*)/.test(
      line,
    ),
  )
  if (first > 0) yield whole(lines.slice(first).join('\n'), 0.15, 'text before the code is dropped')
  let last = lines.length - 1
  while (last > 0 && !/^[}\])];?|^\S.*[;})]\s*$/.test(lines[last] ?? '')) last -= 1
  if (last < lines.length - 1 && last > 0)
    yield whole(`${lines.slice(0, last + 1).join('\n')}\n`, 0.15, 'text after the code is dropped')
  const plain = fromPython(text)
  if (plain !== text) yield whole(plain, 0.06, 'words of another language are written in TypeScript')
}

/** Open brackets at the end of the text, outermost first, strings and comments left out; `extra` are offsets of closers that close nothing. */
export function brackets(text: string): { open: { at: number; bracket: string }[]; extra: number[] } {
  const scanner = ts.createScanner(ts.ScriptTarget.Latest, true, ts.LanguageVariant.Standard, text)
  const open: { at: number; bracket: string }[] = []
  const extra: number[] = []
  const templates: number[] = []
  for (let token = scanner.scan(); token !== ts.SyntaxKind.EndOfFileToken; token = scanner.scan()) {
    if (token === ts.SyntaxKind.TemplateHead) templates.push(open.length)
    if (token === ts.SyntaxKind.CloseBraceToken && templates.at(-1) === open.length) {
      if (scanner.reScanTemplateToken(false) === ts.SyntaxKind.TemplateTail) templates.pop()
      continue
    }
    const word = scanner.getTokenText()
    if (word in closers) open.push({ at: scanner.getTokenStart(), bracket: word })
    else if (word === ')' || word === ']' || word === '}') {
      const top = open.at(-1)
      if (top && closers[top.bracket] === word) open.pop()
      else extra.push(scanner.getTokenStart())
    }
  }
  return { open, extra }
}

/** Local repairs at one syntax error. */
export function* syntaxFixes(path: string, text: string, diagnostic: ts.Diagnostic): Generator<Fix> {
  const start = Math.min(diagnostic.start ?? 0, text.length)
  const end = Math.min(start + Math.max(diagnostic.length ?? 1, 1), text.length)
  const make = (cost: number, what: string, ...edits: TextEdit[]): Fix => ({ file: path, edits, cost, what })
  const message =
    typeof diagnostic.messageText === 'string' ? diagnostic.messageText : diagnostic.messageText.messageText
  const lineStart = text.lastIndexOf('\n', start - 1) + 1
  const lineEnd = text.indexOf('\n', start) < 0 ? text.length : text.indexOf('\n', start)
  const line = text.slice(lineStart, lineEnd)
  // the end of what stands before the error, blanks and comments left out
  const before = text.slice(0, start).replace(/(\s|\/\/[^\n]*)+$/, '').length

  const { open, extra } = brackets(text)
  if (open.length > 0) {
    const tail = open.map((entry) => closers[entry.bracket] ?? '').reverse()
    yield make(0.1, 'brackets left open are closed at the end', {
      start: text.length,
      end: text.length,
      text: `\n${tail.join('\n')}\n`,
    })
    // a text cut in the middle of a statement: back to the last whole one, then closed
    const whole = Math.max(text.trimEnd().lastIndexOf(';'), text.trimEnd().lastIndexOf('}'))
    if (whole > 0) {
      const kept = text.slice(0, whole + 1)
      const rest = brackets(kept)
        .open.map((entry) => closers[entry.bracket] ?? '')
        .reverse()
        .join('\n')
      yield make(0.3, 'an unfinished tail is dropped', { start: whole + 1, end: text.length, text: `\n${rest}\n` })
    }
    const inner = open.at(-1)
    if (inner && inner.bracket !== '{')
      yield make(0.2, 'a bracket is closed where its line ends', {
        start: lineEndOf(text, inner.at),
        end: lineEndOf(text, inner.at),
        text: closers[inner.bracket] ?? '',
      })
  }
  for (const at of extra.slice(0, 3))
    yield make(0.12, 'a bracket that closes nothing is dropped', { start: at, end: at + 1, text: '' })

  const wanted = /^'(.+)' expected/.exec(message)?.[1]
  if (wanted !== undefined) {
    yield make(0.12, `${wanted} is put in`, { start: before, end: before, text: wanted })
    if (before !== start) yield make(0.2, `${wanted} is put in`, { start, end: start, text: wanted })
    if (end - start === 1)
      yield make(0.25, `${wanted} takes the place of ${text.slice(start, end)}`, { start, end, text: wanted })
  }
  if (/Unterminated string/.test(message)) {
    const quote = /['"]/.exec(line)?.[0] ?? "'"
    yield make(0.15, 'a string is closed', { start: lineEnd, end: lineEnd, text: quote })
    yield make(0.2, 'a string is closed', {
      start: line.endsWith(';') ? lineEnd - 1 : lineEnd,
      end: line.endsWith(';') ? lineEnd - 1 : lineEnd,
      text: quote,
    })
    yield make(0.25, 'a string is closed', {
      start: /\);?$/.test(line) ? lineEnd - (line.endsWith(';') ? 2 : 1) : lineEnd,
      end: /\);?$/.test(line) ? lineEnd - (line.endsWith(';') ? 2 : 1) : lineEnd,
      text: quote,
    })
  }
  if (/Unterminated template/.test(message))
    yield make(0.2, 'a template is closed', { start: text.length, end: text.length, text: '`' })
  if (/\*\/' expected/.test(message))
    yield make(0.2, 'a comment is closed', { start: lineEnd, end: lineEnd, text: ' */' })
  const typed = /^\s*(?:int|float|double|str|string|bool|boolean|var|auto|char|long)\s+(?=[A-Za-z_$][\w$]*\s*=)/.exec(
    line,
  )
  if (typed)
    yield make(0.1, 'a variable is declared with let', {
      start: lineStart,
      end: lineStart + typed[0].length,
      text: `${/^\s*/.exec(line)?.[0] ?? ''}let `,
    })
  const definition = /^(\s*)(?:def|fn|func|fun)\s+(?=[A-Za-z_$])/.exec(line)
  if (definition)
    yield make(0.1, 'a function is declared with function', {
      start: lineStart,
      end: lineStart + definition[0].length,
      text: `${definition[1] ?? ''}function `,
    })
  if (end > start && end - start < 40 && !text.slice(start, end).includes('\n'))
    yield make(0.3, `${text.slice(start, end).trim()} is dropped`, { start, end, text: '' })
  if (line.trim() !== '')
    yield make(0.4, 'a line that is no code is dropped', {
      start: lineStart,
      end: Math.min(lineEnd + 1, text.length),
      text: '',
    })
  const head = text.slice(0, lineStart)
  if (head.trim() !== '') {
    const rest = brackets(head)
      .open.map((entry) => closers[entry.bracket] ?? '')
      .reverse()
      .join('\n')
    yield make(0.35, 'everything from the first line that is no code is dropped', {
      start: lineStart,
      end: text.length,
      text: `${rest}\n`,
    })
  }
  // `fori = 0` style commas and missing operators between two words
  if (/^[',;]' expected|expected\.$/.test(message) && /\w/.test(text[start] ?? ''))
    yield make(0.3, 'a comma is put in', { start: before, end: before, text: ',' })
}

const lineEndOf = (text: string, at: number): number => {
  const end = text.indexOf('\n', at)
  const line = end < 0 ? text.length : end
  return /[;{]\s*$/.test(text.slice(at, line)) ? at + text.slice(at, line).search(/\s*[;{]\s*$/) : line
}
