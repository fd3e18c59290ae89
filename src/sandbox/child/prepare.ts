import type { ModuleDefinition } from '../harness/module-types.ts'
import type { Job, PackageModule, SourceModule } from '../types.ts'
import type { Relocate } from './rewrite.ts'
import { surveyModule, transformModule } from './transform.ts'

/** A module ready to be given to the harness. */
export interface GuestModule {
  readonly path: string
  readonly kind: ModuleDefinition['kind']
  readonly definition: Omit<ModuleDefinition, 'factory'>
  /** Absent when the text does not parse; the definition says why. */
  readonly factory?: string
  readonly relocate: Relocate
  /** A test file that is run, not merely a helper of others. */
  readonly isRun: boolean
  readonly isBareScript: boolean
  readonly hasThrow: boolean
  readonly mentionsProcess: boolean
}

/** What test files find in scope without importing it; see harness/surroundings.ts. */
const testScope = new Set([
  'describe', 'suite', 'context', 'it', 'test', 'specify', 'fit', 'fdescribe', 'xit', 'xtest', 'xdescribe', 'beforeEach',
  'afterEach', 'beforeAll', 'afterAll', 'aroundEach', 'aroundAll', 'before', 'after', 'onTestFinished', 'onTestFailed',
  'expect', 'vi', 'vitest', 'jest', 'chai', 'assert', 'process', 'expectTypeOf', 'assertType', 'require',
]) // biome-ignore format: a list of words
const packageScope = new Set(['process'])
const noNames: ReadonlySet<string> = new Set()

const packageSource = ({ specifier, code, format }: PackageModule): SourceModule => ({ path: specifier, code, format })

/** Free names that a bare script may mean as names of the entry: those that nothing else in its world gives. */
function entryNamesFor(
  test: SourceModule,
  entryTop: ReadonlySet<string>,
  isCandidatePath: (specifier: string) => boolean,
): Set<string> {
  const survey = surveyModule(test)
  if (survey.imports.some(isCandidatePath)) return new Set()
  return new Set([...survey.freeNames].filter((name) => entryTop.has(name) && !testScope.has(name)))
}

/**
 * Rewrites all modules of a job; texts that do not parse become modules that throw when they are loaded. Pure.
 *
 * @param only paths of candidate modules: nothing else is rewritten then
 */
export function prepareModules(job: Job, only?: ReadonlySet<string>): GuestModule[] {
  const tests = job.kind === 'program' ? [] : job.tests
  const entry = job.modules.find((module) => module.path === job.entry)
  const entryTop = entry ? (attempt(() => surveyModule(entry).topLevel) ?? noNames) : noNames
  const isRelative = (specifier: string): boolean => specifier.startsWith('.')
  const entryNames = new Map(
    tests.map((test) => [test, attempt(() => entryNamesFor(test, entryTop, isRelative)) ?? new Set<string>()]),
  )
  const exposed = [...new Set([...entryNames.values()].flatMap((names) => [...names]))]
  const prepared: GuestModule[] = []
  for (const module of only ? [] : job.packages)
    prepared.push(prepare(packageSource(module), 'package', [], packageScope, noNames))
  for (const module of job.modules) {
    if (only && !only.has(module.path)) continue
    if (module.isTestHelper) {
      prepared.push(prepare(module, 'test', [], testScope, noNames))
      continue
    }
    const isEntry = module === entry
    prepared.push(
      prepare(module, 'candidate', isEntry ? exposed : [], noNames, noNames, isEntry && job.kind === 'program'),
    )
  }
  for (const test of only ? [] : tests) {
    const names = entryNames.get(test) ?? noNames
    prepared.push(prepare(test, 'test', [], testScope, names, false, names.size > 0 ? job.entry : undefined))
  }
  return prepared
}

const attempt = <T>(work: () => T): T | undefined => {
  try {
    return work()
  } catch {
    return undefined
  }
}

function prepare(
  source: SourceModule,
  kind: ModuleDefinition['kind'],
  expose: readonly string[],
  scopeNames: ReadonlySet<string>,
  entryNames: ReadonlySet<string>,
  captureLast = false,
  alsoNeeds?: string,
): GuestModule {
  const { path } = source
  const isRun = kind === 'test' && source.isTestHelper !== true
  try {
    const module = transformModule(source, { isTest: kind === 'test', expose, scopeNames, entryNames, captureLast })
    // a script that uses the entry's names without importing them needs it evaluated all the same
    const imports = alsoNeeds === undefined ? module.imports : [...module.imports, `/${alsoNeeds}`]
    return {
      path,
      kind,
      definition: { path, format: module.format, kind, imports, isAsync: module.isAsync },
      factory: module.factory,
      relocate: module.relocate,
      isRun,
      isBareScript: module.isBareScript,
      hasThrow: module.hasThrow,
      mentionsProcess: module.freeNames.includes('process') || source.code.includes('stubEnv'),
    }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return {
      path,
      kind,
      definition: { path, format: 'esm', kind, imports: [], isAsync: false, syntaxError: message.slice(0, 500) },
      relocate: (line, column) => ({ line, column }),
      isRun,
      isBareScript: false,
      hasThrow: false,
      mentionsProcess: false,
    }
  }
}
