import { parentPort } from 'node:worker_threads'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'

/** Byte pair encoding takes quadratic time in the length of a word; no real word is longer. */
const LONGEST_WORD = 400
const longWord = new RegExp(`\\S{${LONGEST_WORD + 1},}`, 'g')
const slice = new RegExp(`.{1,${LONGEST_WORD}}`, 'gs')

parentPort?.on('message', ({ id, texts }: { id: number; texts: readonly string[] }) => {
  parentPort?.postMessage({ id, counts: texts.map(count) })
})

function count(text: string): number {
  let tokens = 0
  const rest = text.replace(longWord, (word) => {
    for (const piece of word.match(slice) ?? []) tokens += countTokens(piece, plain)
    return ' '
  })
  return tokens + countTokens(rest, plain)
}

/** Names of control tokens in a text are text. */
const plain = { disallowedSpecial: new Set<string>() }
