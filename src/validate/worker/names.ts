import { type TS, ts } from './typescript.ts'

interface Bound extends TS.Node {
  /** Names of a scope, set by the compiler's binder. */
  readonly locals?: ReadonlyMap<string, unknown>
}

/** The binder is internal; the only other way to scopes is a whole program. */
const { bindSourceFile } = ts as typeof ts & { bindSourceFile(file: TS.SourceFile, options: TS.CompilerOptions): void }

/** Prepares a tree for `isGlobal`. Idempotent, as a later program binds no file twice. */
export function bindNames(file: TS.SourceFile, options: TS.CompilerOptions): void {
  bindSourceFile(file, options)
}

/** Whether an identifier in an expression means a global: no scope around it binds the name. */
export function isGlobal(identifier: TS.Identifier): boolean {
  const name = identifier.text
  for (let node: TS.Node | undefined = identifier.parent; node; node = node.parent) {
    // the compiler's tables escape a leading double underscore with one more
    if ((node as Bound).locals?.has(name.startsWith('__') ? `_${name}` : name)) return false
    if ((ts.isClassExpression(node) || ts.isFunctionExpression(node)) && node.name?.text === name) return false
  }
  return true
}

/** Whether an identifier is read as a value, not a property name, label, key, declaration name or part of a type. */
export function isValueReference(node: TS.Identifier): boolean {
  const { parent } = node
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === node
  if (ts.isQualifiedName(parent) || ts.isTypeNode(parent)) return ts.isExpressionWithTypeArguments(parent)
  if (ts.isPropertyAssignment(parent)) return parent.initializer === node
  if (
    ts.isBindingElement(parent) ||
    ts.isVariableDeclaration(parent) ||
    ts.isParameter(parent) ||
    ts.isPropertyDeclaration(parent) ||
    ts.isEnumMember(parent)
  )
    return parent.initializer === node
  if (ts.isExportSpecifier(parent)) return (parent.propertyName ?? parent.name) === node
  if (ts.isExportAssignment(parent) || ts.isShorthandPropertyAssignment(parent)) return true
  if (ts.isLabeledStatement(parent) || ts.isBreakOrContinueStatement(parent) || ts.isMetaProperty(parent)) return false
  if (
    ts.isJsxAttribute(parent) ||
    ts.isImportSpecifier(parent) ||
    ts.isImportClause(parent) ||
    ts.isNamespaceImport(parent)
  )
    return false
  // what is left with a name of its own is a declaration (function, class, method, enum, namespace …)
  return (parent as TS.Node & { readonly name?: TS.Node }).name !== node
}
