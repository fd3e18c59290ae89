import { performanceNow, timers } from '../timers.ts'
import { reportUnhandled } from '../unhandled.ts'
import { DOMException } from './dom-exception.ts'

/** Event, EventTarget and AbortController by the DOM standard, without trees and capture phases. */

interface EventInit {
  bubbles?: boolean
  cancelable?: boolean
  composed?: boolean
}

const dispatching = Symbol('dispatching')
const stop = Symbol('stop')

export class Event {
  static readonly NONE = 0
  static readonly AT_TARGET = 2
  readonly type: string
  readonly bubbles: boolean
  readonly cancelable: boolean
  readonly composed: boolean
  readonly timeStamp: number
  readonly isTrusted = false
  target: EventTarget | null = null
  currentTarget: EventTarget | null = null
  eventPhase = 0
  #prevented = false;
  [stop] = false;
  [dispatching] = false

  constructor(type: string, init: EventInit = {}) {
    // biome-ignore lint/complexity/noArguments: the standard tells a missing argument from an undefined one
    if (arguments.length === 0) throw new TypeError("The 'type' argument must be specified")
    this.type = String(type)
    this.bubbles = Boolean(init.bubbles)
    this.cancelable = Boolean(init.cancelable)
    this.composed = Boolean(init.composed)
    this.timeStamp = performanceNow()
  }

  get defaultPrevented(): boolean {
    return this.#prevented
  }

  preventDefault(): void {
    if (this.cancelable) this.#prevented = true
  }

  stopPropagation(): void {}

  stopImmediatePropagation(): void {
    this[stop] = true
  }

  composedPath(): EventTarget[] {
    return this.currentTarget ? [this.currentTarget] : []
  }
}

export class CustomEvent extends Event {
  readonly detail: unknown

  constructor(type: string, init: EventInit & { detail?: unknown } = {}) {
    super(type, init)
    this.detail = init.detail ?? null
  }
}

type Listener = ((event: Event) => unknown) | { handleEvent(event: Event): unknown }
interface Registration {
  readonly listener: Listener
  readonly once: boolean
  removed: boolean
}

export class EventTarget {
  readonly #listeners = new Map<string, Registration[]>()

  addEventListener(
    type: string,
    listener: Listener | null,
    options: boolean | { once?: boolean; signal?: AbortSignal } = {},
  ): void {
    if (!listener) return
    const { once = false, signal } = typeof options === 'object' && options !== null ? options : {}
    if (signal?.aborted) return
    const list = this.#listeners.get(type) ?? []
    this.#listeners.set(type, list)
    if (list.some((entry) => entry.listener === listener)) return
    list.push({ listener, once: Boolean(once), removed: false })
    signal?.addEventListener('abort', () => this.removeEventListener(type, listener), { once: true })
  }

  removeEventListener(type: string, listener: Listener | null): void {
    const list = this.#listeners.get(type)
    const index = list?.findIndex((entry) => entry.listener === listener) ?? -1
    if (!list || index < 0) return
    for (const entry of list.splice(index, 1)) entry.removed = true
  }

  dispatchEvent(event: Event): boolean {
    if (!(event instanceof Event)) throw new TypeError("The 'event' argument must be an instance of Event")
    if (event[dispatching]) throw new DOMException('The event is already being dispatched', 'InvalidStateError')
    event[dispatching] = true
    event.target = this
    event.currentTarget = this
    event.eventPhase = Event.AT_TARGET
    for (const entry of [...(this.#listeners.get(event.type) ?? [])]) {
      if (entry.removed) continue
      if (entry.once) this.removeEventListener(event.type, entry.listener)
      try {
        if (typeof entry.listener === 'function') Reflect.apply(entry.listener, this, [event])
        else entry.listener.handleEvent(event)
      } catch (error) {
        reportUnhandled(error)
      }
      if (event[stop]) break
    }
    event[dispatching] = false
    event.currentTarget = null
    event.eventPhase = Event.NONE
    return !event.defaultPrevented
  }
}

const key = Symbol('construct')
const abort = Symbol('abort')

export class AbortSignal extends EventTarget {
  #aborted = false
  #reason: unknown
  onabort: ((event: Event) => unknown) | null = null

  constructor(by?: symbol) {
    super()
    if (by !== key) throw new TypeError('Illegal constructor')
  }

  get aborted(): boolean {
    return this.#aborted
  }

  get reason(): unknown {
    return this.#reason
  }

  throwIfAborted(): void {
    if (this.#aborted) throw this.#reason
  }

  [abort](reason: unknown = new DOMException('This operation was aborted', 'AbortError')): void {
    if (this.#aborted) return
    this.#aborted = true
    this.#reason = reason
    const event = new Event('abort')
    if (typeof this.onabort === 'function') {
      try {
        this.onabort(event)
      } catch (error) {
        reportUnhandled(error)
      }
    }
    this.dispatchEvent(event)
  }

  static abort(reason?: unknown): AbortSignal {
    const signal = new AbortSignal(key)
    signal[abort](reason)
    return signal
  }

  static timeout(ms: number): AbortSignal {
    const signal = new AbortSignal(key)
    timers.setTimeout(
      () => signal[abort](new DOMException('The operation was aborted due to timeout', 'TimeoutError')),
      ms,
    )
    return signal
  }

  static any(signals: Iterable<AbortSignal>): AbortSignal {
    const joined = new AbortSignal(key)
    const sources = [...signals]
    const done = sources.find((source) => source.aborted)
    if (done) joined[abort](done.reason)
    else
      for (const source of sources) source.addEventListener('abort', () => joined[abort](source.reason), { once: true })
    return joined
  }

  get [Symbol.toStringTag](): string {
    return 'AbortSignal'
  }
}

export class AbortController {
  readonly #signal = new AbortSignal(key)

  get signal(): AbortSignal {
    return this.#signal
  }

  abort(reason?: unknown): void {
    this.#signal[abort](reason)
  }

  get [Symbol.toStringTag](): string {
    return 'AbortController'
  }
}
