import type { SourceModule } from '../types.ts'
import { findHoisted } from './hoist.ts'
import { joinPieces, type Piece, type Relocate, Rewrite } from './rewrite.ts'
import { analyseNames, type NameAnalysis, type NameUse } from './scope.ts'
import { child, children, nameOf, parseSource, type SyntaxNode, text } from './syntax.ts'

/** A module as the harness takes it: an expression that is a function of the harness's side of the module. */
export interface LinkableModule {
  readonly path: string
  readonly format: 'esm' | 'cjs'
  /** Source text of the factory. */
  readonly factory: string
  /** Specifiers of static imports in the order of evaluation. */
  readonly imports: readonly string[]
  readonly isAsync: boolean
  readonly isTest: boolean
  /** A test file that never calls describe, it or test. */
  readonly isBareScript: boolean
  /** The file states checks by throwing. */
  readonly hasThrow: boolean
  readonly topLevel: readonly string[]
  readonly freeNames: readonly string[]
  readonly relocate: Relocate
}

export interface TransformOptions {
  readonly isTest: boolean
  /** Top-level names to be shown to bare test scripts. */
  readonly expose: readonly string[]
  /** Free names that the harness provides in this module only. */
  readonly scopeNames: ReadonlySet<string>
  /** Free names that mean top-level names of the entry. */
  readonly entryNames: ReadonlySet<string>
  /** Keep the value of the last expression statement, as a program's result. */
  readonly captureLast?: boolean
}

const registering = new Set([
  'describe', 'it', 'test', 'suite', 'xit', 'xtest', 'xdescribe', 'fit', 'fdescribe', 'specify', 'context',
]) // biome-ignore format: a list of words
/** What only test files have in scope is never a variable of theirs by accident. */
const testNames = new Set([...registering, 'expect', 'vi', 'jest', 'arguments'])
const globalObjects = new Set(['globalThis', 'global', 'window', 'self'])
const settable = new Set([...globalObjects, 'Math', 'Date', 'console', 'performance', 'crypto', 'process', 'Intl'])
const harnessModules = new Set(['vitest', '@jest/globals', 'node:test', 'test', 'jest', 'bun:test', '@vitest/runner'])

/** A prefix that the source does not contain. */
function freshPrefix(code: string): string {
  let prefix = '$rg'
  while (code.includes(prefix)) prefix += '$'
  return prefix
}

interface Analysed {
  readonly program: SyntaxNode
  readonly names: NameAnalysis
}

const analysed = new Map<string, Analysed>()

function analyse(code: string, format: 'esm' | 'cjs'): Analysed {
  const key = `${format}:${code}`
  let entry = analysed.get(key)
  if (!entry) {
    const program = parseSource(code, format)
    entry = { program, names: analyseNames(program) }
    if (analysed.size > 200) analysed.clear()
    analysed.set(key, entry)
  }
  return entry
}

/** What linking must know of a module before it is rewritten. Throws SyntaxError. */
export function surveyModule(module: SourceModule): {
  freeNames: Set<string>
  topLevel: ReadonlySet<string>
  imports: string[]
} {
  if (module.format === 'json') return { freeNames: new Set(), topLevel: new Set(), imports: [] }
  const { program, names } = analyse(module.code, module.format)
  const freeNames = new Set(names.uses.filter((use) => use.bound === 'free').map((use) => use.name))
  const imports = children(program, 'body')
    .filter((node) => child(node, 'source') !== undefined)
    .map((node) => text(child(node, 'source') ?? node, 'value'))
  for (const call of names.calls) {
    const argument = children(call, 'arguments')[0]
    if (nameOf(child(call, 'callee')) === 'require' && argument?.type === 'Literal')
      imports.push(text(argument, 'value'))
  }
  return { freeNames, topLevel: names.topLevel, imports }
}

