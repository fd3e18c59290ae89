import { ts } from 'ts-morph'
import { ancestor, fix, replace, type Template } from '../context.ts'
import { vocabulary } from '../type-text.ts'

/** Pseudo code of what the policy forbids and the compiler allows: casts to any. */
export const policyCode = 90_001

/** Casts to `any` in a file; the validator refuses them, so they count as errors here. */
export function forbiddenCasts(source: ts.SourceFile): ts.Node[] {
  const found: ts.Node[] = []
  const visit = (node: ts.Node): void => {
    if ((ts.isAsExpression(node) || ts.isTypeAssertionExpression(node)) && node.type.kind === ts.SyntaxKind.AnyKeyword)
      found.push(node)
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

/** A cast to any is dropped, so that what it hid can be repaired, or says what is meant. */
export const anyCast: Template = function* (context) {
  const cast = ancestor(
    context.node,
    (node): node is ts.AsExpression | ts.TypeAssertion => ts.isAsExpression(node) || ts.isTypeAssertionExpression(node),
  )
  if (!cast) return
  yield fix(context, 0.1, 'a cast to any is dropped', replace(context, cast, cast.expression.getText(context.source)))
  for (const word of vocabulary(context))
    yield fix(context, 0.4, `a cast to any becomes one to ${word}`, replace(context, cast.type, word))
}
