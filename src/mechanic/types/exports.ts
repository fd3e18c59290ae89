import { ts } from 'ts-morph'
import type { Fix } from './edit.ts'
import type { Evidence } from './evidence.ts'
import { nearest } from './spelling.ts'

/** Pseudo code of a name that the tests ask for and the candidate does not give. */
export const missingExportCode = 90_002

/** What the entry lacks of what the tests import (or, as bare scripts, use), and how to give it. */
export function exportFixes(
  source: ts.SourceFile,
  evidence: Evidence,
  tests: Readonly<Record<string, string>>,
): { missing: readonly string[]; fixes(path: string): Generator<Fix> } {
  const declared = new Map<string, ts.Statement>()
  const exported = new Set<string>()
  for (const statement of source.statements) {
    const isExported =
      ts.canHaveModifiers(statement) &&
      (ts.getModifiers(statement)?.some((modifier) => modifier.kind === ts.SyntaxKind.ExportKeyword) ?? false)
    const isDefault =
      ts.canHaveModifiers(statement) &&
      (ts.getModifiers(statement)?.some((modifier) => modifier.kind === ts.SyntaxKind.DefaultKeyword) ?? false)
    const names: string[] = []
    if (
      (ts.isFunctionDeclaration(statement) ||
        ts.isClassDeclaration(statement) ||
        ts.isInterfaceDeclaration(statement) ||
        ts.isTypeAliasDeclaration(statement) ||
        ts.isEnumDeclaration(statement)) &&
      statement.name
    )
      names.push(statement.name.text)
    if (ts.isVariableStatement(statement))
      for (const item of statement.declarationList.declarations)
        if (ts.isIdentifier(item.name)) names.push(item.name.text)
    for (const name of names) {
      if (!declared.has(name)) declared.set(name, statement)
      if (isExported && !isDefault) exported.add(name)
    }
    if (ts.isExportDeclaration(statement)) {
      if (!statement.exportClause) return { missing: [], fixes: function* () {} }
      if (ts.isNamedExports(statement.exportClause))
        for (const element of statement.exportClause.elements) exported.add(element.name.text)
      else exported.add(statement.exportClause.name.text)
    }
  }
  const imports = Object.values(tests).some((text) => /\bfrom\s*['"]\.{1,2}\/|import\(\s*['"]\./.test(text))
  const wanted = [...evidence.wanted].filter((name) => name !== 'default')
  const isGiven = (name: string): boolean => (imports ? exported.has(name) : declared.has(name))
  // a bare script may use globals that nobody declares; only what is called with evidence counts
  const missing = wanted.filter((name) => !isGiven(name) && (imports ? !exported.has(name) : evidence.calls.has(name)))
  return {
    missing,
    *fixes(path) {
      for (const name of missing) {
        const statement = declared.get(name)
        if (statement) {
          const at = statement.getStart(source)
          yield {
            file: path,
            cost: 0.05,
            what: `${name} is exported`,
            edits: [{ start: at, end: at, text: 'export ' }],
          }
          continue
        }
        const functions = [...declared]
          .filter(([, item]) => ts.isFunctionDeclaration(item) || ts.isVariableStatement(item))
          .map(([other]) => other)
        const near = nearest(name, functions)
        const last = functions.at(-1)
        for (const other of new Set([...(near === null ? [] : [near]), ...(last === undefined ? [] : [last])])) {
          yield {
            file: path,
            cost: other === near ? 0.15 : 0.4,
            what: `${other} is also known as ${name}`,
            edits: [
              {
                start: source.end,
                end: source.end,
                text: `\n${imports ? `export { ${other} as ${name} }` : `const ${name} = ${other}`}\n`,
              },
            ],
          }
        }
      }
    },
  }
}
