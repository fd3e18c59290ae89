import { unquote } from '../values/scan.ts'
import type { AssertionText, RuleResult } from './assertion.ts'

/** Labels that Jest puts before values, by what they say; older versions add `(using ===)`. */
const labels = /^(Expected|Received)((?: [\w-]+){0,6})(?: \([^)]*\))?(?::| ?<)\s*(.*)$/

/**
 * Reads Jest's matcher messages (`expect(received).toBe(expected)` and labelled values); Vitest's Jest-shaped ones too.
 * Undefined for other shapes.
 */
export function jestAssertion(text: AssertionText): RuleResult {
  const { message } = text
  if (!message.includes('expect(') && !/^(?:Expected|Received)[ \w]*:/m.test(message)) return undefined
  const lines = message.split('\n').slice(0, 2_000)
  const at = lines.findIndex((line) => /^\s*(?:\w*Error: )?expect(?:\.\w+)?\(.*\)\.[\w.]+\(.*\)/.test(line))
  if (
    at === -1 &&
    !(lines.some((line) => /^Expected[ \w]*:/.test(line)) && lines.some((line) => /^Received[ \w]*:/.test(line)))
  )
    return undefined
  const call =
    at === -1
      ? (lines[0] ?? '')
      : (lines[at] ?? '')
          .trim()
          .replace(/^\w*Error: /, '')
          .replace(/ \/\/ .*$/, '')
  const own = lines
    .slice(0, Math.max(at, 0))
    .join('\n')
    .trim()
    .replace(/^\w*Error: /, '')
  const fields = readFields(lines.slice(at + 1))
  const result: RuleResult = { message: own ? `${own}: ${call}` : call }
  const throwing = /\.toThrow|toThrowError/.test(call)
  const negated = /\.not\./.test(call)
  const { expected, received } = fields
  if (throwing && negated && fields.thrown)
    return { ...result, expected: 'no error', actual: fields.thrown, ownValues: true }
  if (throwing && fields.notThrown) {
    const what = expected === undefined ? 'an error' : unquote(expected.value)
    return {
      message: `expected ${expected === undefined ? 'an error' : what}, none was thrown`,
      expected: what,
      actual: 'no error',
      ownValues: true,
    }
  }
  if (
    throwing &&
    expected &&
    received &&
    /message|value/.test(received.label) &&
    /substring|pattern|message/.test(expected.label) &&
    !negated
  ) {
    return {
      message: 'thrown error has the wrong message',
      expected: unquote(expected.value),
      actual: unquote(received.value),
      ownValues: true,
    }
  }
  if (throwing && negated && received)
    return { ...result, expected: 'no error', actual: unquote(received.value), ownValues: true }
  if (/Received promise (?:resolved|rejected) instead of/.test(message)) {
    const settled = /Received promise resolved/.test(message)
    const printed = /(?:Resolved|Rejected) to value: (.*)/.exec(message)?.[1] ?? received?.value ?? ''
    const value = printed.replace(/^\[(\w*(?:Error|Exception)\b.*)\]$/, '$1')
    return {
      ...result,
      expected: settled ? 'a rejected promise' : 'a resolved promise',
      actual: `${settled ? 'resolved' : 'rejected'} with ${value}`.trim(),
      ownValues: true,
    }
  }
  if (expected) result.expected = expected.value || undefinedToEmpty(expected.label)
  if (received) result.actual = received.value || undefinedToEmpty(received.label)
  if (fields.precision && expected && fields.difference) {
    const allowed = fields.allowed ?? ''
    result.expected = `${expected.value}${allowed ? ` ± ${allowed}` : ''}`
  }
  if (fields.diff) result.diff = fields.diff
  if (result.expected === undefined && result.actual === undefined && fields.diff === undefined && at === -1)
    return undefined
  return result
}

function undefinedToEmpty(label: string): string {
  return label.trim()
}

interface Field {
  label: string
  value: string
}

interface Fields {
  expected?: Field
  received?: Field
  notThrown?: boolean
  /** Name and message of an error that should not have been. */
  thrown?: string
  precision?: string
  difference?: string
  allowed?: string
  diff?: string
}

function readFields(lines: readonly string[]): Fields {
  const fields: Fields = {}
  let open: Field | undefined
  let diff: string[] | undefined
  for (const line of lines) {
    if (/^\s+at .*[:(]/.test(line)) break
    if (/^Received function did not throw/.test(line)) {
      fields.notThrown = true
      open = undefined
      continue
    }
    const error = /^Error (name|message):\s+"(.*)"$/.exec(line)
    if (error) {
      fields.thrown = fields.thrown === undefined ? (error[2] ?? '') : `${fields.thrown}: ${error[2]}`
      continue
    }
    const legend = /^([-+]) (?:Expected|Received|Snapshot)\b/.exec(line)
    if (legend) {
      diff ??= []
      open = undefined
      continue
    }
    if (diff) {
      if (/^(?:Number of (?:calls|returns)|\s*$)/.test(line) && diff.length > 0 && line.trim() !== '') break
      diff.push(line)
      continue
    }
    const label = labels.exec(line)
    if (label?.[1]) {
      open = { label: (label[2] ?? '').trim(), value: (label[3] ?? '').trim() }
      const side = label[1] === 'Expected' ? 'expected' : 'received'
      if (/precision/.test(open.label)) fields.precision = open.value
      else if (/difference/.test(open.label)) {
        if (side === 'expected') fields.allowed = open.value.replace(/^< /, '')
        else fields.difference = open.value
      } else if (/number of (?:calls|returns)/.test(open.label)) {
        if (fields[side] === undefined) fields[side] = { label: open.label, value: `${open.value} calls` }
      } else if (fields[side] === undefined || (/^value$/.test(open.label) && fields[side].label === 'path'))
        fields[side] = open
      continue
    }
    if (open && line.trim() !== '' && /^\s/.test(line)) open.value = open.value ? `${open.value}\n${line}` : line.trim()
    else open = undefined
  }
  if (diff?.some((line) => /^[-+]/.test(line))) fields.diff = diff.join('\n').replace(/^\n+|\s+$/g, '')
  return fields
}
