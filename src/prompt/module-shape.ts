import { parse } from '@babel/parser'
import type { FileMap } from '../domain/task.ts'

/** How a test reaches something of a module. */
export interface RequiredExport {
  readonly name: string
  readonly kind: 'named' | 'default' | 'namespace'
}

type Program = ReturnType<typeof parse>['program']

/** The module's syntax tree, or null where it does not parse. */
function parseModule(text: string, path: string): Program | null {
  const typescript = /\.[mc]?tsx?$/.test(path)
  const jsx = /x$/.test(path) || /\.[mc]?js$/.test(path)
  try {
    return parse(text, {
      sourceType: 'module',
      allowReturnOutsideFunction: true,
      errorRecovery: true,
      plugins: [
        ...(typescript ? (['typescript'] as const) : []),
        ...(jsx ? (['jsx'] as const) : []),
        'decorators',
        'explicitResourceManagement',
      ],
    }).program
  } catch {
    // Not a module of this language; whoever asks gets no imports from it, and the layers say what is wrong.
    return null
  }
}

/** Specifiers of static imports, re-exports, `require` and `import()` with literal arguments, in order, each once. */
export function importedSpecifiers(text: string, path: string): string[] {
  const program = parseModule(text, path)
  if (program === null) return []
  const found = new Set<string>()
  for (const statement of program.body) {
    if ((statement.type === 'ImportDeclaration' || statement.type === 'ExportAllDeclaration') && statement.source)
      found.add(statement.source.value)
    if (statement.type === 'ExportNamedDeclaration' && statement.source) found.add(statement.source.value)
  }
  for (const match of text.matchAll(/\b(?:require|import)\s*\(\s*(['"])([^'"\n]+)\1\s*\)/g))
    if (match[2]) found.add(match[2])
  return [...found]
}

/** What the tests import from the entry: the names that a candidate must export, sorted, each once. */
export function requiredExports(tests: FileMap, entry: string): RequiredExport[] {
  const found = new Map<string, RequiredExport>()
  const add = (name: string, kind: RequiredExport['kind']): void => {
    found.set(`${kind} ${name}`, { name, kind })
  }
  for (const [path, text] of Object.entries(tests)) {
    const program = parseModule(text, path)
    for (const statement of program?.body ?? []) {
      if (statement.type !== 'ImportDeclaration' || statement.importKind === 'type') continue
      if (!reachesEntry(path, statement.source.value, entry)) continue
      for (const specifier of statement.specifiers) {
        if (specifier.type === 'ImportDefaultSpecifier') add(specifier.local.name, 'default')
        else if (specifier.type === 'ImportNamespaceSpecifier') add(specifier.local.name, 'namespace')
        else if (specifier.imported.type === 'Identifier') {
          if (specifier.imported.name === 'default') add(specifier.local.name, 'default')
          else add(specifier.imported.name, 'named')
        } else add(specifier.imported.value, 'named')
      }
    }
    for (const match of text.matchAll(/\{([^{}]*)\}\s*=\s*require\(\s*(['"])([^'"\n]+)\2\s*\)/g)) {
      if (!reachesEntry(path, match[3] ?? '', entry)) continue
      for (const part of (match[1] ?? '').split(',')) {
        const name = part.split(':')[0]?.trim()
        if (name) add(name, 'named')
      }
    }
  }
  return [...found.values()].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
}

/**
 * The module that tests expect beside what is given: of their relative imports that nothing provides the one named like the test
 * file, else the first. Without an extension, as a path from the root of the task; null where the tests import none.
 */
export function expectedModule(tests: FileMap, provided: FileMap): string | null {
  const known = new Set([...Object.keys(tests), ...Object.keys(provided)].map(withoutExtension))
  const missing: { readonly path: string; readonly isNamesake: boolean }[] = []
  for (const [test, text] of Object.entries(tests)) {
    for (const specifier of importedSpecifiers(text, test)) {
      const path = targetOf(test, specifier)
      if (path === null || /\.json$/.test(path) || known.has(withoutExtension(path))) continue
      missing.push({ path: withoutExtension(path), isNamesake: stemOf(path) === stemOf(test) })
    }
  }
  return (missing.find(({ isNamesake }) => isNamesake) ?? missing[0])?.path ?? null
}

const withoutExtension = (path: string): string => path.replace(/\.[mc]?[jt]sx?$/, '')

const stemOf = (path: string): string =>
  withoutExtension(path.slice(path.lastIndexOf('/') + 1)).replace(/[._-](test|spec)$/, '')

/** What a relative specifier points at, from the root of the task; null for packages and for what lies above the root. */
function targetOf(from: string, specifier: string): string | null {
  if (!/^\.{1,2}(\/|$)/.test(specifier)) return null
  const parts = from.split('/').slice(0, -1)
  for (const part of specifier.split('/')) {
    if (part === '..') {
      if (parts.pop() === undefined) return null
    } else if (part !== '.') parts.push(part)
  }
  return parts.join('/')
}

/** True when a specifier in the file `from` means the entry, with or without its extension. */
function reachesEntry(from: string, specifier: string, entry: string): boolean {
  const target = targetOf(from, specifier)
  return target !== null && withoutExtension(target) === withoutExtension(entry)
}

/** Declarations that the entry exports, each as its first line, as the signature to keep. */
export function exportedSignatures(text: string, path: string): string[] {
  const program = parseModule(text, path)
  const signatures: string[] = []
  for (const statement of program?.body ?? []) {
    if (statement.type !== 'ExportNamedDeclaration' && statement.type !== 'ExportDefaultDeclaration') continue
    if (typeof statement.start !== 'number' || typeof statement.end !== 'number') continue
    const declaration = statement.declaration
    const bodyStart =
      declaration && 'body' in declaration && declaration.body && !Array.isArray(declaration.body)
        ? declaration.body.start
        : undefined
    const end = typeof bodyStart === 'number' ? bodyStart : statement.end
    const head = text.slice(statement.start, end).trim()
    signatures.push(typeof bodyStart === 'number' ? head : (head.split('\n')[0] ?? head).slice(0, 200))
  }
  return signatures
}
