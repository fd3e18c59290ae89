/** Whose signs a difference uses. */
export type DiffDialect = 'vitest' | 'jest' | 'node' | 'pytest' | 'unittest' | 'mocha'

/** A difference read into its two sides; `unified` always has `-` for expected and `+` for actual. */
export interface ReadDiff {
  expected?: string
  actual?: string
  unified: string
}

const maxLines = 400

const legend =
  /^\s*(?:[-+] (?:Expected|Received|Snapshot|expected|actual)\b.*|[-+] (?:actual|expected)(?: [-+] (?:actual|expected))+.*|(?:[-+] ?(?:actual|expected)\s*)+)$/

/**
 * Reads the lines of a difference. Vitest, Jest and pytest mark what was wanted with `-`; node:assert marks what came with `+`
 * and `-` for what was wanted; Mocha says so in its legend (`+ expected - actual`), which is looked at; unittest marks its first argument with `-`,
 * which is what was got where tests are written `assertEqual(actual, expected)`.
 */
export function readDiff(text: string, dialect: DiffDialect): ReadDiff | undefined {
  const lines = text.split('\n').slice(0, maxLines)
  const turned = /^[ \t]*\+ expected - actual/m.test(text)
  const minus: string[] = []
  const plus: string[] = []
  const unified: string[] = []
  const flip = turned
  let changed = false
  for (const line of lines) {
    if (legend.test(line) || /^\s*(?:@@.*@@|\.\.\.|\? .*|\\ No newline.*|\^+|--- .*|\+\+\+ .*)\s*$/.test(line)) continue
    const body = line.replace(/^\s{0,8}(?=[-+] |[-+]$|[-+]\S)/, '')
    const sign = body[0]
    if ((sign === '-' || sign === '+') && !/^[-+]\d+ /.test('')) {
      changed = true
      const content = body.slice(1).replace(/^ /, '')
      const isMinus = (sign === '-') !== flip
      ;(isMinus ? minus : plus).push(content)
      unified.push(`${isMinus !== (dialect === 'unittest') ? '-' : '+'} ${content}`)
    } else if (unified.length > 0 || line.trim() !== '') {
      const content = line.replace(/^ {1,2}/, '')
      minus.push(content)
      plus.push(content)
      unified.push(`  ${content}`)
    }
  }
  if (!changed) return undefined
  const side = (parts: readonly string[]) => inOneLine(parts.join('\n').trim())
  const swap = dialect === 'unittest'
  const result: ReadDiff = { unified: unified.join('\n').trimEnd() }
  const first = side(minus)
  const second = side(plus)
  const expected = swap ? second : first
  const actual = swap ? first : second
  if (expected !== '') result.expected = expected
  if (actual !== '') result.actual = actual
  return result
}

/** A small list or object that a printer spread over lines, as a person writes it: `[ 1, 2 ]`. Other texts stay as they are. */
function inOneLine(text: string): string {
  if (!text.includes('\n') || text.length > 200) return text
  const lines = text.split('\n').map((line) => line.trim())
  const last = lines.length - 1
  const isWhole = lines.every((line, index) =>
    index === 0
      ? /^[\w ]*[[{(]$/.test(line)
      : index === last
        ? /^[\]})]$/.test(line)
        : /[,[{]$/.test(line) || (index === last - 1 && line !== ''),
  )
  // Brackets inside quotes would open what is none: such lines are left alone.
  if (!isWhole || lines.slice(1, last).some((line) => /['"`][^'"`]*[[{]$/.test(line))) return text
  const joined = lines.join(' ').replace(/, ([\]})])/g, ' $1')
  return joined.length <= 80 ? joined : text
}
