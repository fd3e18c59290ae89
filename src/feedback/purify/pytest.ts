import { findOutside } from '../values/scan.ts'
import { readDiff } from './diff.ts'
import type { Finding } from './finding.ts'
import { chainFinding, readPython } from './python.ts'
import type { TextReader, ToolText } from './reading.ts'
import { finerOfThrown } from './thrown.ts'

const header = /^_{3,} (.+?) _{3,}$/
const sectionRule = /^={3,} ?(.*?) ?={3,}$/
const place = /^(\S.*?):(\d+): ?(?:in (.+)|(\S*))?$/

/** pytest's sections FAILURES and ERRORS; the short summary only where there is no section. */
export const pytestReader: TextReader = {
  name: 'pytest',
  tools: /pytest|py\.test/,
  looksLike: ({ text }) =>
    /^E {3,}\S/m.test(text) ||
    /^={3,} (?:FAILURES|ERRORS|short test summary info|test session starts)/m.test(text) ||
    /^no tests ran in /m.test(text),
  read: (text) => {
    const blocks = cutBlocks(text.lines)
    const findings = blocks.slice(0, 200).flatMap((block) => readBlock(block, text))
    if (findings.length > 0) return findings
    return withoutSections(text)
  },
}

interface Block {
  title: string
  section: string
  lines: string[]
}

function cutBlocks(lines: readonly string[]): Block[] {
  const blocks: Block[] = []
  let block: Block | undefined
  let section = ''
  for (const line of lines) {
    const rule = line.startsWith('=') ? sectionRule.exec(line.trimEnd()) : null
    if (rule) {
      section = rule[1] ?? ''
      block = undefined
      continue
    }
    const head = line.startsWith('_') ? header.exec(line.trimEnd()) : null
    if (head?.[1] && !/^_ _/.test(line)) {
      block = { title: head[1], section, lines: [] }
      blocks.push(block)
      continue
    }
    if (block) {
      if (/^-{3,} (?:Captured|coverage)/.test(line)) block = undefined
      else if (block.lines.length < 3_000) block.lines.push(line)
    } else if (section === '' && blocks.length === 0 && /^E {3,}\S/.test(line)) {
      // A cut log may begin inside a block.
      block = { title: '', section: 'FAILURES', lines: [line] }
      blocks.push(block)
    }
  }
  return blocks
}

function readBlock(block: Block, text: ToolText): Finding[] {
  const collecting = /^ERROR collecting (.+)$/.exec(block.title)
  const setup = /^ERROR at (?:setup|teardown) of (.+)$/.exec(block.title)
  const errors = errorParts(block.lines)
  const last = errors.at(-1)
  if (!last) {
    const chains = readPython(block.lines, text.source)
    const chain = chains.at(-1)
    if (!chain) return lineStyle(block)
    const finding = chainFinding(chain, text.source)
    if (setup?.[1]) Object.assign(finding, { finer: 'fixture', test: setup[1] })
    else if (!collecting && block.title) finding.test = block.title
    return [finding]
  }
  const finding = last.finding
  const causes = errors
    .slice(0, -1)
    .reverse()
    .map((part) => `${last.link === 'cause' ? 'caused by' : 'during handling of'} ${describe(part.finding)}`)
  if (causes.length > 0 && !isWrongMessage(finding)) {
    finding.causes = causes
    finding.hint = [finding.hint, ...causes].filter(Boolean).join('; ')
  }
  if (setup?.[1]) {
    if (finding.errorName && finding.finer !== 'assertion') finding.message = withName(finding)
    finding.finer = 'fixture'
    finding.test = setup[1]
  } else if (collecting) {
    if (finding.finer === 'runtime') finding.message = withName(finding)
    if (!finding.place && collecting[1]) finding.place = { file: collecting[1], line: 0, column: 0 }
  } else if (block.title) finding.test = block.title.replace(/^(\w+)\.(\w+)/, '$1.$2')
  return [finding]
}

