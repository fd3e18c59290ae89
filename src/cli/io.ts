import { createInterface } from 'node:readline/promises'

/** What a command may touch of the outside; tests give their own. */
export interface CommandIo {
  readonly stdout: { write(text: string): unknown; readonly isTTY?: boolean; readonly columns?: number }
  readonly stderr: { write(text: string): unknown; readonly isTTY?: boolean; readonly columns?: number }
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly now: () => number
  /** Calls back on Ctrl-C; returns how to stop listening. */
  readonly onInterrupt: (listener: () => void) => () => void
  /** Asks for a line; absent where nobody sits at a terminal. Rejects when the signal is aborted. */
  readonly ask?: (prompt: string, signal: AbortSignal) => Promise<string>
}

export function processIo(): CommandIo {
  return {
    stdout: process.stdout,
    stderr: process.stderr,
    environment: process.env,
    now: Date.now,
    ...(process.stdin.isTTY && process.stdout.isTTY ? { ask: askAtTerminal } : {}),
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

async function askAtTerminal(prompt: string, signal: AbortSignal): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  // readline takes Ctrl-C for itself; the run listens for the signal
  terminal.on('SIGINT', () => process.kill(process.pid, 'SIGINT'))
  try {
    return await terminal.question(prompt, { signal })
  } finally {
    terminal.close()
  }
}
