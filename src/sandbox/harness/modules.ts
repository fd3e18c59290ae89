import { assignMember } from './assign-member.ts'
import type { Body, Instance, Mock, ModuleDefinition, ModuleHandle, Surroundings } from './module-types.ts'
import { addGetter, addStars, createNamespace, fillFromCommonJs, nameDefault } from './namespaces.ts'
import { resolvePath } from './paths.ts'

const definitions = new Map<string, ModuleDefinition>()

export function define(definition: ModuleDefinition): void {
  definitions.set(keyOf(definition), definition)
}

const keyOf = (definition: ModuleDefinition): string =>
  definition.kind === 'package' ? `package:${definition.path}` : definition.path

export const definitionOf = (key: string): ModuleDefinition | undefined => definitions.get(key)

/** `node:util` and `util` are one module. */
const plain = (specifier: string): string => specifier.replace(/^node:(?!test)/, '')

const identity = <T>(value: T): T => value

/** An error of loading, with the module whose fault it is. */
export class LoadError extends Error {
  readonly definition: ModuleDefinition

  constructor(message: string, definition: ModuleDefinition) {
    super(message)
    this.definition = definition
  }
}

/** Modules as one test file sees them: evaluated once, linked live, mocked as the file asks. */
export class Registry {
  readonly #instances = new Map<string, Instance>()
  readonly #mocks = new Map<string, Mock>()
  readonly #surroundings: Surroundings
  readonly #entryNames = createNamespace()
  /** The first module whose own evaluation threw. */
  failed: ModuleDefinition | undefined
  lastValue: { value: unknown } | undefined

  constructor(surroundings: Surroundings) {
    this.#surroundings = surroundings
  }

  /** Where a specifier leads from a module: a key for instances. Throws an Error that names what is missing. */
  resolve(specifier: string, importer: ModuleDefinition): string {
    if (/^\.{0,2}\//.test(specifier) || specifier === '.' || specifier === '..') {
      const path = resolvePath(specifier, importer.path, (candidate) => definitions.has(candidate))
      const found = path === undefined ? undefined : definitions.get(path)
      if (!found || path === undefined) {
        throw new LoadError(`Cannot find module '${specifier}' imported from ${importer.path}`, importer)
      }
      if (found.kind === 'test' && importer.kind !== 'test') {
        throw new LoadError(`'${specifier}' is a test file and cannot be imported by ${importer.path}`, importer)
      }
      return path
    }
    if (definitions.has(`package:${specifier}`)) return `package:${specifier}`
    if (this.#surroundings.builtIn(specifier, importer)) return `builtin:${plain(specifier)}`
    if (this.#mocks.has(`missing:${plain(specifier)}`)) return `missing:${plain(specifier)}`
    throw new LoadError(
      `Cannot find package '${specifier}' imported from ${importer.path}: it is not available in the sandbox`,
      importer,
    )
  }

  /** The key of what a mock replaces; modules that do not exist may be mocked too. */
  #mockKey(specifier: string, importer: ModuleDefinition): string {
    try {
      return this.resolve(specifier, importer)
    } catch {
      return `missing:${plain(specifier)}`
    }
  }

  mock(specifier: string, importer: ModuleDefinition, mock: Mock): void {
    const key = this.#mockKey(specifier, importer)
    this.#mocks.set(key, mock)
    this.#instances.delete(`mock:${key}`)
  }

  unmock(specifier: string, importer: ModuleDefinition): void {
    this.#mocks.delete(this.#mockKey(specifier, importer))
  }

  /** Forgets what was evaluated, so that the next import evaluates again; mocks stay. */
  reset(): void {
    for (const [key, instance] of this.#instances) if (instance.definition?.kind !== 'test') this.#instances.delete(key)
  }

  #instantiate(specifier: string, importer: ModuleDefinition, actual: boolean): Instance {
    const mockKey = this.#mocks.size > 0 && !actual ? this.#mockKey(specifier, importer) : undefined
    const mock = mockKey === undefined ? undefined : this.#mocks.get(mockKey)
    if (mock) {
      const key = `mock:${mockKey}`
      const known = this.#instances.get(key)
      if (known) return known
      const instance: Instance = {
        key,
        definition: importer,
        namespace: createNamespace(),
        state: 'linked',
        dependencies: [],
        stars: [],
        mock,
        value: specifier,
      }
      this.#instances.set(key, instance)
      return instance
    }
    return this.#instantiateKey(this.resolve(specifier, importer), specifier, importer)
  }

  #instantiateKey(key: string, specifier: string, importer: ModuleDefinition): Instance {
    const definition = definitions.get(key)
    // what a test gets of a built-in module counts its assertions, what a candidate gets does not
    const ownKey = definition ? key : `${key}:${importer.kind}`
    const known = this.#instances.get(ownKey)
    if (known) return known
    if (!definition) {
      const builtIn = this.#surroundings.builtIn(specifier, importer)
      if (!builtIn) throw new LoadError(`Cannot find module '${specifier}'`, importer)
      const instance: Instance = {
        key: ownKey,
        definition: undefined,
        namespace: builtIn.namespace,
        value: builtIn.value,
        state: 'done',
        dependencies: [],
        stars: [],
      }
      this.#instances.set(ownKey, instance)
      return instance
    }
    const instance: Instance = {
      key,
      definition,
      namespace: createNamespace(),
      state: 'new',
      dependencies: [],
      stars: [],
    }
    this.#instances.set(key, instance)
    try {
      this.#link(instance, definition)
    } catch (error) {
      this.#fail(instance, definition, error)
    }
    return instance
  }

