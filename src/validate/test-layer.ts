import type { Failure, FailureKind } from '../domain/report.ts'
import { failureFromGuestError, type GuestContext } from '../feedback/purify-guest.ts'
import type { SourceText } from '../feedback/stack/source-map.ts'
import type { JobEnd, SourceModule, TestCaseOutcome, TestOutcome } from '../sandbox/types.ts'
import { toFailure } from './failures.ts'
import type { PreparedSources, ValidationRequest } from './types.ts'

/** What a run of tests comes to. */
export interface TestVerdict {
  readonly cases: readonly TestCaseOutcome[]
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  /** Most telling first; empty means green. */
  readonly failures: readonly Failure[]
}

/** Which of a failure's errors explain the others: what keeps the code from running, then what the tests say. */
const rank: Readonly<Record<FailureKind, number>> = {
  environment: 0,
  crash: 1,
  memory: 1,
  output: 1,
  timeout: 2,
  syntax: 3,
  dependency: 4,
  runtime: 5,
  logic: 6,
  test: 7,
  reply: 8,
  type: 8,
  policy: 8,
}

/** Reads what the sandbox saw of the visible tests. Pure. */
export function readOutcome(outcome: TestOutcome, request: ValidationRequest, prepared: PreparedSources): TestVerdict {
  const isSetAside = titleMatcher(request.setAside)
  const cases = outcome.cases.filter((test) => !isSetAside(test))
  const count = (status: TestCaseOutcome['status']): number => cases.filter((test) => test.status === status).length
  const passed = count('passed')
  const failed = count('failed')
  const skipped = count('skipped')
  const context = contextOf(request, prepared)

  const ended = outcome.end.kind === 'completed' ? [] : [endFailure(outcome.end, outcome.runningTest, request)]
  const outside = outcome.errors.map(({ phase, error, file }) => outsideFailure(phase, error, file, context))
  const inTests = cases.flatMap((test) => (test.status === 'failed' ? caseFailures(test, context) : []))
  const found = [...ended, ...firstOfEach(outside), ...inTests]
  const failures = found.length > 0 ? stableByRank(found) : emptyFailure(passed, skipped, cases.length)
  return { cases, passed, failed, skipped, failures }
}

function titleMatcher(titles: readonly string[]): (test: TestCaseOutcome) => boolean {
  const wanted = new Set(titles)
  return (test) =>
    wanted.has(test.name) ||
    wanted.has(`${test.file} > ${test.name}`) ||
    (test.name.startsWith(`${test.file} > `) && wanted.has(test.name.slice(test.file.length + 3)))
}

function contextOf(request: ValidationRequest, prepared: PreparedSources): GuestContext {
  const own: Record<string, SourceText> = {}
  for (const module of prepared.modules) {
    const source = request.files[module.path] ?? request.context[module.path]
    if (source !== undefined) own[module.path] = sourceText(source, module)
  }
  const testSources: Record<string, SourceText> = {}
  for (const module of prepared.tests)
    testSources[module.path] = sourceText(request.tests[module.path] ?? module.code, module)
  return { layer: 'tests', sources: own, testSources }
}

const sourceText = (source: string, module: SourceModule): SourceText =>
  module.map === undefined ? { source } : { source, map: module.map }

function caseFailures(test: TestCaseOutcome, context: GuestContext): Failure[] {
  const named = { ...context, test: test.name }
  if (test.neverSettles === true)
    return [
      toFailure({
        layer: 'tests',
        kind: 'timeout',
        code: 'NEVER_SETTLES',
        test: test.name,
        message: `The test "${test.name}" never settles: it waits for a promise that nothing will resolve.`,
        hint: 'resolve or reject every promise on every path; call every callback',
      }),
    ]
  const [first] = test.errors
  if (!first)
    return [
      toFailure({
        layer: 'tests',
        kind: test.timedOut === true ? 'timeout' : 'logic',
        test: test.name,
        message: `The test "${test.name}" failed.`,
      }),
    ]
  return test.errors
    .slice(0, 3)
    .map((error) => failureFromGuestError(error, test.timedOut === true ? { ...named, kind: 'timeout' } : named))
}

