import type { ts } from 'ts-morph'
import type { Template } from '../context.ts'
import type { Fix } from '../edit.ts'

/** Fixes of the language service that only silence, or that need what the sandbox has not. */
const refused = new Set([
  'disableJsDiagnostics',
  'fixMissingTypeAnnotationOnExports',
  'installTypesPackage',
  'addMissingDeclareProperty',
  'fixEnableJsxFlag',
  'fixModuleOption',
  'fixTargetOption',
])

const likely: Record<string, number> = {
  spelling: 0.15,
  import: 0.1,
  addMissingAwait: 0.15,
  fixMissingProperties: 0.4,
  inferFromUsage: 0.25,
  addMissingConst: 0.05,
  fixAddReturnTypeInAsyncFunction: 0.1,
  returnValueCorrect: 0.1,
  fixUnreachableCode: 0.1,
  constructorForDerivedNeedSuperCall: 0.1,
  extendsInterfaceBecomesImplements: 0.05,
  forgottenThisPropertyAccess: 0.1,
  addMissingNewOperator: 0.1,
  fixAwaitInSyncFunction: 0.3,
  fixConvertConstToLet: 0.02,
}

/** The compiler's own code fixes; none that writes `any`, an assertion to `unknown` or an ignore comment. */
export const serviceFixes: Template = function* (context) {
  let actions: readonly ts.CodeFixAction[]
  try {
    actions = context.compiler.codeFixes(context.path, context.diagnostic)
  } catch {
    // the service itself can fail on torn trees (it asserts); its fixes are only one source of several
    return
  }
  for (const action of actions) {
    if (refused.has(action.fixName)) continue
    const edits: Fix['edits'][number][] = []
    let isOwn = true
    for (const change of action.changes) {
      if (context.compiler.toTaskPath(change.fileName) !== context.path) isOwn = false
      for (const edit of change.textChanges)
        edits.push({ start: edit.span.start, end: edit.span.start + edit.span.length, text: edit.newText })
    }
    const silences = edits.some((edit) => /\bany\b|@ts-|as unknown|!$|declare |\bunknown\b/.test(edit.text))
    // a function that only throws is no mend
    const isHollow = edits.some((edit) => edit.text.includes('not implemented'))
    if (!isOwn || silences || isHollow || edits.length === 0) continue
    const description = action.description.replace(/\s+/g, ' ')
    yield {
      file: context.path,
      edits,
      cost: likely[action.fixName] ?? 0.35,
      what: description.charAt(0).toLowerCase() + description.slice(1),
    }
  }
}
