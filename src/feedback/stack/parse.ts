import { toPlainPath } from './path.ts'

/** One frame of a JavaScript stack. */
export interface StackFrame {
  /** '(anonymous)' where the frame has no name. */
  readonly name: string
  /** Plain path: no URL, no query, percent codes decoded; '' where the frame has no file (native, index n). */
  readonly file: string
  /** 1-based; 0 where unknown. */
  readonly line: number
  /** 1-based; 0 where unknown. */
  readonly column: number
}

/** A stack taken apart: the message in front (with its name) and the frames. */
export interface ParsedStack {
  readonly header: string
  readonly frames: readonly StackFrame[]
  /** What follows the frames: causes, properties, other text. */
  readonly rest: string
}

const maxLine = 4_000

/**
 * Reads one frame of V8 (`at f (file:1:2)`), of SpiderMonkey and JavaScriptCore (`f@file:1:2`) or of Vitest's printer
 * (`❯ f file:1:2`); undefined for any other line, so that `at home` in a message is no frame.
 */
export function parseFrame(rawLine: string): StackFrame | undefined {
  const line = rawLine.slice(0, maxLine).trim()
  if (line.startsWith('at ')) return parseV8(line.slice(3).trim())
  if (line.startsWith('❯ ')) return parsePointer(line.slice(2).trim())
  const at = line.indexOf('@')
  if (at >= 0 && /:\d+(?::\d+)?$/.test(line) && !/\s/.test(line.slice(0, at))) {
    const place = parsePlace(line.slice(at + 1))
    return place && { name: line.slice(0, at) || '(anonymous)', ...place }
  }
  return undefined
}

function parseV8(text: string): StackFrame | undefined {
  const body = text.replace(/^(?:async\s+)?/, '')
  if (body.endsWith(')')) {
    const open = body.indexOf(' (')
    const head = open === -1 && body.startsWith('(') ? '' : body.slice(0, Math.max(open, 0))
    if (open === -1 && !body.startsWith('(')) return undefined
    const inner = body.slice(open === -1 ? 1 : open + 2, -1)
    const name = cleanName(head)
    const place = parseLocation(inner)
    if (place) return { name, ...place }
    return undefined
  }
  const place = parseLocation(body)
  if (place) return { name: '(anonymous)', ...place }
  // `at eval (…` cut in the middle, or `at new Promise <anonymous>`
  const bare = /^(.+?)\s+(<anonymous>|native)$/.exec(body)
  return bare?.[1] ? { name: cleanName(bare[1]), file: '', line: 0, column: 0 } : undefined
}

function parsePointer(text: string): StackFrame | undefined {
  const place = parsePlace(text)
  if (!place) return undefined
  // `❯ name path:1:2`: the name holds no blank and no path separator.
  const split = /^([\w$.<>[\]#]+(?: \[as [\w$]+\])?) (\S.*)$/.exec(place.file)
  if (split?.[1] && split[2] && !/[\\/]/.test(split[1]) && !/\.\w+$/.test(split[1].replace(/^\w+\./, ''))) {
    return { name: cleanName(split[1]), file: toPlainPath(split[2]), line: place.line, column: place.column }
  }
  return { name: '(anonymous)', ...place }
}

function cleanName(raw: string): string {
  const name = raw
    .replace(/^(?:async\s+)?(?:new\s+)?/, '')
    .replace(/\s+\[as [^\]]*\]$/, '')
    .trim()
  if (name === '' || name === '<anonymous>' || name === 'Object.<anonymous>' || name === 'eval') return '(anonymous)'
  return name.replace(/^(?:Object|Function|Module|global|process|Context|Test|Suite)\./, '')
}

/** A place inside the brackets of a V8 frame; `native`, `<anonymous>` and `index n` have no file. */
function parseLocation(text: string): Omit<StackFrame, 'name'> | undefined {
  if (text === 'native' || text === '<anonymous>' || /^index \d+$/.test(text) || text.startsWith('<isolated-vm')) {
    return { file: '', line: 0, column: 0 }
  }
  if (text.startsWith('eval at ')) {
    // `eval at f (file:1:2), <anonymous>:1:7`: the place that called eval is the one in a file.
    const open = text.indexOf(' (')
    const close = text.lastIndexOf(')')
    const inner = open !== -1 && close > open ? parseLocation(text.slice(open + 2, close)) : undefined
    return inner ?? { file: '', line: 0, column: 0 }
  }
  return parsePlace(text)
}

/** `path:line:column`, `path:line`, read from the right, since drives and URLs hold colons too. */
export function parsePlace(text: string): Omit<StackFrame, 'name'> | undefined {
  const match = /:(\d{1,9})(?::(\d{1,9}))?$/.exec(text)
  if (!match || match.index === 0) return undefined
  const path = text.slice(0, match.index)
  // A single letter before the number is a drive without a file; blanks only, or a sentence, is prose.
  if (path.trim() === '' || /^[A-Za-z]$/.test(path)) return undefined
  if (match[2] === undefined && !/[\\/.<]/.test(path)) return undefined
  return { file: toPlainPath(path), line: Number(match[1]), column: match[2] === undefined ? 0 : Number(match[2]) }
}

/**
 * Takes a stack apart.
 *
 * @param message what the error says where it is known: it is cut off first, since a message may hold lines that look like frames
 * @param maxFrames frames beyond it are read no more; deep recursion stays cheap
 */
export function parseStack(stack: string, message?: string, maxFrames = 400): ParsedStack {
  let start = 0
  if (message) {
    const found = stack.indexOf(message)
    if (found !== -1 && found < 400 && !stack.slice(0, found).includes('\n    at ')) start = found + message.length
  }
  const frames: StackFrame[] = []
  let header = stack.length
  let index = start
  let rest = stack.length
  let misses = 0
  while (index <= stack.length) {
    const newline = stack.indexOf('\n', index)
    const end = newline === -1 ? stack.length : newline
    const frame = parseFrame(stack.slice(index, Math.min(end, index + maxLine)))
    // Below the boundary of an isolate stand frames of the host.
    if (frame && /^\s*at \(?<isolated-vm boundary>/.test(stack.slice(index, Math.min(end, index + 60)))) {
      if (frames.length === 0) header = index
      rest = stack.length
      break
    }
    if (frame) {
      if (frames.length === 0) header = index
      frames.push(frame)
      misses = 0
    } else if (frames.length > 0) {
      const line = stack.slice(index, Math.min(end, index + 200)).trim()
      // A frame that could not be read is passed over; anything else ends the frames.
      if (line !== '' && !line.startsWith('at ') && !/^\.\.\. \d+ /.test(line)) {
        rest = index
        break
      }
      misses += 1
    }
    if (newline === -1 || frames.length >= maxFrames || misses > 50) break
    index = end + 1
  }
  return { header: stack.slice(0, header).trimEnd(), frames, rest: stack.slice(rest) }
}
