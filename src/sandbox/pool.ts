import { RedgreenError } from '../errors.ts'
import { SandboxChild } from './child-process.ts'
import { type JobListeners, runInChild } from './job-run.ts'
import type { Launch } from './launch.ts'
import type { GuestOutcomeOfAny } from './protocol.ts'
import type { Job } from './types.ts'

/** While others wait, a scope keeps a child for so long before it must give it up between two jobs. */
const sliceMs = 500
/** While others wait, a child that has nothing to do waits so long for the next job of its scope. */
const idleGraceMs = 15
/** A start costs as much as several verdicts. */
const warmDelayMs = 150
/** A host that asks for one verdict and ends (a command line) pays for no spare. */
const firstWarmDelayMs = 1_000
/** A child whose memory has grown so far beyond its start is replaced; V8 does not give all of it back. */
const grownBytesAtMost = 134_217_728
/** So many children in a row that do not start are no accident. */
const startFailuresAtMost = 3
const mebibyte = 1_048_576
/** Children are started with a backstop for this; a job that asks for more has it raised first. */
const usualMemoryMiB = 256

interface Slot {
  readonly child: SandboxChild
  state: 'starting' | 'idle' | 'busy' | 'leaving'
  /** Set once and never changed: a child serves one scope in its life. */
  scope: string | undefined
  assignedAt: number
  idleSince: number
  startBytes: number
  memoryMiB: number
  nextId: number
}

interface Ticket {
  readonly job: Job
  readonly scope: string
  readonly listeners: JobListeners
  readonly settle: (outcome: GuestOutcomeOfAny) => void
  readonly fail: (error: unknown) => void
  /** Set while it runs. */
  slot: Slot | undefined
  /** Why its child is killed before the job is over. */
  cancelled: RedgreenError | undefined
}

export interface PoolOptions {
  /** All processes together: those that serve, those that are warm and those that start. */
  readonly maxChildren: number
  /** Ready children without a scope that are kept as far as `maxChildren` leaves room. */
  readonly warm: number
}

/** Children and who waits for them: bounded, fair over scopes, warm ahead of demand. */
export class Pool {
  readonly #launch: Launch
  readonly #snapshot: Uint8Array | null
  readonly #options: PoolOptions
  readonly #slots = new Set<Slot>()
  /** Waiting tickets by scope; the scopes in the order in which they are served next. */
  readonly #waiting = new Map<string, Ticket[]>()
  readonly #running = new Set<Ticket>()
  #startFailures = 0
  #hasServed = false
  #hasHadSpare = false
  #closing: Promise<void> | undefined
  #pumpTimer: NodeJS.Timeout | undefined
  #warmTimer: NodeJS.Timeout | undefined
  #keepAlive: NodeJS.Timeout | undefined

  /** @param first a child that is ready and has served nothing */
  constructor(launch: Launch, first: SandboxChild, options: PoolOptions) {
    this.#launch = launch
    this.#snapshot = first.snapshot
    this.#options = options
    this.#adopt(first)
  }

