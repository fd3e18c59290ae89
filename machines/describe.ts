/** The chart as data, read from the machine itself, for `machine list|graph`, the report's picture and docs/chart.md. */
import { type SolveState, solveStates } from './solve.context.ts'
import { solveMachine } from './solve.machine.ts'

export interface ChartEdge {
  readonly from: SolveState | 'start'
  readonly to: SolveState
  /** What sets it off: the port answered, the port rejected, an abort, or the start of the run. */
  readonly on: 'start' | 'done' | 'error' | 'run.aborted'
  /** Name of the guard that must hold, null for none. Edges of one state and event are tried in order. */
  readonly guard: string | null
  /** Taken only with `policy.human`. */
  readonly asksHuman: boolean
  /** Reason that the run gives up with, or that a person is asked for; null for none (or for the one that holds already). */
  readonly reason: string | null
}

export interface ChartDescription {
  readonly id: string
  readonly states: readonly SolveState[]
  readonly final: readonly SolveState[]
  /** By state, in the order in which they are tried. */
  readonly edges: readonly ChartEdge[]
}

/** States and edges of the solve machine. */
export function describeChart(): ChartDescription {
  const nodes = solveMachine.root.states
  const abort = [...solveMachine.root.transitions.values()].flat()
  const edges = Object.values(nodes).flatMap((node) => {
    const own = [...(node.always ?? []), ...[...node.transitions.values()].flat()]
    const isResting = node.type !== 'final' && node.key !== 'start'
    return [...own, ...(isResting ? abort : [])].map((transition) => toEdge(node.key, transition))
  })
  return {
    id: solveMachine.id,
    states: solveStates,
    final: solveStates.filter((state) => nodes[state]?.type === 'final'),
    edges,
  }
}

interface Transition {
  readonly eventType: string
  readonly guard?: unknown
  readonly target: readonly { readonly key: string }[] | undefined
  readonly actions: readonly unknown[]
}

function toEdge(from: string, transition: Transition): ChartEdge {
  const target = transition.target?.[0]?.key ?? from
  return {
    from: from === 'start' ? 'start' : toState(from),
    to: toState(target),
    on: triggerOf(transition.eventType),
    guard: stringParam(transition.actions, 'record', 'guard'),
    asksHuman: member(member(transition.guard, 'params'), 'asks') === 'human',
    reason: stringParam(transition.actions, 'stop', 'reason'),
  }
}

function triggerOf(eventType: string): ChartEdge['on'] {
  if (eventType.startsWith('xstate.done.')) return 'done'
  if (eventType.startsWith('xstate.error.')) return 'error'
  return eventType === 'run.aborted' ? 'run.aborted' : 'start'
}

function toState(key: string): SolveState {
  const state = solveStates.find((name) => name === key)
  if (state === undefined) throw new Error(`the chart has a state "${key}" that solveStates does not name`)
  return state
}

function stringParam(actions: readonly unknown[], type: string, param: string): string | null {
  const action = actions.find((candidate) => member(candidate, 'type') === type)
  const value = member(member(action, 'params'), param)
  return typeof value === 'string' ? value : null
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && name in value ? Reflect.get(value, name) : undefined
}

const triggerTexts = { start: 'start', done: '', error: 'failed', 'run.aborted': 'run.aborted' } as const

/** How an edge reads in a picture: what set it off, its guard, the reason. */
export function edgeLabel(edge: ChartEdge): string {
  return [triggerTexts[edge.on], edge.guard ?? '', edge.asksHuman ? 'asks human' : ''].filter(Boolean).join(': ')
}

/** The chart as a Mermaid state diagram, arrows between the same two states drawn as one; arrows of `run.aborted` are left out. */
export function renderMermaid(chart: ChartDescription = describeChart()): string {
  const labels = new Map<string, Set<string>>()
  for (const edge of chart.edges) {
    if (edge.on === 'run.aborted') continue
    const arrow = `${edge.from === 'start' ? '[*]' : edge.from} --> ${edge.to}`
    const known = labels.get(arrow) ?? new Set()
    known.add(edge.guard ?? 'else')
    labels.set(arrow, known)
  }
  const arrows = [...labels].map(([arrow, guards]) => `  ${arrow}: ${[...guards].join(' / ')}`)
  const ends = chart.final.map((state) => `  ${state} --> [*]`)
  return ['stateDiagram-v2', ...arrows, ...ends].join('\n')
}

/** The chart as a Markdown table, a line an edge, in the order in which the edges are tried. */
export function renderEdgeTable(chart: ChartDescription = describeChart()): string {
  const rows = chart.edges.map(
    (edge) =>
      `| \`${edge.from}\` | ${edge.on} | ${edge.guard ?? ''}${edge.asksHuman ? ' *(policy.human)*' : ''} | \`${edge.to}\` | ${edge.reason ?? ''} |`,
  )
  return ['| from | on | guard | goes to | reason |', '|---|---|---|---|---|', ...rows].join('\n')
}
