import { looksLikePath } from './info.ts'
import type { Block } from './types.ts'

const tagNames =
  'file|code|answer|solution|artifact|antartifact|boltaction|source|program|final_answer|output|response|create_file|write_to_file|typescript|javascript|python|sql|bash|ts|js|py|TS|JS|PYTHON|ANSWER|CODE|SQL|BASH|TYPESCRIPT|JAVASCRIPT'
const xmlOpener = new RegExp(`<(${tagNames})(\\s[^<>\\n]{0,300})?>`, 'gi')
const bracketOpener = /\[(TS|JS|PYTHON|PY|TYPESCRIPT|JAVASCRIPT|CODE|SQL|BASH|ANSWER|SOLUTION)\]/g

/**
 * Finds code in tags: `<file path="a.ts">…</file>`, `<code>…</code>`, `[TS]…[/TS]`. A fence or CDATA inside is taken off. Tags
 * count at the start of a line only, so that markup inside a program is left alone. Linear.
 */
export function findTagged(text: string): Block[] {
  const blocks: Block[] = []
  for (const opener of [xmlOpener, bracketOpener]) {
    const pattern = new RegExp(opener.source, opener.flags)
    const missing = new Set<string>()
    for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
      const name = match[1] ?? ''
      if (!isAtLineStart(text, match.index)) continue
      const closer = opener === xmlOpener ? `</${name}>` : `[/${name}]`
      if (missing.has(closer)) continue
      const from = match.index + match[0].length
      const end = text.indexOf(closer, from)
      if (end === -1) {
        missing.add(closer)
        const repeated = opener === bracketOpener ? text.indexOf(match[0], from) : -1
        const stop = repeated === -1 ? text.length : repeated
        blocks.push(toBlock(name, match[2] ?? '', text.slice(from, stop), match.index, stop, repeated !== -1))
        break
      }
      blocks.push(toBlock(name, match[2] ?? '', text.slice(from, end), match.index, end + closer.length, true))
      pattern.lastIndex = end + closer.length
    }
  }
  return blocks.sort((a, b) => a.start - b.start)
}

function isAtLineStart(text: string, at: number): boolean {
  for (let i = at - 1; i >= 0 && i > at - 40; i--) {
    if (text[i] === '\n' || (text[i] === '>' && /<pre(?:\s[^<>]*)?>$/i.test(text.slice(Math.max(0, i - 40), i + 1))))
      return true
    if (text[i] !== ' ' && text[i] !== '\t' && text[i] !== '>') return false
  }
  return at < 40
}

function toBlock(name: string, attributes: string, inner: string, start: number, end: number, closed: boolean): Block {
  const path =
    /\b(?:path|name|filename|file|filepath|src|title|identifier)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+))/i.exec(
      attributes,
    )
  const named = path?.[1] ?? path?.[2] ?? path?.[3]
  const inTag =
    /^\s*<(?:path|filename|name)>([^<\n]+)<\/(?:path|filename|name)>\s*(?:<(content|code)>([\s\S]*?)(?:<\/\2>|$))?/i.exec(
      inner.slice(0, 400_000),
    )
  const body = unwrap(inTag?.[3] ?? (inTag ? inner.slice(inTag[0].length) : inner))
  const found = named ?? inTag?.[1]?.trim()
  const isLanguage = /^(?:typescript|javascript|python|sql|bash|ts|js|py)$/i.test(name)
  const language = /\b(?:lang|language)\s*=\s*["']?([\w+#-]+)/i.exec(attributes)?.[1]
  return {
    body: body.text,
    info: language ?? body.info ?? (isLanguage ? name.toLowerCase() : ''),
    start,
    end,
    closed,
    via: 'tag',
    ...(found !== undefined && looksLikePath(found) ? { path: found } : {}),
  }
}

/** Takes CDATA or one fence off that wraps all of the text, and the blank lines around. */
function unwrap(inner: string): { text: string; info: string | null } {
  const plain = inner.replace(/^\s*<!\[CDATA\[/, '').replace(/\]\]>\s*$/, '')
  const trimmed = plain.trim()
  const opener = /^(`{3,}|~{3,})([^\n]*)\n/.exec(trimmed)
  if (opener?.[1] && trimmed.endsWith(opener[1]) && trimmed.length > opener[0].length + opener[1].length)
    return {
      text: trimmed.slice(opener[0].length, -opener[1].length).replace(/\n[ \t]*$/, ''),
      info: (opener[2] ?? '').trim(),
    }
  return { text: plain.replace(/^[ \t]*\n/, '').replace(/\n[ \t]*$/, ''), info: null }
}
