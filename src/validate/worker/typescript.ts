import { createRequire } from 'node:module'
import type { ts as TypeScript } from 'ts-morph'

interface Common {
  readonly ts: typeof TypeScript
  getLibFiles(): readonly { readonly fileName: string; readonly text: string }[]
}

// The compiler is ts-morph's own, taken from the package that ts-morph itself takes it from: the wrapper classes around
// it are not needed here and would add a quarter to the start of the worker.
const near = createRequire(import.meta.url)
const common: unknown = createRequire(near.resolve('ts-morph'))('@ts-morph/common')

/** The shape is that of the published declarations of `@ts-morph/common`, which is not a dependency of our own. */
const { ts, getLibFiles } = common as Common

/** The type namespace of the compiler; values come from `ts`. */
export type { TypeScript as TS }
export { ts }

let texts: ReadonlyMap<string, string> | undefined

/** Texts of the compiler's own lib files by name, e.g. `lib.es5.d.ts`. */
export function libTexts(): ReadonlyMap<string, string> {
  texts ??= new Map(getLibFiles().map((file) => [file.fileName, file.text]))
  return texts
}
