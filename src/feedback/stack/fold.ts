import type { StackFrame } from './parse.ts'

const maxPeriod = 12

/**
 * The functions that call each other without end, in calling order as the stack shows them; undefined where nothing repeats.
 * Looks at the first frames only, since a stack that overflowed repeats from its top.
 */
export function recursionCycle(frames: readonly StackFrame[]): readonly string[] | undefined {
  const seen = frames.slice(0, 200)
  const key = (index: number): string => {
    const frame = seen[index]
    return frame ? `${frame.name}\n${frame.file}\n${frame.line}` : ''
  }
  // The top frames may lie outside the cycle (the last call made); so may a few of the runtime's own.
  for (let offset = 0; offset < Math.min(6, seen.length); offset += 1) {
    for (let period = 1; period <= maxPeriod && offset + period * 3 <= seen.length; period += 1) {
      let same = true
      for (let index = offset; index < offset + period * 2 && same; index += 1)
        same = key(index) === key(index + period)
      if (same) return uniqueNames(seen.slice(offset, offset + period))
    }
  }
  return undefined
}

function uniqueNames(frames: readonly StackFrame[]): string[] {
  return [...new Set(frames.map((frame) => frame.name))]
}
