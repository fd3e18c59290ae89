import type { Comment, Reading, Statement } from './reading.ts'
import { emptyReading, maxParsedChars } from './reading.ts'
import { scan } from './scan.ts'

/** What must follow a statement's verb for it to be SQL and not a sentence of English. */
const verbs: Readonly<Record<string, RegExp>> = {
  SELECT: /./,
  WITH: /^(?:RECURSIVE\s+)?[\w"]+\s*(?:\([^)]*\)\s*)?AS\b/i,
  INSERT: /^(?:OR\s+\w+\s+)?INTO\b/i,
  REPLACE: /^INTO\b/i,
  UPDATE: /\bSET\b/i,
  DELETE: /^FROM\b/i,
  MERGE: /^INTO\b/i,
  CREATE:
    /^(?:OR\s+REPLACE\s+)?(?:TEMP\w*\s+|UNIQUE\s+|UNLOGGED\s+|VIRTUAL\s+|MATERIALIZED\s+)*(?:TABLE|VIEW|INDEX|TRIGGER|FUNCTION|PROCEDURE|SCHEMA|SEQUENCE|TYPE|DOMAIN|EXTENSION|ROLE|USER|DATABASE|AGGREGATE)\b/i,
  ALTER: /^(?:TABLE|VIEW|INDEX|TYPE|SEQUENCE|SCHEMA|DOMAIN|FUNCTION|ROLE)\b/i,
  DROP: /^(?:TABLE|VIEW|INDEX|TRIGGER|FUNCTION|TYPE|SEQUENCE|SCHEMA|DOMAIN|MATERIALIZED)\b/i,
  TRUNCATE: /^(?:TABLE\s+)?[\w".]+/i,
  VALUES: /^\(/,
  BEGIN: /^(?:$|TRANSACTION|WORK)/i,
  COMMIT: /^(?:$|TRANSACTION|WORK)/i,
  ROLLBACK: /^(?:$|TO\b|TRANSACTION)/i,
  PRAGMA: /^\w+/,
  EXPLAIN: /^(?:ANALYZE|QUERY|\(|SELECT|WITH|INSERT|UPDATE|DELETE)/i,
  SET: /^[\w.]+\s*(?:=|TO)\b/i,
  GRANT: /\bTO\b/i,
  REVOKE: /\bFROM\b/i,
  COMMENT: /^ON\b/i,
  DO: /^\$|^LANGUAGE/i,
  ANALYZE: /^(?:$|[\w".]+$)/,
  SHOW: /^\w+$/,
}

const prose =
  /\b(?:the|this|that|which|your|you|we|it|is|are|an)\s+(?:the|this|that|a|an|query|table|rows?|best|following|will|is|are|returns?|can)\b/i

/**
 * Reads SQL by its tokens: statements split at semicolons outside strings, brackets and dollar quotes, each with a verb and
 * what the verb asks for. No dialect's grammar, so it accepts what any of them accepts. Linear, never throws.
 */
export function readSql(text: string): Reading {
  if (text.length > maxParsedChars)
    return emptyReading('sql', { offset: 0, message: 'too large to parse', atEnd: false })
  const statements: Statement[] = []
  const comments: Comment[] = []
  let error: Reading['error'] = null
  const fail = (offset: number, message: string, atEnd = false) => {
    error ??= { offset, message, atEnd: atEnd || text.slice(offset).trim() === '' }
  }
  let code = ''
  for (const segment of scan(text, 'sql')) {
    const part = text.slice(segment.start, segment.end)
    if (segment.kind === 'comment')
      comments.push({ ...segment, text: part.replace(/^(?:--+|\/\*+)|\*+\/$/g, '').trim(), alone: false })
    if (!segment.closed) fail(segment.end, 'the text ends inside a string or comment', true)
    // Strings become names, so that what stands in them counts for nothing.
    code +=
      segment.kind === 'code'
        ? part
        : segment.kind === 'string'
          ? part.replace(/[^\n]/g, '_')
          : part.replace(/[^\n]/g, ' ')
  }
  code = hideDollarQuotes(code)
  let depth = 0
  let start = 0
  let isRoutine = false
  const defines = new Set<string>()
  const end = (at: number) => {
    const body = code.slice(start, at)
    const lead = body.length - body.trimStart().length
    const statement = body.trim()
    if (statement !== '') {
      const from = start + lead
      const verb = /^\(*\s*(\w+)\s*/.exec(statement)
      const rule = verbs[(verb?.[1] ?? '').toUpperCase()]
      const rest = statement.slice(verb?.[0].length ?? 0)
      if (!rule?.test(rest)) fail(from, 'no SQL statement starts so')
      else if (prose.test(statement)) fail(from, 'a sentence, not a statement')
      else if (/^SELECT\b/i.test(statement) && !/\bFROM\b/i.test(rest) && /^[A-Za-z]+(?:\s+[A-Za-z]+){3,}/.test(rest))
        fail(from, 'a sentence, not a statement')
      if (/[\u200B-\u200F\u2060-\u2064\uFEFF\u00AD]/.test(statement)) fail(from, 'an invisible character')
      if (/[{}`]|=>/.test(statement.replace(/`[^`\n]*`/g, ''))) fail(from, 'characters that SQL does not have')
      const name =
        /^(?:CREATE)\b.*?\b(?:TABLE|VIEW|FUNCTION|INDEX|TRIGGER|TYPE)\s+(?:IF\s+NOT\s+EXISTS\s+)?["`]?([\w.]+)/is.exec(
          statement,
        )?.[1]
      if (name) defines.add(name)
      statements.push({ start: from, end: from + statement.length, kind: 'definition', defines: name ? [name] : [] })
    }
    start = at + 1
  }
  for (let i = 0; i < code.length; i++) {
    const char = code[i]
    if (char === '(') depth++
    else if (char === ')') {
      depth--
      if (depth < 0) fail(i, 'a bracket closes that was not opened')
    } else if (char === ';' && depth <= 0) {
      // A trigger's or routine's body holds statements of its own up to its END.
      if (!isRoutine)
        isRoutine = /^\s*CREATE\b[\s\S]*\b(?:TRIGGER|PROCEDURE|FUNCTION)\b[\s\S]*\bBEGIN\b/i.test(
          code.slice(start, i).slice(0, 4_000),
        )
      if (isRoutine && !/\bEND\s*\w*\s*$/i.test(code.slice(Math.max(start, i - 60), i))) continue
      isRoutine = false
      end(i)
    }
  }
  end(code.length)
  if (depth > 0) fail(code.length, 'a bracket is not closed', true)
  if (statements.length === 0) fail(0, 'no statement')
  return {
    language: 'sql',
    ok: error === null,
    error,
    statements,
    defines,
    exports: defines,
    needs: new Set(),
    comments,
  }
}

/** Bodies in dollar quotes become names. A tag that is nowhere closed is remembered, so that the search stays linear. */
function hideDollarQuotes(code: string): string {
  const opener = /\$([A-Za-z_]\w{0,40})?\$/g
  const unclosed = new Set<string>()
  let out = ''
  let from = 0
  for (let match = opener.exec(code); match; match = opener.exec(code)) {
    if (unclosed.has(match[0])) continue
    const end = code.indexOf(match[0], opener.lastIndex)
    if (end === -1) {
      unclosed.add(match[0])
      if (unclosed.size > 20) break
      continue
    }
    out += code.slice(from, match.index) + code.slice(match.index, end + match[0].length).replace(/[^\n$]/g, '_')
    from = end + match[0].length
    opener.lastIndex = from
  }
  return out + code.slice(from)
}
