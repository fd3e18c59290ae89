import type { StackFrame } from '../stack/parse.ts'
import { readAssertion } from './assertion.ts'
import { readDiff } from './diff.ts'
import type { Finding } from './finding.ts'
import type { TextReader } from './reading.ts'
import { cycleHint, finerOfThrown } from './thrown.ts'

const frameLine = /^\s*File "([^"]*)", line (\d+)(?:, in (.+))?$/
const errorLine =
  /^((?:[A-Za-z_][\w]*\.)*[A-Z]\w*|KeyboardInterrupt|SystemExit|StopIteration|GeneratorExit)(?:: ([\s\S]*))?$/
const links =
  /^(?:The above exception was the direct cause of the following exception:|During handling of the above exception, another exception occurred:)$/

/** One traceback: its frames in calling order, and what was raised. */
export interface PythonBlock {
  name: string
  message: string
  frames: StackFrame[]
  /** Source line of the last frame and its caret line. */
  source?: string
  caret?: string
  /** How the block after it came about. */
  link?: 'cause' | 'context'
  repeated: boolean
  /** Members of an exception group. */
  parts?: string[]
}

/** Reads tracebacks (also of exception groups), syntax errors without one, and chains. */
export const pythonReader: TextReader = {
  name: 'python',
  tools: /^(?:python|pyodide|py\b)/,
  looksLike: ({ text }) =>
    text.includes('Traceback (most recent call last)') || /^[ \t]*File "[^"\n]+", line \d+/m.test(text),
  read: ({ lines, source }) => readPython(lines, source).map((chain) => chainFinding(chain, source)),
}

/** Chains of tracebacks in a text, each from the first cause to the error that ended it. */
export function readPython(rawLines: readonly string[], _source?: string): PythonBlock[][] {
  // Exception groups draw a margin.
  const grouped = rawLines.some((line) => line.includes('Exception Group Traceback'))
  const lines = grouped
    ? rawLines.map((line) => line.replace(/^(?:\s*[|+] ?)+/, '').replace(/^Exception Group Traceback/, 'Traceback'))
    : rawLines
  const chains: PythonBlock[][] = []
  let chain: PythonBlock[] = []
  let block: PythonBlock | undefined
  const finish = () => {
    if (chain.length > 0) chains.push(chain)
    chain = []
  }
  for (let index = 0; index < lines.length && chains.length < 100; index += 1) {
    const line = (lines[index] ?? '').slice(0, 8_000)
    const trimmed = line.trim()
    if (links.test(trimmed)) {
      const last = chain.at(-1)
      if (last) last.link = trimmed.startsWith('The above') ? 'cause' : 'context'
      continue
    }
    if (/^Traceback \(most recent call last\):/.test(trimmed)) {
      if (chain.at(-1)?.link === undefined) finish()
      block = { name: '', message: '', frames: [], repeated: false }
      continue
    }
    const frame = frameLine.exec(line)
    if (frame) {
      if (!block) {
        if (chain.at(-1)?.link === undefined) finish()
        block = { name: '', message: '', frames: [], repeated: false }
      }
      block.frames.push({ name: frame[3] ?? '<module>', file: frame[1] ?? '', line: Number(frame[2]), column: 0 })
      delete block.source
      delete block.caret
      continue
    }
    if (!block) {
      const group = chain.at(-1)
      if (grouped && group?.name.endsWith('Group') && /^[A-Z]\w*(?:Error|Exception): /.test(trimmed))
        group.parts = [...(group.parts ?? []), trimmed.slice(0, 200)]
      continue
    }
    if (/^\[Previous line repeated \d+ more times?\]$/.test(trimmed)) {
      block.repeated = true
      continue
    }
    const caret = /^\s*[~^]+[\s~^]*$/.test(line)
    if (caret && block.source !== undefined) {
      block.caret = line
      continue
    }
    const indented = /^\s{2,}/.test(line)
    const error = indented ? null : errorLine.exec(trimmed)
    if (error && block.frames.length >= 0 && isErrorName(error[1] ?? '')) {
      block.name = error[1] ?? ''
      const rest = [error[2] ?? '']
      while (index + 1 < lines.length && rest.length < 60 && continues(lines, index + 1)) {
        index += 1
        rest.push(lines[index] ?? '')
      }
      block.message = rest.join('\n').trim()
      chain.push(block)
      block = undefined
      continue
    }
    if (indented && block.frames.length > 0 && block.source === undefined) block.source = line
  }
  finish()
  return chains
}

