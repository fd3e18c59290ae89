import { ts } from 'ts-morph'
import { declarationOf, fix, replace, type Template } from '../context.ts'
import { elementOf, isArrayLike, isString } from '../type-text.ts'

/** `for (const x in items)` over an array or a string, whose `x` is meant as an item: `in` becomes `of`. */
export const forInVariable: Template = function* (context) {
  const seen = new Set<ts.Node>()
  const loops: ts.ForInStatement[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node)) {
      const list = declarationOf(context, node)?.parent
      const loop = list?.parent
      if (loop && ts.isForInStatement(loop) && loop.initializer === list && !seen.has(loop)) {
        seen.add(loop)
        loops.push(loop)
      }
    }
    ts.forEachChild(node, visit)
  }
  if (ts.isForInStatement(context.node.parent)) loops.push(context.node.parent)
  else if (ts.isExpression(context.node.parent)) visit(context.node.parent)
  else visit(context.node)
  for (const loop of loops) {
    const type = context.checker.getTypeAtLocation(loop.expression)
    if (!isArrayLike(context, type) && !isString(type)) continue
    const between = context.text.slice(loop.initializer.end, loop.expression.getStart(context.source))
    const at = loop.initializer.end + between.indexOf('in')
    yield fix(context, 0.15, 'the loop runs over the items, not their indexes', { start: at, end: at + 2, text: 'of' })
  }
}

/** `pairs.map((x, y) => …)`: the parts of each item are meant, not item and index. */
export const pairCallback: Template = function* (context) {
  for (let at: ts.Node = context.node; at.parent && !ts.isStatement(at); at = at.parent) {
    const call = at.parent
    if (!ts.isArrowFunction(at) || !ts.isCallExpression(call) || call.arguments[0] !== at) continue
    if (!ts.isPropertyAccessExpression(call.expression) || call.expression.name.text.startsWith('reduce')) continue
    const element = elementOf(context, context.checker.getTypeAtLocation(call.expression.expression))
    const [first, last] = [at.parameters[0], at.parameters.at(-1)]
    if (!element || !isArrayLike(context, element) || !first || !last || at.parameters.length < 2) continue
    const names = at.parameters.map((parameter) => parameter.name.getText(context.source)).join(', ')
    yield fix(context, 0.2, 'the parts of each item are taken', {
      ...replace(context, first, `[${names}]`),
      end: last.end,
    })
  }
}
