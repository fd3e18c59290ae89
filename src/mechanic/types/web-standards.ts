/** Declarations of the web standards that the sandbox has; no DOM, no Node globals. */
export const webStandards = `
interface Console { log(...data: unknown[]): void; error(...data: unknown[]): void; warn(...data: unknown[]): void; info(...data: unknown[]): void; debug(...data: unknown[]): void; table(data?: unknown): void; assert(condition?: boolean, ...data: unknown[]): void; time(label?: string): void; timeEnd(label?: string): void; trace(...data: unknown[]): void; dir(item?: unknown): void; group(...data: unknown[]): void; groupEnd(): void; count(label?: string): void }
declare var console: Console
declare function setTimeout(callback: (...args: any[]) => void, ms?: number, ...args: any[]): number
declare function clearTimeout(id: number | undefined): void
declare function setInterval(callback: (...args: any[]) => void, ms?: number, ...args: any[]): number
declare function clearInterval(id: number | undefined): void
declare function queueMicrotask(callback: () => void): void
declare function structuredClone<T>(value: T): T
declare function atob(data: string): string
declare function btoa(data: string): string
interface TextEncoder { encode(input?: string): Uint8Array }
declare var TextEncoder: { new (): TextEncoder }
interface TextDecoder { decode(input?: Uint8Array | ArrayBuffer): string }
declare var TextDecoder: { new (label?: string): TextDecoder }
interface URLSearchParams { get(name: string): string | null; getAll(name: string): string[]; has(name: string): boolean; set(name: string, value: string): void; append(name: string, value: string): void; delete(name: string): void; toString(): string; forEach(callback: (value: string, key: string) => void): void; entries(): IterableIterator<[string, string]>; [Symbol.iterator](): IterableIterator<[string, string]> }
declare var URLSearchParams: { new (init?: string | Record<string, string> | string[][]): URLSearchParams }
interface URL { href: string; origin: string; protocol: string; host: string; hostname: string; port: string; pathname: string; search: string; hash: string; readonly searchParams: URLSearchParams; toString(): string }
declare var URL: { new (url: string, base?: string | URL): URL }
interface AbortSignal { readonly aborted: boolean; readonly reason: any; throwIfAborted(): void; addEventListener(type: string, listener: () => void): void }
interface AbortController { readonly signal: AbortSignal; abort(reason?: unknown): void }
declare var AbortController: { new (): AbortController }
declare var performance: { now(): number }
declare module 'node:assert' { function assert(value: unknown, message?: string): asserts value; namespace assert { function ok(value: unknown, message?: string): asserts value; function equal(actual: unknown, expected: unknown, message?: string): void; function deepEqual(actual: unknown, expected: unknown, message?: string): void; function strictEqual(actual: unknown, expected: unknown, message?: string): void; function deepStrictEqual(actual: unknown, expected: unknown, message?: string): void; function notEqual(actual: unknown, expected: unknown, message?: string): void; function throws(run: () => unknown, error?: unknown, message?: string): void } export default assert; export = assert }
declare module 'assert' { import assert from 'node:assert'; export default assert; export = assert }
declare module 'node:util' { export function inspect(value: unknown): string; export function isDeepStrictEqual(a: unknown, b: unknown): boolean }
declare module 'util' { export * from 'node:util' }
`
