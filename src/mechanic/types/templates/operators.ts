import { ts } from 'ts-morph'
import { ancestor, declarationOf, type FixContext, fix, insert, replace, type Template, tight } from '../context.ts'
import { conversions } from '../convert.ts'
import type { Fix } from '../edit.ts'
import { isAssignment } from '../flow.ts'
import { retype } from '../retype.ts'
import {
  isArrayLike,
  isBigInt,
  isBoolean,
  isNullish,
  isNumber,
  isString,
  nameOf,
  neutral,
  typeText,
  without,
} from '../type-text.ts'

function* operand(context: FixContext, node: ts.Expression, cost: number): Generator<Fix> {
  const type = context.checker.getTypeAtLocation(node)
  if (isNumber(type)) return
  const code = node.getText(context.source)
  const hard = tight(context, node)
  const to = (text: string, extra: number, what: string): Fix =>
    fix(context, cost + extra, what, replace(context, node, text))
  if (isNullish(type)) {
    const value = neutral(context, without(context, type))
    if (value !== null) yield to(`(${hard} ?? ${value})`, 0, `${code} falls back to ${value}`)
  }
  if (isBigInt(type)) yield to(`Number(${code})`, 0, `${code} becomes a number`)
  else if (nameOf(type) === 'Date') yield to(`${hard}.getTime()`, 0, `${code} becomes its time`)
  else if (isArrayLike(context, type)) yield to(`${hard}.length`, 0.2, `${code} becomes its length`)
  else yield to(`Number(${code})`, 0, `${code} becomes a number`)
  if (isString(type)) {
    yield to(`${hard}.charCodeAt(0)`, 0.3, `${code} becomes its character code`)
    yield to(`${hard}.length`, 0.45, `${code} becomes its length`)
  }
  if (nameOf(type) === 'Set' || nameOf(type) === 'Map') yield to(`${hard}.size`, 0.1, `${code} becomes its size`)
  const declaration = ts.isIdentifier(node) ? declarationOf(context, node) : undefined
  if (declaration && (ts.isVariableDeclaration(declaration) || ts.isParameter(declaration)) && declaration.type)
    yield* retype(context, declaration, 'number', cost + 0.25)
}

/** Operators that other languages have for sets. */
function* ofSets(context: FixContext, binary: ts.BinaryExpression): Generator<Fix> {
  if (![binary.left, binary.right].every((side) => nameOf(context.checker.getTypeAtLocation(side)) === 'Set')) return
  const [left, right] = [binary.left, binary.right].map((side) => side.getText(context.source))
  const code = {
    '&': `new Set([...${left}].filter((item) => ${right}.has(item)))`,
    '|': `new Set([...${left}, ...${right}])`,
    '-': `new Set([...${left}].filter((item) => !${right}.has(item)))`,
  }[binary.operatorToken.getText(context.source)]
  // `...a & b` is one operand: nothing around it binds tighter than a call
  if (code !== undefined) yield fix(context, 0.05, 'sets are combined', replace(context, binary, code))
}

/** TS2362, TS2363, TS2356, TS2357: arithmetic on something that is no number. */
export const arithmetic: Template = function* (context) {
  const binary = ancestor(context.node, ts.isBinaryExpression)
  if (binary) {
    const { left, right } = binary
    yield* ofSets(context, binary)
    const isBothStrings = [left, right].every((side) => isString(context.checker.getTypeAtLocation(side)))
    if (isAssignment(binary)) {
      yield* operand(context, right, 0.2)
      const operator = binary.operatorToken.getText(context.source).slice(0, -1)
      const declaration = declarationOf(context, left)
      if (declaration) yield* retype(context, declaration, 'number', 0.3)
      yield fix(
        context,
        0.4,
        `${left.getText(context.source)} is computed as a number`,
        replace(
          context,
          binary,
          `${left.getText(context.source)} = Number(${left.getText(context.source)}) ${operator} ${right.getText(context.source)}`,
        ),
      )
    } else {
      const both = [left, right].map((side) =>
        isNumber(context.checker.getTypeAtLocation(side))
          ? side.getText(context.source)
          : `Number(${side.getText(context.source)})`,
      )
      if (!isNumber(context.checker.getTypeAtLocation(left)) && !isNumber(context.checker.getTypeAtLocation(right))) {
        yield fix(
          context,
          0.18,
          'both sides become numbers',
          replace(context, left, both[0] ?? ''),
          replace(context, right, both[1] ?? ''),
        )
      }
      yield* operand(context, left, 0.2)
      yield* operand(context, right, 0.2)
      if (isBothStrings && binary.operatorToken.kind === ts.SyntaxKind.MinusToken) {
        yield fix(
          context,
          0.35,
          'strings are compared by order',
          replace(context, binary, `${tight(context, left)}.localeCompare(${right.getText(context.source)})`),
        )
        yield fix(
          context,
          0.4,
          'strings are compared by code',
          replace(context, left, `${tight(context, left)}.charCodeAt(0)`),
          replace(context, right, `${tight(context, right)}.charCodeAt(0)`),
        )
      }
    }
  } else if (ts.isExpression(context.node)) yield* operand(context, context.node, 0.2)
}

