import { collectionKind } from '../genuine.ts'
import { DOMException } from './dom-exception.ts'

const errorKinds: Readonly<Record<string, ErrorConstructor>> = {
  EvalError: EvalError as ErrorConstructor,
  RangeError: RangeError as ErrorConstructor,
  ReferenceError: ReferenceError as ErrorConstructor,
  SyntaxError: SyntaxError as ErrorConstructor,
  TypeError: TypeError as ErrorConstructor,
  URIError: URIError as ErrorConstructor,
}

const refuse = (what: string): never => {
  throw new DOMException(`${what} could not be cloned.`, 'DataCloneError')
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

/** structuredClone by the HTML standard, for what a program without a page can hold. `transfer` is treated as a copy. */
export function structuredClone<T>(value: T): T {
  // biome-ignore lint/complexity/noArguments: the standard tells a missing argument from an undefined one
  if (arguments.length === 0) throw new TypeError("The 'value' argument must be specified")
  return clone(value, new Map()) as T
}

function clone(value: unknown, seen: Map<object, unknown>): unknown {
  if (typeof value === 'symbol') return refuse(value.toString())
  if (typeof value === 'function') return refuse(String(value).slice(0, 100))
  if (typeof value !== 'object' || value === null) return value
  if (seen.has(value)) return seen.get(value)
  const made = create(value, seen)
  seen.set(value, made)
  fill(value, made, seen)
  return made
}

function create(value: object, seen: Map<object, unknown>): object {
  if (Array.isArray(value)) return new Array(value.length)
  const time = attempt(() => Date.prototype.getTime.call(value))
  if (time !== undefined) return new Date(time)
  for (const boxed of [Number, String, Boolean, BigInt]) {
    const inner: unknown = attempt(() => Reflect.apply(boxed.prototype.valueOf, value, []))
    if (inner !== undefined) return Object(inner) as object
  }
  if (value instanceof RegExp) return new RegExp(value.source, value.flags)
  const kind = collectionKind(value)
  if (kind !== '') return kind === 'Map' ? new Map() : new Set()
  if (value instanceof ArrayBuffer) return value.slice(0)
  if (ArrayBuffer.isView(value)) return cloneView(value, seen)
  if (value instanceof Error) return cloneError(value, seen)
  if (value instanceof Promise || value instanceof WeakMap || value instanceof WeakSet) {
    return refuse(`#<${value.constructor.name}>`)
  }
  return {}
}

function cloneView(value: ArrayBufferView, seen: Map<object, unknown>): object {
  const buffer = clone(value.buffer, seen) as ArrayBuffer
  if (value instanceof DataView) return new DataView(buffer, value.byteOffset, value.byteLength)
  type View = new (buffer: ArrayBuffer, offset: number, length: number) => object
  const kind = Reflect.get(
    globalThis,
    (value as unknown as { [Symbol.toStringTag]: string })[Symbol.toStringTag],
  ) as View
  return new kind(buffer, value.byteOffset, (value as unknown as { length: number }).length)
}

function cloneError(value: Error, seen: Map<object, unknown>): Error {
  const kind = errorKinds[value.name] ?? Error
  const options = Object.hasOwn(value, 'cause') ? { cause: clone(value.cause, seen) } : undefined
  const made = new kind(value.message, options)
  Object.defineProperty(made, 'stack', { value: value.stack, writable: true, configurable: true })
  return made
}

function fill(value: object, made: object, seen: Map<object, unknown>): void {
  if (made instanceof Map) {
    for (const [key, item] of [...Map.prototype.entries.call(value)]) made.set(clone(key, seen), clone(item, seen))
  } else if (made instanceof Set) {
    for (const item of [...Set.prototype.values.call(value)]) made.add(clone(item, seen))
  } else if (Array.isArray(made) || Object.getPrototypeOf(made) === Object.prototype) {
    for (const key of Object.keys(value)) {
      const member = clone((value as Record<string, unknown>)[key], seen)
      Object.defineProperty(made, key, { value: member, writable: true, enumerable: true, configurable: true })
    }
  }
}
