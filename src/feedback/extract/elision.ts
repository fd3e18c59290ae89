import type { Language } from '../../domain/task.ts'
import { isPlaceholder } from './elision-words.ts'
import type { Reading } from './reading.ts'

/** A placeholder that stands for code. Line and column are 1-based. */
export interface Elision {
  readonly placeholder: string
  readonly line: number
  readonly column: number
}

/** A line that is no code in any of the languages: dots alone, or dots with words. */
const bareDots =
  /^[ \t]*(?:[[(<{]\s*)?(?:\.{3,}|…)(?![\w$[{("'`])[^\n]{0,200}$|^[ \t]*[[(<][^\n]{0,120}(?:\.{3}|…)?[\])>][ \t]*$/

/**
 * Finds the first comment (or, in text that does not parse, line) that stands in for code left out. Comments are those the
 * language's parser or lexer found, so that strings and spread syntax are not looked at.
 */
export function findElision(text: string, reading: Reading, language: Language): Elision | null {
  for (const comment of reading.comments) {
    if (comment.text.length > 400 || /\n/.test(comment.text)) continue
    const lineStart = text.lastIndexOf('\n', comment.start - 1) + 1
    const lineEnd = text.indexOf('\n', comment.end)
    const before = text.slice(lineStart, comment.start).replace(/[{(]\s*$/, '')
    const after = text.slice(comment.end, lineEnd === -1 ? text.length : lineEnd)
    const isJsx = text[comment.start - 1] === '{' && text[comment.end] === '}'
    const ownLine = isJsx || (before.trim() === '' && /^[\s})\];,]*$/.test(after))
    const isNearSpread = hasSpread(text, lineStart, lineEnd === -1 ? text.length : lineEnd)
    if (
      isPlaceholder(comment.text, {
        alone: comment.alone || isOnlyContent(text, comment, language),
        ownLine,
        isNearSpread,
      })
    )
      return place(text, comment.start, comment.end)
  }
  if (reading.ok) return null
  const limit = 20_000
  let at = 0
  for (let count = 0; at <= text.length && count < limit; count++) {
    const newline = text.indexOf('\n', at)
    const end = newline === -1 ? text.length : newline
    const line = text.slice(at, Math.min(end, at + 400))
    if (bareDots.test(line) && isBarePlaceholder(line))
      return place(text, at + (line.length - line.trimStart().length), at + line.trimEnd().length)
    if (newline === -1) break
    at = newline + 1
  }
  return null
}

function isBarePlaceholder(line: string): boolean {
  const inner = line.trim().replace(/^[[(<{]\s*|\s*[\])>}]$/g, '')
  return /^(?:\.{3,}|…)$/.test(inner) || isPlaceholder(inner, { alone: false, ownLine: true, isNearSpread: false })
}

/** In Python and Bash: a function whose body is this comment and nothing but `pass` or `:`. */
function isOnlyContent(text: string, comment: { start: number; end: number }, language: Language): boolean {
  if (language !== 'python' && language !== 'bash') return false
  const before = text.slice(Math.max(0, comment.start - 300), comment.start).trimEnd()
  const after = text.slice(comment.end, comment.end + 120)
  if (language === 'python') return /:\s*$/.test(before) && /^\s*\n\s*(?:pass|\.\.\.)[ \t]*(?:\n|$)/.test(after)
  return /\{\s*$/.test(before) && /^\s*\n\s*(?:(?::|true)\s*\n\s*)?\}/.test(after)
}

/** Spread syntax on this line or the one before: a comment there explains it. */
function hasSpread(text: string, lineStart: number, lineEnd: number): boolean {
  const from = text.lastIndexOf('\n', Math.max(0, lineStart - 2)) + 1
  const next = text.indexOf('\n', lineEnd + 1)
  const around = text.slice(
    Math.max(from, lineStart - 300),
    lineEnd === -1 ? text.length : Math.min(next === -1 ? text.length : next, lineEnd + 300),
  )
  return /(?:^|[\s[{(,])\.\.\.[\w$[{(]/.test(around.replace(/\/\/[^\n]*|\/\*[\s\S]*?\*\//g, ''))
}

function place(text: string, start: number, end: number): Elision {
  const before = text.slice(0, start)
  const newline = text.indexOf('\n', start)
  const stop = newline === -1 ? end : Math.min(end, newline)
  return {
    placeholder: text.slice(start, stop).trim(),
    line: before.split('\n').length,
    column: start - before.lastIndexOf('\n'),
  }
}
