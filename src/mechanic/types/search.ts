import { ts } from 'ts-morph'
import { Compiler } from './compiler.ts'
import { type FixContext, nodeAt, quotedParts } from './context.ts'
import { applyEdits, type Fix } from './edit.ts'
import { type Evidence, readEvidence } from './evidence.ts'
import { exportFixes, missingExportCode } from './exports.ts'
import type { Verdict } from './messages.ts'
import { Queue } from './queue.ts'
import { templatesFor } from './registry.ts'
import { syntaxFixes, unwrap } from './syntax.ts'
import { forbiddenImportCode, forbiddenImports } from './templates/imports.ts'
import { forbiddenCasts, policyCode, silenceCode, silencingComments } from './templates/policy.ts'

export interface RepairInput {
  readonly files: Readonly<Record<string, string>>
  readonly context: Readonly<Record<string, string>>
  readonly tests: Readonly<Record<string, string>>
  readonly entry: string
  readonly compilerOptions: Readonly<Record<string, unknown>>
  readonly packages: readonly string[]
  readonly packageRoot: string
  readonly allowAnyCasts: boolean
  readonly allowTsIgnore: boolean
  /** States that may be looked at. */
  readonly maxStates: number
  readonly maxTimeMs: number
  /**
   * Programs that are judged after the first one that compiles, or after one that passes more tests than those before. What is
   * left then is likely a bug that no type tells of.
   */
  readonly patience: number
}

export interface RepairPorts {
  /** Judges a state that compiles; called once per different JavaScript. */
  judge(files: Readonly<Record<string, string>>, changes: readonly string[]): Promise<Verdict>
  progress(states: number, errors: number, note: string): void
  nowMs(): number
}

export interface RepairResult {
  /** The state with the fewest errors (then most tests passed, then fewest changes); null when nothing is better than what came. */
  readonly files: Readonly<Record<string, string>> | null
  readonly changes: readonly string[]
  readonly isGreen: boolean
  readonly errors: number
  readonly states: number
  /** Errors at the start, by code. */
  readonly codes: readonly number[]
}

interface State {
  readonly files: Readonly<Record<string, string>>
  readonly changes: readonly string[]
  readonly cost: number
  readonly depth: number
  /** The cost of the least likely fix in it. */
  readonly wildest: number
}

interface Proposal {
  readonly parent: State
  readonly fixes: readonly Fix[]
  readonly cost: number
}

interface Found {
  readonly path: string
  readonly diagnostic: ts.Diagnostic
}

/** Most fixes of one diagnostic that are tried, and diagnostics of one state that are worked on. */
const fixesPerDiagnostic = 28
const diagnosticsPerState = 3
const deepest = 24
/** Most states do not compile; patience with those is a multiple of that with the ones that do. */
const statesPerVerdict = 5
/** Fixes dearer than this change what a function takes or gives; the others convert, narrow, default, rename or complete. */
const plainCost = 0.45
/** States that are still looked at once plain fixes alone compile and pass some tests: what is red then is likely no type's fault. */
const statesWhenSettled = 8
/** From this patience on it is not left at that: the search for logic bugs has been before. */
const thoroughPatience = 20
/** What one error weighs against the cost of fixes. */
const errorWeight = 1
const syntaxWeight = 3

/**
 * Best-first search over combinations of fixes. The order depends on the input alone; only where it stops depends on time.
 */
export class Repair {
  readonly #input: RepairInput
  readonly #ports: RepairPorts
  readonly #compiler: Compiler
  readonly #evidence: Evidence
  readonly #queue = new Queue<Proposal | { readonly state: State; readonly found: readonly Found[] }>()
  readonly #seen = new Set<string>()
  readonly #judged = new Map<string, Verdict>()
  readonly #started: number
  #states = 0
  #isSettled = false
  #impatientAtStates = Number.POSITIVE_INFINITY
  #impatientAtVerdicts = Number.POSITIVE_INFINITY
  #best: { state: State; weight: number; passed: number } | null = null

