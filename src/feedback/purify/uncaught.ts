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
  looksLike: ({ text }) => /^[ \t]*at \S/m.test(text) && /(?:Error|Exception)\b/.test(text),
  read: ({ lines }) => {
    const header = sourceHeaderFinding(lines)
    if (header) return [header]
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

function hasFrames(lines: readonly string[], start: number): boolean {
  for (let index = start + 1; index < Math.min(lines.length, start + 40); index += 1) {
    if (/^\s+at \S/.test(lines[index] ?? '')) return true
  }
  return false
}