function isErrorName(name: string): boolean {
  return (
    /(?:Error|Exception|Warning|Group|Interrupt|Exit|Iteration|Failed|Skipped)$/.test(name) ||
    name.includes('.') ||
    /^[A-Z]\w+$/.test(name)
  )
}

/** A message goes on over lines until what can only be something else. */
function continues(lines: readonly string[], index: number): boolean {
  const line = lines[index] ?? ''
  const trimmed = line.trim()
  if (/^-?\+?-{10,}/.test(trimmed)) return false
  if (
    /^(?:Traceback \(|During handling|The above exception|={5,}|-{20,}|_{5,} |Ran \d+ test|FAILED|\+-|File ")/.test(
      trimmed,
    )
  )
    return false
  if (trimmed !== '') return true
  const next = (lines[index + 1] ?? '').trim()
  return next !== '' && /^(?:[-+?] |[-+?]$|\S+ : )/.test(next)
}

const syntaxNames = /^(?:SyntaxError|IndentationError|TabError)$/

/** The failure of one chain: the last block is the error, the others are named, nearest first, as causes. */
export function chainFinding(chain: readonly PythonBlock[], source?: string): Finding {
  const last = chain.at(-1)
  if (!last) return { finer: 'runtime', message: 'Python error' }
  const short = last.name.split('.').at(-1) ?? last.name
  const finding: Finding = {
    finer: finerOfThrown(short, last.message, undefined),
    message: '',
    frames: [...last.frames].reverse(),
    errorName: short,
  }
  if (syntaxNames.test(short)) syntaxPart(finding, last, source)
  else if (finding.finer === 'assertion') assertionPart(finding, last)
  else if (finding.finer === 'stack_overflow') {
    finding.message = last.message.replace(/ while calling a Python object.*$/, '')
    const cycle = pythonCycle(last)
    if (cycle.length > 0) {
      finding.cycle = cycle
      finding.hint = cycleHint(cycle)
    }
  } else if (finding.finer === 'import') finding.message = last.message
  else finding.message = last.message ? `${short}: ${last.message}` : short
  if (finding.finer === 'import' && /^cannot import name/.test(last.message)) finding.finer = 'export'
  const hint = /^(.*?)\.? Did you mean:? '([^']+)'\??$/s.exec(finding.message)
  if (hint?.[1] && hint[2]) {
    finding.message = hint[1]
    finding.suggestion = hint[2]
  }
  if (last.parts !== undefined && last.parts.length > 0)
    finding.hint = [finding.hint, `holds ${last.parts.slice(0, 5).join('; ')}`].filter(Boolean).join('; ')
  if (last.source !== undefined) finding.sourceLine = last.source.trim()
  const causes = chain
    .slice(0, -1)
    .reverse()
    .map((block) => {
      const at = block.frames.at(-1)
      const place = at ? ` (${at.file.split(/[\\/]/).at(-1)}:${at.line})` : ''
      const text = `${block.name}${block.message ? `: ${block.message.split('\n', 1)[0]}` : ''}${place}`
      return block.link === 'cause' ? `caused by ${text}` : `during handling of ${text}`
    })
  if (causes.length > 0) {
    finding.causes = causes
    finding.hint = [finding.hint, ...causes].filter(Boolean).join('; ')
  }
  return finding
}

/** The source is shown indented by four, so the caret's column is counted from there and the line's own indentation added. */
function syntaxPart(finding: Finding, block: PythonBlock, source: string | undefined): void {
  finding.finer = 'syntax'
  finding.message = block.message.replace(/ \([^()]*, line \d+\)$/, '') || block.name
  const at = block.frames.at(-1)
  if (!at) return
  const file = /^<(?:string|stdin|unknown|exec|fstring|ipython)/.test(at.file) ? '(candidate)' : at.file
  let column = 0
  if (block.caret !== undefined && block.source !== undefined) {
    const caret = block.caret.search(/[\^~]/)
    const shown = block.source.length - block.source.trimStart().length
    const original = source?.split(/\r\n|\n|\r/)[at.line - 1]
    const own = original === undefined ? 0 : original.length - original.trimStart().length
    column = Math.max(1, caret - shown + own + 1)
  }
  finding.place = { file, line: at.line, column }
  finding.frames = []
}

