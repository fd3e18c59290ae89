/**
 * Members that tests replace all the time (`Date.now`, `Math.random`, `console.log`, `fetch`) look like fixed accessors;
 * what they give is kept in cells that the harness alone can set. A candidate's assignment throws as it does on any
 * frozen intrinsic: a cell it could write would let it forge what the tests see.
 */

interface Cell {
  /** Gives the present value; a spy puts its own here. */
  read: () => unknown
  readonly original: () => unknown
}

const cells = new WeakMap<object, Map<PropertyKey, Cell>>()
/** Those of the global object, which is another object after a start from the snapshot. */
const globalCells = new Map<PropertyKey, Cell>()
const all: Cell[] = []
/** Plain members that a test added to or took from the global object, with what was there before. */
let additions: { holder: object; name: PropertyKey; before: PropertyDescriptor | undefined }[] = []

/** Makes `holder[name]` a cell that starts with `value`. */
export function defineCell(holder: object, name: PropertyKey, value: unknown, enumerable = true): void {
  const original = (): unknown => value
  const cell: Cell = { read: original, original }
  const own = holder === globalThis ? globalCells : (cells.get(holder) ?? new Map<PropertyKey, Cell>())
  if (holder !== globalThis) cells.set(holder, own)
  own.set(name, cell)
  all.push(cell)
  Object.defineProperty(holder, name, {
    get: () => cell.read(),
    set(this: unknown, own: unknown) {
      // what inherits from the holder may have a member of its own
      if (
        this === holder ||
        this === undefined ||
        this === null ||
        (typeof this !== 'object' && typeof this !== 'function')
      ) {
        throw new TypeError(`Cannot assign to read only property '${String(name)}'`)
      }
      Object.defineProperty(this, name, { value: own, writable: true, enumerable: true, configurable: true })
    },
    enumerable,
    configurable: false,
  })
}

/** Makes all methods of `holder` cells: tests spy on them, and a candidate must not replace them. */
export function defineMethodCells(holder: object): void {
  for (const [name, { value, configurable, enumerable }] of Object.entries(Object.getOwnPropertyDescriptors(holder))) {
    if (typeof value !== 'function' || !configurable || name === 'constructor') continue
    Reflect.deleteProperty(holder, name)
    defineCell(holder, name, value, enumerable)
  }
}

/** What the cells hold at the start, for those who freeze it: no walk over properties finds it. */
export const cellOriginals = (): unknown[] => all.map((cell) => cell.original())

const cellOf = (holder: unknown, name: PropertyKey): Cell | undefined =>
  holder === globalThis
    ? globalCells.get(name)
    : holder !== null && (typeof holder === 'object' || typeof holder === 'function')
      ? cells.get(holder)?.get(name)
      : undefined

export const isCell = (holder: unknown, name: PropertyKey): boolean => cellOf(holder, name) !== undefined

/** Makes a cell give what `read` says; false if there is no such cell. */
export function linkCell(holder: unknown, name: PropertyKey, read: () => unknown): boolean {
  const cell = cellOf(holder, name)
  if (!cell) return false
  cell.read = read
  return true
}

/** What a test's own assignment does: sets a cell, else adds or changes a member until the test is over. */
export function setMember(holder: object, name: PropertyKey, value: unknown): unknown {
  if (linkCell(holder, name, () => value)) return value
  additions.push({ holder, name, before: Object.getOwnPropertyDescriptor(holder, name) })
  Object.defineProperty(holder, name, { value, writable: true, enumerable: true, configurable: true })
  return value
}

/** What a test's own `delete` does. */
export function removeMember(holder: object, name: PropertyKey): boolean {
  if (linkCell(holder, name, () => undefined)) return true
  additions.push({ holder, name, before: Object.getOwnPropertyDescriptor(holder, name) })
  return Reflect.deleteProperty(holder, name)
}

/** A point to come back to. */
export interface CellState {
  readonly reads: readonly (() => unknown)[]
  readonly additions: number
}

export const saveCells = (): CellState => ({ reads: all.map((cell) => cell.read), additions: additions.length })

/** Undoes what was set since `state` was saved. */
export function restoreCells(state: CellState): void {
  for (const [index, cell] of all.entries()) cell.read = state.reads[index] ?? cell.original
  while (additions.length > state.additions) {
    const added = additions.pop()
    if (!added) return
    if (added.before) Object.defineProperty(added.holder, added.name, added.before)
    else Reflect.deleteProperty(added.holder, added.name)
  }
}

export function resetCells(): void {
  restoreCells({ reads: [], additions: 0 })
  additions = []
}
