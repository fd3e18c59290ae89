import { boxReader, bundlerReader, esbuildReader } from './bundlers.ts'
import { readErrorBlock } from './errors-text.ts'
import type { Finding } from './finding.ts'
import type { TextReader, ToolText } from './reading.ts'

const heading = /^\s*(?:FAIL|❌ FAIL)\s{1,4}(.+)$/
const rule = /^\s*⎯{3,}/
const titledRule = /^\s*⎯{3,}\s*([^⎯]+?)\s*⎯{3,}/

/** Vitest's reports, versions 0.34 to 4: failed tests, failed suites, unhandled errors, no tests. */
export const vitestReader: TextReader = {
  name: 'vitest',
  tools: /vitest/,
  looksLike: ({ text }) =>
    /^[ \t]*FAIL {1,2}\S.* > |⎯⎯⎯|No test files found, exiting|Vitest caught|❯ \S+:\d+:\d+/m.test(text),
  read: (text) => {
    const findings: Finding[] = []
    let titles: string[] = []
    let block: string[] = []
    let section = ''
    let open = false
    const close = () => {
      if (block.some((line) => line.trim() !== '')) findings.push(...readBlock(titles, block, section, text))
      titles = []
      block = []
    }
    for (const line of linesFromReport(text.text)) {
      const head = line.includes('FAIL') ? heading.exec(line) : null
      if (head?.[1]) {
        if (block.some((entry) => entry.trim() !== '')) close()
        if (!open) titles = []
        titles.push(head[1].trim())
        open = true
      } else if (line.includes('⎯⎯⎯') && rule.test(line)) {
        close()
        const title = titledRule.exec(line)?.[1]
        if (title && !/^\[\d+\/\d+\]$/.test(title)) section = title
        open = /Unhandled|Uncaught|Typecheck Error|Source Error|Startup Error|Collection Error/i.test(section)
      } else if (open) {
        if (/^\s*(?:Test Files|Tests|Snapshots|Start at|Duration|Type Errors)\s{2,}/.test(line)) {
          close()
          open = false
        } else if (block.length < 1_000) block.push(line)
      }
      // Suites that did not load are reported first, so nothing more important comes later.
      if (findings.length >= mostBlocks) break
    }
    close()
    return findings.length > 0 ? findings : fallback(text)
  },
}

const mostBlocks = 60

const longLog = 131_072
const keptTail = 20_000

/**
 * Of a long log in Vitest's print what is read of it: from the first report of a failure, over more reports than are taken, and the
 * log's end, which tells how the process ended. Cheaper than to take the colours off all of it.
 */
export function tellingPart(raw: string): string {
  if (raw.length < longLog || !raw.includes('⎯⎯⎯')) return raw
  const rule = raw.indexOf('⎯⎯⎯')
  const fail = raw.indexOf('FAIL ')
  const start = raw.lastIndexOf('\n', fail === -1 ? rule : Math.min(fail, rule)) + 1
  let end = start
  for (let count = 0; count < mostBlocks * 4 && end !== -1; count += 1) end = raw.indexOf('FAIL ', end + 5)
  return end === -1 || raw.length - end < keptTail
    ? raw.slice(start)
    : `${raw.slice(start, raw.lastIndexOf('\n', end) + 1)}${raw.slice(-keptTail)}`
}

/** The lines from the first report of a failure on; the results before it are many and say nothing. */
function* linesFromReport(text: string): Generator<string> {
  const starts = [text.indexOf('FAIL '), text.indexOf('⎯⎯⎯')].filter((index) => index !== -1)
  if (starts.length === 0) return
  let start = text.lastIndexOf('\n', Math.min(...starts)) + 1
  while (start < text.length) {
    const newline = text.indexOf('\n', start)
    const end = newline === -1 ? text.length : newline
    yield text.slice(start, end)
    start = end + 1
  }
}

