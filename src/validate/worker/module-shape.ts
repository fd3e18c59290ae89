import { formatOf } from './module-format.ts'
import { type TS, ts } from './typescript.ts'

/** How a name is declared at top level, as a reader would say it. */
export type Declared =
  | 'function'
  | 'class'
  | 'const'
  | 'let'
  | 'var'
  | 'enum'
  | 'namespace'
  | 'import'
  | 'interface'
  | 'type'

export interface ExportedName {
  readonly isType: boolean
  /** Re-exported or imported: where it comes from, and under which name there (`*` is the namespace). */
  readonly from?: { readonly specifier: string; readonly name: string }
}

/** What a module offers and needs, read from its tree alone. */
export interface ModuleShape {
  readonly format: 'esm' | 'cjs'
  readonly exports: ReadonlyMap<string, ExportedName>
  /** Name of what is exported as default, where it has one. */
  readonly defaultName: string | undefined
  /** Specifiers of `export * from`. */
  readonly stars: readonly string[]
  /** CommonJS whose exports cannot be told from the tree. */
  readonly isOpen: boolean
  /** `module.exports = name`. */
  readonly wholeExport: string | undefined
  readonly declared: ReadonlyMap<string, Declared>
  readonly imports: readonly ImportUse[]
}

/** One import, re-export, `require` or `import()` with a literal specifier. */
export interface ImportUse {
  readonly specifier: string
  readonly node: TS.Node
  readonly typeOnly: boolean
  readonly how: 'import' | 'export' | 'require' | 'dynamic' | 'type' | 'mock'
  /** Names taken: imported name and local name; `default` and `*` as such. */
  readonly names: readonly {
    readonly imported: string
    readonly local: string
    readonly typeOnly: boolean
    readonly node: TS.Node
  }[]
}

/** Reads a module's shape. Pure; the tree must have parents. */
export function shapeOf(path: string, file: TS.SourceFile): ModuleShape {
  const exports = new Map<string, ExportedName>()
  const declared = new Map<string, Declared>()
  const stars: string[] = []
  const imports: ImportUse[] = []
  const importedNames = new Map<string, { specifier: string; name: string; typeOnly: boolean }>()
  let defaultName: string | undefined

  for (const statement of file.statements) collectDeclared(statement, declared)
  collectImports(file, imports)
  for (const use of imports)
    if (use.how === 'import' || use.how === 'require')
      for (const { imported, local, typeOnly } of use.names)
        importedNames.set(local, { specifier: use.specifier, name: imported, typeOnly: typeOnly || use.typeOnly })

  const exportLocal = (name: string, local: string, typeOnly: boolean): void => {
    const imported = importedNames.get(local)
    const kind = declared.get(local)
    const isType = typeOnly || imported?.typeOnly === true || kind === 'interface' || kind === 'type'
    exports.set(name, imported ? { isType, from: { specifier: imported.specifier, name: imported.name } } : { isType })
  }

  for (const statement of file.statements) {
    if (ts.isExportDeclaration(statement)) {
      const from =
        statement.moduleSpecifier && ts.isStringLiteral(statement.moduleSpecifier)
          ? statement.moduleSpecifier.text
          : undefined
      const clause = statement.exportClause
      if (!clause) {
        if (from !== undefined) stars.push(from)
      } else if (ts.isNamespaceExport(clause)) {
        exports.set(clause.name.text, {
          isType: statement.isTypeOnly,
          ...(from === undefined ? {} : { from: { specifier: from, name: '*' } }),
        })
      } else
        for (const element of clause.elements) {
          const local = (element.propertyName ?? element.name).text
          const typeOnly = statement.isTypeOnly || element.isTypeOnly
          if (from !== undefined)
            exports.set(element.name.text, { isType: typeOnly, from: { specifier: from, name: local } })
          else exportLocal(element.name.text, local, typeOnly)
          if (element.name.text === 'default') defaultName = local
        }
    } else if (ts.isExportAssignment(statement)) {
      exports.set('default', { isType: false })
      if (ts.isIdentifier(statement.expression)) defaultName = statement.expression.text
      if (statement.isExportEquals === true && ts.isIdentifier(statement.expression))
        exports.set('default', { isType: false })
    } else if (hasModifier(statement, ts.SyntaxKind.ExportKeyword)) {
      const own = new Map<string, Declared>()
      collectDeclared(statement, own)
      if (hasModifier(statement, ts.SyntaxKind.DefaultKeyword)) {
        exports.set('default', { isType: own.size > 0 && [...own.values()].every(isTypeKind) })
        defaultName = [...own.keys()][0]
      } else
        for (const [name, kind] of own)
          if (exports.get(name)?.isType !== false) exports.set(name, { isType: isTypeKind(kind) })
    }
  }

  const format = formatOf(path, file)
  let isOpen = false
  let wholeExport: string | undefined
  if (format === 'cjs') {
    const found = readCommonJs(file)
    for (const name of found.names) if (!exports.has(name)) exports.set(name, { isType: false })
    isOpen =
      found.isOpen ||
      file.statements.some((statement) => ts.isExportAssignment(statement) && statement.isExportEquals === true)
    wholeExport = found.whole
    if (found.any) exports.set('default', { isType: false })
  }
  return { format, exports, defaultName, stars, isOpen, wholeExport, declared, imports }
}

