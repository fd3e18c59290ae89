import type { GuestError } from '../types.ts'
import { toGuestError } from './failure.ts'
import type { Surroundings } from './module-types.ts'
import { Registry } from './modules.ts'
import { isExit } from './node/process.ts'
import { print } from './print.ts'
import { type JobSettings, settings } from './settings.ts'

interface ProgramEnd {
  exitCode: number
  error?: GuestError
  result?: string
}

/** Runs a program without tests; its result is its default export, or what the driver made of its last expression. */
export async function runProgram(job: JobSettings, surroundings: Surroundings): Promise<ProgramEnd> {
  const registry = new Registry(surroundings)
  const exitCode = (): number => (typeof settings.process.exitCode === 'number' ? settings.process.exitCode : 0)
  try {
    const pending = registry.loadFile(job.entry)
    if (pending) await pending
    const value = await resultOf(registry, job.entry)
    return { exitCode: exitCode(), ...(value === undefined ? {} : { result: print(value.value) }) }
  } catch (error) {
    if (isExit(error)) return { exitCode: error.exitCode }
    return { exitCode: 1, error: toGuestError(error) }
  }
}

/** The exported value, awaited if it is a promise; boxed, since any value may be the result. */
async function resultOf(registry: Registry, entry: string): Promise<{ value: unknown } | undefined> {
  const namespace = registry.namespaceOf(entry) as Record<string, unknown> | undefined
  const box =
    namespace && 'default' in namespace && !isEmptyCommonJs(registry, entry)
      ? { value: namespace.default }
      : registry.lastValue
  if (!box) return undefined
  return box.value instanceof Promise ? { value: await box.value } : box
}

function isEmptyCommonJs(registry: Registry, entry: string): boolean {
  const exports = registry.commonJsOf(entry)?.exports
  return typeof exports === 'object' && exports !== null && Object.keys(exports).length === 0
}
