import { fromMarkdown } from 'mdast-util-from-markdown'
import { scanFences, settleEnd } from './fence-lines.ts'
import type { Block } from './types.ts'

/** Texts longer or nested deeper than this go to the line scanner: the Markdown parser's time is not linear in nesting. */
const maxMarkdownChars = 200_000
const maxContainerDepth = 24

interface MarkdownNode {
  readonly type: string
  readonly value?: string
  readonly lang?: string | null
  readonly meta?: string | null
  readonly children?: readonly MarkdownNode[]
  readonly position?: { readonly start: { readonly offset?: number }; readonly end: { readonly offset?: number } }
}

/** Fenced blocks of a text, as CommonMark has them, in order. Bounded: linear in the text. */
export function findFences(text: string): Block[] {
  if (!/`{3}|~{3}/.test(text)) return []
  if (text.length > maxMarkdownChars || isDeep(text)) return scanFences(text, { tolerant: false })
  const blocks: Block[] = []
  const stack: MarkdownNode[] = [fromMarkdown(text) as MarkdownNode]
  for (let node = stack.pop(); node; node = stack.pop()) {
    if (node.type === 'code') blocks.push(...toBlock(node, text))
    for (const child of node.children ?? []) stack.push(child)
  }
  return blocks.sort((a, b) => a.start - b.start)
}

/** Many containers or delimiters on one line, or list items in list items: where the parser's work is more than linear. */
function isDeep(text: string): boolean {
  const containers = new RegExp(`^(?:[ \\t]*(?:>|[-*+]|\\d{1,9}[.)])[ \\t]*){${maxContainerDepth},}`, 'm')
  return containers.test(text) || /[[\]*_!]{300}|(?:\[[^\]\n]?){300}|<{300}/.test(text) || /^[ ]{200}/m.test(text)
}

function toBlock(node: MarkdownNode, text: string): Block[] {
  const start = node.position?.start.offset ?? 0
  const end = node.position?.end.offset ?? text.length
  const source = text.slice(start, end)
  const opener = /^(`{3,}|~{3,})/.exec(source)?.[1]
  if (opener === undefined) return []
  const lastLine = source.slice(source.lastIndexOf('\n') + 1)
  const closer = /(`{3,}|~{3,})[ \t]*$/.exec(lastLine)?.[1]
  const isClosed =
    source.includes('\n') &&
    closer !== undefined &&
    closer[0] === opener[0] &&
    closer.length >= opener.length &&
    lastLine.replace(/^[ \t>]*/, '').trimEnd() === closer
  const info = [node.lang ?? '', node.meta ?? ''].join(' ').trim()
  return [settleEnd({ body: node.value ?? '', info, start, end, closed: isClosed, via: 'fence' }, opener)]
}
