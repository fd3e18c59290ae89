import { readdirSync, readFileSync } from 'node:fs'

/** O_CLOEXEC as /proc shows it, in octal. */
const closeOnExec = 0o2000000

let found: readonly number[] | undefined

/**
 * Descriptors above the standard three that this process has inherited and would hand on to every child: Node marks its
 * own to be closed, but not what the host's own parent left open (a shell, a supervisor). They would be a way out of every
 * wall. Found once, because nothing adds to them later. Empty where there is no /proc.
 */
export function strayDescriptors(): readonly number[] {
  found ??= process.platform === 'linux' ? findStrays() : []
  return found
}

function findStrays(): number[] {
  return readdirSync('/proc/self/fd')
    .map(Number)
    .filter((descriptor) => descriptor > 2 && isInheritable(descriptor))
}

function isInheritable(descriptor: number): boolean {
  try {
    const flags = /^flags:\s*(\d+)/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, 'latin1'))?.[1]
    return flags !== undefined && (Number.parseInt(flags, 8) & closeOnExec) === 0
  } catch {
    return false // closed meanwhile: it was the one that listed the folder
  }
}
