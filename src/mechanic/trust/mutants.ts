import { ts } from 'ts-morph'
import type { FileMap } from '../../domain/task.ts'
import { normalizeProgram } from '../../feedback/program.ts'
import { generateMutations } from '../mutations/generate.ts'
import type { Mutation, MutationKind } from '../mutations/mutation.ts'
import type { TextEdit } from '../types/edit.ts'
import { isScript, parseSource } from './parse.ts'

/** The kinds of change that a test suite is expected to notice, and up to which cost of the generator they are plain enough. */
const fitting: ReadonlyMap<MutationKind, number> = new Map([
  ['relation', 0.5],
  ['arithmetic', 0.5],
  ['logic', 0.35],
  ['condition', 0.56],
  ['constant', 0.4],
  ['operand', 0.4],
  ['unwrap', 0.5],
  ['statement', 0.5],
  ['return', 0.66],
  ['regex', 0.55],
])
/** A change that has not been compiled yet. */
export interface RawMutant {
  readonly file: string
  readonly line: number
  readonly change: string
  readonly text: string
}

/**
 * Mutants of a candidate for judging how much its tests notice, spread over functions, kinds and places: in turn one of each group,
 * drawn by a seed from the program itself. Equal programs by normal form come up once, the candidate's own not at all. Pure but for being consumed.
 */
export function* rawMutants(files: FileMap, language: 'typescript' | 'javascript'): Generator<RawMutant> {
  const groups = new Map<string, Candidate[]>()
  for (const path of Object.keys(files).sort()) {
    const text = files[path] ?? ''
    if (!isScript(path)) continue
    const source = parseSource(path, text)
    for (const mutation of generateMutations(text, path, { kinds: new Set(fitting.keys()) })) {
      if (!isFitting(mutation, source)) continue
      const key = `${path}:${ownerOf(source, mutation.edit.start)}:${mutation.kind}`
      const group = groups.get(key) ?? []
      group.push({ path, text, mutation })
      groups.set(key, group)
    }
  }
  const ordered = inTurn([...groups.values()].map(placesFirst))
  const seen = new Set([normalizeProgram(files, language)])
  for (const { path, text, mutation } of ordered) {
    const { start, end, text: replacement } = mutation.edit
    const changed = text.slice(0, start) + replacement + text.slice(end)
    const form = normalizeProgram({ ...files, [path]: changed }, language)
    if (seen.has(form)) continue
    seen.add(form)
    yield { file: path, line: mutation.line, change: mutation.change, text: changed }
  }
}

interface Candidate {
  readonly path: string
  readonly text: string
  readonly mutation: Mutation
}

function isFitting({ kind, cost, edit, change }: Mutation, source: ts.SourceFile): boolean {
  if (cost > (fitting.get(kind) ?? 0)) return false
  // of changes to statements only what takes something away: the others are seldom mistakes that a test should know
  if (kind === 'statement' && edit.end === edit.start) return false
  if (isSameInPractice(edit, change, source)) return false
  // a neighbour of a variable in a comparison is told apart by exact boundaries only, which the relations ask about already
  if (kind === 'operand' && /^\(\w+ [+-] 1\)$/.test(edit.text)) return false
  // flags and anchors taken away change what matches; those added often do not
  if (kind === 'regex' && edit.text.length >= edit.end - edit.start) return false
  if (kind === 'return' && !/^(?:null|0|\[\]|''|false|true|undefined)$/.test(edit.text)) return false
  if (kind === 'statement' && change.startsWith('removed: ') && isSilent(nodeAt(source, edit.start, edit.end)))
    return false
  return !isInMessage(nodeAt(source, edit.start, edit.end))
}

/**
 * Changes that honest code seldom shows: `==` for `===`, and loops that begin one early or end one late, where there is nothing to be
 * found. They are no equivalents by form, but live so often for no fault of the tests that they would only blur the share.
 */
function isSameInPractice({ start, end, text }: TextEdit, change: string, source: ts.SourceFile): boolean {
  const [before = '', after = ''] = change.split(' -> ')
  if (before.replace(/([^=!])==(?!=)|!=(?!=)/g, '$1=') === after.replace(/([^=!])===(?!=)|!==/g, '$1=')) return true
  if (/^\(.+\.(?:length|size) \+ 1\)$/.test(text)) return true
  if (text !== '(-1)') return false
  const node = nodeAt(source, start, end)
  return ts.isVariableDeclaration(node.parent) && ts.isForStatement(node.parent.parent.parent)
}

/** The innermost node that covers a range. */
function nodeAt(source: ts.SourceFile, start: number, end: number): ts.Node {
  let at: ts.Node = source
  for (;;) {
    const inner: ts.Node | undefined = ts.forEachChild(at, (child) =>
      child.getStart(source) <= start && child.end >= end ? child : undefined,
    )
    if (!inner) return at
    at = inner
  }
}

/** True inside the text of an error or of what is logged: that it changes is no change of what the code does. */
function isInMessage(node: ts.Node): boolean {
  return (
    ts.findAncestor(node, (each) => {
      if (ts.isFunctionLike(each) || ts.isBlock(each)) return 'quit'
      if (ts.isNewExpression(each)) return /Error$/.test(each.expression.getText())
      return ts.isCallExpression(each) && isConsole(each)
    }) !== undefined
  )
}

const isConsole = (node: ts.CallExpression): boolean => /^console\./.test(node.expression.getText())

/** A statement whose absence nobody can notice. */
function isSilent(node: ts.Node): boolean {
  const statement = ts.findAncestor(node, ts.isStatement)
  if (!statement) return false
  if (ts.isEmptyStatement(statement)) return true
  if (!ts.isExpressionStatement(statement)) return false
  const { expression } = statement
  return ts.isStringLiteral(expression) || (ts.isCallExpression(expression) && isConsole(expression))
}

/** Where the function or method begins that holds an offset; -1 for the module. */
function ownerOf(source: ts.SourceFile, offset: number): number {
  return ts.findAncestor(nodeAt(source, offset, offset), ts.isFunctionLike)?.pos ?? -1
}

/** Drawn by a seed from the texts; one of each place before a second one of any. */
function placesFirst(group: readonly Candidate[]): Candidate[] {
  const places = new Map<string, Candidate[]>()
  const drawn = group
    .map((candidate) => ({ candidate, draw: hash(`${candidate.mutation.line}:${candidate.mutation.change}`) }))
    .sort((a, b) => a.draw - b.draw || a.candidate.mutation.edit.start - b.candidate.mutation.edit.start)
  for (const { candidate } of drawn) {
    const key = String(candidate.mutation.edit.start)
    const place = places.get(key) ?? []
    place.push(candidate)
    places.set(key, place)
  }
  return inTurn([...places.values()])
}

/** The first of each list, then the second of each … */
function inTurn<T>(lists: readonly (readonly T[])[]): T[] {
  const result: T[] = []
  for (let turn = 0; ; turn++) {
    const before = result.length
    for (const list of lists) {
      const item = list[turn]
      if (item !== undefined) result.push(item)
    }
    if (result.length === before) return result
  }
}

/** FNV-1a over UTF-16 units. */
function hash(text: string): number {
  let value = 0x811c9dc5
  for (let index = 0; index < text.length; index++) value = Math.imul(value ^ text.charCodeAt(index), 0x01000193) >>> 0
  return value
}
