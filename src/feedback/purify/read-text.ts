import { splitLines } from '../frame.ts'
import type { SourceText } from '../stack/source-map.ts'
import { cleanText } from './ansi.ts'
import { bashReader } from './bash.ts'
import { boxReader, bundlerReader, esbuildReader } from './bundlers.ts'
import { doctestReader } from './doctest.ts'
import { readErrorBlock } from './errors-text.ts'
import { eslintReader } from './eslint.ts'
import type { Finding } from './finding.ts'
import { jestReader } from './jest.ts'
import { mochaReader } from './mocha.ts'
import { nodeSpecReader, tapReader } from './node-test.ts'
import { processFinding } from './process.ts'
import { pytestReader } from './pytest.ts'
import { pythonReader } from './python.ts'
import type { TextReader, ToolText } from './reading.ts'
import { sqlReader } from './sql.ts'
import { finerOfThrown, thrownFinding } from './thrown.ts'
import { typescriptReader } from './typescript.ts'
import { uncaughtReader } from './uncaught.ts'
import { unittestReader } from './unittest.ts'
import { tellingPart, vitestReader } from './vitest.ts'

const readers: readonly TextReader[] = [
  vitestReader,
  jestReader,
  mochaReader,
  tapReader,
  nodeSpecReader,
  pytestReader,
  doctestReader,
  unittestReader,
  typescriptReader,
  eslintReader,
  esbuildReader,
  boxReader,
  bundlerReader,
  pythonReader,
  sqlReader,
  bashReader,
  uncaughtReader,
]

/** Members of an input, before anything is known of them. */
export type Fields = Readonly<Record<string, unknown>>

/** A finding with the program that it is about, where the input holds it. */
export interface RawFinding {
  readonly finding: Finding
  readonly source: SourceText | undefined
}

/** Text of a tool: by its reader, else by the one whose text it looks like, else by how the process ended. */
export function textFindings(fields: Fields, source: SourceText | undefined): RawFinding[] {
  const isVitest = /^$|vitest/.test(toolOf(fields))
  const printed = (text: string) => cleanText(isVitest ? tellingPart(text) : text)
  const stdout = printed(
    textField(fields, 'stdout') ??
      textField(fields, 'text') ??
      textField(fields, 'output') ??
      textField(fields, 'message') ??
      '',
  )
  const stderr = printed(textField(fields, 'stderr') ?? '')
  const json = stdout.startsWith('{') ? parseJson(stdout) : undefined
  if (json && Array.isArray(json.testResults)) return jestJson(json.testResults).map((finding) => ({ finding, source }))
  const text = withShortLines(stdout && stderr ? `${stdout}\n${stderr}` : stdout || stderr)
  const exit = fields.exitCode ?? fields.exit_code ?? fields.status
  let lines: string[] | undefined
  const input: ToolText = {
    text,
    // Split when a reader asks: the reader of a large log looks for its own part first.
    get lines() {
      lines ??= text.split('\n')
      return lines
    },
    stdout,
    stderr,
    tool: toolOf(fields),
    exitCode: typeof exit === 'number' ? exit : exit === null ? null : undefined,
    signal: textField(fields, 'signal'),
    source: source?.source,
    endedBy: endOf(fields),
  }
  return readText(input).map((finding) => ({ finding, source }))
}

const longestLine = 4_000

/** Lines cut to what a reader needs: patterns then cost no more than the text is long. */
function withShortLines(text: string): string {
  for (let start = 0; start < text.length; ) {
    const newline = text.indexOf('\n', start)
    const end = newline === -1 ? text.length : newline
    if (end - start > longestLine) {
      return text
        .split('\n')
        .map((line) => (line.length > longestLine ? line.slice(0, longestLine) : line))
        .join('\n')
    }
    start = end + 1
  }
  return text
}

function endOf(fields: Fields): ToolText['endedBy'] {
  if (fields.endedBy === 'timeout' || fields.timedOut === true) return 'timeout'
  return fields.endedBy === 'memory' ? 'memory' : undefined
}

