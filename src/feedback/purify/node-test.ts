import { parseStack } from '../stack/parse.ts'
import { readAssertion } from './assertion.ts'
import { dedent, readErrorBlock } from './errors-text.ts'
import type { Finding } from './finding.ts'
import type { TextReader } from './reading.ts'
import { thrownFinding } from './thrown.ts'
import { type RawValue, thrownOf } from './values-given.ts'

const summaries = new Set(['subtestsFailed'])
const cancelled = new Set(['cancelledByParent', 'parentAlreadyFinished', 'testAborted'])

/** Events of node:test, as objects: one failure a leaf, parents only give their names. */
export function nodeTestEvents(events: readonly RawValue[]): Finding[] {
  const findings: Finding[] = []
  // Parents report after their children: a leaf takes the names of the next summaries with lesser nesting.
  const waiting: { finding: Finding; nesting: number; names: string[]; file: string }[] = []
  for (const event of events) {
    const data = objectOf(event)
    if (!data) continue
    const details = objectOf(data.data) ?? data
    const type = String(data.type ?? '')
    const nesting = Number(details.nesting ?? 0)
    const name = String(details.name ?? '')
    const error = objectOf(objectOf(details.details)?.error) ?? objectOf(details.error)
    const failureType = String(error?.failureType ?? '')
    if ((type === 'test:fail' && summaries.has(failureType)) || type === 'test:pass') {
      for (const open of waiting) {
        if (open.nesting > nesting && open.names.length === open.nesting - nesting) open.names.unshift(name)
      }
      continue
    }
    if (type !== 'test:fail' || !error) continue
    if (details.todo !== undefined && details.todo !== false) continue
    const finding = nodeTestError(error, failureType)
    const file = typeof details.file === 'string' ? details.file : ''
    if (file && !finding.place && finding.frames?.length === 0)
      finding.place = { file, line: Number(details.line ?? 0), column: Number(details.column ?? 0) }
    findings.push(finding)
    waiting.push({ finding, nesting, names: [name], file })
  }
  for (const { finding, names } of waiting) finding.test = names.join(' > ')
  return findings
}

function nodeTestError(error: Readonly<Record<string, unknown>>, failureType: string): Finding {
  const message = String(error.message ?? '')
  if (cancelled.has(failureType)) {
    return {
      finer: 'cancelled',
      message: (message || 'test did not finish before its parent').replace(/ and was cancelled$/, ''),
      frames: [],
    }
  }
  if (failureType === 'testTimeoutFailure')
    return { finer: 'timeout', message: message || 'test timed out', frames: [] }
  const cause = error.cause ?? error
  const finding = thrownFinding(typeof cause === 'string' ? { message: cause } : thrownOf(cause))
  if (failureType === 'hookFailed') finding.finer = 'fixture'
  if (failureType === 'uncaughtException' || failureType === 'unhandledRejection') {
    if (finding.finer === 'runtime') finding.finer = 'unhandled'
  }
  return finding
}

