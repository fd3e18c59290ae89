import { type ParserPlugin, parse } from '@babel/parser'
import type { Comment, Reading, Statement } from './reading.ts'
import { emptyReading, maxParsedChars } from './reading.ts'
import { scan } from './scan.ts'
import { isTooAmbiguous } from './script-limits.ts'
import { assertionRoots, testCalls } from './test-words.ts'

/** A syntax tree node as far as this module looks into it. */
export interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [member: string]: unknown
}

export const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string'
export const nodeOf = (value: unknown): Node | null => (isNode(value) ? value : null)
export const nodesOf = (value: unknown): Node[] => (Array.isArray(value) ? value.filter(isNode) : [])
export const nameOf = (value: unknown): string | null => {
  const node = nodeOf(value)
  if (!node) return null
  if (node.type === 'Identifier' && typeof node.name === 'string') return node.name
  if (node.type === 'StringLiteral' && typeof node.value === 'string') return node.value
  return null
}

/** Errors about meaning, which leave the tree whole: the type layer says them better. */
const semantic =
  /^(?:VarRedeclaration|DuplicateExport|DuplicateDefaultExport|ModuleExportUndefined|DuplicateConstructor|DuplicateProto|LabelRedeclaration|Strict\w+|InvalidEscapedReservedWord|PrivateNameRedeclaration|InvalidPrivateFieldResolution|ModuleAttributes\w+|DeletePrivateField|IllegalBreakContinue|IllegalReturn|AwaitNotInAsyncContext|ParamDupe|UnsupportedParameterPropertyKind|DeclareFunctionHasImplementation|TypeAnnotationAfterAssign|OptionalTypeBeforeRequired|NonAbstractClassHasAbstractMethod|AbstractMethodHasImplementation|EnumDeclaration\w*|InvalidModifier\w*|DuplicateAccessibilityModifier|IndexSignatureHas\w*)$/

export interface Tree {
  readonly body: readonly Node[]
  readonly comments: readonly Node[]
  readonly error: Reading['error']
}

interface Trouble {
  readonly pos: number
  readonly message: string
  readonly reasonCode?: string
}

const isTrouble = (value: unknown): value is Trouble =>
  value instanceof Error && typeof (value as { pos?: unknown }).pos === 'number'

/** Parses a module; null tree with the error where nothing is to be had. Never throws. */
export function parseScript(
  text: string,
  dialect: 'typescript' | 'javascript',
): Tree | { error: NonNullable<Reading['error']> } {
  if (text.length > maxParsedChars || isTooAmbiguous(text))
    return { error: { offset: 0, message: 'too large or too deeply nested to parse', atEnd: false } }
  const base: ParserPlugin[] = ['decorators', 'explicitResourceManagement']
  const attempts: ParserPlugin[][] =
    dialect === 'typescript'
      ? [
          ['typescript', ...base],
          ['typescript', 'jsx', ...base],
        ]
      : [['jsx', ...base]]
  let first: Tree | { error: NonNullable<Reading['error']> } | null = null
  for (const plugins of attempts) {
    if (first && !/<[A-Za-z>]/.test(text)) break
    const tree = attempt(text, plugins)
    if (!tree.error) return tree
    first ??= tree
  }
  return first ?? { error: { offset: 0, message: 'not parsed', atEnd: false } }
}

/**
 * Most texts parse or fail at their first error. Going on after errors is only asked for where the first is about meaning:
 * each error that the parser goes on from costs it an Error with a stack, and prose has one in every word.
 */
function attempt(
  text: string,
  plugins: ParserPlugin[],
  errorRecovery = false,
): Tree | { error: NonNullable<Reading['error']> } {
  try {
    const file = parse(text, {
      sourceType: 'module',
      errorRecovery,
      allowReturnOutsideFunction: true,
      allowAwaitOutsideFunction: true,
      allowUndeclaredExports: true,
      plugins,
    })
    // The tree is read through a narrow view of its own: its many node types are not needed here.
    const program = file.program as unknown as { body: Node[]; directives: Node[] }
    const found: unknown[] = [...(file.errors ?? [])]
    const error = found.filter(isTrouble).find((trouble) => !semantic.test(trouble.reasonCode ?? ''))
    return {
      body: [...program.directives, ...program.body],
      comments: (file.comments ?? []) as unknown as Node[],
      error: error ? toError(text, error) : null,
    }
  } catch (error) {
    if (isTrouble(error)) {
      if (!errorRecovery && semantic.test(error.reasonCode ?? '')) return attempt(text, plugins, true)
      return { error: toError(text, error) }
    }
    // Deep nesting overflows the parser's stack; that is a text it cannot read, not a fault of ours.
    if (error instanceof RangeError)
      return { error: { offset: 0, message: 'too deeply nested to parse', atEnd: false } }
    return { error: { offset: 0, message: error instanceof Error ? error.message : 'not parsed', atEnd: false } }
  }
}

