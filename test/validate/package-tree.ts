import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** A project folder on the disk with packages in it; removed with `remove`. */
export interface PackageTree {
  readonly root: string
  remove(): Promise<void>
}

/** Writes files (paths relative to the project) and links (target relative to the link's folder). */
export async function createPackageTree(
  files: Record<string, string>,
  links: Record<string, string> = {},
): Promise<PackageTree> {
  const root = await mkdtemp(join(tmpdir(), 'redgreen-packages-'))
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), text)
  }
  for (const [path, target] of Object.entries(links)) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await symlink(target, join(root, path))
  }
  return { root, remove: () => rm(root, { recursive: true, force: true }) }
}

export const manifest = (name: string, more: Record<string, unknown> = {}): string =>
  JSON.stringify({ name, version: '1.0.0', ...more })
