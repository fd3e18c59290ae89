import { format, inspect } from 'node-inspect-extracted'
import { defineCell } from './cells.ts'
import { send } from './channel.ts'
import { elapsedMs } from './clock.ts'

/** More than the limit is not kept, ten times the limit ends the job: a flood. */
const floodFactor = 10
const longestLine = 100_000

let limit = 100_000
let printed = 0
let flooded = false
/** Thrown to get out of the guest once it floods; the host ends the job at the message. */
class OutputFlood extends Error {}

export function resetConsole(outputBytes: number): void {
  limit = outputBytes
  printed = 0
  flooded = false
}

/** Passes text on, as far as the limit allows. */
export function write(stream: 'out' | 'err', text: string): void {
  const before = printed
  printed += text.length
  if (before < limit) {
    const kept = text.slice(0, limit - before)
    for (let at = 0; at < kept.length; at += longestLine) {
      send({ type: 'console', stream, text: kept.slice(at, at + longestLine), truncated: kept.length < text.length })
    }
  } else if (before === limit || before - text.length < limit)
    send({ type: 'console', stream, text: '', truncated: true })
  if (printed > limit * floodFactor && !flooded) {
    flooded = true
    send({ type: 'flood' })
    throw new OutputFlood('the program printed more than ten times what it may')
  }
}

function render(args: unknown[]): string {
  try {
    return format(...args)
  } catch {
    return '[values that cannot be printed]'
  }
}

let indent = ''
const counts = new Map<string, number>()
const started = new Map<string, number>()

const line = (stream: 'out' | 'err', args: unknown[]): void => {
  const text = render(args)
  write(stream, `${indent === '' ? text : text.replace(/^/gm, indent)}\n`)
}
const out = (...args: unknown[]): void => line('out', args)
const err = (...args: unknown[]): void => line('err', args)

function table(data: unknown): void {
  out(typeof data === 'object' && data !== null ? inspect(data, { depth: 2 }) : data)
}

const methods: Record<string, (...args: unknown[]) => void> = {
  log: out,
  info: out,
  debug: out,
  error: err,
  warn: err,
  trace: (...args) => err(`Trace${args.length > 0 ? ':' : ''}`, ...args),
  dir: (value) => out(inspect(value)),
  dirxml: out,
  table,
  assert(condition, ...args) {
    if (condition) return
    const [first, ...rest] = args
    if (typeof first === 'string') err(`Assertion failed: ${first}`, ...rest)
    else err('Assertion failed', ...args)
  },
  group(...args) {
    if (args.length > 0) out(...args)
    indent += '  '
  },
  groupEnd() {
    indent = indent.slice(2)
  },
  count(label = 'default') {
    const count = (counts.get(String(label)) ?? 0) + 1
    counts.set(String(label), count)
    out(`${label}: ${count}`)
  },
  countReset: (label = 'default') => void counts.delete(String(label)),
  time: (label = 'default') => void started.set(String(label), elapsedMs()),
  timeLog: (label = 'default', ...args) =>
    out(`${label}: ${elapsedMs() - (started.get(String(label)) ?? elapsedMs())}ms`, ...args),
  timeEnd(label = 'default') {
    out(`${label}: ${elapsedMs() - (started.get(String(label)) ?? elapsedMs())}ms`)
    started.delete(String(label))
  },
  clear: () => undefined,
}

/** The guest's console; each method is a cell, as tests spy on them. */
export function createConsole(): object {
  const guestConsole = {}
  for (const [name, method] of Object.entries({ ...methods, groupCollapsed: methods.group })) {
    defineCell(guestConsole, name, method)
  }
  return guestConsole
}
