/**
 * Readers for JSON of strangers: providers disagree about types, so a member of the wrong type counts as absent.
 */

export type Fields = Readonly<Record<string, unknown>>

/** The value as an object, or undefined for anything else, arrays included. */
export function fieldsOf(value: unknown): Fields | undefined {
  // The cast says no more than that members are unknown, which holds for every object.
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** A non-empty string, or undefined. */
export function stringOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** A finite number, also from a numeric string, or undefined. */
export function numberOf(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined
  if (typeof value !== 'string' || value.trim() === '') return undefined
  const number = Number(value)
  return Number.isFinite(number) ? number : undefined
}

/** The parsed JSON, or undefined when the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
