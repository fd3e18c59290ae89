import { createHash, randomBytes } from 'node:crypto'
import { mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { SandboxChild } from './child-process.ts'
import type { Launch } from './launch.ts'
import type { RuntimeFiles } from './runtime-files.ts'

const digestBytes = 32
const suffix = '.snapshot'
/** Snapshots of versions that are used no more. */
const keptMs = 30 * 24 * 3_600_000

/**
 * Keeps the harness's V8 snapshot between runs of the host, since making one takes as long as all the rest of a child's start.
 * One file for each build of the child, Node and addon, in the user's own folder; a file that others could have
 * written, or whose digest is wrong, counts as none. Nothing here throws: without a cache the first child makes a snapshot.
 */
export class SnapshotStore {
  readonly #path: string
  readonly #folder: string

  private constructor(folder: string, key: string) {
    this.#folder = folder
    this.#path = join(folder, `${key}${suffix}`)
  }

  /** A store for the very files that a child is made of; null where these have no place for it. */
  static async of(files: RuntimeFiles): Promise<SnapshotStore | null> {
    if (files.cache === null) return null
    const hash = createHash('sha256').update(`${process.version} ${process.platform} ${process.arch}\n`)
    hash.update(await readFile(files.entry))
    const { size, mtimeMs } = await stat(files.addon)
    hash.update(`\n${files.addon} ${size} ${mtimeMs}`)
    return new SnapshotStore(files.cache, hash.digest('hex').slice(0, 32))
  }

  async read(): Promise<Uint8Array | null> {
    try {
      const file = await open(this.#path)
      try {
        const { uid, mode } = await file.stat()
        if (uid !== process.getuid?.() || (mode & 0o022) !== 0) return null
        const bytes = await file.readFile()
        const snapshot = bytes.subarray(digestBytes)
        return digestOf(snapshot).equals(bytes.subarray(0, digestBytes)) ? snapshot : null
      } finally {
        await file.close()
      }
    } catch {
      return null // there is none yet, or no home to keep one in
    }
  }

  async write(snapshot: Uint8Array): Promise<void> {
    try {
      await mkdir(this.#folder, { recursive: true, mode: 0o700 })
      // Written aside and renamed: another host that reads meanwhile sees the whole file or none.
      const partial = `${this.#path}.${randomBytes(6).toString('hex')}`
      await writeFile(partial, Buffer.concat([digestOf(snapshot), snapshot]), { mode: 0o600, flag: 'wx' })
      await rename(partial, this.#path)
      await this.#removeOld()
    } catch {
      // a read-only home: the next run makes one again
    }
  }

  /** Forgets a snapshot with which no child came up. */
  async discard(): Promise<void> {
    await rm(this.#path, { force: true }).catch(() => {})
  }

  async #removeOld(): Promise<void> {
    const now = Date.now()
    for (const name of await readdir(this.#folder)) {
      if (!name.includes(suffix)) continue
      const path = join(this.#folder, name)
      const found = await stat(path).catch(() => undefined)
      if (found && now - found.mtimeMs > keptMs) await rm(path, { force: true })
    }
  }
}

const digestOf = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest()

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