function readText(input: ToolText): Finding[] {
  const own = readers.filter((reader) => input.tool !== '' && reader.tools.test(input.tool))
  const findings: Finding[] = []
  for (const reader of own) {
    findings.push(...reader.read(input))
    if (findings.length > 0) break
  }
  if (findings.length === 0 && input.text !== '') {
    for (const reader of readers) {
      if (own.includes(reader) || !reader.looksLike(input)) continue
      findings.push(...reader.read(input))
      if (findings.length > 0) break
    }
  }
  const failing = findings.filter((finding) => finding.severity !== 'warning')
  const process = processFinding(input)
  if (
    process &&
    (failing.length === 0 || !['exit_code', 'missing_command'].includes(process.finer)) &&
    !(process.finer === 'exit_code' && failing.length > 0)
  ) {
    const told = failing.some((finding) => finding.finer === process.finer)
    if (!told && (failing.length === 0 || process.finer !== 'cancelled')) {
      if (failing.length === 0 && process.finer === 'exit_code' && input.text.trim() !== '')
        findings.push(...lastWords(input, process))
      else findings.push(process)
    }
  }
  if (findings.length === 0 && input.exitCode === undefined && input.signal === undefined) return looseLine(input.text)
  return findings
}

/** A red end whose text no reader knows: the last line that names an error says most. */
function lastWords(input: ToolText, process: Finding): Finding[] {
  const loose = looseLine(input.stderr.trim() === '' ? input.text : input.stderr)
  const known = loose.filter((finding) => finding.finer !== 'exit_code')
  return known.length > 0 ? known : [process]
}

/** One sentence without a tool: an error by its name, a comparison, or nothing. */
function looseLine(text: string): Finding[] {
  const lines = text.slice(-20_000).split('\n')
  for (let index = lines.length - 1; index >= 0; index -= 1) {
    const line = (lines[index] ?? '').trim().slice(0, 2_000)
    const head = /^(?:Uncaught )?([A-Z]\w*(?:Error|Exception))(?: \[\w+\])?: (.+)$/.exec(line)
    if (head?.[1]) return [thrownFinding({ name: head[1], message: head[2] ?? '' })]
    if (/^(?:expected|promise) /i.test(line)) {
      const finding = thrownFinding({ name: 'AssertionError', message: line })
      return [finding]
    }
    if (/^(?:fatal|error|panic|abort)\b[:! ]/i.test(line))
      return [
        {
          finer: finerOfThrown('', line.replace(/^\w+: /, ''), undefined),
          message: line.replace(/^(?:error|fatal): /i, ''),
        },
      ]
  }
  return []
}

/** One of Jest's `failureMessages`. */
export function jestMessage(message: string, fields: Fields): Finding {
  const finding = readErrorBlock(splitLines(cleanText(message)), 'jest')
  const name = textField(fields, 'fullName') ?? textField(fields, 'title')
  const ancestors = fields.ancestorTitles
  if (Array.isArray(ancestors) && typeof fields.title === 'string')
    finding.test = [...ancestors, fields.title].join(' > ')
  else if (name !== undefined) finding.test = name
  return finding
}

/** `jest --json` and Vitest's json reporter. */
export function jestJson(results: readonly unknown[]): Finding[] {
  const findings: Finding[] = []
  for (const result of results) {
    const file = fieldsOf(result)
    if (!file) continue
    const assertions = Array.isArray(file.assertionResults)
      ? file.assertionResults
      : Array.isArray(file.testResults)
        ? file.testResults
        : []
    let failed = 0
    for (const assertion of assertions) {
      const fields = fieldsOf(assertion)
      if (fields?.status !== 'failed' || !Array.isArray(fields.failureMessages)) continue
      failed += 1
      findings.push(...fields.failureMessages.slice(0, 5).map((message) => jestMessage(String(message), fields)))
    }
    const message = textField(file, 'message') ?? textField(file, 'failureMessage')
    if (failed === 0 && (file.status === 'failed' || file.testExecError !== undefined) && message) {
      const clean = cleanText(message)
      const inner = textFindings(
        { tool: 'jest', text: /●/.test(clean) ? clean : `  ● Test suite failed to run\n\n${clean}` },
        undefined,
      )
      findings.push(...inner.map((found) => found.finding))
    }
  }
  return findings
}

/** The tool's name in small letters; '' where it is not given. */
export function toolOf(fields: Fields): string {
  const tool = textField(fields, 'tool') ?? textField(fields, 'runner') ?? textField(fields, 'framework') ?? ''
  return tool.toLowerCase()
}

/** A member that is a text. */
export function textField(fields: Fields, key: string): string | undefined {
  const value = fields[key]
  return typeof value === 'string' ? value : undefined
}

/** Members of an object that is no list. */
export function fieldsOf(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined
}

function parseJson(text: string): Fields | undefined {
  try {
    return fieldsOf(JSON.parse(text))
  } catch {
    return undefined
  }
}
