import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { discardKept, readKept, writeKept } from '../kept-file.ts'
import { SandboxChild } from './child-process.ts'
import type { Launch } from './launch.ts'
import type { RuntimeFiles } from './runtime-files.ts'

/**
 * Keeps the harness's V8 snapshot between runs of the host, since making one takes as long as all the rest of a child's start.
 * One file for each build of the child, Node and addon, in the user's own folder. Without it the first child makes a snapshot.
 */
export class SnapshotStore {
  readonly #path: string

  private constructor(path: string) {
    this.#path = path
  }

  /** A store for the very files that a child is made of; null where these have no place for it. */
  static async of(files: RuntimeFiles): Promise<SnapshotStore | null> {
    if (files.cache === null) return null
    const hash = createHash('sha256').update(`${process.version} ${process.platform} ${process.arch}\n`)
    hash.update(await readFile(files.entry))
    const { size, mtimeMs } = await stat(files.addon)
    hash.update(`\n${files.addon} ${size} ${mtimeMs}`)
    return new SnapshotStore(join(files.cache, `${hash.digest('hex').slice(0, 32)}.snapshot`))
  }

  async read(): Promise<Uint8Array | null> {
    return await readKept(this.#path)
  }

  async write(snapshot: Uint8Array): Promise<void> {
    await writeKept(this.#path, snapshot)
  }

  /** Forgets a snapshot with which no child came up. */
  async discard(): Promise<void> {
    await discardKept(this.#path)
  }
}

/** A child that is ready; a snapshot that is made for it is kept for the next host. Throws what it said at its end. */
export async function startChild(launch: Launch, snapshots: SnapshotStore | null): Promise<SandboxChild> {
  const kept = (await snapshots?.read()) ?? null
  const child = new SandboxChild(launch, kept)
  try {
    await child.ready
  } catch (error) {
    await child.close()
    if (kept === null) throw error
    // Rather a slow start than none: V8 refuses a snapshot that does not fit it by ending the process.
    await snapshots?.discard()
    return await startChild(launch, null)
  }
  if (kept === null && child.snapshot) await snapshots?.write(child.snapshot)
  return child
}
