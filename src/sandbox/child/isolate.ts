import type { Job, Outcome, SearchOutcome, TestCaseOutcome } from '../types.ts'

/** What is told while a job runs; the texts in it are bounded. */
export interface GuestEvents {
  onTest(test: TestCaseOutcome): void
  /** A test (or hook, or loading step) begins: the name to give when the job is ended from outside. */
  onRunning(name: string): void
  onVariant(variant: SearchOutcome['variants'][number]): void
}

/** The part of an outcome that the inside knows; how well it was contained is added outside. */
export type GuestOutcome<J extends Job> = Outcome<J> extends infer O ? (O extends unknown ? Omit<O, 'isolation'> : never) : never

/** Runs one job in a fresh isolate; never throws for what the guest does. */
export async function runJob<J extends Job>(_job: J, _events: GuestEvents): Promise<GuestOutcome<J>> {
  throw new Error('the isolate driver is not built yet')
}

/** Makes the next isolate (from the snapshot, frozen) ahead of demand. */
export function prewarm(): void {}
