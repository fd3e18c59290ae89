import type { TestCaseOutcome } from '../../sandbox/types.ts'
import type { StatementPlace, Suspect } from './messages.ts'

/**
 * Suspicion of each statement by which tests come by it: Ochiai's coefficient, the best of those compared by Abreu, Zoeteweij and
 * van Gemund (TAICPART 2007). Empty where no test fails or none counted anything.
 */
export function rankStatements(
  places: readonly StatementPlace[],
  cases: readonly Pick<TestCaseOutcome, 'status' | 'coverage'>[],
): Suspect[] {
  const failing = cases.filter(({ status }) => status === 'failed')
  const isMeasured = failing.some(({ coverage }) => coverage?.some((times) => times > 0))
  if (!isMeasured) return []
  return places.map((place, index) => {
    const covers = ({ coverage }: Pick<TestCaseOutcome, 'coverage'>): boolean => (coverage?.[index] ?? 0) > 0
    const failed = failing.filter(covers).length
    const passed = cases.filter((test) => test.status === 'passed' && covers(test)).length
    return { ...place, suspicion: failed === 0 ? 0 : failed / Math.sqrt(failing.length * (failed + passed)) }
  })
}
