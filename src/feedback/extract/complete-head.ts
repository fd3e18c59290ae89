import type { Language } from '../../domain/task.ts'
import { readAs } from './languages.ts'
import type { Reading } from './reading.ts'

/** How often the parser is tried: of what follows a finished program no more than this many definitions are gone back over. */
const maxTries = 12

/** A top-level line that begins something: of the text's own indentation, and no closing bracket. */
const isTopLine = (line: string): boolean => /^[^\s)\]}]/.test(line)

const definedInTail = /\b(?:function\s*\*?|const|let|var|class|def|interface|type|enum)\s+([\p{L}_$][\p{L}\p{N}_$]*)/gu

/**
 * The finished program at the beginning of a text that ends in the middle of something else: models go on after the answer until
 * they are stopped. Null where a wanted name is missing, or where the finished part uses what is cut or has not come yet.
 */
export function completeHead(text: string, language: Language, exports: readonly string[]): string | null {
  if (exports.length === 0) return null
  const starts = topLines(text)
  for (const end of starts.slice(-maxTries).reverse()) {
    const head = text.slice(0, end).trimEnd()
    if (head === '') return null
    const reading = readAs(head, language)
    if (!reading.ok) continue
    if (!exports.every((name) => reading.defines.has(name) || reading.exports.has(name))) return null
    // A module's default export may be what is wanted, whatever the names are.
    if (/^export\s+default\b/m.test(text.slice(end))) return null
    if (!isSelfContained(head, reading, text.slice(end))) return null
    // Comments after the last statement belong to what is cut.
    const last = reading.statements.at(-1)?.end ?? head.length
    const lineEnd = head.indexOf('\n', last)
    return lineEnd === -1 ? head : head.slice(0, lineEnd)
  }
  return null
}

function topLines(text: string): number[] {
  const starts: number[] = []
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1))
    if (isTopLine(text.slice(at + 1, at + 2))) starts.push(at + 1)
  return starts
}

/** Uses nothing of what follows, whose last name may be cut itself, and nothing that no one knows. */
function isSelfContained(head: string, { needs, language }: Reading, tail: string): boolean {
  const cut = /[\p{L}_$][\p{L}\p{N}_$]*$/u.exec(tail)?.[0]
  for (const [, name] of tail.matchAll(definedInTail)) if (name !== undefined && needs.has(name)) return false
  if (language !== 'typescript' && language !== 'javascript') return true
  for (const name of needs) {
    if (isKnown(name)) continue
    if (cut !== undefined && cut !== name && name.startsWith(cut)) return false
    // What is called and not there is still to come; a name that is only assigned is a slip of the program's own.
    if (/^[A-Z]/.test(name) || new RegExp(`(?<![\\w$.])${name.replaceAll('$', '\\$')}\\s*[(<\`]`, 'u').test(head))
      return false
  }
  return true
}

const nodeNames = new Set([
  'require',
  'module',
  'exports',
  '__dirname',
  '__filename',
  'arguments',
  'undefined',
  'Record',
  'Partial',
  'Readonly',
  'ReadonlyArray',
  'Pick',
  'Omit',
  'Exclude',
  'Extract',
  'ReturnType',
  'Parameters',
  'NonNullable',
  'Required',
  'Awaited',
  'Iterable',
  'Iterator',
  'IterableIterator',
  'ArrayLike',
  'PromiseLike',
  'RegExpMatchArray',
  'RegExpExecArray',
  'const',
])

const isKnown = (name: string): boolean => name in globalThis || nodeNames.has(name)
