import type { Finish } from '../../model/types.ts'
import { readJson } from '../json.ts'
import { findBareCode } from './bare.ts'
import { scanFences } from './fence-lines.ts'
import { findFences } from './fences.ts'
import { readAs } from './languages.ts'
import { unescapeAll } from './mend-characters.ts'
import { next } from './next.ts'
import { filesOfCarried, filesOfPatched, readBlocks } from './outcome.ts'
import { applyPatches, findPatches, isPatchText } from './patch.ts'
import { findTagged } from './tagged.ts'
import { carriedBy, hasLeakedCall, readLeakedCall } from './tool-calls.ts'
import type { Block, Extraction, Flag } from './types.ts'
import type { ResolvedWanted } from './wanted.ts'

/** How good an extraction is: the best reading of a text wins, the first of equals. */
export function worthOf(extraction: Extraction | null, wanted: ResolvedWanted): number {
  if (extraction === null) return 0
  switch (extraction.outcome) {
    case 'json':
      return 6
    case 'files': {
      if (extraction.flags.includes('does_not_parse')) return 2
      return extraction.covered || wanted.exports.length === 0 ? 5 : 4
    }
    case 'elided':
    case 'patch_not_applied':
    case 'truncated':
      return 3.5
    case 'ambiguous':
      return 3
    case 'language_mismatch':
      return 1.5
    default:
      return 1
  }
}

