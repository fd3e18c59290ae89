import { toUSVString } from 'node:util'

const escapeSequence = '\u001b'
const csi = '\u009b'
const bell = '\u0007'

// ECMA-48: CSI and OSC sequences, two-byte escapes, and the one-byte CSI.
const escapes = new RegExp(
  String.raw`${escapeSequence}(?:\[[0-?]*[ -/]*[@-~]|\][^${bell}${escapeSequence}]{0,4000}(?:${bell}|${escapeSequence}\\)|[()#][0-9A-Za-z]|[@-Z\\^_=>78])|${csi}[0-?]*[ -/]*[@-~]`,
  'g',
)

/** Text without colours, cursor movements, links and carriage returns; lone surrogates replaced. Linear. */
export function cleanText(text: string): string {
  let out = text.includes(escapeSequence) || text.includes(csi) ? text.replace(escapes, '') : text
  if (out.includes('\r')) out = out.replace(/\r{1,8}\n/g, '\n').replaceAll('\r', '\n')
  if (out.charCodeAt(0) === 0xfeff) out = out.slice(1)
  return toUSVString(out)
}
