import { availableParallelism } from 'node:os'
import type { Isolation } from '../domain/report.ts'
import { RedgreenError } from '../errors.ts'
import { Pool } from './pool.ts'
import type { GuestOutcomeOfAny } from './protocol.ts'
import type { Job, Outcome, Sandbox } from './types.ts'
import { type NamespaceMode, putUpWalls } from './walls.ts'

export interface SandboxOptions {
  /** Processes at most, serving, warm and starting together. Default: the number of cores. */
  readonly maxChildren?: number
  /** Children kept ready without a scope, as far as `maxChildren` leaves room. Default 1. */
  readonly warm?: number
  /** Wall 3: `auto` uses it where it holds, `required` throws SANDBOX_UNAVAILABLE where it does not. Default `auto`. */
  readonly namespace?: NamespaceMode
}

interface ResolvedSandboxOptions {
  readonly maxChildren: number
  readonly warm: number
  readonly namespace: NamespaceMode
}

/**
 * Opens a sandbox: the first child starts and its walls are probed at once, in the background.
 * Throws INVALID_OPTION. `run` rejects with ABORTED, ENGINE_CLOSED, SANDBOX_UNAVAILABLE; everything that a candidate does is
 * in the outcome's `end`.
 */
export function createSandbox(options: SandboxOptions = {}): Sandbox {
  return openSandbox(resolveSandboxOptions(options))
}

function resolveSandboxOptions(options: SandboxOptions): ResolvedSandboxOptions {
  const { maxChildren = availableParallelism(), warm = 1, namespace = 'auto' } = options
  if (!Number.isInteger(maxChildren) || maxChildren < 1) {
    throw new RedgreenError('INVALID_OPTION', `maxChildren must be a whole number of at least 1, not ${maxChildren}`)
  }
  if (!Number.isInteger(warm) || warm < 0) {
    throw new RedgreenError('INVALID_OPTION', `warm must be a whole number of at least 0, not ${warm}`)
  }
  if (!['auto', 'off', 'required'].includes(namespace)) {
    throw new RedgreenError('INVALID_OPTION', `namespace must be auto, off or required, not ${namespace}`)
  }
  return Object.freeze({ maxChildren, warm, namespace })
}

/** As `createSandbox`; @param entry a program to run in place of the built child, for tests of what a bad child does. */
export function openSandbox(options: ResolvedSandboxOptions, entry?: string): Sandbox {
  const opening = putUpWalls(options.namespace, entry).then((walls) => ({
    isolation: walls.isolation,
    pool: new Pool(walls.launch, walls.child, options),
  }))
  const isolation: Promise<Isolation> = opening.then((opened) => opened.isolation)
  isolation.catch(() => {}) // whoever asks for it, or runs a job, is told
  let closing: Promise<void> | undefined
  const close = (): Promise<void> => {
    closing ??= opening.then(
      ({ pool }) => pool.close(),
      () => {}, // nothing was opened
    )
    return closing
  }
  return {
    isolation,
    async run<J extends Job>(job: J, run: Parameters<Sandbox['run']>[1]): Promise<Outcome<J>> {
      const { pool, isolation: level } = await opening
      const outcome = await pool.run(job, run.scope, run, run.signal)
      // The protocol has checked that the outcome is of the job's kind.
      return stamp(outcome, level) as Outcome<J>
    },
    async release(scope) {
      // Where nothing was opened there is nothing to release, and whoever ran a job was told.
      const opened = await opening.catch(() => undefined)
      await opened?.pool.release(scope)
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}

function stamp(outcome: GuestOutcomeOfAny, isolation: Isolation): Outcome<Job> {
  return outcome.kind === 'search' ? outcome : { ...outcome, isolation }
}
