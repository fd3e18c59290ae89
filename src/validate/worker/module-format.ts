import { type TS, ts } from './typescript.ts'

/** Whether a file is an ES module or CommonJS: by its extension, else by what it uses. A file that uses neither is ESM. */
export function formatOf(path: string, file: TS.SourceFile): 'esm' | 'cjs' {
  if (/\.c[jt]s$/.test(path)) return 'cjs'
  if (/\.m[jt]s$/.test(path)) return 'esm'
  if (
    file.statements.some(
      (statement) => ts.isImportEqualsDeclaration(statement) && ts.isExternalModuleReference(statement.moduleReference),
    )
  )
    return 'cjs'
  if (file.statements.some((statement) => ts.isExportAssignment(statement) && statement.isExportEquals === true))
    return 'cjs'
  if (file.statements.some(isEsmStatement)) return 'esm'
  return usesCommonJs(file) ? 'cjs' : 'esm'
}

function isEsmStatement(statement: TS.Statement): boolean {
  return (
    ts.isImportDeclaration(statement) ||
    ts.isExportDeclaration(statement) ||
    ts.isExportAssignment(statement) ||
    (ts.canHaveModifiers(statement) &&
      (ts.getModifiers(statement)?.some((modifier) => modifier.kind === ts.SyntaxKind.ExportKeyword) ?? false))
  )
}

/** `module.exports`, `exports.x =` or `require('…')` with names that the file does not declare at top level. */
function usesCommonJs(file: TS.SourceFile): boolean {
  let found = false
  const visit = (node: TS.Node): void => {
    if (found) return
    if (ts.isPropertyAccessExpression(node) && ts.isIdentifier(node.expression)) {
      const object = node.expression.text
      if (object === 'module' && node.name.text === 'exports') found = true
      else if (object === 'exports' && ts.isBinaryExpression(node.parent) && node.parent.left === node) found = true
    } else if (
      ts.isCallExpression(node) &&
      ts.isIdentifier(node.expression) &&
      node.expression.text === 'require' &&
      node.arguments.length === 1
    ) {
      const [argument] = node.arguments
      if (argument && ts.isStringLiteralLike(argument)) found = true
    }
    if (!found) ts.forEachChild(node, visit)
  }
  visit(file)
  return found
}
