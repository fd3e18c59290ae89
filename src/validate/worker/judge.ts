import type { Failure } from '../../domain/report.ts'
import type { PackageModule, SourceModule } from '../../sandbox/types.ts'
import { fatalSyntax } from '../exhausted.ts'
import { toFailure } from '../failures.ts'
import { isCode } from '../paths.ts'
import { classifySpecifier } from '../specifiers.ts'
import { isUsedAsValue } from './export-match.ts'
import { checkImports, type ImportWorld, type ParsedFile } from './imports-layer.ts'
import { shapeOf } from './module-shape.ts'
import { type ResolvedOptions, resolveOptions } from './options.ts'
import { PackageFiles } from './package-files.ts'
import { PackageBundler } from './packages.ts'
import { checkPolicy } from './policy-layer.ts'
import { ProgramHost } from './program.ts'
import type { EarlyVerdict, JudgeRequest, LateVerdict } from './protocol.ts'
import { withoutTests } from './set-aside.ts'
import { SourceCache } from './source-cache.ts'
import { checkSyntax } from './syntax-layer.ts'
import { isTestFile } from './test-content.ts'
import { transpile } from './transpile.ts'
import { checkTypes } from './types-layer.ts'

/** What is kept warm for one set of options and packages. */
interface Bench {
  readonly options: ResolvedOptions
  readonly sources: SourceCache
  readonly packages: PackageFiles
  readonly bundler: PackageBundler
  readonly program: ProgramHost
  readonly transpiled: Map<string, SourceModule>
}

const maxBenches = 4
const maxTranspiled = 512
const maxContentKey = 200_000

/** Judges candidates one after another; lives in a worker thread. */
export class Judge {
  readonly #benches = new Map<string, Bench>()
  /** The compiler ran out of stack: its own state can no longer be relied on. */
  #isWorn = false

  get isWorn(): boolean {
    return this.#isWorn
  }

  /** Makes ready what a task without packages and options needs, in steps. */
  warmSteps(): Generator<void> {
    const bench = this.benchFor({ packages: [], packageRoot: '/', compilerOptions: {} })
    return bench.program.warmSteps(bench.sources)
  }

