import { parseFrame, type StackFrame } from '../stack/parse.ts'
import { type DiffDialect, readDiff } from './diff.ts'
import type { Finding } from './finding.ts'
import { isFrameLine } from './reading.ts'
import { type ThrownText, thrownFinding } from './thrown.ts'

const errorHead =
  /^(?:error: )?(?:Uncaught (?:\(in promise\) )?|Unhandled(?: promise)? rejection:? |Serialized )?(?:\[)?([A-Z][\w$.]*(?:Error|Exception|Warning|Rejection)|Error|DOMException|Failure|Exception)(?: \[([A-Z][A-Z0-9_]+)\])?: ?(.*)$/

/**
 * Reads the block of lines in which a runner shows one error: its name and message, a difference, frames, a piece of source,
 * node's members and causes. Works for Vitest, Jest, Mocha, node's reporters and uncaught errors alike.
 */
export function readErrorBlock(rawLines: readonly string[], dialect: DiffDialect): Finding {
  const lines = dedent(rawLines.slice(0, 1_500))
  const parts = splitBlock(lines)
  const first = errorHead.exec((parts.message[0] ?? '').trim())
  const name = first?.[1] ?? 'Error'
  const message = [first ? (first[3] ?? '') : (parts.message[0] ?? ''), ...parts.message.slice(1)].join('\n').trim()
  const members = readMembers(parts.members)
  const diff = parts.diff.length > 0 ? readDiff(parts.diff.join('\n'), dialect) : undefined
  const expected = diff?.expected ?? members.expected
  const actual = diff?.actual ?? members.actual
  const code = first?.[2] ?? members.code
  const error: ThrownText = {
    name,
    message,
    ...(expected === undefined ? {} : { expected }),
    ...(actual === undefined ? {} : { actual }),
    ...(diff?.unified.includes('\n') ? { diff: diff.unified } : {}),
    ...(code === undefined ? {} : { code }),
    ...(members.operator === undefined ? {} : { operator: members.operator }),
    ...(members.generatedMessage === 'false' ? { generatedMessage: false } : {}),
    ...(parts.cause.length > 0 ? { cause: causeOf(parts.cause) } : {}),
  }
  const finding = thrownFinding(error)
  // The place of the deepest cause is where to look.
  finding.frames = [...causeFrames(parts.cause), ...parts.frames]
  if (parts.sourceLine !== undefined) finding.sourceLine = parts.sourceLine
  return finding
}

function causeFrames(lines: readonly string[]): StackFrame[] {
  if (lines.length === 0) return []
  const parts = splitBlock(lines)
  return [...causeFrames(parts.cause), ...parts.frames]
}

function causeOf(lines: readonly string[]): ThrownText {
  const parts = splitBlock(lines)
  const text = parts.message.join('\n').replace(/^(?:\[?cause\]?: |Caused by: )/i, '')
  const head = errorHead.exec(text.split('\n', 1)[0] ?? '')
  return {
    name: head?.[1] ?? 'Error',
    message: head ? [head[3] ?? '', ...text.split('\n').slice(1)].join('\n') : text,
    ...(parts.cause.length > 0 ? { cause: causeOf(parts.cause) } : {}),
  }
}

interface Block {
  message: string[]
  diff: string[]
  frames: StackFrame[]
  members: string[]
  cause: string[]
  sourceLine?: string
}

const diffLegend =
  /^\s*(?:- Expected\b|\+ Received\b|- Snapshot\b|\+ expected - actual|\+ actual - expected|- expected\b)/i

function splitBlock(lines: readonly string[]): Block {
  const block: Block = { message: [], diff: [], frames: [], members: [], cause: [] }
  let mode: 'message' | 'diff' | 'after' | 'members' = 'message'
  for (let index = 0; index < lines.length; index += 1) {
    const line = (lines[index] ?? '').slice(0, 4_000)
    const trimmed = line.trim()
    if (/^(?:\[?cause\]?: |Caused by: )/i.test(trimmed) && index > 0) {
      block.cause = lines.slice(index).map((text) => text.trim())
      break
    }
    if (/^Serialized Error: /.test(trimmed)) {
      block.members.push(trimmed.slice('Serialized Error: '.length))
      mode = 'members'
      continue
    }
    const frame =
      /^(?:at |❯ )/.test(trimmed) || /^\S+@\S+:\d+(?::\d+)?$/.test(trimmed) ? parseFrame(trimmed) : undefined
    if (frame && (frame.file !== '' || block.frames.length > 0 || /^at .+ \((?:<anonymous>|native)\)$/.test(trimmed))) {
      block.frames.push(frame)
      mode = trimmed.endsWith('{') ? 'members' : 'after'
      continue
    }
    // `at f (file:1:2) {` opens node's members of the error.
    const opened = /^at .*\{$/.test(trimmed) ? parseFrame(trimmed.replace(/\s*\{$/, '')) : undefined
    if (opened) {
      block.frames.push(opened)
      mode = 'members'
      continue
    }
    if (isFrameLine(line) && (mode !== 'message' || /^\s*(?:>\s*)?\d+\s*\|/.test(line))) {
      if (mode === 'diff' || mode === 'message') mode = 'after'
      if (/^\s*>/.test(line)) block.sourceLine = line.replace(/^\s*>\s*\d+\s*\| ?/, '').trim()
      continue
    }
    if (mode === 'members') {
      block.members.push(trimmed)
      continue
    }
    // node:assert and Mocha name their legend in the middle of a message.
    if (diffLegend.test(line) && mode !== 'after') mode = 'diff'
    if (mode === 'diff') block.diff.push(line)
    else if (mode === 'message' && block.message.length < 200) block.message.push(line)
  }
  while (block.message.at(-1)?.trim() === '') block.message.pop()
  return block
}

/** `key: value,` lines of node's print of an error's own members. */
function readMembers(lines: readonly string[]): Record<string, string> {
  const members: Record<string, string> = {}
  const text = lines.join('\n').replace(/^\{\s*/, '')
  for (const match of text.matchAll(
    /(?:^|[\n,{]\s*)(code|expected|actual|operator|generatedMessage|signal|errno|status): ([^\n]*?)(?=,?\s*(?:$|\n|, (?:code|expected|actual|operator|generatedMessage): |\}))/g,
  )) {
    const [, key, value] = match
    if (key && value !== undefined && members[key] === undefined)
      members[key] = key === 'expected' || key === 'actual' ? value : value.replace(/^'|'$/g, '')
  }
  return members
}

/** Lines without the indentation that all of them share (blank ones aside), and without blank ones at the ends. */
export function dedent(lines: readonly string[]): string[] {
  let indent = Number.POSITIVE_INFINITY
  for (const line of lines) {
    if (line.trim() === '') continue
    indent = Math.min(indent, line.length - line.trimStart().length)
    if (indent === 0) break
  }
  const out = lines.map((line) => (line.trim() === '' ? '' : line.slice(Number.isFinite(indent) ? indent : 0)))
  while (out[0] === '') out.shift()
  while (out.at(-1) === '') out.pop()
  return out
}
