import type { Finding } from './finding.ts'

/** A tool's text made ready for the readers: escapes gone, both streams, and what else is known of the run. */
export interface ToolText {
  /** Standard output first, then standard error. */
  readonly text: string
  readonly lines: readonly string[]
  readonly stdout: string
  readonly stderr: string
  readonly tool: string
  readonly exitCode: number | null | undefined
  readonly signal: string | undefined
  /** Source of the program that ran, where the caller gave it. */
  readonly source: string | undefined
  /** The run was ended by the engine's own clock or meter. */
  readonly endedBy: 'timeout' | 'memory' | undefined
}

/** Reads one family of tools. */
export interface TextReader {
  readonly name: string
  /** Tool names it is made for. */
  readonly tools: RegExp
  /** Whether a text without a named tool looks like its own; cheap. */
  looksLike(text: ToolText): boolean
  read(text: ToolText): Finding[]
}

/** A line that shows source in a frame: `  12 | code`, `> 12 | code`, `12|code`, `   |  ^`. */
export function isFrameLine(line: string): boolean {
  return /^\s*(?:>\s*)?\d{0,7}\s*[|│╵]/.test(line)
}

/** Column (1-based) that a caret line under a source line of a frame points at; undefined when there is none. */
export function caretColumn(sourceLine: string, caretLine: string): number | undefined {
  const gutter = /^\s*(?:>\s*)?\d+\s?[|│] ?/.exec(sourceLine)
  const caret = /[|│╵:·]([\s]*)[\^~┬─╰]/.exec(caretLine)
  if (!gutter || !caret) return undefined
  const bar = sourceLine.search(/[|│]/)
  const at = caretLine.search(/[\^~┬]/)
  return at > bar ? at - bar - (sourceLine[bar + 1] === ' ' ? 1 : 0) : undefined
}
