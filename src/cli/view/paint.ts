import { styleText } from 'node:util'

type Style = Parameters<typeof styleText>[0]

/** Colours text, or leaves it plain. */
export type Paint = (style: Style, text: string) => string

export function createPaint(colour: boolean): Paint {
  return (style, text) => (colour ? styleText(style, text, { validateStream: false }) : text)
}

/** Control characters made visible: what a test or a model wrote must not steer the terminal. */
export function printable(text: string): string {
  let shown = ''
  for (const character of text) {
    const code = character.charCodeAt(0)
    const steers = (code < 0x20 && character !== '\n' && character !== '\t') || (code >= 0x7f && code <= 0x9f)
    shown += steers ? `\\x${code.toString(16).padStart(2, '0')}` : character
  }
  return shown
}

/** The text in at most `width` columns, with an ellipsis where it was cut. */
export function cutTo(text: string, width: number): string {
  return text.length <= width ? text : `${text.slice(0, Math.max(0, width - 1))}…`
}
