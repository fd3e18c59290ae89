import type { Shape } from './extract/types.ts'

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isZod = (
  shape: Shape,
): shape is { safeParse(value: unknown): { success: boolean; data?: unknown; error?: unknown } } =>
  typeof (shape as { safeParse?: unknown }).safeParse === 'function'

/** Null when the value has the shape, else what is wrong with it, as one phrase. */
export function mismatchOf(value: unknown, shape: Shape): string | null {
  if (isZod(shape)) {
    const result = shape.safeParse(value)
    if (result.success) return null
    const issues = isRecord(result.error) && Array.isArray(result.error.issues) ? result.error.issues : []
    const first = issues.find(isRecord)
    const path = Array.isArray(first?.path) ? first.path.join('.') : ''
    return `${path === '' ? 'the value' : path}: ${typeof first?.message === 'string' ? first.message.slice(0, 200) : 'does not fit'}`
  }
  if (isSchema(shape)) return mismatchOfSchema(value, shape, '', 0)
  if (!isRecord(value)) return `expected an object, got ${wordFor(value)}`
  for (const [name, type] of Object.entries(shape)) {
    const word = typeof type === 'string' ? type : 'any'
    const isOptional = word.endsWith('?')
    if (!Object.hasOwn(value, name) || value[name] === undefined || (isOptional && value[name] === null)) {
      if (!isOptional) return `member "${name}" is missing`
      continue
    }
    const wanted = word.replace(/\?$/, '')
    if (wanted !== 'any' && wanted !== 'unknown' && !isOfType(value[name], wanted))
      return `member "${name}" shall be ${wanted}, is ${wordFor(value[name])}`
  }
  return null
}

const isSchema = (shape: Readonly<Record<string, unknown>>): boolean =>
  isRecord(shape.properties) ||
  Array.isArray(shape.anyOf) ||
  (typeof shape.type === 'string' &&
    /^(?:object|array|string|number|integer|boolean|null)$/.test(shape.type) &&
    ('items' in shape || 'required' in shape || '$schema' in shape || Object.keys(shape).length === 1))

function isOfType(value: unknown, type: string): boolean {
  if (type.endsWith('[]')) return Array.isArray(value) && value.every((item) => isOfType(item, type.slice(0, -2)))
  if (type === 'array') return Array.isArray(value)
  if (type === 'object') return isRecord(value)
  if (type === 'integer') return Number.isInteger(value)
  if (type === 'null') return value === null
  return typeof value === type
}

const wordFor = (value: unknown): string =>
  value === null
    ? 'null'
    : Array.isArray(value)
      ? 'a list'
      : typeof value === 'object'
        ? 'an object'
        : `a ${typeof value}`

/** The part of JSON Schema that prompts use: type, properties, required, items, enum, anyOf, additionalProperties false. */
function mismatchOfSchema(value: unknown, schema: unknown, path: string, depth: number): string | null {
  if (!isRecord(schema) || depth > 50) return null
  const at = path === '' ? 'the value' : `member "${path}"`
  if (Array.isArray(schema.anyOf)) {
    const found = schema.anyOf.map((option) => mismatchOfSchema(value, option, path, depth + 1))
    return found.includes(null) ? null : (found[0] ?? null)
  }
  if (Array.isArray(schema.enum) && !schema.enum.includes(value))
    return `${at} is none of ${JSON.stringify(schema.enum).slice(0, 200)}`
  if ('const' in schema && schema.const !== value) return `${at} is not ${JSON.stringify(schema.const)}`
  const types =
    typeof schema.type === 'string'
      ? [schema.type]
      : Array.isArray(schema.type)
        ? schema.type.filter((type) => typeof type === 'string')
        : []
  if (types.length > 0 && !types.some((type) => isOfType(value, type)))
    return `${at} shall be ${types.join(' or ')}, is ${wordFor(value)}`
  if (isRecord(value)) {
    const properties = isRecord(schema.properties) ? schema.properties : {}
    const required = Array.isArray(schema.required) ? schema.required.filter((name) => typeof name === 'string') : []
    for (const name of required)
      if (!Object.hasOwn(value, name)) return `member "${path === '' ? name : `${path}.${name}`}" is missing`
    for (const [name, member] of Object.entries(value)) {
      if (Object.hasOwn(properties, name)) {
        const problem = mismatchOfSchema(member, properties[name], path === '' ? name : `${path}.${name}`, depth + 1)
        if (problem !== null) return problem
      } else if (schema.additionalProperties === false) return `member "${name}" is not wanted`
    }
  }
  if (Array.isArray(value) && 'items' in schema)
    for (const [index, item] of value.entries()) {
      const problem = mismatchOfSchema(item, schema.items, `${path}[${index}]`, depth + 1)
      if (problem !== null) return problem
    }
  return null
}
