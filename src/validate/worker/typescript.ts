import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import type { ts as TypeScript } from 'ts-morph'
import { CompiledScript } from './compiled-script.ts'

interface Common {
  getLibFiles(): readonly { readonly fileName: string; readonly text: string }[]
}

const near = createRequire(import.meta.url)
/** Written by scripts/build-compiler.js; sources that are run as they are have none. */
const built = fileURLToPath(new URL('./compiler/', import.meta.url))
const script = existsSync(built) ? await CompiledScript.load(`${built}compiler.cjs`) : undefined
// The compiler is ts-morph's own, taken from the package that ts-morph itself takes it from, and there from its own file: the
// wrapper classes around it are not needed here and would add half to the start of the worker.
const nearTsMorph = (): NodeJS.Require => createRequire(near.resolve('ts-morph'))
const compiler: unknown = script ? script.exports : nearTsMorph()('@ts-morph/common/dist/typescript.js')

const ts = compiler as typeof TypeScript

/** The type namespace of the compiler; values come from `ts`. */
export type { TypeScript as TS }
export { ts }

/** To be called when the compiler has done its usual work once: the next process starts from what was compiled for it. */
export async function keepCompiled(): Promise<void> {
  await script?.keep()
}

const texts = new Map<string, string | undefined>()
let all: ReadonlyMap<string, string> | undefined

/** Text of one of the compiler's own lib files, e.g. `lib.es5.d.ts`. */
export function libText(name: string): string | undefined {
  if (!texts.has(name)) texts.set(name, readLib(name))
  return texts.get(name)
}

function readLib(name: string): string | undefined {
  if (!/^lib\.[\w.]+\.d\.ts$/.test(name)) return undefined
  if (script) {
    const path = built + name
    return existsSync(path) ? readFileSync(path, 'utf8') : undefined
  }
  all ??= new Map((nearTsMorph()('@ts-morph/common') as Common).getLibFiles().map((file) => [file.fileName, file.text]))
  return all.get(name)
}
