import { existsSync } from 'node:fs'
import { basename, dirname, extname, isAbsolute, join, resolve } from 'node:path'
import { parse as parseYaml } from 'yaml'
import { describeIssues } from '../config.ts'
import { type FileMap, type Task, taskSchema } from '../domain/task.ts'
import { RedgreenError } from '../errors.ts'
import { expectedModule, importedSpecifiers } from '../prompt/module-shape.ts'
import type { SharedOptions } from './options.ts'
import { collectContext, expandTestPaths, inferTests, projectRoot, readCompilerOptions, taskPath } from './project.ts'
import { readTextFile } from './read-files.ts'

/** A task as read from the command line, with the folder that its paths are relative to. */
export interface TaskInput {
  readonly task: Task
  readonly root: string
  readonly title: string
  /** Test files whose bytes must be the same at the end. */
  readonly testFiles: readonly string[]
}

/**
 * Reads TASK: text, `@file.md`, or a `.json`/`.yaml` task, with tests from the options.
 *
 * @throws RedgreenError FILE_UNREADABLE, INVALID_TASK, TESTS_REQUIRED, PATH_REFUSED
 */
export function readSolveTask(argument: string | undefined, options: SharedOptions): TaskInput {
  if (argument === undefined || argument.trim() === '') {
    throw new RedgreenError('INSTRUCTION_EMPTY', 'name a task: text, @file.md, or a .json or .yaml task')
  }
  if (/\.(json|ya?ml)$/i.test(argument) && !/\s/.test(argument.trim())) return readTaskFile(argument, options)
  const instruction = argument.startsWith('@') ? readTextFile(argument.slice(1), 'the task file') : argument
  if (instruction.trim() === '')
    throw new RedgreenError('INSTRUCTION_EMPTY', 'the instruction is empty: say in a sentence what the code shall do')
  const tests = expandTestPaths(options.tests)
  const root = tests[0] === undefined ? process.cwd() : commonFolder([...withImports(tests), ...options.hiddenTests])
  const testMap = readMap(tests, root, 'the test file')
  const expected = expectedModule(testMap, {})
  const own = ['.ts', '.js'].map((extension) => `${expected}${extension}`)
  return {
    task: {
      instruction,
      ...(options.language ? { language: options.language } : {}),
      tests: testMap,
      // What the tests import is theirs, but for the module that is to be written.
      context: collectContext(root, testMap, new Set([...own, ...Object.keys(testMap)]), {}),
      ...hidden(options, root),
      ...(options.packages.length > 0 ? { packages: [...options.packages] } : {}),
    },
    root,
    title: instruction.trim().split('\n')[0]?.slice(0, 80) ?? 'task',
    testFiles: tests,
  }
}

function readTaskFile(path: string, options: SharedOptions): TaskInput {
  const text = readTextFile(path, 'the task file')
  let content: unknown
  try {
    content = /\.json$/i.test(path) ? JSON.parse(text) : parseYaml(text)
  } catch (cause) {
    throw new RedgreenError(
      'INVALID_TASK',
      `${path} does not parse: ${cause instanceof Error ? (cause.message.split('\n')[0] ?? '') : String(cause)}`,
      { cause },
    )
  }
  const folder = dirname(resolve(path))
  const parsed = taskSchema.safeParse(inlineFiles(content, folder))
  if (!parsed.success)
    throw new RedgreenError('INVALID_TASK', `${path} is not a valid task: ${describeIssues(parsed.error)}`)
  const tests = expandTestPaths(options.tests)
  const root = tests.length > 0 ? commonFolder(tests) : folder
  const task: Task = {
    ...parsed.data,
    ...(options.language ? { language: options.language } : {}),
    ...(tests.length > 0 ? { tests: { ...parsed.data.tests, ...readMap(tests, root, 'the test file') } } : {}),
    ...hidden(options, root),
    packages: [...new Set([...(parsed.data.packages ?? []), ...options.packages])],
  }
  return { task, root: folder, title: basename(path), testFiles: tests }
}

