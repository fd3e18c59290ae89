import type { ParsedFile } from './imports-layer.ts'
import { type TS, ts } from './typescript.ts'

const suiteWords = /^(?:describe|suite|xdescribe|fdescribe|context)$/
const caseWords = /^(?:it|test|xit|xtest|fit|specify)$/

/**
 * The text of a test file without the tests of the given titles ('suite > name', with or without the file's path in front).
 * Places of everything else stay as they are: what is taken out is blanked. Titles that are computed cannot be found here.
 */
export function withoutTests(file: ParsedFile, titles: readonly string[]): string {
  const wanted = new Set(titles)
  const cuts: { start: number; end: number }[] = []
  const visit = (node: TS.Node, path: readonly string[]): void => {
    if (ts.isCallExpression(node)) {
      const word = wordOf(node.expression)
      const [title] = node.arguments
      if (word !== undefined && title && ts.isStringLiteralLike(title)) {
        const here = [...path, title.text]
        const name = here.join(' > ')
        if (caseWords.test(word) && (wanted.has(name) || wanted.has(`${file.path} > ${name}`))) {
          cuts.push({ start: node.getStart(file.file), end: node.end })
          return
        }
        if (suiteWords.test(word)) {
          ts.forEachChild(node, (child) => visit(child, here))
          return
        }
      }
    }
    ts.forEachChild(node, (child) => visit(child, path))
  }
  visit(file.file, [])
  let text = file.text
  for (const { start, end } of cuts.reverse()) {
    const blank = text.slice(start, end).replace(/[^\n]/g, ' ')
    text = `${text.slice(0, start)}0${blank.slice(1)}${text.slice(end)}`
  }
  return text
}

function wordOf(callee: TS.Expression): string | undefined {
  let at: TS.Expression = callee
  while (ts.isPropertyAccessExpression(at)) at = at.expression
  return ts.isIdentifier(at) ? at.text : undefined
}
