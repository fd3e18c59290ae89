import { escapeHtml } from './markup.ts'

interface Place {
  readonly x: number
  readonly y: number
}

const box = { width: 104, height: 34 } as const

/** Where each state stands; the main loop is the middle row, ends are at the right. */
const places: Readonly<Record<string, Place>> = {
  write_tests: { x: 20, y: 24 },
  generate: { x: 20, y: 116 },
  validate: { x: 200, y: 116 },
  mend: { x: 200, y: 24 },
  analyze: { x: 110, y: 208 },
  test_review: { x: 290, y: 208 },
  trust: { x: 380, y: 70 },
  review: { x: 380, y: 140 },
  await_human: { x: 470, y: 208 },
  done: { x: 560, y: 70 },
  give_up: { x: 560, y: 150 },
}

/**
 * The chart with the way of one run through it, as an SVG picture: visited states are filled, each taken edge carries its count.
 *
 * @param path states in the order of visiting
 */
export function renderPathPicture(path: readonly string[]): string {
  const visited = new Map<string, number>()
  for (const state of path) visited.set(state, (visited.get(state) ?? 0) + 1)
  const edges = new Map<string, { from: string; to: string; count: number; last: number }>()
  for (let index = 1; index < path.length; index += 1) {
    const from = path[index - 1] ?? ''
    const to = path[index] ?? ''
    const key = `${from}>${to}`
    const edge = edges.get(key) ?? { from, to, count: 0, last: 0 }
    edges.set(key, { ...edge, count: edge.count + 1, last: index })
  }
  const lines = [...edges.values()].map((edge) => renderEdge(edge)).join('')
  const boxes = Object.entries(places)
    .map(([state, place]) => renderBox(state, place, visited.get(state) ?? 0, path.at(-1) === state))
    .join('')
  return `<svg viewBox="0 0 690 266" role="img" aria-label="${escapeHtml(`Path: ${path.join(', ')}`)}">
<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0L8 4L0 8z" class="tip"/></marker></defs>
${lines}${boxes}</svg>`
}

function renderBox(state: string, place: Place, visits: number, last: boolean): string {
  const kind = visits === 0 ? 'idle' : last ? (state === 'done' ? 'end good' : 'end bad') : 'visited'
  const times = visits > 1 ? ` ×${visits}` : ''
  return `<g class="state ${kind}"><rect x="${place.x}" y="${place.y}" width="${box.width}" height="${box.height}" rx="7"/><text x="${place.x + box.width / 2}" y="${place.y + 22}">${escapeHtml(state)}${times}</text></g>`
}

function renderEdge(edge: { from: string; to: string; count: number }): string {
  const from = places[edge.from]
  const to = places[edge.to]
  if (!from || !to) return ''
  if (edge.from === edge.to) {
    const x = from.x + box.width / 2
    return `<path class="edge" d="M${x - 16} ${from.y} C${x - 24} ${from.y - 26} ${x + 24} ${from.y - 26} ${x + 16} ${from.y - 1}" marker-end="url(#tip)"/>`
  }
  // Each direction keeps to its own side, so that there and back are two lines.
  const start = border(from, to)
  const end = border(to, from)
  const length = Math.hypot(end.x - start.x, end.y - start.y) || 1
  const side = { x: (-(end.y - start.y) / length) * 9, y: ((end.x - start.x) / length) * 9 }
  const middle = { x: (start.x + end.x) / 2 + side.x * 1.6, y: (start.y + end.y) / 2 + side.y * 1.6 }
  const label = edge.count > 1 ? `<text class="count" x="${middle.x}" y="${middle.y + 3}">${edge.count}</text>` : ''
  return `<path class="edge" d="M${start.x + side.x * 0.6} ${start.y + side.y * 0.6} Q${middle.x} ${middle.y} ${end.x + side.x * 0.6} ${end.y + side.y * 0.6}" marker-end="url(#tip)"/>${label}`
}

/** Where the line between two boxes leaves the first one. */
function border(box1: Place, box2: Place): Place {
  const center = { x: box1.x + box.width / 2, y: box1.y + box.height / 2 }
  const other = { x: box2.x + box.width / 2, y: box2.y + box.height / 2 }
  const dx = other.x - center.x
  const dy = other.y - center.y
  const scale = Math.min(box.width / 2 / (Math.abs(dx) || 0.001), (box.height / 2 + 1) / (Math.abs(dy) || 0.001))
  return { x: round(center.x + dx * scale), y: round(center.y + dy * scale) }
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
