import type { Allow, Deny } from '../../domain/policy.ts'
import type { Failure } from '../../domain/report.ts'
import { toFailure } from '../failures.ts'
import { type ParsedFile, placeOf } from './imports-layer.ts'
import { bindNames, isGlobal, isValueReference } from './names.ts'
import { type TS, ts } from './typescript.ts'

/** Names that belong to a test runner; a candidate that uses them unbound wants to be judge in its own case. */
const testGlobals = new Set(
  'describe it test expect vi jest beforeEach afterEach beforeAll afterAll suite xit xdescribe fit fdescribe assertType expectTypeOf'.split(
    ' ',
  ),
)
const globalObjects = new Set(['globalThis', 'global', 'window', 'self'])
const maxPerFile = 20

interface Rules {
  readonly allow: Allow
  readonly deny: Deny
}

interface Breach {
  readonly node: TS.Node
  readonly code: string
  readonly message: string
  readonly hint?: string
  readonly severity?: 'warning'
}

/** Failures of the `policy` layer of one file, found in its syntax tree and never by pattern. */
export function checkPolicy(file: ParsedFile, rules: Rules, options: TS.CompilerOptions): Failure[] {
  if (file.path.endsWith('.json')) return []
  bindNames(file.file, options)
  const breaches: Breach[] = []
  const visit = (node: TS.Node): void => {
    inspect(node, rules, breaches)
    ts.forEachChild(node, visit)
  }
  visit(file.file)
  const isTypeScript = /\.[cm]?tsx?$/.test(file.path)
  const comments = isTypeScript && !rules.allow.tsIgnore ? silencingComments(file) : []
  return [...comments, ...breaches.slice(0, maxPerFile).map((breach) => toPolicyFailure(file, breach))]
}

function toPolicyFailure(file: ParsedFile, breach: Breach): Failure {
  return toFailure({
    layer: 'policy',
    kind: 'policy',
    code: breach.code,
    message: breach.message,
    ...(breach.severity ? { severity: breach.severity } : {}),
    ...(breach.hint === undefined ? {} : { hint: breach.hint }),
    location: placeOf(file, breach.node),
    source: file.text,
  })
}

function inspect(node: TS.Node, { allow, deny }: Rules, into: Breach[]): void {
  if (!allow.anyCasts && (ts.isAsExpression(node) || ts.isTypeAssertionExpression(node)) && isAny(node.type)) {
    into.push({
      node,
      code: 'ANY_CAST',
      message: 'A cast to any switches type checking off.',
      hint: 'give the value its real type, or narrow unknown',
    })
    return
  }
  if (ts.isDebuggerStatement(node)) {
    into.push({ node, code: 'DEBUGGER', message: 'A debugger statement was left in.', severity: 'warning' })
    return
  }
  if (!allow.eval) inspectEvaluation(node, into)
  inspectTestUse(node, into)
  inspectDenied(node, deny, into)
}

function isAny(type: TS.TypeNode): boolean {
  if (ts.isParenthesizedTypeNode(type)) return isAny(type.type)
  if (ts.isArrayTypeNode(type)) return isAny(type.elementType)
  return type.kind === ts.SyntaxKind.AnyKeyword
}

