import type { NameAnalysis } from './scope.ts'
import { child, children, nameOf, type SyntaxNode } from './syntax.ts'

const hoistedMethods = new Set(['mock', 'unmock', 'hoisted', 'deepUnmock'])

/**
 * The top-level statements of a test file that must run before its imports are evaluated: `vi.mock(...)`,
 * `vi.hoisted(...)` and their jest forms, in the order of the file.
 * @param harnessLocals local name → exported name of what is imported from the harness
 */
export function findHoisted(
  body: readonly SyntaxNode[],
  names: NameAnalysis,
  harnessLocals: ReadonlyMap<string, string>,
): SyntaxNode[] {
  const free = new Set(names.uses.filter((use) => use.bound === 'free').map((use) => use.node))

  function isMocker(node: SyntaxNode | undefined): boolean {
    if (node?.type !== 'Identifier') return false
    const name = free.has(node) ? nameOf(node) : harnessLocals.get(nameOf(node))
    return name === 'vi' || name === 'vitest' || name === 'jest'
  }

  function isHoistedCall(node: SyntaxNode | undefined): boolean {
    if (node?.type === 'AwaitExpression') return isHoistedCall(child(node, 'argument'))
    if (node?.type !== 'CallExpression') return false
    const callee = child(node, 'callee')
    if (callee?.type !== 'MemberExpression') return false
    const object = child(callee, 'object')
    // jest.mock(...).mock(...) chains
    if (object?.type === 'CallExpression')
      return hoistedMethods.has(nameOf(child(callee, 'property'))) && isHoistedCall(object)
    return isMocker(object) && hoistedMethods.has(nameOf(child(callee, 'property')))
  }

  return body.filter((statement) => {
    if (statement.type === 'ExpressionStatement') return isHoistedCall(child(statement, 'expression'))
    if (statement.type !== 'VariableDeclaration') return false
    return children(statement, 'declarations').every((declarator) => {
      const init = child(declarator, 'init')
      const call = init?.type === 'AwaitExpression' ? child(init, 'argument') : init
      const callee = call?.type === 'CallExpression' ? child(call, 'callee') : undefined
      return nameOf(callee && child(callee, 'property')) === 'hoisted' && isHoistedCall(init)
    })
  })
}
