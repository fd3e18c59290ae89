/**
 * Where two printed texts part, for values too large to read at a glance: line, and the texts around the first difference.
 * Undefined for short or equal texts.
 */
export function firstTextDifference(expected: string, actual: string, longFrom = 160): string | undefined {
  if (expected === actual || Math.max(expected.length, actual.length) < longFrom) return undefined
  const shared = Math.min(expected.length, actual.length)
  let at = 0
  while (at < shared && expected.charCodeAt(at) === actual.charCodeAt(at)) at += 1
  const line = countLines(expected, at)
  const window = (text: string) => {
    const start = Math.max(0, at - 20)
    const end = Math.min(text.length, at + 40)
    return `${start > 0 ? '…' : ''}${text.slice(start, end).replace(/\s+/g, ' ')}${end < text.length ? '…' : ''}`
  }
  const place = line > 1 ? `line ${line}` : `character ${at + 1}`
  if (at === shared) {
    const longer = expected.length > actual.length ? 'actual ends early' : 'actual goes on'
    return `first difference at ${place}: ${longer} after "${window(expected.length > actual.length ? actual : expected)}"`
  }
  return `first difference at ${place}: expected "${window(expected)}", actual "${window(actual)}"`
}

function countLines(text: string, end: number): number {
  let lines = 1
  for (let index = text.indexOf('\n'); index !== -1 && index < end; index = text.indexOf('\n', index + 1)) lines += 1
  return lines
}
