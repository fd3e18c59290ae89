import { type ChildProcess, execFile, type StdioOptions, spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { Socket } from 'node:net'
import type { Duplex, Readable } from 'node:stream'
import type { Isolation } from '../domain/report.ts'
import { encodeFrame, FrameReader, rawFrameHeader } from './framing.ts'
import { find, type Launch } from './launch.ts'
import { dataAndThreads, innermost, Meter } from './meter.ts'
import { type FromChild, type ProbeFindings, type ProbeTargets, parseFromChild, type ToChild } from './protocol.ts'
import { strayDescriptors } from './stray-descriptors.ts'

/** Longest wait for a child's first message; a machine under full load takes a few seconds. */
const startWaitMs = 20_000
/** Waits of `close`: after asking, and after SIGTERM. */
const askWaitMs = 200
const terminateWaitMs = 200
/** When the child is dead and its wrappers are not, they follow or are killed after this. */
const wrapperWaitMs = 100
/** An outcome of 5,000 tests with long messages stays under it; it bounds what a fallen child makes the host parse. */
const maxFrameBytes = 33_554_432
const standardErrorBytes = 8_192
/**
 * Every isolate reserves some 535 MB that count as data long before they are used (measured, Node 24). There are two of
 * them at a time, the one that runs and the next; the rest is room for threads. So this limit is only a backstop for what
 * grows while the host is too busy to read the meter.
 */
const dataSlackBytes = 3 * 576 * 1_048_576
/** Threads that V8, libuv and isolated-vm's timers may still start, and then some; each counts as a process. */
const threadSlack = 96

/** How a process came to its end. */
export interface Exit {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  /** The end of what it wrote to its standard error, for people and for telling a full heap from other aborts. */
  readonly standardError: string
}

/** What the owner of a child hears from it. */
export interface ChildEvents {
  onMessage(message: FromChild): void
  /** It wrote what is no message of the protocol; it is dead by now. */
  onViolation(reason: string): void
  onExit(exit: Exit): void
}

/** One child process and its channel. It is started at once; nothing of it outlives `kill` or `close`. */
export class SandboxChild {
  readonly isolation: Isolation
  /** Fulfilled with the meter when it can take jobs; rejected with an Error that tells why it could not start. */
  readonly ready: Promise<void>
  /** Fulfilled when the process and all its wrappers have ended. */
  readonly exited: Promise<void>
  /** The harness as a snapshot: the one that it was given, or once it is ready the one that it made. */
  snapshot: Uint8Array | null
  /** Absent where the platform has none. */
  meter: Meter | undefined
  readonly #process: ChildProcess
  readonly #channel: Duplex
  readonly #wrapped: boolean
  readonly #accountId: number | undefined
  #standardError = ''
  #events: ChildEvents | undefined
  #ended = false
  #killed = false
  /** The process that runs the guest, as the host numbers it. */
  #pid: number | undefined
  #markReady: () => void = () => {}
  #markFailed: (reason: Error) => void = () => {}
  #startTimer: NodeJS.Timeout | undefined

  constructor(launch: Launch, snapshot: Uint8Array | null = null) {
    this.isolation = launch.isolation
    this.snapshot = snapshot
    this.#wrapped = launch.wrapped
    this.#accountId = launch.accountId
    this.#process = spawnAlone(launch)
    // stdio[3] is 'pipe', for which Node gives a duplex stream; its type covers all kinds of stdio.
    this.#channel = this.#process.stdio[3] as Duplex
    this.ready = new Promise((resolve, reject) => {
      this.#markReady = resolve
      this.#markFailed = reject
    })
    this.ready.catch(() => {}) // whoever waits gets it; an unawaited spare must not bring the host down
    this.exited = new Promise((resolve) => {
      this.#process.once('close', (code, signal) => {
        this.#onEnd(code, signal)
        resolve()
      })
      this.#process.once('error', (error) => {
        this.#standardError += error.message
        // A process that was never started has no 'close'.
        if (this.#process.pid === undefined) {
          this.#onEnd(null, null)
          resolve()
        }
      })
    })
    this.#startTimer = setTimeout(() => {
      this.#standardError += `no answer within ${startWaitMs} ms`
      this.kill()
    }, startWaitMs)
    this.#readStandardError(this.#process.stderr)
    this.#readChannel()
    this.#unreference()
    this.#channel.write(rawFrameHeader(snapshot?.length ?? 0))
    if (snapshot) this.#channel.write(snapshot)
  }

  get alive(): boolean {
    return !this.#ended && !this.#killed
  }

  listen(events: ChildEvents | undefined): void {
    this.#events = events
  }

  send(message: ToChild): void {
    if (this.alive) this.#channel.write(encodeFrame(message))
  }

  /** Lets the child try its walls; to be called before it has served anything. */
  probe(targets: ProbeTargets): Promise<ProbeFindings> {
    return new Promise((resolve, reject) => {
      const fail = (reason: string) => reject(new Error(reason))
      this.listen({
        onMessage: (message) => {
          this.listen(undefined)
          if (message.type === 'probed') resolve(message.findings)
          else fail(`it answered ${message.type} to a probe`)
        },
        onViolation: fail,
        onExit: ({ standardError }) => fail(`it ended while it was probed: ${standardError}`),
      })
      this.send({ type: 'probe', targets })
    })
  }

  /**
   * Backstops of the kernel, put on from outside and therefore not to be undone by a guest.
   * Fulfilled with true when they are in force, with false where the tool or the platform does not have them.
   *
   * @param moreProcesses how many processes and threads may be added; it can be raised again
   */
  async limit(memoryBytes: number, moreProcesses = threadSlack): Promise<boolean> {
    const pid = this.#pid
    const tool = find('prlimit')
    const used = pid === undefined ? undefined : dataAndThreads(pid)
    if (pid === undefined || !used || !tool) return false
    const data = used.dataBytes + memoryBytes + dataSlackBytes
    const args = ['--pid', `${pid}`, `--data=${data}:`]
    // Outside a namespace the number is the account's, not the child's, and would hit the user's other programs.
    if (this.#wrapped) args.push(`--nproc=${used.threads + moreProcesses}:${used.threads + threadSlack}`)
    // As the child's own account: then it needs no privilege, and in many containers root has not got that one.
    const account = this.#accountId === undefined ? {} : { uid: this.#accountId, gid: this.#accountId }
    return new Promise((resolve) => {
      execFile(tool, args, { env: {}, ...account }, (error) => resolve(error === null))
    })
  }

  /** SIGKILL, at once. */
  kill(): void {
    if (this.#ended || this.#killed) return
    this.#killed = true
    // The guest's process first: with the wrappers dead it would live until the kernel has followed the chain.
    this.#pid ??= this.#findPid()
    if (this.#pid !== undefined && this.#pid !== this.#process.pid) {
      signal(this.#pid, 'SIGKILL')
      setTimeout(() => this.#process.kill('SIGKILL'), wrapperWaitMs).unref()
    } else {
      this.#process.kill('SIGKILL')
    }
  }

  /** Asks by closing the channel, then SIGTERM, then SIGKILL. Idempotent, bounded. */
  async close(): Promise<void> {
    if (this.#ended) return
    this.#process.ref()
    this.#channel.end()
    if (await this.#endsWithin(askWaitMs)) return
    this.#process.kill('SIGTERM')
    if (await this.#endsWithin(terminateWaitMs)) return
    this.kill()
    await this.exited
  }

  async #endsWithin(waitMs: number): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined
    const waited = new Promise<boolean>((resolve) => {
      timer = setTimeout(() => resolve(false), waitMs)
    })
    const ended = await Promise.race([this.exited.then(() => true), waited])
    clearTimeout(timer)
    return ended
  }

  /** An idle child does not keep the host alive; who waits for one keeps itself alive. */
  #unreference(): void {
    this.#process.unref()
    this.#startTimer?.unref()
    for (const stream of [this.#channel, this.#process.stderr]) if (stream instanceof Socket) stream.unref()
  }

  #findPid(): number | undefined {
    const { pid } = this.#process
    return pid !== undefined && this.#wrapped ? innermost(pid) : pid
  }

  #readStandardError(stream: Readable | null): void {
    stream?.setEncoding('utf8')
    stream?.on('data', (chunk: string) => {
      this.#standardError = (this.#standardError + chunk).slice(-standardErrorBytes)
    })
    stream?.on('error', () => {}) // a broken pipe says no more than the exit that comes with it
  }

  #readChannel(): void {
    const reader = new FrameReader(maxFrameBytes)
    this.#channel.on('data', (chunk: Buffer) => {
      if (!this.alive) return
      try {
        for (const frame of reader.push(chunk)) if (this.alive) this.#receive(parseFromChild(frame))
      } catch (error) {
        this.#violated(error instanceof Error ? error.message : String(error))
      }
    })
    this.#channel.on('end', () => {
      if (reader.pendingBytes > 0) this.#standardError += ' (its last frame was cut off)'
    })
    this.#channel.on('error', () => {}) // EPIPE and ECONNRESET come with the exit, which tells more
  }

  #receive(message: FromChild): void {
    if (message.type !== 'ready') {
      if (!this.#events) this.#violated(`it sent ${message.type} unasked`)
      else this.#events.onMessage(message)
      return
    }
    if (this.#startTimer === undefined) {
      this.#violated('it said twice that it is ready')
      return
    }
    clearTimeout(this.#startTimer)
    this.#startTimer = undefined
    if (message.snapshot !== null) this.snapshot = Buffer.from(message.snapshot, 'base64')
    this.#pid = this.#findPid()
    if (this.#pid !== undefined) this.meter = Meter.open(this.#pid)
    this.#markReady()
  }

  #violated(reason: string): void {
    const events = this.#events
    this.kill()
    events?.onViolation(reason)
  }

  #onEnd(code: number | null, signalName: NodeJS.Signals | null): void {
    if (this.#ended) return
    this.#ended = true
    clearTimeout(this.#startTimer)
    this.meter?.close()
    this.#channel?.destroy()
    this.#markFailed(new Error(`it ended at its start (${signalName ?? code}): ${this.#standardError.trim()}`))
    this.#events?.onExit({ code, signal: signalName, standardError: this.#standardError })
  }
}

/** Starts a process that has inherited its channel and nothing else. */
function spawnAlone(launch: Launch): ChildProcess {
  const strays = strayDescriptors()
  const stdio: StdioOptions = ['ignore', 'ignore', 'pipe', 'pipe']
  // `ignore` beyond the third would hand a stray on; the null device in its place shuts it.
  const nothing = strays.length > 0 ? openSync('/dev/null', 'r') : undefined
  try {
    for (let descriptor = stdio.length; nothing !== undefined && descriptor <= Math.max(...strays); descriptor++) {
      stdio.push(strays.includes(descriptor) ? nothing : 'ignore')
    }
    return spawn(launch.command, launch.args, { cwd: '/', env: launch.environment, stdio, windowsHide: true })
  } finally {
    if (nothing !== undefined) closeSync(nothing)
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // it has ended by itself meanwhile
  }
}
