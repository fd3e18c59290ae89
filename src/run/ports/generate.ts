import type { GenerateInput, GenerateOutput } from '../../../machines/ports.ts'
import type { FileMap } from '../../domain/task.ts'
import { RedgreenError } from '../../errors.ts'
import { type Extraction, extract, toFailure } from '../../feedback/index.ts'
import type { ModelMessage, ModelReply } from '../../model/types.ts'
import { completeWhole } from '../../model/whole.ts'
import { buildGeneratePrompt } from '../../prompt/build.ts'
import type { HistoryEntry } from '../../prompt/history.ts'
import { requiredExports } from '../../prompt/module-shape.ts'
import { readPlan, strategyInstruction } from '../../prompt/strategy.ts'
import { type PromptTemplate, templateHash } from '../../prompt/template.ts'
import { budgeted, emitReplied } from '../call-model.ts'
import { withDeadline } from '../deadline.ts'
import type { AttemptStart, RunSession } from '../session.ts'
import { extractReport, summarize } from '../summary.ts'
import { generateNotes } from './notes.ts'

/** Asks for a candidate (or several side by side) and reads the replies. */
export async function generate(session: RunSession, input: GenerateInput): Promise<GenerateOutput> {
  const { tools } = session
  const { task, emit, journal, signal } = tools
  const model = tools.models.generate
  if (model === null) throw new RedgreenError('MODEL_REQUIRED', 'the run came to a generation without a model')
  const { left, ...plan } = input
  if (input.switchedFrom !== null)
    emit({ type: 'strategy.changed', from: input.switchedFrom, to: input.strategy, why: 'stuck' })

  const template = task.kind === 'repair' ? tools.templates.repair : tools.templates.generate
  const prompt = { template: template.name, hash: templateHash(template) }
  const called = await journal.step(`generate/${input.visit}/reply`, { plan, prompt }, () =>
    withDeadline(signal, left.timeMs, async (limited) => {
      const completion = await completeWhole(
        budgeted(model, left, tools),
        {
          role: 'generate',
          messages: generatePrompt(session, input, template),
          temperature: input.temperature,
          ...(task.policy.candidates > 1 ? { choices: task.policy.candidates } : {}),
          compact: () => generatePrompt(session, input, template, 0.3),
        },
        {
          signal: limited,
          deadlineMs: left.timeMs,
          timeoutMs: task.policy.modelTimeoutMs,
          onDelta: (text) => emit({ type: 'model.delta', role: 'generate', text }),
        },
      )
      emitReplied(tools, 'generate', completion)
      return { replies: completion.replies, usage: completion.usage, durationMs: completion.durationMs }
    }),
  )

  const paid = { usage: called.usage, durationMs: called.durationMs }
  const base = {
    number: input.attempt,
    origin: 'model' as const,
    strategy: input.strategy,
    basedOn: input.basedOn,
    prompt,
  }
  const readings = called.replies.map((reply) => read(session, input, reply))
  // A reply that names one file of several leaves the others as they are.
  const kept = (input.basedOn === null ? undefined : session.find(input.basedOn)?.files) ?? task.files
  const programs = readings.flatMap((reading) => (reading.outcome === 'files' ? [{ ...kept, ...reading.files }] : []))
  if (programs.length === 0) return unusable(session, input, base, readings[0], paid)

  const planSteps = input.strategy === 'plan-first' ? readPlan(called.replies[0]?.content ?? '') : []
  if (planSteps.length > 0) emit({ type: 'plan.written', attempt: input.attempt, plan: planSteps })
  const fresh = programs.filter((files) => session.equalTo(files, input.attempt) === null)
  const first = fresh[0] ?? programs[0] ?? {}
  emit({
    type: 'candidate.extracted',
    attempt: input.attempt,
    files: Object.keys(first),
    strategy: input.strategy,
    origin: 'model',
  })
  if (fresh.length === 0) {
    const duplicateOf = session.equalTo(first, input.attempt) ?? 0
    const report = session.attempt(duplicateOf).report
    session.begin({ ...base, files: first, duplicateOf, report, plan: planSteps, ...paid })
    if (report) emitFinished(session, input.attempt)
    return { kind: 'duplicate', duplicateOf, ...paid }
  }
  session.begin({ ...base, files: first, pending: distinct(session, fresh), plan: planSteps, ...paid })
  return { kind: 'candidate', ...paid }
}

