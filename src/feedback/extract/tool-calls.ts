import type { FileMap } from '../../domain/task.ts'
import { parseJsonAt } from '../json-parse.ts'
import { looksLikePath } from './info.ts'

/** Code that structured data carries: one text, or files by path. */
export type Carried =
  | { readonly kind: 'code'; readonly code: string; readonly path: string | null }
  | { readonly kind: 'files'; readonly files: FileMap }

const codeMembers = [
  'code',
  'solution',
  'source',
  'source_code',
  'sourceCode',
  'implementation',
  'program',
  'answer',
  'content',
  'contents',
  'file_content',
  'file_text',
  'fileContent',
  'text',
  'new_content',
  'script',
  'query',
  'sql',
  'typescript',
  'javascript',
  'python',
  'completion',
  'output',
  'final_code',
  'fixed_code',
  'body',
]
const pathMembers = [
  'path',
  'file_path',
  'filePath',
  'filename',
  'file_name',
  'fileName',
  'file',
  'name',
  'target_file',
]

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Looks for code in the arguments of a tool call or in JSON that wraps it. Bounded in depth. */
export function carriedBy(value: unknown, depth = 0): Carried | null {
  if (depth > 6) return null
  if (typeof value === 'string') {
    const inner = /^\s*[{[]/.test(value) ? parseJsonAt(value, 0) : null
    return inner?.kind === 'value' && typeof inner.value !== 'string' ? carriedBy(inner.value, depth + 1) : null
  }
  if (Array.isArray(value)) {
    const files: Record<string, string> = {}
    for (const item of value.slice(0, 200)) {
      const found = carriedBy(item, depth + 1)
      if (found?.kind === 'files') Object.assign(files, found.files)
      else if (found?.path) files[found.path] = found.code
      else if (found) return found
    }
    return Object.keys(files).length > 0 ? { kind: 'files', files } : null
  }
  if (!isRecord(value)) return null
  const entries = Object.entries(value)
  const byPath = entries.filter(([key, text]) => typeof text === 'string' && looksLikePath(key))
  if (byPath.length > 0) return { kind: 'files', files: Object.fromEntries(byPath) as FileMap }
  const files = value.files
  if (files !== undefined) {
    const found = carriedBy(files, depth + 1)
    if (found) return found
  }
  const path =
    pathMembers
      .map((name) => value[name])
      .find((name): name is string => typeof name === 'string' && looksLikePath(name)) ?? null
  for (const name of codeMembers) {
    const text = value[name]
    if (typeof text === 'string' && text.trim() !== '') return { kind: 'code', code: text, path }
    if (Array.isArray(text) && text.length > 0 && text.every((line) => typeof line === 'string'))
      return { kind: 'code', code: text.join('\n'), path }
  }
  for (const name of [
    'arguments',
    'input',
    'parameters',
    'args',
    'function',
    'result',
    'response',
    'data',
    'tool_input',
    'params',
  ]) {
    const found = value[name] === undefined ? null : carriedBy(value[name], depth + 1)
    if (found) return found
  }
  return null
}

const markers =
  /<\/?(?:tool_call|tool_calls|function_call|function_calls|tool_use|functioncall|\|tool_call\|?|\|python_tag\||｜tool▁calls?▁begin｜|\|tool_calls_section_begin\||\|tool_call_begin\|)>|\[TOOL_CALLS\]|<function=[\w.-]+>|<(?:antml:)?invoke\s/

/** True when a tool call has leaked into the text. */
export const hasLeakedCall = (text: string): boolean => markers.test(text)

/** Code of a tool call that leaked into the text, whatever its notation; `cut` when it has no end. */
export function readLeakedCall(text: string): Carried | 'cut' | null {
  const match = markers.exec(text)
  if (!match) return null
  const from = match.index
  const members = readParameters(text, from)
  const found = carriedBy(members)
  if (found) return found
  if (/<(?:antml:)?parameter[\s=]/.test(text.slice(from))) return 'cut'
  let at = from
  for (let tries = 0; tries < 20; tries++) {
    const brace = text.slice(at).search(/[{[]\s*["{]/)
    if (brace === -1) return null
    const parsed = parseJsonAt(text, at + brace)
    if (parsed.kind === 'cut') return 'cut'
    if (parsed.kind === 'value') {
      const inner = carriedBy(parsed.value)
      if (inner) return inner
      at = parsed.end
    } else at = Math.max(at + brace + 1, parsed.offset)
  }
  return null
}

const parameterOpener = /<(?:antml:)?parameter(?:\s+name="([\w-]{1,60})"|=([\w-]{1,60}))[^>\n]{0,80}>\n?/g

/** `<parameter name="code">…</parameter>` and `<parameter=code>…</parameter>`, in one pass. */
function readParameters(text: string, from: number): Record<string, string> {
  const members: [string, string][] = []
  const pattern = new RegExp(parameterOpener.source, parameterOpener.flags)
  pattern.lastIndex = from
  for (let match = pattern.exec(text); match && members.length < 50; match = pattern.exec(text)) {
    const start = match.index + match[0].length
    const close = /<\/(?:antml:)?parameter>/g
    close.lastIndex = start
    const end = close.exec(text)
    if (!end) break
    members.push([match[1] ?? match[2] ?? '', text.slice(start, end.index).replace(/\n$/, '')])
    pattern.lastIndex = close.lastIndex
  }
  return Object.fromEntries(members)
}
