import type { ImportLinks } from './links.ts'
import type { Rewrite } from './rewrite.ts'
import type { NameAnalysis, NameUse } from './scope.ts'
import { child, children, nameOf, type SyntaxNode } from './syntax.ts'
import type { TransformOptions } from './transform.ts'

const globalObjects = new Set(['globalThis', 'global', 'window', 'self'])
const settable = new Set([...globalObjects, 'Math', 'Date', 'console', 'performance', 'crypto', 'process', 'Intl'])

interface UseContext {
  readonly rewrite: Rewrite
  readonly links: ImportLinks
  readonly scoped: Set<string>
  readonly options: TransformOptions
  readonly prefix: string
}

export function rewriteUse(use: NameUse, { rewrite, links, scoped, options, prefix }: UseContext): void {
  let access: string | undefined
  if (use.bound === 'top') access = links.access(use.name)
  else if (use.bound === 'free' && options.scopeNames.has(use.name)) {
    scoped.add(use.name)
    return
  } else if (use.bound === 'free' && options.entryNames.has(use.name)) access = `${prefix}m.entry.${use.name}`
  if (access === undefined) return
  const { node, parent } = use
  if (parent.type === 'Property' && parent.shorthand === true) {
    rewrite.replace(node.start, node.end, `${use.name}:${access}`)
    return
  }
  const isCallee =
    (parent.type === 'CallExpression' && child(parent, 'callee') === node) ||
    (parent.type === 'TaggedTemplateExpression' && child(parent, 'tag') === node)
  if (!isCallee || !access.includes('.')) {
    rewrite.replace(node.start, node.end, access)
    return
  }
  // called without a receiver, as an import is; the function form starts with a name, so no semicolon is needed before it
  rewrite.replace(node.start, node.end, `${prefix}f(${access})`)
}

/** `name` of `object.name` or `object['name']`. */
function memberOf(
  node: SyntaxNode | undefined,
): { object: SyntaxNode; name: string | undefined; property: SyntaxNode } | undefined {
  if (node?.type !== 'MemberExpression') return undefined
  const object = child(node, 'object')
  const property = child(node, 'property')
  if (!object || !property) return undefined
  const name = node.computed === true && property.type !== 'Literal' ? undefined : nameOf(property)
  return { object, name, property }
}

/** Members that stay plain data on frozen prototypes, see harness/freeze.ts: assigning them on an heir must not throw. */
const keptAsData = new Set(['constructor', 'exec'])

/**
 * The offset behind the `=` of an assignment to a member; undefined where parentheses stand around the object or the
 * member. What is assigned may well stand in parentheses, which the tree does not show.
 */
function afterEquals(
  code: string,
  target: { object: SyntaxNode; property: SyntaxNode },
  left: SyntaxNode,
): number | undefined {
  if (code.slice(target.object.end, target.property.start).includes(')')) return undefined
  const between = /^(?:\s|\/\*[\s\S]*?\*\/|\/\/[^\n]*\n)*=/.exec(code.slice(left.end))
  return between ? left.end + between[0].length : undefined
}

/** Assignments of members that an heir of a frozen prototype could not set. */
export function rewriteInherited(names: NameAnalysis, rewrite: Rewrite, prefix: string, code: string): void {
  for (const node of names.assignments) {
    const left = child(node, 'left')
    const right = child(node, 'right')
    const target = memberOf(left)
    if (!left || !right || node.operator !== '=' || target?.object.type === 'Super' || left.computed === true) continue
    if (!target?.name || target.property.type !== 'Identifier' || !keptAsData.has(target.name)) continue
    const value = afterEquals(code, target, left)
    if (value === undefined) continue
    rewrite.insert(left.start, `${prefix}m.assign(`)
    rewrite.replace(target.object.end, value, `,${JSON.stringify(target.name)},`)
    rewrite.insert(node.end, ')')
  }
}

/** Lets test files, and no others, set what is fixed for everybody else, and count `console.assert`. */
export function rewriteTestOnly(names: NameAnalysis, rewrite: Rewrite, prefix: string, code: string): void {
  const free = new Set(names.uses.filter((use) => use.bound === 'free').map((use) => use.node))
  const isSettable = (object: SyntaxNode): boolean => {
    if (object.type === 'Identifier') return free.has(object) && settable.has(nameOf(object))
    const inner = memberOf(object)
    return inner?.object.type === 'Identifier' && free.has(inner.object) && globalObjects.has(nameOf(inner.object))
  }
  for (const node of names.assignments) {
    const left = child(node, 'left')
    const right = child(node, 'right')
    const target = memberOf(left)
    if (!left || !right || !target || node.operator !== '=' || !isSettable(target.object)) continue
    if (left.computed !== true && target.name && keptAsData.has(target.name)) continue
    const value = afterEquals(code, target, left)
    if (value === undefined) continue
    rewrite.insert(left.start, `${prefix}m.set(`)
    if (left.computed === true) {
      rewrite.replace(target.object.end, target.property.start, ',')
      rewrite.replace(target.property.end, value, ',')
    } else rewrite.replace(target.object.end, value, `,${JSON.stringify(target.name)},`)
    rewrite.insert(node.end, ')')
  }
  for (const node of names.deletions) {
    const argument = child(node, 'argument')
    const target = memberOf(argument)
    if (!argument || !target || !isSettable(target.object)) continue
    rewrite.replace(node.start, argument.start, `${prefix}m.remove(`)
    if (argument.computed === true) {
      rewrite.replace(target.object.end, target.property.start, ',')
      rewrite.replace(target.property.end, argument.end, ')')
    } else rewrite.replace(target.object.end, argument.end, `,${JSON.stringify(target.name)})`)
  }
  for (const node of names.calls) {
    const callee = child(node, 'callee')
    const target = memberOf(callee)
    if (callee && target?.name === 'assert' && free.has(target.object) && nameOf(target.object) === 'console') {
      rewrite.replace(callee.start, callee.end, `${prefix}m.consoleAssert`)
    }
    if (target && (target.name === 'mock' || target.name === 'doMock')) {
      const argument = children(node, 'arguments')[0]
      const source = argument?.type === 'ImportExpression' ? child(argument, 'source') : undefined
      if (argument && source) {
        rewrite.replace(argument.start + 'import'.length, argument.start + 'import'.length, '.path')
      }
    }
  }
}