  #fail(instance: Instance, definition: ModuleDefinition, error: unknown): void {
    instance.state = 'failed'
    instance.error = error
    this.failed ??= error instanceof LoadError ? error.definition : definition
  }

  #link(instance: Instance, definition: ModuleDefinition): void {
    if (definition.syntaxError !== undefined || !definition.factory) {
      throw new SyntaxError(definition.syntaxError ?? 'the module could not be compiled')
    }
    let setter: ((namespaces: readonly object[]) => void) | undefined
    let starIndices: readonly number[] = []
    const registry = this
    const handle: ModuleHandle = {
      exports(getters) {
        for (const name of Object.keys(getters).sort())
          addGetter(instance.namespace, name, getters[name] as () => unknown)
      },
      stars(indices) {
        starIndices = indices
      },
      bind(set) {
        setter = set
      },
      expose(getters) {
        for (const name of Object.keys(getters)) addGetter(registry.#entryNames, name, getters[name] as () => unknown)
      },
      json(source) {
        const value = JSON.parse(source) as unknown
        instance.commonJs = { exports: value }
      },
      last: (value) => {
        this.lastValue = { value }
        return value
      },
      dynamicImport: Object.assign((specifier: unknown) => this.dynamicImport(specifier, definition), {
        path: (specifier: unknown) => specifier,
      }),
      meta: {
        url: `file:///${definition.path}`,
        filename: `/${definition.path}`,
        dirname: `/${definition.path}`.replace(/\/[^/]*$/, '') || '/',
        env: { MODE: 'test', DEV: true, PROD: false, SSR: false },
      },
      entry: this.#entryNames,
      scope: this.#surroundings.scope(definition, this),
      set: (holder, name, value) => this.#surroundings.set(holder, name, value),
      remove: (holder, name) => this.#surroundings.remove(holder, name),
      consoleAssert: (condition, ...data) => this.#surroundings.consoleAssert(condition, data),
      assign: assignMember,
    }
    const made = definition.factory(handle, identity)
    if (definition.format === 'cjs') {
      instance.run = () => this.#runCommonJs(instance, definition, made)
      instance.state = 'linked'
      return
    }
    instance.body = (made as () => Body)()
    const isTest = definition.kind === 'test'
    // the part of a test file before its imports may mock them: harness modules first, the others afterwards
    const early = definition.imports.map((specifier) =>
      isTest && this.#surroundings.builtIn(specifier, definition) && !this.#isMocked(specifier, definition)
        ? this.#instantiate(specifier, definition, false)
        : undefined,
    )
    if (isTest) setter?.(early.map((dependency) => dependency?.namespace ?? createNamespace()))
    else this.#bindAll(instance, definition, setter)
    const linkRest = (): void => {
      if (isTest) this.#bindAll(instance, definition, setter)
      instance.stars = starIndices.map((index) => instance.dependencies[index]).filter((star) => star !== undefined)
    }
    instance.state = 'linked'
    const first = instance.body.next()
    if (first instanceof Promise) {
      instance.run = () => first.then(linkRest)
      // a failure is met again where the module is evaluated
      first.catch(() => undefined)
    } else linkRest()
  }

  #isMocked(specifier: string, importer: ModuleDefinition): boolean {
    return this.#mocks.has(this.#mockKey(specifier, importer))
  }

  #bindAll(
    instance: Instance,
    definition: ModuleDefinition,
    setter: ((namespaces: readonly object[]) => void) | undefined,
  ): void {
    instance.dependencies = definition.imports.map((specifier) => this.#instantiate(specifier, definition, false))
    setter?.(instance.dependencies.map((dependency) => dependency.namespace))
  }

  #runCommonJs(instance: Instance, definition: ModuleDefinition, made: unknown): void {
    const module = instance.commonJs ?? { exports: {} }
    instance.commonJs = module
    if (typeof made === 'function') {
      const require = this.createRequire(definition)
      Reflect.apply(made, module.exports, [
        module.exports,
        require,
        module,
        `/${definition.path}`,
        `/${definition.path}`.replace(/\/[^/]*$/, '') || '/',
      ])
    }
    fillFromCommonJs(instance.namespace, () => module.exports)
  }

  createRequire(importer: ModuleDefinition): (specifier: unknown) => unknown {
    const require = (specifier: unknown): unknown => this.require(String(specifier), importer, false)
    return Object.assign(require, {
      resolve: (specifier: unknown) => this.resolve(String(specifier), importer),
      cache: {},
    })
  }

  /** Loads a module at once; one that waits at top level cannot be had so. */
  require(specifier: string, importer: ModuleDefinition, actual: boolean): unknown {
    const instance = this.#instantiate(specifier, importer, actual)
    const pending = this.#evaluate(instance, new Set())
    if (pending && !instance.commonJs) {
      throw new Error(`require() of '${specifier}': the module awaits at top level; import it`)
    }
    if (instance.commonJs) return instance.commonJs.exports
    return instance.value === undefined || instance.mock
      ? instance.mock
        ? instance.value
        : instance.namespace
      : instance.value
  }

  /** `import(...)` as written in a module. */
  async dynamicImport(specifier: unknown, importer: ModuleDefinition): Promise<unknown> {
    const { namespace } = await this.load(String(specifier), importer, false)
    // as in the language, a namespace with an exported `then` is asked for it
    return namespace
  }

  /** Loads a module; the namespace is boxed because a guest may export `then`. */
  async load(specifier: string, importer: ModuleDefinition, actual: boolean): Promise<{ namespace: object }> {
    const instance = this.#instantiate(specifier, importer, actual)
    await this.#evaluate(instance, new Set())
    return { namespace: instance.namespace }
  }

  /** Loads a file by its own path. */
  loadFile(path: string): Promise<void> | undefined {
    const definition = definitions.get(path)
    if (!definition) throw new Error(`no such file: ${path}`)
    return this.#evaluate(this.#instantiateKey(path, path, definition), new Set())
  }

  namespaceOf(path: string): object | undefined {
    return this.#instances.get(path)?.namespace
  }

  commonJsOf(path: string): { exports: unknown } | undefined {
    return this.#instances.get(path)?.commonJs
  }

  /** Evaluates depth first, as the language has it; gives a promise only if something waits. */
  #evaluate(instance: Instance, ancestors: Set<Instance>): Promise<void> | undefined {
    if (instance.state === 'done') return undefined
    if (instance.state === 'failed') throw instance.error
    if (instance.state === 'evaluating') return ancestors.has(instance) ? undefined : instance.pending
    instance.state = 'evaluating'
    const steps = this.#steps(instance, new Set([...ancestors, instance]))
    const fail = (error: unknown): never => {
      if (instance.definition) this.#fail(instance, instance.definition, error)
      throw error
    }
    try {
      const first = steps.next()
      if (first.done) return undefined
      const continued = async (waiting: unknown): Promise<void> => {
        let current = waiting
        for (;;) {
          await current
          const next = steps.next()
          if (next.done) return
          current = next.value
        }
      }
      instance.pending = continued(first.value).catch(fail)
      instance.pending.catch(() => undefined)
      return instance.pending
    } catch (error) {
      return fail(error)
    }
  }

  *#steps(instance: Instance, ancestors: Set<Instance>): Generator<Promise<unknown>, void, void> {
    if (instance.mock) {
      yield* this.#mockSteps(instance, instance.mock)
      instance.state = 'done'
      return
    }
    if (instance.definition?.format !== 'cjs' && instance.run) yield instance.run() as Promise<unknown>
    for (const dependency of instance.dependencies) {
      const pending = this.#evaluate(dependency, ancestors)
      if (pending) yield pending
    }
    if (instance.definition?.format === 'cjs') instance.run?.()
    else if (instance.body) {
      addStars(instance)
      const result = instance.body.next()
      if (result instanceof Promise) yield result
      nameDefault(instance.namespace)
    }
    instance.state = 'done'
  }

  *#mockSteps(instance: Instance, mock: Mock): Generator<Promise<unknown>, void, void> {
    const specifier = String(instance.value)
    const importer = instance.definition as ModuleDefinition
    let members: unknown
    if (mock.factory) {
      members = mock.factory(async () => (await this.load(specifier, importer, true)).namespace)
      if (members instanceof Promise) {
        let settled: unknown
        yield members.then((value) => {
          settled = value
        })
        members = settled
      }
    } else if (mock.automock) {
      const original = this.#instantiate(specifier, importer, true)
      const pending = this.#evaluate(original, new Set())
      if (pending) yield pending
      members = mock.automock(original.namespace)
    }
    if (members === null || (typeof members !== 'object' && typeof members !== 'function')) {
      members = { default: members }
    }
    instance.value = members
    const holder = members as object
    for (const key of Reflect.ownKeys(holder)) {
      if (typeof key === 'string' && key !== '__esModule')
        addGetter(instance.namespace, key, () => Reflect.get(holder, key))
    }
    if (!('default' in holder) && mock.isJest) addGetter(instance.namespace, 'default', () => holder)
  }
}
