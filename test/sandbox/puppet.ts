import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { limitsSchema } from '../../src/domain/policy.ts'
import { openSandbox } from '../../src/sandbox/create-sandbox.ts'
import type { ProgramJob, Sandbox } from '../../src/sandbox/types.ts'

const entry = fileURLToPath(new URL('../fixtures/processes/puppet.cjs', import.meta.url))

/** A sandbox whose children do what a job's entry tells them to. */
export function puppetSandbox(
  options: { maxChildren?: number; warm?: number; namespace?: 'auto' | 'off' } = {},
): Sandbox {
  return openSandbox({ maxChildren: 1, warm: 0, namespace: 'off', ...options }, entry)
}

export function puppetJob(behaviour: string, limits: Partial<ProgramJob['limits']> = {}, stdin = ''): ProgramJob {
  return {
    kind: 'program',
    modules: [],
    packages: [],
    limits: limitsSchema.parse(limits),
    environment: { seed: 1, epochMs: 0, timeZone: 'UTC', shuffleTests: false },
    allowEval: false,
    entry: behaviour,
    stdin,
    args: [],
  }
}

/** Processes that descend from this one and run a sandbox child or a wrapper of one. */
export function childProcesses(): number[] {
  const parents = new Map<number, number>()
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'latin1')
      const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      const command = readFileSync(`/proc/${name}/cmdline`, 'latin1')
      if (state !== 'Z' && /\.cjs|bwrap|setpriv/.test(command)) parents.set(Number(name), Number(parent))
    } catch {
      // ended while it was looked at
    }
  }
  const descends = (pid: number): boolean => {
    for (let at: number | undefined = pid; at !== undefined && at > 1; at = parents.get(at)) {
      if (parents.get(at) === process.pid) return true
    }
    return false
  }
  return [...parents.keys()].filter(descends)
}

/** Descriptors that this process holds. */
export function openDescriptors(): number {
  return readdirSync('/proc/self/fd').length
}
