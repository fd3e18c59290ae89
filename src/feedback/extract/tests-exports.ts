import type { FileMap, Language } from '../../domain/task.ts'
import { type Node, nameOf, nodeOf, nodesOf, parseScript, walk } from './javascript.ts'

/**
 * Names that the tests import from the entry, sorted; `default` for its default export. Reads ES imports, `require` and
 * dynamic imports of TypeScript and JavaScript, and `from entry import …` of Python. Tests without imports give [].
 */
export function exportsWantedByTests(tests: FileMap, entry: string, language: Language): string[] {
  const names = new Set<string>()
  const stem = stemOf(entry)
  for (const text of Object.values(tests)) {
    if (language === 'python') {
      const module = stem.split('/').at(-1) ?? ''
      for (const match of text.matchAll(/^\s*from\s+([.\w]+)\s+import\s+(?:\(([^)]*)\)|(.+))$/gm)) {
        if (match[1]?.split('.').at(-1) !== module) continue
        for (const part of (match[2] ?? match[3] ?? '').split(',')) {
          const name = /^\s*(\w+)/.exec(part)?.[1]
          if (name) names.add(name)
        }
      }
    } else if (language === 'typescript' || language === 'javascript') {
      const tree = parseScript(text, 'typescript')
      if ('body' in tree) collect(tree.body, stem, names)
    }
  }
  return [...names].sort()
}

const stemOf = (path: string): string => path.replace(/\.(?:[cm]?[jt]sx?|py|sql|sh)$/, '')

/** True when a specifier of a test names the entry: by its last part, whatever folder the test is in. */
const isEntry = (specifier: string | null, stem: string): boolean =>
  specifier !== null && /^[./]/.test(specifier) && stemOf(specifier).split('/').at(-1) === stem.split('/').at(-1)

function collect(body: readonly Node[], stem: string, names: Set<string>): void {
  /** Names bound to the whole module; their members count. */
  const spaces = new Set<string>()
  walk(body, (node) => {
    if (node.type === 'ImportDeclaration' && isEntry(nameOf(node.source), stem)) {
      if (node.importKind === 'type') return
      for (const specifier of nodesOf(node.specifiers)) {
        if (specifier.importKind === 'type') continue
        if (specifier.type === 'ImportDefaultSpecifier') names.add('default')
        else if (specifier.type === 'ImportNamespaceSpecifier') spaces.add(nameOf(specifier.local) ?? '')
        else names.add(nameOf(specifier.imported) ?? '')
      }
    }
    if (node.type === 'VariableDeclarator') {
      const init = nodeOf(node.init)
      const call = init?.type === 'AwaitExpression' ? nodeOf(init.argument) : init
      const isLoad =
        call?.type === 'CallExpression' && (nameOf(call.callee) === 'require' || nodeOf(call.callee)?.type === 'Import')
      if (!isLoad || !isEntry(nameOf(nodesOf(call.arguments)[0]), stem)) return
      const id = nodeOf(node.id)
      if (id?.type === 'ObjectPattern')
        for (const property of nodesOf(id.properties)) names.add(nameOf(property.key) ?? '')
      else spaces.add(nameOf(id) ?? '')
    }
  })
  if (spaces.size > 0)
    walk(body, (node) => {
      if (node.type === 'MemberExpression' && spaces.has(nameOf(node.object) ?? '') && node.computed !== true)
        names.add(nameOf(node.property) ?? '')
    })
  names.delete('')
}
