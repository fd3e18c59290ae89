import { ts } from 'ts-morph'
import { applyEdits, type TextEdit } from '../types/edit.ts'
import type { StatementPlace } from './messages.ts'

/**
 * A module's text with a counter before each statement and in each arrow function's expression; `__cov` is what the sandbox gives for
 * it. `offset` is the number of the first counter. Null where the edits would overlap.
 */
export function instrument(
  source: ts.SourceFile,
  offset: number,
): { readonly text: string; readonly places: readonly StatementPlace[] } | null {
  const places: StatementPlace[] = []
  const edits: TextEdit[] = []
  const count = (node: ts.Node): string => {
    places.push({ file: source.fileName, start: node.getStart(source), end: node.end })
    return `__cov[${offset + places.length - 1}]++`
  }
  const insert = (at: number, text: string): void => {
    edits.push({ start: at, end: at, text })
  }
  const visit = (node: ts.Node): void => {
    if (isCounted(node)) {
      const start = node.getStart(source)
      if (isListed(node)) insert(start, `;${count(node)};`)
      else if (ts.isStatement(node) && !ts.isBlock(node)) {
        insert(start, `{${count(node)};`)
        ts.forEachChild(node, visit)
        insert(node.end, '}')
        return
      }
    }
    if (ts.isArrowFunction(node) && !ts.isBlock(node.body)) {
      for (const parameter of node.parameters) visit(parameter)
      insert(node.body.getStart(source), `(${count(node.body)},`)
      visit(node.body)
      insert(node.body.end, ')')
      return
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  const text = applyEdits(source.text, stable(edits))
  return text === null ? null : { text, places }
}

/** Edits at one offset stay in the order in which they were made, which is that of nesting. */
const stable = (edits: readonly TextEdit[]): TextEdit[] =>
  edits
    .map((edit, order) => ({ edit, order }))
    .sort((a, b) => a.edit.start - b.edit.start || a.order - b.order)
    .map(({ edit }) => edit)

function isCounted(node: ts.Node): boolean {
  return (
    ts.isStatement(node) &&
    !ts.isBlock(node) &&
    !ts.isFunctionDeclaration(node) &&
    !ts.isClassDeclaration(node) &&
    !ts.isImportDeclaration(node) &&
    !ts.isExportDeclaration(node) &&
    !ts.isExportAssignment(node) &&
    !ts.isEmptyStatement(node) &&
    !(ts.isExpressionStatement(node) && ts.isStringLiteral(node.expression)) &&
    !ts.isLabeledStatement(node.parent)
  )
}

/** Stands in a list of statements, so that another may stand before it. */
function isListed({ parent }: ts.Node): boolean {
  return ts.isBlock(parent) || ts.isSourceFile(parent) || ts.isCaseClause(parent) || ts.isDefaultClause(parent)
}