/** Ways to turn text into code: eval, the Function constructors (also by way of `.constructor`), timers given a string. */
function inspectEvaluation(node: TS.Node, into: Breach[]): void {
  const hint = 'write the logic as code'
  if (ts.isIdentifier(node) && isValueReference(node) && isGlobal(node)) {
    if (node.text === 'eval') into.push({ node, code: 'EVAL', message: 'eval runs text as code.', hint })
    else if (node.text === 'Function' && makesFunctions(node))
      into.push({ node, code: 'FUNCTION_CONSTRUCTOR', message: 'The Function constructor runs text as code.', hint })
    return
  }
  const name = memberName(node)
  if (name !== undefined && (ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node))) {
    const object = skipParentheses(node.expression)
    if (
      ts.isIdentifier(object) &&
      globalObjects.has(object.text) &&
      isGlobal(object) &&
      (name === 'eval' || name === 'Function')
    )
      into.push({
        node,
        code: name === 'eval' ? 'EVAL' : 'FUNCTION_CONSTRUCTOR',
        message: `${object.text}.${name} runs text as code.`,
        hint,
      })
    else if (name === 'constructor' && reachesFunctionConstructor(node, object))
      into.push({
        node,
        code: 'FUNCTION_CONSTRUCTOR',
        message: 'The constructor of a function runs text as code.',
        hint,
      })
    return
  }
  if (
    ts.isCallExpression(node) &&
    ts.isIdentifier(node.expression) &&
    /^set(?:Timeout|Interval|Immediate)$/.test(node.expression.text) &&
    isGlobal(node.expression)
  ) {
    const [first] = node.arguments
    if (first && (ts.isStringLiteralLike(first) || ts.isTemplateExpression(first)))
      into.push({
        node,
        code: 'EVAL',
        message: 'A timer that is given text runs it as code.',
        hint: 'give the timer a function',
      })
  }
}

/** Called, constructed, bound, or handed on; comparing with it and reading its prototype is harmless. */
function makesFunctions(node: TS.Identifier): boolean {
  let at: TS.Node = node
  while (ts.isParenthesizedExpression(at.parent) || ts.isAsExpression(at.parent) || ts.isNonNullExpression(at.parent))
    at = at.parent
  const { parent } = at
  if (ts.isBinaryExpression(parent))
    return [
      ts.SyntaxKind.EqualsToken,
      ts.SyntaxKind.CommaToken,
      ts.SyntaxKind.BarBarToken,
      ts.SyntaxKind.QuestionQuestionToken,
      ts.SyntaxKind.AmpersandAmpersandToken,
    ].includes(parent.operatorToken.kind)
  if (ts.isTypeOfExpression(parent) || ts.isCaseClause(parent) || ts.isSwitchStatement(parent)) return false
  if (ts.isPropertyAccessExpression(parent)) return /^(?:call|apply|bind|constructor)$/.test(parent.name.text)
  return true
}

/** `.constructor` of a function literal, of another `.constructor`, of a prototype of functions; or called without `new`. */
function reachesFunctionConstructor(node: TS.Node, object: TS.Expression): boolean {
  if (isFunctionLiteral(object) || memberName(object) === 'constructor') return true
  if (ts.isCallExpression(object) && memberName(object.expression) === 'getPrototypeOf') {
    const [argument] = object.arguments
    if (argument && isFunctionLiteral(skipParentheses(argument))) return true
  }
  const outer = skipUp(node)
  if (ts.isCallExpression(outer.parent) && outer.parent.expression === outer)
    return object.kind !== ts.SyntaxKind.SuperKeyword
  if (!ts.isNewExpression(outer.parent) || outer.parent.expression !== outer) return false
  // `new this.constructor('x')` is how a class copies itself; `new fetch.constructor('code')` is not
  const [argument] = outer.parent.arguments ?? []
  return argument !== undefined && ts.isStringLiteralLike(argument) && object.kind !== ts.SyntaxKind.ThisKeyword
}

const isFunctionLiteral = (node: TS.Node): boolean =>
  ts.isArrowFunction(node) || ts.isFunctionExpression(node) || ts.isClassExpression(node)

function skipParentheses(node: TS.Expression): TS.Expression {
  let at = node
  while (
    ts.isParenthesizedExpression(at) ||
    ts.isAsExpression(at) ||
    ts.isNonNullExpression(at) ||
    ts.isTypeAssertionExpression(at)
  )
    at = at.expression
  return at
}

function skipUp(node: TS.Node): TS.Node {
  let at = node
  while (ts.isParenthesizedExpression(at.parent) || ts.isAsExpression(at.parent) || ts.isNonNullExpression(at.parent))
    at = at.parent
  return at
}

/** Name of the member that an access reads, also where it is put together from literals. */
function memberName(node: TS.Node): string | undefined {
  if (ts.isParenthesizedExpression(node)) return memberName(node.expression)
  if (ts.isPropertyAccessExpression(node)) return node.name.text
  return ts.isElementAccessExpression(node) ? constantText(node.argumentExpression) : undefined
}

