import { ts } from 'ts-morph'

/** What the tests give to the code, as source text. Never what they expect of it. */
export interface TestInputs {
  readonly numbers: readonly string[]
  readonly strings: readonly string[]
  /** Calls of the code under test whose arguments are closed expressions: callee and argument texts. */
  readonly calls: readonly { readonly callee: string; readonly args: readonly string[] }[]
}

/** Callees that belong to tests and to the language: their arguments may be titles or expected values. */
const foreign = new Set([
  'expect', 'assert', 'describe', 'it', 'test', 'suite', 'beforeEach', 'afterEach', 'beforeAll', 'afterAll', 'vi', 'jest',
  'console', 'JSON', 'Math', 'Object', 'Array', 'Number', 'String', 'Boolean', 'Promise', 'Symbol', 'BigInt', 'Map', 'Set',
  'Date', 'RegExp', 'Error', 'require', 'structuredClone', 'setTimeout', 'chai', 'should', 'deepEqual', 'equal', 'strictEqual',
  'deepStrictEqual', 'ok', 'throws', 'rejects', 't',
]) // biome-ignore format: a list of words

const longestString = 40

/** Literals and calls in the arguments of the code under test; assertions are entered, what they compare with is not. */
export function testInputs(sources: readonly ts.SourceFile[]): TestInputs {
  const numbers = new Set<string>()
  const strings = new Set<string>()
  const calls = new Map<string, { callee: string; args: string[] }>()
  for (const source of sources) {
    const collect = (node: ts.Node): void => {
      if (ts.isNumericLiteral(node))
        numbers.add(ts.isPrefixUnaryExpression(node.parent) ? `(${node.parent.getText(source)})` : node.getText(source))
      else if (ts.isStringLiteralLike(node) && node.text.length <= longestString) strings.add(JSON.stringify(node.text))
      if (!ts.isFunctionLike(node)) ts.forEachChild(node, collect)
    }
    const visit = (node: ts.Node): void => {
      if ((ts.isCallExpression(node) || ts.isNewExpression(node)) && isOfCode(node.expression)) {
        const args = node.arguments ?? []
        for (const argument of args) collect(argument)
        if (ts.isCallExpression(node) && ts.isIdentifier(node.expression) && args.every(isClosed)) {
          const call = { callee: node.expression.text, args: args.map((argument) => argument.getText(source)) }
          calls.set(JSON.stringify(call), call)
        }
      }
      ts.forEachChild(node, visit)
    }
    visit(source)
  }
  return { numbers: [...numbers], strings: [...strings], calls: [...calls.values()] }
}

/** A plain name or a member of one, neither a matcher nor of the language. */
function isOfCode(callee: ts.Expression): boolean {
  let at: ts.Expression = callee
  while (ts.isPropertyAccessExpression(at)) at = at.expression
  return ts.isIdentifier(at) && !foreign.has(at.text)
}

/** Holds no names but those of the language's constants, so that it means the same anywhere. */
function isClosed(node: ts.Node): boolean {
  if (ts.isIdentifier(node)) return ['undefined', 'NaN', 'Infinity'].includes(node.text)
  if (ts.isFunctionLike(node) || ts.isCallExpression(node) || ts.isNewExpression(node)) return false
  if (ts.isPropertyAssignment(node)) return isClosed(node.initializer)
  return ts.forEachChild(node, (child) => (isClosed(child) ? undefined : true)) !== true
}
