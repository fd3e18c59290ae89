import { ts } from 'ts-morph'

/** What a test's values look like: types only, the values themselves are never kept. */
export interface CallEvidence {
  /** One type text per position, joined over all calls; absent where no call shows it. */
  readonly parameters: readonly (string | undefined)[]
  /** Fewest arguments of any call. */
  readonly fewest: number
  readonly returns: string | undefined
}

export interface Evidence {
  /** By name of the called function. */
  readonly calls: ReadonlyMap<string, CallEvidence>
  /** Names that the tests import from the candidate, or use without declaring them. */
  readonly wanted: ReadonlySet<string>
}

type Shape =
  | { kind: 'leaf'; type: string }
  | { kind: 'array'; items: Shape[] }
  | { kind: 'object'; members: Map<string, Shape> }

function shapeOf(node: ts.Expression): Shape | undefined {
  if (ts.isParenthesizedExpression(node) || ts.isAsExpression(node)) return shapeOf(node.expression)
  if (ts.isNumericLiteral(node)) return { kind: 'leaf', type: 'number' }
  if (ts.isBigIntLiteral(node)) return { kind: 'leaf', type: 'bigint' }
  if (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)) return { kind: 'leaf', type: 'string' }
  if (node.kind === ts.SyntaxKind.TrueKeyword || node.kind === ts.SyntaxKind.FalseKeyword)
    return { kind: 'leaf', type: 'boolean' }
  if (node.kind === ts.SyntaxKind.NullKeyword) return { kind: 'leaf', type: 'null' }
  if (ts.isIdentifier(node)) {
    if (node.text === 'undefined') return { kind: 'leaf', type: 'undefined' }
    if (node.text === 'Infinity' || node.text === 'NaN') return { kind: 'leaf', type: 'number' }
    return undefined
  }
  if (ts.isPrefixUnaryExpression(node)) return shapeOf(node.operand)
  if (ts.isArrayLiteralExpression(node)) {
    const items = node.elements.map(shapeOf)
    return { kind: 'array', items: items.filter((item) => item !== undefined) }
  }
  if (ts.isObjectLiteralExpression(node)) {
    const members = new Map<string, Shape>()
    for (const property of node.properties) {
      if (!ts.isPropertyAssignment(property)) continue
      const name = ts.isComputedPropertyName(property.name) ? property.name.expression : property.name
      const shape = shapeOf(property.initializer)
      if (shape && (ts.isIdentifier(name) || ts.isStringLiteralLike(name) || ts.isNumericLiteral(name)))
        members.set(name.text, shape)
    }
    return { kind: 'object', members }
  }
  if (ts.isNewExpression(node) && ts.isIdentifier(node.expression)) {
    const first = node.arguments?.[0] && shapeOf(node.arguments[0])
    const element = first?.kind === 'array' ? (unionOf(first.items) ?? 'unknown') : 'unknown'
    if (node.expression.text === 'Set') return { kind: 'leaf', type: `Set<${element}>` }
    if (node.expression.text === 'Date') return { kind: 'leaf', type: 'Date' }
  }
  return undefined
}

/** Joins shapes into one type text; dictionaries are told from records by having differing keys. */
function unionOf(shapes: readonly Shape[]): string | undefined {
  const parts = new Set<string>()
  const arrays = shapes.filter((shape) => shape.kind === 'array')
  const objects = shapes.filter((shape) => shape.kind === 'object')
  for (const shape of shapes) if (shape.kind === 'leaf') parts.add(shape.type)
  if (arrays.length > 0) {
    const element = unionOf(arrays.flatMap((shape) => shape.items))
    if (element !== undefined) parts.add(element.includes(' ') ? `(${element})[]` : `${element}[]`)
    else if (parts.size === 0) parts.add('unknown[]')
  }
  if (objects.length > 0) {
    const value = unionOf(objects.flatMap((shape) => [...shape.members.values()]))
    parts.add(`{ [key: string]: ${value ?? 'unknown'} }`)
  }
  if (parts.size === 0) return undefined
  const order = ['number', 'string', 'boolean']
  const rank = (part: string): number => order.indexOf(part) + 1 || (part === 'null' || part === 'undefined' ? 9 : 5)
  return [...parts].sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1)).join(' | ')
}

