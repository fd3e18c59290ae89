import type { Failure } from '../domain/report.ts'
import { toFailure } from './failures.ts'

/** What is said when the compiler did not end in time. */
export function endlessTypes(file: string | undefined, seconds: number): Failure {
  return toFailure({
    layer: 'types',
    kind: 'type',
    code: 'TYPES_TIMEOUT',
    message: `The types did not finish checking within ${seconds} s (timeout): a type recurses or grows without bound.`,
    hint: 'simplify recursive conditional types and large unions',
    ...(file === undefined ? {} : { location: { file, line: 1, column: 1 } }),
  })
}

/** What is said when the compiler itself was brought down. */
export function crashedTypes(file: string | undefined): Failure {
  return toFailure({
    layer: 'types',
    kind: 'type',
    code: 'TYPES_EXHAUSTED',
    message: 'The types cannot be checked: the compiler ran out of memory or stack on them.',
    hint: 'simplify recursive conditional types and large unions',
    ...(file === undefined ? {} : { location: { file, line: 1, column: 1 } }),
  })
}
