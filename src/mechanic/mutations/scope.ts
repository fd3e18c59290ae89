import { ts } from 'ts-morph'
import type { Scope } from './mutation.ts'

/** Names of variables and parameters that a place can see, read off the syntax: innermost function first, then the module's. */
export function createScope(source: ts.SourceFile): Scope {
  const cache = new Map<ts.Node, readonly string[]>()
  return {
    namesAt(node) {
      const owner = ts.findAncestor(node, ts.isFunctionLike) ?? source
      const known = cache.get(owner)
      if (known) return known
      const names = new Set<string>()
      for (let at: ts.Node | undefined = owner; at; at = ts.findAncestor(at.parent, ts.isFunctionLike)) {
        collect(at, names)
        if (at.parent === undefined) break
      }
      const list = [...names]
      cache.set(owner, list)
      return list
    },
  }
}

function collect(owner: ts.Node, names: Set<string>): void {
  if (ts.isFunctionLike(owner)) for (const parameter of owner.parameters) addBinding(parameter.name, names)
  const visit = (node: ts.Node): void => {
    if (node !== owner && ts.isFunctionLike(node)) return
    if (ts.isVariableDeclaration(node) && !isFunctionValue(node.initializer)) addBinding(node.name, names)
    ts.forEachChild(node, visit)
  }
  ts.forEachChild(owner, visit)
}

function addBinding(name: ts.BindingName, names: Set<string>): void {
  if (ts.isIdentifier(name)) names.add(name.text)
  else for (const element of name.elements) if (ts.isBindingElement(element)) addBinding(element.name, names)
}

function isFunctionValue(node: ts.Expression | undefined): boolean {
  return node !== undefined && (ts.isArrowFunction(node) || ts.isFunctionExpression(node) || ts.isClassExpression(node))
}
