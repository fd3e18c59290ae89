import type { SolveInput } from '../../machines/solve.context.ts'
import { type Alphabet, bare, by, green, inputOf, type Verdict } from './alphabet.ts'

export interface Scenario {
  readonly name: string
  readonly input: SolveInput
  readonly alphabet: Alphabet
  /** States on the longest path, at most. */
  readonly bound: number
}

const red = (layer: string, fp = 'a', similarity?: number): Verdict =>
  similarity === undefined ? { layer, fp } : { layer, fp, similarity }

const everyLayer: readonly Verdict[] = [
  green,
  red('syntax'),
  red('imports'),
  red('types', 'ab'),
  red('types'),
  red('policy'),
  red('tests', 'ab'),
  red('tests', 'a'),
  red('tests', 'b', 0.95),
  red('tests', 'c'),
  red('hidden'),
  red('lint'),
]

const infrastructure = [['ABORTED'], ['SANDBOX_UNAVAILABLE']] as const
const modelErrors = [
  ['ABORTED'],
  ['MODEL_UNAVAILABLE'],
  ['INTERNAL'],
  ['BUDGET_EXHAUSTED', 'tokens'],
  ['BUDGET_EXHAUSTED', 'cost'],
  ['BUDGET_EXHAUSTED', 'time'],
  ['BUDGET_EXHAUSTED', 'attempts'],
] as const
const everyError: Alphabet['errors'] = {
  write_tests: modelErrors,
  generate: modelErrors,
  validate: [...infrastructure, ['BUDGET_EXHAUSTED', 'time']],
  mend: [...infrastructure, ['BUDGET_EXHAUSTED', 'time']],
  analyze: modelErrors,
  test_review: modelErrors,
  trust: infrastructure,
  review: infrastructure,
  await_human: infrastructure,
}

const fewVerdicts = [green, red('types'), red('tests', 'ab'), red('tests', 'a')]
const low = { kind: 'measured', level: 'low', durationMs: 0 } as const
const high = { kind: 'measured', level: 'high', durationMs: 0 } as const
const unmeasured = { kind: 'unmeasured', durationMs: 0 } as const

const answers = [
  { answer: 'approve', ...by },
  { answer: 'reject', ...by },
  { answer: 'hint', by: 'ada', hint: 'mind the time zone' },
] as const
const raisingHint = {
  answer: 'hint',
  by: 'ada',
  hint: 'go on',
  raise: { maxTokens: 1_500, maxCostUsd: 1.5, maxTimeMs: 1_500 },
} as const

