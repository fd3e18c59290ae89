import { child, children, isNode, nameOf, type SyntaxNode, text } from './syntax.ts'

interface Scope {
  readonly parent: Scope | undefined
  readonly names: Set<string>
  /** `var` and the end of top level belong to these. */
  readonly isFunction: boolean
}

/** An identifier that is read, called or written. */
export interface NameUse {
  readonly name: string
  readonly node: SyntaxNode
  readonly parent: SyntaxNode
  /** Where the name is bound: at top level of this file, nowhere in it, or further in. */
  readonly bound: 'top' | 'free' | 'inner'
}

/** What a file does with names. */
export interface NameAnalysis {
  readonly uses: readonly NameUse[]
  readonly topLevel: ReadonlySet<string>
  readonly hasTopLevelAwait: boolean
  readonly importCalls: readonly SyntaxNode[]
  readonly importMetas: readonly SyntaxNode[]
  /** Nodes that look like `object.member = value`, `delete object.member` or `object.member(...)`, by kind. */
  readonly assignments: readonly SyntaxNode[]
  readonly deletions: readonly SyntaxNode[]
  readonly calls: readonly SyntaxNode[]
  readonly hasThrow: boolean
}

/** Finds who binds each name in a tree of strict code. Pure. */
export function analyseNames(program: SyntaxNode): NameAnalysis {
  const top: Scope = { parent: undefined, names: new Set(), isFunction: true }
  const found: { name: string; node: SyntaxNode; parent: SyntaxNode; scope: Scope }[] = []
  const importCalls: SyntaxNode[] = []
  const importMetas: SyntaxNode[] = []
  const assignments: SyntaxNode[] = []
  const deletions: SyntaxNode[] = []
  const calls: SyntaxNode[] = []
  let hasTopLevelAwait = false
  let hasThrow = false

  const inner = (parent: Scope, isFunction: boolean): Scope => ({ parent, names: new Set(), isFunction })
  const functionScope = (scope: Scope): Scope => {
    let at = scope
    while (!at.isFunction && at.parent) at = at.parent
    return at
  }

  /** Declares the names of a pattern and visits what it evaluates. */
  function bindPattern(pattern: SyntaxNode | undefined, target: Scope, scope: Scope): void {
    if (!pattern) return
    switch (pattern.type) {
      case 'Identifier':
        target.names.add(text(pattern, 'name'))
        return
      case 'ObjectPattern':
        for (const property of children(pattern, 'properties')) {
          if (property.type === 'RestElement') bindPattern(child(property, 'argument'), target, scope)
          else {
            if (property.computed === true) visitChild(property, 'key', scope)
            bindPattern(child(property, 'value'), target, scope)
          }
        }
        return
      case 'ArrayPattern':
        for (const element of children(pattern, 'elements')) bindPattern(element, target, scope)
        return
      case 'AssignmentPattern':
        bindPattern(child(pattern, 'left'), target, scope)
        visitChild(pattern, 'right', scope)
        return
      case 'RestElement':
        bindPattern(child(pattern, 'argument'), target, scope)
        return
      default:
        visit(pattern, scope, pattern)
    }
  }

  function visitChild(node: SyntaxNode, key: string, scope: Scope): void {
    const value = node[key]
    if (Array.isArray(value)) {
      for (const item of value) if (isNode(item)) visit(item, scope, node)
    } else if (isNode(value)) visit(value, scope, node)
  }

  function visitAll(node: SyntaxNode, scope: Scope, except = ''): void {
    for (const key of Object.keys(node)) if (key !== except && key !== 'type') visitChild(node, key, scope)
  }

  function visitFunction(node: SyntaxNode, scope: Scope): void {
    const id = child(node, 'id')
    let outer = scope
    if (id && node.type === 'FunctionExpression') {
      outer = inner(scope, false)
      outer.names.add(text(id, 'name'))
    }
    const own = inner(outer, true)
    for (const parameter of children(node, 'params')) bindPattern(parameter, own, own)
    const body = child(node, 'body')
    if (!body) return
    if (body.type === 'BlockStatement') visitChild(body, 'body', own)
    else visit(body, own, node)
  }

  function isTopLevel(scope: Scope): boolean {
    return functionScope(scope) === top
  }

  function visit(node: SyntaxNode, scope: Scope, parent: SyntaxNode): void {
    switch (node.type) {
      case 'Identifier':
        found.push({ name: text(node, 'name'), node, parent, scope })
        return
      case 'FunctionDeclaration': {
        const id = child(node, 'id')
        if (id) scope.names.add(text(id, 'name'))
        visitFunction(node, scope)
        return
      }
      case 'FunctionExpression':
      case 'ArrowFunctionExpression':
        visitFunction(node, scope)
        return
      case 'ClassDeclaration':
      case 'ClassExpression': {
        const id = child(node, 'id')
        let own = scope
        if (id && node.type === 'ClassDeclaration') scope.names.add(text(id, 'name'))
        else if (id) {
          own = inner(scope, false)
          own.names.add(text(id, 'name'))
        }
        visitChild(node, 'superClass', own)
        visitChild(node, 'body', own)
        return
      }
      case 'MethodDefinition':
      case 'Property':
        if (node.computed === true) visitChild(node, 'key', scope)
        visitChild(node, 'value', scope)
        return
      case 'PropertyDefinition': {
        if (node.computed === true) visitChild(node, 'key', scope)
        visitChild(node, 'value', inner(scope, true))
        return
      }
      case 'StaticBlock':
        visitChild(node, 'body', inner(scope, true))
        return
      case 'VariableDeclaration': {
        const target = node.kind === 'var' ? functionScope(scope) : scope
        if (node.kind === 'await using' && isTopLevel(scope)) hasTopLevelAwait = true
        for (const declarator of children(node, 'declarations')) {
          bindPattern(child(declarator, 'id'), target, scope)
          visitChild(declarator, 'init', scope)
        }
        return
      }
      case 'BlockStatement':
      case 'ForStatement':
      case 'ForInStatement':
      case 'SwitchStatement':
        visitAll(node, inner(scope, false))
        return
      case 'ForOfStatement':
        if (node.await === true && isTopLevel(scope)) hasTopLevelAwait = true
        visitAll(node, inner(scope, false))
        return
      case 'CatchClause': {
        const own = inner(scope, false)
        bindPattern(child(node, 'param'), own, own)
        visitChild(node, 'body', own)
        return
      }
      case 'MemberExpression':
        visitChild(node, 'object', scope)
        if (node.computed === true) visitChild(node, 'property', scope)
        return
      case 'LabeledStatement':
        visitChild(node, 'body', scope)
        return
      case 'BreakStatement':
      case 'ContinueStatement':
        return
      case 'MetaProperty':
        if (nameOf(child(node, 'meta')) === 'import') importMetas.push(node)
        return
      case 'ImportExpression':
        importCalls.push(node)
        visitAll(node, scope)
        return
      case 'AwaitExpression':
        if (isTopLevel(scope)) hasTopLevelAwait = true
        visitAll(node, scope)
        return
      case 'ImportDeclaration':
        for (const specifier of children(node, 'specifiers')) scope.names.add(nameOf(child(specifier, 'local')))
        return
      case 'ExportAllDeclaration':
        return
      case 'ExportNamedDeclaration':
        visitChild(node, 'declaration', scope)
        return
      case 'ThrowStatement':
        hasThrow = true
        visitAll(node, scope)
        return
      case 'AssignmentExpression':
        if (child(node, 'left')?.type === 'MemberExpression') assignments.push(node)
        visitAll(node, scope)
        return
      case 'UnaryExpression':
        if (node.operator === 'delete') deletions.push(node)
        visitAll(node, scope)
        return
      case 'CallExpression':
        calls.push(node)
        visitAll(node, scope)
        return
      default:
        visitAll(node, scope)
    }
  }

  visitChild(program, 'body', top)
  const uses = found.map(({ name, node, parent, scope }): NameUse => {
    let at: Scope | undefined = scope
    while (at && !at.names.has(name)) at = at.parent
    return { name, node, parent, bound: at === undefined ? 'free' : at === top ? 'top' : 'inner' }
  })
  return {
    uses,
    topLevel: top.names,
    hasTopLevelAwait,
    importCalls,
    importMetas,
    assignments,
    deletions,
    calls,
    hasThrow,
  }
}
