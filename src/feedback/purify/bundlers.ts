import type { Finding, FinerKind } from './finding.ts'
import { caretColumn, type TextReader } from './reading.ts'
import { finerOfThrown } from './thrown.ts'

/** Kind of a message of a bundler or a parser: imports and exports by their words, everything else is syntax. */
export function finerOfBundler(message: string): FinerKind {
  if (
    /is not exported by|No matching export|"[^"]+" is not exported|does not provide an export|has no default export|no exported member|MISSING_EXPORT/i.test(
      message,
    )
  )
    return 'export'
  if (
    /could not resolve|cannot resolve|can't resolve|unresolved|failed to resolve|module not found|cannot find module|could not load|no such file|Does the file exist|Failed to load url/i.test(
      message,
    )
  )
    return 'import'
  return 'syntax'
}

/** esbuild on the command line (`✘ [ERROR]`), in messages (`file:1:2: ERROR:`), columns from 0. */
export const esbuildReader: TextReader = {
  name: 'esbuild',
  tools: /esbuild|tsup|tsx\b/,
  looksLike: ({ text }) => /\[(?:ERROR|WARNING)\] |:\d{1,9}: (?:ERROR|WARNING): /.test(text),
  read: ({ lines }) => {
    const findings: Finding[] = []
    for (let index = 0; index < lines.length && findings.length < 300; index += 1) {
      const line = lines[index] ?? ''
      if (line.length > 8_000 || !/ERROR|WARNING/.test(line)) continue
      const head = /^\s*(?:[✘✗×▲X] )?\[(ERROR|WARNING)\] (.*)$/.exec(line)
      if (head) {
        const finding: Finding = { finer: 'syntax', message: tidyEsbuild(head[2] ?? '') }
        finding.finer = finerOfBundler(finding.message)
        if (head[1] === 'WARNING') finding.severity = 'warning'
        // A message may go on over lines until the blank line in front of the place.
        for (let next = index + 1; next < Math.min(lines.length, index + 12); next += 1) {
          const place = /^ {4}(\S.*):(\d+):(\d+):\s*$/.exec(lines[next] ?? '')
          if (place?.[1]) {
            finding.place = { file: place[1], line: Number(place[2]), column: Number(place[3]) + 1 }
            const suggestion = suggestionIn(lines.slice(next + 1, next + 5), finding.message)
            if (suggestion) finding.suggestion = suggestion
            break
          }
          if (/\[(?:ERROR|WARNING)\]/.test(lines[next] ?? '')) break
        }
        findings.push(finding)
        continue
      }
      const inline = /^\s*(?:.*?Error: )?(\S.*?):(\d+):(\d+): (ERROR|WARNING): (.*)$/.exec(line)
      if (inline?.[1]) {
        const message = tidyEsbuild(inline[5] ?? '')
        const finding: Finding = {
          finer: finerOfBundler(message),
          message,
          place: { file: inline[1], line: Number(inline[2]), column: Number(inline[3]) + 1 },
        }
        if (inline[4] === 'WARNING') finding.severity = 'warning'
        findings.push(finding)
      }
    }
    return findings
  },
}

function tidyEsbuild(message: string): string {
  return message.replace(/ \[(?:plugin )?[\w-]+\]$/, '').trim()
}

function suggestionIn(lines: readonly string[], message: string): string | undefined {
  if (!/Could not resolve|No matching export/.test(message)) return undefined
  return /Did you mean (?:to import )?"([^"]+)"/.exec(lines.join('\n'))?.[1]
}

const boxHead = /^\s*(?:╭─|,-|┌─|-->)\s?\[?\s*(\S.*?):(\d+)(?::(\d+))?\s*\]?/

