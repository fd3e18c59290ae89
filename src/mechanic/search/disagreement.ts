import { z } from 'zod'
import type { SourceModule, TestJob } from '../../sandbox/types.ts'
import type { ValidationRequest } from '../../validate/types.ts'
import type { MechanicTools } from '../types.ts'
import { usualEnvironment } from './judging.ts'
import { type OpenedProgram, probeMark } from './messages.ts'

/** A patch may loop for ever where no test looks: what it printed until then counts. */
const probeLimits = { cpuMs: 1_000, wallMs: 3_000 }
const lineSchema = z.tuple([z.string(), z.string()])

/** What a patched program answers, by call. */
export type Answers = ReadonlyMap<string, string>

/** Runs the probe on one patched program. */
export async function answersOf(
  program: OpenedProgram,
  validation: ValidationRequest,
  tools: MechanicTools,
): Promise<Answers> {
  const { limits } = validation
  const job: TestJob = {
    kind: 'test',
    entry: program.entry,
    modules: program.modules,
    packages: program.packages,
    tests: program.tests satisfies readonly SourceModule[],
    limits: {
      ...limits,
      cpuMs: Math.min(limits.cpuMs, probeLimits.cpuMs),
      wallMs: Math.min(limits.wallMs, probeLimits.wallMs),
    },
    environment: { ...usualEnvironment, ...validation.environment },
    allowEval: validation.allow.eval,
  }
  const outcome = await tools.sandbox.run(job, {
    scope: tools.scope,
    ...(tools.signal ? { signal: tools.signal } : {}),
  })
  const answers = new Map<string, string>()
  for (const line of outcome.console.split('\n')) {
    const at = line.indexOf(probeMark)
    if (at < 0) continue
    const parsed = lineSchema.safeParse(readJson(line.slice(at + probeMark.length)))
    if (parsed.success) answers.set(...parsed.data)
  }
  return answers
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null // the last line may be cut
  }
}

/** The first call that two programs answer differently, in words; null where they agree on all that both were asked. Pure. */
export function firstDifference(chosen: Answers, other: Answers, otherChange: string): string | null {
  for (const [call, answer] of chosen) {
    const theirs = other.get(call)
    if (theirs !== undefined && theirs !== answer)
      return `${call} is ${answer} here, and ${theirs} with "${otherChange}"`
  }
  return null
}
