import { basename } from 'node:path'
import { parse as parseYaml } from 'yaml'
import { describeIssues, type ResolvedConfig, resolveConfig } from '../../config.ts'
import { mergePolicies, type PolicyInput, parsePolicyInput } from '../../domain/policy.ts'
import type { Result } from '../../domain/result.ts'
import { createEngine, type Engine } from '../../engine.ts'
import { RedgreenError } from '../../errors.ts'
import { openaiModel } from '../../model/openai.ts'
import {
  createRecorder,
  formatRecording,
  parseRecording,
  type Recorder,
  type ReplayModel,
  recordModel,
  replayModel,
} from '../../model/recording.ts'
import type { Model } from '../../model/types.ts'
import { renderHtmlReport } from '../../report/html.ts'
import { renderMarkdownReport } from '../../report/markdown.ts'
import { askPerson } from '../ask-person.ts'
import { readFileTask, readSolveTask, type TaskInput } from '../inputs.ts'
import type { CommandIo } from '../io.ts'
import { policyFromOptions, type SharedOptions } from '../options.ts'
import { readTextFile } from '../read-files.ts'
import { createPaint } from '../view/paint.ts'
import { liveView, type ProgressView, plainView } from '../view/progress.ts'
import { renderSummary } from '../view/summary.ts'
import { replaceFile, writeInPlace, writeVerifiedFiles } from '../write-files.ts'

export function solveCommand(task: string | undefined, options: SharedOptions, io: CommandIo): Promise<number> {
  return runCommand('solve', options, io, (recorded) =>
    task === undefined && recorded ? recorded : readSolveTask(task, options),
  )
}

export function repairCommand(file: string, options: SharedOptions, io: CommandIo): Promise<number> {
  if (options.write && options.out !== undefined) {
    throw new RedgreenError('INVALID_OPTION', '--write and --out exclude each other: --write replaces FILE itself')
  }
  return runCommand('repair', options, io, () => readFileTask(file, options, options.instruction))
}

/** Reads the input, runs the task, shows what happens, and writes what was asked for; gives the exit code. */
async function runCommand(
  kind: 'solve' | 'repair',
  options: SharedOptions,
  io: CommandIo,
  readInput: (recorded: TaskInput | undefined) => TaskInput,
): Promise<number> {
  const replay = options.replay === undefined ? undefined : readRecording(options.replay)
  const input = readInput(replay?.input)
  const config = await resolveConfig({
    flags: pickFlags(options),
    environment: io.environment,
    projectDir: process.cwd(),
    trustProject: options.trustProject,
  })
  const recorder = options.record === undefined ? undefined : createRecorder({ task: input.task })
  const model = replay?.model ?? chooseModel(config.model, config, recorder)
  const policy = mergePolicies(
    config.policy,
    readPolicyFile(options.policy),
    input.task.policy,
    policyFromOptions(options),
  )
  await using engine = createEngine({
    ...(model ? { model, models: replay ? {} : sideModels(config, recorder) } : {}),
    policy,
    packageRoot: input.root,
    ...(io.ask ? { onHuman: askPerson(io) } : {}),
  })
  const task = { ...input.task, policy }
  if (options.dryRun) return showPreview(engine, task, io)
  const result = await conduct(engine, kind, task, options, io, config)
  if (recorder && options.record !== undefined) replaceFile(options.record, formatRecording(recorder.recording()))
  const written = writeOutputs(result, options, input)
  if (options.report !== undefined) replaceFile(options.report, renderReportFile(options.report, result, input))
  if (!options.json && !options.events) {
    const paint = createPaint(usesColour(options, io, config))
    const columns = io.stdout.columns ?? 80
    io.stdout.write(
      renderSummary(result, { paint, columns, given: input.task.files ?? {}, written, quiet: options.quiet }),
    )
    if (replay) io.stdout.write("The model's replies in this run were recorded; everything else was real.\n")
  }
  return exitCodeOf(result)
}

async function conduct(
  engine: Engine,
  kind: 'solve' | 'repair',
  task: TaskInput['task'],
  options: SharedOptions,
  io: CommandIo,
  config: ResolvedConfig,
): Promise<Result> {
  const run = kind === 'repair' ? engine.repair(task) : engine.solve(task)
  const view = createView(options, io, config)
  const stopListening = run.listen((event) => {
    if (options.events) io.stdout.write(`${JSON.stringify(event)}\n`)
    else view?.show(event)
  })
  const ignoreInterrupts = io.onInterrupt(() => run.abort())
  try {
    const result = await run.result
    if (options.json) io.stdout.write(`${JSON.stringify(result, null, 2)}\n`)
    return result
  } finally {
    ignoreInterrupts()
    stopListening()
    view?.stop()
  }
}

