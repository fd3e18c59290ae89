import type { Finding, FinerKind } from './finding.ts'
import type { TextReader } from './reading.ts'

/** What a SQLSTATE means for a candidate; the language of the message plays no part. */
export function finerOfSqlState(state: string): FinerKind {
  const known: Readonly<Record<string, FinerKind>> = {
    '42601': 'syntax',
    '42501': 'policy',
    '57014': 'timeout',
    '55P03': 'timeout',
    '25P03': 'timeout',
    '54001': 'stack_overflow',
    '53200': 'out_of_memory',
    '0A000': 'runtime',
  }
  const exact = known[state]
  if (exact) return exact
  const byClass: Readonly<Record<string, FinerKind>> = {
    '23': 'constraint',
    '44': 'constraint',
    '42': 'schema',
    '3F': 'schema',
    '34': 'schema',
    '08': 'infrastructure',
    '28': 'infrastructure',
    '3D': 'infrastructure',
    '53': 'infrastructure',
    '57': 'infrastructure',
    '58': 'infrastructure',
    XX: 'infrastructure',
    F0: 'infrastructure',
  }
  return byClass[state.slice(0, 2)] ?? 'runtime'
}

/** Five of digits and capitals with a digit: a SQLSTATE, and no name of an error. */
export function isSqlState(code: unknown): code is string {
  return typeof code === 'string' && /^(?=.*\d)[0-9A-Z]{5}$/.test(code)
}

/**
 * 1-based line and column of PostgreSQL's position, which counts characters (not UTF-16 units) from 1.
 * The column counts UTF-16 units, like all columns here.
 */
export function sqlPosition(sql: string, position: number): { line: number; column: number } {
  let line = 1
  let column = 1
  let count = 1
  for (const char of sql) {
    if (count >= position) break
    if (char === '\n') {
      line += 1
      column = 1
    } else column += char.length
    count += 1
  }
  return { line, column }
}

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)

/** An error of PostgreSQL's protocol, as its drivers give it. */
export function postgresFinding(error: Readonly<Record<string, unknown>>, sql: string | undefined): Finding {
  const code = String(error.code)
  const finding: Finding = { finer: finerOfSqlState(code), message: text(error.message) ?? 'SQL error', code }
  const position = Number(error.position)
  if (sql !== undefined && Number.isInteger(position) && position > 0)
    finding.place = { file: '(query)', ...sqlPosition(sql, position) }
  const detail = text(error.detail)
  if (detail) finding.actual = detail
  const table = text(error.table) ?? text(error.table_name)
  if (table) finding.table = table
  const constraint = text(error.constraint) ?? text(error.constraint_name)
  if (constraint) finding.constraint = constraint
  const hints: string[] = []
  const hint = text(error.hint)
  if (hint) {
    const name = /reference the (?:column|table|function) "([^"]+)"/.exec(hint)?.[1] ?? /"([^"]+)"/.exec(hint)?.[1]
    if (name) finding.suggestion = name
    hints.push(hint)
  }
  const column = text(error.column)
  const objects = [
    table && `table ${table}`,
    column && `column ${column}`,
    constraint && `constraint ${constraint}`,
  ].filter(Boolean)
  if (finding.finer === 'constraint' && objects.length > 0) hints.push(objects.join(', '))
  if (error.internalPosition !== undefined || text(error.internalQuery)) {
    const where = text(error.where)?.split('\n', 1)[0]
    hints.push(`inside a function or block, not in the query itself${where ? `: ${where}` : ''}`)
  }
  if (hints.length > 0) finding.hint = hints.join('; ')
  return finding
}