/** Rewrites a module so that the harness links it: imports read through the harness, exports are live getters. */
export function transformModule(module: SourceModule, options: TransformOptions): LinkableModule {
  if (module.format === 'json') return transformJson(module)
  const { program, names } = analyse(module.code, module.format)
  const isScript = !hasModuleSyntax(program, names)
  // a script that requires or exports by hand is CommonJS whatever it is called
  const format = isScript && !options.isTest && names.uses.some(isCommonJsUse) ? 'cjs' : module.format
  const prefix = freshPrefix(module.code)
  const rewrite = new Rewrite(module.code)
  const links = new ImportLinks(prefix)
  const exports: string[] = []
  const body = children(program, 'body')
  if (module.code.startsWith('#!')) {
    const end = module.code.indexOf('\n')
    rewrite.replace(0, end < 0 ? module.code.length : end, '')
  }
  for (const node of body) rewriteDeclaration(node, { rewrite, links, exports, prefix, code: module.code })
  for (const { exported, local } of links.localExports) exports.push(getter(exported, links.access(local) ?? local))
  const scoped = new Set<string>()
  for (const use of names.uses) rewriteUse(use, { rewrite, links, scoped, options, prefix })
  for (const call of names.importCalls) {
    rewrite.replace(call.start, call.start + 'import'.length, `${prefix}m.dynamicImport`)
  }
  for (const meta of names.importMetas) rewrite.replace(meta.start, meta.end, `${prefix}m.meta`)
  const hoisted = options.isTest ? findHoisted(body, names, links.harnessLocals(harnessModules)) : []
  rewriteInherited(names, rewrite, prefix, module.code)
  if (options.isTest) rewriteTestOnly(names, rewrite, prefix, module.code)

  const last = body.at(-1)
  const expression = options.captureLast && last?.type === 'ExpressionStatement' ? child(last, 'expression') : undefined
  if (expression) {
    rewrite.insert(expression.start, `${prefix}m.last((`)
    rewrite.insert(expression.end, '))')
  }

  const pieces = rewrite.finish(hoisted)
  const exposed = options.expose
    .filter((name) => names.topLevel.has(name))
    .map((name) => getter(name, links.access(name) ?? name))
  const isRegistering = [...names.uses].some(
    (use) =>
      (use.bound === 'free' && registering.has(use.name)) ||
      (use.bound === 'top' && registering.has(links.importedName(use.name, harnessModules) ?? '')),
  )
  const { factory, relocate } = wrap({ ...module, format }, pieces, {
    prefix,
    undeclared: isScript ? undeclaredNames(names) : [],
    links,
    exports,
    exposed,
    scoped: [...scoped],
    isAsync: names.hasTopLevelAwait,
  })
  return {
    path: module.path,
    format,
    factory,
    imports: links.specifiers,
    isAsync: names.hasTopLevelAwait,
    isTest: options.isTest,
    isBareScript: !isRegistering,
    hasThrow: names.hasThrow,
    topLevel: [...names.topLevel],
    freeNames: [...new Set(names.uses.filter((use) => use.bound === 'free').map((use) => use.name))],
    relocate,
  }
}

const hasModuleSyntax = (program: SyntaxNode, names: NameAnalysis): boolean =>
  names.hasTopLevelAwait ||
  names.importMetas.length > 0 ||
  children(program, 'body').some((node) => /^(Import|Export)/.test(node.type))

const isCommonJsUse = ({ name, bound }: NameUse): boolean =>
  bound === 'free' && (name === 'require' || name === 'module' || name === 'exports')

const writers = new Set(['AssignmentExpression', 'AssignmentPattern', 'ForInStatement', 'ForOfStatement'])
const alwaysWritten = new Set(['UpdateExpression', 'ArrayPattern', 'RestElement'])

/**
 * Names that a script assigns without declaring them: sloppy code makes globals so, and programs written as scripts rely
 * on it. They become variables of the script, which strict code can have too.
 */
