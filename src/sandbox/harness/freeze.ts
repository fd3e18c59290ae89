import { cellOriginals } from './cells.ts'

/**
 * Freezes everything that guest code can reach, so that no candidate can change what its tests see. Data properties of
 * prototypes become accessors that define on the receiver when assigned through it: otherwise `this.toString = ...` in a
 * class would throw because Object.prototype is frozen (the override mistake of the language).
 */

const {
  getOwnPropertyDescriptors,
  getOwnPropertyDescriptor,
  getPrototypeOf,
  defineProperty,
  freeze,
  preventExtensions,
} = Object
const { ownKeys } = Reflect

/** V8 optimises away whole protocols as long as these are plain data; nobody assigns them on instances. */
function keepsData(holder: object, key: PropertyKey): boolean {
  if (typeof key === 'symbol') return true
  if (key === 'next') return true
  // an accessor here would end V8's short ways through map, filter, then and replace for good; see child/transform.ts
  // for those who assign it
  if (key === 'constructor') return speciesHolders.has(holder)
  return (holder === Promise.prototype && key === 'then') || (holder === RegExp.prototype && key === 'exec')
}

const speciesHolders = new Set<object>(
  [Array, Promise, RegExp, ArrayBuffer, Uint8Array, getPrototypeOf(Uint8Array) as { prototype: object }].map(
    ({ prototype }) => prototype,
  ),
)
for (const view of [
  Int8Array,
  Uint8ClampedArray,
  Int16Array,
  Uint16Array,
  Int32Array,
  Uint32Array,
  Float32Array,
  Float64Array,
  BigInt64Array,
  BigUint64Array,
])
  speciesHolders.add(view.prototype)

const hiddenIntrinsics = (): object[] =>
  [
    function* () {},
    async function* () {},
    async () => {},
    [][Symbol.iterator](),
    new Map()[Symbol.iterator](),
    new Set()[Symbol.iterator](),
    ''[Symbol.iterator](),
    'a'.matchAll(/a/g),
  ].map((sample) => getPrototypeOf(sample) as object)

/** Everything that guests reach, found while the snapshot was made: looking for it costs more than all the rest. */
let known: Set<object> = new Set()
/** The accessors that stand for members of prototypes; they are frozen in the snapshot. */
const accessors = new Set<unknown>()
let prototypes: readonly object[] = []
let left: ReadonlySet<unknown> = new Set()

/**
 * Finds all there is to freeze and takes the override mistake away. Done once, into the snapshot; V8 does not start from one
 * that holds frozen intrinsics, so freezing itself is left to `freezeWorld`.
 *
 * @param roots where to start besides the global object
 * @param open what stays as it is
 */
export function surveyWorld(roots: readonly unknown[], open: ReadonlySet<unknown>): void {
  left = open
  const found = reach([...globalValues(), ...cellOriginals(), ...hiddenIntrinsics(), ...roots], new Set())
  known = found.seen
  prototypes = [...found.prototypes]
  for (const prototype of prototypes) repairOverrides(prototype)
}

/** Freezes what was found, and what V8 has added to the global object since. */
export function freezeWorld(): void {
  const added = reach([...globalValues(), ...membersOfIntrinsics()], known)
  for (const prototype of added.prototypes) repairOverrides(prototype)
  for (const value of known) fix(value)
  for (const value of added.seen) fix(value)
  for (const prototype of prototypes) quicken(prototype)
  for (const prototype of added.prototypes) quicken(prototype)
  for (const holder of [Math, JSON, Date, console, Reflect, performance, crypto]) quicken(holder)
  fixGlobals()
}

function fix(value: object): void {
  if (value === Error) freezeError()
  else if (!ArrayBuffer.isView(value)) freeze(value)
}

/** What the global object holds but the driver's own entry. */
function globalValues(): unknown[] {
  const globals = getOwnPropertyDescriptors(globalThis)
  const values: unknown[] = []
  for (const key of ownKeys(globals)) {
    if (key === '__redgreen') continue
    const descriptor = globals[key as keyof typeof globals] as PropertyDescriptor
    values.push(descriptor.value, descriptor.get, descriptor.set)
  }
  return values
}

