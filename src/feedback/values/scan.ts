const closers: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' }

/**
 * Index of the first of the given texts outside quotes and brackets, with that text; undefined if there is none.
 * Unbalanced input is searched without regard to brackets. Linear in the length of the text.
 */
export function findOutside(
  text: string,
  wanted: readonly string[],
  from = 0,
): { index: number; found: string } | undefined {
  return scan(text, wanted, from, true) ?? scan(text, wanted, from, false)
}

function scan(text: string, wanted: readonly string[], from: number, nested: boolean) {
  const firsts = new Set(wanted.map((word) => word[0]))
  let depth = 0
  let quote = ''
  for (let index = from; index < text.length; index += 1) {
    const char = text[index] ?? ''
    if (quote) {
      if (char === '\\') index += 1
      else if (char === quote) quote = ''
      continue
    }
    if (depth === 0 && firsts.has(char)) {
      const found = wanted.find((word) => text.startsWith(word, index))
      if (found !== undefined) return { index, found }
    }
    if (nested && (char === '"' || char === '`' || (char === "'" && !/\w/.test(text[index - 1] ?? '')))) {
      // A quote that never closes is an apostrophe.
      if (text.indexOf(char, index + 1) !== -1) quote = char
    } else if (nested && closers[char] !== undefined) depth += 1
    else if (nested && (char === ')' || char === ']' || char === '}')) depth = Math.max(0, depth - 1)
  }
  return undefined
}

/** A quoted text without its quotes; anything else as it is. */
export function unquote(text: string): string {
  const trimmed = text.trim()
  const first = trimmed[0]
  if (trimmed.length < 2 || first === undefined || !`'"\``.includes(first) || !trimmed.endsWith(first)) return trimmed
  return trimmed.slice(1, -1).replace(/\\(['"`\\])/g, '$1')
}