function describe(finding: Finding): string {
  return `${withName(finding)}${finding.place ? ` (${finding.place.file.split(/[\\/]/).at(-1)}:${finding.place.line})` : ''}`
}

function withName(finding: Finding): string {
  const name = finding.errorName
  return name && name !== 'AssertionError' && name !== 'Error' && !finding.message.startsWith(name)
    ? `${name}: ${finding.message}`
    : finding.message
}

function isWrongMessage(finding: Finding): boolean {
  return finding.message === 'thrown error has the wrong message'
}

interface ErrorPart {
  finding: Finding
  link?: 'cause' | 'context'
}

/** The runs of `E` lines of a block, each with the place below it (or above it, with --tb=short). */
function errorParts(lines: readonly string[]): ErrorPart[] {
  const parts: ErrorPart[] = []
  let above: Finding['place']
  let link: ErrorPart['link']
  const frames: NonNullable<Finding['frames']>[number][] = []
  let marked: string | undefined
  for (let index = 0; index < lines.length; index += 1) {
    const line = (lines[index] ?? '').slice(0, 8_000)
    if (/^E(?: {2,}|$)/.test(line)) {
      const error: string[] = []
      while (index < lines.length && /^E(?: {2,}|$)/.test(lines[index] ?? '')) {
        error.push((lines[index] ?? '').slice(0, 8_000).replace(/^E ?/, ''))
        index += 1
      }
      index -= 1
      const finding = readError(dedentError(error), marked)
      const below = placeBelow(lines, index + 1)
      const at = below ?? above
      if (at) finding.place ??= { file: at.file, line: at.line, column: 0 }
      finding.frames = [...frames].reverse()
      parts.push({ finding, ...(link === undefined ? {} : { link }) })
      link = undefined
      continue
    }
    const trimmed = line.trim()
    if (/^The above exception was the direct cause/.test(trimmed)) link = 'cause'
    else if (/^During handling of the above exception/.test(trimmed)) link = 'context'
    if (/^> /.test(line)) marked = line.slice(1).trim()
    const found = line.startsWith(' ') ? null : place.exec(line)
    if (found?.[1] && (found[3] !== undefined || found[4] === '')) {
      above = { file: found[1], line: Number(found[2]), column: 0 }
      frames.push({ name: found[3] ?? '(anonymous)', file: found[1], line: Number(found[2]), column: 0 })
    }
  }
  return parts
}

function placeBelow(lines: readonly string[], from: number): { file: string; line: number } | undefined {
  for (let index = from; index < Math.min(lines.length, from + 6); index += 1) {
    const line = lines[index] ?? ''
    if (line.trim() === '') continue
    const found = /^(\S.*?):(\d+): (\S+)?$/.exec(line)
    return found?.[1] ? { file: found[1], line: Number(found[2]) } : undefined
  }
  return undefined
}

function dedentError(lines: readonly string[]): string[] {
  const indent = Math.min(
    ...lines.filter((line) => line.trim() !== '').map((line) => line.length - line.trimStart().length),
  )
  return lines.map((line) => line.slice(Number.isFinite(indent) ? indent : 0))
}

