import { bundlerReader } from './bundlers.ts'
import { dedent, readErrorBlock } from './errors-text.ts'
import type { Finding } from './finding.ts'
import type { TextReader, ToolText } from './reading.ts'
import { typescriptReader } from './typescript.ts'
import { sourceHeaderFinding } from './uncaught.ts'

/** Jest's text reports: a block per `●`, suites that did not run, no tests. */
export const jestReader: TextReader = {
  name: 'jest',
  tools: /jest/,
  looksLike: ({ text }) =>
    /^ {2}● /m.test(text) ||
    /^(?:FAIL|PASS) \S{1,300}\.[jt]sx?/m.test(text) ||
    /No tests found, exiting with code/.test(text),
  read: (text) => {
    const findings: Finding[] = []
    let title: string | undefined
    let block: string[] = []
    const close = () => {
      if (title !== undefined) findings.push(...readBlock(title, block, text))
      title = undefined
      block = []
    }
    for (const line of text.lines) {
      if (findings.length >= 200) break
      const head = line.includes('●') ? /^\s{0,2}● (.+)$/.exec(line) : null
      if (head?.[1]) {
        close()
        if (!/^Console\b|^Deprecation Warning|^Validation (?:Error|Warning)/.test(head[1])) title = head[1].trim()
        continue
      }
      if (
        title !== undefined &&
        /^(?:Test Suites:|Tests:|FAIL |PASS |Summary of all failing tests|Snapshot Summary| › \d+ snapshot)/.test(line)
      )
        close()
      else if (title !== undefined && block.length < 4_000) block.push(line)
    }
    close()
    if (findings.length === 0 && /No tests found, exiting with code/.test(text.text))
      findings.push({ finer: 'no_test_report', message: 'no tests found' })
    return findings
  },
}

function readBlock(title: string, block: readonly string[], text: ToolText): Finding[] {
  const lines = dedent(block)
  if (/^Test suite failed to run/.test(title)) return suiteFailure(lines, text)
  const finding = readErrorBlock(lines, 'jest')
  if (/^Cannot log after tests are done/.test(title)) return []
  finding.test = title.replace(/ › /g, ' > ')
  return [finding]
}

function suiteFailure(lines: readonly string[], text: ToolText): Finding[] {
  const joined = lines.join('\n')
  if (/Your test suite must contain at least one test/.test(joined))
    return [{ finer: 'no_test_report', message: 'the test file holds no test' }]
  const details = lines.findIndex((line) => /^Details:/.test(line.trim()))
  const body = details === -1 ? lines : dedent(lines.slice(details + 1))
  const inner: ToolText = { ...text, text: body.join('\n'), lines: body }
  const typescript = /TS\d{4,5}/.test(joined) ? typescriptInJest(lines) : []
  if (typescript.length > 0) return typescript
  const source = sourceHeaderFinding(body)
  if (source) return [source]
  const bundled = bundlerReader.read(inner)
  if (bundled.length > 0) return bundled
  const finding = readErrorBlock(body, 'jest')
  const from = /^(Cannot find module '[^']+') from '([^']+)'/.exec(finding.message)
  if (from?.[1]) {
    finding.message = from[1]
    finding.finer = 'import'
    if (finding.frames?.length === 0) finding.place = { file: from[2] ?? '', line: 0, column: 0 }
  }
  return [finding]
}

/** ts-jest: `src/a.ts:3:5 - error TS2322: …` inside the block. */
function typescriptInJest(lines: readonly string[]): Finding[] {
  const start = lines.findIndex((line) => /TS\d{4,5}: /.test(line))
  return start === -1 ? [] : typescriptReader.read(toText(dedent(lines.slice(start))))
}

function toText(lines: readonly string[]): ToolText {
  return {
    text: lines.join('\n'),
    lines,
    stdout: '',
    stderr: '',
    tool: 'tsc',
    exitCode: 1,
    signal: undefined,
    source: undefined,
    endedBy: undefined,
  }
}
