import type { Attempt, Reason, Result } from '../domain/result.ts'
import { failureLine, renderFailures } from '../feedback/purify-render.ts'
import { fenced, renderFiles } from '../prompt/text.ts'

const reasonTexts: Readonly<Record<Reason, { what: string; next: string }>> = {
  attempts: {
    what: 'All attempts that the budget allows are spent.',
    next: 'Look at the best attempt below; if it is close, run again with a higher --max-attempts, or say in the instruction what it got wrong.',
  },
  tokens: { what: 'The token budget is spent.', next: 'Raise --max-tokens, or make the task smaller.' },
  cost: { what: 'The cost budget is spent.', next: 'Raise --max-cost, or take a cheaper model.' },
  time: { what: 'The time budget is spent.', next: 'Raise --max-time, or look at what took long in the history.' },
  stuck: {
    what: 'The attempts went in circles: the same failures or the same code came back, and no strategy was left untried.',
    next: 'The failure below is what the model cannot get past. A sentence in the instruction about that very case, or another model, helps most.',
  },
  mechanic_exhausted: {
    what: 'Repair by search found no program that passes the tests.',
    next: 'Give a model with --model, or mend the failure below by hand.',
  },
  test_disputed: {
    what: 'A given test seems to be wrong. It has not been touched.',
    next: 'Compare the disputed test with the goal. If it is wrong, correct it and run again; if it is right, say so in the instruction.',
  },
  trust: {
    what: 'The tests are green, but too little speaks for the program to be believed.',
    next: 'Add tests for the changes that no test noticed, or lower --require-trust.',
  },
  review_rejected: {
    what: 'The review found faults that were not mended in time.',
    next: 'Read the findings and decide.',
  },
  escalated: { what: 'The review asks for a person.', next: 'Read the findings and decide.' },
  rejected: { what: 'A person rejected the result.', next: 'Run again with what was missing in the instruction.' },
  environment: {
    what: 'The surroundings failed, not the program.',
    next: 'Run `redgreen doctor`, mend what it names, and run again.',
  },
  model_unavailable: {
    what: 'The model could not be reached.',
    next: 'Check the endpoint and the key with `redgreen doctor`, and run again.',
  },
  model_refused: { what: 'The model refused twice.', next: 'Change the instruction, or take another model.' },
  aborted: { what: 'The run was ended from outside.', next: 'Run it again.' },
}

/** One sentence on why a run stopped. */
export function reasonText(reason: Reason): string {
  return reasonTexts[reason].what
}

/** What a person can do next about it, in a sentence. */
export function nextStep(reason: Reason): string {
  return reasonTexts[reason].next
}

/**
 * What a person gets when the engine stops short: why, the best candidate, its failures, the history, the next step. Markdown.
 *
 * @param fault what the surroundings said, where they are to blame
 */
export function renderHandover(result: Omit<Result, 'handover'>, fault: string | null = null): string {
  const reason = result.reason ?? 'environment'
  const best = result.attempts.find((attempt) => attempt.number === result.best)
  const parts = [
    `# Hand-over: ${reason}`,
    `${reasonTexts[reason].what} **The code below is not verified.**`,
    ...(fault !== null && ['environment', 'model_unavailable'].includes(reason) ? [`What failed: ${fault}`] : []),
    `Next step: ${reasonTexts[reason].next}`,
  ]
  if (best) {
    parts.push(`## Best attempt: ${best.number} (${standing(best)})`)
    const failures = renderFailures(best.report.failures, { hidden: 'told' })
    if (failures !== '') parts.push(failures)
    if (best.diagnosis) parts.push(`Diagnosis: ${best.diagnosis}`)
    parts.push(renderFiles(best.files, 40_000))
  } else {
    parts.push('No attempt held a usable program.')
  }
  if (result.attempts.length > 0) {
    parts.push('## History', result.attempts.map(historyLine).join('\n'))
  }
  if (result.setAside.length > 0) {
    parts.push(
      '## Tests set aside',
      result.setAside.map((entry) => `- ${entry.test}: ${entry.why} (by ${entry.by})`).join('\n'),
    )
  }
  parts.push(
    '## Way',
    fenced(result.path.join(' -> '), 'text'),
    `${result.usage.calls} model calls, ${result.usage.promptTokens + result.usage.completionTokens} tokens${result.usage.estimated ? ' (estimated)' : ''}.`,
  )
  return `${parts.join('\n\n')}\n`
}

/** How far an attempt came, in words. */
export function standing(attempt: Attempt): string {
  const { report } = attempt
  if (report.passed) return `green, ${report.tests.passed} of ${report.tests.total} tests`
  const red = report.layers.find((layer) => layer.status === 'failed')?.layer ?? 'unknown'
  if (red === 'hidden') return 'visible tests green, red on hidden tests'
  return red === 'tests' ? `${report.tests.passed} of ${report.tests.total} tests` : `red at ${red}`
}

function historyLine(attempt: Attempt): string {
  const first = attempt.report.failures.find((failure) => failure.severity === 'error')
  const why = attempt.report.passed
    ? 'green'
    : `${standing(attempt)}${first ? `: ${failureLine(first, 200, 'told')}` : ''}`
  const same = attempt.duplicateOf === undefined ? '' : ` (same program as attempt ${attempt.duplicateOf})`
  return `- attempt ${attempt.number}, ${attempt.strategy}: ${why}${same}`
}
