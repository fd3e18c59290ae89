/**
 * Declarations of the web-standard globals that the isolate has beside the language itself. No DOM: a candidate that
 * reaches for `document` is told so by the compiler. Timers return what both browser-minded and Node-minded code expects.
 */
export const webStandards = `
declare namespace NodeJS {
  interface Timeout { ref(): this; unref(): this; hasRef(): boolean; refresh(): this; [Symbol.toPrimitive](): number }
  interface Timer extends Timeout {}
  interface Immediate { ref(): this; unref(): this; hasRef(): boolean }
  interface ErrnoException extends Error { errno?: number; code?: string; path?: string; syscall?: string }
  interface ProcessEnv { [key: string]: string | undefined }
  interface Process {
    readonly env: ProcessEnv; readonly argv: string[]; readonly platform: string; readonly version: string
    readonly versions: { readonly [name: string]: string | undefined }; readonly pid: number
    exitCode?: number | string | null; exit(code?: number | string | null): never; cwd(): string
    nextTick(callback: (...args: any[]) => void, ...args: any[]): void
    hrtime: { (time?: [number, number]): [number, number]; bigint(): bigint }
    uptime(): number; memoryUsage(): { heapUsed: number; heapTotal: number; rss: number; external: number }
    readonly stdout: { write(text: string): boolean; isTTY?: boolean }
    readonly stderr: { write(text: string): boolean; isTTY?: boolean }
    on(event: string, listener: (...args: any[]) => void): this
    emitWarning(warning: string | Error): void
  }
  type TypedArray = Uint8Array | Uint8ClampedArray | Uint16Array | Uint32Array | Int8Array | Int16Array | Int32Array | BigUint64Array | BigInt64Array | Float32Array | Float64Array
  type ArrayBufferView = TypedArray | DataView
}
declare var process: NodeJS.Process
interface NodeRequire { (id: string): any; resolve(id: string): string }
interface NodeModule { exports: any; id: string; filename: string; loaded: boolean; require(id: string): any }
declare var require: NodeRequire & { main: NodeModule | undefined }
declare var module: NodeModule
declare var exports: any
declare var __filename: string
declare var __dirname: string
declare var global: typeof globalThis
interface ImportMeta { url: string; filename: string; dirname: string; resolve(specifier: string): string }

interface Console {
  assert(condition?: unknown, ...data: any[]): void; clear(): void; count(label?: string): void; countReset(label?: string): void
  debug(...data: any[]): void; dir(item?: any, options?: any): void; dirxml(...data: any[]): void; error(...data: any[]): void
  group(...data: any[]): void; groupCollapsed(...data: any[]): void; groupEnd(): void; info(...data: any[]): void
  log(...data: any[]): void; table(data?: any, properties?: readonly string[]): void; time(label?: string): void
  timeEnd(label?: string): void; timeLog(label?: string, ...data: any[]): void; trace(...data: any[]): void; warn(...data: any[]): void
}
declare var console: Console

type TimerHandler = (...args: any[]) => void
declare function setTimeout<A extends any[]>(callback: (...args: A) => void, ms?: number, ...args: A): NodeJS.Timeout & number
declare function setTimeout(callback: (_: void) => void, ms?: number): NodeJS.Timeout & number
declare function setInterval<A extends any[]>(callback: (...args: A) => void, ms?: number, ...args: A): NodeJS.Timeout & number
declare function setInterval(callback: (_: void) => void, ms?: number): NodeJS.Timeout & number
declare function setImmediate<A extends any[]>(callback: (...args: A) => void, ...args: A): NodeJS.Immediate & number
declare function clearTimeout(id: NodeJS.Timeout | number | string | undefined | null): void
declare function clearInterval(id: NodeJS.Timeout | number | string | undefined | null): void
declare function clearImmediate(id: NodeJS.Immediate | number | undefined | null): void
declare function queueMicrotask(callback: () => void): void
interface StructuredSerializeOptions { transfer?: any[] }
declare function structuredClone<T = any>(value: T, options?: StructuredSerializeOptions): T
declare function atob(data: string): string
declare function btoa(data: string): string
declare function reportError(error: any): void

type BufferSource = ArrayBufferView | ArrayBuffer
interface TextEncoderEncodeIntoResult { read: number; written: number }
interface TextEncoder { readonly encoding: string; encode(input?: string): Uint8Array<ArrayBuffer>; encodeInto(source: string, destination: Uint8Array): TextEncoderEncodeIntoResult }
declare var TextEncoder: { prototype: TextEncoder; new (): TextEncoder }
interface TextDecoderOptions { fatal?: boolean; ignoreBOM?: boolean }
interface TextDecodeOptions { stream?: boolean }
interface TextDecoder { readonly encoding: string; readonly fatal: boolean; readonly ignoreBOM: boolean; decode(input?: AllowSharedBufferSource, options?: TextDecodeOptions): string }
type AllowSharedBufferSource = ArrayBufferLike | ArrayBufferView
declare var TextDecoder: { prototype: TextDecoder; new (label?: string, options?: TextDecoderOptions): TextDecoder }

interface URLSearchParams {
  readonly size: number; append(name: string, value: string): void; delete(name: string, value?: string): void; get(name: string): string | null
  getAll(name: string): string[]; has(name: string, value?: string): boolean; set(name: string, value: string): void; sort(): void; toString(): string
  forEach(callback: (value: string, key: string, parent: URLSearchParams) => void, thisArg?: any): void
  entries(): IterableIterator<[string, string]>; keys(): IterableIterator<string>; values(): IterableIterator<string>; [Symbol.iterator](): IterableIterator<[string, string]>
}
declare var URLSearchParams: { prototype: URLSearchParams; new (init?: Iterable<[string, string]> | readonly (readonly string[])[] | Record<string, string> | string | URLSearchParams): URLSearchParams }
interface URL {
  hash: string; host: string; hostname: string; href: string; readonly origin: string; password: string; pathname: string; port: string; protocol: string
  search: string; readonly searchParams: URLSearchParams; username: string; toString(): string; toJSON(): string
}
declare var URL: { prototype: URL; new (url: string | URL, base?: string | URL): URL; canParse(url: string | URL, base?: string | URL): boolean; parse(url: string | URL, base?: string | URL): URL | null; createObjectURL(object: any): string; revokeObjectURL(url: string): void }

interface EventInit { bubbles?: boolean; cancelable?: boolean; composed?: boolean }
interface Event {
  readonly type: string; readonly target: EventTarget | null; readonly currentTarget: EventTarget | null; readonly bubbles: boolean; readonly cancelable: boolean
  readonly defaultPrevented: boolean; readonly timeStamp: number; preventDefault(): void; stopPropagation(): void; stopImmediatePropagation(): void
}
declare var Event: { prototype: Event; new (type: string, init?: EventInit): Event }
interface CustomEventInit<T = any> extends EventInit { detail?: T }
interface CustomEvent<T = any> extends Event { readonly detail: T }
declare var CustomEvent: { prototype: CustomEvent; new <T>(type: string, init?: CustomEventInit<T>): CustomEvent<T> }
interface EventListener { (event: Event): void }
interface EventListenerObject { handleEvent(event: Event): void }
type EventListenerOrEventListenerObject = EventListener | EventListenerObject
interface AddEventListenerOptions { once?: boolean; passive?: boolean; capture?: boolean; signal?: AbortSignal }
interface EventTarget {
  addEventListener(type: string, listener: EventListenerOrEventListenerObject | null, options?: AddEventListenerOptions | boolean): void
  removeEventListener(type: string, listener: EventListenerOrEventListenerObject | null, options?: { capture?: boolean } | boolean): void
  dispatchEvent(event: Event): boolean
}
declare var EventTarget: { prototype: EventTarget; new (): EventTarget }
interface AbortSignal extends EventTarget { readonly aborted: boolean; readonly reason: any; onabort: ((this: AbortSignal, event: Event) => any) | null; throwIfAborted(): void }
declare var AbortSignal: { prototype: AbortSignal; new (): AbortSignal; abort(reason?: any): AbortSignal; any(signals: Iterable<AbortSignal>): AbortSignal; timeout(ms: number): AbortSignal }
interface AbortController { readonly signal: AbortSignal; abort(reason?: any): void }
declare var AbortController: { prototype: AbortController; new (): AbortController }
interface DOMException extends Error { readonly code: number }
declare var DOMException: { prototype: DOMException; new (message?: string, name?: string): DOMException }

interface Performance { readonly timeOrigin: number; now(): number; mark(name: string): any; measure(name: string, start?: string, end?: string): any; toJSON(): any }
declare var performance: Performance
interface Crypto {
  getRandomValues<T extends ArrayBufferView>(array: T): T
  randomUUID(): \`\${string}-\${string}-\${string}-\${string}-\${string}\`
  readonly subtle: SubtleCrypto
}
interface CryptoKey { readonly type: string; readonly extractable: boolean; readonly algorithm: any; readonly usages: string[] }
interface SubtleCrypto {
  digest(algorithm: string | { name: string }, data: BufferSource): Promise<ArrayBuffer>
  encrypt(algorithm: any, key: CryptoKey, data: BufferSource): Promise<ArrayBuffer>; decrypt(algorithm: any, key: CryptoKey, data: BufferSource): Promise<ArrayBuffer>
  sign(algorithm: any, key: CryptoKey, data: BufferSource): Promise<ArrayBuffer>; verify(algorithm: any, key: CryptoKey, signature: BufferSource, data: BufferSource): Promise<boolean>
  importKey(format: string, data: any, algorithm: any, extractable: boolean, usages: string[]): Promise<CryptoKey>; exportKey(format: string, key: CryptoKey): Promise<any>
  generateKey(algorithm: any, extractable: boolean, usages: string[]): Promise<any>; deriveBits(algorithm: any, key: CryptoKey, length: number): Promise<ArrayBuffer>
}
declare var crypto: Crypto

type HeadersInit = [string, string][] | Record<string, string> | Headers
interface Headers {
  append(name: string, value: string): void; delete(name: string): void; get(name: string): string | null; has(name: string): boolean; set(name: string, value: string): void; getSetCookie(): string[]
  forEach(callback: (value: string, key: string, parent: Headers) => void): void
  entries(): IterableIterator<[string, string]>; keys(): IterableIterator<string>; values(): IterableIterator<string>; [Symbol.iterator](): IterableIterator<[string, string]>
}
declare var Headers: { prototype: Headers; new (init?: HeadersInit): Headers }
interface Blob { readonly size: number; readonly type: string; arrayBuffer(): Promise<ArrayBuffer>; slice(start?: number, end?: number, type?: string): Blob; text(): Promise<string>; stream(): ReadableStream<Uint8Array> }
declare var Blob: { prototype: Blob; new (parts?: any[], options?: { type?: string }): Blob }
interface File extends Blob { readonly name: string; readonly lastModified: number }
declare var File: { prototype: File; new (parts: any[], name: string, options?: { type?: string; lastModified?: number }): File }
type FormDataEntryValue = File | string
interface FormData { append(name: string, value: string | Blob, fileName?: string): void; delete(name: string): void; get(name: string): FormDataEntryValue | null; getAll(name: string): FormDataEntryValue[]; has(name: string): boolean; set(name: string, value: string | Blob, fileName?: string): void; forEach(callback: (value: FormDataEntryValue, key: string, parent: FormData) => void): void; entries(): IterableIterator<[string, FormDataEntryValue]>; [Symbol.iterator](): IterableIterator<[string, FormDataEntryValue]> }
declare var FormData: { prototype: FormData; new (): FormData }
type BodyInit = string | Blob | BufferSource | FormData | URLSearchParams | ReadableStream<Uint8Array>
interface ReadableStreamReadResult<T> { done: boolean; value: T | undefined }
interface ReadableStreamDefaultReader<R = any> { read(): Promise<{ done: false; value: R } | { done: true; value: undefined }>; releaseLock(): void; cancel(reason?: any): Promise<void>; readonly closed: Promise<void> }
interface ReadableStreamDefaultController<R = any> { readonly desiredSize: number | null; close(): void; enqueue(chunk?: R): void; error(reason?: any): void }
interface UnderlyingSource<R = any> { start?(controller: ReadableStreamDefaultController<R>): any; pull?(controller: ReadableStreamDefaultController<R>): void | PromiseLike<void>; cancel?(reason?: any): void | PromiseLike<void> }
interface ReadableStream<R = any> { readonly locked: boolean; cancel(reason?: any): Promise<void>; getReader(): ReadableStreamDefaultReader<R>; tee(): [ReadableStream<R>, ReadableStream<R>]; pipeTo(destination: any): Promise<void>; pipeThrough<T>(transform: any): ReadableStream<T>; [Symbol.asyncIterator](): AsyncIterableIterator<R> }
declare var ReadableStream: { prototype: ReadableStream; new <R = any>(source?: UnderlyingSource<R>, strategy?: any): ReadableStream<R> }
interface Body { readonly body: ReadableStream<Uint8Array> | null; readonly bodyUsed: boolean; arrayBuffer(): Promise<ArrayBuffer>; blob(): Promise<Blob>; bytes(): Promise<Uint8Array>; formData(): Promise<FormData>; json(): Promise<any>; text(): Promise<string> }
interface RequestInit { body?: BodyInit | null; cache?: string; credentials?: string; headers?: HeadersInit; integrity?: string; keepalive?: boolean; method?: string; mode?: string; redirect?: string; referrer?: string; signal?: AbortSignal | null }
type RequestInfo = Request | string
interface Request extends Body { readonly headers: Headers; readonly method: string; readonly url: string; readonly signal: AbortSignal; clone(): Request }
declare var Request: { prototype: Request; new (input: RequestInfo | URL, init?: RequestInit): Request }
interface ResponseInit { headers?: HeadersInit; status?: number; statusText?: string }
interface Response extends Body { readonly headers: Headers; readonly ok: boolean; readonly redirected: boolean; readonly status: number; readonly statusText: string; readonly type: string; readonly url: string; clone(): Response }
declare var Response: { prototype: Response; new (body?: BodyInit | null, init?: ResponseInit): Response; error(): Response; json(data: any, init?: ResponseInit): Response; redirect(url: string | URL, status?: number): Response }
declare function fetch(input: RequestInfo | URL, init?: RequestInit): Promise<Response>

type BufferEncoding = 'ascii' | 'utf8' | 'utf-8' | 'utf16le' | 'utf-16le' | 'ucs2' | 'ucs-2' | 'base64' | 'base64url' | 'latin1' | 'binary' | 'hex'
interface Buffer extends Uint8Array<ArrayBufferLike> {
  write(text: string, offset?: number, length?: number, encoding?: BufferEncoding): number; toString(encoding?: BufferEncoding, start?: number, end?: number): string
  toJSON(): { type: 'Buffer'; data: number[] }; equals(other: Uint8Array): boolean; compare(target: Uint8Array): -1 | 0 | 1; copy(target: Uint8Array, targetStart?: number, sourceStart?: number, sourceEnd?: number): number
  slice(start?: number, end?: number): Buffer; subarray(start?: number, end?: number): Buffer
  readUInt8(offset?: number): number; readUInt16LE(offset?: number): number; readUInt16BE(offset?: number): number; readUInt32LE(offset?: number): number; readUInt32BE(offset?: number): number
  readInt8(offset?: number): number; readInt16LE(offset?: number): number; readInt16BE(offset?: number): number; readInt32LE(offset?: number): number; readInt32BE(offset?: number): number
  readFloatLE(offset?: number): number; readFloatBE(offset?: number): number; readDoubleLE(offset?: number): number; readDoubleBE(offset?: number): number
  readBigInt64BE(offset?: number): bigint; readBigInt64LE(offset?: number): bigint; readBigUInt64BE(offset?: number): bigint; readBigUInt64LE(offset?: number): bigint
  writeUInt8(value: number, offset?: number): number; writeUInt16LE(value: number, offset?: number): number; writeUInt16BE(value: number, offset?: number): number; writeUInt32LE(value: number, offset?: number): number; writeUInt32BE(value: number, offset?: number): number
  writeInt8(value: number, offset?: number): number; writeInt16LE(value: number, offset?: number): number; writeInt16BE(value: number, offset?: number): number; writeInt32LE(value: number, offset?: number): number; writeInt32BE(value: number, offset?: number): number
  writeFloatLE(value: number, offset?: number): number; writeFloatBE(value: number, offset?: number): number; writeDoubleLE(value: number, offset?: number): number; writeDoubleBE(value: number, offset?: number): number
  writeBigInt64BE(value: bigint, offset?: number): number; writeBigUInt64BE(value: bigint, offset?: number): number
  indexOf(value: string | number | Uint8Array, byteOffset?: number, encoding?: BufferEncoding): number; includes(value: string | number | Uint8Array, byteOffset?: number, encoding?: BufferEncoding): boolean
  fill(value: string | Uint8Array | number, offset?: number, end?: number, encoding?: BufferEncoding): this
}
interface BufferConstructor {
  prototype: Buffer; from(data: string, encoding?: BufferEncoding): Buffer; from(data: ArrayLike<number> | Iterable<number> | ArrayBufferLike, byteOffset?: number, length?: number): Buffer
  alloc(size: number, fill?: string | Uint8Array | number, encoding?: BufferEncoding): Buffer; allocUnsafe(size: number): Buffer; concat(list: readonly Uint8Array[], totalLength?: number): Buffer
  isBuffer(value: any): value is Buffer; isEncoding(encoding: string): encoding is BufferEncoding; byteLength(value: string | ArrayBufferView | ArrayBufferLike, encoding?: BufferEncoding): number; compare(a: Uint8Array, b: Uint8Array): -1 | 0 | 1
  new (data: any, encoding?: BufferEncoding): Buffer
}
declare var Buffer: BufferConstructor
`