function constantText(node: TS.Expression): string | undefined {
  if (ts.isStringLiteralLike(node)) return node.text
  if (ts.isParenthesizedExpression(node)) return constantText(node.expression)
  if (!ts.isBinaryExpression(node) || node.operatorToken.kind !== ts.SyntaxKind.PlusToken) return undefined
  const left = constantText(node.left)
  const right = constantText(node.right)
  return left === undefined || right === undefined ? undefined : left + right
}

function inspectTestUse(node: TS.Node, into: Breach[]): void {
  if (!ts.isIdentifier(node) || !testGlobals.has(node.text) || !isValueReference(node) || !isGlobal(node)) return
  const { parent } = node
  const isUsed =
    (ts.isCallExpression(parent) && parent.expression === node) ||
    (ts.isPropertyAccessExpression(parent) && parent.expression === node && parent.name.text !== 'length')
  if (isUsed)
    into.push({
      node,
      code: 'TEST_RUNNER',
      message: `${node.text} belongs to the tests; the code under test may not use it.`,
    })
}

function inspectDenied(node: TS.Node, deny: Deny, into: Breach[]): void {
  if (ts.isIdentifier(node) && deny.globals.includes(node.text) && isValueReference(node) && isGlobal(node))
    into.push({ node, code: 'DENIED_GLOBAL', message: `The global ${node.text} is denied by the task's policy.` })
  if (ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node)) {
    const object = skipParentheses(node.expression)
    const name = memberName(node)
    if (
      name !== undefined &&
      deny.globals.includes(name) &&
      ts.isIdentifier(object) &&
      globalObjects.has(object.text) &&
      isGlobal(object)
    )
      into.push({ node, code: 'DENIED_GLOBAL', message: `The global ${name} is denied by the task's policy.` })
  }
  if ((ts.isCallExpression(node) || ts.isNewExpression(node)) && deny.calls.length > 0) {
    const callee = dottedName(skipParentheses(node.expression))
    if (callee !== undefined && deny.calls.includes(callee))
      into.push({ node, code: 'DENIED_CALL', message: `Calls of ${callee} are denied by the task's policy.` })
  }
}

/** `a.b.c` of a callee; a global object in front does not count. */
function dottedName(node: TS.Expression): string | undefined {
  if (ts.isIdentifier(node)) return node.text
  const name = memberName(node)
  if (name === undefined || !(ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node)))
    return undefined
  const object = dottedName(skipParentheses(node.expression))
  if (object === undefined) return undefined
  return globalObjects.has(object) ? name : `${object}.${name}`
}

/** Directives that the compiler obeys, as it found them itself; the same words in a string or in prose do not count. */
function silencingComments(file: ParsedFile): Failure[] {
  // both members are internal; the only public trace of a directive is the diagnostic that it hides
  const source = file.file as TS.SourceFile & {
    readonly commentDirectives?: readonly { readonly range: TS.TextRange; readonly type: number }[]
    readonly checkJsDirective?: { readonly enabled: boolean; readonly pos: number }
  }
  const at = (position: number, word: string): Failure => {
    const { line, character } = source.getLineAndCharacterOfPosition(position)
    return toFailure({
      layer: 'policy',
      kind: 'policy',
      code: 'TS_IGNORE',
      message: `${word} hides errors from the compiler.`,
      hint: 'remove the comment and mend what it hides',
      location: { file: file.path, line: line + 1, column: character + 1 },
      source: file.text,
    })
  }
  const directives = (source.commentDirectives ?? []).map(({ range }) => {
    const text = file.text.slice(range.pos, range.end)
    return at(range.pos, text.includes('ts-expect-error') ? '@ts-expect-error' : '@ts-ignore')
  })
  const unchecked = source.checkJsDirective?.enabled === false ? [at(source.checkJsDirective.pos, '@ts-nocheck')] : []
  return [...unchecked, ...directives].slice(0, maxPerFile)
}
