export { eventSchema, type RunEvent } from './domain/event.ts'
export { type Policy, type PolicyInput, policySchema } from './domain/policy.ts'
export { type Failure, failureSchema, type Report, reportSchema } from './domain/report.ts'
export {
  type Attempt,
  attemptSchema,
  type Reason,
  type Result,
  type Review,
  resultSchema,
  type Trust,
  type Usage,
} from './domain/result.ts'
export { type FileMap, type Language, type Task, taskSchema } from './domain/task.ts'
export {
  createEngine,
  type Engine,
  type EngineOptions,
  type Preview,
  type RunOptions,
  type VerifyInput,
} from './engine.ts'
export { type ErrorCode, errorCodes, RedgreenError } from './errors.ts'
export type { ExecuteOptions, ExecuteResult } from './execute.ts'
export type { Journal, JournalEntry, JournalStore } from './journal/journal.ts'
export { createMemoryJournalStore } from './journal/memory.ts'
export { openaiModel } from './model/openai.ts'
export type { OpenaiModelOptions } from './model/options.ts'
export type {
  Model,
  ModelCallOptions,
  ModelCompletion,
  ModelMessage,
  ModelReply,
  ModelRequest,
  ModelRole,
} from './model/types.ts'
export type { Strategy } from './prompt/strategy.ts'
export type { PromptTemplate } from './prompt/template.ts'
export { defaultTemplates, type PromptTemplates, type TemplateName } from './prompt/templates.ts'
export { renderHtmlReport } from './report/html.ts'
export { renderMarkdownReport } from './report/markdown.ts'
export type { HumanAnswer, HumanRequest } from './run/human.ts'
export type { Run } from './run/run.ts'
export type { SandboxOptions } from './sandbox/index.ts'
