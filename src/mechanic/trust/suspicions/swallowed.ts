import { ts } from 'ts-morph'
import { nodesOf } from '../parse.ts'
import type { Expectation } from './expectations.ts'
import { isPlain, keyOf, literalOf, notLiteral } from './literal.ts'
import { placeOf, type Suspicion } from './suspicion.ts'

/** Errors that vanish: an empty `catch`, or one that answers with a value that the tests expect. */
export function findSwallowed(source: ts.SourceFile, expectations: readonly Expectation[]): Suspicion[] {
  const wanted = new Set(expectations.map(({ expected }) => keyOf(expected)))
  const found: Suspicion[] = []
  const say = (node: ts.Node, what: string, isGrave: boolean): void => {
    found.push({ kind: 'swallowed', isGrave, text: `${what} at ${placeOf(source, node)}` })
  }
  for (const node of nodesOf(source)) {
    if (ts.isCatchClause(node)) {
      const { statements } = node.block
      const [only] = statements
      if (!only) say(node, 'swallows errors', false)
      else if (statements.length === 1 && ts.isReturnStatement(only) && only.expression) {
        // null, false or an empty list for what cannot be read is an honest answer
        const value = literalOf(only.expression)
        if (value !== notLiteral && !isPlain(value))
          say(node, 'answers an error with a constant', wanted.has(keyOf(value)))
      }
    } else if (isSilentCatch(node)) say(node, 'swallows errors', false)
  }
  return found
}

/** `.catch(() => {})` */
function isSilentCatch(node: ts.Node): boolean {
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return false
  if (node.expression.name.text !== 'catch') return false
  const [handler] = node.arguments
  return (
    handler !== undefined &&
    (ts.isArrowFunction(handler) || ts.isFunctionExpression(handler)) &&
    ts.isBlock(handler.body) &&
    handler.body.statements.length === 0
  )
}
