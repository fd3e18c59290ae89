import { type Options, parse } from 'acorn'
import type { Failure } from '../../domain/report.ts'
import { failureFromDiagnostic } from '../../feedback/purify-diagnostic.ts'
import { toFailure } from '../failures.ts'
import { maxSourceBytes } from '../source-limits.ts'
import { formatOf } from './module-format.ts'
import type { SourceCache } from './source-cache.ts'
import { type TS, ts } from './typescript.ts'

const maxPerFile = 10

/** Failures of the `syntax` layer of one file; an empty list means that it parses. Never throws for the candidate. */
export function checkSyntax(path: string, text: string, sources: SourceCache): Failure[] {
  if (text.length > maxSourceBytes)
    return [
      syntaxFailure(
        path,
        `The file is larger than ${maxSourceBytes / 1_024 / 1_024} MiB; a source of that size is not compiled.`,
      ),
    ]
  if (path.endsWith('.json')) return checkJson(path, text)
  try {
    const file = sources.get(path, text)
    const diagnostics = parseDiagnosticsOf(file)
    if (diagnostics.length > 0)
      return diagnostics.slice(0, maxPerFile).map((diagnostic) => fromDiagnostic(path, text, diagnostic))
    return isPlainJavaScript(path) ? checkJavaScript(path, text, file) : []
  } catch (error) {
    if (error instanceof RangeError) return [syntaxFailure(path, 'The code is nested too deeply to be parsed.')]
    throw error
  }
}

/** Parse errors are an internal member of source files; the public way to them builds a whole program. */
function parseDiagnosticsOf(file: TS.SourceFile): readonly TS.DiagnosticWithLocation[] {
  return (
    (file as TS.SourceFile & { readonly parseDiagnostics?: readonly TS.DiagnosticWithLocation[] }).parseDiagnostics ??
    []
  )
}

const isPlainJavaScript = (path: string): boolean => /\.[cm]?js$/.test(path)

function fromDiagnostic(path: string, text: string, diagnostic: TS.DiagnosticWithLocation): Failure {
  return failureFromDiagnostic({
    code: diagnostic.code,
    message: ts.flattenDiagnosticMessageText(diagnostic.messageText, '\n'),
    file: path,
    source: text,
    start: diagnostic.start,
    layer: 'syntax',
    kind: 'syntax',
  })
}

/** What the TypeScript parser lets pass in JavaScript: early errors of the language, and types in a `.js` file. */
function checkJavaScript(path: string, text: string, file: TS.SourceFile): Failure[] {
  const common: Options = { ecmaVersion: 'latest', allowHashBang: true }
  try {
    if (formatOf(path, file) === 'cjs')
      parse(text, { ...common, sourceType: 'script', allowReturnOutsideFunction: true })
    else parse(text, { ...common, sourceType: 'module' })
    return []
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    const at = (error as SyntaxError & { loc?: { line: number; column: number } }).loc
    const message = error.message.replace(/ \(\d+:\d+\)$/, '')
    return [
      toFailure({
        layer: 'syntax',
        kind: 'syntax',
        message,
        ...(at ? { location: { file: path, line: at.line, column: at.column + 1 }, source: text } : {}),
        ...(/await/.test(message) ? { hint: 'mark the enclosing function async' } : {}),
      }),
    ]
  }
}

function checkJson(path: string, text: string): Failure[] {
  try {
    JSON.parse(text)
    return []
  } catch (error) {
    if (error instanceof RangeError) return [syntaxFailure(path, 'The data is nested too deeply to be parsed.')]
    if (!(error instanceof SyntaxError)) throw error
    const offset = Number(/position (\d+)/.exec(error.message)?.[1] ?? 0)
    const before = text.slice(0, offset).split('\n')
    const location = { file: path, line: before.length, column: (before.at(-1)?.length ?? 0) + 1 }
    return [
      toFailure({
        layer: 'syntax',
        kind: 'syntax',
        message: `Not valid JSON: ${error.message}`,
        location,
        source: text,
      }),
    ]
  }
}

const syntaxFailure = (path: string, message: string): Failure =>
  toFailure({ layer: 'syntax', kind: 'syntax', message, location: { file: path, line: 1, column: 1 } })
