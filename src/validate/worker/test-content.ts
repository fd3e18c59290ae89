import { resolveRelative } from '../paths.ts'
import type { ParsedFile } from './imports-layer.ts'
import { type TS, ts } from './typescript.ts'

const testWords = new Set('it test xit xtest fit ftest specify'.split(' '))
const assertionWords =
  /^(?:assert\w*|expect|should|ok|equal|deepEqual|strictEqual|deepStrictEqual|throws|rejects|expectTypeOf|assertType)$/

/** What a file holds that can prove something. */
export interface TestContent {
  readonly tests: number
  readonly assertions: number
}

/** Counts tests and assertions by the syntax tree; a bare script may assert by throwing or by leaving with a code. */
export function contentOf(file: TS.SourceFile): TestContent {
  let tests = 0
  let assertions = 0
  const visit = (node: TS.Node): void => {
    if (ts.isCallExpression(node) || ts.isTaggedTemplateExpression(node)) {
      const callee = ts.isCallExpression(node) ? node.expression : node.tag
      const root = rootOf(callee)
      if (root !== undefined) {
        if (testWords.has(root.name) && !root.members.includes('describe')) tests += 1
        else if (root.name === 'Deno' && root.members[0] === 'test') tests += 1
        else if (
          assertionWords.test(root.name) ||
          root.members.some((member) => member === 'assert' || member === 'expect')
        )
          assertions += 1
        else if (root.name === 't' && root.members.length > 0) assertions += 1
        else if (root.name === 'process' && root.members[0] === 'exit') assertions += 1
      }
    } else if (ts.isThrowStatement(node)) assertions += 1
    ts.forEachChild(node, visit)
  }
  visit(file)
  return { tests, assertions }
}

/** `it.skip.each(…)` → name `it`, members skip, each. */
function rootOf(callee: TS.Node): { name: string; members: string[] } | undefined {
  const members: string[] = []
  let at = callee
  for (;;) {
    if (ts.isPropertyAccessExpression(at)) {
      members.unshift(at.name.text)
      at = at.expression
    } else if (ts.isCallExpression(at)) at = at.expression
    else if (ts.isTaggedTemplateExpression(at)) at = at.tag
    else if (ts.isParenthesizedExpression(at)) at = at.expression
    else break
  }
  return ts.isIdentifier(at) ? { name: at.text, members } : undefined
}

/** Whether a file of the tests is run as one: not data, and not merely a helper of another. */
export function isTestFile(file: ParsedFile, all: readonly ParsedFile[]): boolean {
  if (file.path.endsWith('.json') || /\.d\.[cm]?ts$/.test(file.path)) return false
  const { tests, assertions } = contentOf(file.file)
  if (tests > 0) return true
  const isImported = all.some(
    (other) => other !== file && other.shape.imports.some((use) => reaches(other.path, use.specifier, file.path)),
  )
  return !isImported || (assertions > 0 && /\.(?:test|spec)\.[^/]+$/.test(file.path))
}

function reaches(from: string, specifier: string, path: string): boolean {
  if (!specifier.startsWith('.')) return false
  const found = resolveRelative(from, specifier, (candidate) => candidate === path)
  return typeof found !== 'string'
}
