import type { Language } from '../../domain/task.ts'
import { mapCode } from './scan.ts'

/** Takes invisible characters out of code, not out of strings or comments. Joiners go too: no name needs them to parse. */
export const removeInvisible = (text: string, language: Language): string =>
  mapCode(text, language, (code) => code.replace(invisible, ''))

const invisible = /[\u200B-\u200F\u2060-\u2064\u202A-\u202E\uFEFF\u00AD]/g

const escapes: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '',
  b: '\b',
  f: '\f',
  '"': '"',
  "'": "'",
  '\\': '\\',
  '/': '/',
}

/** Undoes one round of JSON string escapes in the whole text, if line breaks are written `\n` and hardly any are real. */
export function unescapeAll(text: string): string {
  if (!lacksBreaks(text)) return text
  const inner = text.trim().replace(/^"([\s\S]*)"$/, '$1')
  return inner.replace(
    /\\(?:u([0-9a-fA-F]{4})|([ntrbf"'\\/]))/g,
    (_, hex: string | undefined, char: string | undefined) =>
      hex === undefined ? (escapes[char ?? ''] ?? '') : String.fromCharCode(Number.parseInt(hex, 16)),
  )
}

/** Undoes `\n` and `\t` outside of strings only: for texts whose own strings were not escaped a second time. */
export function unescapeBreaks(text: string): string {
  if (!lacksBreaks(text)) return text
  let out = ''
  let quote = ''
  for (let i = 0; i < text.length; i++) {
    const char = text[i] ?? ''
    const next = text[i + 1] ?? ''
    if (quote !== '') {
      out += char
      if (char === '\\') {
        out += next
        i++
      } else if (char === quote) quote = ''
    } else if (char === '\\' && (next === 'n' || next === 't' || next === 'r')) {
      out += escapes[next] ?? ''
      i++
    } else {
      if (char === '"' || char === "'" || char === '`') quote = char
      out += char
    }
  }
  return out
}

/** Fewer real line breaks than written ones: only then are the written ones the text's own. */
export function lacksBreaks(text: string): boolean {
  const written = text.split('\\n').length - 1
  return written > 0 && text.trim().split('\n').length - 1 < written
}

const entities: Readonly<Record<string, string>> = {
  lt: '<',
  gt: '>',
  amp: '&',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  lbrace: '{',
  rbrace: '}',
  lcub: '{',
  rcub: '}',
  lpar: '(',
  rpar: ')',
  lsqb: '[',
  rsqb: ']',
  equals: '=',
  semi: ';',
  colon: ':',
  comma: ',',
  period: '.',
  excl: '!',
  quest: '?',
  num: '#',
  dollar: '$',
  percnt: '%',
  ast: '*',
  plus: '+',
  sol: '/',
  bsol: '\\',
  lowbar: '_',
  grave: '`',
  vert: '|',
  verbar: '|',
  commat: '@',
  Hat: '^',
  tilde: '~',
  hyphen: '-',
  lsquo: "'",
  rsquo: "'",
  ldquo: '"',
  rdquo: '"',
  Tab: '\t',
  NewLine: '\n',
}

/** Decodes one round of HTML entities. */
export const decodeEntities = (text: string): string =>
  text.replace(
    /&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([A-Za-z]{2,8}));/g,
    (whole, decimal: string | undefined, hex: string | undefined, name: string | undefined) => {
      if (name !== undefined) return Object.hasOwn(entities, name) ? (entities[name] ?? whole) : whole
      const point = decimal !== undefined ? Number(decimal) : Number.parseInt(hex ?? '', 16)
      return point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : whole
    },
  )

const openQuotes: Readonly<Record<string, string>> = {
  '“': '"',
  '”': '"',
  '„': '"',
  '‟': '"',
  '＂': '"',
  '«': '"',
  '‘': "'",
  '’': "'",
  '‚': "'",
  '‛': "'",
  '＇': "'",
  '′': "'",
  '″': '"',
  '｀': '`',
  '‵': '`',
}
const closers: Readonly<Record<string, string>> = { '"': '“”„‟＂»″', "'": '‘’‚‛＇′', '`': '｀‵`' }
const punctuation: Readonly<Record<string, string>> = {
  '–': '-',
  '—': '-',
  '−': '-',
  '‐': '-',
  '‑': '-',
  '…': '...',
  '×': '*',
  '÷': '/',
  '≤': '<=',
  '≥': '>=',
  '≠': '!==',
  '⇒': '=>',
  '→': '->',
  '。': '.',
  '、': ',',
  '【': '[',
  '】': ']',
  '「': '"',
  '」': '"',
  '《': '<',
  '》': '>',
  '∗': '*',
  '∕': '/',
  '‖': '||',
}
const spaces = /[\u00A0\u1680\u2000-\u200A\u202F\u205F\u3000]/

/**
 * Puts ASCII for full-width and typographic punctuation where code stands. What strings and comments hold stays byte for byte,
 * also in strings whose quotes are themselves typographic.
 */
export function mendPunctuation(text: string, language: Language): string {
  // A typographic quote that opens a string hides the rest of the text from the scanner, so one code segment at a time is mended by hand.
  const marks = /[“”„‟＂«»‘’‚‛＇′″｀‵]/
  if (!marks.test(text)) return mapCode(text, language, mendCode)
  let out = ''
  let code = ''
  const flush = () => {
    out += mendCode(code)
    code = ''
  }
  for (let i = 0; i < text.length; i++) {
    const char = text[i] ?? ''
    const skipped = skipPlain(text, i, language)
    if (skipped > i) {
      flush()
      out += text.slice(i, skipped)
      i = skipped - 1
      continue
    }
    const quote = Object.hasOwn(openQuotes, char) ? openQuotes[char] : undefined
    const end = quote === undefined ? -1 : endOfTypographic(text, i, quote)
    if (quote === undefined || end === -1) {
      code += char
      continue
    }
    flush()
    out += quote + text.slice(i + 1, end) + quote
    i = end
  }
  flush()
  return out
}

/** End of an ASCII string or comment that starts here, else the same place. */
function skipPlain(text: string, at: number, language: Language): number {
  const char = text[at]
  const lineEnd = () => {
    const end = text.indexOf('\n', at)
    return end === -1 ? text.length : end
  }
  if (char === '/' && (language === 'typescript' || language === 'javascript')) {
    if (text[at + 1] === '/') return lineEnd()
    if (text[at + 1] === '*') {
      const end = text.indexOf('*/', at + 2)
      return end === -1 ? text.length : end + 2
    }
  }
  if (char === '#' && (language === 'python' || language === 'bash')) return lineEnd()
  if (char === '-' && text[at + 1] === '-' && language === 'sql') return lineEnd()
  if (char !== '"' && char !== "'" && char !== '`') return at
  for (let i = at + 1; i < text.length; i++) {
    if (text[i] === '\\') i++
    else if (text[i] === char) return i + 1
    else if (text[i] === '\n' && char !== '`') return at
    // A typographic mark may close what an ASCII one opened.
    else if (
      closers[char]?.includes(text[i] ?? '') &&
      /^\s*(?:[;,)\]}:.+]|$)/m.test(text.slice(i + 1, i + 40)) &&
      !lineHasCloser(text, i, char)
    )
      return at
  }
  return at
}

const lineHasCloser = (text: string, at: number, quote: string): boolean => {
  const end = text.indexOf('\n', at)
  return text.slice(at, end === -1 ? Math.min(text.length, at + 2_000) : end).includes(quote)
}

function endOfTypographic(text: string, at: number, quote: string): number {
  const ends = `${closers[quote] ?? ''}${quote}`
  for (let i = at + 1; i < text.length; i++) {
    const char = text[i] ?? ''
    if (char === '\\') i++
    else if (char === '\n' && quote !== '`') return -1
    else if (
      ends.includes(char) &&
      !(isApostrophe(char) && /\p{L}/u.test(text[i - 1] ?? '') && /\p{L}/u.test(text[i + 1] ?? ''))
    )
      return i
  }
  return -1
}

const isApostrophe = (char: string): boolean => char === '’' || char === "'"

function mendCode(code: string): string {
  let out = ''
  for (const char of code) {
    const point = char.codePointAt(0) ?? 0
    if (point >= 0xff01 && point <= 0xff5e) out += String.fromCharCode(point - 0xfee0)
    else if (Object.hasOwn(punctuation, char)) out += punctuation[char]
    else if (spaces.test(char)) out += ' '
    else out += char
  }
  return out
}