  /** Warm tools for a request's options and packages; the least recently used ones are let go. */
  benchFor(request: Pick<JudgeRequest, 'packages' | 'packageRoot' | 'compilerOptions'>): Bench {
    const options = resolveOptions(request.compilerOptions)
    const declared = [...new Set(request.packages)].sort()
    const key = JSON.stringify([options.key, declared, declared.length > 0 ? request.packageRoot : ''])
    const known = this.#benches.get(key)
    if (known) {
      this.#benches.delete(key)
      this.#benches.set(key, known)
      return known
    }
    const packages = new PackageFiles(request.packageRoot, declared)
    const bench: Bench = {
      options,
      packages,
      sources: new SourceCache(),
      bundler: new PackageBundler(packages, request.packageRoot),
      program: new ProgramHost(options, packages),
      transpiled: new Map(),
    }
    this.#benches.set(key, bench)
    for (const oldest of this.#benches.keys()) {
      if (this.#benches.size <= maxBenches) break
      this.#benches.delete(oldest)
    }
    return bench
  }

  /** Syntax, imports, policy, and the sources for the sandbox. Code that exhausts the stack is a failure of its syntax. */
  async early(request: JudgeRequest): Promise<EarlyVerdict> {
    try {
      return await this.#early(request)
    } catch (error) {
      if (!(error instanceof RangeError)) throw error
      this.#isWorn = true
      return fatalSyntax('The code is nested too deeply to be compiled.')
    }
  }

  async #early(request: JudgeRequest): Promise<EarlyVerdict> {
    const bench = this.benchFor(request)
    const durationsMs = { syntax: 0, imports: 0, policy: 0, prepare: 0 }
    const timed = clockInto(durationsMs)

    const own = ownFiles(request)
    const syntax = timed('syntax', () =>
      Object.entries(own).flatMap(([path, text]) => checkSyntax(path, text, bench.sources)),
    )
    if (syntax.length > 0) return { syntax, imports: [], policy: [], durationsMs }

    const parse = (files: Readonly<Record<string, string>>): ParsedFile[] =>
      Object.entries(files)
        .filter(([path]) => isCode(path))
        .map(([path, text]) => parseFile(path, text, bench))
    const { world, candidates, tests, hiddenTests } = timed('imports', () => {
      const candidates = parse(own)
      const world = worldOf([...candidates, ...parse(request.context)], request, bench)
      return { world, candidates, tests: parse(request.tests), hiddenTests: parse(request.hiddenTests) }
    })
    const imports = timed('imports', () => checkImports(candidates, tests, world))
    const policy = timed('policy', () =>
      candidates.flatMap((file) => checkPolicy(file, request, bench.options.compiler)),
    )
    const isRed = [...imports, ...policy].some((failure) => failure.severity === 'error')
    if (!request.prepare || (request.failFast && isRed)) return { syntax, imports, policy, durationsMs }

    const startedMs = performance.now()
    const { modules, problems } = await this.#bundle([...world.files.values(), ...tests, ...hiddenTests], world, bench)
    durationsMs.imports += performance.now() - startedMs
    if (problems.length > 0) return { syntax, imports: [...imports, ...problems], policy, durationsMs }
    const prepared = timed('prepare', () => this.#prepare(world, tests, hiddenTests, request.setAside, modules, bench))
    return { syntax, imports, policy, durationsMs, prepared }
  }

  /** The types of the candidate's own files. */
  late(request: JudgeRequest, onFile: (path: string) => void): LateVerdict {
    const bench = this.benchFor(request)
    const startedMs = performance.now()
    const own = ownFiles(request)
    const roots = Object.keys(own).filter((path) => /\.[cm]?tsx?$/.test(path))
    if (roots.length === 0) return { types: [], durationMs: performance.now() - startedMs }
    const program = bench.program.program(
      { ...own, ...request.context },
      [...roots, ...ambientFiles(request.context)],
      bench.sources,
    )
    const types = roots.flatMap((path) => {
      onFile(path)
      return this.#guarded(path, () => checkTypes(program, [parseFile(path, own[path] ?? '', bench)]))
    })
    return { types, durationMs: performance.now() - startedMs }
  }

  /** Types that exhaust the stack are the candidate's fault; the worker is replaced afterwards. */
  #guarded(path: string, check: () => Failure[]): Failure[] {
    try {
      return check()
    } catch (error) {
      if (!(error instanceof RangeError)) throw error
      this.#isWorn = true
      const message = 'The types are nested too deeply to be checked.'
      return [
        toFailure({
          layer: 'types',
          kind: 'type',
          code: 'TYPES_EXHAUSTED',
          message,
          location: { file: path, line: 1, column: 1 },
        }),
      ]
    }
  }

  async #bundle(
    files: readonly ParsedFile[],
    world: ImportWorld,
    bench: Bench,
  ): Promise<{ modules: PackageModule[]; problems: Failure[] }> {
    const wanted = neededPackages(files, world, bench.options)
    if (wanted.size === 0) return { modules: [], problems: [] }
    const { modules, problems } = await bench.bundler.bundle(wanted)
    await bench.bundler.rest()
    return {
      modules,
      problems: problems.map(({ message }) => toFailure({ layer: 'imports', kind: 'dependency', message })),
    }
  }

  #prepare(
    world: ImportWorld,
    tests: readonly ParsedFile[],
    hiddenTests: readonly ParsedFile[],
    setAside: readonly string[],
    packages: readonly PackageModule[],
    bench: Bench,
  ): NonNullable<EarlyVerdict['prepared']> {
    const shared = new Map([...world.files, ...[...tests, ...hiddenTests].map((test) => [test.path, test] as const)])
    const all: ImportWorld = { ...world, files: shared, has: (path) => shared.has(path) }
    const make = (file: ParsedFile): SourceModule => this.#transpiled(file, all, bench)
    // what only helps tests (data, helpers without a test) is a module that tests alone can have
    const isRun = (file: ParsedFile): boolean => isTestFile(file, [...tests, ...hiddenTests])
    const makeTest = (file: ParsedFile): SourceModule => {
      const left = setAside.length > 0 ? withoutTests(file, setAside) : file.text
      return make(left === file.text ? file : parseFile(file.path, left, bench))
    }
    const helpers = [...tests, ...hiddenTests].filter((file) => !isRun(file) && isRunnable(file.path))
    return {
      modules: [
        ...[...world.files.values()].filter((file) => isRunnable(file.path)).map(make),
        ...helpers.map((file) => ({ ...make(file), isTestHelper: true })),
      ],
      tests: tests.filter(isRun).map(makeTest),
      hiddenTests: hiddenTests.filter(isRun).map(makeTest),
      packages,
    }
  }

  #transpiled(file: ParsedFile, world: ImportWorld, bench: Bench): SourceModule {
    // what other files can change: which names are only types, and where aliases lead
    const dependsOnOthers = file.shape.imports.some((use) => use.how === 'import' || use.how === 'export')
    const context = dependsOnOthers ? typeExportsOf(world) : ''
    const key = file.text.length > maxContentKey ? null : `${file.path}\0${context}\0${file.text}`
    const known = key === null ? undefined : bench.transpiled.get(key)
    if (known) return known
    const made = transpile(file, world, bench.options.compiler)
    if (key !== null) bench.transpiled.set(key, made)
    for (const oldest of bench.transpiled.keys()) {
      if (bench.transpiled.size <= maxTranspiled) break
      bench.transpiled.delete(oldest)
    }
    return made
  }
}