/** What SQLite says, by its fixed sentences and result codes. */
export function sqliteFinding(message: string, code: string | undefined, sql: string | undefined): Finding {
  const body = message
    .replace(/^(?:SQLITE_[A-Z_]+: |SqliteError: |Error: (?:in prepare, |stepping, )?|sqlite3\.\w+: )/, '')
    .replace(/ \(\d+\)$/, '')
  const finding: Finding = { finer: sqliteKind(body, code), message: body }
  if (code) finding.code = code
  const near = /near "((?:[^"]|"")+)": syntax error/.exec(body)?.[1]
  if (sql !== undefined && near !== undefined) {
    const matches = [...sql.matchAll(new RegExp(near.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'), 'g'))]
    // SQLite names a word, not a place; only a word that stands once says where.
    const only = matches.length === 1 ? matches[0] : undefined
    if (only) finding.place = { file: '(query)', ...sqlPosition(sql, [...sql.slice(0, only.index)].length + 1) }
  }
  const constraint = /constraint failed: (.+)$/.exec(body)?.[1]
  if (constraint) {
    finding.constraint = constraint
    finding.table = constraint.split('.')[0] ?? constraint
  }
  return finding
}

function sqliteKind(message: string, code: string | undefined): FinerKind {
  if (/CONSTRAINT/.test(code ?? '') || /constraint failed/i.test(message)) return 'constraint'
  if (/syntax error|incomplete input|unrecognized token|unterminated/i.test(message)) return 'syntax'
  if (
    /no such (?:table|column|function|module|index|view|collation|savepoint)|already exists|ambiguous column|has no column named|has \d+ columns but|wrong number of arguments|duplicate column/i.test(
      message,
    )
  )
    return 'schema'
  if (/out of memory/i.test(message)) return 'out_of_memory'
  if (/interrupted/i.test(message)) return 'timeout'
  if (
    /database is locked|disk I\/O|unable to open|readonly database|malformed|not a database|disk is full/i.test(message)
  )
    return 'infrastructure'
  return 'runtime'
}

/** True for what SQLite's drivers throw. */
export function isSqlite(message: string, code: unknown): boolean {
  return (
    (typeof code === 'string' && /^(?:SQLITE_|ERR_SQLITE)/.test(code)) ||
    /^SQLITE_|sqlite3\.|^near ".*": syntax error|^no such (?:table|column|function): |^(?:UNIQUE|NOT NULL|FOREIGN KEY|CHECK|PRIMARY KEY) constraint failed/.test(
      message,
    )
  )
}

/** psql's and sqlite3's text: `ERROR:  …`, `LINE 2: …` with a caret, DETAIL and HINT; `Parse error near line 3: …`. */
export const sqlReader: TextReader = {
  name: 'sql',
  tools: /psql|postgres|pglite|pg\b|sqlite|sql/,
  looksLike: ({ text: all }) =>
    /^psql: (?:error|fatal): /im.test(all) ||
    /^(?:psql:.{1,300}?: )?(?:ERROR|FATAL|PANIC|ОШИБКА|FEHLER|ERREUR|ERRO|錯誤|错误|エラー|오류):[ \t]/m.test(all) ||
    /^(?:Parse error|Runtime error|Error:) (?:near line|in prepare)/m.test(all),
  read: ({ lines, source }) => {
    const findings: Finding[] = []
    for (let index = 0; index < lines.length && findings.length < 300; index += 1) {
      const line = (lines[index] ?? '').slice(0, 4_000)
      const sqlite =
        /^(?:Parse error|Runtime error|Error)(?: near line (\d+)|: near line (\d+))?(?: in prepare| in "[^"]*")?:? ?,? ?(.+?)(?: \((\d+)\))?$/.exec(
          line,
        )
      if (sqlite?.[3] && /^(?:Parse error|Runtime error|Error: (?:near line|in prepare|stepping))/.test(line)) {
        const finding = sqliteFinding(sqlite[3].replace(/^in prepare, |^stepping, /, ''), undefined, source)
        const at = Number(sqlite[1] ?? sqlite[2])
        if (at > 0) finding.place ??= { file: '(query)', line: at, column: 0 }
        findings.push(finding)
        continue
      }
      // The client itself: it did not come as far as a statement.
      const client = /^psql: (?:error|fatal): (.+)$/i.exec(line)
      if (client?.[1]) {
        findings.push({ finer: 'infrastructure', message: client[1] })
        continue
      }
      const head =
        /^(?:psql:(\S+?):(\d+): )?(?:ERROR|FATAL|PANIC|ОШИБКА|FEHLER|ERREUR|ERRO|錯誤|错误|エラー|오류):\s+(?:([0-9A-Z]{5}): )?(.+)$/.exec(
          line,
        )
      if (!head?.[4]) continue
      const error: Record<string, unknown> = { code: head[3] ?? stateOfSentence(head[4]), message: head[4] }
      let placeLine = head[2] === undefined ? 0 : Number(head[2])
      let column = 0
      for (let next = index + 1; next < Math.min(lines.length, index + 12); next += 1) {
        const following = lines[next] ?? ''
        const at = /^(?:LINE|СТРОКА|ZEILE|LIGNE|LINHA|行|줄) (\d+): /.exec(following)
        if (at) {
          placeLine = Number(at[1])
          const caret = (lines[next + 1] ?? '').indexOf('^')
          if (caret >= at[0].length) column = caret - at[0].length + 1
          if (following.slice(at[0].length).startsWith('...')) column = 0
        }
        const field = /^(DETAIL|HINT|CONTEXT|SQLSTATE):\s+(.+)$/.exec(following)
        if (field?.[1])
          error[{ DETAIL: 'detail', HINT: 'hint', CONTEXT: 'where', SQLSTATE: 'code' }[field[1]] ?? 'detail'] ??=
            field[2]
        if (/^(?:ERROR|FATAL):/.test(following)) break
      }
      const finding = postgresFinding(error, undefined)
      if (!isSqlState(finding.code)) delete finding.code
      finding.constraint ??= /constraint "([^"]+)"/.exec(head[4])?.[1] ?? ''
      if (finding.constraint === '') delete finding.constraint
      if (placeLine > 0) finding.place = { file: head[1] ?? '(query)', line: placeLine, column }
      findings.push(finding)
    }
    return findings
  },
}

/** psql prints no SQLSTATE unless asked: PostgreSQL's English sentences are fixed, though. */
function stateOfSentence(message: string): string {
  const sentences: readonly (readonly [RegExp, string])[] = [
    [/^syntax error/, '42601'],
    [/^column .* does not exist/, '42703'],
    [/^(?:relation|table) .* does not exist/, '42P01'],
    [/^(?:function|operator|procedure) .*does not exist|^operator does not exist/, '42883'],
    [/^type .* does not exist/, '42704'],
    [/already exists$/, '42P07'],
    [/^column reference .* is ambiguous/, '42702'],
    [/must appear in the GROUP BY/, '42803'],
    [/^duplicate key value/, '23505'],
    [/violates foreign key/, '23503'],
    [/violates not-null/, '23502'],
    [/violates check/, '23514'],
    [/^division by zero/, '22012'],
    [/^invalid input syntax/, '22P02'],
    [/^canceling statement due to/, '57014'],
    [/^deadlock detected/, '40P01'],
    [/^permission denied/, '42501'],
    [/^(?:password authentication|role .* does not exist)/, '28000'],
    [/^(?:could not connect|the database system|too many clients)/, '57P03'],
  ]
  return sentences.find(([pattern]) => pattern.test(message))?.[1] ?? ''
}
