import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import { isPackageName } from '../specifiers.ts'

/** An installed package by its real folder, with what it may itself import. */
export interface InstalledPackage {
  readonly name: string
  readonly version: string
  /** Real path on the host; never shown to anybody. */
  readonly folder: string
  readonly dependencies: readonly string[]
}

const packageRootOfVirtual = '/pkg/'

/**
 * The only view of the disk that the compiler and the bundler have: declared packages and their own dependencies, by real
 * path inside the package. Virtual paths are `/task/node_modules/NAME/…` (declared packages and their `@types`) and
 * `/pkg/N/…` (the same by number, where links and duplicates fall together); `/pkg/N/node_modules/NAME` are dependencies.
 */
export class PackageFiles {
  readonly #root: string
  readonly #declared: ReadonlySet<string>
  readonly #byFolder = new Map<string, { readonly id: number; readonly package: InstalledPackage }>()
  readonly #byId: InstalledPackage[] = []
  readonly #located = new Map<string, InstalledPackage | null>()

  constructor(packageRoot: string, declared: readonly string[]) {
    this.#root = packageRoot
    this.#declared = new Set(declared.filter(isPackageName))
  }

  /** A declared package as installed, or null. */
  declared(name: string): InstalledPackage | null {
    return this.#declared.has(name) ? this.#locate(this.#root, name) : null
  }

  /** What package `from` sees under a name that it lists as a dependency. */
  dependency(from: InstalledPackage, name: string): InstalledPackage | null {
    if (name === from.name) return from
    if (!from.dependencies.includes(name) && !(name.startsWith('@types/') && from.dependencies.includes(untyped(name))))
      return null
    return this.#locate(from.folder, name)
  }

  /** The package that a real path lies in, among those known so far. */
  ownerOf(realPath: string): InstalledPackage | null {
    let folder = dirname(realPath)
    for (;;) {
      const known = this.#byFolder.get(folder)
      if (known) return known.package
      const parent = dirname(folder)
      if (parent === folder) return null
      folder = parent
    }
  }

  isFile(path: string): boolean {
    const real = this.#toReal(path)
    if (real === null) return false
    try {
      return statSync(real).isFile()
    } catch {
      return false // absent
    }
  }

  isFolder(path: string): boolean {
    if (/^\/(?:task|pkg\/\d+)\/node_modules(?:\/@[^/]+)?$/.test(path)) return true
    const real = this.#toReal(path)
    if (real === null) return false
    try {
      return statSync(real).isDirectory()
    } catch {
      return false // absent
    }
  }

  folders(path: string): string[] {
    const real = this.#toReal(path)
    if (real === null) return []
    try {
      return readdirSync(real, { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map((entry) => entry.name)
    } catch {
      return [] // absent
    }
  }

  read(path: string): string | undefined {
    const real = this.#toReal(path)
    if (real === null) return undefined
    try {
      return readFileSync(real, 'utf8')
    } catch {
      return undefined // absent, or a folder
    }
  }

  /** The path by number, under which the same file always goes. */
  canonical(path: string): string {
    const found = this.#find(path)
    return found ? `${packageRootOfVirtual}${found.id}${found.rest}` : path
  }

  #find(path: string): { id: number; package: InstalledPackage; rest: string } | null {
    let owner: InstalledPackage | null
    let rest: string
    const direct = /^\/task\/(?:.*\/)?node_modules\/((?:@[^/]+\/)?[^/]+)(\/.*)?$/.exec(path)
    const numbered = /^\/pkg\/(\d+)(\/.*)?$/.exec(path)
    if (direct?.[1] !== undefined) {
      const name = direct[1]
      const allowed = this.#declared.has(name) || (name.startsWith('@types/') && this.#declared.has(untyped(name)))
      owner = allowed ? this.#locate(this.#root, name) : null
      rest = direct[2] ?? ''
    } else if (numbered) {
      owner = this.#byId[Number(numbered[1])] ?? null
      rest = numbered[2] ?? ''
    } else return null
    for (;;) {
      if (!owner) return null
      const nested = /^\/(?:.*\/)?node_modules\/((?:@[^/]+\/)?[^/]+)(\/.*)?$/.exec(rest)
      if (nested?.[1] === undefined) break
      owner = this.dependency(owner, nested[1])
      rest = nested[2] ?? ''
    }
    const id = this.#byFolder.get(owner.folder)?.id
    return id === undefined ? null : { id, package: owner, rest }
  }

  /** Real path of a virtual one; null when it is not inside a package that may be read, links resolved. */
  #toReal(path: string): string | null {
    const found = this.#find(path)
    if (!found || found.rest.split('/').includes('..')) return null
    try {
      const real = realpathSync(join(found.package.folder, found.rest))
      return isInside(found.package.folder, real) ? real : null
    } catch {
      return null // absent
    }
  }

  /** Looks for node_modules/NAME from a folder upwards, as Node does. */
  #locate(from: string, name: string): InstalledPackage | null {
    const key = `${from}\0${name}`
    const known = this.#located.get(key)
    if (known !== undefined) return known
    const found = isPackageName(name) ? this.#search(from, name) : null
    this.#located.set(key, found)
    return found
  }

  #search(from: string, name: string): InstalledPackage | null {
    for (let folder = from; ; folder = dirname(folder)) {
      const found = this.#open(join(folder, 'node_modules', name), name)
      if (found) return found
      if (dirname(folder) === folder) return null
    }
  }

  #open(place: string, name: string): InstalledPackage | null {
    let folder: string
    let manifest: unknown
    try {
      folder = realpathSync(place)
      manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    } catch {
      return null // not installed there
    }
    const known = this.#byFolder.get(folder)
    if (known) return known.package
    const opened: InstalledPackage = {
      name,
      version: stringOf(manifest, 'version'),
      folder,
      dependencies: dependenciesOf(manifest),
    }
    this.#byFolder.set(folder, { id: this.#byId.length, package: opened })
    this.#byId.push(opened)
    return opened
  }
}

/** `@types/scope__name` → `@scope/name`. */
function untyped(typesName: string): string {
  const bare = typesName.slice('@types/'.length)
  return bare.includes('__') ? `@${bare.replace('__', '/')}` : bare
}

/** Whether a real path lies inside a real folder. */
export const isInside = (folder: string, path: string): boolean => path === folder || path.startsWith(folder + sep)

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined
}

const stringOf = (value: unknown, name: string): string => {
  const member = memberOf(value, name)
  return typeof member === 'string' ? member : ''
}

function dependenciesOf(manifest: unknown): string[] {
  return ['dependencies', 'peerDependencies', 'optionalDependencies'].flatMap((group) => {
    const names = memberOf(manifest, group)
    return typeof names === 'object' && names !== null ? Object.keys(names) : []
  })
}