function readBlock(titles: readonly string[], block: readonly string[], section: string, text: ToolText): Finding[] {
  const unhandled = /Unhandled|Uncaught/i.test(section) && titles.length === 0
  const body = block.filter(
    (line) =>
      !/^\s*(?:Vitest caught \d|This might cause false|This error originated in|It doesn't mean the error|The latest test that might|This error was caught after|- (?:The|Cancel)|Please)/i.test(
        line,
      ),
  )
  if (body.every((line) => line.trim() === '')) return []
  const finding = readErrorBlock(body, 'vitest')
  if (/^No test suite found in file|^No test found in suite|^No tests? /.test(finding.message))
    finding.finer = 'no_test_report'
  if (unhandled && finding.finer === 'runtime') finding.finer = 'unhandled'
  if (unhandled) {
    const caused = /The latest test that might've caused the error is "([^"]+)"/.exec(block.join('\n'))?.[1]
    if (caused)
      finding.hint = [finding.hint, `thrown outside any test, probably of "${caused}"`].filter(Boolean).join('; ')
  }
  if (/^Snapshot `|mismatched$/.test(finding.message) && finding.finer !== 'syntax') finding.finer = 'snapshot'
  const built = buildError(finding, body, text)
  if (built) return built
  if (titles.length === 0) return [finding]
  return titles.map((title) => withTitle({ ...finding }, title))
}

/** A suite that does not build shows the bundler's own report inside the block. */
function buildError(finding: Finding, body: readonly string[], text: ToolText): Finding[] | undefined {
  const joined = body.join('\n')
  if (
    !/Transform failed|Failed to (?:resolve import|parse source|load)|PARSE_ERROR|: ERROR: |RollupError|╭─/.test(joined)
  )
    return undefined
  const inner: ToolText = { ...text, text: joined, lines: body }
  for (const reader of [boxReader, esbuildReader, bundlerReader]) {
    const found = reader.read(inner)
    if (found.length > 0) return found
  }
  const parsed = finding.finer === 'runtime' && /Transform failed|parse/i.test(finding.message)
  return parsed ? [{ ...finding, finer: 'syntax' }] : undefined
}

/** `|project| file.test.ts > suite > name`; `file.test.ts [ file.test.ts ]` names a suite that did not load. */
function withTitle(finding: Finding, title: string): Finding {
  const bare = title.replace(/^\|[^|]*\|\s*/, '').replace(/ \[ .* \]$/, '')
  const parts = bare.split(' > ')
  const named =
    parts.length > 1 && /\.[cm]?[jt]sx?$|\.(?:vue|svelte)$/.test(parts[0] ?? '')
      ? parts.slice(1)
      : parts.length > 1
        ? parts
        : []
  if (named.length > 0) finding.test = named.join(' > ')
  if (
    finding.frames?.length === 0 &&
    finding.place === undefined &&
    parts[0] &&
    /\.\w+$/.test(parts[0]) &&
    named.length === 0
  ) {
    finding.place = { file: parts[0].replace(/^\S+\s+(?=\S+\.\w+$)/, ''), line: 0, column: 0 }
  }
  return finding
}

/** Logs cut short: the tree of results has a line per failed test with the message under it. */
function fallback({ lines, text }: ToolText): Finding[] {
  if (/No test files found, exiting with code/.test(text))
    return [{ finer: 'no_test_report', message: 'no test files found' }]
  if (/^\s*Tests\s+\d+ (?:skipped|todo)(?: \| \d+ (?:skipped|todo))*(?: \(\d+\))?$/m.test(text.slice(-4_000)))
    return [{ finer: 'no_test_report', message: 'all tests are skipped' }]
  const findings: Finding[] = []
  for (let index = 0; index < lines.length; index += 1) {
    const arrow = /^\s*→ (.*)$/.exec((lines[index] ?? '').slice(0, 4_000))
    if (!arrow?.[1]) continue
    const finding = readErrorBlock([arrow[1]], 'vitest')
    if (finding.finer === 'runtime' && /^expected /.test(finding.message)) finding.finer = 'assertion'
    const title = /^\s*[×✗❯] (.+?)(?: \(?\d+(?:\.\d+)? ?m?s\)?)?$/.exec((lines[index - 1] ?? '').slice(0, 2_000))?.[1]
    findings.push(title ? withTitle(finding, title) : finding)
  }
  return findings
}
