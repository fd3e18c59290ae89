import type { FailureKind } from '../domain/report.ts'

const byKind: Readonly<Record<FailureKind, string>> = {
  reply: 'Your last reply held no usable program. Reply with one complete program in a single fenced code block.',
  syntax:
    'The program does not parse. Check brackets, quotes and line ends around the marked line before anything else.',
  dependency:
    'The program imports or exports something that is not there. Import only what is named as allowed, and export exactly what the tests import.',
  type: 'The program does not type-check under strict rules. Mend the types where they are wrong; do not silence the compiler.',
  policy: 'The program uses something that this task forbids. Replace it by an honest solution of the same thing.',
  runtime:
    'The program throws where it should not. Find the value that was not expected and handle it where it comes from.',
  logic:
    'The program runs and gives a wrong answer. Trace the failing input step by step against the expected output before you write.',
  timeout:
    'The program does not end in time. Look at its complexity, at loops that never stop and at promises that nobody settles.',
  memory:
    'The program takes too much memory. Look for collections that grow without bound and for copies of large values.',
  output: 'The program prints without end. Remove the printing; results are returned, not printed.',
  crash: 'The program brought its process down. Look for unbounded recursion and for values of extreme size.',
  test: 'No test could judge the program. Make sure that it exports what the tests import.',
  environment: 'The surroundings failed, not the program.',
}

/**
 * The one emphasis of the next prompt: by the leading kind of failure, harder with each red round.
 *
 * @param redRounds red attempts in a row, from 1
 */
export function emphasisFor(kind: FailureKind | null, redRounds: number): string {
  if (kind === null) return ''
  const base = byKind[kind]
  if (redRounds <= 1) return base
  if (redRounds === 2) return `${base} The same kind of failure has come up before, so a small patch is not enough.`
  return `${base} This is red round ${redRounds}: doubt what you were sure of, and check each failing case by hand before you answer.`
}

/** Asked for from the second red attempt in a row. */
export const freshLook =
  'Take a fresh look at the whole approach: say to yourself what the tests demand, choose the simplest design that meets all of it, and write it anew rather than patching the last version.'
