/**
 * Generic arrows inside each other make the parser try every reading twice, so its work doubles with each level
 * (measured with @babel/parser 7.29: 10 levels 0.1 s, 18 levels 15 s). Deeper ones are not parsed.
 */
const maxNestedGenericArrows = 7

/** True when parsing this text could take time out of proportion to its length. Linear, over-careful by design. */
export function isTooAmbiguous(text: string): boolean {
  const open: number[] = []
  let depth = 0
  for (let i = 0; i < text.length; i++) {
    const char = text[i]
    if (char === '(' || char === '[' || char === '{') depth++
    else if (char === ')' || char === ']' || char === '}') {
      depth--
      while (open.length > 0 && (open.at(-1) ?? 0) > depth) open.pop()
    } else if (char === ';' || char === ',') {
      while (open.length > 0 && (open.at(-1) ?? 0) >= depth) open.pop()
    } else if (char === '<' && isExpressionPosition(text, i) && opensGenericArrow(text, i)) {
      open.push(depth)
      if (open.length > maxNestedGenericArrows) return true
    }
  }
  return false
}

function isExpressionPosition(text: string, at: number): boolean {
  let i = at - 1
  while (i >= 0 && (text[i] === ' ' || text[i] === '\n' || text[i] === '\t')) i--
  return i < 0 || !/[\w$)\]]/.test(text[i] ?? '') || text.slice(Math.max(0, i - 4), i + 1).endsWith('async')
}

/** `<T, U extends V>(`; looks no further than a short type parameter list goes. */
function opensGenericArrow(text: string, at: number): boolean {
  return /^<[^<>(){};]{0,80}(?:<[^<>(){};]{0,80}>)?[^<>(){};]{0,40}>\s{0,8}\(/.test(text.slice(at, at + 240))
}