/** The messages that a generation would send. */
export function generatePrompt(
  session: RunSession,
  input: GenerateInput,
  template: PromptTemplate,
  share = 1,
): ModelMessage[] {
  const latest = input.latest === null ? undefined : session.find(input.latest)
  const built = input.basedOn === null ? undefined : session.find(input.basedOn)
  const red = session.attempts.filter(
    (record) => record.report !== null && !record.report.passed && record.number < input.attempt,
  )
  const recent = red.slice(-2)
  return buildGeneratePrompt(
    session.tools.task,
    template,
    {
      candidate: built && Object.keys(built.files).length > 0 ? { attempt: built.number, files: built.files } : null,
      latest: latest?.report ? { attempt: latest.number, report: latest.report } : null,
      regress: input.regress,
      notes: generateNotes(session, input),
      history: red.filter((record) => record.number !== input.latest || recent.length > 1).map(toHistory),
      strategyInstruction: strategyInstruction(input.strategy, session.tools.strategies),
      freshLook: input.freshLook,
      redRounds: red.filter((record) => record.origin === 'model').length,
      generation: input.generation,
      maxGenerations: input.maxGenerations,
      alternates: recent.some((record) => record.duplicateOf !== null),
    },
    share,
  )
}

function toHistory(record: ReturnType<RunSession['attempt']>): HistoryEntry {
  if (record.report === null) throw new Error('only judged attempts are told of')
  return {
    attempt: record.number,
    strategy: record.strategy,
    report: record.report,
    ...(record.diagnosis === null ? {} : { diagnosis: record.diagnosis }),
    ...(record.duplicateOf === null ? {} : { duplicateOf: record.duplicateOf }),
  }
}

function read(session: RunSession, input: GenerateInput, reply: ModelReply): Extraction {
  const { task } = session.tools
  const previous = input.basedOn === null ? undefined : session.find(input.basedOn)?.files
  return extract(reply, {
    language: task.language,
    entry: task.entry,
    exports: requiredExports(task.tests, task.entry).flatMap(({ name, kind }) => (kind === 'named' ? [name] : [])),
    testPaths: [...Object.keys(task.tests), ...Object.keys(task.hiddenTests), ...Object.keys(task.context)],
    ...(previous ? { previousFiles: previous } : {}),
    module: usesCommonJs(task.tests) ? 'cjs' : 'esm',
  })
}

function usesCommonJs(tests: FileMap): boolean {
  return Object.values(tests).some((text) => /\brequire\(\s*['"]\.{1,2}\//.test(text))
}

function distinct(session: RunSession, programs: readonly FileMap[]): FileMap[] {
  const seen = new Set<string>()
  return programs.filter((files) => {
    const key = JSON.stringify(Object.entries(files).sort())
    if (seen.has(key) || session.equalTo(files, Number.POSITIVE_INFINITY) !== null) return false
    seen.add(key)
    return true
  })
}

function unusable(
  session: RunSession,
  input: GenerateInput,
  base: Omit<AttemptStart, 'files'>,
  reading: Extraction | undefined,
  paid: Pick<GenerateOutput, 'usage' | 'durationMs'>,
): GenerateOutput {
  const failure = toFailure(reading ?? { outcome: 'empty', next: 'Reply with the program.' })
  if (failure === null) throw new Error('a reply with a program is not unusable')
  const report = extractReport(failure, session.tools.isolation)
  session.begin({ ...base, files: {}, report, ...paid })
  emitFinished(session, input.attempt)
  const summary = summarize({
    number: input.attempt,
    origin: 'model',
    strategy: input.strategy,
    files: {},
    language: session.tools.task.language,
    report,
    previousFiles: null,
    duplicateOf: null,
  })
  return { kind: reading?.outcome === 'refused' ? 'refused' : 'unusable', summary, ...paid }
}

/** Tells of an attempt that has its report. */
export function emitFinished(session: RunSession, number: number): void {
  const { report, duplicateOf } = session.attempt(number)
  if (report === null) return
  session.tools.emit({
    type: 'attempt.finished',
    attempt: number,
    passed: report.passed,
    score: report.score,
    tests: { passed: report.tests.passed, total: report.tests.total },
    failures: report.failures,
    ...(duplicateOf === null ? {} : { duplicateOf }),
  })
}
