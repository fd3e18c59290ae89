import { toUSVString } from 'node:util'

const esc = '\u001b'
const csi = '\u009b'
const bell = '\u0007'

// ECMA-48: CSI and OSC sequences, two-byte escapes, and the one-byte CSI.
const sequence = new RegExp(
  String.raw`${esc}(?:\[[0-?]*[ -/]*[@-~]|\][^${bell}${esc}]{0,4000}(?:${bell}|${esc}\\)|[()#][0-9A-Za-z]|[@-Z\\^_=>78])|${csi}[0-?]*[ -/]*[@-~]`,
  'y',
)

/** Text without colours, cursor movements, links and carriage returns; lone surrogates replaced. Linear. */
export function cleanText(text: string): string {
  let out = text.includes(esc) ? withoutSequences(text, esc) : text
  if (out.includes(csi)) out = withoutSequences(out, csi)
  if (out.includes('\r')) out = out.replace(/\r{1,8}\n/g, '\n').replaceAll('\r', '\n')
  if (out.charCodeAt(0) === 0xfeff) out = out.slice(1)
  return toUSVString(out)
}

/** Jumps from mark to mark, which is several times faster than a global replacement on a large log. */
function withoutSequences(text: string, mark: string): string {
  const kept: string[] = []
  let start = 0
  for (let at = text.indexOf(mark); at !== -1; at = text.indexOf(mark, at)) {
    sequence.lastIndex = at
    if (sequence.test(text)) {
      if (at > start) kept.push(text.slice(start, at))
      at = sequence.lastIndex
      start = at
    } else at += 1
  }
  kept.push(text.slice(start))
  return kept.join('')
}
