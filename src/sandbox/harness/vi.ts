import * as spies from '@vitest/spy'
import { isCell, linkCell, setMember } from './cells.ts'
import { elapsedMs, schedulers } from './clock.ts'
import { expect } from './expecting.ts'
import { fakeTimers } from './fake-timers.ts'
import type { ModuleDefinition } from './module-types.ts'
import type { Registry } from './modules.ts'
import { settings } from './settings.ts'

type AnyFunction = (...args: never[]) => unknown
type Holder = Record<PropertyKey, unknown>

/** Spies on a member; a cell is spied on through a box that it then reads from. */
function spyOn(holder: object, name: PropertyKey, access?: 'get' | 'set'): unknown {
  if (!isCell(holder, name)) return spyOnPlain(holder, name, access)
  const box: Holder = { [name]: (holder as Holder)[name] }
  const current = box[name]
  if (typeof current === 'function' && spies.isMockFunction(current)) return current
  const spy = (spies.spyOn as unknown as (o: object, k: PropertyKey, a?: string) => unknown)(box, name, access)
  linkCell(holder, name, () => box[name])
  return spy
}

function spyOnPlain(holder: object, name: PropertyKey, access?: 'get' | 'set'): unknown {
  const own = holder === null || holder === undefined ? undefined : Object.getOwnPropertyDescriptor(holder, name)
  if (own && !own.configurable && Object.isFrozen(holder)) {
    throw new TypeError(`'${String(name)}' of a built-in object is fixed in the sandbox and cannot be spied on`)
  }
  // a member inherited from a frozen prototype looks like an accessor because assignment must work on instances
  const inherited = own ? undefined : inheritedValue(holder, name)
  if (inherited !== undefined && access === undefined) {
    const box: Holder = { [name]: inherited }
    const spy = (spies.spyOn as unknown as (o: object, k: PropertyKey) => unknown)(box, name)
    Object.defineProperty(holder, name, { get: () => box[name], configurable: true, enumerable: true })
    return spy
  }
  return (spies.spyOn as unknown as (o: object, k: PropertyKey, a?: string) => unknown)(holder, name, access)
}

function inheritedValue(holder: object, name: PropertyKey): unknown {
  for (let at: object | null = holder; at; at = Object.getPrototypeOf(at) as object | null) {
    const descriptor = Object.getOwnPropertyDescriptor(at, name)
    if (descriptor) return descriptor.get && Object.isFrozen(at) ? (holder as Holder)[name] : undefined
  }
  return undefined
}

const stubs = new Map<string, PropertyDescriptor | 'cell' | undefined>()
const environmentStubs = new Map<string, string | undefined>()

function stubGlobal(name: string, value: unknown): void {
  if (!stubs.has(name)) {
    stubs.set(name, isCell(globalThis, name) ? 'cell' : Object.getOwnPropertyDescriptor(globalThis, name))
    if (isCell(globalThis, name)) originals.set(name, (globalThis as Holder)[name])
  }
  if (
    !isCell(globalThis, name) &&
    stubs.get(name) &&
    Object.getOwnPropertyDescriptor(globalThis, name)?.configurable === false
  ) {
    stubs.delete(name)
    throw new TypeError(`the global '${name}' is fixed in the sandbox and cannot be stubbed`)
  }
  setMember(globalThis, name, value)
}
const originals = new Map<string, unknown>()

function unstubAllGlobals(): void {
  for (const [name, before] of stubs) {
    if (before === 'cell') {
      const original = originals.get(name)
      linkCell(globalThis, name, () => original)
    } else if (before) Object.defineProperty(globalThis, name, before)
    else Reflect.deleteProperty(globalThis, name)
  }
  stubs.clear()
}

function environment(): Record<string, string | undefined> {
  return settings.process.env
}

async function waitFor(
  check: () => unknown,
  options: number | { timeout?: number; interval?: number } = {},
): Promise<unknown> {
  const { timeout = 1_000, interval = 50 } = typeof options === 'number' ? { timeout: options } : options
  const start = elapsedMs()
  for (;;) {
    try {
      return await check()
    } catch (error) {
      if (elapsedMs() - start >= timeout) throw error
    }
    if (fakeTimers.isFake()) fakeTimers.advance(interval)
    await new Promise<void>((resolve) => schedulers.timeout(resolve, interval))
  }
}

