import type { FileMap } from '../../domain/task.ts'
import type { SourceModule } from '../../sandbox/types.ts'
import type { ValidationRequest } from '../../validate/types.ts'
import { Judge } from '../../validate/worker/judge.ts'
import type { JudgeRequest } from '../../validate/worker/protocol.ts'
import type { Look, Mutant } from './messages.ts'
import { type RawMutant, rawMutants } from './mutants.ts'
import { isScript } from './parse.ts'
import { stubOf } from './stub.ts'
import { findSuspicions } from './suspicions/find.ts'

/** One candidate at a time: its stub, suspicions and mutants; lives in the worker thread. */
export class Bench {
  readonly #judge = new Judge()
  #validation: ValidationRequest | undefined
  #mutants: Iterator<RawMutant> = [].values()

  async look(validation: ValidationRequest): Promise<Look> {
    const { files, tests, language } = validation
    this.#validation = validation
    this.#mutants = language === 'typescript' || language === 'javascript' ? rawMutants(files, language) : [].values()
    const stub = Object.fromEntries(
      Object.entries(files).map(([path, text]) => [path, isScript(path) ? stubOf(path, text) : text]),
    )
    const { prepared } = await this.#judge.early(requestOf(validation, files))
    return {
      stub,
      suspicions: findSuspicions(files, tests),
      program: prepared
        ? {
            entry: entryAmong(validation.entry, prepared.modules),
            modules: prepared.modules,
            tests: prepared.tests,
            packages: prepared.packages,
          }
        : null,
    }
  }

  /** The next mutants that every layer before the tests lets pass. */
  async take(count: number): Promise<Mutant[]> {
    const validation = this.#validation
    const found: Mutant[] = []
    while (validation && found.length < count) {
      const next = this.#mutants.next()
      if (next.done) break
      const module = await this.#compiled(validation, next.value)
      if (module) found.push({ ...next.value, module })
    }
    return found
  }

  async #compiled(validation: ValidationRequest, { file, text }: RawMutant): Promise<SourceModule | undefined> {
    const request = requestOf(validation, { ...validation.files, [file]: text })
    const { syntax, imports, policy, prepared } = await this.#judge.early(request)
    const isRed = [...syntax, ...imports, ...policy].some(({ severity }) => severity === 'error')
    const module = prepared?.modules.find(({ path }) => path === file)
    if (isRed || !module) return undefined
    if (validation.language === 'typescript' && this.#judge.late(request, () => {}).types.length > 0) return undefined
    // places are not asked for
    const { map: _, ...rest } = module
    return rest
  }
}

const requestOf = (validation: ValidationRequest, files: FileMap): JudgeRequest => ({
  language: validation.language,
  entry: validation.entry,
  files,
  context: validation.context,
  tests: validation.tests,
  hiddenTests: {},
  packages: validation.packages,
  packageRoot: validation.packageRoot,
  compilerOptions: validation.compilerOptions,
  allow: validation.allow,
  deny: validation.deny,
  setAside: validation.setAside,
  prepare: true,
  types: validation.language === 'typescript',
  failFast: true,
})

/** The entry as it came: a task may name `solution.ts` where the candidate answers in `solution.tsx`. */
function entryAmong(entry: string, modules: readonly SourceModule[]): string {
  if (modules.some(({ path }) => path === entry)) return entry
  const stem = entry.replace(/\.[^./]+$/, '')
  return modules.find(({ path }) => path.replace(/\.[^./]+$/, '') === stem)?.path ?? entry
}
