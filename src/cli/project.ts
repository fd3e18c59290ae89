import { existsSync, statSync } from 'node:fs'
import { basename, dirname, extname, join, relative, resolve, sep } from 'node:path'
import { getTsconfig } from 'get-tsconfig'
import { globSync } from 'tinyglobby'
import type { FileMap } from '../domain/task.ts'
import { RedgreenError } from '../errors.ts'
import { importedSpecifiers } from '../prompt/module-shape.ts'
import { readTextFile } from './read-files.ts'

const sourceExtensions = ['.ts', '.tsx', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs', '.json'] as const

/** Most local files that come along as context; a larger graph is a project, not a candidate's surroundings. */
const maxContextFiles = 200

/** The folder that paths of a task are relative to: the nearest one with a package.json or tsconfig.json, else that of the file. */
export function projectRoot(file: string): string {
  for (let folder = dirname(resolve(file)); ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'package.json')) || existsSync(join(folder, 'tsconfig.json'))) return folder
    if (folder === dirname(folder)) return dirname(resolve(file))
  }
}

/** A path inside `root` with `/`. */
export function taskPath(root: string, path: string): string {
  const inside = relative(root, resolve(path))
  if (inside.startsWith('..')) {
    throw new RedgreenError(
      'PATH_REFUSED',
      `${path} lies outside of ${root}, the folder that holds the project; move it inside`,
    )
  }
  return inside.split(sep).join('/')
}

/** Test files that belong to a source file by name: `x.test.ts`, `x.spec.ts`, `__tests__/x.ts` beside it. */
export function inferTests(file: string): string[] {
  const folder = dirname(file)
  const extension = extname(file)
  const stem = basename(file, extension)
  const found: string[] = []
  for (const candidate of [
    `${stem}.test`,
    `${stem}.spec`,
    `__tests__/${stem}`,
    `__tests__/${stem}.test`,
    `__tests__/${stem}.spec`,
  ]) {
    for (const each of [extension, '.ts', '.tsx', '.js', '.mjs']) {
      const path = join(folder, candidate + each)
      if (existsSync(path) && statSync(path).isFile() && !found.includes(path)) found.push(path)
    }
  }
  return found
}

