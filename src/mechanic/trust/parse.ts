import { ts } from 'ts-morph'

/** A syntax tree with parents. Pure. */
export function parseSource(path: string, text: string): ts.SourceFile {
  const kind = path.endsWith('.tsx')
    ? ts.ScriptKind.TSX
    : /\.[mc]?jsx?$/.test(path)
      ? ts.ScriptKind.JSX
      : ts.ScriptKind.TS
  return ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, kind)
}

/** True for files that hold code and not only types or data. */
export const isScript = (path: string): boolean => /\.[mc]?[jt]sx?$/.test(path) && !/\.d\.[mc]?ts$/.test(path)

/** Every node of a tree, outer ones first. Without recursion of its own over siblings' depth, since trees come from strangers. */
export function* nodesOf(root: ts.Node): Generator<ts.Node> {
  const stack: ts.Node[] = [root]
  for (let node = stack.pop(); node; node = stack.pop()) {
    yield node
    const own: ts.Node[] = []
    ts.forEachChild(node, (child) => {
      own.push(child)
    })
    for (let index = own.length - 1; index >= 0; index--) {
      const child = own[index]
      if (child) stack.push(child)
    }
  }
}

/** The expression inside brackets, casts, `as const`, `satisfies` and `await`. */
export function bare(node: ts.Expression): ts.Expression {
  let at = node
  while (
    ts.isParenthesizedExpression(at) ||
    ts.isAsExpression(at) ||
    ts.isSatisfiesExpression(at) ||
    ts.isNonNullExpression(at) ||
    ts.isTypeAssertionExpression(at) ||
    ts.isAwaitExpression(at)
  )
    at = at.expression
  return at
}
