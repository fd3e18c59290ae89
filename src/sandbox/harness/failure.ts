import type { GuestError } from '../types.ts'
import { cut, print } from './print.ts'

const longestMessage = 4_000
const longestStack = 8_000
const deepestCause = 3

/** `value[name]` if reading it does not throw. */
function read(value: unknown, name: string): unknown {
  try {
    return (value as Record<string, unknown> | null | undefined)?.[name]
  } catch {
    return undefined
  }
}

const textOf = (value: unknown, length: number): string | undefined =>
  typeof value === 'string' ? cut(value, length) : undefined

const isErrorLike = (value: unknown): boolean => {
  try {
    return (
      value instanceof Error ||
      (typeof value === 'object' && value !== null && typeof read(value, 'message') === 'string')
    )
  } catch {
    return false
  }
}

/** Turns whatever was thrown into bounded plain data; never throws (a looping getter is cut by the deadline). */
export function toGuestError(thrown: unknown, depth = 0): GuestError {
  if (!isErrorLike(thrown)) {
    const text = print(thrown)
    return { name: 'NonError', message: `thrown: ${cut(text, 500)}`, stack: '', thrown: text }
  }
  const operator = textOf(read(thrown, 'operator'), 100)
  const code = read(thrown, 'code')
  const cause = read(thrown, 'cause') ?? firstOf(read(thrown, 'errors'))
  const message = textOf(read(thrown, 'message'), longestMessage) ?? ''
  return {
    name: textOf(read(thrown, 'name'), 200) ?? 'Error',
    message,
    stack: textOf(read(thrown, 'stack'), longestStack) ?? '',
    ...compared(thrown),
    ...(operator === undefined ? {} : { operator }),
    ...(typeof code === 'string' || typeof code === 'number' ? { code: cut(String(code), 200) } : {}),
    ...(cause === undefined || depth >= deepestCause ? {} : { cause: toGuestError(cause, depth + 1) }),
  }
}

const firstOf = (value: unknown): unknown => (Array.isArray(value) ? read(value, '0') : undefined)

function compared(thrown: unknown): Pick<GuestError, 'expected' | 'actual' | 'diff'> {
  const has = (name: string): boolean => {
    try {
      return typeof thrown === 'object' && thrown !== null && name in thrown
    } catch {
      return false
    }
  }
  if (!has('expected') && !has('actual')) return {}
  if (read(thrown, 'showDiff') === false && read(thrown, 'expected') === undefined) return {}
  const expected = print(read(thrown, 'expected'))
  const actual = print(read(thrown, 'actual'))
  return { expected, actual, ...(expected === actual ? {} : { diff: lineDiff(expected, actual) }) }
}

const mostDiffLines = 120

/** A line-wise difference, `-` expected, `+` actual; empty for texts too long to compare. */
export function lineDiff(expected: string, actual: string): string {
  const left = expected.split('\n').slice(0, mostDiffLines)
  const right = actual.split('\n').slice(0, mostDiffLines)
  const table = Array.from({ length: left.length + 1 }, () => new Array<number>(right.length + 1).fill(0))
  const at = (row: number, column: number): number => table[row]?.[column] ?? 0
  for (let row = left.length - 1; row >= 0; row--) {
    for (let column = right.length - 1; column >= 0; column--) {
      const line = table[row]
      if (line) {
        line[column] =
          left[row] === right[column] ? at(row + 1, column + 1) + 1 : Math.max(at(row + 1, column), at(row, column + 1))
      }
    }
  }
  const lines: string[] = []
  let row = 0
  let column = 0
  while (row < left.length || column < right.length) {
    if (row < left.length && column < right.length && left[row] === right[column]) {
      lines.push(`  ${left[row]}`)
      row++
      column++
    } else if (column >= right.length || (row < left.length && at(row + 1, column) >= at(row, column + 1))) {
      lines.push(`- ${left[row++]}`)
    } else lines.push(`+ ${right[column++]}`)
  }
  return lines.join('\n')
}
