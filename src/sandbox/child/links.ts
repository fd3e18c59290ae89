import type { Rewrite } from './rewrite.ts'
import { child, children, nameOf, type SyntaxNode, text } from './syntax.ts'

/** Source text of a live getter. */
export const getter = (name: string, expression: string): string => `${JSON.stringify(name)}:()=>${expression}`

/** Which local names are imported, and from where. */
export class ImportLinks {
  readonly specifiers: string[] = []
  readonly localExports: { exported: string; local: string }[] = []
  readonly stars: number[] = []
  readonly #locals = new Map<string, { index: number; imported: string }>()
  readonly #prefix: string

  constructor(prefix: string) {
    this.#prefix = prefix
  }

  /** The number under which a specifier is linked. */
  index(specifier: string): number {
    const known = this.specifiers.indexOf(specifier)
    return known >= 0 ? known : this.specifiers.push(specifier) - 1
  }

  bind(local: string, index: number, imported: string): void {
    this.#locals.set(local, { index, imported })
  }

  variable(index: number): string {
    return `${this.#prefix}${index}`
  }

  /** How the import is read, if `local` is one; `*` is the namespace. */
  access(local: string): string | undefined {
    const link = this.#locals.get(local)
    if (!link) return undefined
    return link.imported === '*' ? this.variable(link.index) : `${this.variable(link.index)}${member(link.imported)}`
  }

  isNamespace(local: string): boolean {
    return this.#locals.get(local)?.imported === '*'
  }

  importedName(local: string, from: ReadonlySet<string>): string | undefined {
    const link = this.#locals.get(local)
    if (!link || !from.has(this.specifiers[link.index] ?? '')) return undefined
    return link.imported === 'default' || link.imported === '*' ? local : link.imported
  }

  /** Local names of what harness modules export, by exported name. */
  harnessLocals(from: ReadonlySet<string>): Map<string, string> {
    const locals = new Map<string, string>()
    for (const local of this.#locals.keys()) {
      const imported = this.importedName(local, from)
      if (imported !== undefined) locals.set(local, imported)
    }
    return locals
  }
}

const member = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`)

interface DeclarationContext {
  readonly rewrite: Rewrite
  readonly links: ImportLinks
  readonly exports: string[]
  readonly prefix: string
  readonly code: string
}

/** Newlines of what is taken away stay, so that lines keep their numbers. */
const newlinesOf = (code: string, node: SyntaxNode): string => code.slice(node.start, node.end).replace(/[^\n]+/g, '')

export function rewriteDeclaration(node: SyntaxNode, context: DeclarationContext): void {
  const { rewrite, links, exports, code, prefix } = context
  const source = child(node, 'source')
  const index = source ? links.index(text(source, 'value')) : -1
  switch (node.type) {
    case 'ImportDeclaration':
      for (const specifier of children(node, 'specifiers')) {
        const local = nameOf(child(specifier, 'local'))
        if (specifier.type === 'ImportNamespaceSpecifier') links.bind(local, index, '*')
        else if (specifier.type === 'ImportDefaultSpecifier') links.bind(local, index, 'default')
        else links.bind(local, index, nameOf(child(specifier, 'imported')))
      }
      rewrite.replace(node.start, node.end, `;${newlinesOf(code, node)}`)
      return
    case 'ExportAllDeclaration': {
      const exported = nameOf(child(node, 'exported'))
      if (exported) exports.push(getter(exported, links.variable(index)))
      else links.stars.push(index)
      rewrite.replace(node.start, node.end, `;${newlinesOf(code, node)}`)
      return
    }
    case 'ExportNamedDeclaration': {
      const declaration = child(node, 'declaration')
      if (declaration) {
        rewrite.replace(node.start, declaration.start, '')
        for (const name of declaredNames(declaration)) exports.push(getter(name, name))
        return
      }
      for (const specifier of children(node, 'specifiers')) {
        const local = nameOf(child(specifier, 'local'))
        const exported = nameOf(child(specifier, 'exported'))
        if (source) exports.push(getter(exported, `${links.variable(index)}${member(local)}`))
        else links.localExports.push({ exported, local })
      }
      rewrite.replace(node.start, node.end, `;${newlinesOf(code, node)}`)
      return
    }
    case 'ExportDefaultDeclaration': {
      const declaration = child(node, 'declaration')
      if (!declaration) return
      const id = child(declaration, 'id')
      if (id && /Declaration$/.test(declaration.type)) {
        rewrite.replace(node.start, declaration.start, '')
        exports.push(getter('default', text(id, 'name')))
        return
      }
      const name = `${prefix}d`
      exports.push(getter('default', name))
      if (declaration.type === 'FunctionDeclaration') {
        // hoisted as the language has it; the name is put right by the harness
        const parenthesis = code.indexOf('(', declaration.start)
        rewrite.replace(node.start, declaration.start, '')
        rewrite.insert(parenthesis, ` ${name}`)
        return
      }
      rewrite.replace(node.start, declaration.start, `const ${name}=({default:(`)
      rewrite.replace(declaration.end, node.end, ')}).default;')
      return
    }
    default:
  }
}

function declaredNames(declaration: SyntaxNode): string[] {
  const id = child(declaration, 'id')
  if (id) return [nameOf(id)]
  return children(declaration, 'declarations').flatMap((declarator) => patternNames(child(declarator, 'id')))
}

function patternNames(pattern: SyntaxNode | undefined): string[] {
  switch (pattern?.type) {
    case 'Identifier':
      return [nameOf(pattern)]
    case 'ObjectPattern':
      return children(pattern, 'properties').flatMap((property) =>
        patternNames(child(property, property.type === 'RestElement' ? 'argument' : 'value')),
      )
    case 'ArrayPattern':
      return children(pattern, 'elements').flatMap(patternNames)
    case 'AssignmentPattern':
      return patternNames(child(pattern, 'left'))
    case 'RestElement':
      return patternNames(child(pattern, 'argument'))
    default:
      return []
  }
}
