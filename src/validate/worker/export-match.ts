import type { Failure } from '../../domain/report.ts'
import { toFailure } from '../failures.ts'
import { resolveRelative } from '../paths.ts'
import { classifySpecifier } from '../specifiers.ts'
import { type ImportWorld, type ParsedFile, placeOf } from './imports-layer.ts'
import type { Declared, ImportUse } from './module-shape.ts'
import { nearestName } from './nearest-name.ts'
import { matchAlias } from './path-aliases.ts'
import { type TS, ts } from './typescript.ts'

type Found = 'value' | 'type' | 'missing' | 'unknown'

/** The file of the task that an import means, or null for anything else. */
export function fileOf(from: string, specifier: string, world: Pick<ImportWorld, 'has' | 'aliases'>): string | null {
  const kind = classifySpecifier(specifier).kind
  if (kind === 'package') return matchAlias(specifier, world.aliases, world.has)
  if (kind !== 'relative') return null
  const found = resolveRelative(from, specifier, world.has)
  return typeof found === 'string' ? null : found.path
}

/** Whether a file exports a name, followed through re-exports. */
export function findExport(path: string, name: string, world: ImportWorld, visited = new Set<string>()): Found {
  const key = `${path}\0${name}`
  if (visited.has(key)) return 'missing'
  visited.add(key)
  const target = world.files.get(path)
  if (!target) return 'unknown'
  if (path.endsWith('.json')) return 'value'
  const { shape } = target
  const own = shape.exports.get(name)
  if (own) {
    if (own.isType || !own.from || own.from.name === '*') return own.isType ? 'type' : 'value'
    const source = fileOf(path, own.from.specifier, world)
    const there = source === null ? 'unknown' : findExport(source, own.from.name, world, visited)
    return there === 'missing' ? 'value' : there
  }
  if (shape.isOpen) return 'unknown'
  if (name === 'default') return shape.format === 'cjs' ? 'value' : 'missing'
  let result: Found = 'missing'
  for (const specifier of shape.stars) {
    const source = fileOf(path, specifier, world)
    const there = source === null ? 'unknown' : findExport(source, name, world, visited)
    if (there === 'value' || there === 'type') return there
    if (there === 'unknown') result = 'unknown'
  }
  return result
}

/**
 * Imports of one file that other files of the task do not answer: the name is missing, is of the other kind (named or
 * default), or is only a type. In a test the blame is the candidate's, in a candidate file its own.
 */
export function wrongExports(file: ParsedFile, world: ImportWorld, isTest: boolean): Failure[] {
  const failures: Failure[] = []
  for (const use of file.shape.imports) {
    if (use.how === 'type' || use.how === 'mock' || use.how === 'dynamic' || use.typeOnly) continue
    const path = fileOf(file.path, use.specifier, world)
    if (path === null) {
      if (isTest) failures.push(...missingTarget(file, use, world))
      continue
    }
    const target = world.files.get(path)
    if (!target || path.endsWith('.json')) continue
    for (const wanted of use.names) {
      if (wanted.imported === '*' || wanted.typeOnly) continue
      const found = findExport(path, wanted.imported, world)
      if (found === 'value' || found === 'unknown') continue
      // TypeScript drops imports that are never used as a value; types are the types layer's matter
      if (isTypeScript(file.path) && use.how === 'import' && !isUsedAsValue(file.file, wanted.local)) continue
      if (isTypeScript(file.path) && use.how === 'export' && found === 'type') continue
      failures.push(mismatch(file, use, wanted.imported, wanted.local, wanted.node, target, found, isTest))
    }
  }
  return failures
}

const isTypeScript = (path: string): boolean => /\.[cm]?tsx?$/.test(path)

/** A test imports a file that the candidate does not have. */
function missingTarget(test: ParsedFile, use: ImportUse, world: ImportWorld): Failure[] {
  if (classifySpecifier(use.specifier).kind !== 'relative') return []
  const found = resolveRelative(test.path, use.specifier, world.has)
  if (found !== 'missing') return []
  const files = [...world.files.keys()]
  return [
    toFailure({
      layer: 'imports',
      kind: 'dependency',
      message: `The tests import "${use.specifier}", which does not exist.`,
      hint: `files of the candidate: ${files.slice(0, 12).join(', ') || 'none'}`,
      assertion: assertionAt(test, use.node),
    }),
  ]
}

function mismatch(
  file: ParsedFile,
  use: ImportUse,
  imported: string,
  local: string,
  node: TS.Node,
  target: ParsedFile,
  found: 'missing' | 'type',
  isTest: boolean,
): Failure {
  const wanted = imported === 'default' ? 'default export' : `named export "${imported}"`
  const { words, hint } = describeFound(imported, local, target, found)
  const declaration = isTest ? declarationOf(target, imported === 'default' ? local : imported) : node
  const where = isTest ? target : file
  return toFailure({
    layer: 'imports',
    kind: 'dependency',
    message: `"${use.specifier}": wanted ${wanted}, found ${words}.`,
    expected: wanted,
    actual: words,
    hint,
    ...(declaration ? { location: placeOf(where, declaration), source: where.text } : {}),
    ...(isTest ? { assertion: assertionAt(file, node) } : {}),
  })
}

