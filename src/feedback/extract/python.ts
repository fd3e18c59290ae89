import { parser } from '@lezer/python'
import type { Comment, Reading, Statement } from './reading.ts'
import { emptyReading, maxParsedChars } from './reading.ts'
import { scan } from './scan.ts'

const identifier = /^[\p{L}_][\p{L}\p{N}_]*$/u

const kinds: Readonly<Record<string, Statement['kind']>> = {
  FunctionDefinition: 'definition',
  ClassDefinition: 'definition',
  DecoratedStatement: 'definition',
  AssignStatement: 'definition',
  TypeDefinition: 'definition',
  ImportStatement: 'import',
  AssertStatement: 'assertion',
}

const builtins = new Set(
  'abs all any ascii bin bool bytearray bytes callable chr classmethod complex dict dir divmod enumerate eval exec filter float format frozenset getattr globals hasattr hash help hex id input int isinstance issubclass iter len list locals map max memoryview min next object oct open ord pow print property range repr reversed round self set setattr slice sorted staticmethod str sum super tuple type vars zip Exception ValueError TypeError KeyError IndexError NotImplementedError RuntimeError StopIteration'.split(
    ' ',
  ),
)

/** Stops at the first error: recovery from many errors costs the parser a hundred times a plain parse. */
const strict = parser.configure({ strict: true })

