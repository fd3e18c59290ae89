import { ts } from 'ts-morph'
import { bare } from '../parse.ts'

/** A value written out in source: a primitive, or arrays and plain objects of such. */
export type Literal =
  | string
  | number
  | boolean
  | null
  | undefined
  | bigint
  | readonly Literal[]
  | { readonly [key: string]: Literal }

/** Marks an expression that is no literal. */
export const notLiteral = Symbol('not a literal')

/**
 * The value of an expression that is written out, names of constants resolved by `resolve`; `notLiteral` otherwise. Nothing is
 * evaluated. Pure.
 */
export function literalOf(
  node: ts.Expression,
  resolve: (name: ts.Identifier) => ts.Expression | undefined = () => undefined,
  depth = 0,
): Literal | typeof notLiteral {
  if (depth > 30) return notLiteral
  const inner = bare(node)
  if (ts.isStringLiteralLike(inner)) return inner.text
  if (ts.isNumericLiteral(inner)) return Number(inner.text)
  if (ts.isBigIntLiteral(inner)) return BigInt(inner.text.slice(0, -1).replaceAll('_', ''))
  switch (inner.kind) {
    case ts.SyntaxKind.TrueKeyword:
      return true
    case ts.SyntaxKind.FalseKeyword:
      return false
    case ts.SyntaxKind.NullKeyword:
      return null
  }
  if (ts.isPrefixUnaryExpression(inner)) {
    const value = literalOf(inner.operand, resolve, depth + 1)
    return inner.operator === ts.SyntaxKind.MinusToken && typeof value === 'number' ? -value : notLiteral
  }
  if (ts.isIdentifier(inner)) {
    if (inner.text === 'undefined') return undefined
    if (inner.text === 'NaN' || inner.text === 'Infinity') return Number(inner.text)
    const value = resolve(inner)
    return value && value !== inner ? literalOf(value, resolve, depth + 1) : notLiteral
  }
  if (ts.isArrayLiteralExpression(inner)) {
    const items: Literal[] = []
    for (const element of inner.elements) {
      const value = literalOf(element, resolve, depth + 1)
      if (value === notLiteral) return notLiteral
      items.push(value)
    }
    return items
  }
  if (ts.isObjectLiteralExpression(inner)) {
    const members: Record<string, Literal> = Object.create(null) as Record<string, Literal>
    for (const property of inner.properties) {
      if (!ts.isPropertyAssignment(property)) return notLiteral
      const name = propertyName(property.name)
      const value = literalOf(property.initializer, resolve, depth + 1)
      if (name === undefined || value === notLiteral) return notLiteral
      members[name] = value
    }
    return members
  }
  if (ts.isCallExpression(inner) && inner.arguments.length === 1) {
    // how bare scripts compare structures
    const [argument] = inner.arguments
    if (argument && inner.expression.getText() === 'JSON.stringify') return literalOf(argument, resolve, depth + 1)
  }
  return notLiteral
}

export function propertyName(name: ts.PropertyName): string | undefined {
  if (ts.isIdentifier(name) || ts.isStringLiteralLike(name) || ts.isNumericLiteral(name)) return name.text
  if (ts.isComputedPropertyName(name) && ts.isStringLiteralLike(name.expression)) return name.expression.text
  return undefined
}

/** Equal for equal values, whatever the order of members. */
export function keyOf(value: Literal): string {
  if (value === undefined) return 'undefined'
  if (typeof value === 'bigint') return `${value}n`
  if (typeof value === 'number') return `${value}`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (isList(value)) return `[${value.map(keyOf).join(',')}]`
  return `{${Object.keys(value)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${keyOf(value[name])}`)
    .join(',')}}`
}

export const isList = (value: Literal): value is readonly Literal[] => Array.isArray(value)

/** Values that come up in any program, so that meeting them in two places says nothing. */
export function isPlain(value: Literal): boolean {
  if (typeof value === 'number') return Number.isInteger(value) && Math.abs(value) <= 2
  if (typeof value === 'bigint') return value <= 2n && value >= -2n
  if (typeof value === 'string') return value.length <= 1
  if (typeof value !== 'object' || value === null) return true
  return (isList(value) ? value : Object.values(value)).length === 0
}

/** Values that hardly come up twice by chance: long texts, large or broken numbers, structures. */
export function isTelling(value: Literal): boolean {
  if (typeof value === 'number') return !Number.isInteger(value) || Math.abs(value) > 12
  if (typeof value === 'bigint') return value > 12n || value < -12n
  if (typeof value === 'string') return value.length > 5
  if (typeof value !== 'object' || value === null) return false
  return (isList(value) ? value : Object.values(value)).length >= 2
}