/** V8 adds its newest functions to its objects at every start, after the snapshot. */
function membersOfIntrinsics(): unknown[] {
  const values: unknown[] = []
  const look = (holder: unknown): void => {
    if ((typeof holder !== 'object' || holder === null) && typeof holder !== 'function') return
    for (const key of ownKeys(holder)) {
      const descriptor = getOwnPropertyDescriptor(holder, key)
      if (descriptor) values.push(descriptor.value, descriptor.get, descriptor.set)
    }
  }
  for (const value of globalValues()) {
    look(value)
    if (typeof value === 'function') look(value.prototype)
  }
  for (const sample of hiddenIntrinsics()) {
    const { prototype } = sample as { prototype?: object }
    for (let at = prototype ?? sample; at; at = getPrototypeOf(at) as object) look(at)
  }
  return values
}

/** All objects that can be had from `roots` and are not among `without`, and those of them that are prototypes. */
function reach(
  roots: readonly unknown[],
  without: ReadonlySet<object>,
): { seen: Set<object>; prototypes: Set<object> } {
  const seen = new Set<object>()
  const found = new Set<object>()
  const queue: object[] = []
  const add = (value: unknown): void => {
    if (((typeof value === 'object' && value !== null) || typeof value === 'function') && value !== globalThis) {
      if (seen.has(value) || without.has(value) || accessors.has(value) || left.has(value)) return
      seen.add(value)
      queue.push(value)
    }
  }
  for (const root of roots) add(root)
  for (let at = 0; at < queue.length; at++) {
    const value = queue[at] as object
    add(getPrototypeOf(value))
    for (const key of ownKeys(value)) {
      const descriptor = getOwnPropertyDescriptor(value, key)
      if (!descriptor) continue
      if ('value' in descriptor) {
        add(descriptor.value)
        if (key === 'prototype' && typeof value === 'function' && descriptor.value) found.add(descriptor.value)
      } else {
        add(descriptor.get)
        add(descriptor.set)
      }
    }
  }
  return { seen, prototypes: new Set([...found].filter((prototype) => seen.has(prototype))) }
}

/**
 * Has V8 keep an object's members in a shape and not in a hash table, in which redefined members have put it: only then are
 * they inlined. V8 does so for what serves as a prototype as soon as members are looked up through it.
 */
function quicken(holder: object): void {
  const heir = Object.create(holder) as Record<string, unknown>
  for (let turn = 0; turn < 3; turn++) absentMember(heir)
}

const absentMember = (heir: Record<string, unknown>): unknown => heir.redgreenAbsent

function repairOverrides(prototype: object): void {
  for (const key of ownKeys(prototype)) {
    const descriptor = getOwnPropertyDescriptor(prototype, key)
    if (!descriptor?.configurable || !('value' in descriptor) || !descriptor.writable || keepsData(prototype, key))
      continue
    const { value } = descriptor
    const pair = {
      get(): unknown {
        return value
      },
      set(this: unknown, own: unknown): void {
        if (this === prototype || ((typeof this !== 'object' || this === null) && typeof this !== 'function')) {
          throw new TypeError(`Cannot assign to read only property '${String(key)}' of a frozen intrinsic`)
        }
        defineProperty(this, key, { value: own, writable: true, enumerable: true, configurable: true })
      },
    }
    accessors.add(freeze(pair.get)).add(freeze(pair.set))
    defineProperty(prototype, key, { ...pair, enumerable: descriptor.enumerable ?? false, configurable: false })
  }
}

/** V8 wants `Error.stackTraceLimit` as plain data, and libraries set it; all else of Error is fixed. */
function freezeError(): void {
  for (const key of ownKeys(Error)) {
    const descriptor = getOwnPropertyDescriptor(Error, key)
    if (key === 'stackTraceLimit' || !descriptor?.configurable) continue
    defineProperty(
      Error,
      key,
      'value' in descriptor ? { writable: false, configurable: false } : { configurable: false },
    )
  }
  // guest code that could read call sites would see the harness's frames
  const nothing = freeze(() => undefined)
  defineProperty(Error, 'prepareStackTrace', { get: nothing, set: nothing, configurable: false })
  preventExtensions(Error)
}

/** Bindings of the global object stay what they are; new names may be added. */
function fixGlobals(): void {
  for (const key of ownKeys(globalThis)) {
    const descriptor = getOwnPropertyDescriptor(globalThis, key)
    // the driver takes its own entry away before guest code is run
    if (!descriptor?.configurable || key === '__redgreen') continue
    if ('value' in descriptor) defineProperty(globalThis, key, { writable: false, configurable: false })
    else defineProperty(globalThis, key, { configurable: false })
  }
}
