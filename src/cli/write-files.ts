import { existsSync, lstatSync, mkdirSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, resolve, sep } from 'node:path'
import type { FileMap } from '../domain/task.ts'
import { RedgreenError } from '../errors.ts'

/**
 * Writes verified files atomically inside the named place: all are written beside their targets first, then renamed.
 *
 * @param place a file when there is one file (and `place` is no folder), else a folder, which is made
 * @returns the paths written
 * @throws RedgreenError PATH_REFUSED for a path that would leave the place, OUTPUT_UNWRITABLE
 */
export function writeVerifiedFiles(files: FileMap, place: string): string[] {
  const names = Object.keys(files)
  const only = names.length === 1 ? names[0] : undefined
  const isFolder = (existsSync(place) && statSync(place).isDirectory()) || /[/\\]$/.test(place)
  if (only !== undefined && !isFolder) {
    return writeAll([{ target: resolve(place), text: files[only] ?? '' }])
  }
  const root = resolve(place)
  return writeAll(names.map((name) => ({ target: insideOf(root, name), text: files[name] ?? '' })))
}

/** Writes files over the ones they came from. */
export function writeInPlace(files: FileMap, root: string): string[] {
  return writeAll(Object.entries(files).map(([name, text]) => ({ target: insideOf(resolve(root), name), text })))
}

function insideOf(root: string, name: string): string {
  const target = resolve(root, name)
  if (!target.startsWith(root.endsWith(sep) ? root : root + sep)) {
    throw new RedgreenError('PATH_REFUSED', `the path ${JSON.stringify(name)} leaves the output folder`)
  }
  // A symbolic link in the way could lead out of the folder although the text of the path does not.
  for (let folder = dirname(target); folder.length > root.length; folder = dirname(folder)) {
    if (existsSync(folder) && lstatSync(folder).isSymbolicLink()) {
      throw new RedgreenError('PATH_REFUSED', `the path ${JSON.stringify(name)} goes through a symbolic link`)
    }
  }
  return target
}

function writeAll(entries: readonly { target: string; text: string }[]): string[] {
  const staged: { target: string; temporary: string }[] = []
  try {
    for (const { target, text } of entries) {
      mkdirSync(dirname(target), { recursive: true })
      // Through a link the file behind it is meant: replacing the link itself would detach it.
      const real = existsSync(target) ? realpathSync(target) : target
      const temporary = join(dirname(real), `.${basename(real)}.redgreen-${process.pid}`)
      writeFileSync(temporary, text, existsSync(real) ? { mode: statSync(real).mode } : undefined)
      staged.push({ target: real, temporary })
    }
    for (const { target, temporary } of staged) renameSync(temporary, target)
  } catch (cause) {
    for (const { temporary } of staged) rmSync(temporary, { force: true })
    throw new RedgreenError(
      'OUTPUT_UNWRITABLE',
      `the output cannot be written: ${cause instanceof Error ? cause.message : String(cause)}`,
      { cause },
    )
  }
  return entries.map((entry) => entry.target)
}

/** Writes one file that is no candidate (a report, a recording), atomically. */
export function replaceFile(path: string, text: string): void {
  writeAll([{ target: resolve(path), text }])
}
