import { ts } from 'ts-morph'
import { bare, nodesOf } from '../parse.ts'
import { literalOf, notLiteral } from './literal.ts'
import { excerpt, placeOf, type Suspicion } from './suspicion.ts'

const checking = /^(?:validate|verify|assert|ensure|check|guard|require[A-Z])/

/** Checks that are there and do nothing: conditions that cannot vary, checking functions without a body. */
export function findDisabled(source: ts.SourceFile): Suspicion[] {
  const found: Suspicion[] = []
  const say = (node: ts.Node, what: string, shown: ts.Node = node): void => {
    found.push({
      kind: 'disabled',
      isGrave: false,
      text: `${what} at ${placeOf(source, node)}: ${excerpt(shown.getText(source))}`,
    })
  }
  for (const node of nodesOf(source)) {
    if (ts.isIfStatement(node) && literalOf(node.expression) !== notLiteral)
      say(node, 'a condition that never varies', node.expression)
    else if (ts.isConditionalExpression(node) && literalOf(node.condition) !== notLiteral)
      say(node, 'a condition that never varies', node.condition)
    else if (ts.isBinaryExpression(node) && isOverruled(node)) say(node, 'a condition that never varies')
    else if (isEmptyCheck(node)) say(node, 'a check that does nothing')
  }
  return found
}

/** `x || true`, `x && false`, `true || x`, `false && x`. */
function isOverruled(node: ts.BinaryExpression): boolean {
  const isOr = node.operatorToken.kind === ts.SyntaxKind.BarBarToken
  if (!isOr && node.operatorToken.kind !== ts.SyntaxKind.AmpersandAmpersandToken) return false
  const ruling = isOr ? ts.SyntaxKind.TrueKeyword : ts.SyntaxKind.FalseKeyword
  // as a default (`options.strict || true`) it is as useless as in a condition
  return bare(node.left).kind === ruling || bare(node.right).kind === ruling
}

function isEmptyCheck(node: ts.Node): boolean {
  if (!ts.isFunctionDeclaration(node) && !ts.isMethodDeclaration(node)) return false
  const name = node.name?.getText() ?? ''
  return checking.test(name) && node.body !== undefined && node.body.statements.length === 0
}
