import { Worker } from 'node:worker_threads'
import type { ModelMessage } from './types.ts'

/**
 * Tokens that a text takes, by a rule that costs next to nothing: words of letters at 5.5 characters a token, digits at 3,
 * punctuation at 1.6, a line break with its indentation at 0.9, accented letters at 0.4 tokens each, other alphabets at 0.25,
 * Chinese, Japanese and Korean at 0.72. Measured against o200k_base: 5 % over on JavaScript, 12 % on TypeScript, 5 % on
 * Markdown; single files within a third.
 */
export function estimateTokens(text: string): number {
  if (text.length > SAMPLE_ABOVE) {
    const pieces = samplesOf(text)
    const sampled = pieces.reduce((sum, piece) => sum + piece.length, 0)
    return Math.ceil(pieces.reduce((sum, piece) => sum + estimateTokens(piece), 0) * (text.length / sampled))
  }
  let tokens = 0
  let letters = 0
  let digits = 0
  let marks = 0
  let blank = false
  const close = () => {
    if (letters > 0) tokens += Math.max(1, letters / 5.5)
    if (digits > 0) tokens += Math.ceil(digits / 3)
    if (marks > 0) tokens += Math.max(1, marks / 1.6)
    letters = 0
    digits = 0
    marks = 0
  }
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    const isLetter = (code >= 97 && code <= 122) || (code >= 65 && code <= 90)
    const isDigit = code >= 48 && code <= 57
    const isBlank = code === 32 || code === 9 || code === 10 || code === 13
    if (isBlank) {
      close()
      if (!blank && (code === 10 || code === 13)) tokens += 0.9
      blank = code === 10 || code === 13
      continue
    }
    blank = false
    if (isLetter) {
      if (digits > 0 || marks > 0) close()
      letters++
    } else if (isDigit) {
      if (letters > 0 || marks > 0) close()
      digits++
    } else if (code < 128) {
      if (letters > 0 || digits > 0) close()
      marks++
    } else {
      close()
      tokens += code < 0x0250 ? 0.4 : code < 0x1100 ? 0.25 : 0.72
    }
  }
  close()
  return Math.ceil(tokens)
}

/** Texts longer than this, in UTF-16 units, are sampled. */
const SAMPLE_ABOVE = 100_000
const SAMPLE_LENGTH = 16_000
const SAMPLES = 4

function samplesOf(text: string): string[] {
  if (text.length <= SAMPLE_ABOVE) return [text]
  const step = (text.length - SAMPLE_LENGTH) / (SAMPLES - 1)
  return Array.from({ length: SAMPLES }, (_, index) => {
    const from = Math.floor(index * step)
    return text.slice(from, from + SAMPLE_LENGTH)
  })
}

/** Tokens that a chat template adds for each message and for the start of the answer (OpenAI cookbook, "How to count tokens"). */
const TOKENS_PER_MESSAGE = 4
const TOKENS_OF_ANSWER_START = 3

/** Estimated tokens of a prompt, template included. */
export function estimatePromptTokens(
  messages: readonly ModelMessage[],
  estimate: (text: string) => number = estimateTokens,
): number {
  return messages.reduce((sum, message) => sum + estimate(message.content) + TOKENS_PER_MESSAGE, TOKENS_OF_ANSWER_START)
}

/** Longest wait for the tokenizer, loading included, before the cheap rule answers instead. */
const TOKENIZER_PATIENCE_MS = 10_000
/** The worker holds some 60 MB; it goes when nobody has asked for a while. */
const TOKENIZER_IDLE_MS = 20_000

interface Tokenizer {
  count(texts: readonly string[]): Promise<readonly number[]>
}
let tokenizer: Tokenizer | undefined

/**
 * Tokens of each text by o200k_base (gpt-tokenizer), for answers whose provider does not count. Runs in a worker thread, since
 * loading the vocabulary takes some 300 ms and a word of 20,000 letters as long again; texts over 100,000 characters are
 * sampled. Falls back to `estimateTokens` when the worker cannot be had or takes more than ten seconds.
 */
export async function countTokens(texts: readonly string[]): Promise<readonly number[]> {
  const jobs = texts.map(samplesOf)
  tokenizer ??= startTokenizer()
  try {
    const counts = await tokenizer.count(jobs.flat())
    let at = 0
    return jobs.map((pieces, index) => {
      const sampled = pieces.reduce((sum, piece) => sum + piece.length, 0)
      const counted = counts.slice(at, at + pieces.length).reduce((sum, count) => sum + count, 0)
      at += pieces.length
      return sampled === 0 ? 0 : Math.round((counted * (texts[index]?.length ?? 0)) / sampled)
    })
  } catch {
    // An estimate is wanted, and there is a second way to one.
    return texts.map(estimateTokens)
  }
}

function startTokenizer(): Tokenizer {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
  // Nothing of the host's environment or arguments is of use there.
  const worker = new Worker(new URL(`./token-worker.${extension}`, import.meta.url), {
    env: {},
    execArgv: [],
    stdin: false,
  })
  const waiting = new Map<number, { resolve(counts: readonly number[]): void; reject(error: Error): void }>()
  let next = 0
  let idle: NodeJS.Timeout | undefined
  const stop = (error: Error) => {
    tokenizer = undefined
    for (const { reject } of waiting.values()) reject(error)
    waiting.clear()
    void worker.terminate()
  }
  worker.unref()
  worker.on('error', (error) => stop(error instanceof Error ? error : new Error('the tokenizer failed')))
  worker.on('message', ({ id, counts }: { id: number; counts: readonly number[] }) => {
    waiting.get(id)?.resolve(counts)
    waiting.delete(id)
    if (waiting.size > 0) return
    worker.unref()
    idle = setTimeout(() => stop(new Error('idle')), TOKENIZER_IDLE_MS)
    idle.unref()
  })
  return {
    count: (texts) =>
      new Promise((resolve, reject) => {
        clearTimeout(idle)
        const id = next++
        // Somebody waits: the process must not end under them.
        worker.ref()
        const patience = setTimeout(() => stop(new Error('the tokenizer took too long')), TOKENIZER_PATIENCE_MS)
        const settle = () => clearTimeout(patience)
        waiting.set(id, {
          resolve: (counts) => {
            settle()
            resolve(counts)
          },
          reject: (error) => {
            settle()
            reject(error)
          },
        })
        worker.postMessage({ id, texts })
      }),
  }
}
