import { type TS, ts } from './typescript.ts'

/** What a file alone cannot tell about its imports and exports. */
export interface Elision {
  /** Whether an imported or exported name is gone once types are. */
  isTypeName(specifier: TS.ImportSpecifier | TS.ExportSpecifier | TS.ImportClause | TS.NamespaceImport): boolean
}

/** Thrown inside this file where types cannot just be taken out: the compiler has to emit the file. */
const notErasable = Symbol('not erasable')

/**
 * TypeScript with its types blanked out: every other character keeps its place, so that no source map is needed, and the
 * work is one walk over a tree that is there already. Null where the syntax needs to be compiled (enums, namespaces,
 * parameter properties, decorators, JSX, `import =`) or blanks would change the meaning of line ends.
 */
export function stripTypes(file: TS.SourceFile, elision: Elision): string | null {
  const cuts: Cut[] = []
  try {
    new Eraser(file, elision, cuts).visit(file)
  } catch (error) {
    if (error === notErasable) return null
    throw error
  }
  cuts.sort((a, b) => a.start - b.start)
  const parts: string[] = []
  let at = 0
  for (const { start, end, lead } of cuts) {
    if (end <= at) continue
    const from = Math.max(start, at)
    parts.push(file.text.slice(at, from), blank(file.text.slice(from, end), from === start ? lead : ''))
    at = end
  }
  parts.push(file.text.slice(at))
  return parts.join('')
}

interface Cut {
  readonly start: number
  readonly end: number
  /** Put in place of the first character, where a missing statement would join its neighbours. */
  readonly lead: '' | ';'
}

const blank = (text: string, lead: string): string =>
  lead + text.slice(lead.length).replace(/[^\r\n\u2028\u2029\t]/g, ' ')

class Eraser {
  readonly #file: TS.SourceFile
  readonly #elision: Elision
  readonly #cuts: Cut[]

  constructor(file: TS.SourceFile, elision: Elision, cuts: Cut[]) {
    this.#file = file
    this.#elision = elision
    this.#cuts = cuts
  }

