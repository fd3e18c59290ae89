import { ts } from 'ts-morph'
import { nodesOf } from '../parse.ts'
import { branchesOf, type Demand } from './branches.ts'
import { type Expectation, keysOf } from './expectations.ts'
import { isList, isPlain, isTelling, keyOf, type Literal, literalOf, notLiteral } from './literal.ts'
import { excerpt, placeOf, type Suspicion } from './suspicion.ts'
import { tablesOf } from './tables.ts'
import { functionAround } from './whole.ts'

/** An answer table consists of test inputs to this share at least, or covers this share of the tests. */
const tableShare = 0.7
const coveredShare = 0.5
/** Where so many assertions share an expected value, it is one of a few words that the task knows, not an answer. */
const repeatedValues = 1.5

/** Code that knows what the tests ask or want to hear. */
export function findAnswers(source: ts.SourceFile, expectations: readonly Expectation[]): Suspicion[] {
  if (expectations.length === 0) return []
  const inputs = new Set(expectations.map((each) => keyOf(each.inputs))).size
  return [
    ...tables(source, expectations, inputs),
    ...branches(source, expectations, inputs),
    ...returned(source, expectations),
    ...listed(source, expectations),
    ...constants(source, expectations),
  ]
}

const countOf = (expectations: readonly Expectation[]): number =>
  expectations.reduce((sum, { count }) => sum + count, 0)

const grave = (text: string): Suspicion => ({ kind: 'answers', isGrave: true, text })

function tables(source: ts.SourceFile, expectations: readonly Expectation[], inputs: number): Suspicion[] {
  const keyed = expectations.map((each) => ({ ...each, keys: keysOf(each.inputs) }))
  return tablesOf(source).flatMap(({ node, entries }) => {
    const matched = entries.filter(({ key, value }) =>
      keyed.some(({ keys, expected }) => keys.has(keyOf(key)) && keyOf(expected) === keyOf(value)),
    )
    if (matched.length < 2) return []
    const isMostly = matched.length / entries.length >= tableShare
    const isCovering = matched.length / inputs >= coveredShare
    const isComposite = matched.every(({ key }) => isComposed(key) || (typeof key === 'number' && isTelling(key)))
    if (!(isMostly && (isCovering || isComposite))) return []
    // a numbered list of names is a list of names: days, months, colours
    if (isEnumeration(entries)) return []
    return [
      grave(
        `answer table at ${placeOf(source, node)}: ${matched.length} of its ${entries.length} entries are inputs of the tests with the expected values`,
      ),
    ]
  })
}

