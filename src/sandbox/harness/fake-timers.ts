import { type Clock, type FakeMethod, withGlobal } from '@sinonjs/fake-timers'
import { linkCell } from './cells.ts'
import { elapsedMs, wallMs } from './clock.ts'
import { timers, VirtualDate } from './timers.ts'

/** `vi.useFakeTimers` and jest's: a second clock above the virtual one, moved by the test alone. */

const originals: Record<string, unknown> = {
  setTimeout: timers.setTimeout,
  clearTimeout: timers.clearTimeout,
  setInterval: timers.setInterval,
  clearInterval: timers.clearInterval,
  setImmediate: timers.setImmediate,
  clearImmediate: timers.clearImmediate,
  queueMicrotask: timers.queueMicrotask,
  Date: VirtualDate,
  performance: { now: () => elapsedMs() },
}
const defaultFakes = [
  'setTimeout',
  'clearTimeout',
  'setInterval',
  'clearInterval',
  'setImmediate',
  'clearImmediate',
  'Date',
  'performance',
]

let clock: Clock | undefined
let fakedDateOnly: Clock | undefined
let table: Record<string, unknown> = {}

interface FakeOptions {
  now?: number | Date
  toFake?: readonly string[]
  doNotFake?: readonly string[]
  toNotFake?: readonly string[]
  loopLimit?: number
  advanceTimers?: boolean | number
}

function install(names: readonly string[], now: number | Date, loopLimit: number): Clock {
  // the asynchronous ways to advance exist only beside a Promise
  table = { ...originals, Promise }
  const installed = withGlobal(table as never).install({
    now,
    toFake: names.filter((name) => name in originals) as FakeMethod[],
    loopLimit,
    ignoreMissingTimers: true,
  })
  for (const name of names) if (name in table) linkCell(globalThis, name, () => table[name])
  return installed
}

function uninstall(installed: Clock | undefined): void {
  installed?.uninstall()
  for (const name of Object.keys(originals)) {
    const original = name === 'performance' ? undefined : originals[name]
    if (original !== undefined) linkCell(globalThis, name, () => original)
  }
  if (realPerformance) linkCell(globalThis, 'performance', () => realPerformance)
}

let realPerformance: unknown

const active = (): Clock => {
  if (!clock) {
    throw new Error('Timers are not mocked. Try calling "vi.useFakeTimers()" first.')
  }
  return clock
}

const toTime = (time: unknown): number | Date =>
  typeof time === 'string' ? new VirtualDate(time) : (time as number | Date)

export const fakeTimers = {
  isFake: (): boolean => clock !== undefined,
  use(options: FakeOptions = {}): void {
    const at = clock?.now ?? fakedDateOnly?.now ?? wallMs()
    fakeTimers.useReal()
    realPerformance ??= globalThis.performance
    const without = [...(options.doNotFake ?? []), ...(options.toNotFake ?? [])]
    const names = (options.toFake ?? defaultFakes).filter((name) => !without.includes(name))
    clock = install(names, options.now === undefined ? at : toTime(options.now), options.loopLimit ?? 10_000)
  },
  useReal(): void {
    if (!clock && !fakedDateOnly) return
    uninstall(clock ?? fakedDateOnly)
    clock = undefined
    fakedDateOnly = undefined
  },
  setSystemTime(time: unknown = wallMs()): void {
    if (clock) clock.setSystemTime(toTime(time))
    else {
      uninstall(fakedDateOnly)
      fakedDateOnly = install(['Date'], toTime(time), 10_000)
    }
  },
  /** The mocked time, else null. */
  mockedTime: (): Date | null => {
    const faked = clock ?? fakedDateOnly
    return faked ? new VirtualDate(faked.now) : null
  },
  realTime: (): number => wallMs(),
  now: (): number => clock?.now ?? wallMs(),
  count: (): number => active().countTimers(),
  clear: (): void => active().reset(),
  advance: (ms: number): void => void active().tick(ms),
  advanceAsync: async (ms: number): Promise<void> => void (await active().tickAsync(ms)),
  next: (): void => void active().next(),
  nextAsync: async (): Promise<void> => void (await active().nextAsync()),
  frame: (): void => void active().runToFrame(),
  runAll: (): void => void active().runAll(),
  runAllAsync: async (): Promise<void> => void (await active().runAllAsync()),
  runPending: (): void => void active().runToLast(),
  runPendingAsync: async (): Promise<void> => void (await active().runToLastAsync()),
  runTicks: (): void => active().runMicrotasks(),
}
