import { closeSync, openSync, readFileSync, readSync } from 'node:fs'

/** Linux's USER_HZ, which is 100 on every architecture that Node runs on. */
const msPerTick = 10
const pageBytes = 4_096

/** What a process has used so far. */
export interface Sample {
  readonly residentBytes: number
  /** User and system time of all its threads, in ms, in steps of 10. */
  readonly cpuMs: number
}

/**
 * Reads memory and processor time of one process from /proc. The files are held open, so that a reading never
 * belongs to a later process with the same number. Where there is no /proc (macOS, Windows) `open` gives undefined and
 * only the clock on the wall and the isolate's own limits bound a job.
 */
export class Meter {
  readonly #statm: number
  readonly #stat: number
  readonly #buffer = Buffer.allocUnsafe(1_024)
  #closed = false

  private constructor(statm: number, stat: number) {
    this.#statm = statm
    this.#stat = stat
  }

  static open(pid: number): Meter | undefined {
    if (process.platform !== 'linux') return undefined
    try {
      const statm = openSync(`/proc/${pid}/statm`, 'r')
      try {
        return new Meter(statm, openSync(`/proc/${pid}/stat`, 'r'))
      } catch (error) {
        closeSync(statm)
        throw error
      }
    } catch {
      return undefined // the process has ended already; its exit is reported elsewhere
    }
  }

  /** Undefined once the process has ended. */
  sample(): Sample | undefined {
    if (this.#closed) return undefined
    try {
      const pages = Number(this.#read(this.#statm).split(' ')[1])
      const stat = this.#read(this.#stat)
      // The second field is the name in brackets and may hold blanks; utime and stime are fields 14 and 15.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      const ticks = Number(fields[11]) + Number(fields[12])
      return { residentBytes: pages * pageBytes, cpuMs: ticks * msPerTick }
    } catch {
      return undefined
    }
  }

  close(): void {
    if (this.#closed) return
    this.#closed = true
    closeSync(this.#statm)
    closeSync(this.#stat)
  }

  #read(descriptor: number): string {
    const length = readSync(descriptor, this.#buffer, 0, this.#buffer.length, 0)
    return this.#buffer.toString('latin1', 0, length)
  }
}

/** The innermost process of a chain of wrappers (sh, setpriv, bubblewrap), each of which has one child. */
export function innermost(pid: number): number {
  let leaf = pid
  for (;;) {
    let children: string
    try {
      children = readFileSync(`/proc/${leaf}/task/${leaf}/children`, 'latin1')
    } catch {
      return leaf
    }
    const next = Number.parseInt(children, 10)
    if (Number.isNaN(next)) return leaf
    leaf = next
  }
}

/** Bytes of private writable memory as RLIMIT_DATA counts them, and the number of threads. */
export function dataAndThreads(pid: number): { readonly dataBytes: number; readonly threads: number } | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'latin1')
    const data = Number(/^VmData:\s*(\d+) kB/m.exec(status)?.[1])
    const threads = Number(/^Threads:\s*(\d+)/m.exec(status)?.[1])
    return Number.isFinite(data) && Number.isFinite(threads) ? { dataBytes: data * 1_024, threads } : undefined
  } catch {
    return undefined
  }
}
