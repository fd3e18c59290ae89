import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import type { Isolation } from '../domain/report.ts'
import { RedgreenError } from '../errors.ts'
import type { SandboxChild } from './child-process.ts'
import { type Launch, namespaceLaunch, processLaunch } from './launch.ts'
import type { ProbeFindings } from './protocol.ts'
import { findRuntimeFiles, type RuntimeFiles } from './runtime-files.ts'
import { SnapshotStore, startChild } from './snapshot-store.ts'

/** How many processes the probe tries to start at once, and how many more than it has it may have meanwhile. */
const probeForks = 6
const probeForksAllowed = 3
const mebibyte = 1_048_576
/** For the backstop while the walls are probed. */
const probeMemoryBytes = 256 * mebibyte

export type NamespaceMode = 'auto' | 'off' | 'required'

/** The walls that stand on this machine. */
export interface Walls {
  readonly isolation: Isolation
  readonly launch: Launch
  /** The child that proved them; it has served nothing yet. */
  readonly child: SandboxChild
  /** In words: what holds, what does not, and why. */
  readonly reasons: readonly string[]
}

/**
 * Puts up the strongest walls that this machine gives, and tries to break them. Throws SANDBOX_UNAVAILABLE when no
 * child can be started, or when a namespace is required and cannot be had.
 *
 * @param entry the child's program; only tests give another than the built one
 */
export async function putUpWalls(mode: NamespaceMode, entry?: string): Promise<Walls> {
  // A child does not keep the host's event loop alive; whoever waits for it does.
  const hold = setInterval(() => {}, 2_147_483_647)
  try {
    return await buildWalls(mode, entry)
  } finally {
    clearInterval(hold)
  }
}

async function buildWalls(mode: NamespaceMode, entry?: string): Promise<Walls> {
  const files = await findRuntimeFiles(entry)
  const snapshots = await SnapshotStore.of(files)
  const reasons: string[] = []
  if (mode === 'off') reasons.push('no namespace: switched off')
  else {
    const child = await startJailed(files, snapshots, reasons)
    if (child) return { isolation: child.launch.isolation, ...child, reasons }
    if (mode === 'required') {
      throw new RedgreenError('SANDBOX_UNAVAILABLE', `a namespace is required: ${reasons.join('; ')}`)
    }
  }
  const launch = processLaunch(files)
  let child: SandboxChild
  try {
    child = await startChild(launch, snapshots)
  } catch (cause) {
    throw new RedgreenError('SANDBOX_UNAVAILABLE', `the sandbox child cannot be started: ${messageOf(cause)}`, {
      cause,
    })
  }
  reasons.push('process: the child starts with an emptied environment and one descriptor')
  return { isolation: launch.isolation, launch, child, reasons }
}

async function startJailed(
  files: RuntimeFiles,
  snapshots: SnapshotStore | null,
  reasons: string[],
): Promise<{ launch: Launch; child: SandboxChild } | undefined> {
  const launch = namespaceLaunch(files)
  if ('reason' in launch) {
    reasons.push(`no namespace: ${launch.reason}`)
    return undefined
  }
  let child: SandboxChild
  try {
    child = await startChild(launch, snapshots)
  } catch (error) {
    reasons.push(`no namespace: ${messageOf(error)}`)
    return undefined
  }
  try {
    const limited = await child.limit(probeMemoryBytes, probeForksAllowed)
    const broken = holesIn(await withListener((port) => child.probe(targets(port))))
    if (broken.length === 0 && (await child.limit(probeMemoryBytes))) {
      reasons.push('namespace: cannot read or write the host, connect, fork past its limit, or see other processes')
      return { launch, child }
    }
    reasons.push(
      limited ? `no namespace: the probe could ${broken.join(', ')}` : 'no namespace: prlimit (util-linux) is needed',
    )
  } catch (error) {
    reasons.push(`no namespace: ${messageOf(error)}`)
  }
  await child.close()
  return undefined
}

function targets(port: number) {
  return {
    // This very file: on the host it is there and readable.
    readPath: fileURLToPath(import.meta.url),
    writeFolder: '/var/tmp',
    port,
    forks: probeForks,
  }
}

function holesIn(findings: ProbeFindings): string[] {
  return [
    ...(findings.read ? ['read a file of the host'] : []),
    ...(findings.write ? ['write outside'] : []),
    ...(findings.connect ? ['connect to the host'] : []),
    ...(findings.fork ? ['fork past its limit'] : []),
    ...(findings.processes ? ['see processes of others'] : []),
    ...(/^0+$/.test(findings.capabilities) ? [] : [`use capabilities (${findings.capabilities})`]),
  ]
}

/** Something to connect to, were the network there. */
async function withListener<T>(use: (port: number) => Promise<T>): Promise<T> {
  const server = createServer((socket) => socket.destroy())
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  try {
    const address = server.address()
    if (address === null || typeof address === 'string') throw new Error('the listener of the probe has no port')
    return await use(address.port)
  } finally {
    server.close()
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
