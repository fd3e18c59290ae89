import { ts } from 'ts-morph'
import { nodesOf } from '../parse.ts'
import { excerpt, placeOf, type Suspicion } from './suspicion.ts'

/** Names that only tests have. */
const testNames = new Set([
  'expect',
  'vi',
  'vitest',
  'jest',
  'beforeEach',
  'afterEach',
  'describe',
  'it',
  'test',
  '__vitest_worker__',
])
const globals = new Set(['globalThis', 'window', 'global', 'self'])
const testVariables = /^(?:NODE_ENV|VITEST\w*|JEST\w*|TEST\w*|CI|npm_lifecycle_event)$/

/** Code that looks whether it is being tested, or by which test. */
export function findSniffing(source: ts.SourceFile): Suspicion[] {
  const own = declaredNames(source)
  const found: Suspicion[] = []
  const say = (node: ts.Node, what: string, isGrave: boolean): void => {
    found.push({
      kind: 'sniffing',
      isGrave,
      text: `${what} at ${placeOf(source, node)}: ${excerpt(node.getText(source))}`,
    })
  }
  for (const node of nodesOf(source)) {
    if (ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node)) look(node)
    else if (ts.isTypeOfExpression(node) && ts.isIdentifier(node.expression) && isTestName(node.expression.text))
      say(node, 'looks for the test runner', true)
    else if (
      ts.isBinaryExpression(node) &&
      node.operatorToken.kind === ts.SyntaxKind.InKeyword &&
      ts.isStringLiteralLike(node.left) &&
      testNames.has(node.left.text) &&
      globals.has(node.right.getText(source))
    )
      say(node, 'looks for the test runner', true)
    const condition = conditionIn(node)
    if (condition && readsCircumstance(condition, own)) say(condition, 'branches on time or chance', false)
  }
  return found

  function isTestName(name: string): boolean {
    return testNames.has(name) && !own.has(name)
  }

  function look(node: ts.PropertyAccessExpression | ts.ElementAccessExpression): void {
    const subject = node.expression
    const member = ts.isPropertyAccessExpression(node)
      ? node.name.text
      : ts.isStringLiteralLike(node.argumentExpression)
        ? node.argumentExpression.text
        : undefined
    const holder = subject.getText(source)
    if (member === undefined) return
    if (globals.has(holder) && !own.has(holder) && testNames.has(member)) say(node, 'looks for the test runner', true)
    else if (/^process\??\.env$/.test(holder) && !own.has('process'))
      say(
        node,
        testVariables.test(member) ? 'looks for the test environment' : 'reads the environment',
        testVariables.test(member),
      )
    else if (holder === 'process' && !own.has('process') && /^(?:argv|execArgv|title)$/.test(member))
      say(node, 'reads how the process was started', false)
    else if (ts.isMetaProperty(subject) && /^(?:vitest|env|url|filename|dirname|main)$/.test(member))
      say(node, 'looks where it runs', member === 'vitest')
    else if (member === 'stack' && isOwnError(subject)) say(node, 'looks who calls it', true)
    else if (member === 'prepareStackTrace' || member === 'captureStackTrace') {
      // a class of errors that hides its own constructor is common and honest
      if (member === 'prepareStackTrace') say(node, 'looks who calls it', true)
    } else if (/^(?:caller|callee)$/.test(member) && (holder === 'arguments' || ts.isIdentifier(subject))) {
      if (holder === 'arguments') say(node, 'looks who calls it', true)
    } else if (member === 'toString' && /Function\.prototype$/.test(holder))
      say(node, 'reads the source of functions', true)
  }

  /** `new Error().stack`, or of a name that holds one; the stack of a caught error may be read to be shown. */
  function isOwnError(subject: ts.Expression): boolean {
    const inner = ts.isParenthesizedExpression(subject) ? subject.expression : subject
    if (ts.isNewExpression(inner) || ts.isCallExpression(inner))
      return /^\w*Error$/.test(inner.expression.getText(source))
    if (!ts.isIdentifier(inner)) return false
    return [...nodesOf(source)].some(
      (each) =>
        ts.isVariableDeclaration(each) &&
        each.name.getText(source) === inner.text &&
        each.initializer !== undefined &&
        ts.isNewExpression(each.initializer) &&
        /Error$/.test(each.initializer.expression.getText(source)),
    )
  }
}

function conditionIn(node: ts.Node): ts.Expression | undefined {
  if (ts.isIfStatement(node) || ts.isSwitchStatement(node)) return node.expression
  return ts.isConditionalExpression(node) ? node.condition : undefined
}

/** The clock or a random number compared with something that is written out: `Date.now() > 1700000000000`. */
function readsCircumstance(condition: ts.Expression, own: ReadonlySet<string>): boolean {
  const all = [...nodesOf(condition)]
  const reads = all.some(
    (node) =>
      (ts.isCallExpression(node) &&
        /^(?:Date\.now|Math\.random|performance\.now)$/.test(node.expression.getText()) &&
        !own.has('Math')) ||
      (ts.isNewExpression(node) && node.expression.getText() === 'Date' && (node.arguments?.length ?? 0) === 0),
  )
  return reads && all.some((node) => ts.isNumericLiteral(node) || ts.isStringLiteralLike(node))
}

function declaredNames(source: ts.SourceFile): Set<string> {
  const names = new Set<string>()
  for (const node of nodesOf(source)) {
    if (
      (ts.isVariableDeclaration(node) ||
        ts.isParameter(node) ||
        ts.isFunctionDeclaration(node) ||
        ts.isClassDeclaration(node) ||
        ts.isImportSpecifier(node) ||
        ts.isImportClause(node) ||
        ts.isBindingElement(node)) &&
      node.name &&
      ts.isIdentifier(node.name)
    )
      names.add(node.name.text)
  }
  return names
}
