import type { SourceModule } from '../../sandbox/types.ts'
import { classifySpecifier } from '../specifiers.ts'
import { fileOf, findExport, isUsedAsValue } from './export-match.ts'
import { implicitGlobals } from './implicit-globals.ts'
import type { ImportWorld, ParsedFile } from './imports-layer.ts'
import { matchAlias } from './path-aliases.ts'
import { type Elision, stripTypes } from './strip-types.ts'
import { type TS, ts } from './typescript.ts'

/** Makes a task file ready for the isolate: JavaScript with a source map, or the text itself where it is that already. */
export function transpile(file: ParsedFile, world: ImportWorld, options: TS.CompilerOptions): SourceModule {
  if (file.path.endsWith('.json')) return { path: file.path, code: file.text, format: 'json' }
  const topLevelNames = valueNames(file)
  const { format } = file.shape
  const hasAlias = file.shape.imports.some((use) => aliasOf(file, use.specifier, world) !== null)
  const isPlain = /\.[cm]?js$/.test(file.path) && !hasAlias
  if (isPlain) {
    const implicit = isScript(file) ? implicitGlobals(file.file) : []
    // declared behind the last line, so that every place stays as it is
    const code = implicit.length > 0 ? `${file.text}\nvar ${implicit.join(', ')};\n` : file.text
    return { path: file.path, code, format, topLevelNames: [...topLevelNames, ...implicit] }
  }
  const elision = elisionOf(file, world)
  const stripped = hasAlias
    ? null
    : /\.[cm]?ts$/.test(file.path) && format === 'esm'
      ? stripTypes(file.file, elision)
      : null
  if (stripped !== null) return { path: file.path, code: stripped, format, topLevelNames }
  const { outputText, sourceMapText } = ts.transpileModule(file.text, {
    fileName: file.path,
    compilerOptions: {
      ...emitOptions(options),
      module: format === 'cjs' ? ts.ModuleKind.CommonJS : ts.ModuleKind.ESNext,
    },
    transformers: { before: [rewriteImports(file, world, elision)] },
  })
  const code = outputText.replace(/\n?\/\/# sourceMappingURL=.*\s*$/, '\n')
  return {
    path: file.path,
    code,
    format,
    topLevelNames,
    ...(sourceMapText === undefined ? {} : { map: sourceMapText }),
  }
}

/** A file that nobody would have run as a module, and so not as strict code. */
const isScript = (file: ParsedFile): boolean =>
  !/\.m[jt]s$/.test(file.path) &&
  !file.text.startsWith("'use strict'") &&
  (file.shape.format === 'cjs' ||
    (file.shape.exports.size === 0 && !file.shape.imports.some((use) => use.how === 'import')))

function emitOptions(options: TS.CompilerOptions): TS.CompilerOptions {
  const {
    experimentalDecorators,
    emitDecoratorMetadata,
    jsx,
    jsxFactory,
    jsxFragmentFactory,
    jsxImportSource,
    useDefineForClassFields,
  } = options
  return Object.fromEntries(
    Object.entries({
      experimentalDecorators,
      emitDecoratorMetadata,
      jsx: jsx === ts.JsxEmit.React ? jsx : ts.JsxEmit.ReactJSX,
      jsxFactory,
      jsxFragmentFactory,
      jsxImportSource,
      useDefineForClassFields,
      target: ts.ScriptTarget.ES2022,
      esModuleInterop: true,
      allowJs: true,
      sourceMap: true,
      inlineSources: false,
      isolatedModules: true,
    }).filter(([, value]) => value !== undefined),
  )
}

function aliasOf(file: ParsedFile, specifier: string, world: ImportWorld): string | null {
  return classifySpecifier(specifier).kind === 'package' && file.path !== ''
    ? matchAlias(specifier, world.aliases, world.has)
    : null
}

/**
 * Replaces aliased specifiers by relative ones, and drops names from re-exports that are only types in another file: a
 * single file's compiler cannot know that.
 */
function rewriteImports(file: ParsedFile, world: ImportWorld, elision: Elision): TS.TransformerFactory<TS.SourceFile> {
  return (context) => (source) => {
    const { factory } = context
    const relative = (specifier: string): string | null => {
      const target = aliasOf(file, specifier, world)
      return target === null ? null : relativePath(file.path, target)
    }
    const visit = (node: TS.Node): TS.Node | undefined => {
      if (
        ts.isExportDeclaration(node) &&
        node.exportClause &&
        ts.isNamedExports(node.exportClause) &&
        !node.isTypeOnly
      ) {
        const from =
          node.moduleSpecifier && ts.isStringLiteral(node.moduleSpecifier) ? node.moduleSpecifier.text : undefined
        const kept = node.exportClause.elements.filter((element) => !elision.isTypeName(element))
        if (kept.length < node.exportClause.elements.length) {
          if (kept.length === 0 && from === undefined) return undefined
          const clause = factory.updateNamedExports(node.exportClause, kept)
          return rewriteSpecifier(
            factory.updateExportDeclaration(node, node.modifiers, false, clause, node.moduleSpecifier, node.attributes),
          )
        }
      }
      if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return rewriteSpecifier(node)
      if (ts.isCallExpression(node)) return rewriteCall(ts.visitEachChild(node, visit, context))
      return ts.visitEachChild(node, visit, context)
    }
    const rewriteSpecifier = <N extends TS.ImportDeclaration | TS.ExportDeclaration>(node: N): TS.Node => {
      const specifier = node.moduleSpecifier
      const target = specifier && ts.isStringLiteral(specifier) ? relative(specifier.text) : null
      if (target === null) return node
      const literal = factory.createStringLiteral(target)
      return ts.isImportDeclaration(node)
        ? factory.updateImportDeclaration(node, node.modifiers, node.importClause, literal, node.attributes)
        : factory.updateExportDeclaration(
            node,
            node.modifiers,
            node.isTypeOnly,
            node.exportClause,
            literal,
            node.attributes,
          )
    }
    const rewriteCall = (call: TS.CallExpression): TS.CallExpression => {
      const [first, ...rest] = call.arguments
      const target =
        first && ts.isStringLiteralLike(first) && takesModule(call.expression) ? relative(first.text) : null
      return target === null
        ? call
        : factory.updateCallExpression(call, call.expression, call.typeArguments, [
            factory.createStringLiteral(target),
            ...rest,
          ])
    }
    return ts.visitEachChild(source, visit, context)
  }
}

/** Tells by the task's other files, and by how names are used in this one, which imports and exports are only types. */
function elisionOf(file: ParsedFile, world: ImportWorld): Elision {
  const isOnlyType = (specifier: string, name: string): boolean => {
    const target = fileOf(file.path, specifier, world)
    return target !== null && name !== '*' && findExport(target, name, world) === 'type'
  }
  const importedFrom = new Map<string, { specifier: string; name: string }>()
  for (const use of file.shape.imports)
    if (use.how === 'import')
      for (const { imported, local } of use.names) importedFrom.set(local, { specifier: use.specifier, name: imported })
  return {
    isTypeName(node) {
      if (ts.isExportSpecifier(node)) {
        const local = (node.propertyName ?? node.name).text
        const from = node.parent.parent.moduleSpecifier
        const origin =
          from && ts.isStringLiteral(from) ? { specifier: from.text, name: local } : importedFrom.get(local)
        if (origin) return isOnlyType(origin.specifier, origin.name)
        const kind = file.shape.declared.get(local)
        return kind === 'interface' || kind === 'type'
      }
      const local = node.name?.text
      if (local === undefined) return false
      const isExported = [...file.shape.exports.values()].some(
        (name) =>
          name.from &&
          importedFrom.get(local) &&
          name.from.specifier === importedFrom.get(local)?.specifier &&
          name.from.name === importedFrom.get(local)?.name,
      )
      const origin = importedFrom.get(local)
      if (origin && isOnlyType(origin.specifier, origin.name)) return true
      return !isUsedAsValue(file.file, local) && !isExported
    },
  }
}

function takesModule(callee: TS.Expression): boolean {
  if (callee.kind === ts.SyntaxKind.ImportKeyword) return true
  if (ts.isIdentifier(callee)) return callee.text === 'require'
  return (
    ts.isPropertyAccessExpression(callee) &&
    ts.isIdentifier(callee.expression) &&
    /^(?:vi|jest)$/.test(callee.expression.text)
  )
}

function relativePath(from: string, to: string): string {
  const up = from.split('/').slice(0, -1)
  const down = to.split('/')
  while (up.length > 0 && down.length > 1 && up[0] === down[0]) {
    up.shift()
    down.shift()
  }
  return up.length === 0 ? `./${down.join('/')}` : `${'../'.repeat(up.length)}${down.join('/')}`
}

/** Names that still exist after compilation: no types, and imports only where they are used as values. */
function valueNames(file: ParsedFile): string[] {
  const names: string[] = []
  for (const [name, kind] of file.shape.declared) {
    if (kind === 'interface' || kind === 'type') continue
    if (kind === 'import' && (/\.[cm]?js$/.test(file.path) ? false : !isUsedAsValue(file.file, name))) continue
    names.push(name)
  }
  return names
}
