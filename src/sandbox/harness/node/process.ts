import { elapsedMs } from '../clock.ts'
import { write } from '../console.ts'
import type { GuestProcess, JobSettings } from '../settings.ts'
import { timers } from '../timers.ts'

/** What `process.exit` throws to end a program; nothing in the sandbox can be exited. */
class ProcessExit extends Error {
  readonly exitCode: number

  constructor(exitCode: number) {
    super(`process.exit(${exitCode}) was called`)
    this.exitCode = exitCode
  }
}

export const isExit = (error: unknown): error is ProcessExit => error instanceof ProcessExit

/** A `process` that shows nothing of the machine: for test files, packages and programs. */
export function createProcess(job: JobSettings): GuestProcess {
  const hrtime = (before?: [number, number]): [number, number] => {
    const ns = Math.round(elapsedMs() * 1e6) - (before ? before[0] * 1e9 + before[1] : 0)
    return [Math.floor(ns / 1e9), ns % 1e9]
  }
  const stream = (name: 'out' | 'err') => ({
    write(text: unknown) {
      write(name, String(text))
      return true
    },
    isTTY: false,
  })
  return {
    env: { NODE_ENV: 'test' },
    argv: ['node', `/${job.entry}`, ...job.args],
    execArgv: [],
    platform: 'linux',
    arch: 'x64',
    pid: 1,
    version: 'v24.0.0',
    versions: { node: '24.0.0' },
    exitCode: undefined,
    cwd: () => '/',
    uptime: () => elapsedMs() / 1_000,
    hrtime: Object.assign(hrtime, { bigint: () => BigInt(Math.round(elapsedMs() * 1e6)) }),
    memoryUsage: () => ({ rss: 0, heapTotal: 0, heapUsed: 0, external: 0, arrayBuffers: 0 }),
    nextTick: (callback: (...args: unknown[]) => void, ...args: unknown[]) => queueMicrotask(() => callback(...args)),
    exit: (code: unknown = 0) => {
      throw new ProcessExit(Number(code))
    },
    on: () => undefined,
    once: () => undefined,
    off: () => undefined,
    emitWarning: () => undefined,
    stdout: stream('out'),
    stderr: stream('err'),
    stdin: createStdin(job.stdin),
  }
}

/** Standard input as a text that is there from the start. */
function createStdin(text: string): object {
  const listeners = new Map<string, ((data?: string) => void)[]>()
  let delivered = false
  const deliver = (): void => {
    if (delivered) return
    delivered = true
    timers.setImmediate(() => {
      if (text !== '') for (const listener of listeners.get('data') ?? []) listener(text)
      for (const name of ['end', 'close']) for (const listener of listeners.get(name) ?? []) listener()
    })
  }
  const stdin = {
    isTTY: false,
    text,
    setEncoding: () => stdin,
    resume: () => {
      deliver()
      return stdin
    },
    on(name: string, listener: (data?: string) => void) {
      listeners.set(name, [...(listeners.get(name) ?? []), listener])
      if (name === 'data' || name === 'end') deliver()
      return stdin
    },
    once: (name: string, listener: (data?: string) => void) => stdin.on(name, listener),
    read: () => text,
    async *[Symbol.asyncIterator]() {
      if (text !== '') yield text
    },
  }
  return stdin
}
