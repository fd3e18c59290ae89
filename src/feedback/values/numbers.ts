/** A number for people: rounded to twelve significant digits, without an exponent where that stays short. */
export function plainNumber(text: string): string {
  const value = Number(text)
  if (!Number.isFinite(value)) return text
  const rounded = Number(value.toPrecision(12))
  const short = String(rounded)
  if (!short.includes('e')) return short
  const magnitude = Math.abs(rounded)
  if (magnitude < 1e-12 || magnitude >= 1e21) return short
  const fixed = rounded.toFixed(Math.min(20, 12 - Math.floor(Math.log10(magnitude))))
  return fixed.replace(/0+$/, '').replace(/\.$/, '')
}

const number = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i

/**
 * How two numbers that look alike differ; undefined where they are not numbers or are far apart.
 * A relative difference below 1e-9 is floating-point rounding.
 */
export function floatDifference(expected: string, actual: string): string | undefined {
  const a = expected.trim()
  const b = actual.trim()
  if ((a === '-0' && (b === '0' || b === '+0')) || (b === '-0' && (a === '0' || a === '+0')))
    return 'they differ in the sign of zero (-0 and 0)'
  if (!number.test(a) || !number.test(b)) return undefined
  const left = Number(a)
  const right = Number(b)
  if (left === right || (Number.isInteger(left) === Number.isInteger(right) && Number.isInteger(left))) return undefined
  const difference = Math.abs(left - right)
  if (difference > 1e-9 * Math.max(1, Math.abs(left), Math.abs(right))) return undefined
  return `they differ only by floating-point rounding (${plainNumber(difference.toPrecision(3))})`
}
