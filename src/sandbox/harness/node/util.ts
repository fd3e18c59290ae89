import * as inspecting from 'node-inspect-extracted'
import { collectionKind } from '../genuine.ts'
import { TextDecoder, TextEncoder } from '../web/encoding.ts'
import { isDeepStrictEqual } from './deep-equal.ts'

type AnyFunction = (...args: unknown[]) => unknown
type NodeCallback = (error: unknown, value?: unknown) => void

const custom = Symbol.for('nodejs.util.promisify.custom')

function promisify(original: AnyFunction & { [custom]?: AnyFunction }): AnyFunction {
  if (typeof original !== 'function') throw new TypeError('The "original" argument must be of type function')
  if (original[custom]) return original[custom]
  if (original === (globalThis.setTimeout as unknown)) {
    return (ms, value) => new Promise((resolve) => globalThis.setTimeout(() => resolve(value), ms as number))
  }
  return function (this: unknown, ...args) {
    return new Promise((resolve, reject) => {
      const callback: NodeCallback = (error, value) => (error ? reject(error) : resolve(value))
      Reflect.apply(original, this, [...args, callback])
    })
  }
}

function callbackify(original: AnyFunction): AnyFunction {
  return function (this: unknown, ...args) {
    const callback = args.pop() as NodeCallback
    ;(Reflect.apply(original, this, args) as Promise<unknown>).then(
      (value) => callback(null, value),
      (error: unknown) => callback(error),
    )
  }
}

function inherits(derived: AnyFunction & { super_?: unknown }, base: AnyFunction): void {
  Object.defineProperty(derived, 'super_', { value: base, writable: true, configurable: true })
  Object.setPrototypeOf(derived.prototype as object, base.prototype as object)
}

const hasSlot = (read: () => unknown): boolean => {
  try {
    read()
    return true
  } catch {
    return false
  }
}

const types = {
  isDate: (value: unknown) => hasSlot(() => Date.prototype.getTime.call(value)),
  isRegExp: (value: unknown) => value instanceof RegExp,
  isMap: (value: unknown) => typeof value === 'object' && value !== null && collectionKind(value) === 'Map',
  isSet: (value: unknown) => typeof value === 'object' && value !== null && collectionKind(value) === 'Set',
  isPromise: (value: unknown) => value instanceof Promise,
  isNativeError: (value: unknown) => value instanceof Error,
  isTypedArray: (value: unknown) => ArrayBuffer.isView(value) && !(value instanceof DataView),
  isUint8Array: (value: unknown) => value instanceof Uint8Array,
  isArrayBuffer: (value: unknown) => value instanceof ArrayBuffer,
  isAnyArrayBuffer: (value: unknown) => value instanceof ArrayBuffer,
  isGeneratorFunction: (value: unknown) =>
    typeof value === 'function' && Object.getPrototypeOf(value) === Object.getPrototypeOf(function* () {}),
  isAsyncFunction: (value: unknown) =>
    typeof value === 'function' && Object.getPrototypeOf(value) === Object.getPrototypeOf(async () => {}),
}

export const util = {
  inspect: inspecting.inspect,
  format: inspecting.format,
  formatWithOptions: inspecting.formatWithOptions,
  stripVTControlCharacters: inspecting.stripVTControlCharacters,
  isDeepStrictEqual,
  promisify: Object.assign(promisify, { custom }),
  callbackify,
  inherits,
  deprecate: (original: unknown) => original,
  debuglog: () => () => undefined,
  toUSVString: (text: string) => text.replace(/\p{Surrogate}/gu, '\ufffd'),
  styleText: (_format: unknown, text: string) => text,
  isArray: Array.isArray,
  types,
  TextEncoder,
  TextDecoder,
}
