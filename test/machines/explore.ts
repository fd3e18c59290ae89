import { type EventFromLogic, initialTransition, type SnapshotFrom, transition } from 'xstate'
import type { SolveInput } from '../../machines/solve.context.ts'
import { solveMachine } from '../../machines/solve.machine.ts'
import type { SolveEvent } from '../../machines/solve.settle.ts'

export type Snapshot = SnapshotFrom<typeof solveMachine>
export type Machine = typeof solveMachine

/** One outcome of a port, with words for the trace. */
export interface Outcome {
  readonly label: string
  readonly event: SolveEvent
}

/** What the search remembers beside the chart, from events alone, so that the chart is not believed about itself. */
export interface Witness {
  readonly generations: number
  readonly hints: number
  /** Attempts whose last report was green. */
  readonly green: readonly number[]
  /** Tests that a person agreed to set aside. */
  readonly approved: readonly string[]
}

export interface Step {
  readonly from: Snapshot
  readonly outcome: Outcome
  readonly to: Snapshot
  readonly witness: Witness
}

export interface Exploration {
  readonly states: number
  readonly transitions: number
  /** Distinct paths from the start to an end, over all outcomes but aborts. */
  readonly paths: bigint
  /** States visited on the longest path. */
  readonly longest: number
  /** `from|by|guard|to` of every transition taken. */
  readonly edges: ReadonlySet<string>
  readonly ends: ReadonlySet<string>
}

export interface Search {
  readonly input: SolveInput
  readonly machine?: Machine
  readonly outcomes: (snapshot: Snapshot) => readonly Outcome[]
  /** Says what is wrong with a step, null if nothing. */
  readonly check: (step: Step, input: SolveInput) => string | null
  /** No path may be longer. */
  readonly bound: number
}

interface Node {
  readonly snapshot: Snapshot
  readonly witness: Witness
  readonly depth: number
  readonly parent: Node | null
  readonly label: string
  readonly next: string[]
}

const aborted: Outcome = { label: 'abort', event: { type: 'run.aborted' } }

/**
 * Visits every state that the alphabet of outcomes reaches, breadth first, so that the first counterexample is a shortest one.
 * Throws with a trace when a step fails the check, goes nowhere, or a path does not end within the bound.
 */
export function explore(search: Search): Exploration {
  const machine = search.machine ?? solveMachine
  const edges = new Set<string>()
  const ends = new Set<string>()
  const nodes = new Map<string, Node>()
  let transitions = 0

  const [first] = initialTransition(machine, search.input)
  // `transition` makes an actor without input for each call and lets it fail; a first snapshot at hand halves the time.
  const quick: Machine = Object.create(machine, { getInitialSnapshot: { value: () => first } })
  noteEdge(edges, first)
  const root: Node = {
    snapshot: first,
    witness: { generations: 0, hints: 0, green: [], approved: [] },
    depth: 1,
    parent: null,
    label: 'start',
    next: [],
  }
  nodes.set(keyOf(root), root)

  const queue: Node[] = [root]
  for (let node = queue.shift(); node !== undefined; node = queue.shift()) {
    if (node.snapshot.status !== 'active') {
      ends.add(`${String(node.snapshot.value)}: ${node.snapshot.context.reason ?? 'accepted'}`)
      continue
    }
    if (node.depth > search.bound) throw counterexample(node, `has not ended after ${search.bound} states`)
    for (const outcome of [...search.outcomes(node.snapshot), aborted]) {
      const to = step(quick, node.snapshot, outcome.event)
      transitions += 1
      const child: Node = {
        snapshot: to,
        witness: witnessOf(node, outcome, to),
        depth: node.depth + 1,
        parent: node,
        label: outcome.label,
        next: [],
      }
      const from = node.snapshot
      if (to.status === 'error') throw counterexample(child, `broke: ${String(to.error)}`)
      if (to.context.path.length === from.context.path.length)
        throw counterexample(child, `has no way on from "${outcome.label}"`)
      const complaint = search.check({ from, outcome, to, witness: child.witness }, search.input)
      if (complaint !== null) throw counterexample(child, complaint)
      noteEdge(edges, to)
      if (outcome === aborted) continue
      const key = keyOf(child)
      node.next.push(key)
      if (!nodes.has(key)) {
        nodes.set(key, child)
        queue.push(child)
      }
    }
  }
  const { paths, longest } = measure(nodes, keyOf(root))
  return { states: nodes.size, transitions, paths, longest, edges, ends }
}

