import { isNode, memberPath, type Node, nameOf, nodeOf, nodesOf, parseScript } from './javascript.ts'
import type { Flag } from './types.ts'
import type { ResolvedWanted } from './wanted.ts'

interface Edit {
  readonly start: number
  readonly end: number
  readonly text: string
}

/**
 * Turns the CommonJS exports and imports of a module's top level into ES ones, and puts the word `export` to wanted names that
 * are defined but not exported. Only where an ES module is wanted; what cannot be told for sure stays as it is.
 */
export function adaptModule(text: string, wanted: ResolvedWanted): { text: string; flags: Flag[] } {
  if (wanted.module !== 'esm' || (wanted.language !== 'typescript' && wanted.language !== 'javascript'))
    return { text, flags: [] }
  const tree = parseScript(text, wanted.language)
  if (!('body' in tree) || tree.error) return { text, flags: [] }
  const edits: Edit[] = []
  const exported = new Map<string, string>()
  const declared = new Set<string>()
  let hasDefault = false
  for (const node of tree.body) {
    for (const name of namesOf(node)) declared.add(name)
    if (node.type === 'ExportDefaultDeclaration') hasDefault = true
    if (node.type === 'ExportNamedDeclaration')
      for (const name of [...namesOf(node), ...nodesOf(node.specifiers).flatMap((s) => nameOf(s.exported) ?? [])])
        exported.set(name, '')
  }
  const had = new Set(exported.keys())
  for (const node of tree.body) {
    const edit = editOfExport(node, text, declared, exported) ?? editOfRequire(node, text)
    if (edit) edits.push(edit)
  }
  const flags: Flag[] = edits.length > 0 ? ['commonjs_adapted'] : []
  if (edits.length === 0) {
    // A default export under a wanted name is a mistake of its own kind, which the import layer explains better.
    for (const name of wanted.exports)
      if (declared.has(name) && !exported.has(name) && !hasDefault) exported.set(name, name)
    if ([...exported.keys()].some((name) => !had.has(name))) flags.push('export_added')
  }
  const added = [...exported]
    .filter(([name]) => !had.has(name) && name !== 'default')
    .map(([name, local]) => (local === name ? name : `${local} as ${name}`))
  const fallback = exported.get('default')
  let out = applyEdits(text, edits)
  const tail = [
    ...(added.length > 0 ? [`export { ${added.join(', ')} };`] : []),
    ...(fallback && !hasDefault ? [`export default ${fallback};`] : []),
  ]
  if (tail.length > 0) out = `${out.trimEnd()}\n\n${tail.join('\n')}${text.endsWith('\n') ? '\n' : ''}`
  if (flags.length === 0) return { text, flags }
  const check = parseScript(out, wanted.language)
  return 'body' in check && check.error === null ? { text: out, flags } : { text, flags: [] }
}

const namesOf = (node: Node): string[] => {
  const inner = node.type.startsWith('Export') ? nodeOf(node.declaration) : node
  if (!inner) return []
  if (inner.type === 'VariableDeclaration')
    return nodesOf(inner.declarations).flatMap((declarator) => nameOf(declarator.id) ?? [])
  const name = /^(?:Function|Class|TSEnum)Declaration$/.test(inner.type) ? nameOf(inner.id) : null
  return name === null ? [] : [name]
}

/** `module.exports = …`, `exports.a = …`, also behind `if (typeof module …)`; records what is exported. */
function editOfExport(
  node: Node,
  text: string,
  declared: ReadonlySet<string>,
  exported: Map<string, string>,
): Edit | null {
  if (
    node.type === 'IfStatement' &&
    /\btypeof\s+(?:module|exports)\b/.test(text.slice(node.start, nodeOf(node.consequent)?.start ?? node.end))
  ) {
    const consequent = nodeOf(node.consequent)
    const body = consequent?.type === 'BlockStatement' ? nodesOf(consequent.body) : consequent ? [consequent] : []
    const inner = body.map((statement) => editOfExport(statement, text, declared, exported))
    return body.length > 0 && inner.every((edit) => edit !== null && edit.text === '')
      ? { start: node.start, end: node.end, text: '' }
      : null
  }
  const assignment = node.type === 'ExpressionStatement' ? nodeOf(node.expression) : null
  const target =
    assignment?.type === 'AssignmentExpression' && assignment.operator === '=' ? nodeOf(assignment.left) : null
  const value = nodeOf(assignment?.right)
  if (target?.type !== 'MemberExpression' || !value) return null
  const path = memberPath(target)
  const gone: Edit = { start: node.start, end: node.end, text: '' }
  const member =
    path[0] === 'exports' && path.length === 2
      ? path[1]
      : path[0] === 'module' && path[1] === 'exports' && path.length === 3
        ? path[2]
        : undefined
  if (member !== undefined) {
    if (value.type === 'Identifier') {
      exported.set(member, nameOf(value) ?? member)
      return gone
    }
    if (declared.has(member) || !/^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(member)) return null
    return { start: node.start, end: value.start, text: `export const ${member} = ` }
  }
  if (path.join('.') !== 'module.exports') return null
  if (value.type === 'Identifier') {
    const name = nameOf(value) ?? ''
    exported.set(name, name)
    exported.set('default', name)
    return gone
  }
  if (value.type !== 'ObjectExpression') return null
  const pairs: [string, string][] = []
  for (const property of nodesOf(value.properties)) {
    const key = nameOf(property.key)
    const local = nodeOf(property.value)
    if (
      property.type !== 'ObjectProperty' ||
      key === null ||
      property.computed === true ||
      local?.type !== 'Identifier'
    )
      return null
    pairs.push([key, nameOf(local) ?? key])
  }
  for (const [key, local] of pairs) exported.set(key, local)
  return gone
}

/** `const x = require('m')` and `const { a, b: c } = require('m')`. */
function editOfRequire(node: Node, text: string): Edit | null {
  const declarators = node.type === 'VariableDeclaration' ? nodesOf(node.declarations) : []
  const [declarator] = declarators
  const call = nodeOf(declarator?.init)
  if (!declarator || declarators.length !== 1 || call?.type !== 'CallExpression' || nameOf(call.callee) !== 'require')
    return null
  const [source] = nodesOf(call.arguments)
  if (source?.type !== 'StringLiteral') return null
  const from = text.slice(source.start, source.end)
  const id = declarator.id
  if (!isNode(id)) return null
  if (id.type === 'Identifier')
    return { start: node.start, end: node.end, text: `import ${nameOf(id) ?? ''} from ${from};` }
  if (id.type !== 'ObjectPattern') return null
  const names: string[] = []
  for (const property of nodesOf(id.properties)) {
    const key = nameOf(property.key)
    const local = nameOf(property.value)
    if (key === null || local === null || nodeOf(property.value)?.type !== 'Identifier') return null
    names.push(key === local ? key : `${key} as ${local}`)
  }
  return { start: node.start, end: node.end, text: `import { ${names.join(', ')} } from ${from};` }
}

function applyEdits(text: string, edits: readonly Edit[]): string {
  let out = ''
  let from = 0
  for (const edit of [...edits].sort((a, b) => a.start - b.start)) {
    out += text.slice(from, edit.start) + edit.text
    from = edit.end
    if (edit.text === '' && (out === '' || out.endsWith('\n')))
      from += /^[ \t]*\n?/.exec(text.slice(from, from + 200))?.[0].length ?? 0
  }
  return out + text.slice(from)
}
