import type { Language } from '../../domain/task.ts'
import { parseInfo } from './info.ts'
import { isSameFamily, languageOfTag, readAs } from './languages.ts'
import { readMended } from './mend.ts'
import { pathBefore, pathInComment, pathInHeading } from './naming.ts'
import type { Reading } from './reading.ts'
import { isTestPath } from './test-words.ts'
import type { Block, Flag } from './types.ts'

/** A block read as the wanted language. */
export interface Piece {
  readonly block: Block
  readonly text: string
  readonly reading: Reading
  /** The path that the reply gives it. */
  readonly path: string | null
  /** What the fence says it is. */
  readonly tag: ReturnType<typeof languageOfTag>
  readonly flags: readonly Flag[]
  /** Nothing but tests. */
  readonly isTest: boolean
  /** The last line of prose before it. */
  readonly leadLine: string
  /** The words before it say that it is the old or a wrong version. */
  readonly isQuoted: boolean
}

const quoted =
  /\b(?:original|previous(?:ly)?|old|before|buggy|broken|wrong|incorrect|instead of|rather than|used to be|the bug (?:was|is)|problem (?:was|is)|current(?:ly)?|don't write|do not write|not this|was:)\b|旧|原来|之前|修正前|変更前|vorher|antes|avant/i
const renewed =
  /\b(?:correct(?:ed)?|fixed|new|after|updated|final|improved|now|should be|here(?:'s| is)|complete|full|solution|replace|becomes|change it to)\b|新|修正後|変更後|nachher|después|après/i

/** Reads a block: strips what is echoed into it, mends what transport broke, and finds its path. */
export function toPiece(block: Block, text: string, previousEnd: number, wanted: Language): Piece {
  const info = parseInfo(block.info)
  const lead = block.via === 'fence' ? text.slice(Math.max(previousEnd, block.start - 800), block.start) : ''
  const flags: Flag[] = [...(block.flags ?? [])]
  let path = block.path ?? info.path ?? pathBefore(lead)
  let body = block.body
  const cleaned = stripHead(body, info.tag, info.rest, wanted)
  if (cleaned) {
    body = cleaned.text
    path ??= cleaned.path
    flags.push(...cleaned.flags)
  }
  path ??= pathInComment(firstLine(body))
  const mended = readMended(body, wanted)
  const isTest = (path !== null && isTestPath(path)) || isAllTests(mended.reading)
  const lastLine = lead.trim().split('\n').at(-1)?.slice(-200) ?? ''
  return {
    block,
    text: mended.text,
    reading: mended.reading,
    path,
    tag: languageOfTag(info.tag),
    flags: [...flags, ...mended.flags],
    isTest,
    leadLine: lastLine,
    isQuoted: quoted.test(lastLine) && !renewed.test(lastLine),
  }
}

const firstLine = (text: string): string => {
  const start = text.length - text.trimStart().length
  const end = text.indexOf('\n', start)
  return text.slice(start, end === -1 ? Math.min(text.length, start + 400) : end)
}

function isAllTests(reading: Reading): boolean {
  if (!reading.ok || reading.statements.length === 0) return false
  const rest = reading.statements.filter((statement) => statement.kind !== 'import' && statement.kind !== 'word')
  return (
    rest.length > 0 &&
    rest.some((statement) => statement.kind === 'test') &&
    rest.every((statement) => statement.kind === 'test' || statement.kind === 'assertion')
  )
}

/** First lines that are no code: a file-name heading, the language's name alone; and code that slipped into the info string. */
function stripHead(
  body: string,
  tag: string,
  rest: string,
  wanted: Language,
): { text: string; path: string | null; flags: Flag[] } | null {
  const line = firstLine(body)
  const afterLine = () => body.slice(body.indexOf(line) + line.length).replace(/^[ \t]*\n(?:[ \t]*\n)*/, '')
  const heading = pathInHeading(line)
  const isComment = pathInComment(line) !== null && /^\s*(?:\/\/|\/\*|--|<!--)/.test(line)
  const isHashComment = (wanted === 'python' || wanted === 'bash') && /^\s*#/.test(line)
  if (heading !== null && !isComment && !isHashComment && body.length > line.length) {
    const text = afterLine()
    if (
      !readAs(body, wanted).ok ||
      /^\s*(?:#|\*\*|=)/.test(line) ||
      (line.trim() === heading && isSameFamily(wanted, 'typescript'))
    )
      return { text, path: heading, flags: ['stripped_heading'] }
  }
  const word = languageOfTag(line.trim().replace(/^[`{.]+|[`}:]+$/g, ''))
  if (word !== null && word !== 'data' && tag === '' && body.length > line.length)
    return { text: afterLine(), path: null, flags: ['stripped_heading'] }
  if (rest !== '' && /[=({;:]/.test(rest)) {
    const text = body === '' ? rest : `${rest}\n${body}`
    const raw = readAs(body, wanted)
    if ((body.trim() === '' || !raw.ok || raw.defines.size === 0) && readAs(text, wanted).ok)
      return { text, path: null, flags: [] }
  }
  return null
}
