import type { Analysis, AnalysisInput } from './messages.ts'
import { selectMutants } from './mutants.ts'
import { isScript } from './parse.ts'
import { stubOf } from './stub.ts'
import { findSuspicions } from './suspicions/find.ts'

/** Everything that trust wants to know of the syntax. Pure and synchronous: lives in a worker. */
export function analyse({ language, files, tests, mutants }: AnalysisInput): Analysis {
  const stub = Object.fromEntries(
    Object.entries(files).map(([path, text]) => [path, isScript(path) ? stubOf(path, text) : text]),
  )
  return { stub, mutants: selectMutants(files, language, mutants), suspicions: findSuspicions(files, tests) }
}
