import { splitLines } from '../frame.ts'
import { parseStack } from '../stack/parse.ts'
import type { SourceText } from '../stack/source-map.ts'
import { printValue } from '../values/print.ts'
import { cleanText } from './ansi.ts'
import { bundlerObject } from './bundlers.ts'
import { type DiffDialect, readDiff } from './diff.ts'
import type { Finding } from './finding.ts'
import { nodeTestEvents } from './node-test.ts'
import type { KnownSources } from './place.ts'
import { chainFinding } from './python.ts'
import {
  type Fields,
  fieldsOf,
  jestJson,
  jestMessage,
  type RawFinding,
  textField,
  textFindings,
  toolOf,
} from './read-text.ts'
import { isSqlite, isSqlState, postgresFinding, sqliteFinding } from './sql.ts'
import { finerOfThrown, thrownFinding } from './thrown.ts'
import { sourceHeaderFinding } from './uncaught.ts'
import { printedPair, thrownOf } from './values-given.ts'

export type { RawFinding } from './read-text.ts'

/** What is known of the task. */
export interface Sources {
  /** The candidate's files: texts, or texts with the maps of what ran. */
  readonly files?: Readonly<Record<string, string | SourceText>>
  readonly tests?: Readonly<Record<string, string | SourceText>>
  /** The task's folder in the tool's own paths. */
  readonly root?: string
  /** The candidate's main file. */
  readonly entry?: string
  /** Layer of the failures; default by their kind. */
  readonly layer?: string
}

/** Files as maps; a missing entry is the only file there is. */
export function resolveSources(sources: Sources): KnownSources {
  const toMap = (files: Sources['files']) =>
    new Map(
      Object.entries(files ?? {}).map(([path, text]) => [path, typeof text === 'string' ? { source: text } : text]),
    )
  const files = toMap(sources.files)
  const only = files.size === 1 ? [...files.keys()][0] : undefined
  const entry = sources.entry ?? only
  return {
    files,
    tests: toMap(sources.tests),
    ...(sources.root === undefined ? {} : { root: sources.root }),
    ...(entry === undefined ? {} : { entry }),
  }
}

const maxDepth = 6

/** Everything in a raw input that is a failure, in the order of its appearance. Never throws. */
export function rawFindings(raw: unknown, sources: KnownSources, inherited: Fields = {}, depth = 0): RawFinding[] {
  if (depth > maxDepth) return []
  if (typeof raw === 'string') return textFindings({ ...inherited, text: raw }, undefined)
  if (Array.isArray(raw)) {
    // Records of node:test's stream, or a list of inputs.
    const events = raw.some((item) => /^test:/.test(String(fieldsOf(item)?.type ?? '')))
    if (events) return nodeTestEvents(raw).map((finding) => ({ finding, source: undefined }))
    return raw.slice(0, 2_000).flatMap((item) => rawFindings(item, sources, inherited, depth + 1))
  }
  const fields = fieldsOf(raw)
  if (!fields) return []
  const cases = fields.cases
  if (Array.isArray(cases)) {
    const { cases: _, ...rest } = fields
    return cases.flatMap((item) =>
      rawFindings(typeof item === 'string' ? { text: item } : item, sources, { ...inherited, ...rest }, depth + 1),
    )
  }
  const source = sourceOf(fields)
  return objectFindings({ ...inherited, ...fields }, source, sources, depth).map((finding) => ({ finding, source }))
}

