import { addUsage, type Usage } from '../domain/result.ts'
import { RedgreenError } from '../errors.ts'
import { chargeFailure } from './charged.ts'
import type { Model, ModelCallOptions, ModelCompletion, ModelReply, ModelRequest } from './types.ts'

export interface WholeCompletion extends ModelCompletion {
  /**
   * For each reply: `continued` when it was cut by length and went on, `asked-again` when it was filtered, or cut before its first
   * word, and asked for anew; then the engine charges no attempt for the first half. `none` for a reply taken as it came.
   */
  readonly mended: readonly Mending[]
}
type Mending = 'none' | 'continued' | 'asked-again'

const goOn =
  'Your answer was cut off by the length limit. Continue exactly where you stopped: begin with the very next character, repeat nothing, explain nothing, open no new fence.'

/**
 * Completes and sees to it that replies are whole: one that ends by length is continued once and joined, one that a content
 * filter stopped is asked for once more. What is still cut after that stays cut (`finish` says so). Where tokens or cost do not
 * reach for the second call, the first reply is given back as it is.
 *
 * @throws RedgreenError what `complete` throws
 */
export async function completeWhole(
  model: Model,
  request: ModelRequest,
  options: ModelCallOptions = {},
): Promise<WholeCompletion> {
  const first = await model.complete(request, options)
  const mends = await Promise.all(
    first.replies.map((reply) => mend(model, request, reply, first.durationMs, options)),
  ).catch((error: unknown) => {
    throw chargeFailure(error, first.usage)
  })
  const usage = mends.reduce(
    (sum: Usage, { usage: more }) => (more === undefined ? sum : addUsage(sum, more)),
    first.usage,
  )
  return {
    ...first,
    replies: mends.map(({ reply }) => reply),
    mended: mends.map(({ mending }) => mending),
    usage,
    // The mends run side by side.
    durationMs: first.durationMs + Math.max(0, ...mends.map(({ durationMs }) => durationMs)),
  }
}

interface Mend {
  readonly reply: ModelReply
  readonly mending: Mending
  readonly usage?: Usage
  readonly durationMs: number
}

async function mend(
  model: Model,
  request: ModelRequest,
  reply: ModelReply,
  usedMs: number,
  options: ModelCallOptions,
): Promise<Mend> {
  const kept: Mend = { reply, mending: 'none', durationMs: 0 }
  const isCut = reply.finish === 'length'
  if (!isCut && reply.finish !== 'content_filter') return kept
  const canContinue = isCut && reply.content.trim() !== ''
  const { choices: _, ...single } = request
  const next: ModelRequest = canContinue
    ? {
        ...single,
        messages: [...request.messages, { role: 'assistant', content: reply.content }, { role: 'user', content: goOn }],
        ...(request.compact
          ? {
              compact: () => [
                ...(request.compact?.() ?? []),
                { role: 'assistant', content: reply.content },
                { role: 'user', content: goOn },
              ],
            }
          : {}),
      }
    : // All of the cap went into thoughts: twice as much may reach for words.
      {
        ...single,
        ...(isCut && request.maxOutputTokens !== undefined ? { maxOutputTokens: request.maxOutputTokens * 2 } : {}),
      }
  try {
    const again = await model.complete(next, {
      ...options,
      ...(options.deadlineMs === undefined ? {} : { deadlineMs: options.deadlineMs - usedMs }),
    })
    const more = again.replies[0]
    const spent = { usage: again.usage, durationMs: again.durationMs }
    if (more === undefined) return { ...kept, ...spent }
    if (!canContinue) return { reply: more, mending: 'asked-again', ...spent }
    if (more.content.trim() === '' || more.finish === 'refusal' || more.finish === 'content_filter')
      return { ...kept, ...spent }
    return { reply: joinReplies(reply, more), mending: 'continued', ...spent }
  } catch (error) {
    // The first reply was paid for; that nothing is left for a second is not its loss.
    const isSpent =
      RedgreenError.isInstance(error) && error.code === 'BUDGET_EXHAUSTED' && error.detail?.budget !== 'time'
    if (isSpent || (RedgreenError.isInstance(error) && error.code === 'MODEL_CONTEXT_OVERFLOW')) return kept
    throw error
  }
}

function joinReplies(head: ModelReply, tail: ModelReply): ModelReply {
  const reasoning = [head.reasoning, tail.reasoning].filter((text) => text !== undefined).join('\n')
  return {
    ...tail,
    content: joinContinued(head.content, tail.content),
    ...(reasoning === '' ? {} : { reasoning }),
  }
}

/** Overlaps shorter than this are taken for chance (`}\n` ends and begins many lines). */
const MIN_OVERLAP = 16
/** Longest overlap looked for, in characters: models repeat lines, not pages. */
const MAX_OVERLAP = 4_000
/** A continuation that begins like the first reply did, over this many characters, is a new start and not a continuation. */
const RESTART_LENGTH = 60

/**
 * Joins a cut text and its continuation without doubling what both hold: a fence opened again, the last lines repeated, the broken
 * last line begun anew. A continuation that starts the whole answer over replaces it. Pure.
 */
export function joinContinued(head: string, tail: string): string {
  const opening = head.trimStart().slice(0, RESTART_LENGTH)
  const isRestart = opening.length === RESTART_LENGTH && tail.trimStart().startsWith(opening)
  if (isRestart && tail.length * 2 > head.length) return tail
  const rest = hasOpenFence(head) ? withoutNewFence(tail) : tail
  const overlap = overlapOf(head, rest)
  if (overlap > 0) return head + rest.slice(overlap)
  const lastLine = head.slice(head.lastIndexOf('\n') + 1)
  const words = lastLine.trimStart()
  const restTrimmed = rest.trimStart()
  // The broken line begun anew, perhaps with other indentation.
  if (words.trim().length >= 4 && restTrimmed.startsWith(words)) return head + restTrimmed.slice(words.length)
  return head + rest
}

function overlapOf(head: string, tail: string): number {
  const longest = Math.min(head.length, tail.length, MAX_OVERLAP)
  for (let length = longest; length >= MIN_OVERLAP; length--) {
    const piece = tail.slice(0, length)
    if (head.endsWith(piece) && /\w[\s\S]*\w[\s\S]*\w[\s\S]*\w/.test(piece)) return length
  }
  return 0
}

function hasOpenFence(text: string): boolean {
  let open: string | undefined
  for (const [, mark = ''] of text.matchAll(/^[ \t]{0,3}(`{3,}|~{3,})/gm)) {
    if (open === undefined) open = mark
    else if (mark[0] === open[0] && mark.length >= open.length) open = undefined
  }
  return open !== undefined
}

/** Drops words before a fence that is opened again, and its line; a fence without a language may be the closing one. */
function withoutNewFence(tail: string): string {
  const found = /^(?:[^\n`~]{0,200}\n+)?[ \t]{0,3}(?:`{3,}|~{3,})[ \t]*[A-Za-z][^\n]*\n/.exec(tail)
  return found ? tail.slice(found[0].length) : tail
}
