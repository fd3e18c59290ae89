import { ts } from 'ts-morph'
import type { FileMap } from '../../domain/task.ts'
import type { SourceModule } from '../../sandbox/types.ts'
import type { ValidationRequest } from '../../validate/types.ts'
import { Judge } from '../../validate/worker/judge.ts'
import { generateMutations } from '../mutations/generate.ts'
import type { Mutation } from '../mutations/mutation.ts'
import type { TextEdit } from '../types/edit.ts'
import { canonicalForm } from './canonical.ts'
import { instrument } from './localise.ts'
import { changed, type Guard, guarded, loopGuards } from './loop-guards.ts'
import type { Answers, OpenedProgram, StatementPlace, Suspect, Variant } from './messages.ts'
import { probeScript } from './probe.ts'
import { type TestInputs, testInputs } from './test-inputs.ts'

/** One file of a base program, with what is needed to make a variant of it cheaply. */
interface BaseFile {
  readonly path: string
  readonly text: string
  readonly module: SourceModule
  readonly guards: readonly Guard[]
  /** The module's code has every character of the text at its place, types blanked. */
  readonly keepsPlaces: boolean
  readonly mostRounds: number
}

interface Expansion {
  /** Modules of the base that differ from those of the opened program. */
  readonly modules: readonly SourceModule[]
  readonly pool: readonly { readonly file: BaseFile; readonly mutation: Mutation; readonly cost: number }[]
  next: number
}

/** How much a change at a place without suspicion costs more than one at the most suspicious place. */
const innocence = 0.3
/** A place that no failing test comes by can hardly be the fault. */
const notReached = 1

/** Programs and their changes; lives in the worker thread of a search. */
export class Workbench {
  readonly #judge = new Judge()
  readonly #seen = new Set<string>()
  readonly #expansions: Expansion[] = []
  #validation: ValidationRequest | undefined
  #inputs: TestInputs = { numbers: [], strings: [], calls: [] }
  #opened: OpenedProgram | undefined
  #variants = 0

  get inputs(): TestInputs {
    return this.#inputs
  }

