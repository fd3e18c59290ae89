import * as runner from '@vitest/runner'

/** describe, it and their kin as test files see them: `.only` changes nothing, jest's names and done-callbacks work. */

type AnyFunction = (...args: unknown[]) => unknown

const isFunction = (value: unknown): value is AnyFunction => typeof value === 'function'

const doneNames = /^(?:async\s*)?(?:function\b[^(]*)?\(?\s*(done|cb|callback|finish|end)\b\s*[,)=]/

/** Jest's tests may take a callback that ends them; Vitest's take a context. The parameter's name tells which is meant. */
function withDone(body: AnyFunction): AnyFunction {
  if (body.length === 0 || !doneNames.test(Function.prototype.toString.call(body))) return body
  const wrapped = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const done = (error?: unknown): void => {
        if (error === undefined || error === null) resolve()
        else reject(error)
      }
      const result = body(Object.assign(done, { fail: reject }))
      if (result instanceof Promise) result.then(undefined, reject)
    })
  return wrapped
}

function adapt(args: unknown[]): unknown[] {
  return args.map((arg) => {
    if (isFunction(arg) && args[0] !== arg) return withDone(arg)
    if (typeof arg === 'object' && arg !== null && 'only' in arg) return { ...arg, only: false }
    return arg
  })
}

const givesApi = new Set<PropertyKey>(['skip', 'todo', 'concurrent', 'sequential', 'fails', 'shuffle'])

/** The same API without the power of `only`: a candidate's judge runs every test. */
function withoutOnly(api: AnyFunction, isTest: boolean): AnyFunction {
  const proxy: AnyFunction = new Proxy(api, {
    apply: (target, self, args: unknown[]) => Reflect.apply(target, self, isTest ? adapt(args) : adaptSuite(args)),
    get(target, name, receiver) {
      if (name === 'only') return proxy
      if (isTest && name === 'failing') return withoutOnly(Reflect.get(target, 'fails') as AnyFunction, true)
      const value: unknown = Reflect.get(target, name, receiver === proxy ? target : receiver)
      if (!isFunction(value)) return value
      if (givesApi.has(name)) return withoutOnly(value, isTest)
      if (name === 'extend')
        return (...args: unknown[]) => withoutOnly(Reflect.apply(value, target, args) as AnyFunction, isTest)
      if (name === 'skipIf' || name === 'runIf') {
        return (...args: unknown[]) => withoutOnly(Reflect.apply(value, target, args) as AnyFunction, isTest)
      }
      if (name === 'each' && isTest) return createEach(value, target)
      return value
    },
  })
  return proxy
}

const adaptSuite = (args: unknown[]): unknown[] =>
  args.map((arg) => (typeof arg === 'object' && arg !== null && 'only' in arg ? { ...arg, only: false } : arg))

/** `each` gives rows as arguments; a callback after the row's members is jest's done. */
function createEach(each: AnyFunction, target: AnyFunction): AnyFunction {
  return (...cases: unknown[]) => {
    const register = Reflect.apply(each, target, cases) as AnyFunction
    return (...args: unknown[]) =>
      register(
        ...args.map((arg, index) =>
          index > 0 && typeof arg === 'object' && arg !== null && 'only' in arg ? { ...arg, only: false } : arg,
        ),
      )
  }
}

export const it = withoutOnly(runner.it as unknown as AnyFunction, true)
export const describe = withoutOnly(runner.describe as unknown as AnyFunction, false)

const member = (api: AnyFunction, name: string): unknown => Reflect.get(api, name)

/** What test files find in scope without importing it. */
export const suiteGlobals: Record<string, unknown> = {
  describe,
  suite: describe,
  context: describe,
  it,
  test: it,
  specify: it,
  fit: it,
  fdescribe: describe,
  xit: member(it, 'skip'),
  xtest: member(it, 'skip'),
  xdescribe: member(describe, 'skip'),
  beforeEach: runner.beforeEach,
  afterEach: runner.afterEach,
  beforeAll: runner.beforeAll,
  afterAll: runner.afterAll,
  aroundEach: (runner as unknown as Record<string, unknown>).aroundEach,
  aroundAll: (runner as unknown as Record<string, unknown>).aroundAll,
  before: runner.beforeAll,
  after: runner.afterAll,
  onTestFinished: runner.onTestFinished,
  onTestFailed: runner.onTestFailed,
}
