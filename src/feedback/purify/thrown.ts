import { recursionCycle } from '../stack/fold.ts'
import { parseStack } from '../stack/parse.ts'
import { cleanText } from './ansi.ts'
import { readAssertion } from './assertion.ts'
import { bound, type Finding, type FinerKind } from './finding.ts'

/** What is known of something that was thrown; texts only, values printed. */
export interface ThrownText {
  readonly name?: string
  readonly message: string
  readonly stack?: string
  readonly expected?: string
  readonly actual?: string
  readonly diff?: string
  readonly operator?: string
  readonly generatedMessage?: boolean
  readonly code?: string
  /** The thrown thing was not an Error but this value, printed. */
  readonly thrown?: string
  readonly cause?: ThrownText
  /** Of several errors in one: each in a line. */
  readonly parts?: readonly string[]
}

/** Names the kind of an error by its name, its code and, last, its message. */
export function finerOfThrown(name: string, message: string, code: string | undefined): FinerKind {
  if (isOverflow(name, message)) return 'stack_overflow'
  if (name === 'KeyboardInterrupt' || (name === 'AbortError' && /abort/i.test(message))) return 'cancelled'
  if (
    /^(?:Test|Hook) timed out in \d|^Exceeded timeout of|^thrown: "Exceeded timeout|^Timeout of \d+\s?ms exceeded|^Script execution timed out|^test timed out after|^.{0,120}? timed out (?:after|in) \d+(?:\.\d+)? ?m?s\b|^Timeout - Async (?:callback|function)/.test(
      message,
    ) ||
    name === 'TimeoutError' ||
    code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
  )
    return 'timeout'
  if (
    /heap out of memory|Array buffer allocation failed|^Isolate was disposed.*memory limit|memory limit|^out of memory$|Cannot allocate memory|ENOMEM/i.test(
      message,
    ) ||
    name === 'MemoryError'
  )
    return 'out_of_memory'
  if (
    /^(?:AssertionError|AssertionFailure|JestAssertionError|ExpectationFailed|ComparisonFailure|TestFailure)/.test(
      name,
    ) ||
    code === 'ERR_ASSERTION' ||
    name === 'AssertionError [ERR_ASSERTION]'
  )
    return 'assertion'
  if (isMissingModule(message, code, name)) return 'import'
  if (isMissingExport(message)) return 'export'
  if (
    name === 'SyntaxError' &&
    !/JSON|Unexpected end of input$|regular expression|BigInt|Invalid (?:regular|left)/.test(message)
  )
    return 'syntax'
  if (code === 'ERR_UNHANDLED_REJECTION') return 'unhandled'
  return 'runtime'
}

/** The stack's end in JavaScript engines and in Python. */
export function isOverflow(name: string, message: string): boolean {
  return (
    /^(?:Maximum call stack size exceeded|too much recursion|maximum recursion depth exceeded|stack overflow|Out of stack space|call stack exceeded)/i.test(
      message,
    ) || name === 'RecursionError'
  )
}

function isMissingModule(message: string, code: string | undefined, name: string): boolean {
  return (
    /^(?:ERR_MODULE_NOT_FOUND|MODULE_NOT_FOUND|ERR_PACKAGE_PATH_NOT_EXPORTED|ERR_UNKNOWN_BUILTIN_MODULE|ERR_UNSUPPORTED_DIR_IMPORT)$/.test(
      code ?? '',
    ) ||
    /^(?:Cannot find (?:module|package)|Failed to (?:resolve import|load url|resolve entry)|Could not resolve|No known conditions for|Package subpath|No such built-in module|Module not found|Unable to resolve)/i.test(
      message,
    ) ||
    /^(?:ModuleNotFoundError|ImportError)$/.test(name)
  )
}

function isMissingExport(message: string): boolean {
  return /does not provide an export named|^Named export '.+' not found|is not exported (?:by|from)|No matching export|has no exported member|^No "[^"]+" export is defined on the/.test(
    message,
  )
}

