import { Buffer } from 'buffer'
import atob from 'core-js-pure/actual/atob'
import btoa from 'core-js-pure/actual/btoa'
import URL from 'core-js-pure/actual/url'
import URLSearchParams from 'core-js-pure/actual/url-search-params'
import { defineCell, defineMethodCells } from './cells.ts'
import { wallMs } from './clock.ts'
import { guardCodeGeneration } from './codegen.ts'
import { createConsole } from './console.ts'
import { fillRandom, nextRandom, nextUuid } from './random.ts'
import { installRegExpMethods } from './regexp.ts'
import { performanceNow, timers, VirtualDate, virtualiseIntl } from './timers.ts'
import { DOMException } from './web/dom-exception.ts'
import { TextDecoder, TextEncoder } from './web/encoding.ts'
import { AbortController, AbortSignal, CustomEvent, Event, EventTarget } from './web/events.ts'
import { Blob, Headers, Request, Response } from './web/fetch.ts'
import { structuredClone } from './web/structured-clone.ts'

/** Puts the web's global names in place; evaluated before anything else of the harness, once, into the snapshot. */

const define = (name: string, value: unknown): void => {
  Object.defineProperty(globalThis, name, { value, writable: true, enumerable: false, configurable: true })
}

const absent = (what: string, hint: string) => (): never => {
  throw new Error(`${what} is not available in the sandbox${hint}`)
}

/** Networks do not exist here; tests stub `fetch`. */
async function fetch(input: unknown): Promise<never> {
  const url = typeof input === 'object' && input !== null && 'url' in input ? input.url : input
  throw new TypeError(
    `fetch failed: there is no network in the sandbox (${String(url).slice(0, 200)}); stub fetch in the tests`,
  )
}

const crypto = {}
defineCell(crypto, 'getRandomValues', (view: ArrayBufferView): ArrayBufferView => {
  if (!ArrayBuffer.isView(view)) throw new TypeError('crypto.getRandomValues needs an integer typed array')
  if (view.byteLength > 65_536) throw new DOMException('at most 65536 bytes at once', 'QuotaExceededError')
  fillRandom(new Uint8Array(view.buffer, view.byteOffset, view.byteLength))
  return view
})
defineCell(crypto, 'randomUUID', () => nextUuid())
defineCell(
  crypto,
  'subtle',
  new Proxy(
    {},
    {
      get: (_, name) => (typeof name === 'string' && name !== 'then' ? absent(`crypto.subtle.${name}`, '') : undefined),
    },
  ),
)

const performance = {}
defineCell(performance, 'now', performanceNow)
Object.defineProperty(performance, 'timeOrigin', { get: () => wallMs() - performanceNow(), enumerable: true })
for (const name of ['mark', 'measure', 'clearMarks', 'clearMeasures']) {
  defineCell(performance, name, (label: unknown) => ({ name: String(label), startTime: performanceNow(), duration: 0 }))
}
defineCell(performance, 'getEntriesByName', () => [])
defineCell(performance, 'getEntriesByType', () => [])

defineCell(VirtualDate, 'now', () => wallMs(), false)
for (const holder of [
  VirtualDate,
  VirtualDate.prototype,
  AbortSignal,
  AbortSignal.prototype,
  AbortController.prototype,
])
  defineMethodCells(holder)
defineCell(Math, 'random', nextRandom, false)
for (const name of ['parse', 'stringify'] as const) {
  const method = JSON[name]
  Reflect.deleteProperty(JSON, name)
  defineCell(JSON, name, method, false)
}

virtualiseIntl(wallMs)
guardCodeGeneration()
installRegExpMethods()

const values: Record<string, unknown> = {
  URL,
  URLSearchParams,
  TextEncoder,
  TextDecoder,
  Event,
  EventTarget,
  CustomEvent,
  DOMException,
  Blob,
  Headers,
  Request,
  Response,
  Buffer,
  global: globalThis,
  self: globalThis,
}
for (const [name, value] of Object.entries(values)) define(name, value)

/** Global names that tests spy on or replace. */
const replaceable: Record<string, unknown> = {
  ...timers,
  Date: VirtualDate,
  AbortController,
  AbortSignal,
  atob,
  btoa,
  structuredClone,
  fetch,
  crypto,
  performance,
  console: createConsole(),
}
for (const [name, value] of Object.entries(replaceable)) {
  Reflect.deleteProperty(globalThis, name)
  defineCell(globalThis, name, value, false)
}

/** A value that keeps its referent: when garbage is collected must not change what a program does. */
class StrongRef<T extends object> {
  readonly #target: T

  constructor(target: T) {
    if ((typeof target !== 'object' || target === null) && typeof target !== 'function') {
      throw new TypeError('WeakRef: target must be an object')
    }
    this.#target = target
  }

  deref(): T {
    return this.#target
  }

  get [Symbol.toStringTag](): string {
    return 'WeakRef'
  }
}
Object.defineProperty(StrongRef, 'name', { value: 'WeakRef' })
define('WeakRef', StrongRef)

/** Callbacks at collection never come, which the language allows. */
class SilentRegistry {
  constructor(callback: unknown) {
    if (typeof callback !== 'function') throw new TypeError('FinalizationRegistry: cleanup must be callable')
  }

  register(): void {}

  unregister(): boolean {
    return false
  }

  get [Symbol.toStringTag](): string {
    return 'FinalizationRegistry'
  }
}
Object.defineProperty(SilentRegistry, 'name', { value: 'FinalizationRegistry' })
define('FinalizationRegistry', SilentRegistry)

// core-js keeps its registry of symbols under a global name; it has what it needs by now
Reflect.deleteProperty(globalThis, '__core-js_shared__')
