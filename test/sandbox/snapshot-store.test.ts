import { createHash } from 'node:crypto'
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { processLaunch } from '../../src/sandbox/launch.ts'
import { findRuntimeFiles, type RuntimeFiles } from '../../src/sandbox/runtime-files.ts'
import { SnapshotStore, startChild } from '../../src/sandbox/snapshot-store.ts'

let folder: string
let files: RuntimeFiles
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'redgreen-snapshot-'))
  files = { ...(await findRuntimeFiles()), cache: folder }
})
afterEach(() => rmSync(folder, { recursive: true }))

const store = async (): Promise<SnapshotStore> => {
  const found = await SnapshotStore.of(files)
  if (!found) throw new Error('these files have a place for it')
  return found
}
const kept = (): string => join(folder, readdirSync(folder)[0] ?? 'nothing')
const withDigest = (bytes: Buffer): Buffer => Buffer.concat([createHash('sha256').update(bytes).digest(), bytes])

describe('the snapshot of the harness', () => {
  test('is made by the first child and given to the next, for the user alone', async () => {
    const first = await startChild(processLaunch(files), await store())
    await first.close()
    const made = readFileSync(kept())
    expect(statSync(kept()).mode & 0o777).toBe(0o600)
    const second = await startChild(processLaunch(files), await store())
    await second.close()
    expect(Buffer.from(second.snapshot ?? []).equals(made.subarray(32))).toBe(true)
    expect(readFileSync(kept()).equals(made)).toBe(true)
  })

  test('that V8 does not take is made anew', async () => {
    await (await store()).write(Buffer.from('of another V8 '.repeat(1_000)))
    const child = await startChild(processLaunch(files), await store())
    await child.close()
    expect(child.snapshot?.length).toBeGreaterThan(1_000_000)
    expect(await (await store()).read()).toBeNull()
  })

  test.each<[string, (path: string) => void]>([
    ['cut off', (path) => writeFileSync(path, readFileSync(path).subarray(0, 5_000), { mode: 0o600 })],
    ['changed', (path) => writeFileSync(path, readFileSync(path).fill(1, 100, 101))],
    ['empty', (path) => writeFileSync(path, '')],
    ['writable by others', (path) => chmodSync(path, 0o666)],
  ])('counts as none when its file is %s', async (_, spoil) => {
    const bytes = Buffer.alloc(10_000, 7)
    await (await store()).write(bytes)
    expect(Buffer.from((await (await store()).read()) ?? []).equals(bytes)).toBe(true)
    expect(readFileSync(kept()).equals(withDigest(bytes))).toBe(true)
    spoil(kept())
    expect(await (await store()).read()).toBeNull()
  })

  test('has a file of its own for each build of the child', async () => {
    await (await store()).write(Buffer.from('one'))
    const other = join(folder, 'child.cjs')
    writeFileSync(other, 'other')
    files = { ...files, entry: other }
    expect(await (await store()).read()).toBeNull()
  })

  test('of a version that is no longer used goes when a new one comes', async () => {
    const old = join(folder, 'old.snapshot')
    writeFileSync(old, '')
    utimesSync(old, 0, 0)
    await (await store()).write(Buffer.from('one'))
    expect(readdirSync(folder)).not.toContain('old.snapshot')
    expect(readdirSync(folder)).toHaveLength(1)
  })

  test('is not kept where there is no folder for it, and nothing fails', async () => {
    files = { ...files, cache: join(folder, 'file') }
    writeFileSync(join(folder, 'file'), '')
    await (await store()).write(Buffer.from('one'))
    expect(await (await store()).read()).toBeNull()
    expect(await SnapshotStore.of({ ...files, cache: null })).toBeNull()
  })
})
