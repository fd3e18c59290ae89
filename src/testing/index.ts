/**
 * Published as `redgreen/testing`: models that answer by a script, for tests of code that uses redgreen.
 */
export { type ModelClock, systemClock } from '../model/clock.ts'
export type {
  DropStep,
  HttpStep,
  ReplyStep,
  Script,
  ScriptedChoice,
  ScriptedUsage,
  ServerStep,
  SseStep,
} from './script.ts'
export {
  type ErrorStep,
  type ModelStep,
  type ScriptedModel,
  type ScriptedModelOptions,
  scriptedModel,
} from './scripted-model.ts'
export {
  createScriptedServer,
  type RecordedBody,
  type RecordedRequest,
  type ScriptedServer,
  type ScriptedServerOptions,
} from './scripted-server.ts'
