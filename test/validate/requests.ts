import { type PolicyInput, policySchema } from '../../src/domain/policy.ts'
import type { CheckRequest, ValidationRequest } from '../../src/validate/types.ts'

/** A request with defaults for everything that a test does not care about. */
export function requestOf(given: Partial<ValidationRequest> & { policy?: PolicyInput } = {}): ValidationRequest {
  const { policy: input, ...rest } = given
  const policy = policySchema.parse(input ?? {})
  return {
    language: 'typescript',
    entry: 'solution.ts',
    files: {},
    context: {},
    tests: {},
    hiddenTests: {},
    packages: [],
    packageRoot: '/nowhere',
    compilerOptions: {},
    limits: policy.limits,
    allow: policy.allow,
    deny: policy.deny,
    validation: 'fail-fast',
    setAside: [],
    ...rest,
  }
}

/** A check of one TypeScript (or `.js`) file, with tests if given. */
export function checkOf(
  source: string | Record<string, string>,
  given: Partial<ValidationRequest> & { policy?: PolicyInput } = {},
): CheckRequest {
  return requestOf({ files: typeof source === 'string' ? { 'solution.ts': source } : source, ...given })
}
