import { createHash } from 'node:crypto'
import type { FileMap, Language } from '../domain/task.ts'
import { type Node, parseScript } from './extract/javascript.ts'
import { scan } from './extract/scan.ts'

/** Members of a syntax tree that say how it was written, not what it means. */
const layout = new Set([
  'start',
  'end',
  'loc',
  'extra',
  'range',
  'comments',
  'leadingComments',
  'trailingComments',
  'innerComments',
  'errors',
  'tokens',
])

/**
 * A hash that is equal for programs with equal syntax trees: comments, layout, quotes, semicolons, redundant brackets and
 * trailing commas do not count. Text that does not parse is compared by its tokens. Pure, linear in the text.
 */
export function normalizeProgram(files: FileMap, language: Language): string {
  const hash = createHash('sha256')
  for (const path of Object.keys(files).sort()) {
    hash.update(`\u0000file ${path}\u0000`)
    const text = files[path] ?? ''
    const tree = language === 'typescript' || language === 'javascript' ? parseScript(text, language) : null
    if (tree && 'body' in tree && tree.error === null) writeTree(tree.body, (part) => hash.update(part))
    else for (const token of tokens(text, language)) hash.update(`${token}\u0001`)
  }
  return hash.digest('hex')
}

/** Writes a tree in one canonical order, without recursion: trees may be deep. */
function writeTree(body: readonly Node[], write: (part: string) => void): void {
  const stack: unknown[] = [...body].reverse()
  let buffer = ''
  const emit = (part: string) => {
    buffer += part
    if (buffer.length > 65_536) {
      write(buffer)
      buffer = ''
    }
  }
  while (stack.length > 0) {
    const item = stack.pop()
    if (item instanceof Text) emit(item.text)
    else if (Array.isArray(item)) {
      emit('[')
      stack.push(new Text(']'))
      for (let i = item.length - 1; i >= 0; i--) stack.push(item[i])
    } else if (typeof item === 'object' && item !== null) {
      emit('{')
      stack.push(new Text('}'))
      const members = Object.keys(item)
        .filter((key) => !layout.has(key))
        .sort()
      for (const key of members.reverse()) {
        const value = (item as Readonly<Record<string, unknown>>)[key]
        if (value === undefined || value === null || value === false) continue
        // A template's raw text differs with escapes that mean the same.
        if (key === 'raw') continue
        stack.push(value, new Text(`${key}:`))
      }
    } else emit(`${typeof item}${JSON.stringify(item) ?? String(item)},`)
  }
  write(buffer)
}

/** A piece of output on the stack, told apart from the tree's own strings. */
class Text {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/**
 * Likeness of two programs, 0..1, over normalised tokens: the mean of the overlaps of their tokens and of their pairs of
 * neighbouring tokens (Dice's coefficient of multisets). 1 for equal token streams. Pure, linear.
 */
export function tokenSimilarity(a: FileMap, b: FileMap, language: Language = 'typescript'): number {
  const first = streamOf(a, language)
  const second = streamOf(b, language)
  if (first.length === 0 && second.length === 0) return 1
  return (overlap(first, second) + overlap(pairs(first), pairs(second))) / 2
}

const streamOf = (files: FileMap, language: Language): string[] =>
  Object.keys(files)
    .sort()
    .flatMap((path) => tokens(files[path] ?? '', language))

const pairs = (stream: readonly string[]): string[] =>
  stream.map((token, index) => `${stream[index - 1] ?? ''}\u0001${token}`)

function overlap(a: readonly string[], b: readonly string[]): number {
  if (a.length + b.length === 0) return 1
  const counts = new Map<string, number>()
  for (const token of a) counts.set(token, (counts.get(token) ?? 0) + 1)
  let shared = 0
  for (const token of b) {
    const left = counts.get(token) ?? 0
    if (left === 0) continue
    counts.set(token, left - 1)
    shared++
  }
  return (2 * shared) / (a.length + b.length)
}

const word = /[\p{L}\p{N}_$]+|[^\s\p{L}\p{N}_$]/gu

/** Tokens without comments; strings with their quotes made alike; in Python the indentation of each line counts. */
function tokens(text: string, language: Language): string[] {
  const found: string[] = []
  for (const segment of scan(text, language)) {
    if (segment.kind === 'comment') continue
    const part = text.slice(segment.start, segment.end)
    if (segment.kind === 'string') found.push(/^(['"]).*\1$/s.test(part) ? `'${part.slice(1, -1)}'` : part)
    else if (language === 'python') found.push(...pythonTokens(part))
    else
      for (const match of part.matchAll(word))
        if (match[0] !== ';') found.push(language === 'sql' ? match[0].toLowerCase() : match[0])
  }
  if (found[0]?.startsWith('\n')) found.shift()
  // A comma before a closing bracket is layout.
  return found.filter((token, index) => token !== ',' || !/^[)\]}]$/.test(found[index + 1] ?? ''))
}

const pythonTokens = (code: string): string[] =>
  code.split('\n').flatMap((line, index) => {
    const own = line.match(word) ?? []
    return index > 0 && own.length > 0 ? [`\n${(line.length - line.trimStart().length).toString()}`, ...own] : own
  })
