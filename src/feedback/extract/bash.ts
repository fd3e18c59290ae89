import { parse } from 'unbash'
import { lacksBreaks } from './mend-characters.ts'
import type { Comment, Reading, Statement } from './reading.ts'
import { emptyReading, maxParsedChars } from './reading.ts'
import { scan } from './scan.ts'

/** Reads a shell script with a Bash parser. Prose is nearly always Bash too, so `looksLikeShell` asks for more. Never throws. */
export function readBash(text: string): Reading {
  if (text.length > maxParsedChars)
    return emptyReading('bash', { offset: 0, message: 'too large to parse', atEnd: false })
  const segments = scan(text, 'bash')
  const written = lacksBreaks(text)
    ? segments.find((segment) => segment.kind === 'code' && /(?<!\\)\\n/.test(text.slice(segment.start, segment.end)))
    : undefined
  // Unquoted, `\n` is the letter n: no script means that.
  if (written)
    return emptyReading('bash', { offset: written.start, message: 'line breaks are written out', atEnd: false })
  const comments: Comment[] = segments
    .filter((segment) => segment.kind === 'comment')
    .map((segment) => ({
      ...segment,
      text: text.slice(segment.start, segment.end).replace(/^#+!?/, '').trim(),
      alone: false,
    }))
  try {
    const script = parse(text)
    const first = script.errors?.[0]
    const error = first
      ? { offset: first.pos, message: first.message, atEnd: text.slice(first.pos).trim() === '' }
      : null
    const statements: Statement[] = script.commands.map((statement) => ({
      start: statement.pos,
      end: statement.end,
      kind: /^(?:function\s+)?[\w-]+\s*\(\)|^function\s/.test(text.slice(statement.pos, statement.pos + 80))
        ? 'definition'
        : 'other',
      defines: [
        ...(/^(?:function\s+)?([\w-]+)\s*(?:\(\)|\{)/
          .exec(text.slice(statement.pos, statement.pos + 80))
          ?.slice(1, 2) ?? []),
      ],
    }))
    const defines = new Set(statements.flatMap((statement) => [...statement.defines]))
    const shell =
      error ?? (looksLikeShell(text, defines) ? null : { offset: 0, message: 'prose rather than shell', atEnd: false })
    return {
      language: 'bash',
      ok: shell === null,
      error: shell,
      statements,
      defines,
      exports: defines,
      needs: new Set(),
      comments,
    }
  } catch (error) {
    const message = error instanceof Error ? error.message : 'not parsed'
    return { ...emptyReading('bash', { offset: 0, message, atEnd: false }), comments }
  }
}

const command =
  /^(?:\s*(?:if|for|while|until|case|do|done|then|else|elif|fi|esac|function|local|export|readonly|declare|set|shift|return|exit|trap|echo|printf|cat|grep|egrep|sed|awk|cut|sort|uniq|wc|head|tail|tr|find|xargs|read|cd|mkdir|rm|cp|mv|ls|test|source|tee|date|touch|chmod|seq|basename|dirname|jq|curl|tar|diff|paste|join|comm|rev|sleep|true|false|git|npm|npx|node|pip|python3?|docker|make)\b|\s*\[\[?\s|\s*[A-Za-z_]\w*\+?=|\s*#!|\s*[\w-]+\s*\(\)|\s*[})]|\s*\(\(|\s*\.\s)/

function looksLikeShell(text: string, defines: ReadonlySet<string>): boolean {
  const lines = text.split('\n').filter((line) => line.trim() !== '' && !/^\s*#/.test(line))
  if (lines.length === 0) return /^#!/.test(text)
  if (/^#!.*\b(?:ba|da|z)?sh\b/.test(text)) return true
  if (/^\s*(?:import|export default|const|let|var|def|class|interface|type)\s/m.test(text)) return false
  const known = lines.filter((line) => command.test(line) || defines.has(line.trim().split(/\s/)[0] ?? '')).length
  return known * 2 >= lines.length
}
