import { languageOfTag } from './languages.ts'

/** A fence's info string, taken apart. */
export interface Info {
  /** The leading word, '' when there is none. */
  readonly tag: string
  readonly path: string | null
  /** What is neither tag, path nor attribute: perhaps the first line of code. */
  readonly rest: string
}

/** True for words that look like a path of a source file. */
export const looksLikePath = (word: string): boolean =>
  /^(?:[A-Za-z]:[\\/]|\.{0,2}[\\/])?(?:[\w@.()[\]+ -]*[\\/])*[\w@.()[\]+-]*\.(?:[cm]?[jt]sx?|d\.ts|py|sql|sh|bash|json|md|txt|ya?ml|css|html?)$/.test(
    word,
  ) && !/^\.\w+$/.test(word)

/** Takes an info string apart: `typescript:src/a.ts {1,3} title="x"`, `{.python #id}`, `ts filename=a.ts`, `src/a.ts`. */
export function parseInfo(info: string): Info {
  const text = info.slice(0, 2_000).trim()
  if (text === '') return { tag: '', path: null, rest: '' }
  const attribute = /\b(?:title|file|filename|filepath|path|name)\s*[=:]\s*(?:"([^"]*)"|'([^']*)'|([^\s,}]+))/i.exec(
    text,
  )
  const named = attribute?.[1] ?? attribute?.[2] ?? attribute?.[3]
  const path = named !== undefined && looksLikePath(named) ? named : null
  const pandoc = /^\{\s*\.?([\w+#-]+)/.exec(text)
  if (pandoc?.[1]) return { tag: pandoc[1], path, rest: '' }
  const word = /^\S+/.exec(text)?.[0] ?? ''
  let rest = text.slice(word.length).trim()
  const joined = /^([\w+#.-]*?)[:=](.+)$/.exec(word)
  if (joined?.[2] && looksLikePath(joined[2]))
    return { tag: joined[1] ?? '', path: joined[2], rest: dropAttributes(rest) }
  if (looksLikePath(word) && languageOfTag(word) === null) return { tag: '', path: word, rest: dropAttributes(rest) }
  const tag = /^[\w+#.-]+/.exec(word)?.[0] ?? ''
  if (tag !== word && tag !== '') rest = `${word.slice(tag.length)} ${rest}`.trim()
  const second = /^\(?([^\s()]+)\)?/.exec(rest)?.[1] ?? ''
  if (path === null && looksLikePath(second))
    return { tag, path: second, rest: dropAttributes(rest.slice(second.length)) }
  return { tag, path, rest: dropAttributes(rest) }
}

const dropAttributes = (rest: string): string =>
  rest
    .replace(/\{[\d,\s-]*\}/g, ' ')
    .replace(
      /\b(?:title|file|filename|filepath|path|name|linenums|hl_lines|start|caption|id|class|showLineNumbers)\s*[=:]\s*(?:"[^"]*"|'[^']*'|[^\s,}]+)/gi,
      ' ',
    )
    .replace(/\b(?:showLineNumbers|copy|editable|runnable)\b/g, ' ')
    .replace(/^[\s:,|]+/, '')
    .trim()