  /** Reads a program and its tests; null when they cannot be prepared for the sandbox. */
  async open(validation: ValidationRequest): Promise<OpenedProgram | null> {
    this.#validation = validation
    const prepared = await this.#prepare(validation.files)
    if (!prepared) return null
    const sources = Object.entries(validation.tests)
      .filter(([path]) => isCode(path))
      .map(([path, text]) => parse(path, text))
    this.#inputs = testInputs(sources)
    for (const [path, text] of Object.entries(validation.files))
      if (isCode(path)) this.#seen.add(`${path}\0${canonicalForm(text, path)}`)
    this.#opened = {
      modules: prepared.modules,
      tests: prepared.tests,
      packages: prepared.packages,
      entry: entryAmong(validation.entry, prepared.modules),
    }
    return this.#opened
  }

  instrument(): Answers['instrument'] {
    const { files } = this.#validation ?? {}
    const statements: StatementPlace[] = []
    if (!files || !this.#opened) return null
    const modules = this.#opened.modules.map((module) => {
      const text = files[module.path]
      if (text === undefined || !isCode(module.path) || !keepsPlaces(module, text)) return module
      const counted = instrument(parse(module.path, module.code), statements.length)
      if (!counted) return module
      statements.push(...counted.places)
      // places are those of the source, and no stack is read
      return { path: module.path, code: counted.text, format: module.format }
    })
    return statements.length === 0 ? null : { modules, statements }
  }

  async probe(files: FileMap): Promise<Answers['probe']> {
    const script = probeScript(this.#validation?.tests ?? {}, this.#inputs)
    const prepared = script && (await this.#prepare(files, { [script.path]: script.text }))
    if (!prepared || !this.#validation) return null
    return { ...prepared, entry: entryAmong(this.#validation.entry, prepared.modules) }
  }

  /** Ranks all changes of a program that can be made to its files. */
  async expand(files: FileMap, suspects: readonly Suspect[], mostRounds: number): Promise<Answers['expand']> {
    const prepared = await this.#prepare(files)
    const pool: Expansion['pool'][number][] = []
    for (const [path, text] of Object.entries(files)) {
      const module = prepared?.modules.find((each) => each.path === path)
      if (!module || !isCode(path)) continue
      const file = baseFile(path, text, module, mostRounds)
      const own = suspects.filter((suspect) => suspect.file === path)
      const mutations = generateMutations(text, path, {
        inputNumbers: this.#inputs.numbers,
        inputStrings: this.#inputs.strings,
      })
      for (const mutation of mutations)
        pool.push({ file, mutation, cost: mutation.cost + suspicionCost(mutation.edit, own) })
    }
    pool.sort((a, b) => a.cost - b.cost)
    const opened = new Map(this.#opened?.modules.map((module) => [module.path, module.code]))
    const modules = prepared?.modules.filter((module) => opened.get(module.path) !== module.code) ?? []
    this.#expansions.push({ modules, pool, next: 0 })
    return { expansion: this.#expansions.length - 1, nextCost: pool[0]?.cost ?? Number.POSITIVE_INFINITY }
  }

  /** The next changes of an expansion; what does not parse or has been made before is left out. */
  take(expansion: number, count: number): Answers['take'] {
    const from = this.#expansions[expansion]
    if (!from) throw new Error(`no such expansion: ${expansion}`)
    const variants: Variant[] = []
    while (variants.length < count && from.next < from.pool.length) {
      const item = from.pool[from.next++]
      const variant = item && this.#variantOf(item.file, item.mutation, item.cost, from.modules)
      if (variant) variants.push(variant)
    }
    return { variants, nextCost: from.pool[from.next]?.cost ?? null }
  }

  #variantOf(
    file: BaseFile,
    { edit, change, line }: Mutation,
    cost: number,
    others: readonly SourceModule[],
  ): Variant | null {
    const text = changed(file.text, edit)
    const form = canonicalForm(text, file.path)
    if (form === null) return null
    const key = `${file.path}\0${form}`
    if (this.#seen.has(key)) return null
    this.#seen.add(key)
    return {
      id: this.#variants++,
      file: file.path,
      text,
      modules: [{ ...file.module, code: codeOf(file, edit, text) }, ...others.filter(({ path }) => path !== file.path)],
      change,
      line,
      cost,
      size: sizeOf(file.text, edit),
    }
  }

  async #prepare(
    files: FileMap,
    tests?: FileMap,
  ): Promise<{
    readonly modules: readonly SourceModule[]
    readonly tests: readonly SourceModule[]
    readonly packages: OpenedProgram['packages']
  } | null> {
    const validation = this.#validation
    if (!validation) throw new Error('open a program first')
    const { prepared } = await this.#judge.early({
      ...validation,
      files,
      ...(tests ? { tests } : {}),
      hiddenTests: {},
      prepare: true,
      types: false,
      failFast: false,
    })
    return prepared ?? null
  }
}

/** Every character of the text is at its place in the module's code, types blanked. */
const keepsPlaces = (module: SourceModule, text: string): boolean =>
  module.map === undefined && module.code.length >= text.length

function baseFile(path: string, text: string, module: SourceModule, mostRounds: number): BaseFile {
  const isInPlace = keepsPlaces(module, text)
  return {
    path,
    text,
    keepsPlaces: isInPlace,
    mostRounds,
    guards: isInPlace ? loopGuards(parse(path, text), mostRounds) : [],
    // places are not asked for in a search
    module: { path, code: module.code, format: module.format },
  }
}

/** The changed module as JavaScript: the change made in the emitted text where that keeps places and no types are concerned. */
function codeOf(file: BaseFile, edit: TextEdit, text: string): string {
  const isScript = /\.[cm]?jsx?$/.test(file.path)
  const { code } = file.module
  const isUntyped =
    isScript ||
    (!/[:<]|\bas\b|\bsatisfies\b|!\s*[.[)\],;]/.test(edit.text) &&
      code.slice(edit.start, edit.end) === file.text.slice(edit.start, edit.end))
  if (file.keepsPlaces && isUntyped) return guarded(code, edit, file.guards)
  const { outputText } = ts.transpileModule(text, {
    fileName: file.path,
    compilerOptions: {
      target: ts.ScriptTarget.ES2022,
      module: file.module.format === 'cjs' ? ts.ModuleKind.CommonJS : ts.ModuleKind.ESNext,
      jsx: ts.JsxEmit.ReactJSX,
      esModuleInterop: true,
    },
  })
  return guarded(
    outputText,
    { start: 0, end: 0, text: '' },
    loopGuards(parse('emitted.js', outputText), file.mostRounds),
  )
}

/** Characters that differ: what is common at both ends does not count. */
function sizeOf(text: string, { start, end, text: replacement }: TextEdit): number {
  const before = text.slice(start, end)
  const shorter = Math.min(before.length, replacement.length)
  let head = 0
  while (head < shorter && before[head] === replacement[head]) head++
  let tail = 0
  while (tail < shorter - head && before.at(-1 - tail) === replacement.at(-1 - tail)) tail++
  return before.length + replacement.length - 2 * (head + tail)
}

function suspicionCost(edit: TextEdit, suspects: readonly Suspect[]): number {
  if (suspects.length === 0) return 0
  // the innermost statement that holds the change
  let best: Suspect | undefined
  for (const suspect of suspects)
    if (suspect.start <= edit.start && edit.end <= suspect.end)
      if (!best || suspect.end - suspect.start < best.end - best.start) best = suspect
  if (!best) return innocence / 2
  return best.suspicion === 0 ? notReached : (1 - best.suspicion) * innocence
}

const isCode = (path: string): boolean => /\.[cm]?[jt]sx?$/.test(path) && !/\.d\.[cm]?ts$/.test(path)

const parse = (path: string, text: string): ts.SourceFile =>
  ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)

/** The entry as it came: a task may name `solution.ts` where the candidate answers in `solution.tsx`. */
function entryAmong(entry: string, modules: readonly SourceModule[]): string {
  if (modules.some(({ path }) => path === entry)) return entry
  const stem = entry.replace(/\.[^./]+$/, '')
  return modules.find(({ path }) => path.replace(/\.[^./]+$/, '') === stem)?.path ?? entry
}
