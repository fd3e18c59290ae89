import { ts } from 'ts-morph'
import {
  ancestor,
  enclosingFunction,
  enclosingStatement,
  type FixContext,
  fix,
  insert,
  replace,
  type Template,
  tight,
} from '../context.ts'
import type { Fix } from '../edit.ts'
import { nearest } from '../spelling.ts'
import { typeText } from '../type-text.ts'
import { wellKnown } from '../well-known.ts'
import { hoist } from './declarations.ts'
import { brokenImport, requireCall } from './imports.ts'
import { indentOf } from './nullish.ts'

/** Words of other languages for values. */
const values: Record<string, string> = {
  None: 'undefined',
  nil: 'undefined',
  NULL: 'null',
  Null: 'null',
  True: 'true',
  False: 'false',
  self: 'this',
  print: 'console.log',
  println: 'console.log',
  puts: 'console.log',
  pi: 'Math.PI',
  PI: 'Math.PI',
  inf: 'Infinity',
  INT_MAX: 'Number.MAX_SAFE_INTEGER',
  INT_MIN: 'Number.MIN_SAFE_INTEGER',
  number: 'Number',
  string: 'String',
  boolean: 'Boolean',
  str: 'String',
  bool: 'Boolean',
  float: 'Number',
  double: 'Number',
  nan: 'NaN',
  bigint: 'BigInt',
  isnan: 'Number.isNaN',
  len: '((item) => item.length)',
  sqrt: 'Math.sqrt',
  abs: 'Math.abs',
  int: 'Number',
  ord: '((item) => item.charCodeAt(0))',
  chr: '((code) => String.fromCharCode(code))',
}
/** Words that mean something else where they are called. */
const functions = new Set(['len', 'sqrt', 'abs', 'int', 'ord', 'chr', 'str', 'bool', 'float'])
/** Words of other languages for types. */
const types: Record<string, string> = {
  int: 'number',
  Int: 'number',
  integer: 'number',
  Integer: 'number',
  float: 'number',
  Float: 'number',
  double: 'number',
  Double: 'number',
  long: 'number',
  Num: 'number',
  num: 'number',
  str: 'string',
  Str: 'string',
  char: 'string',
  Char: 'string',
  bool: 'boolean',
  Bool: 'boolean',
  None: 'undefined',
  nil: 'undefined',
  Any: 'unknown',
  object: 'object',
  dict: '{ [key: string]: number }',
  list: 'number[]',
  List: 'Array',
  Vec: 'Array',
  ArrayList: 'Array',
  Dict: 'Record',
  HashMap: 'Map',
  HashSet: 'Set',
  Dictionary: 'Record',
  Tuple: 'Array',
}