/** The states from the start to here, each with the outcome that led to it and the guard that let it through. */
export function traceOf(node: Pick<Node, 'snapshot' | 'label'> & { parent: Node | null }): string {
  const lines: string[] = []
  for (let at: typeof node | null = node; at !== null; at = at.parent) {
    const { route, generations, attempts } = at.snapshot.context
    const last = attempts.at(-1)
    const standing = last
      ? `attempt ${last.number} ${last.failedLayer ?? 'green'} ${last.fingerprints.join('')}`
      : 'no attempt'
    lines.push(
      `${at.label} --${route.guard ?? 'else'}--> ${String(at.snapshot.value)} (generations ${generations}, ${standing.trim()})`,
    )
  }
  return lines
    .reverse()
    .map((line, index) => `${String(index + 1).padStart(3)}. ${line}`)
    .join('\n')
}

function counterexample(node: Node, complaint: string): Error {
  return new Error(`The chart ${complaint}.\n${traceOf(node)}`)
}

function step(machine: Machine, snapshot: Snapshot, event: SolveEvent): Snapshot {
  // Events of invoked actors are not part of the declared events that `transition` wants.
  const [next] = transition(machine, snapshot, event as EventFromLogic<Machine>)
  return next
}

function witnessOf(node: Node, { event }: Outcome, to: Snapshot): Witness {
  const { witness, snapshot } = node
  const before = snapshot.context
  const number = to.context.current?.number ?? -1
  let { green, approved, hints } = witness
  if (event.type === 'xstate.done.actor.validate' && event.output.kind === 'report') {
    const others = green.filter((entry) => entry !== number)
    green = event.output.summary.passed ? [...others, number] : others
  }
  const isCopy = event.type === 'xstate.done.actor.generate' || event.type === 'xstate.done.actor.mend'
  if (isCopy && event.output.kind === 'duplicate' && green.includes(event.output.duplicateOf))
    green = [...green, number]
  if (event.type === 'xstate.done.actor.await_human') {
    if (event.output.answer === 'approve') approved = [...new Set([...approved, ...before.disputed])]
    if (event.output.answer === 'hint') hints += 1
  }
  // A generation is a reply; a call that failed has brought none.
  const generations = witness.generations + (event.type === 'xstate.done.actor.generate' ? 1 : 0)
  return { generations, hints, green, approved }
}

function noteEdge(edges: Set<string>, { context, value }: Snapshot): void {
  edges.add(`${context.route.from}|${context.route.by}|${context.route.guard}|${String(value)}`)
}

/** What can make a difference to the future: all but the way by which it was reached. */
function keyOf({ snapshot, witness }: Node): string {
  const {
    path: _path,
    visits: _visits,
    route: _route,
    plan,
    hintVisit: _hintVisit,
    errorCode: _code,
    policy: _policy,
    ...rest
  } = snapshot.context
  const attempts = rest.attempts.map(
    ({ number, origin, failedLayer, score, fingerprints, codeHash, codeSimilarity, failingTests }) => [
      number,
      origin,
      failedLayer,
      score,
      fingerprints,
      codeHash,
      codeSimilarity,
      failingTests,
    ],
  )
  const current = rest.current === null ? null : { ...rest.current, diagnosis: null }
  return JSON.stringify([snapshot.value, { ...rest, attempts, current, strategy: plan?.strategy }, witness])
}

/** Counts the paths and the longest of them; throws where a state can be reached from itself, for then some path never ends. */
function measure(nodes: ReadonlyMap<string, Node>, root: string): { paths: bigint; longest: number } {
  const known = new Map<string, { paths: bigint; longest: number }>()
  const open = new Set<string>()
  const visit = (key: string): { paths: bigint; longest: number } => {
    const done = known.get(key)
    if (done) return done
    const node = nodes.get(key)
    if (node === undefined) throw new Error('unknown state')
    if (open.has(key)) throw counterexample(node, 'can go round for ever')
    open.add(key)
    let paths = node.next.length === 0 ? 1n : 0n
    let longest = 0
    for (const next of node.next) {
      const below = visit(next)
      paths += below.paths
      longest = Math.max(longest, below.longest)
    }
    open.delete(key)
    const result = { paths, longest: longest + 1 }
    known.set(key, result)
    return result
  }
  return visit(root)
}