function objectFindings(
  fields: Fields,
  source: SourceText | undefined,
  sources: KnownSources,
  depth: number,
): Finding[] {
  if ('thrown' in fields) return [thrownFinding(thrownOf(fields.thrown))]
  if (Array.isArray(fields.events)) return nodeTestEvents(fields.events)
  if (Array.isArray(fields.failureMessages))
    return fields.failureMessages.map((message) => jestMessage(String(message), fields))
  if (Array.isArray(fields.testResults)) return jestJson(fields.testResults)
  if (Array.isArray(fields.errors) && fields.errors.length > 0 && fields.message === undefined) {
    return fields.errors.flatMap((error) => {
      const bundled = fieldsOf(error)
      return (
        (bundled && bundlerObject(bundled)) ?? rawFindings(error, sources, {}, depth + 1).map((found) => found.finding)
      )
    })
  }
  if (typeof fields.error === 'string' || 'error' in fields) {
    const finding = errorFinding(fields.error, fields, source)
    if (finding) return finding
  }
  if (isSqlState(fields.code) && typeof fields.message === 'string') return [postgresFinding(fields, sqlOf(fields))]
  const message = textField(fields, 'message')
  const stack = textField(fields, 'stack')
  if (stack !== undefined && !('name' in fields) && !('expected' in fields)) {
    const finding = stackFinding(stack, message)
    return [sources.files.size === 0 ? placedByOriginal(finding, fields) : finding]
  }
  if (message !== undefined && hasNoStreams(fields)) {
    const finding = errorFinding(fields, fields, source)
    if (finding) return finding
  }
  if (stack !== undefined) return [stackFinding(stack, message)]
  const diff = textField(fields, 'diff')
  if (diff !== undefined && hasNoStreams(fields))
    return [diffFinding(cleanText(diff), toolOf(fields), textField(fields, 'code'))]
  return textFindings(fields, source).map((found) => found.finding)
}

function hasNoStreams(fields: Fields): boolean {
  return !['stdout', 'stderr', 'text', 'output'].some((key) => typeof fields[key] === 'string' && fields[key] !== '')
}

/** An error as an object or a sentence. Undefined: read the text instead. */
function errorFinding(error: unknown, around: Fields, source: SourceText | undefined): Finding[] | undefined {
  if (typeof error === 'string') {
    const finer = finerOfThrown('', error, undefined)
    if (finer !== 'runtime') return [thrownFinding({ name: '', message: error })]
    if (/\n|Error|error|expected|not found|line \d|^\S+\(\d+,\d+\)/.test(error) || 'tool' in around) {
      return textFindings({ ...around, text: error }, source).map((found) => found.finding)
    }
    return [{ finer: 'runtime', message: `thrown value (not an Error): ${printValue(error)}` }]
  }
  const fields = fieldsOf(error)
  if (!fields) return [thrownFinding(thrownOf(error))]
  const message = typeof fields.message === 'string' ? cleanText(fields.message) : undefined
  const code = fields.code
  if (isSqlState(code)) return [postgresFinding({ ...fields, message: message ?? '' }, sqlOf(around))]
  if (message !== undefined && isSqlite(message, code)) {
    return [sqliteFinding(message, typeof code === 'string' ? code : undefined, sqlOf(around))]
  }
  const bundled = bundlerObject(fields)
  if (bundled) return [bundled]
  if (message === undefined && fields !== around) {
    const nested = fields.stack
    if (typeof nested === 'string') return [stackFinding(nested, undefined)]
    return [thrownFinding(thrownOf(error))]
  }
  if (fields === around && !('name' in fields) && !('expected' in fields) && message !== undefined)
    return [messageFinding(message, fields)]
  const thrown = thrownOf(error)
  const finding = thrownFinding({ ...thrown, message: message ?? '', name: thrown.name ?? 'Error' })
  const pair = printedPair(fields, message ?? '')
  if (pair.words && finding.finer === 'assertion') {
    const where = pair.path ? `${pair.words} at ${pair.path}` : pair.words
    if (/^(?:unexpected|missing) key/.test(pair.words))
      finding.message = pair.path?.includes('.', 1) || pair.path?.includes('[') ? where : pair.words
    else
      finding.hint = [finding.hint, `first difference${pair.path ? ` at ${pair.path}` : ''}: ${pair.words}`]
        .filter(Boolean)
        .join('; ')
  }
  if (finding.finer === 'assertion' && 'expected' in fields && pair.expected?.startsWith('that Symbol'))
    Object.assign(finding, { expected: pair.expected, actual: pair.actual })
  const at = textField(around, 'at')
  if (at !== undefined && !finding.frames?.length) finding.frames = parseStack(`    at ${at}`).frames
  return [finding]
}