/** TS2304, TS2552, TS2503, TS2580, TS2582, TS2591, TS18004, TS2749, TS2693: a name that means nothing here. */
export const unknownName: Template = function* (context) {
  // a bare type name and the reference made of it have the same span
  const node = ts.isTypeReferenceNode(context.node) ? context.node.typeName : context.node
  if (ts.isStringLiteral(node)) return yield* brokenImport(context)
  if (!ts.isIdentifier(node)) {
    const word = values[node.getText(context.source)]
    if (word !== undefined && context.diagnostic.code === 2693)
      yield fix(context, 0.1, `${node.getText(context.source)} becomes ${word}`, replace(context, node, word))
    return
  }
  const name = node.text
  if (isInType(node)) return yield* unknownType(context, node)
  const call =
    (ts.isCallExpression(node.parent) || ts.isNewExpression(node.parent)) && node.parent.expression === node
      ? node.parent
      : undefined
  if (call) yield* otherLanguage(context, name, call)
  if (Object.hasOwn(values, name) && !(call && functions.has(name)) && context.diagnostic.code !== 2749)
    yield fix(context, 0.08, `${name} becomes ${values[name]}`, replace(context, node, values[name] ?? name))
  if (name === 'reverse') yield* descending(context, node)
  yield* declared(context, node, name)
  yield* hoist(context, name, node)
  const meaning = call
    ? ts.SymbolFlags.Function | ts.SymbolFlags.Variable
    : ts.SymbolFlags.Variable | ts.SymbolFlags.Function
  const here = context.checker.getSymbolsInScope(node, meaning)
  const own = here
    .filter((symbol) => symbol.declarations?.some((declaration) => declaration.getSourceFile() === context.source))
    .map((symbol) => symbol.name)
  const near =
    nearest(name, own) ??
    nearest(
      name,
      here.map((symbol) => symbol.name),
    )
  if (near !== null) yield fix(context, 0.2, `${name} becomes ${near}`, replace(context, node, near))
  const definition = call || ts.isCallExpression(node.parent) ? wellKnown(name) : null
  if (definition !== null)
    yield fix(context, 0.15, `${name} is defined`, insert(context.text.length, `\n\n${definition}\n`))
  if (
    /^(sqrt|abs|floor|ceil|round|pow|max|min|log|log2|log10|exp|sin|cos|tan|trunc|random|sign|cbrt|hypot|atan2)$/.test(
      name,
    ) &&
    call
  )
    yield fix(context, 0.1, `${name} is Math.${name}`, replace(context, node, `Math.${name}`))
  if (name === 'math') yield fix(context, 0.05, 'math is Math', replace(context, node, 'Math'))
  if (name === 'module' || name === 'exports') {
    const statement = enclosingStatement(node)
    if (statement)
      yield fix(context, 0.05, 'an export of another module system is dropped', {
        start: statement.getStart(context.source),
        end: statement.end,
        text: '',
      })
  }
  if (name === 'require') yield* requireCall(context, node)
  if (name === 'process' || name === 'window' || name === 'document') {
    const statement = enclosingStatement(node)
    if (statement && ts.isExpressionStatement(statement))
      yield fix(context, 0.3, `a statement about ${name} is dropped`, {
        start: statement.getStart(context.source),
        end: statement.end,
        text: '',
      })
  }
  // a use that cannot mean anything, as a member of the function's own parameters
  const owner = enclosingFunction(node)
  if (owner && owner.parameters.length > 0 && !call) {
    for (const parameter of owner.parameters) {
      if (!ts.isIdentifier(parameter.name) || context.text.split(parameter.name.text).length > 3) continue
      yield fix(context, 0.55, `${name} becomes ${parameter.name.text}`, replace(context, node, parameter.name.text))
    }
  }
}

/** `items.sort(reverse = true)`. */
function* descending(context: FixContext, node: ts.Identifier): Generator<Fix> {
  const assignment = node.parent
  if (!ts.isBinaryExpression(assignment) || !ts.isCallExpression(assignment.parent)) return
  if (!/true/i.test(assignment.right.getText(context.source))) return
  const [first] = assignment.parent.arguments
  if (first === assignment)
    yield fix(
      context,
      0.05,
      'the order is descending',
      replace(context, assignment, '(a, b) => (a < b ? 1 : a > b ? -1 : 0)'),
    )
}

function isInType(node: ts.Node): boolean {
  return (
    ancestor(node, (at): at is ts.TypeNode => ts.isTypeNode(at) && !ts.isExpressionWithTypeArguments(at)) !== undefined
  )
}

function* unknownType(context: FixContext, node: ts.Identifier): Generator<Fix> {
  const name = node.text
  const reference = ancestor(node, ts.isTypeReferenceNode)
  const argument = reference?.typeArguments?.[0]?.getText(context.source)
  if (name === 'List' && reference && argument !== undefined)
    yield fix(context, 0.05, 'a list is an array', replace(context, reference, `Array<${argument}>`))
  if (name === 'Optional' && reference && argument !== undefined)
    yield fix(context, 0.05, 'optional is undefined', replace(context, reference, `${argument} | undefined`))
  if (name === 'Tuple' && reference?.typeArguments)
    yield fix(
      context,
      0.05,
      'a tuple is written in brackets',
      replace(
        context,
        reference,
        `[${reference.typeArguments.map((part) => part.getText(context.source)).join(', ')}]`,
      ),
    )
  if (context.diagnostic.code === 2749) {
    yield fix(context, 0.2, `the type of ${name} is meant`, insert(node.getStart(context.source), 'typeof '))
  }
  const known = types[name]
  if (known !== undefined) yield fix(context, 0.08, `${name} becomes ${known}`, replace(context, node, known))
  if (/^[A-Z][0-9]?$/.test(name)) {
    const owner = ancestor(
      node,
      (at): at is ts.FunctionDeclaration => ts.isFunctionDeclaration(at) || ts.isFunctionExpression(at),
    )
    if (owner?.name && !owner.typeParameters)
      yield fix(context, 0.1, `${name} is a type parameter`, insert(owner.name.end, `<${name}>`))
  }
  const scope = context.checker.getSymbolsInScope(node, ts.SymbolFlags.Type).map((symbol) => symbol.name)
  const near = nearest(name, scope)
  if (near !== null) yield fix(context, 0.25, `${name} becomes ${near}`, replace(context, node, near))
}

