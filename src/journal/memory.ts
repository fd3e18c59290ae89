import { RedgreenError } from '../errors.ts'
import {
  abortedError,
  divergedError,
  encodeResult,
  hashInput,
  type Journal,
  type JournalEntry,
  type JournalStore,
} from './journal.ts'

interface Slot {
  readonly inputHash: string
  /** JSON text of the result, once there is one. */
  encoded?: { readonly result: string | undefined }
  /** The effect while it runs, shared by all who ask for this name. */
  running?: Promise<string | undefined>
}

/** Journals that live as long as the process; the default of a library call. */
export function createMemoryJournalStore(): JournalStore {
  // Slots stay in the order of starting, which is what a fork cuts by.
  const runs = new Map<string, Map<string, Slot>>()
  let isClosed = false

  const slotsOf = (runId: string) => {
    if (isClosed) throw new RedgreenError('ENGINE_CLOSED', 'The journal is closed; open a new engine.')
    const known = runs.get(runId)
    if (known) return known
    const fresh = new Map<string, Slot>()
    runs.set(runId, fresh)
    return fresh
  }

  const close = async () => {
    isClosed = true
    runs.clear()
  }

  return {
    open: (runId, options = {}) => createJournal(slotsOf(runId), options.signal ?? new AbortController().signal),
    entries: async (runId) => entriesOf(slotsOf(runId)),
    seed: async (runId, entries) => {
      const slots = slotsOf(runId)
      if (slots.size > 0) throw new RedgreenError('INVALID_OPTION', `Run "${runId}" has begun; seed a run that is new.`)
      for (const { name, inputHash, result } of entries) slots.set(name, { inputHash, encoded: { result } })
    },
    forget: async (runId) => {
      runs.delete(runId)
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}

/** The journal of one run in memory, for those who need no store. */
export function createMemoryJournal(options: { readonly signal?: AbortSignal } = {}): Journal {
  return createJournal(new Map(), options.signal ?? new AbortController().signal)
}

function createJournal(slots: Map<string, Slot>, signal: AbortSignal): Journal {
  return {
    async step<T>(name: string, input: unknown, effect: (signal: AbortSignal) => Promise<T>): Promise<T> {
      const inputHash = hashInput(input)
      const known = slots.get(name)
      if (known && known.inputHash !== inputHash) throw divergedError(name)
      const slot: Slot = known ?? { inputHash }
      if (slot.encoded) return decode<T>(slot.encoded.result)
      if (!slot.running) {
        if (signal.aborted) throw abortedError(name, signal.reason)
        slots.set(name, slot)
        slot.running = run(name, effect, signal).then(
          (result) => {
            slot.encoded = { result }
            delete slot.running
            return result
          },
          (error: unknown) => {
            slots.delete(name)
            throw error
          },
        )
      }
      return decode<T>(await slot.running)
    },
  }
}

async function run<T>(name: string, effect: (signal: AbortSignal) => Promise<T>, signal: AbortSignal) {
  try {
    return encodeResult(name, await effect(signal))
  } catch (error) {
    throw signal.aborted ? abortedError(name, error) : error
  }
}

/** The caller named T for this step; another input, and with it another type, is refused by its hash. */
function decode<T>(encoded: string | undefined): T {
  return (encoded === undefined ? undefined : JSON.parse(encoded)) as T
}

function entriesOf(slots: ReadonlyMap<string, Slot>): JournalEntry[] {
  return [...slots].flatMap(([name, { inputHash, encoded }]) =>
    encoded ? [{ name, inputHash, result: encoded.result }] : [],
  )
}
