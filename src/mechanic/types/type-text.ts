import { ts } from 'ts-morph'
import type { FixContext } from './context.ts'

const flags = ts.TypeFormatFlags.NoTruncation | ts.TypeFormatFlags.UseAliasDefinedOutsideCurrentScope

/**
 * A type as it may be written in an annotation, literals widened; null where it cannot be said without `any`
 * or names nothing that a reader could write.
 */
export function typeText(context: FixContext, type: ts.Type): string | null {
  const widened = context.checker.getWidenedType(context.checker.getBaseTypeOfLiteralType(type))
  const text = context.checker.typeToString(widened, undefined, flags)
  if (/\b(any|never|unknown|error)\b|typeof |import\(|=>.*\.\.\./.test(text) || text.length > 160) return null
  return text
}

export function without(context: FixContext, type: ts.Type): ts.Type {
  return context.checker.getNonNullableType(type)
}

export function has(type: ts.Type, flag: ts.TypeFlags): boolean {
  if (type.isUnion()) return type.types.some((part) => has(part, flag))
  return (type.flags & flag) !== 0
}

export const isNullish = (type: ts.Type): boolean =>
  has(type, ts.TypeFlags.Null | ts.TypeFlags.Undefined | ts.TypeFlags.Void)
export const isAny = (type: ts.Type): boolean => (type.flags & ts.TypeFlags.Any) !== 0

/** True where every part of the type has one of the flags. */
export function all(type: ts.Type, flag: ts.TypeFlags): boolean {
  if (type.isUnion()) return type.types.every((part) => all(part, flag))
  return (type.flags & flag) !== 0
}

export const isNumber = (type: ts.Type): boolean => all(type, ts.TypeFlags.NumberLike)
export const isString = (type: ts.Type): boolean => all(type, ts.TypeFlags.StringLike)
export const isBoolean = (type: ts.Type): boolean => all(type, ts.TypeFlags.BooleanLike)
export const isBigInt = (type: ts.Type): boolean => all(type, ts.TypeFlags.BigIntLike)

/** The name of a type's class or interface: Array, Map, Set, Date, Promise, RegExpMatchArray … */
export const nameOf = (type: ts.Type): string => type.symbol?.name ?? ''

/** The element type of an array or tuple. */
export function elementOf(context: FixContext, type: ts.Type): ts.Type | undefined {
  if (type.isUnion()) {
    const found = type.types.map((part) => elementOf(context, part)).find((part) => part !== undefined)
    return found
  }
  if (!context.checker.isArrayType(type) && !context.checker.isTupleType(type)) return undefined
  return context.checker.getIndexTypeOfType(type, ts.IndexKind.Number)
}

export const isArrayLike = (context: FixContext, type: ts.Type): boolean =>
  context.checker.isArrayType(type) || context.checker.isTupleType(type)

export function typeArguments(context: FixContext, type: ts.Type): readonly ts.Type[] {
  return (type.flags & ts.TypeFlags.Object) !== 0 &&
    ((type as ts.ObjectType).objectFlags & ts.ObjectFlags.Reference) !== 0
    ? context.checker.getTypeArguments(type as ts.TypeReference)
    : []
}

const deepestNeutral = 3

/** The neutral value of a type, as code; null where there is none. */
export function neutral(context: FixContext, type: ts.Type, depth = 0): string | null {
  if (has(type, ts.TypeFlags.Undefined | ts.TypeFlags.Void)) return 'undefined'
  if (has(type, ts.TypeFlags.Null)) return 'null'
  if (type.isUnion()) {
    for (const part of type.types) {
      const value = neutral(context, part, depth)
      if (value !== null) return value
    }
    return null
  }
  if (type.isNumberLiteral()) return String(type.value)
  if (type.isStringLiteral()) return JSON.stringify(type.value)
  if (isNumber(type)) return '0'
  if (isString(type)) return "''"
  if (isBoolean(type)) return 'false'
  if (isBigInt(type)) return '0n'
  if (context.checker.isTupleType(type)) {
    const parts = typeArguments(context, type).map((part) => neutral(context, part, depth + 1))
    return parts.includes(null) ? null : `[${parts.join(', ')}]`
  }
  if (context.checker.isArrayType(type)) return '[]'
  const name = nameOf(type)
  if (name === 'Map' || name === 'Set') return `new ${name}()`
  if (
    (type.flags & ts.TypeFlags.Object) !== 0 &&
    type.getProperties().length === 0 &&
    type.getCallSignatures().length === 0
  )
    return '{}'
  const properties = type.getProperties()
  // a type that holds itself has no least value
  const isOwn =
    depth < deepestNeutral && properties.length > 0 && properties.length <= 6 && type.getCallSignatures().length === 0
  if (isOwn && properties.every((property) => property.valueDeclaration?.getSourceFile() === context.source)) {
    const members = properties
      .filter((property) => (property.flags & ts.SymbolFlags.Optional) === 0)
      .map(
        (property) => [property.name, neutral(context, context.checker.getTypeOfSymbol(property), depth + 1)] as const,
      )
    return members.some(([, value]) => value === null)
      ? null
      : `{ ${members.map(([member, value]) => `${member}: ${value}`).join(', ')} }`
  }
  if (name === 'RegExpMatchArray' || name === 'RegExpExecArray') return '[]'
  return null
}

/** `A | B` without saying a part twice; the result of two type texts. */
export function union(...texts: readonly string[]): string {
  const parts = new Set(
    texts.flatMap((text) => (text.includes('=>') || /[<{[(].*\|/.test(text) ? [text] : text.split(' | '))),
  )
  const list = [...parts]
  const isLate = (part: string): boolean => part === 'null' || part === 'undefined'
  return [...list.filter((part) => !isLate(part)), ...list.filter(isLate)]
    .map((part) => (part.includes('=>') ? `(${part})` : part))
    .join(' | ')
}

/** `T[]` for any T. */
export const arrayOf = (text: string): string =>
  /[ |&]/.test(text) && !/^[[{].*[\]}]$/.test(text) ? `(${text})[]` : `${text}[]`

/**
 * Types worth trying where nothing tells which: those that the file's own annotations and the tests speak of, then primitives.
 */
export function vocabulary(context: FixContext): string[] {
  const found = new Map<string, number>()
  const add = (text: string, weight: number): void => {
    if (text.length < 60 && !/\b(any|unknown|void|never)\b/.test(text)) found.set(text, (found.get(text) ?? 0) + weight)
  }
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node) && !ts.isTypePredicateNode(node) && !ts.isExpressionWithTypeArguments(node))
      add(node.getText(context.source), 2)
    ts.forEachChild(node, visit)
  }
  visit(context.source)
  for (const call of context.evidence.calls.values()) {
    for (const parameter of [...call.parameters, call.returns]) if (parameter !== undefined) add(parameter, 1)
  }
  for (const basic of ['number', 'string']) add(basic, 3)
  for (const basic of ['boolean', 'number[]', 'string[]']) add(basic, 1)
  return [...found]
    .sort((a, b) => b[1] - a[1])
    .map(([text]) => text)
    .slice(0, 12)
}