function toError(text: string, trouble: Trouble): NonNullable<Reading['error']> {
  const message = trouble.message.replace(/\s*\(\d+:\d+\)$/, '')
  const rest = text.slice(trouble.pos)
  const unterminated = /^Unterminated/.test(message)
  return { offset: trouble.pos, message, atEnd: unterminated ? endsInside(text) : rest.trim() === '' }
}

const endsInside = (text: string): boolean => {
  const last = scan(text, 'typescript').findLast((segment) => segment.kind !== 'code')
  return last !== undefined && !last.closed && text.slice(last.end).trim() === ''
}

/** Reads a TypeScript or JavaScript module. Pure, never throws. */
export function readScript(text: string, language: 'typescript' | 'javascript'): Reading {
  const tree = parseScript(text, language)
  if (!('body' in tree)) return readBroken(text, language, tree.error)
  if (tree.error === null && endsInSignature(tree.body, text))
    return readBroken(text, language, { offset: text.length, message: 'the last function has no body', atEnd: true })
  const statements = tree.body.map((node) => toStatement(node))
  const exports = new Set<string>()
  for (const node of tree.body) collectExports(node, exports)
  const { used, declared } = collectNames(tree.body)
  for (const name of declared) used.delete(name)
  return {
    language,
    ok: tree.error === null,
    error: tree.error,
    statements,
    defines: new Set(statements.flatMap((statement) => (statement.kind === 'import' ? [] : [...statement.defines]))),
    exports,
    needs: used,
    comments: toComments(tree),
  }
}

/** A text that was cut between a signature and its body parses: as an overload, which no implementation follows. */
function endsInSignature(body: readonly Node[], text: string): boolean {
  const last = body.at(-1)
  const inner = last?.type.startsWith('Export') ? nodeOf(last.declaration) : last
  return (
    inner?.type === 'TSDeclareFunction' && inner.declare !== true && !/;\s*$/.test(text.slice(inner.start, inner.end))
  )
}

const definition =
  /(?:^|[\n;}])[ \t]*(?:export\s+)?(?:default\s+)?(?:declare\s+|abstract\s+|async\s+)*(?:function\s*\*?|class|const|let|var|interface|type|enum|namespace)\s+([\p{L}_$][\p{L}\p{N}_$]*)/gu

/** What can be said of text that does not parse: the names it seems to define, and its comments. */
function readBroken(
  text: string,
  language: 'typescript' | 'javascript',
  error: NonNullable<Reading['error']>,
): Reading {
  const defines = new Set<string>()
  const comments: Comment[] = []
  let code = ''
  for (const segment of scan(text, language)) {
    const part = text.slice(segment.start, segment.end)
    if (segment.kind === 'comment') comments.push({ ...segment, text: bare(part), alone: false })
    code += segment.kind === 'code' ? part : ' '
  }
  for (const match of code.matchAll(definition)) if (match[1]) defines.add(match[1])
  const exports = new Set(
    [...code.matchAll(/\bmodule\.exports\b|\bexports\.(\w+)\s*=/g)].flatMap((m) => (m[1] ? [m[1]] : [])),
  )
  return { ...emptyReading(language, error), defines, exports, comments }
}