async function waitUntil(
  check: () => unknown,
  options?: number | { timeout?: number; interval?: number },
): Promise<unknown> {
  return waitFor(async () => {
    const value = await check()
    if (!value) throw new Error('Timed out in waitUntil!')
    return value
  }, options)
}

/** Mocks every function in a module or object, deeply; values stay, arrays become empty. */
export function automock(original: object, keepImplementation = false, seen = new Map<object, object>()): object {
  const known = seen.get(original)
  if (known) return known
  const mocked: Holder = {}
  seen.set(original, mocked)
  for (const key of Reflect.ownKeys(original)) {
    if (key === Symbol.toStringTag) continue
    mocked[key] = automockValue((original as Holder)[key], keepImplementation, seen)
  }
  return mocked
}

function automockValue(value: unknown, keepImplementation: boolean, seen: Map<object, object>): unknown {
  if (typeof value === 'function') return automockFunction(value as AnyFunction, keepImplementation)
  if (Array.isArray(value)) return keepImplementation ? value : []
  if (typeof value === 'object' && value !== null && [Object.prototype, null].includes(Object.getPrototypeOf(value))) {
    return automock(value, keepImplementation, seen)
  }
  return value
}

function automockFunction(original: AnyFunction, keepImplementation: boolean): unknown {
  return spies.createMockInstance({
    ...(keepImplementation ? { originalImplementation: original } : {}),
    name: original.name,
    resetToMockName: true,
    prototypeMembers: keepImplementation ? [] : methodNames(original),
    keepMembersImplementation: keepImplementation,
  } as never)
}

function methodNames(original: AnyFunction): (string | symbol)[] {
  const prototype = (original as { prototype?: object }).prototype
  if (typeof prototype !== 'object' || prototype === null) return []
  return Reflect.ownKeys(prototype).filter(
    (key) => key !== 'constructor' && typeof (prototype as Holder)[key] === 'function',
  )
}

/** Undoes what tests leave behind at the end of a file. */
export function resetVi(): void {
  fakeTimers.useReal()
  spies.restoreAllMocks()
  unstubAllGlobals()
  unstubAllEnvs()
}

function unstubAllEnvs(): void {
  for (const [name, value] of environmentStubs) {
    if (value === undefined) delete environment()[name]
    else environment()[name] = value
  }
  environmentStubs.clear()
}

function stubEnv(name: string, value: string | boolean | undefined): void {
  if (!environmentStubs.has(name)) environmentStubs.set(name, environment()[name])
  if (value === undefined) delete environment()[name]
  else environment()[name] = String(value)
}

/** What `vi` and `jest` have in common, for one test file. */
function commonTools(registry: Registry, importer: ModuleDefinition, isJest: boolean) {
  const mock = (path: unknown, factory?: unknown): void => {
    const specifier = String(path)
    if (typeof factory === 'function') {
      registry.mock(specifier, importer, { factory: factory as () => unknown, isJest })
    } else {
      const keep = typeof factory === 'object' && factory !== null && 'spy' in factory && Boolean(factory.spy)
      registry.mock(specifier, importer, { automock: (original) => automock(original, keep), isJest })
    }
  }
  return {
    fn: spies.fn,
    spyOn,
    isMockFunction: spies.isMockFunction,
    mocked: (value: unknown) => value,
    clearAllMocks: spies.clearAllMocks,
    resetAllMocks: spies.resetAllMocks,
    restoreAllMocks: spies.restoreAllMocks,
    mock,
    doMock: mock,
    unmock: (path: unknown) => registry.unmock(String(path), importer),
    doUnmock: (path: unknown) => registry.unmock(String(path), importer),
    resetModules: () => registry.reset(),
    advanceTimersByTime: fakeTimers.advance,
    advanceTimersByTimeAsync: fakeTimers.advanceAsync,
    advanceTimersToNextTimer: fakeTimers.next,
    advanceTimersToNextTimerAsync: fakeTimers.nextAsync,
    advanceTimersToNextFrame: fakeTimers.frame,
    runAllTimers: fakeTimers.runAll,
    runAllTimersAsync: fakeTimers.runAllAsync,
    runOnlyPendingTimers: fakeTimers.runPending,
    runOnlyPendingTimersAsync: fakeTimers.runPendingAsync,
    runAllTicks: fakeTimers.runTicks,
    clearAllTimers: fakeTimers.clear,
    getTimerCount: fakeTimers.count,
    getRealSystemTime: fakeTimers.realTime,
  }
}

