import { createHash, randomBytes } from 'node:crypto'
import { mkdir, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, extname, join } from 'node:path'

const digestBytes = 32
/** Of versions that are used no more. */
const keptMs = 30 * 24 * 3_600_000

/*
 * What is costly to make and the same for every process of this user: kept from one to the next, with a digest before it. A file
 * that others could have written, or whose digest is wrong, counts as none. Nothing here throws: what is not kept is made again.
 */

/** The bytes of a kept file, or null. */
export async function readKept(path: string): Promise<Buffer | null> {
  try {
    const file = await open(path)
    try {
      const { uid, mode } = await file.stat()
      if (uid !== process.getuid?.() || (mode & 0o022) !== 0) return null
      const all = await file.readFile()
      const bytes = all.subarray(digestBytes)
      return digestOf(bytes).equals(all.subarray(0, digestBytes)) ? bytes : null
    } finally {
      await file.close()
    }
  } catch {
    return null // there is none yet, or no home to keep one in
  }
}

/** Keeps bytes, and forgets files of the same ending that were written long ago. */
export async function writeKept(path: string, bytes: Uint8Array): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    // Written aside and renamed: another process that reads meanwhile sees the whole file or none.
    const partial = `${path}.${randomBytes(6).toString('hex')}`
    await writeFile(partial, Buffer.concat([digestOf(bytes), bytes]), { mode: 0o600, flag: 'wx' })
    await rename(partial, path)
    await removeOld(dirname(path), extname(basename(path)))
  } catch {
    // a read-only home: the next process makes it again
  }
}

/** Forgets what turned out to be of no use. */
export async function discardKept(path: string): Promise<void> {
  await rm(path, { force: true }).catch(() => {})
}

async function removeOld(folder: string, ending: string): Promise<void> {
  const now = Date.now()
  for (const name of await readdir(folder)) {
    if (!name.includes(ending)) continue
    const path = join(folder, name)
    const found = await stat(path).catch(() => undefined)
    if (found && now - found.mtimeMs > keptMs) await rm(path, { force: true })
  }
}

const digestOf = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest()