/** The text of one run of `E` lines. */
function readError(lines: readonly string[], marked: string | undefined): Finding {
  const first = lines[0] ?? ''
  const head =
    /^((?:\w+\.)*(?:[A-Z]\w*(?:Error|Exception|Group|Warning|Interrupt|Exit|Failed)|Failed|StopIteration|Skipped))(?:: ?(.*))?$/.exec(
      first,
    )
  const name = (head?.[1] ?? (/^assert\b/.test(first) ? 'AssertionError' : '')).split('.').at(-1) ?? ''
  const text = [head ? (head[2] ?? '') : first, ...lines.slice(1)].join('\n').trim()
  const finding: Finding = { finer: finerOfThrown(name, text, undefined), message: text, errorName: name || 'Error' }
  if (/^(?:fixture '|\w*fixture ')/.test(text) && /not found/.test(text)) {
    return { ...finding, finer: 'fixture', message: text.split('\n', 1)[0] ?? text }
  }
  const did = /^DID NOT RAISE (?:any of )?(.+)$/.exec(text)
  if (did?.[1])
    return {
      ...finding,
      finer: 'assertion',
      message: 'expected an error, none was raised',
      expected: did[1].replace(/^<class '(?:\w+\.)*(\w+)'>$/, '$1'),
      actual: 'no error',
    }
  if (/^Timeout >?[\d.]+ ?s?/.test(text) && name === 'Failed')
    return { ...finding, finer: 'timeout', message: `timed out (${text})` }
  if (name === 'Failed') return { ...finding, finer: 'assertion' }
  const pattern =
    /Regex pattern did not match\.?\n\s*(?:Expected regex|Regex): (.*)\n\s*(?:Actual message|Input): (.*)/.exec(text) ??
    /^Pattern (.+?) (?:does not match|not found in) (.+)$/.exec(text)
  if (pattern?.[1] && pattern[2]) {
    return {
      ...finding,
      finer: 'assertion',
      message: 'thrown error has the wrong message',
      expected: unquotePython(pattern[1]),
      actual: unquotePython(pattern[2]),
    }
  }
  if (finding.finer === 'assertion') return assertionError(finding, text, marked)
  if (finding.finer === 'syntax') {
    const at = /File "([^"]+)", line (\d+)/.exec(text)
    if (at?.[1]) finding.place = { file: at[1], line: Number(at[2]), column: 0 }
    finding.message =
      lines.map((line) => /^(?:SyntaxError|IndentationError|TabError): (.*)$/.exec(line.trim())?.[1]).find(Boolean) ??
      text
  }
  const short = /^(?:\s*File "([^"]+)", line (\d+))/.exec(text)
  if (short && finding.finer === 'runtime') {
    const syntax = lines
      .map((line) => /^(SyntaxError|IndentationError|TabError): (.*)$/.exec(line.trim()))
      .find(Boolean)
    if (syntax?.[2])
      return {
        ...finding,
        finer: 'syntax',
        message: syntax[2],
        place: { file: short[1] ?? '', line: Number(short[2]), column: 0 },
      }
  }
  if (finding.finer === 'import' && /^cannot import name/.test(text)) finding.finer = 'export'
  if (finding.finer === 'runtime' && name) finding.message = text ? `${name}: ${text}` : name
  return finding
}

