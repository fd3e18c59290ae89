import type { Isolation } from '../domain/report.ts'
import { putUpWalls } from './walls.ts'

/** What `redgreen doctor` shows of the sandbox. */
export interface IsolationProbe {
  readonly isolation: Isolation
  /** One sentence each: what holds, what does not, and why. */
  readonly reasons: readonly string[]
}

/** Puts walls up, tries to break them, takes them down again. Throws SANDBOX_UNAVAILABLE when no child can be started. */
export async function probeIsolation(): Promise<IsolationProbe> {
  const { child, isolation, reasons } = await putUpWalls('auto')
  await child.close()
  return { isolation, reasons }
}
