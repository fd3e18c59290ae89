import { readFileSync } from 'node:fs'
import ivm from 'isolated-vm'
import type { GuestMessage } from '../harness/channel.ts'
import type { GuestModule } from './prepare.ts'
import { warmUpScript } from './warm-up.ts'

/** What distinguishes isolates that are made ahead of demand. */
export interface IsolateKind {
  readonly memoryMiB: number
  readonly extraGlobals: readonly string[]
  readonly timeZone: string
}

/** An isolate that holds the frozen harness and waits for modules. */
export interface ReadyIsolate {
  readonly kind: IsolateKind
  onMessage: (message: GuestMessage) => void
  /** Gives a module to the harness. Throws SyntaxError if V8 refuses the text. */
  define(module: GuestModule, filename: string): void
  /** As `define`, after `seal`: puts another module in the place of the one with the same path. */
  redefine(module: GuestModule, filename: string): void
  /** Takes the harness's entry away from the global object; guest code may run from then on. */
  seal(): void
  /** Calls the harness. Throws what isolated-vm throws when it had to stop the isolate, or an unhandled rejection. */
  call(entry: 'start' | 'startVariant' | 'pump', argument: string | number | undefined, timeoutMs: number): unknown
  isUnhandledRejection(error: unknown): boolean
  readonly isDisposed: boolean
  dispose(): void
}

/** V8 keeps some of a heap's limit for itself; below this it cannot start from the snapshot. */
const leastMemoryMiB = 32
const boot = `const harness = globalThis.__redgreen; harness.connect($0); harness.freeze($1)`
const bootMs = 10_000

let snapshot: ivm.ExternalCopy<ArrayBuffer> | undefined

/** The harness's text, in a child that was bundled; see scripts/build-child.js. */
declare const REDGREEN_HARNESS: string | undefined

function harnessSource(): string {
  if (typeof REDGREEN_HARNESS === 'string') return REDGREEN_HARNESS
  // a checkout that is run from its sources, after `npm run build:harness`
  return readFileSync(new URL('../../../node_modules/.cache/redgreen/harness.js', import.meta.url), 'utf8')
}

function getSnapshot(): ivm.ExternalCopy<ArrayBuffer> {
  snapshot ??= ivm.Isolate.createSnapshot([{ code: harnessSource(), filename: 'rg:harness' }], warmUpScript())
  return snapshot
}

/** The snapshot as bytes, for other children of the same host: making one costs more than all the rest of a start. */
export function snapshotBytes(): Uint8Array {
  return new Uint8Array(getSnapshot().copy())
}

/** Takes a snapshot that another child of this very program and Node has made, before it served any guest. */
export function adoptSnapshot(bytes: Uint8Array): void {
  // not slice(), which on a Buffer shares its memory
  snapshot = new ivm.ExternalCopy(new Uint8Array(bytes).buffer)
}

function createIsolate(kind: IsolateKind): ReadyIsolate {
  const isolate = new ivm.Isolate({
    memoryLimit: Math.max(leastMemoryMiB, kind.memoryMiB),
    snapshot: getSnapshot(),
  })
  const context = isolate.createContextSync()
  const self = { onMessage: (_: GuestMessage): void => undefined }
  const callback = new ivm.Callback(
    (text: unknown) => {
      if (typeof text === 'string') self.onMessage(JSON.parse(text) as GuestMessage)
    },
    { sync: true },
  )
  context.evalClosureSync(boot, [callback, JSON.stringify(kind.extraGlobals)], { timeout: bootMs })
  const entry = (name: string): ivm.Reference =>
    context.evalSync(`globalThis.__redgreen.${name}`, { reference: true }) as ivm.Reference
  const redefine = context.evalSync('globalThis.__redgreen.define', { reference: true }) as ivm.Reference
  const entries = { start: entry('start'), startVariant: entry('startVariant'), pump: entry('pump') }
  return Object.assign(self, {
    kind,
    define(module: GuestModule, filename: string) {
      const definition = JSON.stringify(JSON.stringify(module.definition))
      const head = `"use strict";__redgreen.define(${definition}`
      try {
        const script = isolate.compileScriptSync(
          module.factory === undefined ? `${head})` : `${head},${module.factory})`,
          { filename, columnOffset: -(head.length + 1) },
        )
        script.runSync(context, { timeout: bootMs })
        script.release()
      } catch (error) {
        if (!(error instanceof SyntaxError) || module.factory === undefined) throw error
        const failed = { ...module, definition: { ...module.definition, syntaxError: error.message } }
        const { factory: _, ...without } = failed
        this.define(without, filename)
      }
    },
    redefine(module: GuestModule, filename: string) {
      const give = (definition: GuestModule['definition'], factory?: ivm.Reference): void => {
        const args = [JSON.stringify(definition), ...(factory ? [factory.derefInto()] : [])]
        redefine.applySync(undefined, args, { timeout: bootMs })
      }
      try {
        if (module.factory === undefined) return give(module.definition)
        const head = '"use strict";('
        const script = isolate.compileScriptSync(`${head}${module.factory})`, { filename, columnOffset: -head.length })
        const factory = script.runSync(context, { timeout: bootMs, reference: true }) as ivm.Reference
        give(module.definition, factory)
        factory.release()
        script.release()
      } catch (error) {
        if (!(error instanceof SyntaxError)) throw error
        give({ ...module.definition, syntaxError: error.message })
      }
    },
    seal() {
      context.evalSync('delete globalThis.__redgreen', { timeout: bootMs })
    },
    call(name: keyof typeof entries, argument: string | number | undefined, timeoutMs: number): unknown {
      const args = argument === undefined ? [] : [argument]
      return entries[name].applySync(undefined, args, { timeout: Math.ceil(timeoutMs) }) as unknown
    },
    isUnhandledRejection(error: unknown) {
      const message = error instanceof Error ? error.message : ''
      return (
        !isolate.isDisposed && message !== 'Script execution timed out.' && !/^Isolate (was|is) disposed/.test(message)
      )
    },
    get isDisposed() {
      return isolate.isDisposed
    },
    dispose() {
      if (!isolate.isDisposed) isolate.dispose()
    },
  })
}

let warm: ReadyIsolate | undefined
let nextKind: IsolateKind = { memoryMiB: 256, extraGlobals: [], timeZone: process.env.TZ ?? 'UTC' }

/** Makes the next isolate, of the kind that was asked for last. */
export function warmIsolate(): void {
  const kind = { ...nextKind, timeZone: process.env.TZ ?? 'UTC' }
  if (warm && isSame(warm.kind, kind)) return
  warm?.dispose()
  warm = createIsolate(kind)
}

const isSame = (a: IsolateKind, b: IsolateKind): boolean =>
  a.memoryMiB === b.memoryMiB &&
  a.timeZone === b.timeZone &&
  a.extraGlobals.length === b.extraGlobals.length &&
  a.extraGlobals.every((name) => b.extraGlobals.includes(name))

/** The warm isolate if it is of the kind, else a new one. */
export function takeIsolate(kind: IsolateKind): ReadyIsolate {
  nextKind = kind
  const taken = warm
  warm = undefined
  if (taken && isSame(taken.kind, kind)) return taken
  taken?.dispose()
  return createIsolate(kind)
}
