import { z } from 'zod'
import type * as ports from '../../../machines/ports.ts'
import { noUsage, reviewSchema } from '../../domain/result.ts'
import { RedgreenError } from '../../errors.ts'
import { completeJson, readJson } from '../../model/json.ts'
import type { Model, ModelMessage, ModelRole } from '../../model/types.ts'
import { buildLookPrompt } from '../../prompt/build.ts'
import { templateHash } from '../../prompt/template.ts'
import { budgeted, emitReplied, steersRun, usageOfError } from '../call-model.ts'
import { withDeadline } from '../deadline.ts'
import type { RunSession } from '../session.ts'

const diagnosisSchema = z.object({
  cause: z.string(),
  fix: z.string().default(''),
  blame: z.preprocess(readBlame, z.enum(['code', 'test', 'unclear'])).default('unclear'),
  test: z.string().nullish(),
})
const maxDiagnosisChars = 1_500

/** Whom a diagnosis blames, in one of the words that models find for it. */
function readBlame(value: unknown): unknown {
  if (typeof value !== 'string') return value
  const words = value.toLowerCase()
  const blamesTest = /test|spec|expectation/.test(words)
  const blamesCode = /code|program|solution|implementation|candidate/.test(words)
  return blamesTest === blamesCode ? 'unclear' : blamesTest ? 'test' : 'code'
}

/** Asks for the cause of failing tests; an answer that is no JSON is taken as plain text, a failed call is no diagnosis. */
export async function analyze(session: RunSession, input: ports.AnalyzeInput): Promise<ports.AnalyzeOutput> {
  const { tools } = session
  const model = tools.models.analyze
  const record = session.attempt(input.attempt)
  if (model === null || record.report === null) return { kind: 'none', usage: noUsage, durationMs: 0 }
  const template = tools.templates.analyze
  const failures = record.report.failures
  // A hidden test must not leak into what a model reads; the failure text says only that unseen requirements failed.
  const messages = buildLookPrompt(tools.task, template, { files: record.files, failures })
  const { left, ...identity } = input
  let answer: { readonly content: string; readonly usage: ports.AnalyzeOutput['usage']; readonly durationMs: number }
  try {
    answer = await tools.journal.step(
      `analyze/${input.visit}/reply`,
      { ...identity, template: templateHash(template) },
      () =>
        withDeadline(tools.signal, left.timeMs, async (signal) => {
          const completion = await budgeted(model, left, tools).complete(
            {
              role: 'analyze',
              messages,
              temperature: 0.2,
              json: { name: 'diagnosis', schema: z.toJSONSchema(diagnosisSchema, { io: 'input' }) },
            },
            { signal, deadlineMs: left.timeMs, timeoutMs: tools.task.policy.modelTimeoutMs },
          )
          emitReplied(tools, 'analyze', completion)
          const reply = completion.replies[0]
          return {
            content: reply?.content || reply?.refusal || '',
            usage: completion.usage,
            durationMs: completion.durationMs,
          }
        }),
    )
  } catch (error) {
    if (steersRun(error)) throw error
    const usage = usageOfError(error)
    session.charge(input.attempt, { usage, durationMs: 0 })
    return { kind: 'none', usage, durationMs: 0 }
  }
  const { usage, durationMs } = answer
  session.charge(input.attempt, { usage, durationMs })
  const reading = readJson([answer.content], diagnosisSchema)
  const text = reading.ok
    ? [reading.value.cause, reading.value.fix].filter((part) => part !== '').join(' ')
    : answer.content.trim()
  if (text === '') return { kind: 'none', usage, durationMs }
  session.update(input.attempt, { diagnosis: text.slice(0, maxDiagnosisChars) })
  const backsCode = reading.ok && reading.value.blame === 'test' && input.suspects.length > 0
  return { kind: 'diagnosis', backsCode, usage, durationMs }
}

const wordedVerdict = z.preprocess(readVerdict, z.enum(['code_wrong', 'test_wrong', 'unclear']))
const verdictSchema = z.union([
  z.object({ verdicts: z.array(z.object({ test: z.string(), verdict: wordedVerdict })) }),
  z.object({ verdict: wordedVerdict }),
])

