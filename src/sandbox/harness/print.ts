/**
 * Prints values for people: what differs must be visible (-0, NaN, missing against undefined, Map, Set, BigInt, Symbol),
 * and whatever is given, the text stays short. Getters are named, not called.
 */

export const longestText = 4_000
const deepest = 8
const mostEntries = 100
const longestString = 1_000
const widest = 72

interface Budget {
  left: number
  readonly open: object[]
}

const describers: { asymmetric: (value: object) => string | undefined } = { asymmetric: () => undefined }

/** Lets the expect part say how its matchers read, e.g. `Any<Number>`. */
export function describeMatchersWith(describe: (value: object) => string | undefined): void {
  describers.asymmetric = describe
}

export function print(value: unknown): string {
  try {
    return cut(printValue(value, { left: longestText * 2, open: [] }, 0), longestText)
  } catch {
    return '[a value that cannot be printed]'
  }
}

/** At most `length` characters of a text, saying so when some are left out. */
export const cut = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, length)}… (${text.length} characters)`

function printString(text: string): string {
  return text.length > longestString
    ? `${JSON.stringify(text.slice(0, longestString))}… (${text.length} characters)`
    : JSON.stringify(text)
}

function printValue(value: unknown, budget: Budget, depth: number): string {
  switch (typeof value) {
    case 'string':
      return printString(value)
    case 'number':
      return Object.is(value, -0) ? '-0' : String(value)
    case 'bigint':
      return value > 10n ** 200n || value < -(10n ** 200n) ? '[a BigInt of more than 200 digits]' : `${value}n`
    case 'symbol':
      return cut(Symbol.prototype.toString.call(value), 200)
    case 'function':
      return printFunction(value)
    case 'object':
      return value === null ? 'null' : printObject(value, budget, depth)
    default:
      return String(value)
  }
}

function printFunction(value: object): string {
  const name = Object.getOwnPropertyDescriptor(value, 'name')?.value
  const isClass = Function.prototype.toString.call(value).startsWith('class')
  return `[${isClass ? 'class' : 'Function'} ${typeof name === 'string' && name ? cut(name, 80) : 'anonymous'}]`
}

const attempt = <T>(read: () => T): T | undefined => {
  try {
    return read()
  } catch {
    return undefined
  }
}

const mapSize = Object.getOwnPropertyDescriptor(Map.prototype, 'size')?.get
const setSize = Object.getOwnPropertyDescriptor(Set.prototype, 'size')?.get
const isMap = (value: object): value is Map<unknown, unknown> => attempt(() => mapSize?.call(value)) !== undefined
const isSet = (value: object): value is Set<unknown> => attempt(() => setSize?.call(value)) !== undefined

function printObject(value: object, budget: Budget, depth: number): string {
  if (budget.open.includes(value)) return '[Circular]'
  const matcher = describers.asymmetric(value)
  if (matcher !== undefined) return cut(matcher, 300)
  if (depth >= deepest || budget.left <= 0) return Array.isArray(value) ? '[Array]' : '[Object]'
  budget.open.push(value)
  try {
    return printOpen(value, budget, depth)
  } finally {
    budget.open.pop()
  }
}

function printOpen(value: object, budget: Budget, depth: number): string {
  if (Array.isArray(value)) return printArray(value, budget, depth)
  const time = attempt(() => Date.prototype.getTime.call(value))
  if (time !== undefined) return Number.isNaN(time) ? 'Date(Invalid)' : `Date(${new Date(time).toISOString()})`
  if (isMap(value)) {
    const entries = [...Map.prototype.entries.call(value)] as [unknown, unknown][]
    return bracket(
      `Map(${entries.length}) {`,
      entries.map(
        ([key, item]) =>
          () =>
            `${printValue(key, budget, depth + 1)} => ${printValue(item, budget, depth + 1)}`,
      ),
      '}',
      budget,
      depth,
    )
  }
  if (isSet(value)) {
    const items = [...Set.prototype.values.call(value)] as unknown[]
    return bracket(
      `Set(${items.length}) {`,
      items.map((item) => () => printValue(item, budget, depth + 1)),
      '}',
      budget,
      depth,
    )
  }
  if (value instanceof RegExp) return attempt(() => cut(RegExp.prototype.toString.call(value), 300)) ?? '[RegExp]'
  if (value instanceof Error) {
    const message = attempt(() => value.message)
    return `[${cut(String(attempt(() => value.name) ?? 'Error'), 80)}: ${cut(typeof message === 'string' ? message : '', 300)}]`
  }
  if (ArrayBuffer.isView(value) && !(value instanceof DataView)) {
    return printArray(
      Array.from(value as unknown as ArrayLike<number>).slice(0, mostEntries + 1),
      budget,
      depth,
      `${tagOf(value)} [`,
    )
  }
  for (const boxed of [Number, String, Boolean, BigInt, Symbol]) {
    const inner = attempt(() => Reflect.apply(boxed.prototype.valueOf, value, []) as unknown)
    if (inner !== undefined && typeof inner !== 'object') return `[${boxed.name}: ${printValue(inner, budget, depth)}]`
  }
  if (value instanceof Promise) return 'Promise {…}'
  const keys = Reflect.ownKeys(value).filter((key) => Object.getOwnPropertyDescriptor(value, key)?.enumerable)
  const tag = tagOf(value)
  return bracket(
    tag === 'Object' ? '{' : `${tag} {`,
    keys.map((key) => () => `${printKey(key)}: ${printMember(value, key, budget, depth + 1)}`),
    '}',
    budget,
    depth,
  )
}

const printKey = (key: PropertyKey): string =>
  typeof key === 'symbol'
    ? `[${cut(Symbol.prototype.toString.call(key), 100)}]`
    : /^[A-Za-z_$][\w$]*$/.test(String(key))
      ? cut(String(key), 200)
      : printString(String(key))

function printMember(value: object, key: PropertyKey, budget: Budget, depth: number): string {
  const descriptor = Object.getOwnPropertyDescriptor(value, key)
  if (descriptor && 'value' in descriptor) return printValue(descriptor.value, budget, depth)
  return descriptor?.get ? '[Getter]' : '[Setter]'
}

/** The class of an object by its prototype, without asking `Symbol.toStringTag`. */
function tagOf(value: object): string {
  const prototype = attempt(() => Object.getPrototypeOf(value) as object | null)
  if (prototype === null) return '[Object: null prototype]'
  const made = prototype && attempt(() => Reflect.get(prototype, 'constructor', prototype) as unknown)
  const name = typeof made === 'function' ? Object.getOwnPropertyDescriptor(made, 'name')?.value : undefined
  return typeof name === 'string' && name ? cut(name, 80) : 'Object'
}

function printArray(value: readonly unknown[], budget: Budget, depth: number, open = '['): string {
  const items: (() => string)[] = []
  for (let index = 0; index < Math.min(value.length, mostEntries + 1); index++) {
    items.push(
      Object.hasOwn(value, index) ? () => printMember(value, String(index), budget, depth + 1) : () => '<empty>',
    )
  }
  return bracket(open, items, ']', budget, depth, value.length)
}

function bracket(
  open: string,
  parts: readonly (() => string)[],
  close: string,
  budget: Budget,
  depth: number,
  total = parts.length,
): string {
  const shown: string[] = []
  for (const part of parts.slice(0, mostEntries)) {
    if (budget.left <= 0) break
    const text = part()
    budget.left -= text.length
    shown.push(text)
  }
  if (total > shown.length) shown.push(`… ${total - shown.length} more`)
  if (shown.length === 0) return `${open}${close}`
  const padding = open.endsWith('{') ? ' ' : ''
  const line = `${open}${padding}${shown.join(', ')}${padding}${close}`
  if (line.length + depth * 2 <= widest && !line.includes('\n')) return line
  const indent = '  '.repeat(depth + 1)
  return `${open}\n${shown.map((text) => `${indent}${text},`).join('\n')}\n${'  '.repeat(depth)}${close}`
}
