import { ts } from 'ts-morph'
import { applyEdits, type TextEdit } from '../types/edit.ts'
import { bare, parseSource } from './parse.ts'

/**
 * The same signatures with nothing behind them: functions and methods do nothing, constants and fields are undefined. Statements
 * at the top of a module stay where they export (`module.exports = …`), since without them there would be nothing to test. Pure.
 */
export function stubOf(path: string, text: string): string {
  const source = parseSource(path, text)
  const edits: TextEdit[] = []
  const put = (node: ts.Node, replacement: string): void => {
    edits.push({ start: node.getStart(source), end: node.end, text: replacement })
  }

  const emptyBody = (body: ts.ConciseBody): void => put(body, '{}')
  const emptyClass = (node: ts.ClassLikeDeclaration): void => {
    const isDerived = node.heritageClauses?.some(({ token }) => token === ts.SyntaxKind.ExtendsKeyword) === true
    for (const member of node.members) {
      if (ts.isConstructorDeclaration(member)) {
        if (member.body) put(member.body, isDerived ? '{ super() }' : '{}')
      } else if (ts.isPropertyDeclaration(member)) {
        if (member.initializer) emptyValue(member.initializer)
      } else if (ts.isClassStaticBlockDeclaration(member)) put(member.body, '{}')
      else if (ts.isFunctionLike(member) && 'body' in member && member.body) emptyBody(member.body as ts.Block)
    }
  }
  const emptyValue = (value: ts.Expression): void => {
    const inner = bare(value)
    if (ts.isArrowFunction(inner) || ts.isFunctionExpression(inner)) emptyBody(inner.body)
    else if (ts.isClassExpression(inner)) emptyClass(inner)
    else if (ts.isObjectLiteralExpression(inner)) {
      for (const property of inner.properties) {
        if (ts.isPropertyAssignment(property)) emptyValue(property.initializer)
        else if (ts.isSpreadAssignment(property)) put(property.expression, '{}')
        else if (ts.isFunctionLike(property) && 'body' in property && property.body) emptyBody(property.body)
      }
    } else if (!ts.isIdentifier(inner)) put(value, 'undefined')
  }

  for (const statement of source.statements) {
    if (ts.isFunctionDeclaration(statement)) {
      if (statement.body) emptyBody(statement.body)
    } else if (ts.isClassDeclaration(statement)) emptyClass(statement)
    else if (ts.isVariableStatement(statement)) {
      // what is required or taken apart is an import or needs a value to be taken apart
      for (const { initializer, name } of statement.declarationList.declarations)
        if (initializer && ts.isIdentifier(name) && !isRequire(initializer)) emptyValue(initializer)
    } else if (ts.isExportAssignment(statement)) emptyValue(statement.expression)
    else if (ts.isExpressionStatement(statement)) {
      const { expression } = statement
      if (ts.isBinaryExpression(expression) && expression.operatorToken.kind === ts.SyntaxKind.EqualsToken)
        emptyValue(expression.right)
    }
  }
  return applyEdits(text, edits) ?? text
}

function isRequire(node: ts.Expression): boolean {
  return ts.isCallExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === 'require'
}