export const scenarios: readonly Scenario[] = [
  {
    name: 'default policy, 4 attempts',
    input: inputOf({}),
    alphabet: {
      verdicts: [green, red('types'), red('tests', 'ab'), red('tests', 'c'), red('hidden')],
      generate: ['candidate', 'duplicate', 'unusable'],
      mend: ['nothing'],
      analyze: ['backs', 'blames'],
      verdictsOfReview: ['code_wrong', 'test_wrong'],
      trust: [low],
    },
    bound: 25,
  },
  {
    name: 'every layer, every reply, 2 attempts, nothing else',
    input: inputOf({ ...bare, maxAttempts: 2 }),
    alphabet: {
      verdicts: everyLayer,
      generate: ['candidate', 'duplicate', 'unusable', 'refused'],
      errors: everyError,
      environment: true,
      analyze: ['backs', 'blames', 'none'],
      verdictsOfReview: ['code_wrong', 'test_wrong', 'unclear'],
    },
    bound: 12,
  },
  {
    name: 'replies over 4 attempts',
    input: inputOf(bare),
    alphabet: {
      verdicts: [red('types'), red('tests', 'a')],
      generate: ['candidate', 'duplicate', 'duplicate of first', 'unusable', 'refused'],
      analyze: ['blames'],
    },
    bound: 16,
  },
  ...[false, true].flatMap((human) =>
    [{ tokens: 1_000 }, { costUsd: 1 }, { ms: 1_000 }].map(
      (spend): Scenario => ({
        name: `a small budget of ${Object.keys(spend)[0]}${human ? ', a person at hand' : ''}`,
        input: inputOf({
          mechanic: { mode: 'quick' },
          trust: { mutants: 0 },
          maxAttempts: 3,
          maxHints: 0,
          human,
          maxTokens: 1_000,
          maxCostUsd: 1,
          maxTimeMs: 1_000,
        }),
        alphabet: {
          verdicts: human ? [red('tests', 'a')] : [red('tests', 'a'), red('types', 'b')],
          generate: ['candidate', 'unusable'],
          spends: [spend],
          errors: { mend: [['SANDBOX_UNAVAILABLE']], test_review: [['INTERNAL']] },
          mend: ['nothing'],
          analyze: ['backs'],
          verdictsOfReview: ['unclear'],
          answers: human ? [answers[1]] : [],
        },
        bound: 30,
      }),
    ),
  ),
  {
    name: 'a person who raises a spent budget',
    input: inputOf({
      ...bare,
      maxAttempts: 1,
      maxHints: 1,
      human: true,
      maxTokens: 1_000,
      maxCostUsd: 1,
      maxTimeMs: 1_000,
    }),
    alphabet: {
      verdicts: [green, red('types')],
      generate: ['candidate'],
      spends: [{ tokens: 1_000 }, { costUsd: 1 }, { ms: 1_000 }],
      answers: [...answers, raisingHint],
    },
    bound: 20,
  },
  ...[false, true].map(
    (human): Scenario => ({
      name: `a small budget without the mechanic${human ? ', a person at hand' : ''}`,
      input: inputOf({ ...bare, maxAttempts: 2, maxHints: 0, human, maxTokens: 1_000, maxCostUsd: 1 }),
      alphabet: {
        verdicts: [red('types')],
        generate: ['candidate'],
        spends: [{ tokens: 1_000 }, { costUsd: 1 }],
        answers: [answers[1]],
      },
      bound: 8,
    }),
  ),
  ...[false, true].map(
    (human): Scenario => ({
      name: `looking at the tests fails${human ? ', a person at hand' : ''}`,
      input: inputOf({
        ...bare,
        maxAttempts: 3,
        strategies: human ? ['direct', 'plan-first'] : ['direct', 'plan-first', 'different-approach'],
        human,
        maxHints: 0,
      }),
      alphabet: {
        verdicts: [red('tests', 'a'), red('tests', 'ab')],
        generate: ['candidate'],
        errors: { analyze: modelErrors, test_review: modelErrors },
        analyze: ['backs'],
        verdictsOfReview: ['unclear'],
        answers: [answers[1]],
      },
      bound: 20,
    }),
  ),
  {
    name: 'review without trust',
    input: inputOf({ ...bare, review: true, maxAttempts: 3 }),
    alphabet: { verdicts: [green, red('types')], generate: ['candidate', 'duplicate'], review: ['accept', 'repair'] },
    bound: 16,
  },
  {
    name: 'review with trust measured but not required',
    input: inputOf({ mechanic: { mode: 'off' }, review: true, maxAttempts: 2 }),
    alphabet: {
      verdicts: [green],
      generate: ['candidate'],
      errors: { trust: infrastructure },
      trust: [low, unmeasured],
      review: ['accept', 'escalate'],
    },
    bound: 10,
  },
  {
    name: 'a person and everything that goes wrong, 2 attempts',
    input: inputOf({ ...bare, maxAttempts: 2, human: true, maxHints: 0, strategies: ['direct'] }),
    alphabet: {
      verdicts: [green, red('tests', 'a')],
      generate: ['candidate', 'duplicate', 'refused'],
      errors: everyError,
      environment: true,
      analyze: ['backs'],
      verdictsOfReview: ['code_wrong', 'test_wrong'],
      answers,
    },
    bound: 40,
  },
  {
    name: 'a person who hints twice',
    input: inputOf({ ...bare, maxAttempts: 1, human: true, maxHints: 2 }),
    alphabet: {
      verdicts: [green, red('tests', 'a'), red('types')],
      generate: ['candidate'],
      errors: { generate: [['INTERNAL']] },
      analyze: ['blames'],
      answers,
    },
    bound: 40,
  },
  {
    name: 'trust required and review on',
    input: inputOf({
      mechanic: { mode: 'off' },
      maxAttempts: 4,
      requireTrust: 'medium',
      review: true,
      maxReviewRepairs: 1,
    }),
    alphabet: {
      verdicts: [green, red('types')],
      generate: ['candidate', 'duplicate'],
      errors: everyError,
      trust: [low, high, unmeasured],
      review: ['accept', 'repair', 'escalate'],
    },
    bound: 24,
  },
  {
    name: 'trust and review with a person',
    input: inputOf({
      mechanic: { mode: 'off' },
      maxAttempts: 2,
      requireTrust: 'high',
      review: true,
      human: true,
      maxHints: 1,
    }),
    alphabet: {
      verdicts: [green, red('types')],
      generate: ['candidate', 'duplicate'],
      errors: { trust: infrastructure, review: infrastructure },
      trust: [low, high],
      review: ['accept', 'repair', 'escalate'],
      answers,
    },
    bound: 40,
  },
  ...(['quick', 'first'] as const).map(
    (mode): Scenario => ({
      name: `repair with a model, mechanic ${mode}`,
      input: inputOf(
        { mechanic: { mode, maxCandidates: 2 }, trust: { mutants: 0 }, maxAttempts: 2, human: mode === 'first' },
        { hasFiles: true },
      ),
      alphabet: {
        verdicts: [green, red('types'), red('tests', 'a')],
        generate: ['candidate', 'duplicate', 'duplicate of first', 'unusable'],
        errors: { mend: [...infrastructure, ['BUDGET_EXHAUSTED', 'time']] },
        mend: ['candidate', 'duplicate', 'nothing'],
        analyze: ['backs'],
        verdictsOfReview: ['unclear'],
        answers: [answers[1]],
      },
      bound: 30,
    }),
  ),
  ...[false, true].map(
    (human): Scenario => ({
      name: `no model${human ? ', a person at hand' : ''}`,
      input: inputOf({ mechanic: { mode: 'only' }, human }, { hasModel: false, hasFiles: true }),
      alphabet: {
        verdicts: human ? fewVerdicts : everyLayer,
        generate: [],
        errors: everyError,
        environment: true,
        mend: ['candidate', 'nothing'],
        trust: [low, unmeasured],
        answers,
      },
      bound: 16,
    }),
  ),
  ...[false, true].flatMap((human): Scenario[] => [
    {
      name: `tests to be written${human ? ', a person at hand' : ''}`,
      input: inputOf({ ...bare, maxAttempts: 2, human, maxHints: human ? 1 : 0 }, { hasTests: false }),
      alphabet: {
        verdicts: human ? [red('tests', 'ab')] : [green, red('tests', 'a'), red('tests', 'ab')],
        generate: ['candidate'],
        errors: { write_tests: modelErrors },
        written: [0, 4],
        analyze: ['backs'],
        verdictsOfReview: ['test_wrong', 'unclear'],
        answers,
      },
      bound: 40,
    },
    {
      name: `tests to be written on a budget${human ? ', a person at hand' : ''}`,
      input: inputOf(
        { ...bare, maxAttempts: 1, human, maxHints: 0, maxTokens: 1_000, maxCostUsd: 1, maxTimeMs: 1_000 },
        { hasTests: false },
      ),
      alphabet: {
        verdicts: [green, red('types')],
        generate: ['candidate'],
        spends: [{ tokens: 1_000 }, { costUsd: 1 }, { ms: 1_000 }],
        written: [4],
        answers: [answers[1]],
      },
      bound: 12,
    },
    {
      name: `tests to be written for given files${human ? ', a person at hand' : ''}`,
      input: inputOf({ ...bare, maxAttempts: 1, human }, { hasTests: false, hasFiles: true }),
      alphabet: { verdicts: [green, red('types')], generate: ['candidate'], written: [0, 4], answers: [answers[1]] },
      bound: 8,
    },
    {
      name: `no attempts allowed${human ? ', a person at hand' : ''}`,
      input: inputOf({ ...bare, maxAttempts: 0, human, maxHints: 1 }),
      alphabet: { verdicts: [green, red('types')], generate: ['candidate'], answers },
      bound: 12,
    },
    {
      name: `tests to be written, no attempts allowed${human ? ', a person at hand' : ''}`,
      input: inputOf({ ...bare, maxAttempts: 0, human, maxHints: 0 }, { hasTests: false }),
      alphabet: { verdicts: [], generate: [], written: [4], answers: [answers[1]] },
      bound: 6,
    },
    {
      name: `nothing to work with${human ? ', a person at hand' : ''}`,
      input: inputOf({ ...bare, human }, { hasModel: false }),
      alphabet: { verdicts: [], generate: [], answers },
      bound: 12,
    },
  ]),
]
