/**
 * `replace`, `match` and `split` with a regular expression. V8 has short ways through them only as long as RegExp.prototype
 * has the very shape that it was born with, which freezing takes from it: they would take ten times as long. `exec` keeps
 * its short way, so these are made of it; what is not plain (subclasses, own members, odd arguments) goes to V8's own.
 */

const { prototype } = RegExp
const nativeReplace = prototype[Symbol.replace] as (this: RegExp, text: string, by: unknown) => string
const nativeMatch = prototype[Symbol.match] as (this: RegExp, text: string) => RegExpMatchArray | null
const nativeSplit = prototype[Symbol.split] as (this: RegExp, text: string, limit?: number) => string[]
const { apply, getPrototypeOf } = Reflect
const hasOwn = Object.hasOwn

/** Whether all that matters of `pattern` is the engine's own. */
function isPlain(pattern: unknown): pattern is RegExp {
  return (
    typeof pattern === 'object' &&
    pattern !== null &&
    pattern !== prototype &&
    getPrototypeOf(pattern) === prototype &&
    hasOwn(pattern, 'lastIndex') &&
    !hasOwn(pattern, 'exec') &&
    !hasOwn(pattern, 'flags') &&
    // a Proxy of an expression looks like one, and has none of its slots
    !isMimic(pattern)
  )
}

const getGlobal = Object.getOwnPropertyDescriptor(prototype, 'global')?.get as (this: unknown) => boolean

function isMimic(pattern: object): boolean {
  try {
    apply(getGlobal, pattern, [])
    return false
  } catch {
    return true
  }
}

/** Where the search goes on after an empty match at `at`. */
function advance(text: string, at: number, isUnicode: boolean): number {
  const point = isUnicode ? text.codePointAt(at) : undefined
  return at + (point !== undefined && point > 0xffff ? 2 : 1)
}

/** All matches, as `g` finds them. */
function allMatches(pattern: RegExp, text: string): RegExpExecArray[] {
  const isUnicode = pattern.unicode || pattern.unicodeSets
  const found: RegExpExecArray[] = []
  pattern.lastIndex = 0
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    found[found.length] = match
    if (match[0] === '') pattern.lastIndex = advance(text, pattern.lastIndex, isUnicode)
  }
  return found
}

function replaceWith(match: RegExpExecArray, text: string, by: (...args: unknown[]) => unknown): string {
  if (match.length === 1 && match.groups === undefined) return `${by(match[0], match.index, text)}`
  const args: unknown[] = []
  for (let group = 0; group < match.length; group++) args[group] = match[group]
  args[args.length] = match.index
  args[args.length] = text
  if (match.groups !== undefined) args[args.length] = match.groups
  return `${apply(by, undefined, args)}`
}

const methods = {
  [Symbol.replace](this: RegExp, text: unknown, by: unknown): string {
    const isFunction = typeof by === 'function'
    // templates with `$` are left to the engine, which knows what each form means
    const isText = typeof by === 'string' && !by.includes('$')
    if (typeof text !== 'string' || !(isFunction || isText) || !isPlain(this)) {
      return apply(nativeReplace, this, [text, by]) as string
    }
    let matches: RegExpExecArray[]
    if (this.global) matches = allMatches(this, text)
    else {
      const match = this.exec(text)
      matches = match === null ? [] : [match]
    }
    let result = ''
    let next = 0
    for (let index = 0; index < matches.length; index++) {
      const match = matches[index] as RegExpExecArray
      const own = isFunction ? replaceWith(match, text, by as (...args: unknown[]) => unknown) : by
      result += text.slice(next, match.index) + own
      next = match.index + match[0].length
    }
    return next === 0 && result === '' ? text : result + text.slice(next)
  },

  [Symbol.match](this: RegExp, text: unknown): RegExpMatchArray | null {
    if (typeof text !== 'string' || !isPlain(this)) return apply(nativeMatch, this, [text]) as RegExpMatchArray | null
    if (!this.global) return this.exec(text)
    const matches = allMatches(this, text)
    if (matches.length === 0) return null
    const texts: string[] = []
    for (let index = 0; index < matches.length; index++) texts[index] = (matches[index] as RegExpExecArray)[0]
    return texts as RegExpMatchArray
  },

  [Symbol.split](this: RegExp, text: unknown, limit: unknown): string[] {
    if (typeof text !== 'string' || text === '' || limit !== undefined || !isPlain(this) || this.sticky) {
      return apply(nativeSplit, this, [text, limit]) as string[]
    }
    const searcher = searcherFor(this)
    const isUnicode = this.unicode || this.unicodeSets
    const parts: (string | undefined)[] = []
    let from = 0
    let at = 0
    while (at < text.length) {
      searcher.lastIndex = at
      const match = searcher.exec(text)
      if (match === null || match.index >= text.length) break
      const end = match.index + match[0].length
      if (end === from) {
        at = advance(text, Math.max(at, match.index), isUnicode)
        continue
      }
      parts[parts.length] = text.slice(from, match.index)
      for (let group = 1; group < match.length; group++) parts[parts.length] = match[group]
      from = end
      at = end
    }
    parts[parts.length] = text.slice(from)
    return parts as string[]
  },
}

const mostSearchers = 200
const searchers = new Map<string, RegExp>()

/** An expression with `g` that finds the same; guests never see it. */
function searcherFor(pattern: RegExp): RegExp {
  const flags = pattern.flags.replaceAll('g', '')
  const key = `${flags}/${pattern.source}`
  let searcher = searchers.get(key)
  if (!searcher) {
    if (searchers.size >= mostSearchers) searchers.clear()
    searcher = new RegExp(pattern.source, `${flags}g`)
    searchers.set(key, searcher)
  }
  return searcher
}

/** Puts the methods in place; done before the world is frozen. */
export function installRegExpMethods(): void {
  for (const key of [Symbol.replace, Symbol.match, Symbol.split] as const) {
    const method = methods[key]
    Object.defineProperty(method, 'length', { value: key === Symbol.match ? 1 : 2, configurable: true })
    Object.defineProperty(prototype, key, { value: method, writable: true, enumerable: false, configurable: true })
  }
}