function describeFound(
  imported: string,
  local: string,
  target: ParsedFile,
  found: 'missing' | 'type',
): { words: string; hint: string } {
  const { shape } = target
  const names = [...shape.exports.keys()].filter((name) => name !== 'default' && name !== '__esModule')
  const isCommonJs = shape.format === 'cjs'
  const hasDefault = shape.exports.has('default')
  if (found === 'type')
    return { words: `only a type "${imported}"`, hint: `export a value named ${imported} (a function, class or const)` }
  if (imported === 'default') {
    const likely = names.find((name) => name === local) ?? (names.length === 1 ? names[0] : undefined)
    if (names.length > 0)
      return { words: `named ${listOf(names)}`, hint: `${exportWords('default', likely ?? local, shape.declared)}` }
    return {
      words: unexported(shape.declared, local) ?? 'no export',
      hint: exportWords('default', local, shape.declared),
    }
  }
  const hint = exportWords(isCommonJs ? 'commonjs' : 'named', imported, shape.declared)
  if (shape.declared.has(imported) && !(hasDefault && shape.defaultName === imported))
    return { words: `${shape.declared.get(imported)} "${imported}" that is not exported`, hint }
  if (isCommonJs && names.length === 0)
    return { words: hasDefault ? 'CommonJS module.exports without that member' : 'no export', hint }
  const near = nearestName(imported, names)
  if (near)
    return {
      words: `named export "${near}"`,
      hint: `did you mean "${imported}"? rename ${near} to ${imported}, as the importer spells it`,
    }
  if (hasDefault && !isCommonJs) {
    const named = shape.defaultName ? ` (named ${shape.defaultName})` : ''
    return { words: `default export${named}`, hint }
  }
  return { words: names.length > 0 ? `named ${listOf(names)}` : 'no export', hint }
}

const listOf = (names: readonly string[]): string =>
  `export${names.length === 1 ? '' : 's'} ${names
    .slice(0, 8)
    .map((name) => `"${name}"`)
    .join(', ')}`

function unexported(declared: ReadonlyMap<string, Declared>, name: string): string | undefined {
  const kind = declared.get(name)
  return kind ? `${kind} "${name}" that is not exported` : undefined
}

function exportWords(
  how: 'named' | 'default' | 'commonjs',
  name: string,
  declared: ReadonlyMap<string, Declared>,
): string {
  if (how === 'commonjs') return `module.exports = { ${name} }`
  const kind = declared.get(name)
  if (how === 'default')
    return kind === 'function' || kind === 'class' ? `export default ${kind} ${name}` : `export default ${name}`
  if (kind === undefined || kind === 'import')
    return kind === 'import' ? `export { ${name} }` : `export function ${name}`
  return `export ${kind} ${name}`
}

/** The declaration of a name at top level of a file, else its default export, else nothing. */
function declarationOf(target: ParsedFile, name: string): TS.Node | undefined {
  let fallback: TS.Node | undefined
  for (const statement of target.file.statements) {
    if (ts.isVariableStatement(statement)) {
      const found = statement.declarationList.declarations.find(
        (declaration) => ts.isIdentifier(declaration.name) && declaration.name.text === name,
      )
      if (found) return found.name
    } else if (
      (ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement)) &&
      statement.name?.text === name
    )
      return statement.name
    if (ts.isExportAssignment(statement)) fallback ??= statement
  }
  return fallback
}

/** The line of a test that a node stands on. */
export function assertionAt(test: ParsedFile, node: TS.Node): { file: string; line: number; source: string } {
  const { line } = placeOf(test, node)
  return { file: test.path, line, source: (test.text.split('\n')[line - 1] ?? '').trim().slice(0, 200) }
}

const usedNames = new WeakMap<TS.SourceFile, ReadonlySet<string>>()

/** Whether a name is used anywhere but in types and its own import. Shadowing is not looked at: it errs towards use. */
export function isUsedAsValue(file: TS.SourceFile, name: string): boolean {
  let used = usedNames.get(file)
  if (!used) {
    used = namesUsedAsValues(file)
    usedNames.set(file, used)
  }
  return used.has(name)
}

function namesUsedAsValues(file: TS.SourceFile): Set<string> {
  const used = new Set<string>()
  const visit = (node: TS.Node): void => {
    if (ts.isIdentifier(node)) {
      const { parent } = node
      const isMember = ts.isPropertyAccessExpression(parent) && parent.name === node
      const isKey =
        (ts.isPropertyAssignment(parent) || ts.isMethodDeclaration(parent) || ts.isPropertyDeclaration(parent)) &&
        parent.name === node
      if (!isMember && !isKey) used.add(node.text)
      return
    }
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return
    if (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) return
    if (ts.isTypeNode(node) && !ts.isExpressionWithTypeArguments(node)) return
    if (ts.isHeritageClause(node) && node.token === ts.SyntaxKind.ImplementsKeyword) return
    ts.forEachChild(node, visit)
  }
  visit(file)
  return used
}