const bare = (comment: string): string =>
  comment
    .replace(/^(?:\/\/+|\/\*+|#+|--+)/, '')
    .replace(/\*+\/$/, '')
    .trim()

function toComments(tree: Tree): Comment[] {
  const empty = new Set<number>()
  // A block that holds nothing but comments: Babel hangs them on it as inner comments.
  walk(tree.body, (node) => {
    const body = node.body
    if ((node.type === 'BlockStatement' || node.type === 'ClassBody') && Array.isArray(body) && body.length === 0)
      for (const comment of nodesOf(node.innerComments)) empty.add(comment.start)
  })
  return tree.comments.map((node) => ({
    start: node.start,
    end: node.end,
    text: bare(`//${typeof node.value === 'string' ? node.value : ''}`),
    alone: empty.has(node.start),
  }))
}

/** Visits every node below these, parents first, without recursion (trees may be deep). */
export function walk(
  roots: readonly Node[],
  visit: (node: Node, parent: Node | null, member: string) => false | undefined,
): void {
  const stack: [Node, Node | null, string][] = [...roots].reverse().map((node) => [node, null, 'body'])
  for (let top = stack.pop(); top; top = stack.pop()) {
    const [node, parent, member] = top
    if (visit(node, parent, member) === false) continue
    for (const [key, value] of Object.entries(node).reverse()) {
      if (key === 'loc' || key === 'extra' || key.endsWith('Comments') || key === 'errors') continue
      if (isNode(value)) stack.push([value, node, key])
      else if (Array.isArray(value))
        for (let i = value.length - 1; i >= 0; i--) if (isNode(value[i])) stack.push([value[i] as Node, node, key])
    }
  }
}

/** Names that a binding pattern introduces. */
export function boundNames(pattern: unknown): string[] {
  const names: string[] = []
  const stack: unknown[] = [pattern]
  while (stack.length > 0) {
    const node = nodeOf(stack.pop())
    if (!node) continue
    if (node.type === 'Identifier' && typeof node.name === 'string') names.push(node.name)
    else if (node.type === 'ObjectPattern')
      for (const property of nodesOf(node.properties)) stack.push(property.value ?? property.argument)
    else if (node.type === 'ArrayPattern') stack.push(...nodesOf(node.elements))
    else if (node.type === 'AssignmentPattern') stack.push(node.left)
    else if (node.type === 'RestElement') stack.push(node.argument)
    else if (node.type === 'TSParameterProperty') stack.push(node.parameter)
  }
  return names
}

/** Names that a declaration statement defines at its level. */
export function declaredBy(node: Node): string[] {
  switch (node.type) {
    case 'VariableDeclaration':
      return nodesOf(node.declarations).flatMap((declarator) => boundNames(declarator.id))
    case 'FunctionDeclaration':
    case 'ClassDeclaration':
    case 'TSDeclareFunction':
    case 'TSInterfaceDeclaration':
    case 'TSTypeAliasDeclaration':
    case 'TSEnumDeclaration':
    case 'TSModuleDeclaration':
    case 'TSImportEqualsDeclaration': {
      const name = nameOf(node.id)
      return name === null ? [] : [name]
    }
    case 'ImportDeclaration':
      return nodesOf(node.specifiers).flatMap((specifier) => boundNames(specifier.local))
    case 'ExportNamedDeclaration':
    case 'ExportDefaultDeclaration': {
      const inner = nodeOf(node.declaration)
      return inner ? declaredBy(inner) : []
    }
    default:
      return []
  }
}

function toStatement(node: Node): Statement {
  const { start, end } = node
  const defines = declaredBy(node)
  const source = nodeOf(node.source)
  if (node.type === 'ImportDeclaration') return { start, end, kind: 'import', defines, module: nameOf(source) ?? '' }
  const required = requiredModule(node)
  if (required !== null) return { start, end, kind: 'import', defines, module: required }
  if (node.type.startsWith('Export')) return { start, end, kind: defines.length > 0 ? 'definition' : 'export', defines }
  if (defines.length > 0) return { start, end, kind: 'definition', defines }
  if (node.type === 'LabeledStatement' || node.type === 'EmptyStatement') return { start, end, kind: 'word', defines }
  if (node.type === 'ExpressionStatement')
    return { start, end, kind: kindOfExpression(nodeOf(node.expression)), defines }
  return { start, end, kind: 'other', defines }
}

/** The module of `const x = require('m')`, else null. */
function requiredModule(node: Node): string | null {
  if (node.type !== 'VariableDeclaration') return null
  const declarators = nodesOf(node.declarations)
  const init = nodeOf(declarators[0]?.init)
  if (declarators.length !== 1 || init?.type !== 'CallExpression' || nameOf(init.callee) !== 'require') return null
  return nameOf(nodesOf(init.arguments)[0])
}

function kindOfExpression(expression: Node | null): Statement['kind'] {
  if (!expression) return 'other'
  if (expression.type === 'Identifier') return 'word'
  // `Sure!` reads as an assertion that a value is not null.
  if (expression.type === 'TSNonNullExpression') return kindOfExpression(nodeOf(expression.expression))
  if (expression.type === 'AwaitExpression') return kindOfExpression(nodeOf(expression.argument))
  if (expression.type !== 'CallExpression') return 'other'
  const path = calleePath(expression)
  const root = path[0] ?? ''
  if (testCalls.has(root)) return 'test'
  if (assertionRoots.has(root) || (root === 'console' && path[1] === 'assert')) return 'assertion'
  return 'call'
}

/** `it.each(rows)('…')` gives ['it', 'each']; `expect(a).toBe` gives ['expect', 'toBe']. */
function calleePath(call: Node): string[] {
  const path: string[] = []
  let node: Node | null = nodeOf(call.callee)
  for (let steps = 0; node && steps < 200; steps++) {
    if (node.type === 'Identifier') {
      path.unshift(nameOf(node) ?? '')
      return path
    }
    if (node.type === 'MemberExpression') {
      path.unshift(nameOf(node.property) ?? '')
      node = nodeOf(node.object)
    } else if (node.type === 'CallExpression') node = nodeOf(node.callee)
    else if (node.type === 'TaggedTemplateExpression') node = nodeOf(node.tag)
    else if (node.type === 'AwaitExpression') node = nodeOf(node.argument)
    else return path
  }
  return path
}

function collectExports(node: Node, into: Set<string>): void {
  if (node.type === 'ExportDefaultDeclaration' || node.type === 'TSExportAssignment') into.add('default')
  if (node.type === 'ExportNamedDeclaration') {
    for (const name of declaredBy(node)) into.add(name)
    for (const specifier of nodesOf(node.specifiers)) into.add(nameOf(specifier.exported) ?? '')
  }
  if (node.type !== 'ExpressionStatement') return
  const assignment = nodeOf(node.expression)
  if (assignment?.type !== 'AssignmentExpression') return
  const target = nodeOf(assignment.left)
  const path = target?.type === 'MemberExpression' ? memberPath(target) : []
  if (path[0] === 'exports' && path[1]) into.add(path[1])
  if (path[0] !== 'module' || path[1] !== 'exports') return
  if (path[2]) into.add(path[2])
  else {
    const value = nodeOf(assignment.right)
    into.add('default')
    if (value?.type === 'ObjectExpression')
      for (const property of nodesOf(value.properties)) into.add(nameOf(property.key) ?? '')
    else if (value?.type === 'Identifier') into.add(nameOf(value) ?? '')
  }
}

/** `module.exports.a` gives ['module', 'exports', 'a']; [] for anything but plain names. */
export function memberPath(node: Node): string[] {
  const path: string[] = []
  let at: Node | null = node
  while (at?.type === 'MemberExpression') {
    if (at.computed === true && nodeOf(at.property)?.type !== 'StringLiteral') return []
    path.unshift(nameOf(at.property) ?? '')
    at = nodeOf(at.object)
  }
  return at?.type === 'Identifier' ? [nameOf(at) ?? '', ...path] : []
}

function collectNames(body: readonly Node[]): { used: Set<string>; declared: Set<string> } {
  const used = new Set<string>()
  const declared = new Set<string>()
  walk(body, (node, parent, member) => {
    for (const name of declaredBy(node)) declared.add(name)
    for (const parameter of [...nodesOf(node.params), ...nodesOf(node.parameters)])
      for (const name of boundNames(parameter)) declared.add(name)
    if (node.type === 'CatchClause') for (const name of boundNames(node.param)) declared.add(name)
    if (node.type === 'TSTypeParameter' || node.type === 'FunctionExpression' || node.type === 'ClassExpression') {
      const name = typeof node.name === 'string' ? node.name : (nameOf(node.name) ?? nameOf(node.id))
      if (name !== null) declared.add(name)
    }
    if (node.type === 'JSXIdentifier' && typeof node.name === 'string' && /^[A-Z]/.test(node.name)) used.add(node.name)
    if (node.type !== 'Identifier' || typeof node.name !== 'string') return
    const isKey = (member === 'property' || member === 'key') && parent?.computed !== true && parent?.shorthand !== true
    const isOther =
      member === 'label' ||
      member === 'imported' ||
      member === 'exported' ||
      parent?.type === 'TSEnumMember' ||
      (member === 'right' && parent?.type === 'TSQualifiedName')
    if (!isKey && !isOther) used.add(node.name)
  })
  return { used, declared }
}
