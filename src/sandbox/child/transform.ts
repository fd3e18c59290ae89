import type { SourceModule } from '../types.ts'
import { findHoisted } from './hoist.ts'
import { getter, ImportLinks, rewriteDeclaration } from './links.ts'
import { joinPieces, type Piece, type Relocate, Rewrite } from './rewrite.ts'
import { analyseNames, type NameAnalysis, type NameUse } from './scope.ts'
import { child, children, nameOf, parseSource, type SyntaxNode, text } from './syntax.ts'
import { rewriteInherited, rewriteTestOnly, rewriteUse } from './uses.ts'

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
  // a test script that means names of the entry is linked to it, whatever it requires: CommonJS modules have no such link
  const format =
    options.entryNames.size > 0
      ? 'esm'
      : isScript && !options.isTest && names.uses.some(isCommonJsUse)
        ? 'cjs'
        : module.format
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

function transformJson(module: SourceModule): LinkableModule {
  // text, not syntax: JSON with `__proto__` or with a syntax error must mean what JSON.parse says
  const factory = `(function($m){"use strict";$m.json(${JSON.stringify(module.code)})})`
  return {
    path: module.path, format: 'cjs', factory, imports: [], isAsync: false, isTest: false, isBareScript: false,
    hasThrow: false, topLevel: [], freeNames: [], relocate: (line, column) => ({ line, column }),
  } // biome-ignore format: a record of nothing
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