/** unittest compares `assertEqual(first, second)`; the first is what was got, the second what was wanted. */
function assertionPart(finding: Finding, block: PythonBlock): void {
  const text = block.message
  const [first = '', ...rest] = text.split('\n')
  const raised = /^(\S+(?: or \S+)*) not raised(?: by (.+))?$/.exec(first.split(' : ', 1)[0] ?? first)
  if (raised?.[1]) {
    finding.message = first
    finding.expected = raised[1]
    finding.actual = 'no error'
    return
  }
  const pattern = /^"(.*)" does not match "(.*)"$/.exec(first)
  if (pattern?.[1] && pattern[2]) {
    finding.message = 'thrown error has the wrong message'
    finding.expected = pattern[1]
    finding.actual = pattern[2]
    return
  }
  const [compared = '', own] = splitOwnMessage(text)
  const pair = unittestPair((compared.split('\n', 1)[0] ?? '').replace(/^\w+(?: \w+)? differ: /, ''))
  const start = rest.findIndex((line) => /^[-+] /.test(line))
  const diff = start === -1 ? undefined : readDiff(rest.slice(start).join('\n'), 'unittest')
  finding.message = own ?? (first || sourceMessage(block))
  if (pair) {
    finding.actual = pair.first
    finding.expected = pair.second
  } else {
    const read = readAssertion({ message: first })
    if (read.known) Object.assign(finding, { expected: read.expected, actual: read.actual })
  }
  if (diff) {
    finding.diff = diff.unified
    finding.expected ??= diff.expected ?? ''
    finding.actual ??= diff.actual ?? ''
  }
  const at = /First differing element (\d+):/.exec(text)
  if (at) finding.hint = `first difference at index ${at[1]}`
}

function sourceMessage(block: PythonBlock): string {
  return block.source?.trim() ?? 'assertion failed'
}

/** unittest joins its own text and the author's with ` : `. */
function splitOwnMessage(text: string): [string, string | undefined] {
  const line = text.split('\n').at(-1) ?? ''
  const index = line.lastIndexOf(' : ')
  if (
    index === -1 ||
    !/ (?:!=|==|is|not|in|not in|less|greater) /.test(text.slice(0, text.length - line.length + index))
  )
    return [text, undefined]
  return [text.slice(0, text.length - line.length + index), line.slice(index + 3)]
}

function unittestPair(line: string): { first: string; second: string } | undefined {
  const truth = /^(.+?) is not (true|false)$/.exec(line)
  if (truth?.[1]) return { first: truth[1], second: truth[2] === 'true' ? 'True' : 'False' }
  const sides =
    /^(.+?) (!=|not less than(?: or equal to)?|not greater than(?: or equal to)?|not found in|is not|!= ) (.+?)(?: within .+)?$/.exec(
      line,
    )
  if (sides?.[1] && sides[3]) {
    const word: Readonly<Record<string, string>> = {
      'not found in': 'a member of ',
      'not less than': '< ',
      'not greater than': '> ',
      'not less than or equal to': '<= ',
      'not greater than or equal to': '>= ',
    }
    return { first: sides[1], second: `${word[sides[2] ?? ''] ?? ''}${sides[3]}` }
  }
  const state = /^(.+?) is not (true|false|None)$/i.exec(line)
  return state?.[1] && state[2]
    ? { first: state[1], second: state[2].toLowerCase() === 'true' ? 'True' : state[2] }
    : undefined
}

function pythonCycle(block: PythonBlock): string[] {
  const names = block.frames.slice(-60).map((frame) => `${frame.name}\n${frame.file}`)
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  const most = Math.max(0, ...counts.values())
  if (most < 2 && !block.repeated) return []
  const repeated = [...counts]
    .filter(([, count]) => count >= Math.max(2, most / 2))
    .map(([name]) => name.split('\n')[0] ?? '')
  return [...new Set(repeated)]
}