function unquotePython(text: string): string {
  return text.trim().replace(/^r?(['"])([\s\S]*)\1$/, '$2')
}

/** `own message`, `assert a == b`, `+ where a = f(x)`, then pytest's explanation with its signs. */
function assertionError(finding: Finding, text: string, marked: string | undefined): Finding {
  const lines = text.split('\n')
  const at = lines.findIndex((line) => /^assert\b/.test(line))
  const own = at > 0 ? lines.slice(0, at).join('\n').trim() : at === -1 ? text : ''
  const assertion = at === -1 ? '' : (lines[at] ?? '')
  finding.message = own || assertion || marked || 'assertion failed'
  const compared = /^assert (.+)$/.exec(assertion)?.[1]
  if (compared !== undefined) Object.assign(finding, sides(compared))
  const rest = lines.slice(at + 1)
  const where = rest.map((line) => /^\s*\+\s+where (.+?) = (.+)$/.exec(line)).find(Boolean)
  if (where?.[2]) {
    finding.call = where[2]
    finding.hint = `${where[1]} is the value of ${where[2]}`
  }
  const explained = rest.filter((line) => !/^\s*\+\s+(?:where|and) /.test(line))
  const index = explained.map((line) => /^\s*At index (\d+) diff: (.+)$/.exec(line)).find(Boolean)
  if (index)
    finding.hint = [`first difference at index ${index[1]}: ${index[2]}`, finding.hint].filter(Boolean).join('; ')
  const diffLines = explained.filter((line) => /^\s{0,4}[-+?] |^\s{0,4}[-+]$/.test(line))
  if (diffLines.length > 0) {
    const diff = readDiff(
      explained
        .filter(
          (line) =>
            !/^\s*(?:At index|Full diff|Use -v|Left contains|Right contains|Omitting|Differing items|\.\.\.)/.test(
              line,
            ),
        )
        .join('\n'),
      'pytest',
    )
    if (diff) {
      finding.diff = diff.unified
      finding.expected ??= diff.expected ?? ''
      finding.actual ??= diff.actual ?? ''
    }
  }
  return finding
}

const operators = [' == ', ' != ', ' <= ', ' >= ', ' < ', ' > ', ' not in ', ' in ', ' is not ', ' is '] as const

/** Left is what was got, right is what was wanted, as tests are written. */
export function sides(compared: string): { actual?: string; expected?: string } {
  const found = findOutside(compared, operators)
  if (!found) {
    const negated = /^not (.+)$/.exec(compared)
    return negated?.[1]
      ? { actual: negated[1], expected: 'a falsy value' }
      : { actual: compared, expected: 'a truthy value' }
  }
  const left = compared.slice(0, found.index).trim()
  const right = compared.slice(found.index + found.found.length).trim()
  const operator = found.found.trim()
  if (operator === '==' || operator === 'is') return { actual: left, expected: right }
  if (operator === 'in' || operator === 'not in')
    return { actual: left, expected: `${operator === 'in' ? 'a member of' : 'no member of'} ${right}` }
  return { actual: left, expected: `${operator === 'is not' || operator === '!=' ? 'not' : operator} ${right}` }
}

/** `--tb=line`, a summary alone, nothing collected, usage errors. */
function withoutSections({ lines, text, exitCode }: ToolText): Finding[] {
  const findings: Finding[] = []
  for (const raw of lines) {
    const line = raw.slice(0, 4_000)
    const summary = /^(FAILED|ERROR) (\S+?\.py)(?:::(\S+))?(?: - (.*))?$/.exec(line)
    if (summary) {
      const reason = (summary[4] ?? '').replace(/\.\.\.$/, '')
      const finding = reason
        ? readError([reason], undefined)
        : ({ finer: 'assertion', message: 'test failed' } satisfies Finding)
      if (summary[1] === 'ERROR' && finding.finer === 'assertion') finding.finer = 'fixture'
      if (summary[3]) finding.test = summary[3].replaceAll('::', '.')
      finding.place ??= { file: summary[2] ?? '', line: 0, column: 0 }
      findings.push(finding)
    }
  }
  if (findings.length > 0) return findings
  const refused = lines.find((line) => /^ERROR: /.test(line))
  if (exitCode === 4 && refused) return [{ finer: 'infrastructure', message: refused.slice('ERROR: '.length) }]
  if (/no tests ran|collected 0 items/.test(text) || exitCode === 5)
    return [{ finer: 'no_test_report', message: 'no tests ran' }]
  const usage = lines.find((line) => /^ERROR: /.test(line))
  return usage ? [{ finer: 'infrastructure', message: usage.slice('ERROR: '.length) }] : []
}

function lineStyle(block: Block): Finding[] {
  const findings: Finding[] = []
  for (const line of block.lines) {
    const found = /^(\S.*?):(\d+): (\w+(?:Error|Exception)?)(?:: (.*))?$/.exec(line)
    if (!found?.[1]) continue
    const finding = readError([`${found[3]}: ${found[4] ?? ''}`], undefined)
    finding.place = { file: found[1], line: Number(found[2]), column: 0 }
    findings.push(finding)
  }
  return findings
}
