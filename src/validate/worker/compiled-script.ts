import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { Script } from 'node:vm'
import { cacheFolder } from '../../cache-folder.ts'
import { readKept, writeKept } from '../../kept-file.ts'

/**
 * A large CommonJS module that is started from what V8 made of it before. Node's own compile cache holds what was compiled when the
 * module was loaded; this holds all functions that were called up to `keep`, so that a later process compiles next to nothing.
 */
export class CompiledScript {
  readonly exports: unknown
  readonly #script: Script
  readonly #cachePath: string
  #isKept: boolean

  private constructor(script: Script, path: string, cachePath: string, isKept: boolean) {
    this.#script = script
    this.#cachePath = cachePath
    this.#isKept = isKept
    const module = { exports: {} }
    const run = script.runInThisContext() as (...names: readonly unknown[]) => void
    run.call(module.exports, module.exports, createRequire(path), module, path, dirname(path))
    this.exports = module.exports
  }

  /** @param path of a file that is in ASCII */
  static async load(path: string, folder = cacheFolder): Promise<CompiledScript> {
    const bytes = readFileSync(path)
    // V8 itself compares lengths only
    const key = createHash('sha256')
      .update(`${process.version} ${process.arch}\n`)
      .update(bytes)
      .digest('hex')
      .slice(0, 32)
    const source = bytes.toString('latin1')
    const cachePath = join(folder, `${key}.compiled`)
    const cachedData = await readKept(cachePath)
    const script = new Script(`(function (exports, require, module, __filename, __dirname) {${source}\n})`, {
      filename: path,
      ...(cachedData ? { cachedData } : {}),
    })
    return new CompiledScript(script, path, cachePath, cachedData !== null && script.cachedDataRejected !== true)
  }

  /** Keeps what has been compiled by now, unless this was started from a kept one. */
  async keep(): Promise<void> {
    if (this.#isKept) return
    this.#isKept = true
    await writeKept(this.#cachePath, this.#script.createCachedData())
  }
}