/** A message alone, perhaps with the place of the test (`at`): its kind by the words of its tool. */
function messageFinding(message: string, fields: Fields): Finding {
  const tool = toolOf(fields)
  const python = /^(?:pytest|unittest|python)/.test(tool)
  const raised = python ? /^([A-Z]\w*(?:Error|Exception)): ([\s\S]*)$/.exec(message) : null
  if (raised?.[1]) return chainFinding([{ name: raised[1], message: raised[2] ?? '', frames: [], repeated: false }])
  if (python) {
    const found = textFindings({ ...fields, message: undefined, text: message }, undefined)
    if (found[0]) return found[0].finding
  }
  const head = /^(?:Uncaught )?([A-Z]\w*(?:Error|Exception)): ([\s\S]*)$/.exec(message)
  const asserting =
    /^(?:vitest|jest|chai|node:assert|mocha|unittest|pytest)/.test(tool) ||
    /^(?:expected |promise (?:resolved|rejected) ")/.test(message)
  const isJsError = head?.[1] !== undefined && head[1] !== 'AssertionError'
  const name = head?.[1] ?? (asserting ? 'AssertionError' : 'Error')
  const cause = fields.cause
  const finding = thrownFinding({
    name,
    message: head?.[2] ?? message,
    ...(typeof cause === 'string' ? { cause: { message: cause } } : {}),
    ...(fields.generatedMessage === false ? { generatedMessage: false } : {}),
  })
  if (isJsError && finding.finer === 'assertion' && name !== 'AssertionError') finding.finer = 'runtime'
  return finding
}

function stackFinding(stack: string, message: string | undefined): Finding {
  const clean = cleanText(stack).replace(
    /^(?:error: )?(?:Uncaught )?(?:\(in promise\) )?(?=(?:[A-Z][\w$.]*)?(?:Error|Exception)\b)/,
    '',
  )
  const known = message === undefined ? undefined : cleanText(message)
  const parsed = parseStack(clean, known)
  const lines = splitLines(clean.slice(0, 200_000))
  const header = sourceHeaderFinding(lines)
  if (header) return header
  const head = /^(?:Uncaught )?([A-Z][\w$.]*(?:Error|Exception)?|Error)(?: \[(\w+)\])?: ?([\s\S]*)$/.exec(parsed.header)
  const text = known ?? head?.[3] ?? parsed.header
  // isolated-vm puts the place into the message of a syntax error.
  const bracket = /^([\s\S]*?) \[((?:file:\/\/\/?)?[^\]\n]*?):(\d+):(\d+)\]$/.exec(text)
  const code = head?.[2]
  const cause = /\[cause\]: ([\s\S]*)$/.exec(parsed.rest)?.[1]
  const inner = cause === undefined ? undefined : parseStack(cause)
  const innerHead = inner && /^([A-Z]\w*(?:Error|Exception)?): ?([\s\S]*)$/.exec(inner.header)
  const finding = thrownFinding({
    name: head?.[1] ?? 'Error',
    message: bracket?.[1] ?? text,
    stack: clean,
    ...(code === undefined ? {} : { code }),
    ...(inner ? { cause: { name: innerHead?.[1] ?? 'Error', message: innerHead?.[2] ?? inner.header } } : {}),
  })
  finding.frames = inner && inner.frames.length > 0 ? [...inner.frames, ...parsed.frames] : parsed.frames
  if (bracket?.[2])
    finding.place = {
      file: bracket[2].replace(/^file:\/\/\/?/, ''),
      line: Number(bracket[3]),
      column: Number(bracket[4]),
    }
  if (finding.place?.file.startsWith('<isolated-vm')) finding.place.file = '(candidate)'
  return finding
}