/** The three verdicts in the words that models find for them; "the test is wrong" says the same as `test_wrong`. */
function readVerdict(value: unknown): unknown {
  if (typeof value !== 'string') return value
  const words = value.toLowerCase()
  if (/unclear|unsure|unknown|both|neither|cannot/.test(words)) return 'unclear'
  if (/test/.test(words) && !/code|program|solution/.test(words))
    return /right|correct|valid|fine/.test(words) && !/incorrect|invalid/.test(words) ? 'code_wrong' : 'test_wrong'
  if (/code|program|solution/.test(words) && !/test/.test(words))
    return /right|correct|valid|fine/.test(words) && !/incorrect|invalid/.test(words) ? 'test_wrong' : 'code_wrong'
  return value
}

/** Has the disputed tests judged, without saying who wrote what; a failed call is "unclear". */
export async function testReview(session: RunSession, input: ports.TestReviewInput): Promise<ports.TestReviewOutput> {
  const { tools } = session
  const record = session.attempt(input.attempt)
  const template = tools.templates.test_review
  const { left, ...identity } = input
  const failures = (record.report?.failures ?? []).filter(
    (failure) => failure.test !== undefined && input.tests.includes(failure.test),
  )
  const answer = await ask(session, {
    role: 'test_review',
    model: tools.models.test_review,
    name: `test_review/${input.visit}/verdict`,
    identity: { ...identity, template: templateHash(template) },
    messages: buildLookPrompt(tools.task, template, {
      files: record.files,
      failures,
      question: input.tests.map((test) => `- the test with the title "${test}"`).join('\n'),
    }),
    schema: verdictSchema,
    left,
  })
  session.charge(input.attempt, answer)
  const { value, usage, durationMs } = answer
  const verdicts = input.tests.map((test): ports.TestVerdict => {
    if (value === null) return { test, verdict: 'unclear' }
    if ('verdict' in value) return { test, verdict: value.verdict }
    return { test, verdict: value.verdicts.find((entry) => entry.test === test)?.verdict ?? 'unclear' }
  })
  return { verdicts, usage, durationMs }
}

/** Has green code reviewed. A failed call escalates: the chart's error arrow. */
export async function review(session: RunSession, input: ports.ReviewInput): Promise<ports.ReviewOutput> {
  const { tools } = session
  const record = session.attempt(input.attempt)
  const template = tools.templates.review
  const { left, ...identity } = input
  const answer = await ask(session, {
    role: 'review',
    model: tools.models.review,
    name: `review/${input.visit}/reply`,
    identity: { ...identity, template: templateHash(template) },
    messages: buildLookPrompt(tools.task, template, { files: record.files, failures: [] }),
    schema: reviewSchema,
    left,
  })
  session.charge(input.attempt, answer)
  if (answer.value === null) return { verdict: 'escalate', usage: answer.usage, durationMs: answer.durationMs }
  session.reviews.set(input.visit, answer.value)
  session.update(input.attempt, { review: answer.value })
  tools.emit({ type: 'review.finished', attempt: input.attempt, review: answer.value })
  return { verdict: answer.value.verdict, usage: answer.usage, durationMs: answer.durationMs }
}

interface Question<S extends z.ZodType> {
  readonly role: ModelRole
  readonly model: Model | null
  readonly name: string
  readonly identity: unknown
  readonly messages: readonly ModelMessage[]
  readonly schema: S
  readonly left: ports.BudgetLeft
}

/** One structured question; null where no answer could be had. Errors that steer the run are thrown. */
async function ask<S extends z.ZodType>(
  session: RunSession,
  question: Question<S>,
): Promise<{ readonly value: z.output<S> | null; readonly usage: typeof noUsage; readonly durationMs: number }> {
  const { tools } = session
  const { model, left } = question
  if (model === null) return { value: null, usage: noUsage, durationMs: 0 }
  try {
    return await tools.journal.step(question.name, question.identity, () =>
      withDeadline(tools.signal, left.timeMs, async (signal) => {
        const completion = await completeJson(
          budgeted(model, left, tools),
          { role: question.role, messages: question.messages, temperature: 0.2 },
          question.schema,
          { signal, deadlineMs: left.timeMs, timeoutMs: tools.task.policy.modelTimeoutMs },
        )
        tools.emit({
          type: 'model.replied',
          role: question.role,
          model: model.name,
          usage: completion.usage,
          finish: 'stop',
          durationMs: completion.durationMs,
        })
        return completion
      }),
    )
  } catch (error) {
    if (steersRun(error)) throw error
    if (!RedgreenError.isInstance(error)) throw error
    return { value: null, usage: usageOfError(error), durationMs: 0 }
  }
}