/** A variable that is used without ever being declared. */
function* declared(context: FixContext, node: ts.Identifier, name: string): Generator<Fix> {
  if (ts.isShorthandPropertyAssignment(node.parent)) return
  const owner = ancestor(
    node,
    (at): at is ts.SignatureDeclaration | ts.SourceFile => ts.isFunctionLike(at) || ts.isSourceFile(at),
  )
  if (!owner) return
  const uses: ts.Identifier[] = []
  const visit = (at: ts.Node): void => {
    if (ts.isIdentifier(at) && at.text === name && !(ts.isPropertyAccessExpression(at.parent) && at.parent.name === at))
      uses.push(at)
    ts.forEachChild(at, visit)
  }
  visit(owner)
  const first = uses[0]
  const assignment = first?.parent
  if (
    first &&
    assignment &&
    ts.isBinaryExpression(assignment) &&
    assignment.left === first &&
    assignment.operatorToken.kind === ts.SyntaxKind.EqualsToken
  ) {
    const statement = assignment.parent
    const isOwn =
      ts.isExpressionStatement(statement) || (ts.isForStatement(statement) && statement.initializer === assignment)
    if (isOwn) yield fix(context, 0.06, `${name} is declared`, insert(first.getStart(context.source), 'let '))
    const outer = enclosingStatement(assignment)
    if (outer) {
      const text = typeText(context, context.checker.getTypeAtLocation(assignment.right))
      yield fix(
        context,
        0.15,
        `${name} is declared`,
        insert(
          outer.getStart(context.source),
          `let ${name}${text === null ? '' : `: ${text}`}\n${indentOf(context, outer)}`,
        ),
      )
    }
  }
  if (
    first &&
    (ts.isForOfStatement(first.parent) || ts.isForInStatement(first.parent)) &&
    first.parent.initializer === first
  ) {
    yield fix(context, 0.05, `${name} is declared`, insert(first.getStart(context.source), 'const '))
  }
  const writing = uses.find(
    (use) =>
      (ts.isBinaryExpression(use.parent) &&
        use.parent.left === use &&
        /^[-+*]=$/.test(use.parent.operatorToken.getText(context.source))) ||
      ts.isPostfixUnaryExpression(use.parent),
  )
  const body = 'body' in owner ? (owner.body as ts.Node | undefined) : undefined
  if (writing && body && ts.isBlock(body)) {
    const isText =
      ts.isBinaryExpression(writing.parent) &&
      writing.parent.operatorToken.getText(context.source) === '+=' &&
      /string/.test(context.checker.typeToString(context.checker.getTypeAtLocation(writing.parent.right)))
    const value = isText ? "''" : writing.parent.getText(context.source).includes('*=') ? '1' : '0'
    const at = body.statements[0]
    if (at)
      yield fix(
        context,
        0.25,
        `${name} starts as ${value}`,
        insert(at.getStart(context.source), `let ${name} = ${value}\n${indentOf(context, at)}`),
      )
  }
  const pushed = uses.some((use) => ts.isPropertyAccessExpression(use.parent) && use.parent.name.text === 'push')
  if (pushed && body && ts.isBlock(body)) {
    const at = body.statements[0]
    const type = 'type' in owner && owner.type ? `: ${(owner.type as ts.TypeNode).getText(context.source)}` : ''
    if (at)
      yield fix(
        context,
        0.25,
        `${name} starts empty`,
        insert(at.getStart(context.source), `const ${name}${type} = []\n${indentOf(context, at)}`),
      )
  }
}