function createView(options: SharedOptions, io: CommandIo, config: ResolvedConfig): ProgressView | null {
  if (options.json || options.quiet || options.events) return null
  if (io.stdout.isTTY) return liveView(io.stdout, createPaint(usesColour(options, io, config)), io.now)
  return plainView((text) => io.stdout.write(text))
}

function usesColour(options: SharedOptions, io: CommandIo, config: ResolvedConfig): boolean {
  return options.color && !config.noColor && io.stdout.isTTY === true
}

function pickFlags(options: SharedOptions) {
  const { model, analyzeModel, reviewModel, testReviewModel, baseUrl } = options
  return Object.fromEntries(
    Object.entries({ model, analyzeModel, reviewModel, testReviewModel, baseUrl }).filter(
      (entry) => entry[1] !== undefined,
    ),
  )
}

function chooseModel(
  name: string | undefined,
  config: ResolvedConfig,
  recorder: Recorder | undefined,
): Model | undefined {
  if (name === undefined) return undefined
  const model = openaiModel({
    model: name,
    ...(config.baseUrl === undefined ? {} : { baseURL: config.baseUrl }),
    // Null, so that no other reader of the environment finds a key that was not meant for this endpoint.
    apiKey: config.apiKey ?? null,
  })
  return recorder ? recordModel(model, recorder.sink) : model
}

function sideModels(config: ResolvedConfig, recorder: Recorder | undefined) {
  const analyze = chooseModel(config.analyzeModel, config, recorder)
  const review = chooseModel(config.reviewModel, config, recorder)
  const testReview = chooseModel(config.testReviewModel, config, recorder)
  return {
    ...(analyze ? { analyze } : {}),
    ...(review ? { review } : {}),
    ...(testReview ? { test_review: testReview } : {}),
  }
}

function readRecording(path: string): { readonly model: ReplayModel; readonly input?: TaskInput } {
  const recording = parseRecording(readTextFile(path, 'the recording'))
  const model = replayModel(recording)
  if (!recording.task) return { model }
  return { model, input: { task: recording.task, root: process.cwd(), title: basename(path), testFiles: [] } }
}

function readPolicyFile(path: string | undefined): Partial<PolicyInput> {
  if (path === undefined) return {}
  const text = readTextFile(path, 'the policy file')
  let content: unknown
  try {
    content = /\.json$/i.test(path) ? JSON.parse(text) : parseYaml(text)
  } catch (cause) {
    throw new RedgreenError(
      'INVALID_CONFIG',
      `${path} does not parse: ${cause instanceof Error ? (cause.message.split('\n')[0] ?? '') : String(cause)}`,
      { cause },
    )
  }
  const parsed = parsePolicyInput(content)
  if (!parsed.ok)
    throw new RedgreenError('INVALID_CONFIG', `${path} is not a valid policy: ${describeIssues(parsed.error)}`)
  return parsed.policy
}

function writeOutputs(result: Result, options: SharedOptions, input: TaskInput): string[] {
  if (!result.verified) return []
  if (options.write) return writeInPlace(result.files, input.root)
  if (options.out !== undefined) return writeVerifiedFiles(result.files, options.out)
  return []
}

function renderReportFile(path: string, result: Result, input: TaskInput): string {
  return /\.md$/i.test(path)
    ? renderMarkdownReport(result, input.title)
    : renderHtmlReport(result, { title: input.title, given: input.task.files ?? {} })
}

function showPreview(engine: Engine, task: TaskInput['task'], io: CommandIo): number {
  const { messages, estimate } = engine.preview(task)
  for (const message of messages) io.stdout.write(`--- ${message.role} ---\n${message.content}\n\n`)
  const cost =
    estimate.promptCostUsd === null
      ? 'price not known'
      : `$${estimate.promptCostUsd.toFixed(4)} for the prompt, at most $${(estimate.maxCostUsd ?? 0).toFixed(4)}`
  io.stdout.write(
    `--- estimate ---\n${estimate.promptTokens} prompt tokens, at most ${estimate.maxOutputTokens} output tokens a call; ${cost}\nNothing was sent.\n`,
  )
  return 0
}

/** 0 passed · 1 gave up · 3 waits for a person · 4 environment or model unavailable · 130 aborted. */
export function exitCodeOf(result: Pick<Result, 'status' | 'reason'>): number {
  switch (result.status) {
    case 'passed':
      return 0
    case 'gave_up':
      return result.reason === 'environment' || result.reason === 'model_unavailable' ? 4 : 1
    case 'needs_human':
      return 3
    case 'aborted':
      return 130
    default:
      return result.status satisfies never
  }
}
