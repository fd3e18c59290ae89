import { ts } from 'ts-morph'

/**
 * A text that is equal for programs with equal syntax trees, brackets and layout aside; null for a text that does not parse.
 * Cheaper than a hash of normal forms, and the parse is needed anyway.
 */
export function canonicalForm(text: string, path: string): string | null {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, false)
  // the parser's own findings; the member is not in the published types
  const { parseDiagnostics } = source as unknown as { parseDiagnostics: readonly unknown[] }
  if (parseDiagnostics.length > 0) return null
  const parts: string[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isParenthesizedExpression(node)) {
      visit(node.expression)
      return
    }
    if (node.kind === ts.SyntaxKind.EmptyStatement) return
    if (ts.isIdentifier(node) || ts.isLiteralExpression(node) || ts.isTemplateLiteralToken(node)) {
      parts.push(`${node.kind}:${JSON.stringify(node.text)}`)
      return
    }
    parts.push(`${node.kind}(`)
    // modifiers of declarations that are no child: const, let, var
    if (ts.isVariableDeclarationList(node)) parts.push(String(node.flags & ts.NodeFlags.BlockScoped))
    if (ts.isPrefixUnaryExpression(node) || ts.isPostfixUnaryExpression(node)) parts.push(String(node.operator))
    ts.forEachChild(node, visit)
    parts.push(')')
  }
  visit(source)
  return parts.join(' ')
}
