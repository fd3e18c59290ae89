import type { Failure } from '../domain/report.ts'
import { readAnswer, worthOf } from './extract/answer.ts'
import { type Envelope, openEnvelope } from './extract/envelope.ts'
import { next } from './extract/next.ts'
import { filesOfCarried } from './extract/outcome.ts'
import { findRefusal } from './extract/refusal.ts'
import { firstTurn, splitThought } from './extract/thinking.ts'
import { carriedBy } from './extract/tool-calls.ts'
import type { Extraction, Reply, Wanted } from './extract/types.ts'
import { type ResolvedWanted, resolveWanted } from './extract/wanted.ts'
import { readJson } from './json.ts'
import { parseJsonAt } from './json-parse.ts'

/**
 * Reads a model's reply for the program (or JSON) that was asked for. Pure and total: whatever the reply is, the answer is
 * one of the outcomes, in time linear in the reply's length. Code is taken byte for byte, but for line ends and what had to be
 * mended so that it parses at all (`flags` says what).
 *
 * @param reply the provider's message; `toReply` makes one of a raw chat completion
 * @param wanted what was asked for
 */
export function extract(reply: Reply, wanted: Wanted = {}): Extraction {
  const want = resolveWanted(wanted)
  const envelope = openEnvelope(reply)
  if (envelope.finish === 'content_filter') return { outcome: 'filtered', partial: envelope.text, next: next.filtered }
  const called = readToolCalls(envelope, want)
  if (called && worthOf(called, want) >= 4) return called
  const turn = want.exports.length > 0 ? firstTurn(envelope.text) : null
  const first = turn === null ? null : readAnswer(splitThought(turn).answer, want, 'stop')
  if (first && worthOf(first, want) >= 5) return first
  const { answer, unclosed } = splitThought(envelope.text)
  const read = readAnswer(answer, want, envelope.finish)
  const best = worthOf(read, want) >= worthOf(called, want) ? read : called
  if (worthOf(best, want) >= 1.5 && best) return best
  if (unclosed !== null) {
    if (envelope.finish === 'length')
      return { outcome: 'truncated', where: 'reasoning', partial: unclosed, next: next.truncatedReasoning }
    const salvaged = readAnswer(unclosed, want, envelope.finish)
    if (salvaged) return flagged(salvaged, 'salvaged_from_unclosed_think')
  }
  return best ?? readRest(answer.trim() === '' && unclosed !== null ? unclosed : answer, envelope, want)
}

const flagged = (
  extraction: Extraction,
  flag: 'salvaged_from_unclosed_think' | 'salvaged_from_reasoning',
): Extraction =>
  extraction.outcome === 'files' || extraction.outcome === 'json'
    ? { ...extraction, flags: [flag, ...extraction.flags] }
    : extraction

/** What a reply is that holds nothing usable. */
function readRest(text: string, envelope: Envelope, want: ResolvedWanted): Extraction {
  const refusal = envelope.refusal !== '' ? envelope.refusal : findRefusal(text)
  if (refusal !== null && refusal !== '') return { outcome: 'refused', message: refusal, next: next.refused }
  if (envelope.finish === 'refusal')
    return { outcome: 'refused', message: text.trim().slice(0, 400), next: next.refused }
  if (text.trim() === '') {
    if (envelope.finish === 'length')
      return {
        outcome: 'truncated',
        where: envelope.reasoning !== '' ? 'reasoning' : 'prose',
        partial: envelope.reasoning,
        next: envelope.reasoning !== '' ? next.truncatedReasoning : next.truncated,
      }
    // Some servers file a whole answer under reasoning; with the text empty and the reply complete, it is taken from there.
    const salvaged =
      envelope.reasoning === '' ? null : readAnswer(splitThought(envelope.reasoning).answer, want, envelope.finish)
    if (salvaged && worthOf(salvaged, want) >= 4) return flagged(salvaged, 'salvaged_from_reasoning')
    return { outcome: 'empty', next: next.empty }
  }
  if (envelope.finish === 'length') return { outcome: 'truncated', where: 'prose', partial: text, next: next.truncated }
  if (want.shape !== null)
    return {
      outcome: 'bad_json',
      problem: 'the reply holds no JSON',
      location: { line: 1, column: 1 },
      partial: text,
      next: next.jsonShape('the reply holds no JSON'),
    }
  return { outcome: 'no_code', partial: text, next: next.noCode(want.language, want.exports) }
}

/** The first tool call that carries code, or the JSON that is wanted. */
function readToolCalls(envelope: Envelope, want: ResolvedWanted): Extraction | null {
  let best: Extraction | null = null
  for (const call of envelope.toolCalls) {
    if (call.arguments.trim() === '') continue
    if (want.shape !== null) {
      const json = readJson(call.arguments, want.shape)
      if (json.kind === 'value')
        return { outcome: 'json', value: json.value, flags: ['from_tool_call'], next: next.json }
    }
    const parsed = parseJsonAt(call.arguments, 0)
    if (parsed.kind === 'cut' && /^\s*\{/.test(call.arguments))
      best ??= { outcome: 'truncated', where: 'json', partial: call.arguments, next: next.truncated }
    const carried = parsed.kind === 'value' ? carriedBy(parsed.value) : null
    const read = carried
      ? filesOfCarried(carried, want, envelope.finish === 'length' ? 'length' : 'stop', ['from_tool_call'])
      : parsed.kind === 'bad'
        ? readAnswer(call.arguments, want, envelope.finish)
        : null
    if (worthOf(read, want) > worthOf(best, want)) best = read
  }
  return best
}

/**
 * The failure of layer `extract`, kind `reply`, that an extraction without usable files is in a report.
 *
 * @throws never; for `files` and `json` there is no failure and the answer is null
 */
export function toFailure(extraction: Extraction): Failure | null {
  if (extraction.outcome === 'files' || extraction.outcome === 'json') return null
  const base = {
    layer: 'extract',
    kind: 'reply',
    severity: 'error',
    code: extraction.outcome,
    hint: extraction.next,
  } as const
  const of = (message: string, detail = ''): Failure => ({
    ...base,
    message,
    fingerprint: `extract:${extraction.outcome}${detail === '' ? '' : `:${detail}`}`,
  })
  switch (extraction.outcome) {
    case 'truncated':
      return of(
        extraction.where === 'reasoning'
          ? 'the reply was cut while the model was still reasoning'
          : `the reply was cut inside its ${extraction.where === 'prose' ? 'text' : extraction.where}`,
        extraction.where,
      )
    case 'elided':
      return {
        ...of(`code is left out: ${oneLine(extraction.placeholder)}`, oneLine(extraction.placeholder).toLowerCase()),
        location: extraction.location,
      }
    case 'refused':
      return of(`the model refused: ${oneLine(extraction.message)}`)
    case 'filtered':
      return of('the provider filtered the reply')
    case 'language_mismatch':
      return of(`the code is ${extraction.found}, wanted is ${extraction.wanted}`, extraction.found)
    case 'no_code':
      return of('the reply holds no usable code')
    case 'empty':
      return of('the reply is empty')
    case 'bad_json':
      return of(
        `the reply is no such JSON as was asked for: ${oneLine(extraction.problem)} (line ${extraction.location.line}, column ${extraction.location.column})`,
        oneLine(extraction.problem),
      )
    case 'patch_not_applied':
      return of(`the patch does not apply: ${oneLine(extraction.problem)}`, oneLine(extraction.problem))
    case 'ambiguous':
      return of(`the reply holds ${extraction.candidates.length} programs that could be the answer`)
  }
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim().slice(0, 300)
