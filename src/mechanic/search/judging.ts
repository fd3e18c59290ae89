import type { SearchJob, SourceModule } from '../../sandbox/types.ts'
import type { ValidationRequest } from '../../validate/types.ts'
import type { MechanicTools } from '../types.ts'
import type { OpenedProgram } from './messages.ts'

/** How far a program gets with the visible tests. */
export interface Fitness {
  readonly passed: number
  readonly total: number
  /** Assertions that held. */
  readonly checks: number
  readonly timedOut: boolean
}

/** The same surroundings as those of a verdict; see src/validate/create-validator.ts. */
export const usualEnvironment = { seed: 1, epochMs: 1_704_067_200_000, timeZone: 'UTC', shuffleTests: false }

/**
 * Judges programs that differ from the opened one in some modules, many in one isolate. A search aid: what passes here is
 * judged again by the validator. Null for those that came to no end with their process.
 */
export async function judgeVariants(
  program: OpenedProgram,
  changes: readonly (readonly SourceModule[])[],
  validation: ValidationRequest,
  tools: MechanicTools,
  limits: { readonly variantCpuMs: number; readonly wallMs: number },
): Promise<(Fitness | null)[]> {
  const results: (Fitness | null)[] = changes.map(() => null)
  let from = 0
  // one that brings its process down costs its place only: the rest is asked again
  while (from < changes.length) {
    const indices = changes.slice(from).map((_, index) => from + index)
    const job: SearchJob = {
      kind: 'search',
      entry: program.entry,
      modules: program.modules,
      packages: program.packages,
      tests: program.tests,
      variants: indices,
      variantModules: changes.slice(from),
      variantCpuMs: limits.variantCpuMs,
      limits: { ...validation.limits, wallMs: Math.max(1, Math.ceil(limits.wallMs)) },
      environment: { ...usualEnvironment, ...validation.environment },
      allowEval: validation.allow.eval,
    }
    const outcome = await tools.sandbox.run(job, {
      scope: tools.scope,
      ...(tools.signal ? { signal: tools.signal } : {}),
    })
    for (const { variant, passed, total, timedOut, checks } of outcome.variants)
      results[variant] = { passed: passed.length, total, checks: checks ?? 0, timedOut }
    const done = from + outcome.variants.length
    if (outcome.end.kind === 'completed' || (outcome.end.kind === 'timeout' && outcome.end.which === 'wall')) break
    from = done + 1
  }
  return results
}