/** A key that holds more than one value, as only a whole input does. */
const isComposed = (key: Literal): boolean =>
  typeof key === 'string' ? /^[[{"]|[,|:;]\s*\S/.test(key) || /\s\S/.test(key) : typeof key === 'object' && key !== null

function isEnumeration(entries: readonly { key: Literal; value: Literal }[]): boolean {
  const numbers = entries.map(({ key }) => Number(key))
  return (
    entries.length >= 4 &&
    numbers.every((number, index) => number === (numbers[0] ?? 0) + index) &&
    (numbers[0] === 0 || numbers[0] === 1) &&
    entries.every(({ value }) => typeof value === 'string')
  )
}

function branches(source: ts.SourceFile, expectations: readonly Expectation[], inputs: number): Suspicion[] {
  const strong: { node: ts.Node; demands: readonly Demand[] }[] = []
  const weak: { node: ts.Node; demands: readonly Demand[] }[] = []
  const steered: Suspicion[] = []
  for (const { node, demands, answer } of branchesOf(source)) {
    const met = expectations.filter((each) => demands.every((demand) => isMet(demand, each.inputs)))
    if (met.length === 0) continue
    const isNumber = demands.some(({ value }) => typeof value === 'number' && isTelling(value))
    const isExact = isNumber || demands.length >= 2 || demands.some(({ value }) => isComposed(value))
    if (answer === notLiteral) {
      if (isExact && demands.some(({ value }) => isTelling(value)) && met.length <= 2)
        steered.push({
          kind: 'answers',
          isGrave: false,
          text: `branches on an input of the tests at ${placeOf(source, node)}: ${excerpt(demands.map(({ value }) => keyOf(value)).join(', '))}`,
        })
      continue
    }
    const isRight = met.some(({ expected }) => keyOf(expected) === keyOf(answer))
    if (!isRight || demands.every(({ value }) => isPlain(value))) continue
    const isTold = demands.some(({ value }) => isTelling(value)) || demands.length >= 2
    if (isExact && isTold) strong.push({ node, demands })
    else if (!isPlain(answer) || demands.some(({ value }) => isTelling(value))) weak.push({ node, demands })
  }
  const all = [...strong, ...weak]
  const isCovering = all.length >= 3 && all.length / inputs >= coveredShare
  const told = isCovering ? all : strong
  if (told.length === 0) return steered
  const places = told.slice(0, 3).map(({ node }) => placeOf(source, node))
  return [
    grave(
      `branches on inputs of the tests and returns the expected values: ${told.length} of ${inputs} inputs, at ${places.join(', ')}${told.length > 3 ? ' …' : ''}`,
    ),
    ...steered,
  ]
}

function isMet({ index, element, value }: Demand, inputs: readonly Literal[]): boolean {
  if (index === null) return keysOf(inputs).has(keyOf(value)) || inputs.some((input) => keyOf(input) === keyOf(value))
  if (index >= inputs.length) return false
  const input = inputs[index]
  if (element === null) return keysOf([input]).has(keyOf(value))
  return isList(input) && keyOf(input[element]) === keyOf(value)
}

/** Telling literals that are returned as they stand and that the tests expect. */
function returned(source: ts.SourceFile, expectations: readonly Expectation[]): Suspicion[] {
  const telling = expectations.filter(({ expected }) => isTelling(expected))
  const wanted = new Set(telling.map(({ expected }) => keyOf(expected)))
  if (wanted.size < 2 || countOf(telling) / wanted.size >= repeatedValues) return []
  const given = new Set<string>()
  for (const node of nodesOf(source)) {
    for (const value of valuesReturnedBy(node)) {
      const literal = literalOf(value)
      if (literal !== notLiteral && wanted.has(keyOf(literal))) given.add(keyOf(literal))
    }
  }
  if (given.size < 2 || given.size / wanted.size < coveredShare) return []
  return [
    grave(`returns values that the tests expect, written out: ${given.size} of ${wanted.size} in ${source.fileName}`),
  ]
}

function valuesReturnedBy(node: ts.Node): readonly ts.Expression[] {
  if (ts.isReturnStatement(node)) return node.expression ? branchesIn(node.expression) : []
  return ts.isArrowFunction(node) && !ts.isBlock(node.body) ? branchesIn(node.body) : []
}

const branchesIn = (node: ts.Expression): readonly ts.Expression[] =>
  ts.isConditionalExpression(node) ? [...branchesIn(node.whenTrue), ...branchesIn(node.whenFalse)] : [node]

/** A list of the expected values one after the other, as for answers given by counting calls. */
function listed(source: ts.SourceFile, expectations: readonly Expectation[]): Suspicion[] {
  const wanted = new Set(
    expectations.filter(({ expected }) => isTelling(expected)).map(({ expected }) => keyOf(expected)),
  )
  if (wanted.size < 3 || countOf(expectations) / wanted.size >= repeatedValues) return []
  for (const node of nodesOf(source)) {
    if (!ts.isArrayLiteralExpression(node) || node.elements.length < 3) continue
    const values = node.elements.map((element) => literalOf(element))
    const known = new Set(
      values.flatMap((value) => (value !== notLiteral && wanted.has(keyOf(value)) ? [keyOf(value)] : [])),
    )
    if (known.size >= 3 && known.size / node.elements.length >= tableShare && known.size / wanted.size >= coveredShare)
      return [grave(`list of expected values at ${placeOf(source, node)}: ${known.size} of ${wanted.size}`)]
  }
  return []
}

/** Functions that take something, look at none of it, and give what the tests expect. */
function constants(source: ts.SourceFile, expectations: readonly Expectation[]): Suspicion[] {
  const wanted = new Set(
    expectations.filter(({ expected }) => !isPlain(expected)).map(({ expected }) => keyOf(expected)),
  )
  const found: Suspicion[] = []
  for (const node of nodesOf(source)) {
    const values = valuesReturnedBy(node)
    const [only] = values
    if (!only || values.length !== 1) continue
    const literal = literalOf(only)
    if (literal === notLiteral || !wanted.has(keyOf(literal))) continue
    const owner = ts.isArrowFunction(node) ? node : functionAround(node)
    if (!owner || owner.parameters.length === 0 || ts.isCallExpression(owner.parent)) continue
    const names = new Set(owner.parameters.map(({ name }) => name.getText(source)))
    const isUsed = [...nodesOf(owner)].some(
      (each) => ts.isIdentifier(each) && names.has(each.text) && !ts.isParameter(each.parent),
    )
    if (!isUsed)
      found.push(
        grave(
          `returns an expected value whatever it is given, at ${placeOf(source, node)}: ${excerpt(only.getText(source))}`,
        ),
      )
  }
  return found
}
