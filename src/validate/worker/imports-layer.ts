import type { Failure } from '../../domain/report.ts'
import { toFailure } from '../failures.ts'
import { resolveRelative } from '../paths.ts'
import { classifySpecifier, harmlessNodeModules, isPackageName } from '../specifiers.ts'
import { wrongExports } from './export-match.ts'
import type { ImportUse, ModuleShape } from './module-shape.ts'
import { nearestName } from './nearest-name.ts'
import type { PackageFiles } from './package-files.ts'
import { type Aliases, matchAlias } from './path-aliases.ts'
import type { TS } from './typescript.ts'

/** A parsed file of the task. */
export interface ParsedFile {
  readonly path: string
  readonly text: string
  readonly file: TS.SourceFile
  readonly shape: ModuleShape
}

/** Everything that imports of a task can mean. */
export interface ImportWorld {
  /** Candidate and context files. */
  readonly files: ReadonlyMap<string, ParsedFile>
  readonly has: (path: string) => boolean
  readonly aliases: Aliases
  readonly packages: PackageFiles
  readonly declared: readonly string[]
  /** Modules that the caller forbids. */
  readonly denied: readonly string[]
}

/** What one import means: a file of the task, something from outside it that may be had, or a defect. */
export type Resolution =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'external' }
  | { readonly kind: 'bad'; readonly message: string; readonly hint?: string }

/** Resolves a specifier by the rules of the wall: files of the task, declared packages, harmless Node modules. */
export function resolveImport(from: string, use: ImportUse, world: ImportWorld): Resolution {
  const { specifier } = use
  const kind = classifySpecifier(specifier)
  switch (kind.kind) {
    case 'relative': {
      const found = resolveRelative(from, specifier, world.has)
      if (found === 'outside')
        return {
          kind: 'bad',
          message: `The import "${specifier}" leads out of the task's folder.`,
          hint: allowedWords(world),
        }
      if (found === 'missing') return missingFile(specifier, world)
      return { kind: 'file', path: found.path }
    }
    case 'outside':
      return {
        kind: 'bad',
        message: `The import "${specifier}" is ${kind.what === 'URL' ? 'a' : 'an'} ${kind.what}, which is never read.`,
        hint: allowedWords(world),
      }
    case 'node':
      return kind.harmless
        ? { kind: 'external' }
        : { kind: 'bad', message: `The Node module "${specifier}" is not available here.`, hint: allowedWords(world) }
    case 'tests':
      return { kind: 'bad', message: `"${specifier}" belongs to the tests; the code under test may not import it.` }
    case 'internal':
      return {
        kind: 'bad',
        message: `The import "${specifier}" needs a package.json, which a task does not have.`,
        hint: allowedWords(world),
      }
    case 'package': {
      const alias = matchAlias(specifier, world.aliases, world.has)
      if (alias) return { kind: 'file', path: alias }
      return resolvePackage(kind.name, world)
    }
    default:
      return kind satisfies never
  }
}

function resolvePackage(name: string, world: ImportWorld): Resolution {
  if (!world.declared.includes(name)) {
    const hint = isPackageName(name)
      ? `${allowedWords(world)}; a person can allow the package with --package ${name}`
      : allowedWords(world)
    return { kind: 'bad', message: `The package "${name}" is not among those that may be imported.`, hint }
  }
  if (!world.packages.declared(name))
    return { kind: 'bad', message: `The package "${name}" is declared but not installed.` }
  return { kind: 'external' }
}

function missingFile(specifier: string, world: ImportWorld): Resolution {
  const known = [...world.files.keys()]
  const last = specifier.split('/').at(-1) ?? specifier
  const near = nearestName(
    last.replace(/\.[cm]?[jt]sx?$/, ''),
    known.map((path) => (path.split('/').at(-1) ?? path).replace(/\.[cm]?[jt]sx?$/, '')),
  )
  const hint = near ? `did you mean "${near}"? ` : ''
  return {
    kind: 'bad',
    message: `Cannot find the file "${specifier}".`,
    hint: `${hint}files of the task: ${known.slice(0, 12).join(', ') || 'none'}`,
  }
}

function allowedWords(world: ImportWorld): string {
  const node = harmlessNodeModules.filter((name) => !name.includes('/')).map((name) => `node:${name}`)
  return `may be imported: files of the task, ${[...world.declared, ...node].join(', ')}`
}

/** Failures of the `imports` layer: what candidate files import, then whether the visible tests find what they import. */
export function checkImports(
  candidates: readonly ParsedFile[],
  tests: readonly ParsedFile[],
  world: ImportWorld,
): Failure[] {
  // helpers and data that tests bring along are theirs to know
  const brought = new Set(tests.map((test) => test.path))
  const worldOfTests = { ...world, has: (path: string) => world.has(path) || brought.has(path) }
  return [
    ...candidates.flatMap((file) => checkOwnImports(file, world)),
    ...tests.flatMap((test) => wrongExports(test, worldOfTests, true)),
  ]
}

function checkOwnImports(file: ParsedFile, world: ImportWorld): Failure[] {
  const failures: Failure[] = []
  const seen = new Set<string>()
  for (const use of file.shape.imports) {
    if (use.how === 'mock') continue
    const denied = world.denied.find(
      (name) => use.specifier === name || use.specifier === `node:${name}` || use.specifier.startsWith(`${name}/`),
    )
    const resolution: Resolution = denied
      ? { kind: 'bad', message: `The module "${use.specifier}" is denied by the task's policy.` }
      : resolveImport(file.path, use, world)
    if (resolution.kind !== 'bad' || seen.has(use.specifier)) continue
    seen.add(use.specifier)
    failures.push(
      toFailure({
        layer: 'imports',
        kind: 'dependency',
        message: resolution.message,
        ...(resolution.hint === undefined ? {} : { hint: resolution.hint }),
        location: placeOf(file, use.node),
        source: file.text,
      }),
    )
  }
  return [...failures, ...wrongExports(file, world, false)]
}

/** 1-based place of a node in its file. */
export function placeOf(file: ParsedFile, node: TS.Node): { file: string; line: number; column: number } {
  const { line, character } = file.file.getLineAndCharacterOfPosition(node.getStart(file.file))
  return { file: file.path, line: line + 1, column: character + 1 }
}
