import type { Instance } from './module-types.ts'

/** An empty module namespace object. */
export function createNamespace(): object {
  const namespace = Object.create(null) as object
  Object.defineProperty(namespace, Symbol.toStringTag, { value: 'Module' })
  return namespace
}

export function addGetter(namespace: object, name: PropertyKey, get: () => unknown): void {
  Object.defineProperty(namespace, name, { get, enumerable: true, configurable: true })
}

/** Re-exports everything but `default` of the modules named by `export *`; own exports win. */
export function addStars(instance: Instance): void {
  for (const star of instance.stars) {
    addStars(star)
    for (const name of Object.keys(star.namespace)) {
      if (name !== 'default' && !Object.hasOwn(instance.namespace, name)) {
        addGetter(instance.namespace, name, () => Reflect.get(star.namespace, name))
      }
    }
  }
}

/** An anonymous `export default function` was given a made-up name so as to be hoisted; by the language it is 'default'. */
export function nameDefault(namespace: object): void {
  const value = Object.getOwnPropertyDescriptor(namespace, 'default')?.get
  if (!value) return
  try {
    const exported = value()
    if (typeof exported !== 'function') return
    const name = Object.getOwnPropertyDescriptor(exported, 'name')
    if (typeof name?.value === 'string' && /^\$rg\$*d$/.test(name.value) && name.configurable) {
      Object.defineProperty(exported, 'name', { value: 'default', configurable: true })
    }
  } catch {
    // in its dead zone, or a guest's own getter that throws: nothing to name
  }
}

/** What `import` sees of a CommonJS module. */
export function fillFromCommonJs(namespace: object, exports: () => unknown): void {
  const value = exports()
  const isObject = (typeof value === 'object' && value !== null) || typeof value === 'function'
  if (isObject) {
    for (const name of Object.keys(value)) {
      if (name !== 'default') addGetter(namespace, name, () => Reflect.get(exports() as object, name))
    }
  }
  const isInterop = isObject && Object.hasOwn(value, '__esModule') && 'default' in value
  addGetter(namespace, 'default', isInterop ? () => Reflect.get(exports() as object, 'default') : exports)
}