function undeclaredNames(names: NameAnalysis): string[] {
  const isWrite = ({ node, parent }: NameUse): boolean =>
    alwaysWritten.has(parent.type) || (writers.has(parent.type) && child(parent, 'left') === node)
  return [
    ...new Set(
      names.uses
        .filter((use) => use.bound === 'free' && !(use.name in globalThis) && !testNames.has(use.name) && isWrite(use))
        .map((use) => use.name),
    ),
  ]
}

const getter = (name: string, expression: string): string => `${JSON.stringify(name)}:()=>${expression}`

function transformJson(module: SourceModule): LinkableModule {
  // text, not syntax: JSON with `__proto__` or with a syntax error must mean what JSON.parse says
  const factory = `(function($m){"use strict";$m.json(${JSON.stringify(module.code)})})`
  return {
    path: module.path, format: 'cjs', factory, imports: [], isAsync: false, isTest: false, isBareScript: false,
    hasThrow: false, topLevel: [], freeNames: [], relocate: (line, column) => ({ line, column }),
  } // biome-ignore format: a record of nothing
}

/** Which local names are imported, and from where. */
class ImportLinks {
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

function rewriteDeclaration(node: SyntaxNode, context: DeclarationContext): void {
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

interface UseContext {
  readonly rewrite: Rewrite
  readonly links: ImportLinks
  readonly scoped: Set<string>
  readonly options: TransformOptions
  readonly prefix: string
}

function rewriteUse(use: NameUse, { rewrite, links, scoped, options, prefix }: UseContext): void {
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

function rewriteInherited(names: NameAnalysis, rewrite: Rewrite, prefix: string, code: string): void {
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
function rewriteTestOnly(names: NameAnalysis, rewrite: Rewrite, prefix: string, code: string): void {
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

interface Wrapping {
  readonly prefix: string
  readonly links: ImportLinks
  readonly exports: readonly string[]
  readonly exposed: readonly string[]
  readonly scoped: readonly string[]
  readonly isAsync: boolean
  /** Names to be declared for sloppy assignments. */
  readonly undeclared: readonly string[]
}

/** Puts the rewritten text into a factory; everything added stands before the first line of the source. */
function wrap(
  module: SourceModule,
  pieces: readonly Piece[],
  wrapping: Wrapping,
): { factory: string; relocate: Relocate } {
  const { prefix, links, exports, exposed, scoped, isAsync, undeclared } = wrapping
  const m = `${prefix}m`
  const declared = undeclared.length > 0 ? `let ${undeclared.join(',')};` : ''
  const scope = `${scoped.length > 0 ? `const {${scoped.join(',')}}=${m}.scope;` : ''}${declared}`
  if (module.format === 'cjs') {
    const head = `(function(${m}){"use strict";${scope}return function(exports,require,module,__filename,__dirname){${exposed.length > 0 ? `${m}.expose({${exposed.join(',')}});` : ''}`
    const { text: factory, relocate } = joinPieces(module.code, [
      { text: head, from: 0, isNew: true },
      ...pieces,
      { text: '\n}})', from: module.code.length, isNew: true },
    ])
    return { factory, relocate }
  }
  const variables = links.specifiers.map((_, index) => links.variable(index))
  const binding = variables.length > 0 ? `let ${variables.join(',')};${m}.bind(($)=>{[${variables.join(',')}]=$});` : ''
  const registrations = [
    `${m}.exports({${exports.join(',')}});`,
    links.stars.length > 0 ? `${m}.stars([${links.stars.join(',')}]);` : '',
    exposed.length > 0 ? `${m}.expose({${exposed.join(',')}});` : '',
  ].join('')
  const head = `(function(${m},${prefix}f){"use strict";${scope}${binding}return ${isAsync ? 'async ' : ''}function*(){${registrations}`
  const { text: factory, relocate } = joinPieces(module.code, [
    { text: head, from: 0, isNew: true },
    ...pieces.map((piece) => (piece.isSeam ? { ...piece, text: 'yield;' } : piece)),
    { text: '\n}})', from: module.code.length, isNew: true },
  ])
  return { factory, relocate }
}
