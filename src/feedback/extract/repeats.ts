import type { Reading } from './reading.ts'

const whole =
  /^(?:export\s+)?(?:default\s+)?(?:async\s+)?(?:function\b[^;]*\{|class\b|(?:const(?!\s+enum\b)|let)\b[^;]*=)/

/**
 * Takes a program's own repetitions out: a model that finds no end writes the same definitions again, or another version of them, and
 * no module may define a name twice. Equal ones are dropped, from a different one on everything is. Overloads stay.
 */
export function withoutRepeats(text: string, reading: Reading): string {
  if (reading.language !== 'typescript' && reading.language !== 'javascript') return text
  const seen = new Map<string, string>()
  const dropped: { readonly start: number; readonly end: number }[] = []
  for (const [index, statement] of reading.statements.entries()) {
    const own = text.slice(statement.start, statement.end)
    if (statement.kind !== 'definition' || statement.defines.length === 0) continue
    const isWhole = whole.test(own.slice(0, 2_000))
    if (!isWhole && !/^(?:export\s+)?(?:type|interface|(?:const\s+)?enum)\b/.test(own)) continue
    const plain = own.replace(/\s+/g, ' ')
    // A type and a value may share a name.
    const keys = statement.defines.map((name) => `${isWhole ? 'value' : 'type'} ${name}`)
    if (!keys.every((key) => seen.has(key))) {
      for (const key of keys) seen.set(key, plain)
      continue
    }
    // With the comments above it.
    const start = lineEnd(text, reading.statements[index - 1]?.end ?? statement.start)
    if (!keys.every((key) => seen.get(key) === plain)) {
      // Interfaces of one name are merged.
      if (!isWhole) continue
      dropped.push({ start, end: text.length })
      break
    }
    dropped.push({ start: Math.min(start, statement.start), end: statement.end })
  }
  let out = text
  for (const { start, end } of dropped.reverse()) out = out.slice(0, start).trimEnd() + out.slice(end)
  return dropped.length > 0 ? out.trimEnd() : text
}

const lineEnd = (text: string, at: number): number => {
  const end = text.indexOf('\n', at)
  return end === -1 ? text.length : end
}
