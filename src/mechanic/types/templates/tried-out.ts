import { ts } from 'ts-morph'
import { fix, type Template } from '../context.ts'

/**
 * A top-level statement that only tries the code out (prints, asserts, keeps a result that nobody reads) is no part of it:
 * where the compiler objects to it, it goes.
 */
export const triedOut: Template = function* (context) {
  let statement: ts.Node = context.node
  while (statement.parent && !ts.isSourceFile(statement.parent)) statement = statement.parent
  if (!statement.parent || !isTrial(statement, context.text)) return
  yield fix(context, 0.1, 'a statement that only tries the code out is dropped', {
    start: statement.getStart(context.source),
    end: statement.end,
    text: '',
  })
}

function isTrial(statement: ts.Node, text: string): boolean {
  if (ts.isExpressionStatement(statement)) {
    const { expression } = statement
    // module.exports = … and the like define something
    return !ts.isBinaryExpression(expression) || !/^(module|exports)\b/.test(expression.left.getText())
  }
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.every(
      ({ name, initializer }) =>
        ts.isIdentifier(name) &&
        initializer !== undefined &&
        !ts.isFunctionLike(initializer) &&
        text.split(new RegExp(`\\b${name.text}\\b`)).length === 2,
    )
  return (
    ts.isIfStatement(statement) &&
    /require\.main|import\.meta|process\.argv|__name__/.test(statement.expression.getText())
  )
}
