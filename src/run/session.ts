import type { RunEventBody } from '../domain/event.ts'
import type { Isolation, Report } from '../domain/report.ts'
import { type Attempt, addUsage, noUsage, type Origin, type Review, type Trust, type Usage } from '../domain/result.ts'
import type { FileMap } from '../domain/task.ts'
import { normalizeProgram } from '../feedback/program.ts'
import type { Journal } from '../journal/journal.ts'
import type { MeasureTrust, Mend } from '../mechanic/types.ts'
import type { Model } from '../model/types.ts'
import type { PlanStep, Strategy } from '../prompt/strategy.ts'
import type { PromptTemplates } from '../prompt/templates.ts'
import type { Sandbox } from '../sandbox/types.ts'
import type { ResolvedTask } from '../task.ts'
import type { ValidationRequest, Validator } from '../validate/types.ts'
import type { HumanAnswer, HumanRequest } from './human.ts'

/** The models of a run by the state that calls them; null where there is none. */
export interface RunModels {
  readonly generate: Model | null
  readonly analyze: Model | null
  readonly test_review: Model | null
  readonly review: Model | null
}

/** Everything that the ports of one run work with. */
export interface RunTools {
  readonly task: ResolvedTask
  readonly runId: string
  readonly journal: Journal
  readonly models: RunModels
  readonly validator: Validator
  readonly sandbox: Sandbox
  readonly mend: Mend
  readonly measureTrust: MeasureTrust | null
  readonly templates: PromptTemplates
  readonly strategies: readonly Strategy[]
  readonly packageRoot: string
  readonly isolation: Isolation
  readonly signal: AbortSignal
  /** States of the path that were told of before the run was resumed; 0 for a new one. */
  readonly statesTold: number
  readonly emit: (event: RunEventBody) => void
  /** Asks a person; absent where nobody can answer now, and the run then rests. */
  readonly askHuman?: (request: HumanRequest, signal: AbortSignal) => Promise<HumanAnswer>
}

/** A candidate with what became of it; texts that the chart knows by number only. */
export interface AttemptRecord {
  readonly number: number
  readonly origin: Origin
  readonly strategy: string
  readonly basedOn: number | null
  readonly duplicateOf: number | null
  readonly files: FileMap
  readonly report: Report | null
  readonly alternatives: readonly { readonly files: FileMap; readonly report: Report }[]
  /** Candidates asked for together, before one of them is chosen. */
  readonly pending: readonly FileMap[]
  readonly plan: readonly PlanStep[]
  readonly diagnosis: string | null
  /** Where other patches that the mechanic found green differ from this one. */
  readonly disagreements: readonly string[]
  readonly review: Review | null
  readonly prompt: { readonly template: string; readonly hash: string } | null
  readonly usage: Usage
  readonly durationMs: number
}

/** What a new attempt is begun with; members left out start empty. */
export type AttemptStart = Partial<AttemptRecord> & Pick<AttemptRecord, 'number' | 'origin' | 'strategy' | 'files'>

/**
 * What one run has gathered: attempts with their texts, and the answers that the chart refers to by visit. Filled from step results
 * only, so that a resumed run arrives at the same.
 */
export class RunSession {
  readonly tools: RunTools
  readonly #attempts = new Map<number, AttemptRecord>()
  readonly #hashes = new Map<string, number>()
  readonly hints = new Map<number, string>()
  readonly trusts = new Map<number, Trust>()
  readonly reviews = new Map<number, Review>()
  /** What the last fault of the surroundings was, for the hand-over. */
  lastFault: string | null = null

  constructor(tools: RunTools) {
    this.tools = tools
    if (tools.task.kind === 'repair')
      this.begin({ number: 0, origin: 'given', strategy: 'given', files: tools.task.files })
  }

  /** Notes a new attempt. */
  begin(given: AttemptStart): void {
    this.#attempts.set(given.number, {
      basedOn: null,
      duplicateOf: null,
      report: null,
      alternatives: [],
      pending: [given.files],
      plan: [],
      diagnosis: null,
      disagreements: [],
      review: null,
      prompt: null,
      usage: noUsage,
      durationMs: 0,
      ...given,
    })
    this.#remember(given.number, given.files)
  }

  update(number: number, change: Partial<AttemptRecord>): void {
    const record = { ...this.attempt(number), ...change }
    this.#attempts.set(number, record)
    this.#remember(number, record.files)
  }

  /** Charges a step to an attempt. */
  charge(number: number, spent: { readonly usage?: Usage; readonly durationMs: number }): void {
    const record = this.#attempts.get(number)
    if (!record) return
    this.update(number, {
      usage: spent.usage ? addUsage(record.usage, spent.usage) : record.usage,
      durationMs: record.durationMs + spent.durationMs,
    })
  }

  attempt(number: number): AttemptRecord {
    const record = this.#attempts.get(number)
    if (!record) throw new Error(`attempt ${number} was asked for before it was made`)
    return record
  }

  find(number: number): AttemptRecord | undefined {
    return this.#attempts.get(number)
  }

  /** In the order of their numbers. */
  get attempts(): readonly AttemptRecord[] {
    return [...this.#attempts.values()].sort((a, b) => a.number - b.number)
  }

  /** The latest attempt before this one that holds a program. */
  previousFiles(number: number): FileMap | null {
    const earlier = this.attempts.filter((record) => record.number < number && Object.keys(record.files).length > 0)
    return earlier.at(-1)?.files ?? null
  }

  /** Number of the first attempt with an equal program, whose report can be taken over. */
  equalTo(files: FileMap, before: number): number | null {
    const number = this.#hashes.get(normalizeProgram(files, this.tools.task.language))
    if (number === undefined || number >= before) return null
    return this.attempt(number).report === null ? null : number
  }

  #remember(number: number, files: FileMap): void {
    if (Object.keys(files).length === 0) return
    const hash = normalizeProgram(files, this.tools.task.language)
    if (!this.#hashes.has(hash)) this.#hashes.set(hash, number)
  }

  validationRequest(files: FileMap, setAside: readonly string[]): ValidationRequest {
    const { task, packageRoot } = this.tools
    return {
      language: task.language,
      entry: task.entry,
      files,
      context: task.context,
      tests: task.tests,
      hiddenTests: task.hiddenTests,
      packages: task.packages,
      packageRoot,
      compilerOptions: task.compilerOptions,
      limits: task.policy.limits,
      allow: task.policy.allow,
      deny: task.policy.deny,
      validation: task.policy.validation,
      setAside,
    }
  }

  /** The attempts as the Result lists them: those that have a report. */
  toAttempts(): Attempt[] {
    return this.attempts.flatMap((record) => {
      if (record.report === null) return []
      return [
        {
          number: record.number,
          origin: record.origin,
          strategy: record.strategy,
          ...(record.basedOn === null ? {} : { basedOn: record.basedOn }),
          ...(record.duplicateOf === null ? {} : { duplicateOf: record.duplicateOf }),
          files: record.files,
          report: record.report,
          ...(record.plan.length === 0 ? {} : { plan: [...record.plan] }),
          ...(record.diagnosis === null ? {} : { diagnosis: record.diagnosis }),
          ...(record.review === null ? {} : { review: record.review }),
          ...(record.alternatives.length === 0 ? {} : { alternatives: [...record.alternatives] }),
          ...(record.prompt === null ? {} : { prompt: record.prompt }),
          usage: record.usage,
          durationMs: record.durationMs,
        },
      ]
    })
  }
}