/** In a task file the members files, context, tests and hiddenTests may be lists of paths, read beside it. */
function inlineFiles(content: unknown, folder: string): unknown {
  if (typeof content !== 'object' || content === null || Array.isArray(content)) return content
  const task: Record<string, unknown> = { ...content }
  for (const member of ['files', 'context', 'tests', 'hiddenTests']) {
    const list = task[member]
    if (!Array.isArray(list)) continue
    const map: Record<string, string> = {}
    for (const entry of list) {
      if (typeof entry !== 'string')
        throw new RedgreenError('INVALID_TASK', `${member} holds something that is not a path`)
      if (isAbsolute(entry))
        throw new RedgreenError('PATH_REFUSED', `${member}: ${entry} is absolute; paths are relative to the task file`)
      map[taskPath(folder, join(folder, entry))] = readTextFile(join(folder, entry), 'the file')
    }
    task[member] = map
  }
  return task
}

/**
 * Reads FILE with its tests, the local files it imports and the nearest tsconfig's strictness.
 *
 * @throws RedgreenError FILE_UNREADABLE, TESTS_REQUIRED, PATH_REFUSED, INVALID_CONFIG
 */
export function readFileTask(file: string, options: SharedOptions, instruction: string | undefined): TaskInput {
  const source = readTextFile(file, 'the file')
  const tests = options.tests.length > 0 ? expandTestPaths(options.tests) : inferTests(file)
  if (tests.length === 0) {
    const stem = basename(file, extname(file))
    throw new RedgreenError(
      'TESTS_REQUIRED',
      `no tests found for ${file}: name them with --tests, or put ${stem}.test${extname(file)}, ${stem}.spec${extname(file)} or __tests__/${stem}${extname(file)} beside it`,
    )
  }
  let root = projectRoot(file)
  const all = [file, ...tests, ...options.hiddenTests].map((path) => resolve(path))
  if (all.some((path) => !path.startsWith(`${root}/`))) root = commonFolder(all)
  const entry = taskPath(root, file)
  const files: FileMap = { [entry]: source }
  const testMap = readMap(tests, root, 'the test file')
  const compilerOptions = readCompilerOptions(file, root)
  const paths = isPathMap(compilerOptions.paths) ? compilerOptions.paths : {}
  const given = new Set([entry, ...Object.keys(testMap)])
  return {
    task: {
      instruction: instruction ?? 'Make the tests pass.',
      files,
      entry,
      context: collectContext(root, { ...files, ...testMap }, given, paths),
      tests: testMap,
      ...hidden(options, root),
      compilerOptions,
      ...(options.language ? { language: options.language } : {}),
      ...(options.packages.length > 0 ? { packages: [...options.packages] } : {}),
    },
    root,
    title: entry,
    testFiles: tests,
  }
}

function isPathMap(value: unknown): value is Record<string, string[]> {
  return typeof value === 'object' && value !== null && Object.values(value).every((targets) => Array.isArray(targets))
}

function hidden(options: SharedOptions, root: string): { hiddenTests?: FileMap } {
  const paths = expandTestPaths(options.hiddenTests)
  return paths.length > 0 ? { hiddenTests: readMap(paths, root, 'the hidden test file') } : {}
}

function readMap(paths: readonly string[], root: string, what: string): FileMap {
  return Object.fromEntries(
    paths.map((path) => {
      const text = readTextFile(path, what)
      return [taskPath(root, path), text]
    }),
  )
}

/** Test files, and the places of what they import beside them: all of these lie in the task's folder. */
function withImports(tests: readonly string[]): string[] {
  return tests.flatMap((test) => [
    test,
    ...importedSpecifiers(readTextFile(test, 'the test file'), test).flatMap((specifier) =>
      specifier.startsWith('.') ? [join(dirname(test), specifier)] : [],
    ),
  ])
}

function commonFolder(paths: readonly string[]): string {
  let folder = dirname(resolve(paths[0] ?? '.'))
  for (const path of paths) {
    while (!resolve(path).startsWith(folder === '/' ? '/' : `${folder}/`) && existsSync(folder))
      folder = dirname(folder)
  }
  return folder
}