function outsideFailure(
  phase: TestOutcome['errors'][number]['phase'],
  error: TestOutcome['errors'][number]['error'],
  file: string | undefined,
  context: GuestContext,
): Failure {
  const failure = failureFromGuestError(error, context)
  switch (phase) {
    case 'load-candidate':
      return {
        ...failure,
        hint: joined(failure.hint, `the module ${file ?? ''} could not be loaded`.replace('  ', ' ')),
      }
    case 'load-tests':
      return failure.location === undefined && failure.kind === 'syntax' ? { ...failure, kind: 'test' } : failure
    case 'hook':
      return { ...failure, hint: joined(failure.hint, 'thrown in a hook of the tests') }
    case 'unhandled':
      return {
        ...failure,
        hint: joined(failure.hint, 'nobody caught it: a rejected promise or an error in a callback after its test'),
      }
    default:
      return phase satisfies never
  }
}

const joined = (first: string | undefined, second: string): string => (first ? `${first}; ${second}` : second)

/** The same error met by several files is told once. */
function firstOfEach(failures: readonly Failure[]): Failure[] {
  const seen = new Set<string>()
  return failures.filter(({ fingerprint, location }) => {
    const key = `${fingerprint} ${location?.file ?? ''}:${location?.line ?? ''}`
    return !seen.has(key) && seen.add(key)
  })
}

function stableByRank(failures: readonly Failure[]): Failure[] {
  return failures
    .map((failure, index) => ({ failure, index }))
    .sort((a, b) => rank[a.failure.kind] - rank[b.failure.kind] || a.index - b.index)
    .map(({ failure }) => failure)
}

function endFailure(
  end: Exclude<JobEnd, { kind: 'completed' }>,
  runningTest: string | undefined,
  request: ValidationRequest,
): Failure {
  const { limits } = request
  const during = runningTest === undefined ? '' : ` during "${runningTest}"`
  const common = { layer: 'tests', ...(runningTest === undefined ? {} : { test: runningTest }) }
  switch (end.kind) {
    case 'timeout': {
      const limit = end.which === 'cpu' ? `${limits.cpuMs} ms of processor time` : `${limits.wallMs} ms`
      return toFailure({
        ...common,
        kind: 'timeout',
        message: `The code did not end within ${limit}${during}.`,
        hint: 'look for a loop that never ends, or for an algorithm that is too slow',
      })
    }
    case 'memory':
      return toFailure({
        ...common,
        kind: 'memory',
        message: `The code used more than ${limits.memoryMiB} MiB of memory${during}.`,
        hint: 'look for data that grows without bound',
      })
    case 'output':
      return toFailure({
        ...common,
        kind: 'output',
        message: `The code printed far more than ${limits.outputBytes} bytes${during}.`,
        hint: 'print less',
      })
    case 'crash':
      return toFailure({
        ...common,
        kind: 'crash',
        message: `The code brought its process down${during}: ${end.detail}`,
      })
    case 'environment':
      return toFailure({ ...common, kind: 'environment', message: `The sandbox failed: ${end.detail}` })
    default:
      return end satisfies never
  }
}

/** Green needs at least one test that passed. */
export function emptyFailure(passed: number, skipped: number, total: number): Failure[] {
  if (passed > 0) return []
  if (total === 0)
    return [
      toFailure({ layer: 'tests', kind: 'test', code: 'NO_TESTS', message: 'No test was run: nothing is proven.' }),
    ]
  return [
    toFailure({
      layer: 'tests',
      kind: 'test',
      code: 'ALL_SKIPPED',
      message: `All tests were skipped (${skipped}): skipped is not passed.`,
    }),
  ]
}

/** What may be said of hidden tests: that something unseen failed, and never what. */
export function hiddenFailure(end: JobEnd): Failure {
  const kind: FailureKind = end.kind === 'completed' ? 'logic' : end.kind
  return toFailure({
    layer: 'hidden',
    kind,
    message:
      end.kind === 'environment'
        ? 'The sandbox failed while it ran unseen tests.'
        : 'Requirements that the visible tests do not cover are not met.',
    hint: 'reread the task: edge cases, empty and extreme inputs, error handling',
  })
}
