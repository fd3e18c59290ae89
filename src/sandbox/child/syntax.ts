import { type Options, parse } from 'acorn'

/** A node of the syntax tree; members are read by the few who know their kind. */
export interface SyntaxNode {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [member: string]: unknown
}

const common: Options = { ecmaVersion: 'latest', allowHashBang: true }

/** Parses a module or a CommonJS script. Throws SyntaxError (also for nesting that no parser survives). */
export function parseSource(code: string, format: 'esm' | 'cjs'): SyntaxNode {
  const options: Options =
    format === 'esm'
      ? { ...common, sourceType: 'module' }
      : { ...common, sourceType: 'script', allowReturnOutsideFunction: true }
  try {
    // acorn's Node has no index signature; the tree is plain data with string keys
    return parse(code, options) as unknown as SyntaxNode
  } catch (error) {
    if (error instanceof RangeError) throw new SyntaxError('nested too deeply to be parsed')
    throw error
  }
}

export const isNode = (value: unknown): value is SyntaxNode =>
  typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string'

/** Member `key` of `node` as a node, if it is one. */
export function child(node: SyntaxNode, key: string): SyntaxNode | undefined {
  const value = node[key]
  return isNode(value) ? value : undefined
}

/** Member `key` of `node` as a list of nodes; holes of array patterns are left out. */
export function children(node: SyntaxNode, key: string): SyntaxNode[] {
  const value = node[key]
  return Array.isArray(value) ? value.filter(isNode) : []
}

/** Member `key` of `node` as text, else ''. */
export function text(node: SyntaxNode, key: string): string {
  const value = node[key]
  return typeof value === 'string' ? value : ''
}

/** The name that an Identifier or a string Literal gives, as in export and import specifiers. */
export const nameOf = (node: SyntaxNode | undefined): string =>
  node === undefined ? '' : node.type === 'Identifier' ? text(node, 'name') : text(node, 'value')
