import { Buffer } from 'buffer'
import EventEmitter from 'events'
import path from 'path-browserify'
import type { BuiltIn } from '../module-types.ts'
import { fillRandom, nextRandom, nextUuid } from '../random.ts'
import { settings } from '../settings.ts'
import { timers } from '../timers.ts'
import { assertForCandidates, assertForTests } from './assert.ts'
import { querystring } from './querystring.ts'
import { StringDecoder } from './string-decoder.ts'
import { url } from './url.ts'
import { util } from './util.ts'

/** The modules of Node that are pure computation, for guests that import them. Everything else is refused by name. */

const timersModule = {
  setTimeout: timers.setTimeout,
  setInterval: timers.setInterval,
  setImmediate: timers.setImmediate,
  clearTimeout: timers.clearTimeout,
  clearInterval: timers.clearInterval,
  clearImmediate: timers.clearImmediate,
}

interface PromiseTimerOptions {
  signal?: AbortSignal
}

const later = <T>(schedule: (resolve: () => void) => void, value: T, options?: PromiseTimerOptions): Promise<T> =>
  new Promise((resolve, reject) => {
    if (options?.signal?.aborted) return reject(options.signal.reason)
    options?.signal?.addEventListener('abort', () => reject(options.signal?.reason), { once: true })
    schedule(() => resolve(value))
  })

const timersPromises = {
  setTimeout: <T>(ms?: number, value?: T, options?: PromiseTimerOptions) =>
    later((resolve) => globalThis.setTimeout(resolve, ms), value, options),
  setImmediate: <T>(value?: T, options?: PromiseTimerOptions) =>
    later((resolve) => timers.setImmediate(resolve), value, options),
  async *setInterval<T>(ms?: number, value?: T) {
    for (;;) yield await later((resolve) => globalThis.setTimeout(resolve, ms), value)
  },
  scheduler: {
    wait: (ms: number) => later((resolve) => globalThis.setTimeout(resolve, ms), undefined),
    yield: () => later((resolve) => timers.setImmediate(resolve), undefined),
  },
}
Object.assign(timersModule, { promises: timersPromises })

const crypto = {
  randomUUID: nextUuid,
  randomBytes(size: number) {
    const bytes = Buffer.alloc(size)
    fillRandom(bytes)
    return bytes
  },
  randomInt(low: number, high?: number) {
    const [from, to] = high === undefined ? [0, low] : [low, high]
    return from + Math.floor(nextRandom() * (to - from))
  },
  getRandomValues: (view: ArrayBufferView) => {
    fillRandom(new Uint8Array(view.buffer, view.byteOffset, view.byteLength))
    return view
  },
}

const shared: Record<string, unknown> = {
  path,
  'path/posix': path,
  events: EventEmitter,
  util,
  'util/types': util.types,
  url,
  buffer: { Buffer, SlowBuffer: Buffer, kMaxLength: 0x7fffffff, constants: { MAX_LENGTH: 0x7fffffff } },
  timers: timersModule,
  'timers/promises': timersPromises,
  string_decoder: { StringDecoder },
  querystring,
  crypto,
  perf_hooks: {
    get performance() {
      return globalThis.performance
    },
  },
}

function toBuiltIn(value: unknown): BuiltIn {
  const namespace = Object.create(null) as object
  Object.defineProperty(namespace, Symbol.toStringTag, { value: 'Module' })
  const holder = value as Record<string, unknown>
  for (const name of Object.keys(holder)) {
    if (name === 'default') continue
    Object.defineProperty(namespace, name, { get: () => holder[name], enumerable: true, configurable: true })
  }
  Object.defineProperty(namespace, 'default', { value, enumerable: true, configurable: true })
  return { namespace, value }
}

const made = new Map<string, BuiltIn>()

/** The module that a specifier means, if it is a harmless one. */
export function nodeModules(specifier: string, forTest: boolean): BuiltIn | undefined {
  const name = specifier.replace(/^node:/, '')
  if (name === 'assert' || name === 'assert/strict') {
    const assert = forTest ? assertForTests : assertForCandidates
    return remember(`${name}:${forTest}`, name === 'assert' ? assert : assert.strict)
  }
  if (name === 'process') return forTest || settings.showProcess ? toBuiltIn(settings.process) : undefined
  const value = shared[name]
  return value === undefined ? undefined : remember(name, value)
}

function remember(key: string, value: unknown): BuiltIn {
  const known = made.get(key)
  if (known) return known
  const builtIn = toBuiltIn(value)
  made.set(key, builtIn)
  return builtIn
}

/** Everything that guests can get hold of here, to be frozen. */
export const allNodeModules = (): unknown[] => [...Object.values(shared), assertForCandidates, assertForTests]
