import { bindNames, isGlobal } from './names.ts'
import { type TS, ts } from './typescript.ts'

/**
 * Names that a sloppy script brings into being by assigning to them. Guest code is strict, where that throws; declared at
 * top level they work as their author saw them work. Known globals are left out: assigning to those is another matter.
 */
export function implicitGlobals(file: TS.SourceFile): string[] {
  const names = new Set<string>()
  const add = (target: TS.Node): void => {
    if (ts.isParenthesizedExpression(target)) add(target.expression)
    else if (ts.isIdentifier(target)) {
      if (isGlobal(target) && !(target.text in globalThis) && !reserved.has(target.text)) names.add(target.text)
    } else if (ts.isArrayLiteralExpression(target)) for (const element of target.elements) add(element)
    else if (ts.isObjectLiteralExpression(target))
      for (const property of target.properties) {
        if (ts.isShorthandPropertyAssignment(property)) add(property.name)
        else if (ts.isPropertyAssignment(property)) add(property.initializer)
      }
    else if (ts.isSpreadElement(target)) add(target.expression)
  }
  const visit = (node: TS.Node): void => {
    if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.EqualsToken) add(node.left)
    else if (
      (ts.isForOfStatement(node) || ts.isForInStatement(node)) &&
      !ts.isVariableDeclarationList(node.initializer)
    )
      add(node.initializer)
    ts.forEachChild(node, visit)
  }
  bindNames(file, {})
  visit(file)
  return [...names]
}

const reserved = new Set(['eval', 'arguments', 'module', 'exports', 'require', 'undefined'])