/**
 * Code was emitted from `original` and the map is lost: the emitted place means nothing in the author's text. Where the message stands
 * in it just once, as a text that is thrown, that is the place; else there is none.
 */
function placedByOriginal(finding: Finding, fields: Fields): Finding {
  const original = textField(fields, 'original')
  if (original === undefined || textField(fields, 'map') !== undefined || textField(fields, 'sourceMap') !== undefined)
    return finding
  const file = finding.frames?.find((frame) => frame.file !== '')?.file ?? ''
  const text = finding.message.split('\n', 1)[0] ?? ''
  const lines = splitLines(original)
  const holding = text.length < 3 ? [] : lines.flatMap((line, index) => (line.includes(text) ? [index] : []))
  const index = holding.length === 1 ? holding[0] : undefined
  delete finding.frames
  if (index === undefined) return finding
  const path = /interface |: \w+|\btype \w+ =/.test(original) ? file.replace(/\.([cm]?)jsx?$/, '.$1ts') : file
  finding.place = { file: path, line: index + 1, column: (lines[index] ?? '').search(/\S/) + 1 }
  return finding
}

function diffFinding(diff: string, tool: string, testCode: string | undefined): Finding {
  const dialect: DiffDialect = /unittest/.test(tool)
    ? 'unittest'
    : /node/.test(tool)
      ? 'node'
      : /pytest/.test(tool)
        ? 'pytest'
        : /mocha/.test(tool)
          ? 'mocha'
          : 'vitest'
  const lines = splitLines(diff)
  const assertion = lines.find((line) => /^assert /.test(line))
  const body = lines.filter((line) => line !== assertion).join('\n')
  const read = readDiff(body, dialect)
  const finding: Finding = { finer: 'assertion', message: assertion ?? 'values differ' }
  if (!read) return finding
  const turned = dialect === 'unittest' && testCode !== undefined && expectedComesFirst(testCode)
  const [expected, actual] = turned ? [read.actual, read.expected] : [read.expected, read.actual]
  if (expected !== undefined) finding.expected = dialect === 'pytest' ? likeAssertion(expected, assertion) : expected
  if (actual !== undefined) finding.actual = dialect === 'pytest' ? likeAssertion(actual, assertion) : actual
  finding.diff = read.unified
  return finding
}

/** pytest shows strings without quotes in its difference; the assertion above has them. */
function likeAssertion(text: string, assertion: string | undefined): string {
  return assertion?.includes(`'${text}'`) ? `'${text}'` : assertion?.includes(`"${text}"`) ? `"${text}"` : text
}

/** `assertEqual(expected, actual)`: the names, or a literal in front of a call, tell the order. */
function expectedComesFirst(code: string): boolean {
  const args = /assert\w*\(\s*([^,]+),\s*([^,)]+)/.exec(code)
  if (!args?.[1] || !args[2]) return false
  if (/^(?:expected|want|exp)\w*$/i.test(args[1].trim())) return true
  return (
    /^(?:['"\d[{(-]|None\b|True\b|False\b)/.test(args[1].trim()) &&
    !/^(?:['"\d[{-]|None\b|True\b|False\b)/.test(args[2].trim())
  )
}

function sqlOf(fields: Fields): string | undefined {
  return textField(fields, 'sql') ?? textField(fields, 'query') ?? textField(fields, 'source')
}

/** The program's text: `source`, `original`, or `code` when that is no error code. */
function sourceOf(fields: Fields): SourceText | undefined {
  const code = textField(fields, 'code')
  const text =
    textField(fields, 'source') ??
    textField(fields, 'original') ??
    sqlOf(fields) ??
    (code !== undefined && !/^\w{2,40}$/.test(code) ? code : undefined)
  if (text === undefined) return undefined
  const map = textField(fields, 'map') ?? textField(fields, 'sourceMap')
  return map === undefined ? { source: text } : { source: text, map }
}
