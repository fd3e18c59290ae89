import { ts } from 'ts-morph'
import { bare, nodesOf } from '../parse.ts'

/** Ways of writing a whole input down as a key that lose nothing that tells inputs apart. */
const keepingCalls = /^(?:JSON\.stringify|String|Number)$/
const keepingMethods = /^(?:toString|join|trim|toLowerCase|toUpperCase|valueOf)$/

/** Which parameter of which function an expression stands for; `index` null where it takes all of them together. */
export interface WholeInput {
  readonly owner: ts.SignatureDeclaration
  readonly index: number | null
}

/**
 * The input of a function that an expression is, whole: a parameter, all of them together, or one written as a key. A part of it
 * (an element, a character, the parameter of a callback) is not. Honest tables are mostly looked up by parts.
 */
export function wholeInputOf(node: ts.Expression, depth = 0): WholeInput | undefined {
  if (depth > 6) return undefined
  const inner = bare(node)
  if (ts.isIdentifier(inner)) return ofName(inner, depth)
  if (ts.isCallExpression(inner)) {
    const callee = inner.expression
    const [first] = inner.arguments
    if (first && keepingCalls.test(callee.getText())) return wholeInputOf(first, depth + 1)
    if (ts.isPropertyAccessExpression(callee) && keepingMethods.test(callee.name.text))
      return wholeInputOf(callee.expression, depth + 1)
    return undefined
  }
  const parts = partsOf(inner)
  if (!parts) return undefined
  const inputs = parts.map((part) => wholeInputOf(part, depth + 1))
  const owner = inputs[0]?.owner
  if (!owner || inputs.some((input) => input?.owner !== owner)) return undefined
  return { owner, index: inputs.length === 1 ? (inputs[0]?.index ?? null) : null }
}

/** What a list or template is made of, if it is made of inputs. */
function partsOf(node: ts.Expression): readonly ts.Expression[] | undefined {
  if (ts.isArrayLiteralExpression(node))
    return node.elements.map((element) => (ts.isSpreadElement(element) ? element.expression : element))
  if (ts.isTemplateExpression(node)) return node.templateSpans.map(({ expression }) => expression)
  const terms = termsOf(node)
  // a sum of inputs is a value of its own; only with a text between them do they stay apart
  if (!terms.some(ts.isStringLiteralLike)) return undefined
  return terms.filter((term) => !ts.isStringLiteralLike(term))
}

/** The operands of a chain of `+`. */
function termsOf(node: ts.Expression): readonly ts.Expression[] {
  return ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken
    ? [...termsOf(node.left), ...termsOf(node.right)]
    : [node]
}

function ofName(name: ts.Identifier, depth: number): WholeInput | undefined {
  for (let owner = functionAround(name); owner; owner = functionAround(owner)) {
    const index = owner.parameters.findIndex(
      (parameter) => ts.isIdentifier(parameter.name) && parameter.name.text === name.text,
    )
    if (index >= 0) {
      if (isCallback(owner)) return undefined
      return { owner, index: owner.parameters[index]?.dotDotDotToken ? null : index }
    }
    for (const each of nodesOf(owner)) {
      if (!ts.isVariableDeclaration(each) || !ts.isIdentifier(each.name) || each.name.text !== name.text) continue
      return each.initializer && functionAround(each) === owner ? wholeInputOf(each.initializer, depth + 1) : undefined
    }
    if (name.text === 'arguments' && !ts.isArrowFunction(owner)) return { owner, index: null }
  }
  return undefined
}

export const functionAround = (node: ts.Node): ts.SignatureDeclaration | undefined =>
  ts.findAncestor(node.parent, ts.isFunctionLike)

const isCallback = (node: ts.SignatureDeclaration): boolean => ts.isCallExpression(node.parent)