/** TS2365, TS2367, TS2447, TS2736, TS18050 …: an operator between types that it does not join. */
export const joined: Template = function* (context) {
  const binary = ancestor(context.node, ts.isBinaryExpression)
  if (!binary) return
  const { left, right } = binary
  const operator = binary.operatorToken.getText(context.source)
  const leftType = context.checker.getTypeAtLocation(left)
  const rightType = context.checker.getTypeAtLocation(right)
  const leftText = left.getText(context.source)
  const rightText = right.getText(context.source)
  if (isBoolean(leftType) || isBoolean(rightType)) {
    const logical = { '^': '!==', '&': '&&', '|': '||' }[operator]
    if (logical)
      yield fix(context, 0.1, `${operator} becomes ${logical}`, replace(context, binary.operatorToken, logical))
    const assigned = { '&=': '&&', '|=': '||', '^=': '!==' }[operator]
    if (assigned)
      yield fix(
        context,
        0.1,
        `${operator} becomes ${assigned}`,
        replace(context, binary, `${leftText} = ${leftText} ${assigned} ${rightText}`),
      )
  }
  if (operator === 'in' || operator === 'instanceof') return
  const isComparison = /^[<>]=?$/.test(operator)
  if (isBigInt(leftType) !== isBigInt(rightType)) {
    const [big, small] = isBigInt(leftType) ? [left, right] : [right, left]
    yield fix(
      context,
      0.2,
      'the number becomes a bigint',
      replace(
        context,
        small,
        ts.isNumericLiteral(small) ? `${small.text}n` : `BigInt(${small.getText(context.source)})`,
      ),
    )
    yield fix(
      context,
      0.25,
      'the bigint becomes a number',
      replace(context, big, `Number(${big.getText(context.source)})`),
    )
  }
  if (/^[=!]==?$/.test(operator)) {
    const isList = ts.isTypeOfExpression(left) && /^.(array|list|Array)./.test(rightText)
    if (isList)
      yield fix(
        context,
        0.05,
        'an array is told by Array.isArray',
        replace(
          context,
          binary,
          `${operator.startsWith('!') ? '!' : ''}Array.isArray(${left.expression.getText(context.source)})`,
        ),
      )
    for (const [side, from, to] of [
      [left, leftType, rightType],
      [right, rightType, leftType],
    ] as const) {
      const broad = context.checker.getBaseTypeOfLiteralType(to)
      if (context.checker.isTypeAssignableTo(from, broad)) continue
      for (const conversion of conversions(context, side, from, broad))
        yield fix(context, conversion.cost + 0.1, conversion.what, replace(context, side, conversion.code))
    }
    // narrowed away: the declaration's own type is wider than what the compiler holds here
    const declaration = declarationOf(context, left)
    if (declaration && ts.isVariableDeclaration(declaration) && !declaration.type) {
      const text = typeText(context, context.checker.getBaseTypeOfLiteralType(leftType))
      if (text !== null) yield* retype(context, declaration, text, 0.3)
    }
    const isNegated = operator.startsWith('!')
    yield fix(
      context,
      0.5,
      `a comparison that can never hold is ${isNegated}`,
      replace(context, binary, String(isNegated)),
    )
    return
  }
  if (operator === '+' || operator === '+=' || isComparison) {
    for (const [side, type] of [
      [left, leftType],
      [right, rightType],
    ] as const) {
      if (isAssignment(binary) && side === left) continue
      if (isNullish(type)) {
        const value = neutral(context, without(context, type))
        if (value !== null)
          yield fix(
            context,
            0.15,
            `${side.getText(context.source)} falls back to ${value}`,
            replace(context, side, `(${tight(context, side)} ?? ${value})`),
          )
      }
      const code = side.getText(context.source)
      if (!isNumber(type))
        yield fix(
          context,
          isComparison ? 0.2 : 0.3,
          `${code} becomes a number`,
          replace(context, side, `Number(${code})`),
        )
      if (isArrayLike(context, type))
        yield fix(context, 0.35, `${code} becomes its length`, replace(context, side, `${tight(context, side)}.length`))
      if (isString(type) && isComparison)
        yield fix(context, 0.45, `${code} becomes its length`, replace(context, side, `${tight(context, side)}.length`))
      if (!isString(type))
        yield fix(
          context,
          isComparison ? 0.4 : 0.3,
          `${code} becomes a string`,
          replace(context, side, `String(${code})`),
        )
    }
    yield fix(
      context,
      0.25,
      'both sides become numbers',
      ...(isAssignment(binary)
        ? [replace(context, right, `Number(${rightText})`)]
        : [replace(context, left, `Number(${leftText})`), replace(context, right, `Number(${rightText})`)]),
    )
    if (isArrayLike(context, leftType) && operator === '+')
      yield fix(
        context,
        0.2,
        'arrays are joined',
        replace(context, binary, `${tight(context, left)}.concat(${rightText})`),
      )
    if (isArrayLike(context, leftType) && operator === '+=') {
      const spread = isArrayLike(context, rightType) ? `...${rightText}` : rightText
      yield fix(context, 0.2, 'the array grows', replace(context, binary, `${leftText}.push(${spread})`))
    }
    if (isComparison && isNumber(leftType) === isNumber(rightType)) {
      yield fix(
        context,
        0.4,
        'both sides become strings',
        replace(context, left, `String(${leftText})`),
        replace(context, right, `String(${rightText})`),
      )
    }
    const root = isAssignment(binary) ? declarationOf(context, left) : undefined
    const rightName = typeText(context, rightType)
    if (root && rightName) yield* retype(context, root, rightName, 0.3)
  }
  if (isAssignment(binary) && operator !== '+=') yield* arithmetic(context)
}

