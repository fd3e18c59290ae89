/** Declarations of the harmless Node modules that the isolate offers, and loose ones of what only tests may import. */
export const nodeModules = `
declare module 'node:assert' {
  namespace assert {
    class AssertionError extends Error { actual: unknown; expected: unknown; operator: string; generatedMessage: boolean; code: 'ERR_ASSERTION'; constructor(options?: { message?: string; actual?: unknown; expected?: unknown; operator?: string }) }
    type AssertPredicate = RegExp | (new () => object) | ((thrown: unknown) => boolean) | object | Error
    function fail(message?: string | Error): never
    function ok(value: unknown, message?: string | Error): asserts value
    function equal(actual: unknown, expected: unknown, message?: string | Error): void
    function notEqual(actual: unknown, expected: unknown, message?: string | Error): void
    function deepEqual(actual: unknown, expected: unknown, message?: string | Error): void
    function notDeepEqual(actual: unknown, expected: unknown, message?: string | Error): void
    function strictEqual<T>(actual: unknown, expected: T, message?: string | Error): asserts actual is T
    function notStrictEqual(actual: unknown, expected: unknown, message?: string | Error): void
    function deepStrictEqual<T>(actual: unknown, expected: T, message?: string | Error): asserts actual is T
    function notDeepStrictEqual(actual: unknown, expected: unknown, message?: string | Error): void
    function throws(block: () => unknown, error?: AssertPredicate | string, message?: string | Error): void
    function doesNotThrow(block: () => unknown, error?: AssertPredicate | string, message?: string | Error): void
    function rejects(block: (() => Promise<unknown>) | Promise<unknown>, error?: AssertPredicate | string, message?: string | Error): Promise<void>
    function doesNotReject(block: (() => Promise<unknown>) | Promise<unknown>, error?: AssertPredicate | string, message?: string | Error): Promise<void>
    function ifError(value: unknown): asserts value is null | undefined
    function match(value: string, pattern: RegExp, message?: string | Error): void
    function doesNotMatch(value: string, pattern: RegExp, message?: string | Error): void
    function partialDeepStrictEqual(actual: unknown, expected: unknown, message?: string | Error): void
    const strict: typeof assert
  }
  function assert(value: unknown, message?: string | Error): asserts value
  export = assert
}
declare module 'assert' { import assert = require('node:assert'); export = assert }
declare module 'node:assert/strict' { import assert = require('node:assert'); export = assert }
declare module 'assert/strict' { import assert = require('node:assert'); export = assert }

declare module 'node:util' {
  export interface InspectOptions { depth?: number | null; colors?: boolean; showHidden?: boolean; compact?: boolean | number; sorted?: boolean | ((a: string, b: string) => number); breakLength?: number; maxArrayLength?: number | null; maxStringLength?: number | null; getters?: boolean }
  export const inspect: { (value: any, options?: InspectOptions): string; (value: any, showHidden?: boolean, depth?: number | null, colors?: boolean): string; readonly custom: unique symbol; defaultOptions: InspectOptions }
  export function format(format?: any, ...values: any[]): string
  export function isDeepStrictEqual(a: unknown, b: unknown): boolean
  export function promisify(original: (...args: any[]) => void): (...args: any[]) => Promise<any>
  export function callbackify(original: (...args: any[]) => Promise<any>): (...args: any[]) => void
  export function inherits(constructor: unknown, superConstructor: unknown): void
  export function deprecate<T extends Function>(original: T, message: string, code?: string): T
  export function stripVTControlCharacters(text: string): string
  export function styleText(format: string | readonly string[], text: string): string
  export function toUSVString(text: string): string
  export function debuglog(section: string): (...values: any[]) => void
  export function isArray(value: unknown): value is any[]
  export const types: { isPromise(v: unknown): v is Promise<any>; isDate(v: unknown): v is Date; isRegExp(v: unknown): v is RegExp; isMap(v: unknown): v is Map<any, any>; isSet(v: unknown): v is Set<any>; isNativeError(v: unknown): v is Error; isTypedArray(v: unknown): v is NodeJS.TypedArray; isUint8Array(v: unknown): v is Uint8Array; isAsyncFunction(v: unknown): boolean; isGeneratorFunction(v: unknown): boolean; isGeneratorObject(v: unknown): boolean; isProxy(v: unknown): boolean; isWeakMap(v: unknown): boolean; isWeakSet(v: unknown): boolean; isArrayBuffer(v: unknown): v is ArrayBuffer; isAnyArrayBuffer(v: unknown): boolean; isBoxedPrimitive(v: unknown): boolean; isSymbolObject(v: unknown): boolean }
  const textEncoder: typeof TextEncoder
  const textDecoder: typeof TextDecoder
  export { textEncoder as TextEncoder, textDecoder as TextDecoder }
}
declare module 'util' { export * from 'node:util' }
declare module 'node:util/types' { export function isPromise(v: unknown): v is Promise<any>; export function isDate(v: unknown): v is Date; export function isRegExp(v: unknown): v is RegExp; export function isMap(v: unknown): v is Map<any, any>; export function isSet(v: unknown): v is Set<any>; export function isNativeError(v: unknown): v is Error; export function isTypedArray(v: unknown): v is NodeJS.TypedArray; export function isProxy(v: unknown): boolean }
declare module 'util/types' { export * from 'node:util/types' }

declare module 'node:path' {
  namespace path {
    interface ParsedPath { root: string; dir: string; base: string; ext: string; name: string }
    interface FormatInputPathObject { root?: string; dir?: string; base?: string; ext?: string; name?: string }
    interface PlatformPath {
      normalize(path: string): string; join(...paths: string[]): string; resolve(...paths: string[]): string; isAbsolute(path: string): boolean; relative(from: string, to: string): string
      dirname(path: string): string; basename(path: string, suffix?: string): string; extname(path: string): string; parse(path: string): ParsedPath; format(path: FormatInputPathObject): string; toNamespacedPath(path: string): string; matchesGlob(path: string, pattern: string): boolean
      readonly sep: '/' | '\\\\'; readonly delimiter: ':' | ';'; readonly posix: PlatformPath; readonly win32: PlatformPath
    }
  }
  const path: path.PlatformPath
  export = path
}
declare module 'path' { import path = require('node:path'); export = path }
declare module 'node:path/posix' { import path = require('node:path'); export = path }
declare module 'path/posix' { import path = require('node:path'); export = path }

declare module 'node:events' {
  type Listener = (...args: any[]) => void
  class EventEmitter<T extends Record<keyof T, any[]> = any> {
    static EventEmitter: typeof EventEmitter; static defaultMaxListeners: number
    static once(emitter: EventEmitter<any> | EventTarget, name: string | symbol, options?: { signal?: AbortSignal }): Promise<any[]>
    static on(emitter: EventEmitter<any>, name: string | symbol, options?: { signal?: AbortSignal }): AsyncIterableIterator<any[]>
    constructor(options?: { captureRejections?: boolean })
    addListener<K extends keyof T>(name: K, listener: (...args: T[K]) => void): this; on<K extends keyof T>(name: K, listener: (...args: T[K]) => void): this; once<K extends keyof T>(name: K, listener: (...args: T[K]) => void): this
    off<K extends keyof T>(name: K, listener: (...args: T[K]) => void): this; removeListener<K extends keyof T>(name: K, listener: (...args: T[K]) => void): this; removeAllListeners<K extends keyof T>(name?: K): this
    prependListener<K extends keyof T>(name: K, listener: (...args: T[K]) => void): this; prependOnceListener<K extends keyof T>(name: K, listener: (...args: T[K]) => void): this
    setMaxListeners(n: number): this; getMaxListeners(): number; listeners<K extends keyof T>(name: K): Listener[]; rawListeners<K extends keyof T>(name: K): Listener[]
    emit<K extends keyof T>(name: K, ...args: T[K]): boolean; listenerCount<K extends keyof T>(name: K, listener?: Listener): number; eventNames(): (string | symbol)[]
  }
  namespace EventEmitter { export { EventEmitter } }
  export = EventEmitter
}
declare module 'events' { import EventEmitter = require('node:events'); export = EventEmitter }

declare module 'node:url' {
  export interface UrlObject { href?: string | null; protocol?: string | null; host?: string | null; hostname?: string | null; port?: string | number | null; pathname?: string | null; search?: string | null; hash?: string | null; auth?: string | null; query?: any; slashes?: boolean | null; path?: string | null }
  export function parse(url: string, parseQueryString?: boolean, slashesDenoteHost?: boolean): UrlObject
  export function format(url: URL | UrlObject | string, options?: any): string
  export function resolve(from: string, to: string): string
  export function fileURLToPath(url: string | URL): string
  export function pathToFileURL(path: string): URL
  export function domainToASCII(domain: string): string
  export function domainToUnicode(domain: string): string
  export function urlToHttpOptions(url: URL): any
  const url: typeof URL
  type url = URL
  const params: typeof URLSearchParams
  type params = URLSearchParams
  export { url as URL, params as URLSearchParams }
}
declare module 'url' { export * from 'node:url' }

declare module 'node:buffer' {
  const buffer: typeof Buffer
  type buffer = Buffer
  const blob: typeof Blob
  type blob = Blob
  export { buffer as Buffer, blob as Blob }
  export function atob(data: string): string
  export function btoa(data: string): string
  export const constants: { MAX_LENGTH: number; MAX_STRING_LENGTH: number }
}
declare module 'buffer' { export * from 'node:buffer' }

declare module 'vitest'
declare module '@jest/globals'
declare module 'node:test'
declare module 'chai'
`
