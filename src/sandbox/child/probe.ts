import { type ChildProcess, spawn } from 'node:child_process'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import type { ProbeFindings, ProbeTargets } from '../protocol.ts'

const connectWaitMs = 1_000

/** Tries what a guest that broke out of its isolate would try; says what worked. */
export async function probe(targets: ProbeTargets): Promise<ProbeFindings> {
  return {
    read: works(() => readFileSync(targets.readPath)),
    write: works(() => {
      const path = join(targets.writeFolder, `redgreen-probe-${process.pid}`)
      writeFileSync(path, '')
      rmSync(path)
    }),
    connect: await canConnect(targets.port),
    // Before it has any of its own.
    processes: seesOthers(),
    fork: await canFork(targets.forks),
    capabilities: capabilities(),
  }
}

function works(action: () => unknown): boolean {
  try {
    action()
    return true
  } catch {
    return false // refused, which is what is hoped for
  }
}

function canConnect(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', timeout: connectWaitMs })
    const settle = (connected: boolean) => {
      socket.destroy()
      resolve(connected)
    }
    socket.once('connect', () => settle(true))
    socket.once('error', () => settle(false))
    socket.once('timeout', () => settle(false))
  })
}

/** True when every one of `count` processes came up side by side. */
async function canFork(count: number): Promise<boolean> {
  const started: ChildProcess[] = []
  try {
    for (let index = 0; index < count; index++) {
      // It waits for a program on its standard input, which never comes.
      const child = spawn(process.execPath, ['-'], { stdio: ['pipe', 'ignore', 'ignore'] })
      started.push(child)
      const running = await new Promise<boolean>((resolve) => {
        child.once('spawn', () => resolve(true))
        child.once('error', () => resolve(false))
      })
      if (!running) return false
      // Stopped, so that all of them are there at the same time.
      child.kill('SIGSTOP')
    }
    return true
  } catch {
    return false // the permission model, or no descriptor left
  } finally {
    for (const child of started) child.kill('SIGKILL')
  }
}

function seesOthers(): boolean {
  try {
    const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
    // Its own and those of the namespace's init and bubblewrap.
    return pids.length > 4
  } catch {
    return false // no /proc is the better answer
  }
}

function capabilities(): string {
  try {
    return /^CapEff:\s*(\w+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? 'unknown'
  } catch {
    return 'unknown'
  }
}
