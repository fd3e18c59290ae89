import type { Registry } from './modules.ts'

/** The harness's side of a module factory; see child/transform.ts for the other. */
export interface ModuleHandle {
  exports(getters: Record<string, () => unknown>): void
  stars(indices: readonly number[]): void
  bind(setter: (namespaces: readonly object[]) => void): void
  expose(getters: Record<string, () => unknown>): void
  json(source: string): void
  /** Keeps the value of a program's last expression statement. */
  last: <T>(value: T) => T
  dynamicImport: (specifier: unknown) => Promise<unknown>
  readonly meta: object
  readonly entry: object
  readonly scope: object
  set: (holder: object, name: PropertyKey, value: unknown) => unknown
  remove: (holder: object, name: PropertyKey) => boolean
  consoleAssert: (condition: unknown, ...data: unknown[]) => void
  /** `holder.constructor = value` where a frozen prototype has a member of that name. */
  assign: (holder: unknown, name: PropertyKey, value: unknown) => unknown
}

export interface ModuleDefinition {
  readonly path: string
  readonly format: 'esm' | 'cjs'
  readonly kind: 'candidate' | 'test' | 'package'
  readonly imports: readonly string[]
  readonly isAsync: boolean
  /** Why the module could not be compiled. */
  readonly syntaxError?: string
  factory?: (handle: ModuleHandle, identity: <T>(value: T) => T) => unknown
}

/** A module that the harness itself provides. */
export interface BuiltIn {
  readonly namespace: object
  /** What `require` gives. */
  readonly value: unknown
}

export type Body = Iterator<unknown> | AsyncIterator<unknown>

export interface Instance {
  readonly key: string
  readonly definition: ModuleDefinition | undefined
  readonly namespace: object
  state: 'new' | 'linked' | 'evaluating' | 'done' | 'failed'
  error?: unknown
  /** While the module, or one that it needs, waits at top level. */
  pending?: Promise<void>
  dependencies: Instance[]
  stars: Instance[]
  body?: Body
  commonJs?: { exports: unknown }
  run?: () => unknown
  /** What `require` gives for built-in and mocked modules. */
  value?: unknown
  mock?: Mock
}

export interface Mock {
  /** Gives the members of the mocked module; absent for automocks. */
  readonly factory?: (importOriginal: () => Promise<unknown>) => unknown
  readonly automock?: (original: object) => object
  readonly isJest: boolean
}

/** What differs between kinds of modules and jobs. */
export interface Surroundings {
  builtIn(specifier: string, importer: ModuleDefinition): BuiltIn | undefined
  /** Names visible in this module only. */
  scope(definition: ModuleDefinition, registry: Registry): object
  consoleAssert(condition: unknown, data: readonly unknown[]): void
  set(holder: object, name: PropertyKey, value: unknown): unknown
  remove(holder: object, name: PropertyKey): boolean
}
