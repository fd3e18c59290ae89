import { ts } from 'ts-morph'
import { ancestor, declarationOf, enclosingFunction, type FixContext } from './context.ts'

/** A place where a value meets a type: which value, which type, and where the type was said. */
export interface Flow {
  readonly value: ts.Expression
  readonly target: ts.Type
  /** What declares the target: a variable, parameter, property or function (its return type). */
  readonly owner: ts.Declaration | undefined
}

/** From where an assignability error is reported to the value and the type that do not fit. Innermost first. */
export function flowsAt(context: FixContext, node: ts.Node): Flow[] {
  const flows: Flow[] = []
  const add = (value: ts.Expression | undefined, owner: ts.Declaration | undefined, target?: ts.Type): void => {
    if (!value) return
    const known = flows.findIndex((flow) => flow.value === value)
    const before = flows[known]
    if (before && !before.owner && owner) flows[known] = { value, target: target ?? before.target, owner }
    if (before) return
    const type = target ?? context.checker.getContextualType(value)
    if (!type) return
    flows.push({ value, target: type, owner })
  }
  if (ts.isExpression(node) && !isTarget(node)) {
    const type = context.checker.getContextualType(node)
    if (type) add(node, undefined, type)
  }
  for (let at: ts.Node = node; at; at = at.parent) {
    const parent = at.parent
    if (ts.isReturnStatement(at)) {
      const owner = enclosingFunction(at)
      add(at.expression, owner, owner?.type ? context.checker.getTypeFromTypeNode(owner.type) : undefined)
      break
    }
    if (ts.isVariableDeclaration(at) || ts.isPropertyDeclaration(at) || ts.isParameter(at)) {
      add(at.initializer, at, context.checker.getTypeAtLocation(at))
      break
    }
    if (ts.isBinaryExpression(at) && isAssignment(at)) {
      const owner = declarationOf(context, at.left) ?? rootDeclaration(context, at.left)
      add(at.right, owner, context.checker.getTypeAtLocation(at.left))
      break
    }
    if (ts.isPropertyAssignment(at)) add(at.initializer, undefined)
    if (parent && ts.isArrowFunction(parent) && parent.body === at && ts.isExpression(at)) {
      const signatureType = parent.type
        ? context.checker.getTypeFromTypeNode(parent.type)
        : context.checker.getContextualType(at)
      add(at, parent, signatureType)
      if (parent.type) break
    }
    if (parent && ts.isCallExpression(parent) && parent.arguments.includes(at as ts.Expression)) {
      const signature = context.checker.getResolvedSignature(parent)
      const parameter = signature?.parameters[parent.arguments.indexOf(at as ts.Expression)]
      const owner = parameter?.declarations?.find((declaration) => declaration.getSourceFile() === context.source)
      add(at as ts.Expression, owner)
      if (ts.isExpressionStatement(parent.parent)) break
    }
    if (ts.isStatement(at) && !ts.isBlock(at)) break
  }
  return flows
}

export function isAssignment(node: ts.BinaryExpression): boolean {
  const kind = node.operatorToken.kind
  return kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment
}

function isTarget(node: ts.Node): boolean {
  const parent = node.parent
  if (ts.isBinaryExpression(parent) && parent.left === node && isAssignment(parent)) return true
  return (
    (ts.isVariableDeclaration(parent) || ts.isPropertyAssignment(parent) || ts.isParameter(parent)) &&
    parent.name === node
  )
}

/** The variable at the root of `a.b[c].d`. */
export function rootDeclaration(context: FixContext, node: ts.Node): ts.Declaration | undefined {
  let at = node
  while (ts.isPropertyAccessExpression(at) || ts.isElementAccessExpression(at) || ts.isNonNullExpression(at))
    at = at.expression
  return ts.isIdentifier(at) ? declarationOf(context, at) : undefined
}

/** The list of declarations (`let a, b`) that a variable belongs to, with its keyword. */
export function keywordOf(declaration: ts.Node): { list: ts.VariableDeclarationList; keyword: string } | undefined {
  const list = ancestor(declaration, ts.isVariableDeclarationList)
  if (!list) return undefined
  const keyword = list.flags & ts.NodeFlags.Const ? 'const' : list.flags & ts.NodeFlags.Let ? 'let' : 'var'
  return { list, keyword }
}
