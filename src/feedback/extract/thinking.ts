/** An answer with the model's thoughts taken out. */
export interface Thought {
  readonly answer: string
  /** Text of an unclosed thought, null when every thought is closed. */
  readonly unclosed: string | null
}

const names =
  'think|thinking|thought|thoughts|reasoning|reflection|scratchpad|analysis|antml:thinking|antthinking|seed:think|reason|inner_monologue|cot'

/** Openers with the closer each asks for. An opener counts at the start of a line outside of fences. */
const delimiters: readonly { readonly open: RegExp; readonly close: RegExp }[] = [
  { open: new RegExp(`^<(${names})(?:\\s[^>\\n]*)?>`, 'i'), close: new RegExp(`</(${names})>`, 'gi') },
  { open: /^\[(THINK|THINKING|REASONING)\]/, close: /\[\/(THINK|THINKING|REASONING)\]/g },
  { open: /^◁think▷/, close: /◁\/think▷/g },
  { open: /^<\|START_THINKING\|>/, close: /<\|END_THINKING\|>/g },
  { open: /^<\|begin_of_thought\|>/, close: /<\|end_of_thought\|>/g },
  {
    open: /^<\|channel\|?>\s*(?:thought|thinking|analysis|commentary)\b(?:<\|message\|>)?/,
    close: /<channel\|>|<\|end\|>|<\|channel\|>\s*final\s*<\|message\|>|<\|start\|>/g,
  },
  { open: /^<unused94>/, close: /<unused95>/g },
]

/** Template words that frame an answer and are none of it. */
const frame =
  /<\|start\|>\s*assistant|<\|channel\|>\s*final|<\|message\|>|<\|channel\|?>\s*final\s*|<\|(?:begin|end)_of_solution\|>|<\|START_RESPONSE\|>|<\|END_RESPONSE\|>|<\|im_start\|>\s*assistant\s*\n?|<start_of_turn>\s*model\s*\n?/g
/** Where a turn ends; what follows is the model playing the next speaker. */
const turnEnd =
  /(?:<\|im_end\|>|<\|eot_id\|>|<\|endoftext\|>|<\|end_of_text\|>|<end_of_turn>|<｜end▁of▁sentence｜>|<\|EOT\|>|<\|return\|>|<\|end\|>|<\/s>|<eos>|<\|file_separator\|>|<\|end_of_turn\|>|<\|END_OF_TURN_TOKEN\|>)[ \t]*(?=\n|$)/g
const nextTurn =
  /^(?:<\|im_start\|>\s*(?:user|system)|<start_of_turn>\s*user|<\|start_header_id\|>|<\|user\|>|<\|start\|>\s*user|\[INST\])/m

/** Where a model's own turn ends for good: the end of its text, or the next speaker's first words. */
const turnBreak =
  /(?<!['"`\w])(?:<\|im_end\|>|<\|eot_id\|>|<\|endoftext\|>|<\|end_of_text\|>|<end_of_turn>|<｜end▁of▁sentence｜>|<\|EOT\|>|<\/s>|<eos>|<\|file_separator\|>|<\|file_sep\|>)(?!['"`])|^(?:### ?(?:Instruction|Input|Human|User|Question|Problem|Task):?[ \t]*$|(?:Human|User|Question|Instruction|Problem):(?=\s)|\[INST\]|<\|im_start\|>\s*user)/m

/** What comes before the first end of a turn, null where nothing follows it: a base model goes on with another document. */
export function firstTurn(text: string): string | null {
  const match = turnBreak.exec(text)
  if (!match) return null
  const head = text.slice(0, match.index)
  return head.trim() === '' || text.slice(match.index + match[0].length).trim() === '' ? null : head
}

/**
 * Takes thoughts out of a text, whatever delimiters a model has for them. A closer without an opener ends a thought that
 * began before the text did (the opener was part of the prompt). Linear.
 */
export function splitThought(text: string): Thought {
  let answer = ''
  let rest = dropFirstHalf(text)
  for (let rounds = 0; rounds < 50; rounds++) {
    const at = findOpener(rest)
    if (!at) return { answer: dropFrame(answer + rest), unclosed: null }
    const end = findCloser(rest, at.bodyStart, at.delimiter)
    if (end === null) {
      return { answer: dropFrame(answer + rest.slice(0, at.start)), unclosed: dropFrame(rest.slice(at.bodyStart)) }
    }
    answer += rest.slice(0, at.start)
    rest = rest.slice(end)
  }
  return { answer: dropFrame(answer + rest), unclosed: null }
}

/** Drops a thought whose opener is not in the text: up to a lone closer that stands outside of code. */
function dropFirstHalf(text: string): string {
  const closer =
    /<\/(think|thinking|thought|reasoning)>|\[\/THINK\]|◁\/think▷|<\|END_THINKING\|>|<\|end_of_thought\|>|<unused95>/i.exec(
      text,
    )
  if (!closer) return text
  const opener =
    /<(think|thinking|thought|reasoning)(?:\s[^>\n]*)?>|\[THINK\]|◁think▷|<\|START_THINKING\|>|<\|begin_of_thought\|>|<unused94>/i.exec(
      text,
    )
  if (opener && opener.index < closer.index) return text
  const lineStart = text.lastIndexOf('\n', closer.index) + 1
  const before = text.slice(lineStart, closer.index)
  // In a string or beside code it is the program's own.
  if (/['"`(=/*]/.test(before.slice(-2)) || /^['"`);]/.test(text.slice(closer.index + closer[0].length))) return text
  return text.slice(closer.index + closer[0].length)
}

interface Opener {
  readonly start: number
  readonly bodyStart: number
  readonly delimiter: (typeof delimiters)[number]
}

function findOpener(text: string): Opener | null {
  if (!/<|\[|◁/.test(text)) return null
  let fence: string | null = null
  let at = 0
  while (at <= text.length) {
    const newline = text.indexOf('\n', at)
    const end = newline === -1 ? text.length : newline
    const line = text.slice(at, Math.min(end, at + 200))
    const run = /^\s*(`{3,}|~{3,})(.*)$/.exec(line)
    if (run?.[1]) {
      if (fence === null) fence = run[1]
      else if (run[1][0] === fence[0] && run[1].length >= fence.length && run[2]?.trim() === '') fence = null
    } else if (fence === null) {
      const lead = line.length - line.trimStart().length
      const trimmed = line.slice(lead)
      for (const delimiter of delimiters) {
        const match = delimiter.open.exec(trimmed)
        if (match) return { start: at + lead, bodyStart: at + lead + match[0].length, delimiter }
      }
    }
    if (newline === -1) return null
    at = newline + 1
  }
  return null
}

/** End of the thought, past its closer; thoughts of the same kind may nest at line starts. */
function findCloser(text: string, from: number, delimiter: Opener['delimiter']): number | null {
  const close = new RegExp(delimiter.close.source, delimiter.close.flags)
  close.lastIndex = from
  const match = close.exec(text)
  if (!match) return null
  const inner = text.slice(from, match.index)
  const nested = inner.split('\n').filter((line) => delimiter.open.test(line.trimStart())).length
  let end = match.index + match[0].length
  for (let depth = 0; depth < nested; depth++) {
    const next = close.exec(text)
    if (!next) break
    end = next.index + next[0].length
  }
  return end
}

function dropFrame(text: string): string {
  if (!/[<[]/.test(text)) return text
  const next = nextTurn.exec(text)
  const own = next && text.slice(0, next.index).trim() !== '' ? text.slice(0, next.index) : text
  return own.replace(turnEnd, '').replace(frame, '')
}
