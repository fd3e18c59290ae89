import { ts } from 'ts-morph'
import { callOperators, wrapOperators } from './calls.ts'
import { binaryOperators, conditionOf, conditionOperators, unaryOperators } from './expressions.ts'
import { argumentOperators, partOperators, termOperators } from './missing.ts'
import type { Mutation, MutationContext, MutationKind, Operator } from './mutation.ts'
import { createScope } from './scope.ts'
import { borrowOperators, guardOperators, statementOperators } from './statements.ts'
import { misplacedOperators, throughoutOperators } from './throughout.ts'
import { togetherOperators } from './together.ts'
import { constantOperators, indexOperators, listOperators, variableOperators } from './values.ts'

export interface MutationOptions {
  /** Values that the tests give to the code, as source text; never expected values. */
  readonly inputNumbers?: readonly string[]
  readonly inputStrings?: readonly string[]
  /** Only these kinds; default all. */
  readonly kinds?: ReadonlySet<MutationKind>
}

const operators: readonly Operator[] = [
  binaryOperators,
  unaryOperators,
  conditionOperators,
  constantOperators,
  variableOperators,
  indexOperators,
  callOperators,
  wrapOperators,
  statementOperators,
  guardOperators,
  borrowOperators,
  togetherOperators,
  listOperators,
  argumentOperators,
  partOperators,
  termOperators,
  misplacedOperators,
  throughoutOperators,
]

/**
 * All small changes of a program, the likeliest mends first; each text comes up once. Pure.
 * The operators follow those that mutation testing has found to couple with real faults (Just et al., FSE 2014), and for repair add
 * borrowed statements and conditions (Weimer et al., ICSE 2009).
 */
export function generateMutations(text: string, path: string, options: MutationOptions = {}): Mutation[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, scriptKind(path))
  const found = new Map<string, Mutation>()
  const literals = collectLiterals(source)
  const push = (mutation: Mutation): void => {
    if (options.kinds && !options.kinds.has(mutation.kind)) return
    if (text.slice(mutation.edit.start, mutation.edit.end) === mutation.edit.text) return
    const key = `${mutation.edit.start}:${mutation.edit.end}:${mutation.edit.text}`
    const known = found.get(key)
    if (!known || mutation.cost < known.cost) found.set(key, mutation)
  }
  const lineOf = (offset: number): number => source.getLineAndCharacterOfPosition(offset).line + 1
  const context: MutationContext = {
    source,
    text,
    scope: createScope(source),
    numbers: [...new Set([...literals.numbers, ...(options.inputNumbers ?? [])])],
    strings: [...new Set([...literals.strings, ...(options.inputStrings ?? [])])],
    conditions: literals.conditions,
    add: (node, replacement, kind, cost) => {
      const start = node.getStart(source)
      push({
        kind,
        edit: { start, end: node.end, text: replacement },
        cost,
        line: lineOf(start),
        change: `${oneLine(node.getText(source))} -> ${oneLine(replacement) || '(nothing)'}`,
      })
    },
    addEdit: (edit, kind, cost, change) =>
      push({ kind, edit, cost, line: lineOf(edit.start), change: oneLine(change) }),
  }
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node) || ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) return
    for (const operator of operators) operator(node, context)
    ts.forEachChild(node, visit)
  }
  visit(source)
  return [...found.values()].sort(
    (a, b) => a.cost - b.cost || a.edit.start - b.edit.start || (a.edit.text < b.edit.text ? -1 : 1),
  )
}

function collectLiterals(source: ts.SourceFile): { numbers: string[]; strings: string[]; conditions: string[] } {
  const numbers = new Set<string>()
  const strings = new Set<string>()
  const conditions = new Set<string>()
  const visit = (node: ts.Node): void => {
    if (ts.isNumericLiteral(node)) numbers.add(node.getText(source))
    else if (ts.isStringLiteral(node) && !ts.isImportDeclaration(node.parent) && node.text.length < 40)
      strings.add(node.getText(source))
    const condition = conditionOf(node)
    if (condition && condition.getText(source).length < 80) conditions.add(condition.getText(source))
    ts.forEachChild(node, visit)
  }
  visit(source)
  return { numbers: [...numbers], strings: [...strings], conditions: [...conditions] }
}

function scriptKind(path: string): ts.ScriptKind {
  if (path.endsWith('.tsx')) return ts.ScriptKind.TSX
  if (/\.[mc]?jsx?$/.test(path)) return ts.ScriptKind.JSX
  return ts.ScriptKind.TS
}

function oneLine(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > 90 ? `${line.slice(0, 90)}…` : line
}
