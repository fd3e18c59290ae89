import { ts } from 'ts-morph'
import { ancestor, fix, replace, type Template, tight } from '../context.ts'
import { isArrayLike, isNumber, isString } from '../type-text.ts'

/** `Math.max(items)`: where a parameter takes any number of such items, they are given one by one. */
export const spreadArgument: Template = function* (context) {
  let argument: ts.Node = context.node
  while (argument.parent && !ts.isCallExpression(argument.parent)) argument = argument.parent
  const call = argument.parent
  if (!call || !ts.isCallExpression(call) || !ts.isExpression(argument) || ts.isSpreadElement(argument)) return
  const index = call.arguments.indexOf(argument)
  const rest = context.checker.getResolvedSignature(call)?.getDeclaration()?.parameters.at(-1)
  if (index < 0 || !rest?.dotDotDotToken) return
  const given = context.checker.getTypeAtLocation(argument)
  if (
    !isArrayLike(context, given) ||
    !context.checker.isTypeAssignableTo(given, context.checker.getTypeAtLocation(rest))
  )
    return
  const code = argument.getText(context.source)
  yield fix(context, 0.04, `the items of ${code} are given one by one`, replace(context, argument, `...${code}`))
}

/** `text.charCodeAt(i) < 'a'`: a character code is compared with another, on every side of the condition at once. */
export const characterCodes: Template = function* (context) {
  const first = ancestor(context.node, ts.isBinaryExpression)
  if (!first) return
  let whole: ts.Node = first
  while (ts.isBinaryExpression(whole.parent) || ts.isParenthesizedExpression(whole.parent)) whole = whole.parent
  const edits: { start: number; end: number; text: string }[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isBinaryExpression(node))
      for (const [side, other] of [
        [node.left, node.right],
        [node.right, node.left],
      ] as const) {
        const isCharacter = ts.isStringLiteralLike(side) && side.text.length === 1
        if (isCharacter && isNumber(context.checker.getTypeAtLocation(other)) && /\bchar|code/i.test(other.getText()))
          edits.push(replace(context, side, `${tight(context, side)}.charCodeAt(0)`))
      }
    ts.forEachChild(node, visit)
  }
  visit(whole)
  if (edits.length > 0) yield fix(context, 0.05, 'characters are compared by their codes', ...edits)
}

/** `character in 'aeiou'`, as Python asks whether a text or a list holds something. */
export const membership: Template = function* (context) {
  const binary = ancestor(context.node, ts.isBinaryExpression)
  if (binary?.operatorToken.kind !== ts.SyntaxKind.InKeyword) return
  const holder = context.checker.getTypeAtLocation(binary.right)
  const code = tight(context, binary.right)
  const item = binary.left.getText(context.source)
  if (!isString(holder) && !isArrayLike(context, holder)) return
  yield fix(
    context,
    0.05,
    `in asks whether ${code} includes ${item}`,
    replace(context, binary, `${code}.includes(${item})`),
  )
}