/** The first lines that are advice of a runner and nothing the program did. */
const adviceLines =
  /^(?:If this is a long-running test|Add a timeout value|If you are trying to|Did you forget to wait|This (?:error|usually)|See https?:|For more info|\(Use `node |Node\.js v\d|Learn more|You can |Please |Hint: |Note: |Make sure |- If |Vitest caught|Warning: To load an ES module|Bail out|If this test |ensure the done|For async tests and hooks)/i

/** A message without advice, ANSI and surrounding blanks. */
export function purifyMessage(message: string): string {
  const clean = cleanText(message).trim()
  if (!clean.includes('\n')) return clean.replace(/ (?:For async tests and hooks, ensure|\(see https?:).*$/i, '')
  const kept: string[] = []
  for (const line of clean.split('\n').slice(0, 400)) {
    if (adviceLines.test(line.trim())) break
    kept.push(line.trimEnd())
  }
  return kept.join('\n').trim() || clean
}

/** An error as a finding: kind, message without advice, values, recursion, causes. */
export function thrownFinding(error: ThrownText): Finding {
  if (error.thrown !== undefined) {
    return {
      finer: 'runtime',
      message: `thrown value (not an Error): ${bound(error.thrown, 600)}`,
      actual: error.thrown,
    }
  }
  const raw = cleanText(error.message.slice(0, 40_000))
  const stack = error.stack === undefined ? undefined : parseStack(cleanText(error.stack), raw)
  const name = (error.name ?? 'Error').trim()
  const message = purifyMessage(raw)
  const finding: Finding = { finer: finerOfThrown(name, message, error.code), message }
  if (stack) finding.frames = stack.frames
  if (finding.finer === 'assertion' || (finding.finer === 'runtime' && looksCompared(message, error))) {
    const read = readAssertion({ ...error, message })
    if (finding.finer === 'assertion' || read.known) {
      finding.finer = 'assertion'
      finding.message = read.message
      if (read.expected !== undefined) finding.expected = read.expected
      if (read.actual !== undefined) finding.actual = read.actual
      if (read.diff) finding.diff = read.diff
      if (read.hint) finding.hint = read.hint
    } else {
      if (error.expected !== undefined) finding.expected = error.expected
      if (error.actual !== undefined) finding.actual = error.actual
    }
  } else {
    if (error.expected !== undefined) finding.expected = error.expected
    if (error.actual !== undefined) finding.actual = error.actual
  }
  if (finding.finer === 'assertion' && /\.(?:not\.)?toMatch(?:Inline)?Snapshot\(/.test(message)) {
    finding.finer = 'snapshot'
    const taken = /^Snapshot: (.*)$/m.exec(message)?.[1]
    if (taken !== undefined) finding.expected = taken
  }
  if (finding.finer === 'stack_overflow') {
    const cycle = stack ? recursionCycle(stack.frames) : undefined
    if (cycle) {
      finding.cycle = cycle
      finding.hint = cycleHint(cycle)
    }
  }
  if (finding.finer === 'timeout') {
    finding.message = timeoutMessage(message)
  }
  if (finding.finer === 'runtime' || finding.finer === 'unhandled') {
    if (name !== 'Error' && name !== 'NonError') finding.code = error.code ?? name
  }
  if (error.code !== undefined && finding.code === undefined && error.code !== 'ERR_ASSERTION')
    finding.code = error.code
  finding.errorName = name
  const causes = causesOf(error)
  if (causes.length > 0) {
    finding.causes = causes
    finding.hint = [finding.hint, ...causes].filter(Boolean).join('; ')
  }
  return finding
}

/** What a reader sees of a recursion: who calls whom. */
export function cycleHint(cycle: readonly string[]): string {
  return `endless recursion: ${[...cycle, cycle[0] ?? ''].join(' -> ')}`
}

function timeoutMessage(message: string): string {
  const limit = /(\d+(?:\.\d+)?)\s?(ms|milliseconds|s|seconds)\b/.exec(message)
  const waited = /while waiting for `done\(\)` to be called/.test(message)
    ? ' while waiting for `done()` to be called'
    : ''
  const inner =
    message
      .replace(/^thrown: "/, '')
      .split('\n', 1)[0]
      ?.replace(/"$/, '') ?? message
  if (/^Script execution/.test(message)) return message
  return limit && /Exceeded timeout/.test(message) ? `timed out after ${limit[1]} ${limit[2]}${waited}` : inner.trim()
}

/** Errors of plain class that compare: Jest throws `Error`, bare scripts do too. */
function looksCompared(message: string, error: ThrownText): boolean {
  return (
    (error.expected !== undefined && error.actual !== undefined) ||
    /^(?:[\s\S]{0,400}\n)?\s*expect(?:\.\w+)?\(.*\)\.[\w.]+\(/.test(message) ||
    (/^(?:AssertionError|Error)$/.test(error.name ?? '') &&
      /^(?:expected|assertion failed|want|got) ?[\s\S]{0,400}(?:,|but|to) /i.test(message)) ||
    /^(?:Assertion failed|assertion failed)\b/.test(message)
  )
}

function causesOf(error: ThrownText): string[] {
  if (error.parts !== undefined) return error.parts.map((part) => `holds ${bound(part, 200)}`)
  const causes: string[] = []
  let current = error.cause
  while (current !== undefined && causes.length < 4) {
    const name = current.name && current.name !== 'Error' && current.thrown === undefined ? `${current.name}: ` : ''
    causes.push(
      `caused by ${name}${bound((current.thrown ?? purifyMessage(current.message)).split('\n', 1)[0] ?? '', 200)}`,
    )
    current = current.cause
  }
  return causes
}