/** TS2869, TS2871, TS2872, TS2873, TS2774, TS2801: a test whose outcome is known. */
export const knownOutcome: Template = function* (context) {
  const binary = ancestor(context.node, ts.isBinaryExpression)
  const code = context.diagnostic.code
  if (code === 2774) {
    yield fix(context, 0.2, 'the function is called', insert(context.node.end, '()'))
    return
  }
  if (code === 2801) {
    yield fix(
      context,
      0.15,
      'the promise is awaited',
      replace(context, context.node, `await ${context.node.getText(context.source)}`),
    )
    return
  }
  if (!binary) return
  if (code === 2869)
    yield fix(
      context,
      0.15,
      'a fallback that is never used is dropped',
      replace(context, binary, binary.left.getText(context.source)),
    )
  if (code === 2871)
    yield fix(
      context,
      0.2,
      'a value that is never used is dropped',
      replace(context, binary, binary.right.getText(context.source)),
    )
  if (code === 2872 || code === 2873) {
    const isOr = binary.operatorToken.kind === ts.SyntaxKind.BarBarToken
    const kept = (code === 2872) === isOr ? binary.left : binary.right
    yield fix(
      context,
      0.25,
      'a test whose outcome is known is dropped',
      replace(context, binary, kept.getText(context.source)),
    )
  }
}

/** TS2839, TS2845: comparing with a fresh array, object or NaN never holds. */
export const freshComparison: Template = function* (context) {
  const binary = ancestor(context.node, ts.isBinaryExpression)
  if (!binary) return
  const not = binary.operatorToken.getText(context.source).startsWith('!')
  for (const [side, other] of [
    [binary.left, binary.right],
    [binary.right, binary.left],
  ] as const) {
    const text = tight(context, other)
    if (ts.isArrayLiteralExpression(side) && side.elements.length === 0)
      yield fix(
        context,
        0.15,
        'emptiness is read from the length',
        replace(context, binary, `${text}.length ${not ? '!==' : '==='} 0`),
      )
    if (/^(Number\.)?NaN$/.test(side.getText(context.source)))
      yield fix(
        context,
        0.1,
        'NaN is asked for by isNaN',
        replace(context, binary, `${not ? '!' : ''}Number.isNaN(${text})`),
      )
    if (ts.isArrayLiteralExpression(side))
      yield fix(
        context,
        0.3,
        'arrays are compared by content',
        replace(
          context,
          binary,
          `JSON.stringify(${binary.left.getText(context.source)}) ${not ? '!==' : '==='} JSON.stringify(${binary.right.getText(context.source)})`,
        ),
      )
  }
}

/** TS2695: `(a, b)` where a pair is meant; at run time it is `b` alone. */
export const commaPair: Template = function* (context) {
  let outer = ancestor(
    context.node,
    (node): node is ts.BinaryExpression =>
      ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.CommaToken,
  )
  while (outer && ts.isBinaryExpression(outer.parent) && outer.parent.operatorToken.kind === ts.SyntaxKind.CommaToken)
    outer = outer.parent
  if (!outer) return
  const bracketed = ts.isParenthesizedExpression(outer.parent) ? outer.parent : outer
  yield fix(
    context,
    0.15,
    'values side by side become an array',
    replace(context, bracketed, `[${outer.getText(context.source)}]`),
  )
  yield fix(
    context,
    0.25,
    'a value that is never used is dropped',
    replace(context, bracketed, outer.right.getText(context.source)),
  )
}
