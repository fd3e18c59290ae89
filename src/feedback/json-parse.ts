/** What a tolerant parser makes of text that should be JSON. Offsets are in the text given. */
export type JsonParse =
  | { readonly kind: 'value'; readonly value: unknown; readonly end: number; readonly mended: boolean }
  | { readonly kind: 'cut'; readonly offset: number }
  | { readonly kind: 'bad'; readonly offset: number; readonly problem: string }

const maxDepth = 500
const quotes: Readonly<Record<string, string>> = { '"': '"', "'": "'", '“': '”', '”': '”', '‘': '’' }
const words: Readonly<Record<string, unknown>> = {
  true: true,
  false: false,
  null: null,
  True: true,
  False: false,
  None: null,
  undefined: null,
  NaN: null,
  Infinity: null,
}
const escapes: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  b: '\b',
  f: '\f',
  '"': '"',
  "'": "'",
  '\\': '\\',
  '/': '/',
  '`': '`',
  $: '$',
  '\n': '',
}

class Trouble {
  readonly result: JsonParse
  constructor(result: JsonParse) {
    this.result = result
  }
}

/**
 * Parses one JSON value at `start`, allowing what models write: comments, trailing commas, raw line breaks in strings, single
 * or typographic quotes, bare keys, Python's words, escapes that JSON does not know. It never guesses where a string ends: a
 * quote ends it, and what comes after must be a comma, colon or bracket. It never closes what the text leaves open. Linear.
 */
export function parseJsonAt(text: string, start: number): JsonParse {
  let at = start
  let mended = false
  const bad = (problem: string, offset = at): never => {
    throw new Trouble(offset >= text.length ? { kind: 'cut', offset: text.length } : { kind: 'bad', offset, problem })
  }
  const skip = (): void => {
    for (;;) {
      const char = text[at]
      if (char === undefined) return
      if (/[\s\uFEFF\u200B]/.test(char)) at++
      else if (char === '/' && text[at + 1] === '/') {
        const end = text.indexOf('\n', at)
        at = end === -1 ? text.length : end
        mended = true
      } else if (char === '/' && text[at + 1] === '*') {
        const end = text.indexOf('*/', at + 2)
        at = end === -1 ? text.length : end + 2
        mended = true
      } else if (char === '#' && /(?:^|\n)[ \t]*$/.test(text.slice(Math.max(0, at - 80), at))) {
        const end = text.indexOf('\n', at)
        at = end === -1 ? text.length : end
        mended = true
      } else return
    }
  }
  const string = (): string => {
    const open = text[at] ?? ''
    const close = quotes[open] ?? '"'
    if (open !== '"') mended = true
    if (text.startsWith('"""', at)) return tripled()
    const parts: string[] = []
    let from = at + 1
    let i = from
    while (i < text.length) {
      const char = text[i]
      if (char === close || (close === '”' && char === '"')) {
        parts.push(text.slice(from, i))
        at = i + 1
        return parts.join('')
      }
      if (char === '\\') {
        parts.push(text.slice(from, i))
        const next = text[i + 1]
        if (next === undefined) break
        if (next === 'u' && /^[0-9a-fA-F]{4}$/.test(text.slice(i + 2, i + 6))) {
          parts.push(String.fromCharCode(Number.parseInt(text.slice(i + 2, i + 6), 16)))
          i += 6
        } else if (Object.hasOwn(escapes, next)) {
          if (!'ntrbf"\\/'.includes(next)) mended = true
          parts.push(escapes[next] ?? '')
          i += 2
        } else {
          // An escape that JSON does not know (`\d`, `\s` of a pattern) means itself, backslash and all.
          mended = true
          parts.push(`\\${next}`)
          i += 2
        }
        from = i
      } else {
        if (char === '\n' || char === '\t') mended = true
        i++
      }
    }
    throw new Trouble({ kind: 'cut', offset: text.length })
  }
  const tripled = (): string => {
    const end = text.indexOf('"""', at + 3)
    if (end === -1) throw new Trouble({ kind: 'cut', offset: text.length })
    mended = true
    const inner = text.slice(at + 3, end)
    at = end + 3
    return inner
  }
  const bareword = (): string => {
    const match = /^[\p{L}_$][\p{L}\p{N}_$-]*/u.exec(text.slice(at, at + 200))?.[0]
    if (match === undefined) return bad('expected a value')
    at += match.length
    return match
  }
  const scalar = (): unknown => {
    const char = text[at] ?? ''
    if (Object.hasOwn(quotes, char)) return string()
    const number = /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?/.exec(text.slice(at, at + 400))?.[0]
    if (number !== undefined && number !== '') {
      at += number.length
      return Number(number)
    }
    const from = at
    const word = bareword()
    if (!Object.hasOwn(words, word))
      return bad(
        at >= text.length ? 'cut' : `"${word.slice(0, 40)}" is no JSON value; strings need quotes`,
        at >= text.length ? text.length : from,
      )
    if (!['true', 'false', 'null'].includes(word)) mended = true
    return words[word]
  }
  const value = (depth: number): unknown => {
    skip()
    if (depth > maxDepth) return bad(`nested deeper than ${maxDepth} levels`)
    const char = text[at]
    if (char === undefined) return bad('cut')
    if (char !== '{' && char !== '[') return scalar()
    at++
    return char === '{' ? object(depth) : list(depth)
  }
  const separator = (close: string): boolean => {
    skip()
    if (text[at] === close) {
      at++
      return true
    }
    if (text[at] !== ',') return bad(`expected "," or "${close}"`)
    at++
    skip()
    if (text[at] !== close) return false
    mended = true
    at++
    return true
  }
  const list = (depth: number): unknown[] => {
    const items: unknown[] = []
    skip()
    if (text[at] === ']') {
      at++
      return items
    }
    for (;;) {
      items.push(value(depth + 1))
      if (separator(']')) return items
    }
  }
  const object = (depth: number): Record<string, unknown> => {
    const members: [string, unknown][] = []
    skip()
    if (text[at] === '}') {
      at++
      return {}
    }
    for (;;) {
      skip()
      const char = text[at]
      if (char === undefined) return bad('cut')
      let key: string
      if (Object.hasOwn(quotes, char)) key = string()
      else {
        key = bareword()
        mended = true
      }
      skip()
      if (text[at] !== ':') return bad('expected ":" after the name of a member')
      at++
      members.push([key, value(depth + 1)])
      // fromEntries defines own members, so that a key named __proto__ stays data.
      if (separator('}')) return Object.fromEntries(members)
    }
  }
  try {
    const result = value(0)
    return { kind: 'value', value: result, end: at, mended }
  } catch (error) {
    if (error instanceof Trouble) return error.result
    throw error
  }
}
