import { isCode, resolveRelative } from '../paths.ts'
import { classifySpecifier } from '../specifiers.ts'
import { isUsedAsValue } from './export-match.ts'
import type { ParsedFile } from './imports-layer.ts'
import type { Judge } from './judge.ts'
import { shapeOf } from './module-shape.ts'
import { matchAlias } from './path-aliases.ts'
import type { InspectRequest, Objection } from './protocol.ts'
import { checkSyntax } from './syntax-layer.ts'
import { contentOf, isTestFile } from './test-content.ts'

/** The first thing that makes a task pointless to start, or null. */
export function inspectTask(request: InspectRequest, judge: Judge): Objection | null {
  const bench = judge.benchFor(request)
  for (const name of request.packages)
    if (!bench.packages.declared(name))
      return {
        code: 'PACKAGE_UNKNOWN',
        message: `The package "${name}" is declared but not installed; install it in the project (npm install ${name}).`,
        detail: { package: name },
      }
  const tests = Object.fromEntries(
    Object.entries({ ...request.tests, ...request.hiddenTests }).filter(([path]) => isCode(path)),
  )
  for (const [path, text] of Object.entries(tests)) {
    const [failure] = checkSyntax(path, text, bench.sources)
    if (failure) {
      const place = failure.location ? `:${failure.location.line}:${failure.location.column}` : ''
      return {
        code: 'TESTS_SYNTAX',
        message: `The tests do not parse: ${path}${place}: ${failure.message}`,
        detail: { file: path },
      }
    }
  }
  const parsed = Object.entries(tests).map(([path, text]): ParsedFile => {
    const file = bench.sources.get(path, text)
    return { path, text, file, shape: shapeOf(path, file) }
  })
  for (const file of parsed) {
    if (!isTestFile(file, parsed)) continue
    const { tests: count, assertions } = contentOf(file.file)
    if (count + assertions === 0)
      return {
        code: 'TESTS_EMPTY',
        message: `${file.path} holds no test and no assertion: nothing could be proven with it.`,
        detail: { file: file.path },
      }
  }
  for (const file of parsed) {
    const objection = impossibleImport(file, request, bench.options.paths)
    if (objection) return objection
  }
  return null
}

/** An import of a test that no candidate could ever answer. */
function impossibleImport(
  file: ParsedFile,
  request: InspectRequest,
  aliases: Readonly<Record<string, readonly string[]>>,
): Objection | null {
  const object = (specifier: string, why: string, detail: Readonly<Record<string, string>> = {}): Objection => ({
    code: 'TESTS_IMPORT',
    message: `${file.path} imports "${specifier}", ${why}`,
    detail: { file: file.path, import: specifier, ...detail },
  })
  for (const use of file.shape.imports) {
    const { specifier } = use
    if (use.typeOnly || use.how === 'type') continue
    const isDropped =
      use.how === 'import' &&
      use.names.length > 0 &&
      /\.[cm]?tsx?$/.test(file.path) &&
      !use.names.some((name) => isUsedAsValue(file.file, name.local))
    if (isDropped) continue
    const kind = classifySpecifier(specifier)
    switch (kind.kind) {
      case 'relative':
        if (resolveRelative(file.path, specifier, () => true) === 'outside')
          return object(specifier, 'which lies outside of the task.')
        break
      case 'outside':
        return object(specifier, `${kind.what === 'URL' ? 'a' : 'an'} ${kind.what}, which is never read.`)
      case 'node':
        if (!kind.harmless) return object(specifier, 'a Node module that the sandbox does not offer.')
        break
      case 'internal':
        return object(specifier, 'which needs a package.json; a task has none.')
      case 'package': {
        const isAlias = matchAlias(specifier, aliases, () => true) !== null
        if (!isAlias && !request.packages.includes(kind.name))
          return object(specifier, `a package that is not declared; allow it with --package ${kind.name}.`, {
            package: kind.name,
          })
        break
      }
      case 'tests':
        break
      default:
        return kind satisfies never
    }
  }
  return null
}
