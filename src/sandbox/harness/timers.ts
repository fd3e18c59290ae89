import { elapsedMs, schedulers, wallMs } from './clock.ts'
import { reportUnhandled } from './unhandled.ts'

/** Dates, timers and performance on the virtual clock, as guest code sees them. */

/** The engine's own Date, which reads the machine's clock when asked for now. */
export const HostDate = Date

type TimerCallback = (...args: unknown[]) => void

/** Runs a guest's callback; what it throws is reported, as an uncaught error in a timer is. */
function guarded(callback: unknown, args: unknown[]): () => void {
  if (typeof callback !== 'function') {
    throw new TypeError('The "callback" argument must be of type function')
  }
  return () => {
    try {
      Reflect.apply(callback as TimerCallback, undefined, args)
    } catch (error) {
      reportUnhandled(error)
    }
  }
}

/** What Node's timers return, as far as code uses it. */
class Timeout {
  readonly #id: number

  constructor(id: number) {
    this.#id = id
  }

  ref(): this {
    return this
  }

  unref(): this {
    return this
  }

  hasRef(): boolean {
    return true
  }

  refresh(): this {
    schedulers.refresh(this.#id)
    return this
  }

  close(): this {
    schedulers.clear(this.#id)
    return this
  }

  [Symbol.toPrimitive](): number {
    return this.#id
  }

  static idOf(value: unknown): number {
    return typeof value === 'object' && value !== null && #id in value ? value.#id : Number(value)
  }
}

const clear = (timer: unknown): void => {
  if (timer !== undefined && timer !== null) schedulers.clear(Timeout.idOf(timer))
}

export const timers = {
  setTimeout: (callback: unknown, delay?: unknown, ...args: unknown[]): Timeout =>
    new Timeout(schedulers.timeout(guarded(callback, args), delay)),
  setInterval: (callback: unknown, delay?: unknown, ...args: unknown[]): Timeout =>
    new Timeout(schedulers.interval(guarded(callback, args), delay)),
  setImmediate: (callback: unknown, ...args: unknown[]): Timeout =>
    new Timeout(schedulers.immediate(guarded(callback, args))),
  clearTimeout: clear,
  clearInterval: clear,
  clearImmediate: clear,
  queueMicrotask(callback: unknown): void {
    const run = guarded(callback, [])
    void Promise.resolve().then(run)
  },
}

/** `Date` whose present is virtual; instances are the engine's own dates. */
export const VirtualDate: DateConstructor = (() => {
  // its name and text are what programs see
  // biome-ignore lint/suspicious/noShadowRestrictedNames: it is the Date of guest code
  function Date(this: unknown, ...args: unknown[]): unknown {
    if (!new.target) return new HostDate(wallMs()).toString()
    return Reflect.construct(HostDate, args.length === 0 ? [wallMs()] : args, new.target)
  }
  Object.defineProperty(Date, 'length', { value: 7, configurable: true })
  Object.defineProperty(Date, 'prototype', { value: HostDate.prototype, writable: false })
  Object.defineProperty(HostDate.prototype, 'constructor', { value: Date, writable: true, configurable: true })
  for (const name of ['parse', 'UTC'] as const) {
    Object.defineProperty(Date, name, { value: HostDate[name], writable: true, configurable: true })
  }
  return Date as unknown as DateConstructor
})()

/** `Intl.DateTimeFormat` formats the present when given nothing; the present is virtual. */
export function virtualiseIntl(now: () => number): void {
  const { prototype } = Intl.DateTimeFormat
  const format = Object.getOwnPropertyDescriptor(prototype, 'format')
  const bound = new WeakMap<object, unknown>()
  Object.defineProperty(prototype, 'format', {
    ...format,
    get(this: Intl.DateTimeFormat) {
      const known = bound.get(this)
      if (known) return known
      const native = format?.get?.call(this) as (date?: unknown) => string
      const virtual = (date?: unknown): string => native(date === undefined ? now() : date)
      bound.set(this, virtual)
      return virtual
    },
  })
  const { formatToParts } = prototype
  Object.defineProperty(prototype, 'formatToParts', {
    value(this: Intl.DateTimeFormat, date?: Date | number) {
      return Reflect.apply(formatToParts, this, [date === undefined ? now() : date])
    },
    writable: true,
    configurable: true,
  })
}

/** performance.now counts virtual milliseconds from the start of the run. */
export const performanceNow = (): number => elapsedMs()
