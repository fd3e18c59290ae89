import { types } from 'node:util'

const maxItems = 50
const maxDepth = 6
const maxText = 2_000

/**
 * Prints a value so that what differs can be seen: -0, NaN, undefined members, Map, Set, BigInt, Symbol, Date, RegExp, Error,
 * typed arrays, class names, holes, circles. Calls no getter, no proxy trap and no method of the value; never throws.
 * Values of other realms print like one's own.
 */
export function printValue(value: unknown): string {
  try {
    const text = print(value, [], 0)
    return text.length > maxText ? `${text.slice(0, maxText)}… (${text.length} characters)` : text
  } catch {
    return '[a value that cannot be printed]'
  }
}

function print(value: unknown, open: object[], depth: number): string {
  switch (typeof value) {
    case 'string':
      return quote(value)
    case 'number':
      return Object.is(value, -0) ? '-0' : String(value)
    case 'bigint':
      return `${value}n`
    case 'symbol':
      return Symbol.prototype.toString.call(value)
    case 'function': {
      const name: unknown = Object.getOwnPropertyDescriptor(value, 'name')?.value
      return `[Function${typeof name === 'string' && name ? ` ${name}` : ''}]`
    }
    case 'object':
      return value === null ? 'null' : printObject(value, open, depth)
    default:
      return String(value)
  }
}

/** Single quotes, as people write strings; others where the text holds one. */
export function quote(text: string): string {
  const escaped = text
    .slice(0, maxText)
    .replace(/\\/g, '\\\\')
    .replace(/\n/g, '\\n')
    .replace(/\r/g, '\\r')
    .replace(/\t/g, '\\t')
  const rest = text.length > maxText ? `… (${text.length} characters)` : ''
  return escaped.includes("'") ? `"${escaped.replaceAll('"', '\\"')}"${rest}` : `'${escaped}'${rest}`
}

function printObject(value: object, open: object[], depth: number): string {
  if (types.isProxy(value)) return '[Proxy]'
  if (open.includes(value)) return '[Circular]'
  if (depth >= maxDepth) return Array.isArray(value) ? '[Array]' : `[${classOf(value) || 'Object'}]`
  open.push(value)
  try {
    return printOpen(value, open, depth)
  } finally {
    open.pop()
  }
}

function printOpen(value: object, open: object[], depth: number): string {
  const inner = (item: unknown) => print(item, open, depth + 1)
  if (Array.isArray(value)) {
    const items: string[] = []
    for (let index = 0; index < Math.min(value.length, maxItems); index += 1) {
      items.push(Object.hasOwn(value, index) ? member(value, String(index), inner) : '<empty>')
    }
    return wrap('[', items, value.length, ']')
  }
  if (types.isMap(value)) {
    const entries = [...Map.prototype.entries.call(value)].slice(0, maxItems)
    return wrap(
      'Map {',
      entries.map(([key, item]) => `${inner(key)} => ${inner(item)}`),
      mapSize(value),
      '}',
    )
  }
  if (types.isSet(value))
    return wrap('Set {', [...Set.prototype.values.call(value)].slice(0, maxItems).map(inner), setSize(value), '}')
  if (types.isDate(value)) {
    const time = Date.prototype.getTime.call(value)
    return Number.isNaN(time) ? 'Invalid Date' : `Date ${new Date(time).toISOString()}`
  }
  if (types.isRegExp(value)) return RegExp.prototype.toString.call(value)
  if (types.isNativeError(value)) {
    const name = dataMember(value, 'name') ?? classOf(value)
    return `[${String(name || 'Error')}: ${String(dataMember(value, 'message') ?? '')}]`
  }
  if (ArrayBuffer.isView(value) && !types.isDataView(value)) {
    const items = Array.from(value as unknown as ArrayLike<number | bigint>).slice(0, maxItems)
    return wrap(
      `${classOf(value) || 'TypedArray'} [`,
      items.map(inner),
      (value as unknown as { length: number }).length,
      ']',
    )
  }
  if (types.isAnyArrayBuffer(value)) return `ArrayBuffer (${value.byteLength} bytes)`
  if (types.isBoxedPrimitive(value))
    return `[${classOf(value)}: ${inner(Reflect.apply(boxes[classOf(value)] ?? Object.prototype.valueOf, value, []))}]`
  if (types.isPromise(value)) return 'Promise {…}'
  if (types.isWeakMap(value) || types.isWeakSet(value)) return `${classOf(value)} {…}`
  const keys = Reflect.ownKeys(value).filter((key) => Object.getOwnPropertyDescriptor(value, key)?.enumerable)
  const name = classOf(value)
  const prefix =
    Object.getPrototypeOf(value) === null ? '[Object: null prototype] ' : name && name !== 'Object' ? `${name} ` : ''
  return wrap(
    `${prefix}{`,
    keys.slice(0, maxItems).map((key) => `${printKey(key)}: ${member(value, key, inner)}`),
    keys.length,
    '}',
  )
}

const boxes: Readonly<Record<string, (this: unknown) => unknown>> = {
  Number: Number.prototype.valueOf,
  String: String.prototype.valueOf,
  Boolean: Boolean.prototype.valueOf,
  Symbol: Symbol.prototype.valueOf,
  BigInt: BigInt.prototype.valueOf,
}

const mapSize = (value: object) => Number(Reflect.apply(sizeOf(Map.prototype), value, []))
const setSize = (value: object) => Number(Reflect.apply(sizeOf(Set.prototype), value, []))
function sizeOf(prototype: object): () => unknown {
  return Object.getOwnPropertyDescriptor(prototype, 'size')?.get ?? (() => 0)
}

function wrap(start: string, items: readonly string[], total: number, end: string): string {
  const shown = total > items.length ? [...items, `… ${total - items.length} more`] : items
  if (shown.length === 0) return `${start}${end}`
  const blank = start.endsWith('{') || start.endsWith('[') ? ' ' : ''
  return `${start}${blank}${shown.join(', ')}${blank}${end}`
}

/** A member's value without calling a getter. */
function member(value: object, key: PropertyKey, inner: (item: unknown) => string): string {
  const descriptor = Object.getOwnPropertyDescriptor(value, key)
  if (descriptor && 'value' in descriptor) return inner(descriptor.value)
  return descriptor?.get ? '[Getter]' : '[Setter]'
}

/** A data member of an object or its prototypes, without calling a getter. */
export function dataMember(value: object, key: PropertyKey): unknown {
  for (let at: object | null = value, depth = 0; at !== null && depth < 8; at = Object.getPrototypeOf(at), depth += 1) {
    const descriptor = Object.getOwnPropertyDescriptor(at, key)
    if (descriptor) return 'value' in descriptor ? descriptor.value : undefined
  }
  return undefined
}

function printKey(key: PropertyKey): string {
  if (typeof key === 'symbol') return `[${Symbol.prototype.toString.call(key)}]`
  return /^[A-Za-z_$][\w$]*$/.test(String(key)) ? String(key) : quote(String(key))
}

/** Name of the class that made an object; '' where there is none. */
export function classOf(value: object): string {
  const prototype: unknown = Object.getPrototypeOf(value)
  if (typeof prototype !== 'object' || prototype === null) return ''
  const maker: unknown = Object.getOwnPropertyDescriptor(prototype, 'constructor')?.value
  const name: unknown = typeof maker === 'function' ? Object.getOwnPropertyDescriptor(maker, 'name')?.value : ''
  return typeof name === 'string' ? name : ''
}