/** Names of all files that are exported as types only, and the files there are. */
function typeExportsOf(world: ImportWorld): string {
  return [...world.files.values()]
    .map(
      ({ path, shape }) =>
        `${path}(${[...shape.exports].filter(([, name]) => name.isType || name.from).map(([name]) => name)})${shape.stars}`,
    )
    .join(';')
}

const isRunnable = (path: string): boolean => isCode(path) && !/\.d\.[cm]?ts$/.test(path)

const ambientFiles = (files: Readonly<Record<string, string>>): string[] =>
  Object.keys(files).filter((path) => /\.d\.[cm]?ts$/.test(path))

/** The candidate's files; tests and context are not its to replace. Files that are no code are data. */
function ownFiles(request: JudgeRequest): Record<string, string> {
  const taken = (path: string): boolean =>
    [request.tests, request.hiddenTests, request.context].some((files) => Object.hasOwn(files, path))
  return Object.fromEntries(Object.entries(request.files).filter(([path]) => !taken(path) && isCode(path)))
}

function parseFile(path: string, text: string, bench: Bench): ParsedFile {
  const file = bench.sources.get(path, text)
  return { path, text, file, shape: shapeOf(path, file) }
}

function worldOf(files: readonly ParsedFile[], request: JudgeRequest, bench: Bench): ImportWorld {
  const byPath = new Map(files.map((file) => [file.path, file]))
  return {
    files: byPath,
    has: (path) => byPath.has(path),
    aliases: bench.options.paths,
    packages: bench.packages,
    declared: request.packages,
    denied: request.deny.modules,
  }
}

/** Specifiers of packages that are still imported once types are gone. */
function neededPackages(files: readonly ParsedFile[], world: ImportWorld, options: ResolvedOptions): Set<string> {
  const wanted = new Set<string>()
  for (const { path, file, shape } of files) {
    for (const use of shape.imports) {
      const kind = classifySpecifier(use.specifier)
      if (kind.kind !== 'package' || use.typeOnly || use.how === 'type' || !world.declared.includes(kind.name)) continue
      const isDropped =
        use.how === 'import' &&
        use.names.length > 0 &&
        /\.[cm]?tsx?$/.test(path) &&
        !use.names.some((name) => !name.typeOnly && isUsedAsValue(file, name.local))
      const isJsxOnly = /\.[jt]sx$/.test(path) && use.how === 'import'
      if (!isDropped || isJsxOnly) wanted.add(use.specifier)
    }
    if (/\.[jt]sx$/.test(path)) {
      const runtime = options.compiler.jsxImportSource ?? 'react'
      if (world.declared.includes(runtime)) wanted.add(`${runtime}/jsx-runtime`)
    }
  }
  return wanted
}

function clockInto<K extends string>(durationsMs: Record<K, number>): <T>(part: K, work: () => T) => T {
  return (part, work) => {
    const startedMs = performance.now()
    const result = work()
    durationsMs[part] += performance.now() - startedMs
    return result
  }
}
