import type { Failure } from '../../domain/report.ts'
import { failureFromDiagnostic } from '../../feedback/purify-diagnostic.ts'
import type { ParsedFile } from './imports-layer.ts'
import { taskRoot } from './program.ts'
import { type TS, ts } from './typescript.ts'

const maxFailures = 50

/** Defects of the project's layout or of the declared package, not of the candidate. */
const notTheCandidates = new Set([
  1202, // `import x = require` in an ES module: compiled as CommonJS here
  1203, // `export =` likewise
  1479, // a CommonJS file that imports an ES module
  7016, // a declared package without types
  5097, // import path with .ts extension
])

/** First causes before what follows from them: unresolved modules, missing exports, missing names, then the rest. */
const rank = (code: number): number =>
  code === 2307 || code === 2792
    ? 0
    : code === 2305 || code === 2614 || code === 2724
      ? 1
      : code === 2304 || code === 2552
        ? 2
        : 3

/** Failures of the `types` layer: errors of the candidate's own TypeScript files, causes first. */
export function checkTypes(program: TS.Program, candidates: readonly ParsedFile[]): Failure[] {
  const found: { diagnostic: TS.Diagnostic; file: ParsedFile }[] = []
  for (const candidate of candidates) {
    if (!/\.[cm]?tsx?$/.test(candidate.path)) continue
    const source = program.getSourceFile(taskRoot + candidate.path)
    if (!source) continue
    for (const diagnostic of program.getSemanticDiagnostics(source))
      if (diagnostic.category === ts.DiagnosticCategory.Error && !notTheCandidates.has(diagnostic.code))
        found.push({ diagnostic, file: candidate })
  }
  return found
    .sort((a, b) => rank(a.diagnostic.code) - rank(b.diagnostic.code))
    .slice(0, maxFailures)
    .map(({ diagnostic, file }) => fromDiagnostic(diagnostic, file))
}

function fromDiagnostic(diagnostic: TS.Diagnostic, file: ParsedFile): Failure {
  return failureFromDiagnostic({
    code: diagnostic.code,
    message: hideRoots(ts.flattenDiagnosticMessageText(diagnostic.messageText, '\n')),
    file: file.path,
    source: file.text,
    start: diagnostic.start ?? 0,
    layer: 'types',
    kind: 'type',
  })
}

/** Takes the virtual roots out of quoted module paths, e.g. `import("/task/a").B`. */
const hideRoots = (text: string): string => text.replaceAll(taskRoot, '').replace(/\/pkg\/\d+\//g, 'package/')