  /** Runs a job when its turn has come. Rejects with ABORTED, ENGINE_CLOSED, SANDBOX_UNAVAILABLE, or what a listener threw. */
  run(job: Job, scope: string, listeners: JobListeners, signal?: AbortSignal): Promise<GuestOutcomeOfAny> {
    if (this.#closing) return Promise.reject(closedError())
    if (signal?.aborted) return Promise.reject(abortedError(signal))
    return new Promise((resolve, reject) => {
      const onAbort = () => this.#cancel(ticket, abortedError(signal))
      const over = () => signal?.removeEventListener('abort', onAbort)
      const ticket: Ticket = {
        job,
        scope,
        listeners,
        settle: (outcome) => {
          over()
          resolve(outcome)
        },
        fail: (error) => {
          over()
          reject(error)
        },
        slot: undefined,
        cancelled: undefined,
      }
      signal?.addEventListener('abort', onAbort, { once: true })
      const queue = this.#waiting.get(scope)
      if (queue) queue.push(ticket)
      else this.#waiting.set(scope, [ticket])
      this.#pump()
    })
  }

  /** Ends the children of a scope; its jobs that still run or wait are aborted. */
  async release(scope: string): Promise<void> {
    const error = new RedgreenError('ABORTED', 'the scope of this job was released')
    for (const ticket of [...(this.#waiting.get(scope) ?? []), ...this.#running]) {
      if (ticket.scope === scope) this.#cancel(ticket, error)
    }
    const leaving = [...this.#slots].filter((slot) => slot.scope === scope)
    await Promise.all(leaving.map((slot) => this.#retire(slot)))
  }

  /** Idempotent and bounded; jobs that still run or wait are rejected with ENGINE_CLOSED. */
  close(): Promise<void> {
    this.#closing ??= (async () => {
      clearTimeout(this.#pumpTimer)
      clearTimeout(this.#warmTimer)
      for (const ticket of [...[...this.#waiting.values()].flat(), ...this.#running])
        this.#cancel(ticket, closedError())
      await Promise.all([...this.#slots].map((slot) => this.#retire(slot)))
      clearInterval(this.#keepAlive)
    })()
    return this.#closing
  }

  #cancel(ticket: Ticket, error: RedgreenError): void {
    if (ticket.slot) {
      ticket.cancelled = error
      ticket.slot.child.kill()
      return
    }
    const rest = this.#waiting.get(ticket.scope)?.filter((other) => other !== ticket) ?? []
    if (rest.length > 0) this.#waiting.set(ticket.scope, rest)
    else this.#waiting.delete(ticket.scope)
    ticket.fail(error)
    this.#pump()
  }

  /** Brings tickets and children together; called whenever either changes. */
  #pump(): void {
    this.#holdHost()
    if (this.#closing) return
    clearTimeout(this.#pumpTimer)
    for (const scope of [...this.#waiting.keys()]) this.#serve(scope)
    const starting = this.#count((slot) => slot.state === 'starting')
    const tickets = [...this.#waiting.values()].reduce((sum, queue) => sum + queue.length, 0)
    const missing = tickets - starting
    const room = this.#options.maxChildren - this.#slots.size
    if (missing > 0) {
      for (let started = 0; started < Math.min(missing, room); started++) this.#start()
      if (missing > room) this.#makeRoom()
      return
    }
    this.#warmUp(tickets)
  }

  /** Spares come a moment later: whoever has just asked for something has the processors first. */
  #warmUp(tickets: number): void {
    const spare = this.#count((slot) => slot.scope === undefined && slot.state !== 'leaving') - tickets
    const missing = Math.min(this.#options.warm - spare, this.#options.maxChildren - this.#slots.size)
    if (missing <= 0 || this.#warmTimer || !this.#hasServed) return
    const delayMs = this.#hasHadSpare ? warmDelayMs : firstWarmDelayMs
    this.#warmTimer = setTimeout(() => {
      this.#warmTimer = undefined
      this.#hasHadSpare = true
      if (this.#slots.size < this.#options.maxChildren) this.#start()
      this.#pump()
    }, delayMs).unref()
  }

  /** Gives waiting tickets of one scope to children that are free for it. */
  #serve(scope: string): void {
    for (;;) {
      const queue = this.#waiting.get(scope)
      const slot = queue && this.#freeFor(scope)
      const ticket = slot && queue.shift()
      if (!queue || !slot || !ticket) return
      // To the back of the line, which is the order of a Map.
      this.#waiting.delete(scope)
      if (queue.length > 0) this.#waiting.set(scope, queue)
      void this.#dispatch(slot, ticket)
      // One at a time for those whose slice is used up or who share; the next turn is in the order of the line.
      if (this.#waiting.size > 1) return
    }
  }

  #freeFor(scope: string): Slot | undefined {
    const own = this.#find((slot) => slot.state === 'idle' && slot.scope === scope)
    if (own && (this.#waiting.size === 1 || performance.now() - own.assignedAt < sliceMs)) return own
    return this.#find((slot) => slot.state === 'idle' && slot.scope === undefined)
  }

  /** Others wait and no process may be added: a child of a scope that has no use for it, or has had it long, goes. */
  #makeRoom(): void {
    const now = performance.now()
    let soonest = Number.POSITIVE_INFINITY
    for (const slot of this.#slots) {
      if (slot.state !== 'idle' || slot.scope === undefined) continue
      const queued = this.#waiting.has(slot.scope)
      const dueAt = queued
        ? slot.assignedAt + sliceMs
        : Math.min(slot.idleSince + idleGraceMs, Math.max(slot.idleSince, slot.assignedAt + sliceMs))
      if (dueAt <= now) {
        void this.#retire(slot)
        return
      }
      soonest = Math.min(soonest, dueAt)
    }
    if (soonest < Number.POSITIVE_INFINITY) this.#pumpTimer = setTimeout(() => this.#pump(), soonest - now + 1)
  }

  #start(): void {
    const slot = this.#adopt(new SandboxChild(this.#launch, this.#snapshot))
    // In the background: the parent's own meter is there from the first job on.
    slot.child.ready.then(() => slot.child.limit(usualMemoryMiB * mebibyte)).catch(() => {})
  }

  #adopt(child: SandboxChild): Slot {
    const now = performance.now()
    const slot: Slot = {
      child,
      state: 'starting',
      scope: undefined,
      assignedAt: now,
      idleSince: now,
      startBytes: 0,
      memoryMiB: usualMemoryMiB,
      nextId: 1,
    }
    this.#slots.add(slot)
    child.ready.then(
      () => {
        this.#startFailures = 0
        slot.startBytes = child.meter?.sample()?.residentBytes ?? 0
        if (slot.state === 'starting') slot.state = 'idle'
        this.#pump()
      },
      (error: Error) => this.#onStartFailure(slot, error),
    )
    void child.exited.then(() => {
      this.#slots.delete(slot)
      this.#pump()
    })
    return slot
  }

  #onStartFailure(slot: Slot, error: Error): void {
    this.#slots.delete(slot)
    if (slot.state === 'leaving' || ++this.#startFailures < startFailuresAtMost) return
    this.#startFailures = 0
    const failure = new RedgreenError('SANDBOX_UNAVAILABLE', `sandbox children do not start: ${error.message}`, {
      cause: error,
    })
    for (const ticket of [...this.#waiting.values()].flat()) ticket.fail(failure)
    this.#waiting.clear()
  }

  async #dispatch(slot: Slot, ticket: Ticket): Promise<void> {
    slot.state = 'busy'
    if (slot.scope === undefined) slot.assignedAt = performance.now()
    slot.scope = ticket.scope
    ticket.slot = slot
    this.#running.add(ticket)
    const { memoryMiB } = ticket.job.limits
    if (memoryMiB > slot.memoryMiB) {
      slot.memoryMiB = memoryMiB
      await slot.child.limit(memoryMiB * mebibyte)
    }
    const result = await runInChild(slot.child, slot.nextId++, ticket.job, ticket.listeners)
    this.#running.delete(ticket)
    this.#hasServed = true
    const grown = (slot.child.meter?.sample()?.residentBytes ?? 0) - slot.startBytes
    slot.idleSince = performance.now()
    if (slot.state === 'busy') slot.state = 'idle'
    if (!result.reusable || grown > grownBytesAtMost) await this.#retire(slot)
    if (ticket.cancelled) ticket.fail(ticket.cancelled)
    else if (result.listenerError) ticket.fail(result.listenerError.thrown)
    else ticket.settle(result.outcome)
    this.#pump()
  }

  /** A child that goes serves nobody any more; fulfilled when it has ended. */
  async #retire(slot: Slot): Promise<void> {
    // A running job's child is busy with a guest, one that starts does not listen yet: they are not asked.
    if (slot.state === 'busy' || slot.state === 'starting') slot.child.kill()
    slot.state = 'leaving'
    await slot.child.close()
    this.#slots.delete(slot)
  }

  #find(matches: (slot: Slot) => boolean): Slot | undefined {
    for (const slot of this.#slots) if (slot.child.alive && matches(slot)) return slot
    return undefined
  }

  #count(matches: (slot: Slot) => boolean): number {
    let count = 0
    for (const slot of this.#slots) if (matches(slot)) count++
    return count
  }

  /** Children do not keep the host's event loop alive; whoever waits for an outcome does. */
  #holdHost(): void {
    const needed = this.#running.size > 0 || this.#waiting.size > 0
    if (needed) this.#keepAlive ??= setInterval(() => {}, 2_147_483_647)
    else {
      clearInterval(this.#keepAlive)
      this.#keepAlive = undefined
    }
  }
}

function closedError(): RedgreenError {
  return new RedgreenError('ENGINE_CLOSED', 'the sandbox was closed')
}

function abortedError(signal?: AbortSignal): RedgreenError {
  return new RedgreenError('ABORTED', 'the job was aborted by its signal', { cause: signal?.reason })
}
