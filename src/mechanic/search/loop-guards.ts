import { ts } from 'ts-morph'
import { applyEdits, type TextEdit } from '../types/edit.ts'

const counter = '__redgreenRounds'

/** Edits that belong together: without one of them the others would not parse. */
export type Guard = readonly TextEdit[]

/**
 * Guards against endless loops, which are common among changed programs and dear: stopping one from outside costs an isolate.
 * Offsets are those of `source`.
 */
export function loopGuards(source: ts.SourceFile, mostRounds: number): readonly Guard[] {
  const guards: Guard[] = []
  // hoisted and without a value at first, so that loops at top level are counted too
  const check = `if((${counter}=(${counter}||0)+1)>${mostRounds})throw new Error("endless");`
  const visit = (node: ts.Node): void => {
    if (ts.isIterationStatement(node, false)) {
      const body = node.statement
      const start = body.getStart(source)
      guards.push(
        ts.isBlock(body)
          ? [{ start: start + 1, end: start + 1, text: check }]
          : [
              { start, end: start, text: `{${check}` },
              { start: body.end, end: body.end, text: '}' },
            ],
      )
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return guards
}

/** The text with the change and with every guard that the change leaves whole. */
export function guarded(text: string, change: TextEdit, guards: readonly Guard[]): string {
  const isCut = (edit: TextEdit): boolean => change.start < edit.start && edit.start < change.end
  const before: TextEdit[] = []
  const after: TextEdit[] = []
  for (const guard of guards) {
    if (guard.some(isCut)) continue
    for (const edit of guard) {
      // closing braces come behind a changed body, checks before it
      if (edit.text === '}' ? edit.start < change.end : edit.start <= change.start) before.push(edit)
      else after.push(edit)
    }
  }
  const edits = [...before.sort(byPlace), change, ...after.sort(byPlace)]
  const made = splice(text, edits)
  return guards.length === 0 ? made : `${made}\nvar ${counter};`
}

const byPlace = (a: TextEdit, b: TextEdit): number => a.start - b.start

function splice(text: string, edits: readonly TextEdit[]): string {
  let made = ''
  let at = 0
  for (const edit of edits) {
    made += text.slice(at, edit.start) + edit.text
    at = edit.end
  }
  return made + text.slice(at)
}

/** A change alone. */
export const changed = (text: string, change: TextEdit): string => applyEdits(text, [change]) ?? text