/** Returns the object itself from those of its methods that return nothing, so that calls can be chained. */
function chaining(tools: Record<string, unknown>): Record<string, unknown> {
  const chained: Record<string, unknown> = {}
  for (const [name, tool] of Object.entries(tools)) {
    chained[name] =
      typeof tool === 'function'
        ? (...args: unknown[]) => {
            const result: unknown = Reflect.apply(tool, undefined, args)
            return result === undefined
              ? chained
              : result instanceof Promise
                ? result.then((value) => value ?? chained)
                : result
          }
        : tool
  }
  return chained
}

export function createVi(registry: Registry, importer: ModuleDefinition): Record<string, unknown> {
  const importActual = async (path: unknown): Promise<object> =>
    (await registry.load(String(path), importer, true)).namespace
  return {
    ...chaining({
      ...commonTools(registry, importer, false),
      useFakeTimers: fakeTimers.use,
      useRealTimers: fakeTimers.useReal,
      setSystemTime: fakeTimers.setSystemTime,
      stubGlobal,
      unstubAllGlobals,
      stubEnv,
      unstubAllEnvs,
      setConfig(config: { testTimeout?: number }) {
        if (config.testTimeout !== undefined) settings.testTimeoutMs = config.testTimeout
      },
      resetConfig() {
        settings.testTimeoutMs = settings.defaultTestTimeoutMs
      },
    }),
    fn: spies.fn,
    spyOn,
    mocked: (value: unknown) => value,
    isFakeTimers: fakeTimers.isFake,
    getMockedSystemTime: fakeTimers.mockedTime,
    hoisted: (make: () => unknown) => make(),
    mockObject: (value: object, options?: { spy?: boolean }) => automock(value, options?.spy === true),
    importActual,
    importMock: async (path: unknown) => automock(await importActual(path)),
    waitFor,
    waitUntil,
    dynamicImportSettled: async () => undefined,
    expect,
  }
}

export function createJest(registry: Registry, importer: ModuleDefinition): Record<string, unknown> {
  const jest: Record<string, unknown> = {
    ...chaining({
      ...commonTools(registry, importer, true),
      useFakeTimers: (options?: object | string) => fakeTimers.use(typeof options === 'object' ? options : {}),
      useRealTimers: fakeTimers.useReal,
      setSystemTime: fakeTimers.setSystemTime,
      setTimeout(ms: number) {
        settings.testTimeoutMs = ms
      },
      retryTimes: () => undefined,
      enableAutomock: () => undefined,
      disableAutomock: () => undefined,
    }),
    fn: spies.fn,
    spyOn,
    mocked: (value: unknown) => value,
    now: fakeTimers.now,
    requireActual: (path: unknown) => registry.require(String(path), importer, true),
    requireMock: (path: unknown) => registry.require(String(path), importer, false),
    createMockFromModule: (path: unknown) => automock(registry.require(String(path), importer, true) as object),
    isolateModules(run: () => void) {
      registry.reset()
      run()
    },
    async isolateModulesAsync(run: () => Promise<void>) {
      registry.reset()
      await run()
    },
    replaceProperty(holder: object, name: PropertyKey, value: unknown) {
      const before = Object.getOwnPropertyDescriptor(holder, name)
      setMember(holder, name, value)
      return {
        restore: () => before && Object.defineProperty(holder, name, before),
        replaceValue: (next: unknown) => setMember(holder, name, next),
      }
    },
  }
  return jest
}
