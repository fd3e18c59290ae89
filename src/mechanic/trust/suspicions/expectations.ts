import { ts } from 'ts-morph'
import type { FileMap } from '../../../domain/task.ts'
import { bare, isScript, nodesOf, parseSource } from '../parse.ts'
import { isList, keyOf, type Literal, literalOf, notLiteral, propertyName } from './literal.ts'

/** One assertion of the tests: what a call is given and what has to come of it. */
export interface Expectation {
  /** Arguments of the call, as far as they are written out. */
  readonly inputs: readonly Literal[]
  readonly expected: Literal
  /** How many assertions say so. */
  readonly count: number
}

const matchers =
  /^(?:toBe|toEqual|toStrictEqual|toMatchObject|toBeCloseTo|equal|strictEqual|deepEqual|deepStrictEqual|eql|is)$/
const equalities = new Set([ts.SyntaxKind.EqualsEqualsToken, ts.SyntaxKind.EqualsEqualsEqualsToken])

/**
 * What the tests expect of which inputs, read off their syntax: `expect(f(1)).toBe(2)`, `assert.deepEqual(f(1), 2)`, `console.assert(f(1) === 2)`,
 * with constants resolved and the rows of `test.each`, `for … of` and `forEach` filled in. What is computed is left out. Pure.
 */
export function readExpectations(tests: FileMap): Expectation[] {
  const found: Expectation[] = []
  for (const path of Object.keys(tests).sort()) {
    if (isScript(path)) found.push(...ofFile(parseSource(path, tests[path] ?? '')))
  }
  const unique = new Map<string, Expectation>()
  for (const each of found) {
    const key = `${keyOf(each.inputs)}=>${keyOf(each.expected)}`
    unique.set(key, { ...each, count: (unique.get(key)?.count ?? 0) + 1 })
  }
  return [...unique.values()]
}

/** The names that one row of a table gives values to. */
type Row = ReadonlyMap<string, ts.Expression>
const noRows: readonly Row[] = [new Map()]
/** Of one table; more would only say the same again. */
const maxRows = 500

function ofFile(source: ts.SourceFile): Expectation[] {
  const found: Expectation[] = []
  const constants = constantsOf(source)
  for (const node of nodesOf(source)) {
    const pair = comparedIn(node)
    if (!pair) continue
    for (const row of rowsAround(node, constants)) {
      const resolve = (name: ts.Identifier): ts.Expression | undefined => row.get(name.text) ?? constants.get(name.text)
      for (const [actual, expected] of [pair, [pair[1], pair[0]] as const]) {
        const call = callIn(actual, resolve)
        const value = call ? literalOf(expected, resolve) : notLiteral
        if (!call || value === notLiteral) continue
        const inputs = (call.arguments ?? [])
          .map((argument) => literalOf(argument, resolve))
          .filter((input): input is Literal => input !== notLiteral)
        found.push({ inputs, expected: value, count: 1 })
        break
      }
    }
  }
  return found
}

/** The two sides of an assertion of equality. */
function comparedIn(node: ts.Node): readonly [ts.Expression, ts.Expression] | undefined {
  if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
    const { name, expression: subject } = node.expression
    if (!matchers.test(name.text)) return undefined
    const [first, second] = node.arguments
    const actual = expectedOn(subject)
    if (actual && first) return [actual, first]
    if (first && second && ts.isIdentifier(bare(subject))) return [first, second]
    return undefined
  }
  if (
    ts.isCallExpression(node) &&
    ts.isIdentifier(node.expression) &&
    /assert|equal|^is$/i.test(node.expression.text)
  ) {
    const [first, second] = node.arguments
    if (first && second && /equal|^is$/i.test(node.expression.text)) return [first, second]
  }
  if (ts.isBinaryExpression(node) && equalities.has(node.operatorToken.kind) && isAsserted(node))
    return [node.left, node.right]
  return undefined
}

/** The argument of `expect` at the root of `expect(x).resolves`; not of `expect(x).not`. */
function expectedOn(subject: ts.Expression): ts.Expression | undefined {
  let at = subject
  while (ts.isPropertyAccessExpression(at)) {
    if (at.name.text === 'not') return undefined
    at = at.expression
  }
  return ts.isCallExpression(at) && ts.isIdentifier(at.expression) && at.expression.text === 'expect'
    ? at.arguments[0]
    : undefined
}

function isAsserted(node: ts.Node): boolean {
  const call = ts.findAncestor(node, (each) => (ts.isFunctionLike(each) ? 'quit' : ts.isCallExpression(each)))
  return call !== undefined && ts.isCallExpression(call) && /assert|ok$/.test(call.expression.getText())
}

/** The call whose result is compared, through names, members and `JSON.stringify`. */
function callIn(
  node: ts.Expression,
  resolve: (name: ts.Identifier) => ts.Expression | undefined,
  depth = 0,
): ts.CallExpression | ts.NewExpression | undefined {
  if (depth > 8) return undefined
  const inner = bare(node)
  if (ts.isIdentifier(inner)) {
    const value = resolve(inner)
    return value ? callIn(value, resolve, depth + 1) : undefined
  }
  if (ts.isSpreadElement(inner)) return callIn(inner.expression, resolve, depth + 1)
  if (ts.isArrayLiteralExpression(inner) && inner.elements.length === 1 && inner.elements[0])
    return callIn(inner.elements[0], resolve, depth + 1)
  if (ts.isPropertyAccessExpression(inner)) return callIn(inner.expression, resolve, depth + 1)
  if (!ts.isCallExpression(inner)) return ts.isNewExpression(inner) ? inner : undefined
  if (/^(?:JSON\.stringify|Array\.from|String|Number|Object\.\w+)$/.test(inner.expression.getText())) {
    const [argument] = inner.arguments
    return argument ? callIn(argument, resolve, depth + 1) : undefined
  }
  return inner
}