/** Parsers that draw a box: oxc and rolldown (`╭─[ file:2:13 ]`), swc (`,-[file:2:1]`), Biome. */
export const boxReader: TextReader = {
  name: 'boxed diagnostics',
  tools: /rolldown|oxc|swc|vite|biome|turbopack|next/,
  looksLike: ({ text }) => /^[ \t]*(?:╭─|,-|┌─)\[? ?\S{1,500}:\d+/m.test(text),
  read: ({ lines }) => {
    const findings: Finding[] = []
    for (let index = 0; index < lines.length && findings.length < 300; index += 1) {
      const line = lines[index] ?? ''
      const head = line.length < 2_000 ? boxHead.exec(line) : null
      if (!head?.[1]) continue
      const message = messageAbove(lines, index)
      const place = { file: head[1].trim(), line: Number(head[2]), column: Number(head[3] ?? 1) }
      refine(lines, index, place)
      findings.push({ finer: finerOfBundler(message), message, place })
    }
    return findings
  },
}

/** The line in front of a box, without its mark; a code such as `[PARSE_ERROR] Error:` goes. */
function messageAbove(lines: readonly string[], index: number): string {
  for (let up = index - 1; up >= Math.max(0, index - 6); up -= 1) {
    const text = (lines[up] ?? '').trim()
    if (text === '') continue
    const marked = /^(?:[×x✖⨯!⚠]|error(?:\[[^\]]*\])?:?|Error:)\s+(.*)$/.exec(text)
    return (marked?.[1] ?? text).replace(/^\[\w+\] (?:Error: )?/, '').replace(/^(?:Syntax)?Error: /, '')
  }
  return 'syntax error'
}