const isTypeKind = (kind: Declared): boolean => kind === 'interface' || kind === 'type'

export function hasModifier(node: TS.Node, kind: TS.SyntaxKind): boolean {
  return ts.canHaveModifiers(node) && (ts.getModifiers(node)?.some((modifier) => modifier.kind === kind) ?? false)
}

/** Names that a statement declares in the scope it stands in. A value wins over a type of the same name. */
function collectDeclared(statement: TS.Statement, into: Map<string, Declared>): void {
  const isAmbient = hasModifier(statement, ts.SyntaxKind.DeclareKeyword)
  const add = (name: TS.Identifier | undefined, declaredAs: Declared): void => {
    if (!name) return
    // what is only declared has no value when the program runs
    const kind = isAmbient ? 'type' : declaredAs
    const known = into.get(name.text)
    if (known === undefined || isTypeKind(known)) into.set(name.text, kind)
  }
  if (ts.isFunctionDeclaration(statement)) add(statement.name, 'function')
  else if (ts.isClassDeclaration(statement)) add(statement.name, 'class')
  else if (ts.isEnumDeclaration(statement)) add(statement.name, 'enum')
  else if (ts.isInterfaceDeclaration(statement)) add(statement.name, 'interface')
  else if (ts.isTypeAliasDeclaration(statement)) add(statement.name, 'type')
  else if (ts.isModuleDeclaration(statement) && ts.isIdentifier(statement.name))
    add(statement.name, holdsOnlyTypes(statement) ? 'type' : 'namespace')
  else if (ts.isImportEqualsDeclaration(statement)) add(statement.name, 'import')
  else if (ts.isImportDeclaration(statement)) {
    const clause = statement.importClause
    add(clause?.name, 'import')
    const bindings = clause?.namedBindings
    if (bindings && ts.isNamespaceImport(bindings)) add(bindings.name, 'import')
    else if (bindings) for (const element of bindings.elements) add(element.name, 'import')
  } else if (ts.isVariableStatement(statement)) {
    const flags = statement.declarationList.flags
    const kind = flags & ts.NodeFlags.Const ? 'const' : flags & ts.NodeFlags.Let ? 'let' : 'var'
    for (const declaration of statement.declarationList.declarations)
      for (const name of namesOfBinding(declaration.name)) add(name, kind)
  }
}

function holdsOnlyTypes(namespace: TS.ModuleDeclaration): boolean {
  const { body } = namespace
  return (
    body !== undefined &&
    ts.isModuleBlock(body) &&
    body.statements.every((statement) => ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement))
  )
}

function namesOfBinding(name: TS.BindingName): TS.Identifier[] {
  if (ts.isIdentifier(name)) return [name]
  return name.elements.flatMap((element) => (ts.isOmittedExpression(element) ? [] : namesOfBinding(element.name)))
}

function collectImports(file: TS.SourceFile, into: ImportUse[]): void {
  const visit = (node: TS.Node): void => {
    if (ts.isImportDeclaration(node) && ts.isStringLiteral(node.moduleSpecifier)) {
      const clause = node.importClause
      const names: ImportUse['names'][number][] = []
      if (clause?.name) names.push({ imported: 'default', local: clause.name.text, typeOnly: false, node: clause.name })
      const bindings = clause?.namedBindings
      if (bindings && ts.isNamespaceImport(bindings))
        names.push({ imported: '*', local: bindings.name.text, typeOnly: false, node: bindings.name })
      else if (bindings)
        for (const element of bindings.elements)
          names.push({
            imported: (element.propertyName ?? element.name).text,
            local: element.name.text,
            typeOnly: element.isTypeOnly,
            node: element,
          })
      into.push({
        specifier: node.moduleSpecifier.text,
        node: node.moduleSpecifier,
        typeOnly: clause?.isTypeOnly ?? false,
        how: 'import',
        names,
      })
      return
    }
    if (ts.isExportDeclaration(node) && node.moduleSpecifier && ts.isStringLiteral(node.moduleSpecifier)) {
      const clause = node.exportClause
      const names =
        clause && ts.isNamedExports(clause)
          ? clause.elements.map((element) => ({
              imported: (element.propertyName ?? element.name).text,
              local: element.name.text,
              typeOnly: element.isTypeOnly,
              node: element as TS.Node,
            }))
          : []
      into.push({
        specifier: node.moduleSpecifier.text,
        node: node.moduleSpecifier,
        typeOnly: node.isTypeOnly,
        how: 'export',
        names,
      })
      return
    }
    if (ts.isImportEqualsDeclaration(node) && ts.isExternalModuleReference(node.moduleReference)) {
      const argument = node.moduleReference.expression
      if (ts.isStringLiteralLike(argument))
        into.push({
          specifier: argument.text,
          node: argument,
          typeOnly: node.isTypeOnly,
          how: 'require',
          names: [{ imported: '*', local: node.name.text, typeOnly: node.isTypeOnly, node: node.name }],
        })
      return
    }
    if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument) && ts.isStringLiteral(node.argument.literal))
      into.push({
        specifier: node.argument.literal.text,
        node: node.argument.literal,
        typeOnly: true,
        how: 'type',
        names: [],
      })
    else if (ts.isCallExpression(node)) {
      const [argument] = node.arguments
      if (argument && ts.isStringLiteralLike(argument)) {
        if (node.expression.kind === ts.SyntaxKind.ImportKeyword)
          into.push({ specifier: argument.text, node: argument, typeOnly: false, how: 'dynamic', names: [] })
        else if (ts.isIdentifier(node.expression) && node.expression.text === 'require')
          into.push({
            specifier: argument.text,
            node: argument,
            typeOnly: false,
            how: 'require',
            names: namesOfRequire(node),
          })
        else if (isMockCall(node.expression))
          into.push({ specifier: argument.text, node: argument, typeOnly: false, how: 'mock', names: [] })
      }
    }
    ts.forEachChild(node, visit)
  }
  visit(file)
}

