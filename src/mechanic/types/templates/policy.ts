import { ts } from 'ts-morph'
import { ancestor, fix, replace, type Template } from '../context.ts'
import { vocabulary } from '../type-text.ts'

/** Pseudo code of what the policy forbids and the compiler allows: casts to any. */
export const policyCode = 90_001

/** Pseudo code of a comment that the compiler obeys. */
export const silenceCode = 90_003

function isAny(type: ts.TypeNode): boolean {
  if (ts.isParenthesizedTypeNode(type)) return isAny(type.type)
  return ts.isArrayTypeNode(type) ? isAny(type.elementType) : type.kind === ts.SyntaxKind.AnyKeyword
}

/** Places of `@ts-ignore` and its like in comments. */
export function silencingComments(text: string): { start: number; end: number }[] {
  const found: { start: number; end: number }[] = []
  for (const match of text.matchAll(
    /\/\/+[ \t]*@ts-(?:ignore|expect-error|nocheck)[^\n]*|\/\*+\s*@ts-(?:ignore|expect-error|nocheck)[\s\S]*?\*\//g,
  ))
    found.push({ start: match.index, end: match.index + match[0].length })
  return found
}

/** A silencing comment is taken away, so that what it hid can be repaired. */
export const silence: Template = function* (context) {
  const start = context.diagnostic.start ?? 0
  yield fix(context, 0.05, 'a comment that silences the compiler is dropped', {
    start,
    end: start + (context.diagnostic.length ?? 0),
    text: '',
  })
}

/** Casts to `any` in a file; the validator refuses them, so they count as errors here. */
export function forbiddenCasts(source: ts.SourceFile): ts.Node[] {
  const found: ts.Node[] = []
  const visit = (node: ts.Node): void => {
    if ((ts.isAsExpression(node) || ts.isTypeAssertionExpression(node)) && isAny(node.type)) found.push(node)
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