/** The marked column under the source line is more exact than the head of some boxes, which names the frame's start. */
function refine(lines: readonly string[], index: number, place: { line: number; column: number }): void {
  for (let down = index + 1; down < Math.min(lines.length, index + 14); down += 1) {
    const caret = lines[down] ?? ''
    if (!/^\s*[·:│|]\s*.*[\^┬─]/.test(caret) || /^\s*[│|]?\s*╰|`--/.test(caret)) continue
    const source = lines[down - 1] ?? ''
    const number = /^\s*(\d+)\s*[│|]/.exec(source)?.[1]
    if (number === undefined) continue
    const bar = source.search(/[│|]/)
    const at = caret.search(/[\^┬─]/)
    if (at <= bar) continue
    place.line = Number(number)
    place.column = at - bar - (source[bar + 1] === ' ' ? 1 : 0)
    return
  }
}

/** Messages with the place in brackets or on a `File:` line: Babel, acorn, Rollup, Vite, webpack. */
export const bundlerReader: TextReader = {
  name: 'bundlers',
  tools: /vite\b|rollup|babel|webpack|parcel|acorn|metro|next/,
  looksLike: ({ text }) =>
    /Failed to resolve import|RollupError|\[vite\]|\[plugin[: ]|SyntaxError: .+\(\d+:\d+\)|Module not found: |Module parse failed|ERROR in \.\/|is not exported by/.test(
      text,
    ),
  read: ({ lines }) => {
    const findings: Finding[] = []
    for (let index = 0; index < lines.length && findings.length < 300; index += 1) {
      const line = lines[index] ?? ''
      if (line.length > 8_000) continue
      const finding = bundlerLine(line, lines, index)
      if (finding) findings.push(finding)
    }
    return findings
  },
}

const start =
  /^\s*(?:\d+:\d+:\d+ [AP]M )?(?:\[!\] |✗ |× |x )?(?:Build failed in \S+\s*)?(?:error during build:\s*)?(?:\[vite\] )?(?:\(client\) |\(ssr\) )?(?:Internal server error: |Pre-transform error: )?(?:\[(?:plugin[ :])?[\w:@/.-]+\] )?(?:(?:\w*Error|Error): )?/

function bundlerLine(line: string, lines: readonly string[], index: number): Finding | undefined {
  const body = line.replace(start, '').trim()
  const rest = lines.slice(index + 1, index + 14)
  // Babel: `SyntaxError: /app/a.ts: Unexpected token (2:12)`
  const babel = /^(?:\w*Error: )?(?:((?:[A-Za-z]:)?[^:()]+\.\w+): )?(.+?) ?\((\d+):(\d+)\)$/.exec(body)
  if (babel?.[2] && !/^at /.test(body) && (babel[1] !== undefined || /SyntaxError|ParseError|Error: /.test(line))) {
    const file = babel[1] ?? fileBelow(rest)?.file ?? ''
    return {
      finer: finerOfBundler(babel[2]),
      message: tidyRollup(babel[2]),
      place: { file, line: Number(babel[3]), column: Number(babel[4]) + 1 },
    }
  }
  const rollup = /^((?:[A-Za-z]:)?[^\s:()]+\.\w+) \((\d+):(\d+)\): (.+)$/.exec(body)
  if (rollup?.[1] && rollup[4]) {
    return {
      finer: finerOfBundler(rollup[4]),
      message: tidyRollup(rollup[4]),
      place: { file: rollup[1], line: Number(rollup[2]), column: Number(rollup[3]) + 1 },
    }
  }
  if (
    /^(?:Failed to resolve import|Could not resolve|Missing "[^"]+" (?:specifier|export)|Failed to (?:parse source|load url)|"[^"]+" is not exported by|Rollup failed to resolve import|Module not found|Cannot find module|Unexpected |Expected |Unterminated |Parse failure|Parse error|Module parse failed)/.test(
      body,
    )
  ) {
    const inline = / \((\d+):(\d+)\)/.exec(body)
    const below = fileBelow(rest)
    const from = /(?:from|imported by) "([^"]+)"/.exec(body)?.[1]
    const webpack = /^ERROR in (\S+)(?: (\d+):(\d+))?/.exec(lines[index - 1] ?? '')
    const place = below ?? (from ? { file: from, line: 0, column: 0 } : undefined)
    const finding: Finding = { finer: finerOfBundler(body), message: tidyRollup(body.replace(/ \(\d+:\d+\)/, '')) }
    if (webpack?.[1])
      finding.place = {
        file: webpack[1],
        line: Number(webpack[2] ?? 0),
        column: webpack[3] ? Number(webpack[3]) + 1 : 0,
      }
    else if (place)
      finding.place = inline ? { ...place, line: Number(inline[1]), column: Number(inline[2]) + 1 } : place
    if (!finding.place && !/Error/.test(line) && !/\[/.test(line)) return undefined
    return finding
  }
  return undefined
}

function tidyRollup(message: string): string {
  return message
    .replace(/ \(Note that you need plugins.*\)$/, '')
    .replace(/ \(this is likely.*$/, '')
    .replace(/\s*Does the file exist\?$/, '')
    .replace(/ Make sure to name the file.*$/, '')
    .replace(/:? ?You may need an appropriate loader.*$/, '')
    .replace(/^Module parse failed: /, '')
    .replace(/^Module not found: Error: /, 'Module not found: ')
    .trim()
}

/** `File: path:line:column` or `file: …` under a message; Vite's columns count from 0, the caret from 1. */
function fileBelow(rest: readonly string[]): { file: string; line: number; column: number } | undefined {
  for (const [offset, line] of rest.entries()) {
    const match = /^\s*(?:File|file|Filename|id): (.+?)(?::(\d+)(?::(\d+))?)?(?: \(\d+:\d+\))?$/.exec(line)
    if (match?.[1]) {
      const number = Number(match[2] ?? 0)
      for (let next = offset + 1; next + 1 < rest.length; next += 1) {
        const source = rest[next] ?? ''
        if (Number(/^\s*(?:> ?)?(\d+) ?[|:]/.exec(source)?.[1]) === number && /\^/.test(rest[next + 1] ?? '')) {
          const column = caretColumn(source, rest[next + 1] ?? '')
          if (column !== undefined) return { file: match[1], line: number, column }
        }
      }
      return { file: match[1], line: number, column: match[3] === undefined ? 0 : Number(match[3]) + 1 }
    }
    if (/^\s+at /.test(line)) return undefined
  }
  return undefined
}

/** `errors` of the programming interfaces of esbuild, Rollup and Vite: `{ text | message, location | loc }`. */
export function bundlerObject(error: Readonly<Record<string, unknown>>): Finding | undefined {
  const text = typeof error.text === 'string' ? error.text : undefined
  const location = record(error.location)
  if (text !== undefined) {
    const finding: Finding = { finer: finerOfBundler(text), message: text }
    if (location) {
      finding.place = {
        file: String(location.file ?? ''),
        line: Number(location.line ?? 0),
        column: Number(location.column ?? -1) + 1,
      }
    }
    return finding
  }
  const loc = record(error.loc)
  const message = typeof error.message === 'string' ? error.message : undefined
  if (message === undefined || !loc || typeof loc.line !== 'number') return undefined
  const file = String(loc.file ?? error.id ?? error.filename ?? '')
  const plain =
    message
      .split('\n', 1)[0]
      ?.replace(/ \(\d+:\d+\)$/, '')
      .replace(/^(?:[A-Za-z]:)?[^\s:]+\.\w+: /, '') ?? message
  const thrown = finerOfThrown(String(error.name ?? ''), plain, undefined)
  const finer = thrown === 'runtime' ? finerOfBundler(plain) : thrown
  return {
    finer,
    message: tidyRollup(plain),
    place: { file, line: loc.line, column: Number(loc.column ?? -1) + 1 },
  }
}

function record(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
}
