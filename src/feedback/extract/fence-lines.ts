import { languageOfTag } from './languages.ts'
import type { Block, Flag } from './types.ts'

const fenceLine = /^([ \t>]*)(`{3,}|~{3,})(.*)$/
const lateFence = /^(.*?\S.*?)(`{3,})([\w+#-]{0,20})[ \t]*$/
const oneLine = /(`{3,})(?:(\w+)[ \t]+)?(.+?)\1/

interface Open {
  readonly mark: string
  readonly indent: number
  readonly info: string
  readonly start: number
  readonly lines: string[]
}

/**
 * Finds fenced blocks line by line, in one pass.
 *
 * Not tolerant, it follows CommonMark's rules for fences outside of containers (openers of any depth of indentation count,
 * as they stand in lists). Tolerant, it also takes what models write and CommonMark does not: an opener at the end of a line
 * of prose, a closer glued to the last line of code, both on one line, fences inside HTML.
 */
export function scanFences(text: string, options: { readonly tolerant: boolean }): Block[] {
  const blocks: Block[] = []
  let open: Open | null = null
  let at = 0
  const close = (end: number, closed: boolean) => {
    if (!open) return
    const body = open.lines.join('\n')
    blocks.push(settleEnd({ body, info: open.info, start: open.start, end, closed, via: 'fence' }, open.mark))
    open = null
  }
  while (at <= text.length) {
    const newline = text.indexOf('\n', at)
    const end = newline === -1 ? text.length : newline
    const line = text.slice(at, end)
    const current: Open | null = open as Open | null
    const run = line.length < 5_000 ? fenceLine.exec(line) : null
    if (current) {
      if (run?.[2] && run[2][0] === current.mark[0] && run[2].length >= current.mark.length && run[3]?.trim() === '')
        close(end, true)
      else if (
        options.tolerant &&
        line.length > current.mark.length &&
        line.trimEnd().endsWith(current.mark) &&
        countRuns(line, current.mark) % 2 === 1
      ) {
        current.lines.push(strip(line.trimEnd().slice(0, -current.mark.length), current.indent))
        close(end, true)
      } else current.lines.push(strip(line, current.indent))
    } else if (run?.[2] && !(run[2][0] === '`' && run[3]?.includes('`')))
      open = { mark: run[2], indent: run[1]?.length ?? 0, info: (run[3] ?? '').trim(), start: at, lines: [] }
    else if (options.tolerant && line.length < 5_000) {
      const single = oneLine.exec(line)
      const late = lateFence.exec(line)
      if (single?.[3]) {
        const isTag = single[2] !== undefined && languageOfTag(single[2]) !== null
        const body = isTag ? single[3] : `${single[2] === undefined ? '' : `${single[2]} `}${single[3]}`
        blocks.push({
          body: body.trim(),
          info: isTag ? (single[2] ?? '') : '',
          start: at,
          end,
          closed: true,
          via: 'fence',
        })
      } else if (late?.[2] && countRuns(line, late[2]) === 1)
        open = { mark: late[2], indent: 0, info: late[3] ?? '', start: at + (late[1]?.length ?? 0), lines: [] }
    }
    if (newline === -1) break
    at = newline + 1
  }
  close(text.length, false)
  return blocks
}

const countRuns = (line: string, mark: string): number => line.split(mark).length - 1

/** Takes at most the opener's indentation off a line. */
function strip(line: string, indent: number): string {
  let i = 0
  while (i < indent && (line[i] === ' ' || line[i] === '\t' || line[i] === '>')) i++
  return line.slice(i)
}

/** Reads half a closing fence at the end of an unclosed block as its closer, also when it is glued to the last line. */
export function settleEnd(block: Block, opener: string): Block {
  if (block.closed) return block
  const mark = opener[0] ?? '`'
  const lines = block.body.replace(/\s+$/, '')
  const lastStart = lines.lastIndexOf('\n') + 1
  const last = lines.slice(lastStart).trim()
  const flags: Flag[] = ['half_closed_fence']
  if (last !== '' && last.length < opener.length && [...last].every((char) => char === mark))
    return { ...block, body: lines.slice(0, Math.max(0, lastStart - 1)), closed: true, flags }
  if (last.length > opener.length && last.endsWith(opener))
    return { ...block, body: lines.slice(0, -opener.length).trimEnd(), closed: true, flags }
  return block
}
