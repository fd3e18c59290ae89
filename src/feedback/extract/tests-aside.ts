import type { Language } from '../../domain/task.ts'
import type { Reading, Statement } from './reading.ts'
import { isTestModule } from './test-words.ts'

export interface Parted {
  readonly code: string
  /** Null when there were none. */
  readonly tests: string | null
}

/**
 * Takes tests and top-level assertions that a model put beside its solution out of the code, with the imports that only they
 * used. Calls of functions that the code itself defines are no tests, whatever their names.
 */
export function setTestsAside(text: string, reading: Reading, language: Language): Parted {
  if (!reading.ok || language === 'sql' || language === 'bash') return { code: text, tests: null }
  const isOwn = (statement: Statement) => {
    const word = /^(?:await\s+)?([\p{L}_$][\p{L}\p{N}_$]*)/u.exec(
      text.slice(statement.start, statement.start + 100),
    )?.[1]
    return word !== undefined && language !== 'python' && reading.defines.has(word)
  }
  const tests = reading.statements.filter(
    (statement) => (statement.kind === 'test' || statement.kind === 'assertion') && !isOwn(statement),
  )
  const hasRunner = reading.statements.some(
    (statement) => statement.kind === 'import' && isRunner(statement.module, language),
  )
  if (tests.length === 0 && !hasRunner) return { code: text, tests: null }
  const dropped = new Set<Statement>(tests)
  const kept = wordsOf(
    text,
    reading.statements.filter((statement) => !dropped.has(statement) && statement.kind !== 'import'),
  )
  for (const statement of reading.statements) {
    if (statement.kind !== 'import') continue
    const onlyForTests = isRunner(statement.module, language) || isTestModule(statement.module ?? '')
    const ownNames =
      statement.defines.length > 0 &&
      statement.defines.every((name) => reading.defines.has(name)) &&
      /^\./.test(statement.module ?? '')
    if ((onlyForTests || ownNames) && !statement.defines.some((name) => kept.has(name) && !ownNames))
      dropped.add(statement)
  }
  if (dropped.size === 0) return { code: text, tests: null }
  const removed = [...dropped].sort((a, b) => a.start - b.start)
  return {
    code: removeStatements(text, removed),
    tests: removed.map((statement) => text.slice(statement.start, statement.end)).join('\n'),
  }
}

const isRunner = (module: string | undefined, language: Language): boolean =>
  module !== undefined &&
  (language === 'python'
    ? /^(?:unittest|pytest|doctest|nose|hypothesis)(?:\.|$)/.test(module)
    : isTestModule(module) && !/assert/.test(module))

const wordsOf = (text: string, statements: readonly Statement[]): Set<string> => {
  const words = new Set<string>()
  for (const statement of statements)
    for (const match of text.slice(statement.start, statement.end).matchAll(/[\p{L}_$][\p{L}\p{N}_$]*/gu))
      words.add(match[0])
  return words
}

/** Removes statements with their lines and the comment lines right above; one blank line stays where two would meet. */
export function removeStatements(text: string, statements: readonly Statement[]): string {
  if (statements.length === 0) return text
  let out = ''
  let from = 0
  for (const statement of statements) {
    let start = statement.start
    const lineStart = text.lastIndexOf('\n', start - 1) + 1
    if (text.slice(lineStart, start).trim() === '') start = lineStart
    for (;;) {
      const previous = text.lastIndexOf('\n', start - 2) + 1
      if (
        start === 0 ||
        previous < from ||
        previous >= start ||
        !/^\s*(?:\/\/|#(?!!)).*\n$/.test(text.slice(previous, start))
      )
        break
      start = previous
    }
    let end = statement.end
    const trailing = /^[ \t]*;?[ \t]*(?:\/\/[^\n]*|#[^\n]*)?(?:\n|$)/.exec(text.slice(end, end + 2_000))
    if (trailing) end += trailing[0].length
    out += text.slice(from, Math.max(from, start))
    // Where a statement goes from between blank lines, one of the two runs of blank lines goes with it.
    if (out === '' || /\n[ \t]*\n$/.test(out))
      end += /^(?:[ \t]*\n)+/.exec(text.slice(end, end + 10_000))?.[0].length ?? 0
    from = Math.max(from, end)
  }
  const rest = text.slice(from)
  const trimmed = rest.trim() === '' ? out.trimEnd() : out + rest
  return text.endsWith('\n') && trimmed !== '' && !trimmed.endsWith('\n') ? `${trimmed}\n` : trimmed
}
