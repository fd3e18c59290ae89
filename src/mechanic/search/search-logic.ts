import { RedgreenError } from '../../errors.ts'
import type { LogicSearch } from '../mend.ts'
import type { MechanicTools, MendOutcome, MendRequest } from '../types.ts'
import { answersOf, firstDifference, type Answers as Probed } from './disagreement.ts'
import { type Base, type Branch, baseOf, gainOf, nextBranch } from './frontier.ts'
import { type Fitness, judgeVariants, usualEnvironment } from './judging.ts'
import { fewRounds, type OpenedProgram, type Suspect, usualRounds, type Variant } from './messages.ts'
import { rankStatements } from './suspicion.ts'
import { SearchThread } from './thread.ts'

/** Two processes judge at the same time; each has the next batch as soon as it is free. */
const lanes = 2
/** A batch is small at first, so that likely mends are met within a moment. */
const firstBatch = 16
const batchSize = 40
/** Programs with one change that are kept as bases for a second one. */
const mostBranches = 12
const deepest = 3
/** After the first green one so many more are tried, in search of smaller ones and of ones that disagree. */
const triedAfterGreen = 80
const greenWanted = 4

/**
 * Searches for a logic bug's mend: changes of the program are judged many a second, the likeliest first; those that pass are
 * judged again by the validator, and of several the smallest wins. Where no single change is green, those that made
 * progress are changed further. Never sees hidden tests. Rejects with ABORTED, and what the sandbox and the validator throw.
 */
export const searchLogic: LogicSearch = async (request, tools) => {
  const thread = new SearchThread()
  try {
    return await new LogicRun(request, tools, thread).run()
  } finally {
    thread.release()
  }
}

interface Green {
  readonly base: Base
  readonly order: number
}

class LogicRun {
  readonly #request: MendRequest
  readonly #tools: MechanicTools
  readonly #thread: SearchThread
  readonly #deadline: number
  readonly #branches: Branch[] = []
  readonly #greens: Green[] = []
  readonly #confirming = new Set<Promise<void>>()
  #program: OpenedProgram | undefined
  #given: Fitness = { passed: 0, total: 0, checks: 0, timedOut: false }
  #best: Base | undefined
  #tried = 0
  #confirmations = 0
  #stopAfter = Number.POSITIVE_INFINITY
  #variantCpuMs = 250
  #mostRounds = usualRounds

  constructor(request: MendRequest, tools: MechanicTools, thread: SearchThread) {
    this.#request = { ...request, validation: { ...request.validation, hiddenTests: {} } }
    this.#tools = tools
    this.#thread = thread
    this.#deadline = performance.now() + request.maxTimeMs
  }

  async run(): Promise<MendOutcome> {
    const { validation } = this.#request
    const opened = await this.#thread.ask({ kind: 'open', validation })
    if (!opened || opened.tests.length === 0) return this.#outcome(null)
    this.#program = opened
    await this.#measureGiven(opened)
    const root: Base = {
      files: validation.files,
      changes: [],
      cost: 0,
      size: 0,
      depth: 0,
      fitness: this.#given,
    }
    await this.#branch(root, await this.#suspects(opened))
    await Promise.all(Array.from({ length: lanes }, (_, lane) => this.#lane(lane)))
    await Promise.all(this.#confirming)
    return await this.#conclude()
  }

  /** How far the given program gets, and how long that takes: variants have a multiple of it. */
  async #measureGiven(program: OpenedProgram): Promise<void> {
    const [fitness] = await this.#judge(program, [[]], 1_000)
    if (!fitness || fitness.timedOut) {
      this.#mostRounds = fewRounds
      return
    }
    this.#given = fitness
    // the first time pays for the start of a process
    const startedAt = performance.now()
    await this.#judge(program, [[]], 1_000)
    const tookMs = performance.now() - startedAt
    this.#variantCpuMs = Math.min(2_000, Math.max(150, tookMs * 4))
  }

  /** Statements of the given program by suspicion; none where the tests tell nothing of them. */
  async #suspects(program: OpenedProgram): Promise<Suspect[]> {
    const { validation } = this.#request
    const counted = this.#mostRounds === usualRounds ? await this.#thread.ask({ kind: 'instrument' }) : null
    if (!counted) return []
    const { scope, signal, sandbox } = this.#tools
    const { cases } = await sandbox.run(
      {
        kind: 'test',
        entry: program.entry,
        modules: counted.modules,
        packages: program.packages,
        tests: program.tests,
        coverage: true,
        limits: validation.limits,
        environment: { ...usualEnvironment, ...validation.environment },
        allowEval: validation.allow.eval,
      },
      { scope, ...(signal ? { signal } : {}) },
    )
    return rankStatements(counted.statements, cases)
  }

  #judge(
    program: OpenedProgram,
    changes: Parameters<typeof judgeVariants>[1],
    variantCpuMs: number,
  ): Promise<(Fitness | null)[]> {
    return judgeVariants(program, changes, this.#request.validation, this.#tools, {
      variantCpuMs: Math.min(variantCpuMs, this.#request.validation.limits.cpuMs),
      wallMs: Math.max(500, Math.min(this.#request.validation.limits.wallMs, this.#leftMs)),
    })
  }

  get #leftMs(): number {
    return this.#deadline - performance.now()
  }

  get #isOver(): boolean {
    return (
      this.#leftMs <= 0 ||
      this.#tried >= Math.min(this.#request.maxCandidates, this.#stopAfter) ||
      this.#greens.length >= greenWanted
    )
  }

