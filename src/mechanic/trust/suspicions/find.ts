import type { ts } from 'ts-morph'
import type { FileMap } from '../../../domain/task.ts'
import { isScript, parseSource } from '../parse.ts'
import { findAnswers } from './answers.ts'
import { findDisabled } from './disabled.ts'
import { readExpectations } from './expectations.ts'
import { findSniffing } from './sniffing.ts'
import type { Suspicion } from './suspicion.ts'
import { findSwallowed } from './swallowed.ts'

/** What in a green candidate looks as if it were made for the tests, gravest first; each thing once. Pure. */
export function findSuspicions(files: FileMap, tests: FileMap): Suspicion[] {
  const expectations = readExpectations(tests)
  const sources: ts.SourceFile[] = Object.keys(files)
    .sort()
    .filter(isScript)
    .map((path) => parseSource(path, files[path] ?? ''))
  const found = sources.flatMap((source) => [
    ...findAnswers(source, expectations),
    ...findSniffing(source),
    ...findSwallowed(source, expectations),
    ...findDisabled(source),
  ])
  const unique = [...new Map(found.map((each) => [each.text, each])).values()]
  return unique.sort((a, b) => Number(b.isGrave) - Number(a.isGrave))
}