/** `const { a, b: c } = require('x')` and `const x = require('x')`. */
function namesOfRequire(call: TS.CallExpression): ImportUse['names'] {
  const declaration = call.parent
  if (!ts.isVariableDeclaration(declaration) || declaration.initializer !== call) return []
  if (ts.isIdentifier(declaration.name))
    return [{ imported: '*', local: declaration.name.text, typeOnly: false, node: declaration.name }]
  if (!ts.isObjectBindingPattern(declaration.name)) return []
  return declaration.name.elements.flatMap((element) => {
    const name = element.propertyName ?? element.name
    if (element.dotDotDotToken || element.initializer || !ts.isIdentifier(name) || !ts.isIdentifier(element.name))
      return []
    return [{ imported: name.text, local: element.name.text, typeOnly: false, node: element as TS.Node }]
  })
}

/** `vi.mock('…')`, `jest.mock('…')` and their kin, whose first argument names a module. */
function isMockCall(callee: TS.Expression): boolean {
  return (
    ts.isPropertyAccessExpression(callee) &&
    ts.isIdentifier(callee.expression) &&
    (callee.expression.text === 'vi' || callee.expression.text === 'jest') &&
    /^(?:mock|doMock|unmock|doUnmock|dontMock|importActual|importMock|requireActual|requireMock|unstable_mockModule)$/.test(
      callee.name.text,
    )
  )
}

function readCommonJs(file: TS.SourceFile): {
  names: Set<string>
  any: boolean
  isOpen: boolean
  whole: string | undefined
} {
  const names = new Set<string>()
  let any = false
  let isOpen = false
  let whole: string | undefined
  const visit = (node: TS.Node): void => {
    if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.EqualsToken) {
      const { left, right } = node
      if (isModuleExports(left)) {
        any = true
        if (ts.isIdentifier(right)) {
          whole = right.text
          isOpen = true
        } else if (ts.isObjectLiteralExpression(right))
          for (const property of right.properties) {
            if (property.name && (ts.isIdentifier(property.name) || ts.isStringLiteral(property.name)))
              names.add(property.name.text)
            else isOpen = true
          }
        else {
          isOpen = true
          if ((ts.isFunctionExpression(right) || ts.isClassExpression(right)) && right.name) whole = right.name.text
        }
      } else if (
        ts.isPropertyAccessExpression(left) &&
        (isModuleExports(left.expression) || isExports(left.expression))
      ) {
        any = true
        names.add(left.name.text)
      } else if (
        ts.isElementAccessExpression(left) &&
        (isModuleExports(left.expression) || isExports(left.expression))
      ) {
        any = true
        if (ts.isStringLiteral(left.argumentExpression)) names.add(left.argumentExpression.text)
        else isOpen = true
      }
    } else if (
      ts.isCallExpression(node) &&
      node.arguments.some((argument) => isModuleExports(argument) || isExports(argument))
    ) {
      any = true
      isOpen = true
    }
    ts.forEachChild(node, visit)
  }
  visit(file)
  return { names, any, isOpen, whole }
}

const isExports = (node: TS.Node): boolean => ts.isIdentifier(node) && node.text === 'exports'
const isModuleExports = (node: TS.Node): boolean =>
  ts.isPropertyAccessExpression(node) &&
  ts.isIdentifier(node.expression) &&
  node.expression.text === 'module' &&
  node.name.text === 'exports'