  async #branch(base: Base, suspects: readonly Suspect[] = []): Promise<void> {
    const { expansion, nextCost } = await this.#thread.ask({
      kind: 'expand',
      files: base.files,
      suspects,
      mostRounds: this.#mostRounds,
    })
    this.#branches.push({ base, expansion, nextCost, isBusy: false })
  }

  /** Takes batch after batch until all is over; two of these run side by side. */
  async #lane(lane: number): Promise<void> {
    let size = firstBatch
    while (!this.#isOver) {
      this.#throwIfAborted()
      const branch = nextBranch(this.#branches, this.#given)
      if (!branch) return
      const left = Math.min(this.#request.maxCandidates, this.#stopAfter) - this.#tried
      const count = Math.min(size, left)
      this.#tried += count
      const { variants, nextCost } = await this.#thread.ask({ kind: 'take', expansion: branch.expansion, count })
      this.#tried -= count - variants.length
      branch.nextCost = nextCost ?? Number.POSITIVE_INFINITY
      if (variants.length > 0) await this.#batch(branch, variants)
      else if (nextBranch(this.#branches, this.#given) === null) return
      size = batchSize
      this.#progress(lane === 0 ? branch : undefined)
    }
  }

  async #batch(branch: Branch, variants: readonly Variant[]): Promise<void> {
    const program = this.#program
    if (!program) return
    const results = await this.#judge(
      program,
      variants.map((variant) => variant.modules),
      this.#variantCpuMs,
    )
    for (const [index, variant] of variants.entries()) {
      const fitness = results[index]
      if (!fitness || fitness.timedOut) continue
      const base = baseOf(variant, branch.base, fitness)
      if (fitness.total > 0 && fitness.passed === fitness.total && fitness.total >= this.#given.total)
        this.#confirm(base)
      else if (gainOf(fitness, branch.base.fitness) > 0) await this.#keep(base)
    }
  }

  /** A program that is better than the one it was made from is changed further. */
  async #keep(base: Base): Promise<void> {
    if (gainOf(base.fitness, this.#given) > gainOf(this.#best?.fitness ?? this.#given, this.#given)) this.#best = base
    if (base.depth >= deepest) return
    const deeper = this.#branches.filter((branch) => branch.base.depth > 0)
    if (deeper.length >= mostBranches) {
      const worst = deeper.reduce((a, b) => (worthOf(a.base, this.#given) < worthOf(b.base, this.#given) ? a : b))
      if (worthOf(worst.base, this.#given) >= worthOf(base, this.#given)) return
      this.#branches.splice(this.#branches.indexOf(worst), 1)
    }
    await this.#branch(base)
  }

  /** The verdict proper, in a fresh isolate, with types and policy; meanwhile the search goes on. */
  #confirm(base: Base): void {
    if (this.#confirmations >= greenWanted * 4) return
    this.#confirmations += 1
    const { validator, scope, signal } = this.#tools
    const order = this.#confirmations
    const confirming = validator
      .validate(
        { ...this.#request.validation, files: base.files, hiddenTests: {}, validation: 'fail-fast' },
        { scope, ...(signal ? { signal } : {}) },
      )
      .then((report) => {
        if (!report.passed) return
        this.#greens.push({ base, order })
        this.#stopAfter = Math.min(this.#stopAfter, this.#tried + triedAfterGreen)
      })
      .finally(() => this.#confirming.delete(confirming))
    this.#confirming.add(confirming)
    // whoever waits for all of them is told
    confirming.catch(() => {})
  }

  async #conclude(): Promise<MendOutcome> {
    const greens = [...this.#greens].sort((a, b) => preference(a.base) - preference(b.base) || a.order - b.order)
    const [green, ...others] = greens.map(({ base }) => base)
    if (!green) return this.#outcome(null)
    return this.#outcome(green, await this.#disagreements(green, others.slice(0, greenWanted - 1)))
  }

  /** Where other passing patches answer calls near those of the tests differently. */
  async #disagreements(chosen: Base, others: readonly Base[]): Promise<string[]> {
    if (others.length === 0) return []
    const answers = async ({ files }: Base): Promise<Probed> => {
      const program = await this.#thread.ask({ kind: 'probe', files })
      return program ? await answersOf(program, this.#request.validation, this.#tools) : new Map()
    }
    const own = await answers(chosen)
    const found: string[] = []
    for (const other of own.size === 0 ? [] : others) {
      const difference = firstDifference(own, await answers(other), other.changes.join('; '))
      if (difference) found.push(difference)
    }
    return found
  }

  #outcome(base: Base | null, disagreements: readonly string[] = []): MendOutcome {
    return {
      files: base?.files ?? null,
      changes: base?.changes ?? [],
      tried: this.#tried,
      disagreements,
    }
  }

  #progress(branch: Branch | undefined): void {
    const best = this.#greens.length > 0 ? this.#given.total : (this.#best?.fitness.passed ?? this.#given.passed)
    this.#tools.onProgress?.({
      tried: this.#tried,
      maxCandidates: this.#request.maxCandidates,
      bestPassed: best,
      total: this.#given.total,
      note: branch && branch.base.depth > 0 ? `on top of ${branch.base.changes.join('; ')}` : 'single changes',
    })
  }

  #throwIfAborted(): void {
    const { signal } = this.#tools
    if (signal?.aborted) throw new RedgreenError('ABORTED', 'The search was aborted.', { cause: signal.reason })
  }
}

const worthOf = (base: Base, given: Fitness): number => gainOf(base.fitness, given) - base.cost * 0.3 - base.depth * 0.1

/** The smallest change wins; likelihood counts as much as a few characters. */
const preference = (base: Base): number => base.cost + Math.min(base.size, 60) * 0.01 + (base.depth - 1) * 0.3