function expectedBeside(call: ts.CallExpression): ts.Expression | undefined {
  const parent = call.parent
  if (
    ts.isCallExpression(parent) &&
    /^JSON\.stringify$/.test(parent.expression.getText()) &&
    ts.isBinaryExpression(parent.parent)
  ) {
    const other = parent.parent.left === parent ? parent.parent.right : parent.parent.left
    return ts.isCallExpression(other) ? other.arguments[0] : undefined
  }
  if (ts.isCallExpression(parent) && parent.arguments[0] === call) {
    // assert.equal(f(x), expected), or expect(f(x)).toBe(expected)
    if (parent.arguments.length > 1) return parent.arguments[1]
    for (let at: ts.Node = parent.parent; ts.isPropertyAccessExpression(at); at = at.parent) {
      if (ts.isCallExpression(at.parent)) return at.parent.arguments[0]
    }
  }
  if (ts.isBinaryExpression(parent) && /^[=!]==?$/.test(parent.operatorToken.getText())) {
    return parent.left === call ? parent.right : parent.left
  }
  return undefined
}

/** Reads the tests for how the candidate's functions are called. */
export function readEvidence(tests: Readonly<Record<string, string>>): Evidence {
  const seen = new Map<string, { parameters: Shape[][]; fewest: number; returns: Shape[] }>()
  const wanted = new Set<string>()
  for (const [path, text] of Object.entries(tests)) {
    const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
    const aliases = new Map<string, string>()
    const declared = new Set<string>()
    const used = new Set<string>()
    const collect = (node: ts.Node): void => {
      if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name)) {
        declared.add(node.name.text)
        if (node.initializer && ts.isIdentifier(node.initializer)) aliases.set(node.name.text, node.initializer.text)
      } else if (
        (ts.isFunctionDeclaration(node) ||
          ts.isParameter(node) ||
          ts.isClassDeclaration(node) ||
          ts.isBindingElement(node)) &&
        node.name &&
        ts.isIdentifier(node.name)
      ) {
        declared.add(node.name.text)
      } else if (ts.isImportDeclaration(node) && ts.isStringLiteral(node.moduleSpecifier)) {
        const own = node.moduleSpecifier.text.startsWith('.')
        const clause = node.importClause
        if (clause?.name) declared.add(clause.name.text)
        const bindings = clause?.namedBindings
        if (bindings && ts.isNamespaceImport(bindings)) declared.add(bindings.name.text)
        if (bindings && ts.isNamedImports(bindings)) {
          for (const element of bindings.elements) {
            declared.add(element.name.text)
            if (!own) continue
            wanted.add((element.propertyName ?? element.name).text)
            if (element.propertyName) aliases.set(element.name.text, element.propertyName.text)
          }
        }
      } else if (ts.isIdentifier(node)) {
        const parent = node.parent
        const isMember =
          (ts.isPropertyAccessExpression(parent) && parent.name === node) ||
          (ts.isPropertyAssignment(parent) && parent.name === node)
        if (!isMember) used.add(node.text)
      }
      ts.forEachChild(node, collect)
    }
    collect(source)
    for (const name of used)
      if (!declared.has(name) && !testGlobals.has(name) && !(name in globalThis)) wanted.add(name)
    const visit = (node: ts.Node): void => {
      if (ts.isCallExpression(node) && ts.isIdentifier(node.expression)) {
        const name = aliases.get(node.expression.text) ?? node.expression.text
        const entry = seen.get(name) ?? { parameters: [], fewest: Number.POSITIVE_INFINITY, returns: [] }
        seen.set(name, entry)
        entry.fewest = Math.min(entry.fewest, node.arguments.length)
        node.arguments.forEach((argument, index) => {
          const shape = shapeOf(argument)
          const list = entry.parameters[index] ?? []
          entry.parameters[index] = list
          if (shape) list.push(shape)
        })
        const expected = expectedBeside(node)
        const shape = expected && shapeOf(expected)
        if (shape) entry.returns.push(shape)
      }
      ts.forEachChild(node, visit)
    }
    visit(source)
  }
  const calls = new Map<string, CallEvidence>()
  for (const [name, entry] of seen) {
    const parameters = Array.from(entry.parameters, (shapes) => unionOf(shapes ?? []))
    calls.set(name, { parameters, fewest: entry.fewest, returns: unionOf(entry.returns) })
  }
  return { calls, wanted }
}

const testGlobals = new Set(
  'describe it test expect vi jest suite beforeEach afterEach beforeAll afterAll assert require module exports undefined'.split(
    ' ',
  ),
)
