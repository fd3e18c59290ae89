/**
 * The virtual clock: time passes only when nothing is left to do at the present instant. The host calls `advance` once
 * per macrotask, so that V8 drains all microtasks between two callbacks, as in a real event loop.
 */

interface Entry {
  readonly id: number
  readonly dueMs: number
  /** Ties are broken by the order of asking. */
  readonly order: number
  readonly callback: () => void
  readonly everyMs: number | undefined
  readonly delayMs: number
  /** Deadlines of the harness itself; they never keep a run alive. */
  readonly isWatchdog: boolean
}

export type Tick = 'ran' | 'watchdog' | 'dry'

/** Node's longest delay; more means 1 ms. */
const longestDelayMs = 2 ** 31 - 1

let nowMs = 0
let startMs = 0
let epochMs = 0
let order = 0
let lastId = 0
let entries = new Map<number, Entry>()
let immediates: { id: number; callback: () => void }[] = []

/** Starts over at `epoch`, forgetting what was scheduled. */
export function resetClock(epoch: number): void {
  epochMs = epoch
  nowMs = 0
  startMs = 0
  order = 0
  entries = new Map()
  immediates = []
}

/** Milliseconds since the run began. */
export const elapsedMs = (): number => nowMs - startMs
/** Milliseconds since 1970. */
export const wallMs = (): number => epochMs + Math.floor(nowMs)

/** Guest code asks for delays with anything; Node's rules make a number of it. */
function toDelay(delay: unknown): number {
  const ms = typeof delay === 'number' ? delay : Number(delay)
  return ms >= 1 && ms <= longestDelayMs ? Math.trunc(ms) : 1
}

function schedule(callback: () => void, delay: number, everyMs: number | undefined, isWatchdog: boolean): number {
  const id = ++lastId
  entries.set(id, { id, dueMs: nowMs + delay, order: ++order, callback, everyMs, delayMs: delay, isWatchdog })
  return id
}

export const schedulers = {
  timeout: (callback: () => void, delay: unknown): number => schedule(callback, toDelay(delay), undefined, false),
  interval: (callback: () => void, delay: unknown): number => schedule(callback, toDelay(delay), toDelay(delay), false),
  watchdog: (callback: () => void, delay: number): number => schedule(callback, toDelay(delay), undefined, true),
  immediate(callback: () => void): number {
    const id = ++lastId
    immediates.push({ id, callback })
    return id
  },
  /** Starts a timer's delay anew. */
  refresh(id: number): void {
    const entry = entries.get(id)
    if (entry) entries.set(id, { ...entry, dueMs: nowMs + entry.delayMs, order: ++order })
  },
  clear(id: number): void {
    if (!entries.delete(id)) immediates = immediates.filter((entry) => entry.id !== id)
  },
}

function nextEntry(): Entry | undefined {
  let best: Entry | undefined
  for (const entry of entries.values()) {
    if (!best || entry.dueMs < best.dueMs || (entry.dueMs === best.dueMs && entry.order < best.order)) best = entry
  }
  return best
}

/** True when nothing but the harness's own deadlines is left: what waits now waits for ever. */
export function isDry(): boolean {
  if (immediates.length > 0) return false
  for (const entry of entries.values()) if (!entry.isWatchdog) return false
  return true
}

/** Runs the next callback, moving time to where it is due. */
export function advance(): Tick {
  const immediate = immediates.shift()
  if (immediate) {
    immediate.callback()
    return 'ran'
  }
  const entry = nextEntry()
  if (!entry) return 'dry'
  nowMs = Math.max(nowMs, entry.dueMs)
  if (entry.everyMs === undefined) entries.delete(entry.id)
  else entries.set(entry.id, { ...entry, dueMs: nowMs + entry.everyMs, order: ++order })
  entry.callback()
  return entry.isWatchdog ? 'watchdog' : 'ran'
}