/** Constants by name; where a name is declared twice the last one before its use would be meant, so those are resolved by nothing. */
function constantsOf(source: ts.SourceFile): Map<string, ts.Expression> {
  const found = new Map<string, ts.Expression>()
  const doubled = new Set<string>()
  for (const node of nodesOf(source)) {
    if (!ts.isVariableDeclaration(node) || !ts.isIdentifier(node.name) || !node.initializer) continue
    const { text } = node.name
    if (found.has(text)) doubled.add(text)
    found.set(text, node.initializer)
  }
  for (const name of doubled) found.delete(name)
  return found
}

/** The rows of the innermost table that a node is run for. */
function rowsAround(node: ts.Node, constants: ReadonlyMap<string, ts.Expression>): readonly Row[] {
  for (let at: ts.Node | undefined = node; at; at = at.parent) {
    const table = tableOf(at)
    const list = table && resolved(table.list, constants)
    if (!table || !list || !ts.isArrayLiteralExpression(list)) continue
    return list.elements.slice(0, maxRows).map((element) => bind(table.names, element, table.isSpread))
  }
  return ownConstants(node)
}

/** Constants of the innermost function alone: in each test the same names mean something else. */
function ownConstants(node: ts.Node): readonly Row[] {
  const owner = ts.findAncestor(node, ts.isFunctionLike)
  if (!owner) return noRows
  const row = new Map<string, ts.Expression>()
  for (const each of nodesOf(owner)) {
    if (ts.isVariableDeclaration(each) && ts.isIdentifier(each.name) && each.initializer && each.pos < node.pos)
      row.set(each.name.text, each.initializer)
  }
  return [row]
}

interface Table {
  readonly list: ts.Expression
  readonly names: readonly ts.BindingName[]
  /** Rows that are arrays fill the parameters one by one. */
  readonly isSpread: boolean
}

function tableOf(node: ts.Node): Table | undefined {
  if (ts.isForOfStatement(node) && ts.isVariableDeclarationList(node.initializer)) {
    const [declaration] = node.initializer.declarations
    return declaration && { list: node.expression, names: [declaration.name], isSpread: false }
  }
  if (!ts.isArrowFunction(node) && !ts.isFunctionExpression(node)) return undefined
  const names = node.parameters.map(({ name }) => name)
  const call = node.parent
  if (!ts.isCallExpression(call)) return undefined
  const callee = call.expression
  if (ts.isPropertyAccessExpression(callee) && /^(?:forEach|map)$/.test(callee.name.text))
    return { list: callee.expression, names: names.slice(0, 1), isSpread: false }
  if (ts.isCallExpression(callee) && ts.isPropertyAccessExpression(callee.expression)) {
    const [list] = callee.arguments
    if (list && /^(?:each|for)$/.test(callee.expression.name.text))
      return { list, names, isSpread: callee.expression.name.text === 'each' }
  }
  return undefined
}

function resolved(node: ts.Expression, constants: ReadonlyMap<string, ts.Expression>): ts.Expression | undefined {
  const inner = bare(node)
  return ts.isIdentifier(inner) ? constants.get(inner.text) && bare(constants.get(inner.text) ?? inner) : inner
}

function bind(names: readonly ts.BindingName[], element: ts.Expression, isSpread: boolean): Row {
  const row = new Map<string, ts.Expression>()
  const inner = bare(element)
  if (isSpread && ts.isArrayLiteralExpression(inner)) {
    for (const [index, name] of names.entries()) bindOne(name, inner.elements[index], row)
  } else bindOne(names[0], inner, row)
  return row
}

function bindOne(
  name: ts.BindingName | undefined,
  value: ts.Expression | undefined,
  row: Map<string, ts.Expression>,
): void {
  if (!name || !value) return
  const inner = bare(value)
  if (ts.isIdentifier(name)) row.set(name.text, inner)
  else if (ts.isArrayBindingPattern(name) && ts.isArrayLiteralExpression(inner)) {
    for (const [index, element] of name.elements.entries())
      if (ts.isBindingElement(element)) bindOne(element.name, inner.elements[index], row)
  } else if (ts.isObjectBindingPattern(name) && ts.isObjectLiteralExpression(inner)) {
    for (const element of name.elements) {
      const wanted = element.propertyName ? propertyName(element.propertyName) : element.name.getText()
      const property = inner.properties.find(
        (each) => ts.isPropertyAssignment(each) && propertyName(each.name) === wanted,
      )
      if (property && ts.isPropertyAssignment(property)) bindOne(element.name, property.initializer, row)
    }
  }
}

/** How code may write the inputs of one call as a single key: the value itself, joined or as JSON. */
export function keysOf(inputs: readonly Literal[]): Set<string> {
  const keys = new Set<string>()
  const add = (value: Literal): void => {
    keys.add(keyOf(value))
    if (typeof value === 'number') keys.add(JSON.stringify(String(value)))
    if (isList(value) && value.every((each) => typeof each !== 'object'))
      for (const glue of [',', '', ' ', '|', '-', '_', ':', ', ']) keys.add(JSON.stringify(value.join(glue)))
    if (typeof value === 'object' && value !== null) keys.add(JSON.stringify(toJson(value)))
  }
  if (inputs.length === 1 && inputs[0] !== undefined) add(inputs[0])
  if (inputs.length > 0) add(inputs)
  return keys
}

const toJson = (value: Literal): string =>
  JSON.stringify(value, (_, each: unknown) => (typeof each === 'bigint' ? `${each}n` : each))
