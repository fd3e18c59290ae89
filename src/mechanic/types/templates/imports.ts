import { ts } from 'ts-morph'
import { classifySpecifier } from '../../../validate/specifiers.ts'
import { ancestor, enclosingStatement, type FixContext, fix, insert, replace, type Template } from '../context.ts'
import type { Fix } from '../edit.ts'
import { wellKnown } from '../well-known.ts'

/** Pseudo code of an import that the sandbox does not serve though the compiler may know the module. */
export const forbiddenImportCode = 90_003

/** Imports of what a candidate may not have: Node modules that reach outside, packages that the task does not name, test libraries. */
export function forbiddenImports(source: ts.SourceFile, packages: readonly string[]): ts.StringLiteral[] {
  const found: ts.StringLiteral[] = []
  for (const statement of source.statements) {
    const from = ts.isImportDeclaration(statement)
      ? statement.moduleSpecifier
      : ts.isImportEqualsDeclaration(statement) && ts.isExternalModuleReference(statement.moduleReference)
        ? statement.moduleReference.expression
        : undefined
    if (!from || !ts.isStringLiteral(from)) continue
    const kind = classifySpecifier(from.text)
    const isBad =
      (kind.kind === 'node' && !kind.harmless) ||
      kind.kind === 'tests' ||
      (kind.kind === 'package' && !packages.includes(kind.name))
    if (isBad) found.push(from)
  }
  return found
}

export function* requireCall(context: FixContext, node: ts.Identifier): Generator<Fix> {
  const call = ancestor(node, ts.isCallExpression)
  const from = call?.arguments[0]?.getText(context.source)
  const declaration = ancestor(node, ts.isVariableDeclaration)
  const statement = ancestor(node, ts.isVariableStatement)
  if (declaration && statement && from !== undefined) {
    const name = declaration.name.getText(context.source)
    const uses = context.text.split(new RegExp(`\\b${name.replace(/[^\w$]/g, '.')}\\b`)).length - 1
    if (ts.isIdentifier(declaration.name) && uses <= 1)
      yield fix(context, 0.05, `an unused require is dropped`, {
        start: statement.getStart(context.source),
        end: statement.end,
        text: '',
      })
    yield fix(
      context,
      0.1,
      'require becomes import',
      replace(
        context,
        statement,
        ts.isIdentifier(declaration.name)
          ? `import ${name} from ${from};`
          : `import ${name.replace(/:/g, ' as')} from ${from};`,
      ),
    )
  } else {
    const outer = enclosingStatement(node)
    if (outer && ts.isIfStatement(outer))
      yield fix(context, 0.15, 'a script entry is dropped', {
        start: outer.getStart(context.source),
        end: outer.end,
        text: '',
      })
  }
}

/** TS2307, TS2792, TS2305, TS2613, TS2614, TS1192: an import that leads nowhere. */
export const brokenImport: Template = function* (context) {
  const statement = ancestor(context.node, ts.isImportDeclaration)
  if (!statement) {
    const old = ancestor(context.node, ts.isImportEqualsDeclaration)
    if (old && ts.isExternalModuleReference(old.moduleReference)) {
      const name = old.name.text
      const from = old.moduleReference.expression.getText(context.source)
      yield fix(
        context,
        0.05,
        'an import of another module system is written as one',
        replace(context, old, `import * as ${name} from ${from};`),
      )
    }
    return
  }
  const names: string[] = []
  const clause = statement.importClause
  if (clause?.name) names.push(clause.name.text)
  const bindings = clause?.namedBindings
  if (bindings && ts.isNamespaceImport(bindings)) names.push(bindings.name.text)
  if (bindings && ts.isNamedImports(bindings)) names.push(...bindings.elements.map((element) => element.name.text))
  const specifier = ts.isStringLiteral(statement.moduleSpecifier) ? statement.moduleSpecifier.text : ''
  yield* hashing(context, statement, specifier, names)
  const drop = { start: statement.getStart(context.source), end: statement.end, text: '' }
  const isUnused = names.every((name) => context.text.split(new RegExp(`\\b${name}\\b`)).length <= 2)
  yield fix(context, isUnused ? 0.04 : 0.3, 'an import that leads nowhere is dropped', drop)
  if (/^(util|assert|events|path|url|buffer)$/.test(specifier))
    yield fix(
      context,
      0.1,
      'a Node module is named as one',
      replace(context, statement.moduleSpecifier, `'node:${specifier}'`),
    )
}

/** A library of digests is known for one function that follows from its name. */
function* hashing(
  context: FixContext,
  statement: ts.ImportDeclaration,
  specifier: string,
  names: readonly string[],
): Generator<Fix> {
  const [name] = names
  if (name === undefined || names.length > 1) return
  const end = context.text.length
  const give = (text: string): Fix =>
    fix(
      context,
      0.05,
      'the digest is computed here',
      replace(context, statement, text),
      insert(end, `\n${wellKnown('md5') ?? ''}\n`),
    )
  if (/^(node:)?crypto$/.test(specifier))
    yield give(name === 'createHash' ? `const ${digest}` : `const ${name} = { ${digest.replace(' = ', ': ')} }`)
  if (specifier === 'crypto-js') yield give(`const ${name} = { MD5: md5 }`)
  if (specifier === 'ts-md5') yield give(`const ${name} = { hashStr: md5 }`)
  if (/md5$/.test(specifier)) yield give(name === 'md5' ? '' : `const ${name} = md5`)
}

const digest =
  "createHash = (_algorithm: string) => { let text = ''; const hash = { update(part: string, _encoding?: string) { text += part; return hash }, digest(_format?: string): string { return md5(text) } }; return hash }"

/** `crypto.createHash('md5')` without an import means the module, not the web's object of that name. */
export function* missingDigest(context: FixContext, access: ts.PropertyAccessExpression): Generator<Fix> {
  if (access.name.text !== 'createHash' || access.expression.getText(context.source) !== 'crypto') return
  if (!/createHash\(\s*['"`]md5/i.test(context.text)) return
  yield fix(
    context,
    0.05,
    'the digest is computed here',
    replace(context, access, 'createHash'),
    insert(context.text.length, `\nconst ${digest};\n${wellKnown('md5') ?? ''}\n`),
  )
}