/** Reads an answer (thoughts are out of it already) in every notation that models use; null when it holds nothing usable. */
export function readAnswer(text: string, wanted: ResolvedWanted, finish: Finish): Extraction | null {
  if (text.trim() === '') return null
  if (/^[^\n]*(?:`{3}|~{3})[\w+#-]*\\n/.test(text.slice(0, 2_000))) {
    // A whole reply on one line, its line breaks written out.
    const unescaped = unescapeAll(text)
    const read = unescaped === text ? null : readAnswer(unescaped, wanted, finish)
    if (read?.outcome === 'files') return { ...read, flags: ['mended_escapes', ...read.flags] }
  }
  if (wanted.shape !== null) {
    const json = readWantedJson(text, wanted, finish)
    if (json) return json
  }
  if (hasLeakedCall(text)) {
    const call = readLeakedCall(text)
    if (call === 'cut') return { outcome: 'truncated', where: 'json', partial: text, next: next.truncated }
    const files = call ? filesOfCarried(call, wanted, finish, ['from_tool_call']) : null
    if (files) return files
  }
  let best: Extraction | null = null
  const consider = (extraction: Extraction | null): boolean => {
    if (worthOf(extraction, wanted) > worthOf(best, wanted)) best = extraction
    return worthOf(best, wanted) >= 5
  }
  const fences = findFences(text)
  // An indented first line is the middle of a body: names that the body declares are not what is wanted.
  if (wanted.prefix !== null && /^(?:[ \t]*\n)*[ \t]+\S/.test(text.slice(0, 2_000))) {
    const continued = readContinuation(text, fences, wanted, finish)
    if (worthOf(continued, wanted) >= 5) return continued
  }
  const patched = readPatches(text, fences, wanted, finish)
  if (patched && consider(patched)) return best
  const tagged = findTagged(text)
  if (
    tagged.length > 0 &&
    !tagged.every((block) => isInside(block, fences)) &&
    consider(readBlocks(tagged, text, wanted, finish))
  )
    return best
  if (fences.length > 0) {
    const whole = completeFences(fences.flatMap(expandNested), text, wanted)
    if (consider(readBlocks(whole, text, wanted, finish))) return best
  }
  if (/^\s*[{[]/.test(text) || fences.some((block) => /^\s*[{[]/.test(block.body))) {
    const json = readJson(text, null)
    const carried = json.kind === 'value' ? carriedBy(json.value) : null
    if (carried && consider(filesOfCarried(carried, wanted, finish, ['from_json']))) return best
    if (json.kind === 'truncated' && /^\s*\{\s*"/.test(text))
      consider({ outcome: 'truncated', where: 'json', partial: json.partial, next: next.truncated })
  }
  if (/`{3}|~{3}/.test(text)) {
    const tolerant = scanFences(text, { tolerant: true }).flatMap(expandNested)
    if (tolerant.length > 0 && consider(readBlocks(tolerant, text, wanted, finish))) return best
  }
  if (worthOf(best, wanted) < 3.5) {
    const bare = findBareCode(text, wanted.language)
    if (bare.length > 0 && consider(readBlocks(bare, text, wanted, finish))) return best
    const unescaped = readWhole(text, wanted, finish)
    if (unescaped && consider(unescaped)) return best
    const inline = findInline(text)
    if (inline.length > 0 && consider(readBlocks(inline, text, wanted, finish))) return best
  }
  if (wanted.prefix !== null && worthOf(best, wanted) < 5) consider(readContinuation(text, fences, wanted, finish))
  return best
}

function readWantedJson(text: string, wanted: ResolvedWanted, finish: Finish): Extraction | null {
  const json = readJson(text, wanted.shape)
  const flags: Flag[] = json.kind === 'value' && json.mended ? ['json_mended'] : []
  switch (json.kind) {
    case 'value':
      return { outcome: 'json', value: json.value, flags, next: next.json }
    case 'truncated':
      return { outcome: 'truncated', where: 'json', partial: json.partial, next: next.truncated }
    case 'bad':
      return {
        outcome: 'bad_json',
        problem: json.problem,
        location: { line: json.line, column: json.column },
        partial: text,
        next: json.isShape ? next.jsonShape(json.problem) : next.badJson(json.problem, json.line, json.column),
      }
    case 'none':
      return finish === 'length' ? { outcome: 'truncated', where: 'json', partial: text, next: next.truncated } : null
  }
}

const isInside = (block: Block, others: readonly Block[]): boolean =>
  others.some((other) => other.start <= block.start && block.end <= other.end)

/** A patch against the previous candidate, unless the reply holds the whole program too. */
function readPatches(
  text: string,
  fences: readonly Block[],
  wanted: ResolvedWanted,
  finish: Finish,
): Extraction | null {
  if (!/^(?:@@|[-+<*]{3})/m.test(text) && !/^\s*```(?:diff|patch)/m.test(text)) return null
  const found = findPatches(text, fences)
  if (!found) return null
  const rest = fences.filter((block) => !/^(?:diff|patch|udiff)\b/i.test(block.info) && !isPatchText(block.body))
  const program = rest.length > 0 && wanted.exports.length > 0 ? readBlocks(rest, text, wanted, finish) : null
  if (program && worthOf(program, wanted) >= 5) return program
  const isAllNew = found.patches.every((patch) => patch.kind === 'create')
  if (wanted.previousFiles === null && !isAllNew)
    return {
      outcome: 'patch_not_applied',
      problem: 'there is no earlier version that the patch could change',
      partial: found.source,
      next: next.patch('there is no earlier version that it could change'),
    }
  if (finish === 'length') return { outcome: 'truncated', where: 'code', partial: text, next: next.truncated }
  const result = applyPatches(found.patches, wanted.previousFiles ?? {}, wanted.defaultEntry)
  if (result.kind === 'failed')
    return {
      outcome: 'patch_not_applied',
      problem: result.problem,
      partial: found.source,
      next: next.patch(result.problem),
    }
  if (result.kind === 'none') return null
  return filesOfPatched(
    result.files,
    result.changed,
    wanted,
    result.fuzzy ? ['patched', 'patched_with_fuzz'] : ['patched'],
  )
}

/** A block of Markdown, or one that holds an opener with a tag, gives the blocks inside it. */
function expandNested(block: Block): Block[] {
  const isMarkdown = /^(?:markdown|md|mdx)\b/i.test(block.info)
  if (!isMarkdown && !(block.info === '' && /^ {0,3}(?:`{3,}|~{3,})[\w+#-]+/m.test(block.body))) return [block]
  const inner = scanFences(block.body, { tolerant: false })
  if (inner.length === 0) return [block]
  // The inner closer of equal length has closed the outer block, so an open inner one is as closed as the outer.
  return inner.map((one) => ({
    ...one,
    start: block.start + one.start,
    end: block.start + one.end,
    closed: one.closed || block.closed,
  }))
}

const maxExtensions = 8

/** A block that does not parse because a fence inside a string or comment closed it early is read on to a later closer. */
function completeFences(blocks: readonly Block[], text: string, wanted: ResolvedWanted): Block[] {
  const out: Block[] = []
  let skipTo = -1
  let budget = maxExtensions
  for (const block of blocks) {
    if (block.start < skipTo) continue
    const fence = /^[ \t>]*(`{3,}|~{3,})/.exec(text.slice(block.start, block.start + 60))?.[1]
    if (
      !block.closed ||
      budget === 0 ||
      fence === undefined ||
      block.body.length > 200_000 ||
      !/[`~]{3}/.test(text.slice(block.end, block.end + 200_000))
    ) {
      out.push(block)
      continue
    }
    const reading = readAs(block.body, wanted.language)
    if (reading.ok || !reading.error?.atEnd) {
      out.push(block)
      continue
    }
    const bodyStart = text.indexOf('\n', block.start) + 1
    const closer = new RegExp(`^[ \\t]*${fence[0] === '~' ? '~' : '`'}{${fence.length},}[ \\t]*$`, 'gm')
    closer.lastIndex = block.end
    let grown: Block | null = null
    for (let match = closer.exec(text); match && budget > 0; match = closer.exec(text)) {
      budget--
      const body = text.slice(bodyStart, Math.max(bodyStart, match.index - 1))
      if (readAs(body, wanted.language).ok) {
        // The longest that parses: a shorter one may parse by chance, its string closed by the fence itself.
        grown = { ...block, body, end: match.index + match[0].length }
      }
      if (closer.lastIndex === match.index) closer.lastIndex++
    }
    out.push(grown ?? block)
    if (grown) skipTo = grown.end
  }
  return out
}

/** The whole text as one block, for code whose escapes or characters must be mended before any part of it parses. */
function readWhole(text: string, wanted: ResolvedWanted, finish: Finish): Extraction | null {
  const body = text.trim().replace(/^`{1,2}(?!`)|`{1,2}$/g, '')
  if (body.length > 400_000 || !/[{};=:]/.test(body)) return null
  const extraction = readBlocks(
    [{ body, info: '', start: 0, end: text.length, closed: true, via: 'bare', flags: ['unfenced'] }],
    text,
    wanted,
    finish,
  )
  return extraction?.outcome === 'files' && !extraction.flags.includes('does_not_parse') ? extraction : null
}

/** Definitions in inline code: `export const n = 2`. */
function findInline(text: string): Block[] {
  const blocks: Block[] = []
  for (const match of text.slice(0, 100_000).matchAll(/(?<!`)(`{1,2})(?!`)([^`\n]{8,2000})\1(?!`)/g))
    if (/^(?:export|function|const|let|class|def |SELECT\b|type |interface |async )/i.test(match[2]?.trim() ?? ''))
      blocks.push({
        body: match[2]?.trim() ?? '',
        info: '',
        start: match.index,
        end: match.index + match[0].length,
        closed: true,
        via: 'bare',
        flags: ['unfenced'],
      })
  return blocks.slice(0, 50)
}

/** A reply that goes on with code from the prompt: that code and the reply together. */
function readContinuation(
  text: string,
  fences: readonly Block[],
  wanted: ResolvedWanted,
  finish: Finish,
): Extraction | null {
  const prefix = wanted.prefix ?? ''
  let best: Extraction | null = null
  for (const body of [...fences.map((block) => block.body), text]) {
    const block: Block = {
      body: `${prefix}${body}`,
      info: '',
      start: 0,
      end: text.length,
      closed: finish !== 'length',
      via: 'bare',
      flags: ['continued_prefix'],
    }
    const direct = readBlocks([block], text, wanted, finish)
    const trimmed =
      direct?.outcome === 'files' && !direct.flags.includes('does_not_parse')
        ? direct
        : readBlocks(
            findBareCode(block.body, wanted.language).map((one) => ({ ...one, flags: ['continued_prefix'] })),
            block.body,
            wanted,
            finish,
          )
    if (worthOf(trimmed, wanted) > worthOf(best, wanted)) best = trimmed
  }
  return best
}