  constructor(input: RepairInput, ports: RepairPorts) {
    this.#input = input
    this.#ports = ports
    this.#started = ports.nowMs()
    this.#compiler = new Compiler(input)
    this.#evidence = readEvidence(input.tests)
  }

  async run(): Promise<RepairResult> {
    const start: State = { files: this.#input.files, changes: [], cost: 0, depth: 0, wildest: 0 }
    this.#seen.add(keyOf(start.files))
    const found = this.#diagnose(start)
    const codes = found.map((item) => item.diagnostic.code)
    const startWeight = weigh(found)
    let green: State | null = null
    if (found.length > 0) {
      this.#queue.push(startWeight, { state: start, found })
      green = await this.#search()
    }
    this.#compiler.dispose()
    const best =
      green ?? (this.#best && (this.#best.weight < startWeight || this.#best.passed > 0) ? this.#best.state : null)
    return {
      files: best?.files ?? null,
      changes: best?.changes ?? [],
      isGreen: green !== null,
      errors: green ? 0 : (this.#best?.weight ?? startWeight),
      states: this.#states,
      codes,
    }
  }

  async #search(): Promise<State | null> {
    for (let next = this.#queue.pop(); next !== undefined; next = this.#queue.pop()) {
      if (this.#states >= Math.min(this.#input.maxStates, this.#impatientAtStates)) return null
      if (this.#judged.size >= this.#impatientAtVerdicts) return null
      if (this.#isLate()) return null
      const { priority, item } = next
      if ('found' in item) {
        this.#expand(item.state, item.found)
        continue
      }
      if (this.#isSettled && item.fixes.some((fix) => fix.cost > plainCost)) continue
      const state = this.#apply(item)
      if (!state) continue
      const found = this.#diagnose(state)
      const weight = weigh(found)
      this.#states += 1
      if (this.#states % 25 === 0) {
        this.#ports.progress(this.#states, this.#best?.weight ?? weight, state.changes.at(-1) ?? '')
        // lets an abort message through
        await new Promise((resolve) => setImmediate(resolve))
      }
      if (found.length === 0) {
        const verdict = await this.#judge(state)
        this.#remember(state, 0, verdict.passed)
        if (verdict.isGreen) return state
        continue
      }
      this.#remember(state, weight, 0)
      if (state.depth >= deepest) continue
      const cost = weight + state.cost
      if (cost <= priority + 0.001) this.#expand(state, found)
      else this.#queue.push(cost, { state, found })
    }
    return null
  }

  #isLate(): boolean {
    return this.#ports.nowMs() - this.#started > this.#input.maxTimeMs
  }

  #remember(state: State, weight: number, passed: number): void {
    const best = this.#best
    if (best && weight >= best.weight && (weight > best.weight || passed <= best.passed)) return
    this.#best = { state, weight, passed }
    if (weight > 0) return
    const { patience } = this.#input
    this.#isSettled = passed > 0 && state.wildest <= plainCost && patience < thoroughPatience
    this.#impatientAtVerdicts = this.#judged.size + patience
    this.#impatientAtStates = this.#states + (this.#isSettled ? statesWhenSettled : patience * statesPerVerdict)
  }

  async #judge(state: State): Promise<Verdict> {
    const script = Object.entries(state.files)
      .map(
        ([path, text]) =>
          `${path}\n${ts.transpileModule(text, { compilerOptions: { target: ts.ScriptTarget.ES2022, removeComments: true } }).outputText}`,
      )
      .join('\n')
    const known = this.#judged.get(script)
    if (known) return known
    const verdict = await this.#ports.judge(state.files, state.changes)
    this.#judged.set(script, verdict)
    return verdict
  }

  #apply(proposal: Proposal): State | null {
    const files = { ...proposal.parent.files }
    for (const path of new Set(proposal.fixes.map((fix) => fix.file))) {
      const text = files[path]
      const edits = proposal.fixes.filter((fix) => fix.file === path).flatMap((fix) => fix.edits)
      const next = text === undefined ? null : applyEdits(text, edits)
      if (next === null) return null
      files[path] = next
    }
    const key = keyOf(files)
    if (this.#seen.has(key)) return null
    this.#seen.add(key)
    return {
      files,
      changes: [...proposal.parent.changes, ...new Set(proposal.fixes.map((fix) => fix.what))],
      cost: proposal.cost,
      depth: proposal.parent.depth + 1,
      wildest: Math.max(proposal.parent.wildest, ...proposal.fixes.map((fix) => fix.cost)),
    }
  }

  #diagnose(state: State): Found[] {
    for (const [path, text] of Object.entries(state.files)) this.#compiler.setText(path, text)
    const found: Found[] = []
    for (const path of this.#compiler.files) {
      for (const diagnostic of this.#compiler.errors(path)) found.push({ path, diagnostic })
    }
    const isTorn = found.some(({ diagnostic }) => isSyntax(diagnostic))
    if (isTorn) return found.filter(({ diagnostic }) => isSyntax(diagnostic))
    for (const path of this.#compiler.files) {
      const source = this.#compiler.sourceFile(path)
      if (!('paths' in this.#input.compilerOptions))
        for (const node of forbiddenImports(source, this.#input.packages)) {
          const isKnown = found.some((item) => item.path === path && item.diagnostic.start === node.getStart(source))
          if (!isKnown)
            found.unshift({
              path,
              diagnostic: pseudo(source, node, forbiddenImportCode, `${node.text} may not be imported`),
            })
        }
      if (!this.#input.allowAnyCasts)
        for (const node of forbiddenCasts(source))
          found.push({ path, diagnostic: pseudo(source, node, policyCode, 'a cast to any') })
      if (!this.#input.allowTsIgnore)
        for (const { start, end } of silencingComments(source.text))
          found.push({
            path,
            diagnostic: {
              file: source,
              start,
              length: end - start,
              code: silenceCode,
              messageText: 'a comment that silences the compiler',
              category: ts.DiagnosticCategory.Error,
            },
          })
    }
    if (this.#compiler.files.includes(this.#input.entry)) {
      const source = this.#compiler.sourceFile(this.#input.entry)
      for (const name of exportFixes(source, this.#evidence, this.#input.tests).missing) {
        found.push({
          path: this.#input.entry,
          diagnostic: pseudo(source, source.endOfFileToken, missingExportCode, `'${name}' is not exported`),
        })
      }
    }
    return found
  }

  /** Puts the fixes of a state's first diagnostics into the queue. */
  #expand(state: State, found: readonly Found[]): void {
    for (const [path, text] of Object.entries(state.files)) this.#compiler.setText(path, text)
    const weight = weigh(found)
    const firsts: Fix[] = []
    const places = new Set<string>()
    let worked = 0
    for (const { path, diagnostic } of causes(found)) {
      const place = `${path}:${diagnostic.start}:${diagnostic.code}`
      if (places.has(place)) continue
      places.add(place)
      if (worked >= diagnosticsPerState && firsts.length > 12) break
      if (worked > 0 && this.#isLate()) break
      const fixes = this.#fixes(path, diagnostic, state.depth === 0).filter(
        (fix) => !this.#isSettled || fix.cost <= plainCost,
      )
      if (fixes.length === 0) continue
      worked += 1
      const first = fixes[0]
      if (first) firsts.push(first)
      if (worked > diagnosticsPerState) continue
      fixes.forEach((fix, index) => {
        const cost = state.cost + fix.cost * 0.6
        const gain = Math.min(weight, index < 10 && fix.cost - (first?.cost ?? 0) < 0.3 ? 1.5 : 1)
        this.#queue.push(weight - gain + cost + (worked - 1) * 0.03, { parent: state, fixes: [fix], cost })
      })
    }
    // the likeliest fix of every diagnostic at once
    const together = compatible(firsts)
    if (together.length > 1) {
      const cost = state.cost + together.reduce((sum, fix) => sum + fix.cost, 0) * 0.4
      this.#queue.push(weight - together.length + cost, { parent: state, fixes: together, cost })
    }
  }

  #fixes(path: string, diagnostic: ts.Diagnostic, isFirst: boolean): Fix[] {
    const text = this.#compiler.text(path)
    const fixes: Fix[] = []
    if (isSyntax(diagnostic)) {
      if (isFirst) fixes.push(...unwrap(path, text))
      fixes.push(...syntaxFixes(path, text, diagnostic))
    } else if (diagnostic.code === missingExportCode) {
      fixes.push(...exportFixes(this.#compiler.sourceFile(path), this.#evidence, this.#input.tests).fixes(path))
    } else {
      const source = this.#compiler.sourceFile(path)
      const context: FixContext = {
        compiler: this.#compiler,
        checker: this.#compiler.program().getTypeChecker(),
        path,
        source,
        text,
        evidence: this.#evidence,
        diagnostic,
        node: nodeAt(source, diagnostic.start ?? 0, diagnostic.length ?? 0),
        quoted: quotedParts(diagnostic.messageText),
      }
      for (const template of templatesFor(diagnostic.code)) fixes.push(...template(context))
    }
    const unique = new Map<string, Fix>()
    for (const fix of fixes) {
      if (fix.edits.some((edit) => /\bany\b(?!\w)/.test(edit.text) && !text.includes(edit.text))) continue
      const key = JSON.stringify([...fix.edits].sort((a, b) => a.start - b.start))
      const known = unique.get(key)
      if (!known || known.cost > fix.cost) unique.set(key, fix)
    }
    return [...unique.values()].sort((a, b) => a.cost - b.cost).slice(0, fixesPerDiagnostic)
  }
}

/** Errors without those that an earlier one brings about: callbacks of a method that does not exist learn no parameter types. */
function causes(found: readonly Found[]): readonly Found[] {
  const spans: { path: string; from: number; to: number }[] = []
  for (const { path, diagnostic } of found) {
    if (!unknownCallee.has(diagnostic.code) || !diagnostic.file) continue
    let at = nodeAt(diagnostic.file, diagnostic.start ?? 0, diagnostic.length ?? 0)
    while (ts.isPropertyAccessExpression(at.parent) && at.parent.name === at) at = at.parent
    if (ts.isCallExpression(at.parent) && at.parent.expression === at)
      spans.push({ path, from: at.end, to: at.parent.end })
  }
  const kept = found.filter(
    ({ path, diagnostic: { code, start = 0 } }) =>
      !untypedBinding.has(code) || !spans.some((span) => span.path === path && start >= span.from && start < span.to),
  )
  return kept.length > 0 ? kept : found
}
const unknownCallee = new Set([2339, 2550, 2551, 2304, 2552, 2349])
const untypedBinding = new Set([7006, 7031])

/** Fixes that can be made together: those that touch no text of one before them. */
function compatible(fixes: readonly Fix[]): Fix[] {
  const kept: Fix[] = []
  const spans: { file: string; start: number; end: number }[] = []
  for (const fix of fixes) {
    const own = fix.edits.map((edit) => ({ file: fix.file, start: edit.start, end: edit.end }))
    const clashes = own.some((a) => spans.some((b) => a.file === b.file && a.start <= b.end && b.start <= a.end))
    if (clashes) continue
    kept.push(fix)
    spans.push(...own)
  }
  return kept
}

const isSyntax = (diagnostic: ts.Diagnostic): boolean =>
  diagnostic.code >= 1000 &&
  diagnostic.code < 2000 &&
  ![1308, 1155, 1064, 1192, 1259, 1378, 1103].includes(diagnostic.code)

function weigh(found: readonly Found[]): number {
  let weight = 0
  for (const { diagnostic } of found) weight += isSyntax(diagnostic) ? syntaxWeight : errorWeight
  // torn code hides its type errors
  return found.some(({ diagnostic }) => isSyntax(diagnostic)) ? weight + 4 : weight
}

const keyOf = (files: Readonly<Record<string, string>>): string => Object.values(files).join('\u0000')

function pseudo(source: ts.SourceFile, node: ts.Node, code: number, messageText: string): ts.Diagnostic {
  return {
    file: source,
    start: node.getStart(source),
    length: node.end - node.getStart(source),
    code,
    messageText,
    category: ts.DiagnosticCategory.Error,
  }
}
