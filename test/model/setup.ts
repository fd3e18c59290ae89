import type { ModelClock } from '../../src/model/clock.ts'
import { openaiModel } from '../../src/model/openai.ts'
import type { OpenaiModelOptions } from '../../src/model/options.ts'
import type { Model, ModelRequest } from '../../src/model/types.ts'
import {
  createScriptedServer,
  type RecordedRequest,
  type Script,
  type ScriptedServer,
  type ServerStep,
} from '../../src/testing/index.ts'

/** 2026-01-01T00:00:00Z */
export const START_MS = 1_767_225_600_000

/** A clock that tests move: sleeps end at once and are written down, timers fire when told. */
export interface ManualClock extends ModelClock {
  readonly sleeps: number[]
  /** Timers set so far, those that were stopped included. */
  readonly timersSet: number
  /** Running timers by their length, newest last. */
  readonly timers: { readonly ms: number; readonly fire: () => void }[]
  advance(ms: number): void
}

export function createManualClock(): ManualClock {
  let nowMs = START_MS
  const sleeps: number[] = []
  const timers: { readonly ms: number; readonly fire: () => void }[] = []
  let timersSet = 0
  return {
    get timersSet() {
      return timersSet
    },
    sleeps,
    timers,
    now: () => nowMs,
    advance: (ms) => {
      nowMs += ms
    },
    sleep: async (ms, signal) => {
      signal.throwIfAborted()
      sleeps.push(ms)
      nowMs += ms
    },
    setTimer: (ms, fire) => {
      const timer = { ms, fire }
      timers.push(timer)
      timersSet++
      return () => {
        const at = timers.indexOf(timer)
        if (at !== -1) timers.splice(at, 1)
      }
    },
  }
}

export interface Rig extends AsyncDisposable {
  readonly server: ScriptedServer
  readonly model: Model
  readonly clock: ManualClock
}

/** A scripted server and a model that talks to it, with a manual clock and no jitter. */
export async function createRig(
  script: Script<ServerStep, RecordedRequest>,
  options: Partial<OpenaiModelOptions> = {},
): Promise<Rig> {
  const server = await createScriptedServer({ script })
  const clock = createManualClock()
  const model = openaiModel({
    model: 'm',
    baseURL: server.baseURL,
    apiKey: 'sk-test-secret-0123456789',
    clock,
    random: () => 1 - Number.EPSILON,
    ...options,
  })
  return { server, model, clock, [Symbol.asyncDispose]: () => server.close() }
}

export const ask = (extra: Partial<ModelRequest> = {}): ModelRequest => ({
  role: 'generate',
  messages: [
    { role: 'system', content: 'You write code.' },
    { role: 'user', content: 'Write n.' },
  ],
  ...extra,
})
