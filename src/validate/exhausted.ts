import type { Failure } from '../domain/report.ts'
import { toFailure } from './failures.ts'
import type { EarlyVerdict } from './worker/protocol.ts'

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

/** A verdict on code that no parser survives. */
export function fatalSyntax(message: string): EarlyVerdict {
  const failure = toFailure({ layer: 'syntax', kind: 'syntax', message })
  return {
    syntax: [failure],
    imports: [],
    policy: [],
    durationsMs: { syntax: 0, imports: 0, policy: 0, prepare: 0 },
  }
}
