/** What a command may touch of the outside; tests give their own. */
export interface CommandIo {
  readonly stdout: { write(text: string): unknown; readonly isTTY?: boolean; readonly columns?: number }
  readonly stderr: { write(text: string): unknown; readonly isTTY?: boolean; readonly columns?: number }
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly now: () => number
  /** Calls back on Ctrl-C; returns how to stop listening. */
  readonly onInterrupt: (listener: () => void) => () => void
}

export function processIo(): CommandIo {
  return {
    stdout: process.stdout,
    stderr: process.stderr,
    environment: process.env,
    now: Date.now,
    onInterrupt: (listener) => {
      process.on('SIGINT', listener)
      process.on('SIGTERM', listener)
      return () => {
        process.off('SIGINT', listener)
        process.off('SIGTERM', listener)
      }
    },
  }
}