/** TAP with YAML blocks, as node:test, tape, node-tap and others print it. */
export const tapReader: TextReader = {
  name: 'tap',
  tools: /tap|node:test|node --test/,
  looksLike: ({ text }) => /^[ \t]*not ok \d+/m.test(text),
  read: ({ lines }) => {
    const findings: Finding[] = []
    const names: string[] = []
    let bail: string | undefined
    let comment = ''
    for (let index = 0; index < lines.length && findings.length < 300; index += 1) {
      const line = lines[index] ?? ''
      const sub = /^(\s*)# Subtest: (.*)$/.exec(line)
      if (sub) {
        const depth = Math.floor((sub[1] ?? '').length / 4)
        names.length = depth
        names[depth] = sub[2] ?? ''
        continue
      }
      const note = /^# (?!Subtest|tests|pass|fail|suites|skipped|todo|cancelled|duration_ms)(\S.*)$/.exec(line)
      if (note?.[1]) comment = note[1]
      if (/^Bail out!/.test(line)) bail = line.replace(/^Bail out!\s*/, '')
      const result = /^(\s*)not ok \d+(?: -)?\s*(.*)$/.exec(line)
      if (!result || /# (?:TODO|SKIP)\b/i.test(result[2] ?? '')) continue
      const indent = (result[1] ?? '').length
      const { fields, end } = yamlBlock(lines, index + 1)
      index = Math.max(index, end - 1)
      const failureType = fields.failureType ?? ''
      if (summaries.has(failureType) || /^\d+ subtests? failed$/.test(fields.error ?? '')) continue
      const finding = tapFinding(fields, failureType)
      const depth = Math.floor(indent / 4)
      const own = (result[2] ?? '').replace(/\s+# .*$/, '').trim()
      const path = [...names.slice(0, depth), own].filter(Boolean)
      finding.test =
        path.length === 1 && comment && fields.failureType === undefined ? `${comment} > ${own}` : path.join(' > ')
      findings.push(finding)
    }
    if (bail !== undefined) findings.push({ finer: 'runtime', message: bail || 'the test run bailed out' })
    return findings
  },
}

function tapFinding(fields: Readonly<Record<string, string>>, failureType: string): Finding {
  const message = (fields.error ?? fields.message ?? '').trim()
  const stack = fields.stack ?? fields.at ?? ''
  const frames = parseStack(
    stack
      .split('\n')
      .map((line) => (/^\s*at /.test(line) ? line : `    at ${line.trim()}`))
      .join('\n'),
  ).frames
  if (cancelled.has(failureType) || failureType === 'testTimeoutFailure') {
    return { ...nodeTestError({ message }, failureType), frames }
  }
  if (fields.operator !== undefined && fields.error === undefined) {
    // tape and node-tap compare without an Error
    const read = readAssertion({
      message: message || `assertion ${fields.operator} failed`,
      ...(fields.expected === undefined ? {} : { expected: fields.expected }),
      ...(fields.actual === undefined ? {} : { actual: fields.actual }),
    })
    return { finer: 'assertion', message: read.message, frames, ...valuesOf(read) }
  }
  const finding = thrownFinding({
    name: fields.name ?? (fields.code === 'ERR_ASSERTION' ? 'AssertionError' : 'Error'),
    message: message || 'test failed',
    ...(fields.code === undefined || fields.code === 'ERR_TEST_FAILURE' ? {} : { code: fields.code }),
    ...(fields.expected === undefined ? {} : { expected: fields.expected }),
    ...(fields.actual === undefined ? {} : { actual: fields.actual }),
  })
  finding.frames = frames
  return finding
}

function valuesOf(read: { expected?: string; actual?: string; hint?: string }): Partial<Finding> {
  const out: Partial<Finding> = {}
  if (read.expected !== undefined) out.expected = read.expected
  if (read.actual !== undefined) out.actual = read.actual
  if (read.hint !== undefined) out.hint = read.hint
  return out
}

/** The `---` … `...` block after a result: scalars, quoted scalars and `|-` blocks. */
function yamlBlock(lines: readonly string[], from: number): { fields: Record<string, string>; end: number } {
  const fields: Record<string, string> = {}
  const open = /^(\s*)---\s*$/.exec(lines[from] ?? '')
  if (!open) return { fields, end: from }
  const indent = (open[1] ?? '').length
  let index = from + 1
  while (index < lines.length && index - from < 4_000) {
    const line = lines[index] ?? ''
    if (new RegExp(`^\\s{${indent}}\\.\\.\\.\\s*$`).test(line)) return { fields, end: index + 1 }
    const pair = /^\s*([A-Za-z_][\w ]*):(?: (.*))?$/.exec(line.slice(indent))
    index += 1
    if (!pair?.[1]) continue
    const inner = line.length - line.trimStart().length
    const value = pair[2] ?? ''
    if (/^[|>][-+]?\d*$/.test(value.trim()) || value.trim() === '') {
      const block: string[] = []
      while (index < lines.length) {
        const next = lines[index] ?? ''
        if (next.trim() !== '' && next.length - next.trimStart().length <= inner) break
        block.push(next)
        index += 1
      }
      fields[pair[1]] ??= dedent(block).join('\n')
    } else fields[pair[1]] ??= scalar(value)
  }
  return { fields, end: index }
}

function scalar(value: string): string {
  const text = value.trim()
  if (/^'.*'$/.test(text)) return text.slice(1, -1).replaceAll("''", "'")
  if (/^".*"$/.test(text)) {
    try {
      return String(JSON.parse(text))
    } catch {
      return text.slice(1, -1)
    }
  }
  return text
}

/** The spec reporter of node:test: the list after `failing tests:`. */
export const nodeSpecReader: TextReader = {
  name: 'node:test spec',
  tools: /node:test|node --test/,
  looksLike: ({ text }) => text.includes('✖ ') && /^[ \t]*✖ (?:failing tests:|.+ \(\d+(?:\.\d+)?ms\)$)/m.test(text),
  read: ({ lines }) => {
    const start = lines.findIndex((line) => /✖ failing tests:/.test(line))
    const findings: Finding[] = []
    let index = start === -1 ? 0 : start + 1
    let place: Finding['place']
    while (index < lines.length && findings.length < 200) {
      const at = /^\s*test at (.+):(\d+):(\d+)\s*$/.exec(lines[index] ?? '')
      if (at?.[1]) place = { file: at[1], line: Number(at[2]), column: Number(at[3]) }
      const head = /^\s*✖ (.+?) \(\d+(?:\.\d+)?ms\)(?: #.*)?$/.exec(lines[index] ?? '')
      index += 1
      if (!head?.[1]) continue
      let end = index
      while (end < lines.length && !/^\s*(?:✖|✔|▶|ℹ|test at) /.test(lines[end] ?? '')) end += 1
      const block = lines.slice(index, end)
      index = end
      if (block.every((line) => line.trim() === '')) continue
      const text = dedent(block)[0] ?? ''
      if (/^'?\d+ subtests? failed'?$/.test(text)) continue
      const waits = /^'(test did not finish before its parent and was cancelled|test timed out after .*)'$/.exec(
        text,
      )?.[1]
      const finding = waits
        ? nodeTestError({ message: waits }, waits.startsWith('test timed') ? 'testTimeoutFailure' : 'cancelledByParent')
        : readErrorBlock(block, 'node')
      finding.test = head[1]
      if (place && (finding.frames ?? []).length === 0) finding.place = place
      place = undefined
      findings.push(finding)
    }
    return findings
  },
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
}
