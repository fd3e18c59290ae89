import { isForeignPath, toPlainPath } from '../stack/path.ts'
import { readErrorBlock } from './errors-text.ts'
import type { Finding } from './finding.ts'
import type { TextReader } from './reading.ts'

const wrapper =
  /^\(\{"Object\.<anonymous>":function\([^)]*\)\{|^\(function \(exports, require, module, __filename, __dirname\) \{ ?/

/**
 * Node's print of an error with its source: `file:line`, the line, a caret, a blank line, the error. The column is the caret's,
 * without the text that a loader put in front of the code. Undefined where the lines are no such print.
 */
export function sourceHeaderFinding(lines: readonly string[]): Finding | undefined {
  for (let index = 0; index + 2 < Math.min(lines.length, 400); index += 1) {
    const place = /^\s{0,4}(\S.{0,1000}?):(\d+)\s*$/.exec(lines[index] ?? '')
    const caretAt = (lines[index + 2] ?? '').search(/\S/)
    if (!place?.[1] || isForeignPath(toPlainPath(place[1])) || !/^\s*\^+\s*$/.test(lines[index + 2] ?? '')) continue
    const error = lines.slice(index + 3)
    const first = error.findIndex((line) => line.trim() !== '')
    const finding = readErrorBlock(error.slice(Math.max(first, 0)), 'jest')
    const source = lines[index + 1] ?? ''
    const prefix = wrapper.exec(source)?.[0].length ?? 0
    const column = Math.max(1, caretAt - prefix + 1)
    // For a runtime error the frames are as exact and know more; for syntax the header is the only place.
    const exact = finding.finer !== 'syntax' && finding.frames?.some((frame) => !isForeignPath(frame.file))
    if (!exact) finding.place = { file: toPlainPath(place[1]), line: Number(place[2]), column }
    finding.sourceLine = source.slice(prefix).trim()
    if (finding.message === '' || finding.message === 'Error') continue
    return finding
  }
  return undefined
}

const head =
  /^(?:error: )?(?:Uncaught (?:\(in promise\) )?)?(?:\[)?(?:[A-Z][\w$.]*(?:Error|Exception)|Error|DOMException)(?: \[[A-Z0-9_]+\])?(?:: .*|)$/

/** Errors that a JavaScript program ended with, or that a log shows with their stacks. */
export const uncaughtReader: TextReader = {
  name: 'javascript error',
  tools: /^(?:node|bun|deno|javascript|js|isolated-vm|v8)\b/,
  looksLike: ({ text }) =>
    /\[UnhandledPromiseRejection: /.test(text) || (/^[ \t]*at \S/m.test(text) && /(?:Error|Exception)\b/.test(text)),
  read: ({ lines, text }) => {
    const rejected = rejectedValue(text)
    if (rejected) return [rejected]
    const header = sourceHeaderFinding(lines)
    if (header) return [header]
    const group = groupFinding(lines)
    if (group) return [group]
    const starts: number[] = []
    for (let index = 0; index < lines.length && starts.length < 50; index += 1) {
      const line = lines[index] ?? ''
      if (line.length < 4_000 && /Error|Exception/.test(line) && head.test(line.trim()) && hasFrames(lines, index))
        starts.push(index)
    }
    return starts
      .filter((start) => !/^\[?cause\]?:/i.test((lines[start] ?? '').trim()))
      .map((start, index) =>
        readErrorBlock(lines.slice(start, Math.min(starts[index + 1] ?? lines.length, start + 500)), 'node'),
      )
  },
}

/** A rejection with something that is no Error: node names it inside a sentence of its own. */
function rejectedValue(text: string): Finding | undefined {
  const reason = /\[UnhandledPromiseRejection: .{0,400}?rejected with the reason "(.{0,2000}?)"\.\]/s.exec(text)?.[1]
  return reason === undefined
    ? undefined
    : { finer: 'unhandled', message: `unhandled rejection of a value that is no Error: ${reason}`, actual: reason }
}

const groupHead = /^(?:Uncaught )?\[?AggregateError(?: \[\w+\])?(?:: (.*?))?(?:\]? \{|\])?$/

/** Several errors in one, as node prints them: what they are is told, and the first of them has the place. */
function groupFinding(lines: readonly string[]): Finding | undefined {
  const start = lines.findIndex((line) => line.length < 2_000 && groupHead.test(line.trim()))
  const list = start === -1 ? -1 : lines.findIndex((line, index) => index > start && /^\s*\[errors\]: \[/.test(line))
  if (list === -1 || list > start + 60) return undefined
  const inner: number[] = []
  for (let index = list + 1; index < Math.min(lines.length, list + 400) && inner.length < 20; index += 1)
    if (head.test((lines[index] ?? '').trim())) inner.push(index)
  const own = readErrorBlock(lines.slice(start, list), 'node')
  const parts = inner.map((at, index) => readErrorBlock(lines.slice(at, inner[index + 1] ?? at + 60), 'node'))
  const named = inner.map((at) => (lines[at] ?? '').trim().slice(0, 200))
  return {
    ...own,
    message: groupHead.exec((lines[start] ?? '').trim())?.[1] || 'several errors',
    frames: [...(own.frames ?? []), ...parts.flatMap((part) => part.frames ?? [])].slice(0, 100),
    causes: named.map((name) => `holds ${name}`),
    ...(named.length > 0 ? { hint: `holds ${named.join('; ')}` } : {}),
  }
}

function hasFrames(lines: readonly string[], start: number): boolean {
  for (let index = start + 1; index < Math.min(lines.length, start + 40); index += 1) {
    if (/^\s+at \S/.test(lines[index] ?? '')) return true
  }
  return false
}
