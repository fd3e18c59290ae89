import { looksLikePath } from './info.ts'

/** Takes the marks of Markdown and of comments off a word that may be a path. */
function undress(text: string): string {
  return text
    .trim()
    .replace(/^#{1,6}\s+/, '')
    .replace(/^(?:[-*+]|\d+[.)])\s+/, '')
    .replace(/^[*_`'"“‘([<]+/, '')
    .replace(/[*_`'"”’)\]>:：,.]+$/, '')
    .replace(
      /^(?:new\s+)?(?:file\s*(?:name|path)?|path|datei|fichier|archivo|文件|文件名|ファイル|파일)\s*[:：=]\s*/i,
      '',
    )
    .replace(/^[*_`'"“‘([<]+/, '')
    .replace(/[*_`'"”’)\]>:：,.]+$/, '')
    .trim()
}

const code = /`([^`\n]{1,200})`|\*\*([^*\n]{1,200})\*\*|__([^_\n]{1,200})__/g

/**
 * The path that the lines before a block name: a heading, bold or inline code, `File: x`, or a sentence that ends in a colon
 * and names one path. Null when they name none.
 */
export function pathBefore(lead: string): string | null {
  const lines = lead
    .slice(-600)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  const last = lines.at(-1)
  if (last === undefined) return null
  const whole = undress(last)
  if (looksLikePath(whole) && !/\s/.test(whole)) return whole
  const isHeading = /^#{1,6}\s|^\*\*.*\*\*:?$|[:：]$|^(?:[-*+]|\d+[.)])\s/.test(last)
  if (!isHeading && last.length > 120) return null
  const named = [...last.matchAll(code)]
    .map((match) => undress(match[1] ?? match[2] ?? match[3] ?? ''))
    .filter((word) => looksLikePath(word) && !/\s/.test(word))
  const unique = [...new Set(named)]
  if (unique.length === 1) return unique[0] ?? null
  if (!isHeading) return null
  const words = last
    .split(/\s+/)
    .map(undress)
    .filter((word) => looksLikePath(word))
  return new Set(words).size === 1 ? (words[0] ?? null) : null
}

const headingLine =
  /^\s*(?:#{1,6}\s+|\*\*|=+\s*|-{2,}\s*|`|\[)?\s*(?:file\s*(?:name|path)?\s*[:：]\s*)?`?([^\s`*=]+?)`?\s*(?:\*\*|=+|-{2,}|\])?\s*:?\s*$/i
const commentLine =
  /^\s*(?:\/\/+|#+|--+|\/\*+|<!--)\s*(?:@?(?:file\s*(?:name|path)?|path)\s*[:：=]?\s*)?[`"'*]*([^\s`"'*]+)[`"'*]*\s*(?:\*+\/|-->)?\s*$/i

/** Path that a comment line names and nothing else: `// src/a.ts`, `# file: a.py`. */
export function pathInComment(line: string): string | null {
  const path = commentLine.exec(line.slice(0, 300))?.[1]?.replace(/[:,]$/, '')
  return path !== undefined && looksLikePath(path) ? path : null
}

/** Path of a file-name heading that is echoed as the first line of a block and is no code: `## quick.js`, `**a.ts**`, `a.ts:`. */
export function pathInHeading(line: string): string | null {
  const path = headingLine.exec(line.slice(0, 300))?.[1]?.replace(/[:,]$/, '')
  return path !== undefined && looksLikePath(path) ? path : null
}
