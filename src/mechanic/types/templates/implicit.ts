import { ts } from 'ts-morph'
import { ancestor, type FixContext, fix, insert, type Template, usesOf } from '../context.ts'
import type { Fix } from '../edit.ts'
import { inflows, retype } from '../retype.ts'
import { arrayOf, isAny, typeText, union, vocabulary } from '../type-text.ts'
import { accumulator, isReduceAccumulator } from './records.ts'

/** TS7006, TS7019, TS7031: a parameter or binding without a type. */
export const implicitParameter: Template = function* (context) {
  const binding = ancestor(context.node, ts.isBindingElement)
  const parameter = ancestor(context.node, ts.isParameter)
  if (!parameter) return
  if (binding && !parameter.type) return yield* destructured(context, parameter)
  if (isReduceAccumulator(parameter)) yield* accumulator(context, parameter, (value) => `{ [key: string]: ${value} }`)
  const rest = parameter.dotDotDotToken !== undefined
  const texts: string[] = []
  const owner = parameter.parent
  const name = ts.isFunctionDeclaration(owner)
    ? owner.name?.text
    : ts.isVariableDeclaration(owner.parent)
      ? owner.parent.name.getText(context.source)
      : undefined
  const shown =
    name === undefined ? undefined : context.evidence.calls.get(name)?.parameters[owner.parameters.indexOf(parameter)]
  if (shown !== undefined && !shown.includes('unknown')) texts.push(shown)
  if (name !== undefined) texts.push(...fromCalls(context, owner, parameter))
  texts.push(...byUse(context, parameter), ...inflows(context, parameter).whole, ...vocabulary(context))
  let cost = 0.1
  for (const text of new Set(texts)) {
    yield* retype(context, parameter, rest ? arrayOf(text) : text, cost)
    cost += 0.04
  }
}

/** What the file's own calls hand over. */
function fromCalls(context: FixContext, owner: ts.SignatureDeclaration, parameter: ts.ParameterDeclaration): string[] {
  const declaration = ts.isVariableDeclaration(owner.parent) ? owner.parent : owner
  const found = new Set<string>()
  for (const use of usesOf(context, declaration)) {
    const call = use.parent
    if (!ts.isCallExpression(call) || call.expression !== use) continue
    const argument = call.arguments[owner.parameters.indexOf(parameter)]
    const type = argument && context.checker.getTypeAtLocation(argument)
    const text = type && !isAny(type) ? typeText(context, type) : null
    if (text !== null) found.add(text)
  }
  return found.size > 0 ? [union(...found)] : []
}

/** What is done with a parameter tells its type: arithmetic, string and array members, calls, iteration. */
function byUse(context: FixContext, parameter: ts.ParameterDeclaration): string[] {
  const found: string[] = []
  for (const use of usesOf(context, parameter)) {
    const parent = use.parent
    if (ts.isBinaryExpression(parent) && /^[-*/%<>]=?$/.test(parent.operatorToken.getText())) found.push('number')
    if (ts.isElementAccessExpression(parent) && parent.argumentExpression === use) found.push('number', 'string')
    if (ts.isElementAccessExpression(parent) && parent.expression === use)
      found.push('number[]', 'string', 'string[]', 'number[][]')
    if (ts.isPropertyAccessExpression(parent)) {
      const member = parent.name.text
      if (
        /^(toUpperCase|toLowerCase|charAt|charCodeAt|split|trim|replace|substring|substr|startsWith|endsWith|match|padStart|repeat|localeCompare)$/.test(
          member,
        )
      )
        found.push('string')
      if (/^(push|pop|map|filter|reduce|sort|forEach|shift|unshift|join|every|some|reverse|splice)$/.test(member))
        found.push('number[]', 'string[]', 'number[][]')
      if (/^to(Fixed|Precision)$/.test(member)) found.push('number')
    }
    if (ts.isForOfStatement(parent) && parent.expression === use) found.push('number[]', 'string[]', 'string')
    if (ts.isCallExpression(parent) && parent.expression !== use) {
      const type = context.checker.getContextualType(use)
      const text = type && typeText(context, type)
      if (text) found.push(text)
    }
  }
  return found
}

function* destructured(context: FixContext, parameter: ts.ParameterDeclaration): Generator<Fix> {
  const words = vocabulary(context)
  let cost = 0.2
  if (ts.isArrayBindingPattern(parameter.name)) {
    const count = parameter.name.elements.length
    const texts = new Set<string>()
    for (const word of words) {
      texts.add(`[${Array.from({ length: count }, () => word).join(', ')}]`)
      texts.add(arrayOf(word))
      if (count === 2) for (const other of words) texts.add(`[${word}, ${other}]`)
    }
    for (const text of [...texts].slice(0, 40)) {
      yield* retype(context, parameter, text, cost)
      cost += 0.01
    }
    return
  }
  const names = parameter.name
  if (!ts.isObjectBindingPattern(names)) return
  for (const word of words) {
    const members = names.elements.map(
      (element) => `${(element.propertyName ?? element.name).getText(context.source)}: ${word}`,
    )
    yield* retype(context, parameter, `{ ${members.join('; ')} }`, cost)
    cost += 0.02
  }
}

/** TS7010, TS7011, TS7022, TS7023, TS7024: a result or a variable that depends on itself. */
export const implicitResult: Template = function* (context) {
  const owner =
    ancestor(
      context.node,
      (node): node is ts.VariableDeclaration => ts.isVariableDeclaration(node) && node.name === context.node,
    ) ?? ancestor(context.node, (node): node is ts.SignatureDeclaration => ts.isFunctionLike(node))
  if (!owner) return
  const target =
    ts.isVariableDeclaration(owner) && owner.initializer && ts.isFunctionLike(owner.initializer)
      ? owner.initializer
      : owner
  const outer = ancestor(target.parent, ts.isFunctionLike)
  const texts = [
    ...(outer && 'type' in outer && outer.type ? [outer.type.getText(context.source)] : []),
    ...vocabulary(context),
    'void',
  ]
  let cost = 0.12
  for (const text of new Set(texts)) {
    yield* retype(context, target, text, cost)
    cost += 0.04
  }
}

/** TS2683, TS2314: `this` without a type; a generic type without its arguments. */
export const missingTypeArguments: Template = function* (context) {
  const reference = ancestor(context.node, ts.isTypeReferenceNode)
  if (!reference || reference.typeArguments) return
  const name = reference.typeName.getText(context.source)
  let cost = 0.15
  for (const word of vocabulary(context)) {
    if (word.startsWith(name)) continue
    const text = name === 'Map' || name === 'Record' ? `<string, ${word}>` : `<${word}>`
    yield fix(context, cost, `${name} holds ${word}`, insert(reference.end, text))
    cost += 0.03
  }
}
