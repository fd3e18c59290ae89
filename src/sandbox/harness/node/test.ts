import * as spies from '@vitest/spy'
import { fakeTimers } from '../fake-timers.ts'
import { suiteGlobals } from '../suite-api.ts'
import { assertForTests } from './assert.ts'

/** node:test on top of the same runner. Subtests run within their parent and are not counted by themselves. */

type AnyFunction = (...args: unknown[]) => unknown
interface NodeTestOptions {
  skip?: boolean | string
  todo?: boolean | string
  only?: boolean
  timeout?: number
  concurrency?: unknown
}

const isFunction = (value: unknown): value is AnyFunction => typeof value === 'function'

function parse(args: unknown[]): { name: string; options: NodeTestOptions; body: AnyFunction | undefined } {
  const body = args.find(isFunction)
  const name = args.find((arg) => typeof arg === 'string') as string | undefined
  const options = args.find((arg) => typeof arg === 'object' && arg !== null) as NodeTestOptions | undefined
  return { name: name ?? (body?.name || '<anonymous>'), options: options ?? {}, body }
}

const mockTools = {
  fn: (original?: AnyFunction, implementation?: AnyFunction) =>
    nodeMock(spies.fn((implementation ?? original ?? (() => undefined)) as never) as never),
  method(holder: Record<PropertyKey, unknown>, name: PropertyKey, implementation?: AnyFunction) {
    const spy = (
      spies.spyOn as unknown as (o: object, k: PropertyKey) => { mockImplementation(f: AnyFunction): unknown }
    )(holder, name)
    if (isFunction(implementation)) spy.mockImplementation(implementation)
    return nodeMock(spy as never)
  },
  reset: () => spies.restoreAllMocks(),
  restoreAll: () => spies.restoreAllMocks(),
  timers: {
    enable: (options?: { apis?: string[]; now?: number }) =>
      fakeTimers.use({
        ...(options?.now === undefined ? { now: 0 } : { now: options.now }),
        ...(options?.apis ? { toFake: options.apis } : {}),
      }),
    tick: (ms = 1) => fakeTimers.advance(ms),
    runAll: fakeTimers.runAll,
    setTime: fakeTimers.setSystemTime,
    reset: fakeTimers.useReal,
  },
}

/** Gives a spy the members of node's mock: `mock.calls[i].arguments`, `mock.callCount()`. */
function nodeMock(spy: {
  mock: { calls: unknown[][]; results: { type: string; value: unknown }[]; contexts: unknown[] }
  mockReset(): void
}): unknown {
  const { mock } = spy
  const view = {
    get calls() {
      return mock.calls.map((args, index) => ({
        arguments: args,
        result: mock.results[index]?.type === 'return' ? mock.results[index]?.value : undefined,
        error: mock.results[index]?.type === 'throw' ? mock.results[index]?.value : undefined,
        this: mock.contexts[index],
      }))
    },
    callCount: () => mock.calls.length,
    resetCalls: () => (spy as unknown as { mockClear(): void }).mockClear(),
    restore: () => (spy as unknown as { mockRestore(): void }).mockRestore(),
    mockImplementation: (implementation: AnyFunction) =>
      (spy as unknown as { mockImplementation(f: AnyFunction): void }).mockImplementation(implementation),
    mockImplementationOnce: (implementation: AnyFunction) =>
      (spy as unknown as { mockImplementationOnce(f: AnyFunction): void }).mockImplementationOnce(implementation),
  }
  const wrapped = function (this: unknown, ...args: unknown[]): unknown {
    return Reflect.apply(spy as unknown as AnyFunction, this, args)
  }
  return Object.assign(wrapped, { mock: view })
}

interface VitestContext {
  skip(note?: string): void
}

function createContext(name: string, context: VitestContext | undefined): Record<string, unknown> {
  const afterHooks: AnyFunction[] = []
  const beforeHooks: AnyFunction[] = []
  const self: Record<string, unknown> = {
    name,
    fullName: name,
    mock: mockTools,
    assert: assertForTests,
    diagnostic: () => undefined,
    plan: () => undefined,
    skip: (note?: string) => context?.skip(note),
    todo: () => context?.skip('todo'),
    after: (hook: AnyFunction) => void afterHooks.push(hook),
    before: (hook: AnyFunction) => hook(),
    beforeEach: (hook: AnyFunction) => void beforeHooks.push(hook),
    afterEach: (hook: AnyFunction) => void afterHooks.push(hook),
    afterHooks,
    async test(...args: unknown[]) {
      const { name: inner, options, body } = parse(args)
      if (options.skip || options.todo || !body) return
      for (const hook of beforeHooks) await hook()
      await body(createContext(`${name} > ${inner}`, undefined))
    },
  }
  return self
}

function register(api: AnyFunction, args: unknown[], variant?: 'skip' | 'todo'): Promise<void> {
  const { name, options, body } = parse(args)
  const kind = variant ?? (options.skip ? 'skip' : options.todo || !body ? 'todo' : undefined)
  const target = kind ? (Reflect.get(api, kind) as AnyFunction) : api
  const run = async (context: unknown): Promise<void> => {
    const own = createContext(name, context as VitestContext)
    try {
      if (body && body.length >= 2) {
        await new Promise<void>((resolve, reject) =>
          body(own, (error?: unknown) => (error ? reject(error) : resolve())),
        )
      } else await body?.(own)
    } finally {
      for (const hook of (own.afterHooks as AnyFunction[]).splice(0)) await hook()
    }
  }
  if (kind === 'todo') target(name)
  else target(name, run, options.timeout)
  return Promise.resolve()
}

function registerSuite(args: unknown[], variant?: 'skip' | 'todo'): Promise<void> {
  const { name, options, body } = parse(args)
  const api = suiteGlobals.describe as AnyFunction
  const kind = variant ?? (options.skip ? 'skip' : options.todo ? 'todo' : undefined)
  ;(kind ? (Reflect.get(api, kind) as AnyFunction) : api)(name, body ?? (() => undefined))
  return Promise.resolve()
}

export function createNodeTest(): { value: AnyFunction; members: Record<string, unknown> } {
  const api = suiteGlobals.test as AnyFunction
  const withVariants = (call: (args: unknown[], variant?: 'skip' | 'todo') => Promise<void>): AnyFunction => {
    const plain: AnyFunction = (...args) => call(args)
    return Object.assign(plain, {
      skip: (...args: unknown[]) => call(args, 'skip'),
      todo: (...args: unknown[]) => call(args, 'todo'),
      only: plain,
    })
  }
  const test = withVariants((args, variant) => register(api, args, variant))
  const describe = withVariants((args, variant) => registerSuite(args, variant))
  const members: Record<string, unknown> = {
    test,
    it: test,
    describe,
    suite: describe,
    before: suiteGlobals.beforeAll,
    after: suiteGlobals.afterAll,
    beforeEach: suiteGlobals.beforeEach,
    afterEach: suiteGlobals.afterEach,
    mock: mockTools,
  }
  return { value: Object.assign(test, members, { test, default: test }), members: { ...members, default: test } }
}