/** Reads a Python module with an LR grammar: linear, no recursion, never throws. */
export function readPython(text: string): Reading {
  if (text.length > maxParsedChars)
    return emptyReading('python', { offset: 0, message: 'too large to parse', atEnd: false })
  const tree = parseStrictly(text)
  if (typeof tree === 'number') return readBroken(text, tree)
  const statements: Statement[] = []
  const comments: Comment[] = []
  const used = new Set<string>()
  const declared = new Set<string>()
  let error: Reading['error'] = null
  const fail = (offset: number, message: string) => {
    error ??= { offset, message, atEnd: text.slice(offset).trim() === '' }
  }

  const cursor = tree.cursor()
  let depth = 0
  for (;;) {
    const { name, from, to } = cursor
    const word = () => text.slice(from, to)
    if (cursor.type.isError) fail(from, 'invalid syntax')
    else if (name === 'Comment')
      comments.push({ start: from, end: to, text: word().replace(/^#+/, '').trim(), alone: false })
    else if (name === 'VariableName') {
      if (!identifier.test(word())) fail(from, 'invalid character in a name')
      const parent = cursor.node.parent?.name
      if (
        parent === 'ParamList' ||
        parent === 'FunctionDefinition' ||
        parent === 'ClassDefinition' ||
        parent === 'ImportStatement' ||
        parent === 'ForStatement'
      )
        declared.add(word())
      else if (parent === 'AssignStatement' || parent === 'TupleExpression') {
        const next = cursor.node.nextSibling?.name
        if (next === 'AssignOp' || next === ',' || next === 'TypeDef') declared.add(word())
      } else if (parent === 'WithStatement' || parent === 'NamedExpression') declared.add(word())
      used.add(word())
    } else if (name === 'PrintStatement') fail(from, 'a print statement of Python 2')
    if (depth === 1 && name !== 'Comment' && !cursor.type.isError)
      statements.push(toStatement(text, name, from, to, cursor.node))
    if (cursor.firstChild()) {
      depth++
      continue
    }
    while (!cursor.nextSibling()) {
      if (!cursor.parent()) return finish()
      depth--
    }
  }

  function finish(): Reading {
    const defines = new Set(
      statements.flatMap((statement) => (statement.kind === 'import' ? [] : [...statement.defines])),
    )
    for (const name of declared) used.delete(name)
    for (const statement of statements) for (const name of statement.defines) used.delete(name)
    for (const name of builtins) used.delete(name)
    const unclosed = unclosedString(text)
    if (unclosed !== -1) fail(unclosed, 'string is not closed')
    if (error && unclosed !== -1) error = { ...(error as NonNullable<Reading['error']>), atEnd: true }
    return {
      language: 'python',
      ok: error === null,
      error,
      statements,
      defines,
      exports: defines,
      needs: used,
      comments,
    }
  }
}

/** The tree, or the place of the first error. */
function parseStrictly(text: string): ReturnType<typeof parser.parse> | number {
  try {
    return strict.parse(text)
  } catch (error) {
    const at = /No parse at (\d+)/.exec(error instanceof Error ? error.message : '')?.[1]
    return at === undefined ? 0 : Number(at)
  }
}

/** What can be said of text that does not parse: the names it seems to define, and its comments. */
function readBroken(text: string, offset: number): Reading {
  const segments = scan(text, 'python')
  const comments = segments
    .filter((segment) => segment.kind === 'comment')
    .map(({ start, end }) => ({ start, end, text: text.slice(start, end).replace(/^#+/, '').trim(), alone: false }))
  const defines = new Set<string>()
  for (const match of text.matchAll(/^(?:async[ \t]+)?(?:def|class)[ \t]+(\w+)|^(\w+)[ \t]*(?::[^=\n]{0,80})?=[^=]/gm))
    defines.add(match[1] ?? match[2] ?? '')
  const last = segments.findLast((segment) => segment.kind === 'string')
  const isInString = last !== undefined && !last.closed && text.slice(last.end).trim() === ''
  const atEnd = text.slice(offset).trim() === '' || isInString
  const error = { offset: Math.min(offset, text.length), message: 'invalid syntax', atEnd }
  return { ...emptyReading('python', error), defines, comments }
}

/** Start of a triple-quoted string that the text ends in, else -1. */
function unclosedString(text: string): number {
  const opener = /("""|''')|#[^\n]*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'/g
  for (let match = opener.exec(text); match; match = opener.exec(text)) {
    if (!match[1]) continue
    const end = text.indexOf(match[1], opener.lastIndex)
    if (end === -1) return match.index
    opener.lastIndex = end + 3
  }
  return -1
}

type SyntaxNode = ReturnType<typeof parser.parse>['topNode']

function toStatement(text: string, name: string, start: number, end: number, node: SyntaxNode): Statement {
  const slice = text.slice(start, end)
  if (name === 'ImportStatement') {
    const module = /^(?:from|import)\s+([.\w]+)/.exec(slice)?.[1] ?? ''
    return { start, end, kind: 'import', defines: importedNames(slice), module }
  }
  const kind = kinds[name]
  if (kind === 'definition') {
    const defines = definedNames(text, node)
    const isTest =
      (name !== 'AssignStatement' && defines.some((defined) => /^test_/.test(defined))) ||
      (/^Test/.test(defines[0] ?? '') && /\b(?:unittest|TestCase)\b|def test_/.test(slice))
    return { start, end, kind: isTest ? 'test' : 'definition', defines }
  }
  if (name === 'ExpressionStatement') {
    if (/^(?:unittest\.main|pytest\.main|doctest\.testmod|test_\w+|check\(\w+\))/.test(slice))
      return { start, end, kind: 'test', defines: [] }
    const only = node.firstChild
    if (only?.name === 'VariableName') return { start, end, kind: 'word', defines: [] }
    return { start, end, kind: only?.name === 'CallExpression' ? 'call' : 'other', defines: [] }
  }
  if (
    name === 'IfStatement' &&
    /^if\s+__name__\s*==/.test(slice) &&
    /\b(?:unittest\.main|pytest\.main|doctest\.testmod|assert|test_\w+\()/.test(slice)
  )
    return { start, end, kind: 'test', defines: [] }
  return {
    start,
    end,
    kind: kind ?? 'other',
    defines: name === 'IfStatement' || name === 'TryStatement' ? nestedNames(slice) : [],
  }
}

/** Names that a conditional or guarded part of a module defines, one level in. */
const nestedNames = (slice: string): string[] =>
  [...slice.matchAll(/^[ \t]+(?:async\s+)?(?:def|class)\s+(\w+)|^[ \t]+(\w+)\s*(?::[^=\n]+)?=[^=]/gm)].flatMap(
    (m) => m[1] ?? m[2] ?? [],
  )

const importedNames = (slice: string): string[] =>
  slice
    .replace(/^from\s+[.\w]+\s+import|^import/, '')
    .replace(/[()\\\n]/g, ' ')
    .split(',')
    .flatMap((part) => /(?:\bas\s+)?([\w]+)\s*$/.exec(part.replace(/\.\w+/g, ''))?.[1] ?? [])

function definedNames(text: string, node: SyntaxNode): string[] {
  let at: SyntaxNode | null = node
  if (node.name === 'DecoratedStatement') at = node.lastChild
  if (!at) return []
  if (at.name !== 'AssignStatement') {
    const name = at.getChild('VariableName')
    return name ? [text.slice(name.from, name.to)] : []
  }
  // Every target before the last sign of assignment: `a = b, c = 1` and `x: int = 3` alike.
  const names: string[] = []
  let pending: string[] = []
  for (let child = at.firstChild; child; child = child.nextSibling) {
    if (child.name === 'VariableName') pending.push(text.slice(child.from, child.to))
    else if (child.name === 'TupleExpression' || child.name === 'ArrayExpression')
      pending.push(...child.getChildren('VariableName').map((name) => text.slice(name.from, name.to)))
    else if (child.name === 'AssignOp') {
      names.push(...pending)
      pending = []
    }
  }
  return names
}