  visit(node: TS.Node): void {
    if (this.#erased(node)) return
    this.#eraseParts(node)
    ts.forEachChild(node, (child) => {
      if (!ts.isTypeNode(child) || ts.isExpressionWithTypeArguments(child)) this.visit(child)
    })
  }

  /** Takes a node out whole, where it is nothing but types. */
  #erased(node: TS.Node): boolean {
    if (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node) || ts.isNamespaceExportDeclaration(node))
      return this.#cutStatement(node)
    if (hasModifier(node, ts.SyntaxKind.DeclareKeyword)) return this.#cutStatement(node)
    if (ts.isModuleDeclaration(node) || ts.isEnumDeclaration(node)) throw notErasable
    if (ts.isImportEqualsDeclaration(node)) {
      if (!node.isTypeOnly) throw notErasable
      return this.#cutStatement(node)
    }
    if (ts.isExportAssignment(node) && node.isExportEquals === true) throw notErasable
    if (ts.isFunctionDeclaration(node) && !node.body) return this.#cutStatement(node)
    if (ts.isIndexSignatureDeclaration(node)) return this.#cutStatement(node)
    if (ts.isClassElement(node)) {
      if (hasModifier(node, ts.SyntaxKind.AbstractKeyword)) return this.#cutStatement(node)
      if ((ts.isMethodDeclaration(node) || ts.isConstructorDeclaration(node)) && !node.body)
        return this.#cutStatement(node)
    }
    if (ts.isImportDeclaration(node)) return this.#eraseImport(node)
    if (ts.isExportDeclaration(node)) return this.#eraseExport(node)
    if (ts.isHeritageClause(node) && node.token === ts.SyntaxKind.ImplementsKeyword)
      return this.#cut(node.getStart(this.#file), node.end)
    return false
  }

  #eraseParts(node: TS.Node): void {
    if (ts.isJsxElement(node) || ts.isJsxSelfClosingElement(node) || ts.isJsxFragment(node) || ts.isDecorator(node))
      throw notErasable
    if (ts.isVariableDeclarationList(node) && (node.flags & ts.NodeFlags.Using) === ts.NodeFlags.Using)
      throw notErasable
    this.#eraseModifiers(node)
    const { typeParameters, typeArguments, type, questionToken, exclamationToken } = node as Typed
    if (typeParameters) this.#cutList(typeParameters, ts.isArrowFunction(node))
    if (typeArguments && !ts.isTypeNode(node)) this.#cutList(typeArguments, false)
    else if (typeArguments && ts.isExpressionWithTypeArguments(node)) this.#cutList(typeArguments, false)
    if (ts.isAsExpression(node) || ts.isSatisfiesExpression(node)) this.#cutTail(node)
    else if (ts.isNonNullExpression(node)) this.#cut(node.expression.end, node.end)
    else if (ts.isTypeAssertionExpression(node)) {
      const start = node.getStart(this.#file)
      if (this.#text(start, node.expression.getStart(this.#file)).includes('\n')) throw notErasable
      this.#cut(start, this.#after('>', node.type.end))
    } else if (type && ts.isTypeNode(type)) this.#cutAnnotation(node, type)
    // the `?` of a conditional expression goes by the same name
    if (questionToken && (ts.isParameter(node) || ts.isPropertyDeclaration(node) || ts.isMethodDeclaration(node)))
      this.#cut(questionToken.pos, questionToken.end)
    if (exclamationToken) this.#cut(exclamationToken.pos, exclamationToken.end)
    if (ts.isParameter(node) && ts.isIdentifier(node.name) && node.name.text === 'this') this.#cutListed(node)
  }

  #eraseModifiers(node: TS.Node): void {
    if (!ts.canHaveModifiers(node)) return
    const isParameter = ts.isParameter(node)
    for (const modifier of ts.getModifiers(node) ?? []) {
      switch (modifier.kind) {
        case ts.SyntaxKind.PublicKeyword:
        case ts.SyntaxKind.PrivateKeyword:
        case ts.SyntaxKind.ProtectedKeyword:
        case ts.SyntaxKind.ReadonlyKeyword:
        case ts.SyntaxKind.OverrideKeyword:
        case ts.SyntaxKind.AbstractKeyword: {
          if (isParameter) throw notErasable
          const start = modifier.getStart(this.#file)
          const isFirst = start === node.getStart(this.#file)
          // `a = 1 ⏎ public ['b']` must not become `a = 1 ⏎ ['b']`
          this.#cut(start, modifier.end, isFirst && ts.isClassElement(node) ? ';' : '')
          break
        }
        case ts.SyntaxKind.AccessorKeyword:
          throw notErasable
        default:
      }
    }
  }

  #cutAnnotation(node: TS.Node, type: TS.TypeNode): void {
    const colon = type.pos - 1
    if (this.#file.text[colon] !== ':') return
    if (ts.isArrowFunction(node)) {
      // no line end may stand between the parameters and the arrow
      if (this.#text(colon, node.equalsGreaterThanToken.getStart(this.#file)).includes('\n')) throw notErasable
    }
    this.#cut(colon, type.end)
  }

  /** ` as T`, ` satisfies T`; with a semicolon where the next line would otherwise go on with the expression. */
  #cutTail(node: TS.AsExpression | TS.SatisfiesExpression): void {
    const { text } = this.#file
    const start = node.expression.end
    const next = /^\s*/.exec(text.slice(node.end, node.end + 2_000))?.[0] ?? ''
    const goesOn = next.includes('\n') && /[([`+\-/*]/.test(text[node.end + next.length] ?? '')
    if (goesOn) throw notErasable
    this.#cut(start, node.end)
  }

  /** `<A, B>` of parameters or arguments. */
  #cutList(list: TS.NodeArray<TS.Node>, isArrow: boolean): void {
    const start = list.pos - 1
    const end = this.#after('>', list.end)
    if (isArrow && this.#text(start, end).includes('\n')) throw notErasable
    this.#cut(start, end)
  }

  #eraseImport(node: TS.ImportDeclaration): boolean {
    const clause = node.importClause
    if (!clause) return true
    if (clause.isTypeOnly) return this.#cutStatement(node)
    const bindings = clause.namedBindings
    const isDefaultGone = !clause.name || this.#elision.isTypeName(clause)
    if (bindings && ts.isNamespaceImport(bindings)) {
      const isGone = this.#elision.isTypeName(bindings)
      if (isGone && isDefaultGone) return this.#cutStatement(node)
      if (isGone || (clause.name && isDefaultGone)) throw notErasable
      return true
    }
    const elements = bindings?.elements ?? []
    const gone = elements.filter((element) => element.isTypeOnly || this.#elision.isTypeName(element))
    if (isDefaultGone && gone.length === elements.length && (clause.name || elements.length > 0))
      return this.#cutStatement(node)
    if (clause.name && isDefaultGone) this.#cut(clause.name.getStart(this.#file), this.#after(',', clause.name.end))
    for (const element of gone) this.#cutListed(element)
    return true
  }

  #eraseExport(node: TS.ExportDeclaration): boolean {
    if (node.isTypeOnly) return this.#cutStatement(node)
    const clause = node.exportClause
    if (!clause || !ts.isNamedExports(clause)) return true
    const gone = clause.elements.filter((element) => element.isTypeOnly || this.#elision.isTypeName(element))
    if (gone.length === clause.elements.length && gone.length > 0 && !node.moduleSpecifier)
      return this.#cutStatement(node)
    for (const element of gone) this.#cutListed(element)
    return true
  }

  /** An element of a comma-separated list, with the comma after it. */
  #cutListed(node: TS.Node): boolean {
    const rest = /^(?:\s|\/\*[\s\S]*?\*\/|\/\/[^\n]*\n)*,/.exec(this.#file.text.slice(node.end))
    return this.#cut(node.getStart(this.#file), node.end + (rest?.[0].length ?? 0))
  }

  #cutStatement(node: TS.Node): boolean {
    return this.#cut(node.getStart(this.#file), node.end, ';')
  }

  #cut(start: number, end: number, lead: Cut['lead'] = ''): boolean {
    this.#cuts.push({ start, end, lead })
    return true
  }

  /** Just behind the next `character`, comments skipped. */
  #after(character: string, from: number): number {
    const found = new RegExp(`^(?:[\\s,]|/\\*[\\s\\S]*?\\*/|//[^\\n]*\\n)*?${character}`).exec(
      this.#file.text.slice(from),
    )
    if (!found) throw notErasable
    return from + found[0].length
  }

  #text(start: number, end: number): string {
    return this.#file.text.slice(start, end)
  }
}

/** Members that many kinds of nodes share; read only where they are there. */
type Typed = TS.Node & {
  readonly typeParameters?: TS.NodeArray<TS.Node>
  readonly typeArguments?: TS.NodeArray<TS.Node>
  readonly type?: TS.Node
  readonly questionToken?: TS.Node
  readonly exclamationToken?: TS.Node
}

const hasModifier = (node: TS.Node, kind: TS.SyntaxKind): boolean =>
  ts.canHaveModifiers(node) && (ts.getModifiers(node)?.some((modifier) => modifier.kind === kind) ?? false)
