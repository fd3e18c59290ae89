import type { ts } from 'ts-morph'

/** Something in a green candidate that a person should look at. */
export interface Suspicion {
  readonly kind: 'answers' | 'sniffing' | 'swallowed' | 'disabled' | 'rival'
  /** True where it says that the code knows the tests; such code is not believed at all. */
  readonly isGrave: boolean
  /** One line: what and where. */
  readonly text: string
}

/** One line of source, cut. */
export function excerpt(text: string, length = 60): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > length ? `${line.slice(0, length)}…` : line
}

/** `solution.ts:12` */
export const placeOf = (source: ts.SourceFile, node: ts.Node): string =>
  `${source.fileName}:${source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1}`