/** Files behind the paths that a user gave for tests: files, folders (every test file inside) or glob patterns. */
export function expandTestPaths(paths: readonly string[]): string[] {
  const files: string[] = []
  for (const path of paths) {
    if (existsSync(path) && statSync(path).isDirectory()) {
      const inside = globSync('**/*.{test,spec}.{ts,tsx,mts,js,jsx,mjs,cjs}', {
        cwd: path,
        ignore: ['**/node_modules/**'],
        expandDirectories: false,
      })
      if (inside.length === 0)
        throw new RedgreenError('TESTS_REQUIRED', `the folder ${path} holds no test files (*.test.ts, *.spec.ts)`)
      files.push(...inside.sort().map((name) => join(path, name)))
    } else if (/[*?{[]/.test(path) && !existsSync(path)) {
      const matched = globSync(path, { expandDirectories: false }).sort()
      if (matched.length === 0) throw new RedgreenError('TESTS_REQUIRED', `no test file matches ${path}`)
      files.push(...matched)
    } else {
      files.push(path)
    }
  }
  return [...new Set(files)]
}

/**
 * Local files that the sources import, directly or through each other, as read-only context.
 *
 * @param given paths that are already part of the task
 */
export function collectContext(
  root: string,
  sources: FileMap,
  given: ReadonlySet<string>,
  paths: Readonly<Record<string, readonly string[]>>,
): FileMap {
  const context: Record<string, string> = {}
  const queue = Object.entries(sources)
  while (queue.length > 0) {
    const [from, text] = queue.shift() ?? ['', '']
    for (const specifier of importedSpecifiers(text, from)) {
      const target = resolveLocal(root, from, specifier, paths)
      if (target === undefined) continue
      const name = taskPath(root, target)
      if (given.has(name) || name in context) continue
      if (Object.keys(context).length >= maxContextFiles) return context
      const content = readTextFile(target, 'the imported file')
      context[name] = content
      queue.push([name, content])
    }
  }
  return context
}

function resolveLocal(
  root: string,
  from: string,
  specifier: string,
  paths: Readonly<Record<string, readonly string[]>>,
): string | undefined {
  if (specifier.startsWith('.')) return existingSource(resolve(root, dirname(from), specifier), root)
  for (const [pattern, targets] of Object.entries(paths)) {
    const star = pattern.indexOf('*')
    const head = star === -1 ? pattern : pattern.slice(0, star)
    const tail = star === -1 ? '' : pattern.slice(star + 1)
    const matches = star === -1 ? specifier === pattern : specifier.startsWith(head) && specifier.endsWith(tail)
    if (!matches) continue
    const middle = star === -1 ? '' : specifier.slice(head.length, specifier.length - tail.length)
    for (const target of targets) {
      const found = existingSource(resolve(root, target.replace('*', middle)), root)
      if (found) return found
    }
  }
  return undefined
}

function existingSource(path: string, root: string): string | undefined {
  if (!path.startsWith(root + sep)) return undefined
  const isFile = (candidate: string): boolean => existsSync(candidate) && statSync(candidate).isFile()
  const stem = path.replace(/\.[mc]?jsx?$/, '')
  const candidates = [path, ...sourceExtensions.map((extension) => path + extension)]
  if (stem !== path) candidates.push(`${stem}.ts`, `${stem}.tsx`, `${stem}.mts`, `${stem}.cts`)
  candidates.push(...sourceExtensions.map((extension) => join(path, `index${extension}`)))
  return candidates.find((candidate) => isFile(candidate) && !candidate.split(sep).includes('node_modules'))
}

/** What of the nearest tsconfig.json decides on types: strictness, lib, target, jsx and paths; nothing that names files or output. */
const takenOptions = [
  'strict',
  'noImplicitAny',
  'strictNullChecks',
  'strictFunctionTypes',
  'strictBindCallApply',
  'strictPropertyInitialization',
  'noImplicitThis',
  'useUnknownInCatchVariables',
  'alwaysStrict',
  'exactOptionalPropertyTypes',
  'noUncheckedIndexedAccess',
  'noImplicitReturns',
  'noImplicitOverride',
  'noPropertyAccessFromIndexSignature',
  'noFallthroughCasesInSwitch',
  'noUnusedLocals',
  'noUnusedParameters',
  'allowUnreachableCode',
  'allowUnusedLabels',
  'lib',
  'target',
  'jsx',
  'jsxImportSource',
  'paths',
  'experimentalDecorators',
  'useDefineForClassFields',
  'esModuleInterop',
  'downlevelIteration',
] as const

/** @throws RedgreenError INVALID_CONFIG where the tsconfig cannot be read */
export function readCompilerOptions(file: string, root: string): Record<string, unknown> {
  let found: ReturnType<typeof getTsconfig>
  try {
    found = getTsconfig(resolve(file))
  } catch (cause) {
    throw new RedgreenError(
      'INVALID_CONFIG',
      `the nearest tsconfig.json cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`,
      { cause },
    )
  }
  const given: Record<string, unknown> = { ...found?.config.compilerOptions }
  const options: Record<string, unknown> = {}
  for (const name of takenOptions) if (given[name] !== undefined) options[name] = given[name]
  if (found && typeof given.paths === 'object' && given.paths !== null) {
    const base = resolve(dirname(found.path), typeof given.baseUrl === 'string' ? given.baseUrl : '.')
    options.paths = Object.fromEntries(
      Object.entries(given.paths).map(([pattern, targets]) => [
        pattern,
        (Array.isArray(targets) ? targets : []).map((target) =>
          relative(root, resolve(base, String(target)))
            .split(sep)
            .join('/'),
        ),
      ]),
    )
  }
  return options
}
