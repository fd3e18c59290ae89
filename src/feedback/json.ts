import { scanFences } from './extract/fence-lines.ts'
import type { Shape } from './extract/types.ts'
import { type JsonParse, parseJsonAt } from './json-parse.ts'
import { mismatchOf } from './json-shape.ts'

/** What a text holds of the JSON that was asked for. Line and column are 1-based, in the text given. */
export type JsonReading =
  | { readonly kind: 'value'; readonly value: unknown; readonly mended: boolean }
  | { readonly kind: 'truncated'; readonly partial: string }
  | {
      readonly kind: 'bad'
      readonly problem: string
      readonly line: number
      readonly column: number
      readonly isShape: boolean
    }
  | { readonly kind: 'none' }

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** How many places a value may start at are tried. */
const maxTries = 60

/**
 * Finds the JSON value in a text: the whole text, a fence, or an object in prose; the last one that has the shape. Envelopes
 * of one member, lists of one item and JSON inside a JSON string are opened when only what they hold has the shape. Pure,
 * linear; never guesses where a string ends and never closes what the text leaves open.
 */
export function readJson(text: string, shape: Shape | null): JsonReading {
  let best: { value: unknown; mended: boolean; misfit: string | null } | null = null
  let trouble: Exclude<JsonParse, { kind: 'value' }> | null = null
  let troubleAt = 0
  for (const region of regions(text)) {
    let at = region.start
    for (let tries = 0; tries < maxTries; tries++) {
      const start = nextStart(text, at, region.end)
      if (start === -1) break
      const parsed = parseJsonAt(text, start)
      if (parsed.kind === 'value') {
        const opened = openEnvelopes(parsed.value, shape)
        const misfit = shape === null ? null : mismatchOf(opened, shape)
        const isBetter =
          best === null ||
          (misfit === null && !isSchemaEcho(opened)) ||
          (best.misfit !== null && misfit !== null && isRecord(opened))
        if (isBetter) best = { value: opened, mended: parsed.mended || opened !== parsed.value, misfit }
        at = parsed.end
      } else {
        // A brace in prose or code that opens no object says nothing; one followed by a member's name does.
        if (looksLikeObject(text, start) && trouble === null) {
          trouble = parsed
          troubleAt = start
        }
        if (parsed.kind === 'cut') break
        at = Math.max(start + 1, parsed.offset)
      }
    }
    if (best && best.misfit === null) return { kind: 'value', value: best.value, mended: best.mended }
  }
  if (trouble?.kind === 'cut') return { kind: 'truncated', partial: text.slice(troubleAt) }
  if (trouble) return { kind: 'bad', problem: trouble.problem, ...placeOf(text, trouble.offset), isShape: false }
  if (best) return { kind: 'bad', problem: best.misfit ?? '', line: 1, column: 1, isShape: true }
  return { kind: 'none' }
}

/** Fences that may hold JSON first, then the whole text. */
function regions(text: string): { start: number; end: number }[] {
  const fenced = scanFences(text, { tolerant: false })
    .filter((block) => /^\s*[{["]/.test(block.body.slice(0, 2_000)) || /^json/i.test(block.info))
    .slice(-20)
    .map((block) => ({ start: text.indexOf('\n', block.start) + 1, end: block.end }))
  return [...fenced.reverse(), { start: 0, end: text.length }]
}

function nextStart(text: string, from: number, end: number): number {
  const first = text.length - text.trimStart().length
  for (let at = from; at < end; at++) {
    const char = text[at]
    if (char === '{' || char === '[') return at
    // A whole text that is one JSON string may hold JSON.
    if (char === '"' && at === first && /^"\s*[{[]/.test(text.slice(at, at + 40))) return at
  }
  return -1
}

const looksLikeObject = (text: string, at: number): boolean =>
  /^[{[]\s*(?:\/\/[^\n]*\s*|\/\*[\s\S]*?\*\/\s*)*[{[]?\s*(?:["'“][^"'”\n]{0,80}["'”]\s*:|[\w$]+\s*:\s*["'“{[])/.test(
    text.slice(at, at + 500),
  )

function openEnvelopes(value: unknown, shape: Shape | null): unknown {
  let current = value
  for (let depth = 0; depth < 4; depth++) {
    if (typeof current === 'string' && /^\s*[{[]/.test(current)) {
      const inner = parseJsonAt(current, 0)
      if (inner.kind !== 'value') return current
      current = inner.value
      continue
    }
    if (shape === null || mismatchOf(current, shape) === null) return current
    if (Array.isArray(current) && current.length === 1) current = current[0]
    else if (isRecord(current) && isRecord(current.arguments)) current = current.arguments
    else if (isRecord(current) && isRecord(current.parameters)) current = current.parameters
    else if (isRecord(current) && Object.keys(current).length === 1) {
      const [inner] = Object.values(current)
      if (!isRecord(inner) && !(typeof inner === 'string' && /^\s*\{/.test(inner))) return value
      current = inner
    } else return value
  }
  return shape !== null && mismatchOf(current, shape) !== null ? value : current
}

/** The schema itself, repeated instead of a value. */
const isSchemaEcho = (value: unknown): boolean =>
  isRecord(value) && isRecord(value.properties) && (value.type === 'object' || '$schema' in value)

/** 1-based line and column of an offset. */
export function placeOf(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset)
  return { line: before.split('\n').length, column: offset - before.lastIndexOf('\n') }
}