/** Calls of functions that other languages have built in. */
function* otherLanguage(context: FixContext, name: string, call: ts.CallExpression | ts.NewExpression): Generator<Fix> {
  const args: readonly ts.Expression[] = call.arguments ?? []
  const given = args.map((argument) => argument.getText(context.source))
  const firstNode = args[0]
  if (!firstNode) return
  const first = given[0] ?? ''
  const hard = tight(context, firstNode)
  const [, second] = given
  const table: Record<string, string | undefined> = {
    len: `${hard}.length`,
    str: `String(${first})`,
    String: undefined,
    int: `Math.trunc(Number(${first}))`,
    float: `Number(${first})`,
    bool: `Boolean(${first})`,
    list: `[...${first}]`,
    set: `new Set(${first})`,
    tuple: `[...${first}]`,
    sorted: `[...${first}].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))`,
    reversed: `[...${first}].reverse()`,
    sum: `${first.startsWith('...') ? first.slice(3) : hard}.reduce((sum, item) => sum + item, 0)`,
    ord: `${hard}.charCodeAt(0)`,
    chr: `String.fromCharCode(${first})`,
    any: `${hard}.some(Boolean)`,
    all: `${hard}.every(Boolean)`,
    enumerate: `${hard}.map((item, index) => [index, item] as const)`,
    bin: `${hard}.toString(2)`,
    hex: `${hard}.toString(16)`,
    oct: `${hard}.toString(8)`,
    isNumber: `(typeof ${first} === 'number')`,
    isString: `(typeof ${first} === 'string')`,
    isArray: `Array.isArray(${first})`,
    isInteger: `Number.isInteger(${first})`,
    is_integer: `Number.isInteger(${first})`,
    print: undefined,
    map: second === undefined ? undefined : `${tight(context, args[1] ?? firstNode)}.map(${first})`,
    filter: second === undefined ? undefined : `${tight(context, args[1] ?? firstNode)}.filter(${first})`,
    max: given.length === 1 && !first.startsWith('...') ? `Math.max(...${first})` : undefined,
    min: given.length === 1 && !first.startsWith('...') ? `Math.min(...${first})` : undefined,
    divmod: second === undefined ? undefined : `[Math.floor(${first} / ${second}), ${first} % ${second}]`,
    copy: `structuredClone(${first})`,
    deepcopy: `structuredClone(${first})`,
    isinstance: second === undefined ? undefined : isInstance(first, second),
    type: `typeof ${first}`,
    Counter: `[...${first}].reduce<{ [key: string]: number }>((counts, item) => ({ ...counts, [item]: (counts[item] ?? 0) + 1 }), {})`,
  }
  if (name === 'bin')
    yield fix(context, 0.12, 'bin() is written in TypeScript', replace(context, call, `('0b' + ${hard}.toString(2))`))
  if (/^reverse\s*=\s*true$/i.test(second ?? '') && name === 'sorted')
    yield fix(
      context,
      0.06,
      'sorted() is written in TypeScript',
      replace(context, call, `[...${first}].sort((a, b) => (a < b ? 1 : a > b ? -1 : 0))`),
    )
  const code = Object.hasOwn(table, name) ? table[name] : undefined
  if (code !== undefined) yield fix(context, 0.08, `${name}() is written in TypeScript`, replace(context, call, code))
}

function isInstance(value: string, type: string): string {
  if (type === 'int') return `Number.isInteger(${value})`
  if (/^(number|string|boolean)$/.test(type)) return `(typeof ${value} === '${type}')`
  const word = { float: 'number', str: 'string', bool: 'boolean' }[type]
  return word
    ? `(typeof ${value} === '${word}')`
    : type === 'list'
      ? `Array.isArray(${value})`
      : `(${value} instanceof ${type})`
}
