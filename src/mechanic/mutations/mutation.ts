import type { ts } from 'ts-morph'
import type { TextEdit } from '../types/edit.ts'

/** What a mutation changes, coarsely; for statistics and for what trust leaves out. */
export type MutationKind =
  | 'relation'
  | 'arithmetic'
  | 'logic'
  | 'condition'
  | 'constant'
  | 'variable'
  | 'call'
  | 'wrap'
  | 'unwrap'
  | 'operand'
  | 'grouping'
  | 'statement'
  | 'guard'
  | 'return'
  | 'regex'

/** One small change of a program's text. */
export interface Mutation {
  readonly kind: MutationKind
  readonly edit: TextEdit
  /** How unlikely the change is to mend a bug: 0.1 first, 1 last. */
  readonly cost: number
  /** 1-based, of the changed text. */
  readonly line: number
  /** `a < b` -> `a <= b`, in one line. */
  readonly change: string
}

/** A function or the module itself, with the names that its code can see. */
export interface Scope {
  /** Local variables and parameters visible at a place, innermost first. */
  namesAt(node: ts.Node): readonly string[]
}

/** What the operators look at. */
export interface MutationContext {
  readonly source: ts.SourceFile
  readonly text: string
  readonly scope: Scope
  /** Numbers and strings of the file and of the tests' inputs, as source text; never from expected values. */
  readonly numbers: readonly string[]
  readonly strings: readonly string[]
  /** Conditions of the file, as source text. */
  readonly conditions: readonly string[]
  add(node: ts.Node, replacement: string, kind: MutationKind, cost: number): void
  /** For changes that are no replacement of a whole node. */
  addEdit(edit: TextEdit, kind: MutationKind, cost: number, change: string): void
}

/** One family of operators: looks at a node and adds what could be wrong with it. */
export type Operator = (node: ts.Node, context: MutationContext) => void
