import type { Usage } from '../domain/result.ts'
import type { ErrorCode } from '../errors.ts'

/** The states that call a model; the value of the header X-Redgreen-Role. */
export type ModelRole = 'generate' | 'analyze' | 'test_review' | 'review' | 'write_tests'

export interface ModelMessage {
  readonly role: 'system' | 'user' | 'assistant'
  readonly content: string
}

export interface ModelRequest {
  readonly role: ModelRole
  readonly messages: readonly ModelMessage[]
  readonly temperature?: number
  /** Cap on the reply, in tokens; reserved from the budget before the call. */
  readonly maxOutputTokens?: number
  /** Replies asked for together. */
  readonly choices?: number
  /** The reply shall be JSON of this schema (name and JSON Schema); see `completeJson`. */
  readonly json?: { readonly name: string; readonly schema: Readonly<Record<string, unknown>> }
  /** Shorter messages to send instead when the model's context overflows; once. */
  readonly compact?: () => readonly ModelMessage[]
}

/** How a reply ended, normalised over providers. */
export type Finish = 'stop' | 'length' | 'content_filter' | 'refusal' | 'tool_calls' | 'unknown'

/** One provider message, not yet read for code (see feedback's `extract`). */
export interface ModelReply {
  readonly content: string
  readonly reasoning?: string
  readonly refusal?: string
  readonly toolCalls?: readonly { readonly name: string; readonly arguments: string }[]
  readonly finish: Finish
}

export interface ModelCompletion {
  /** In the order asked for; at least one. */
  readonly replies: readonly ModelReply[]
  readonly model: string
  readonly usage: Usage
  /** Of all tries, waits included. */
  readonly durationMs: number
  /** Fewer replies than asked for, and why the rest failed. */
  readonly shortfall?: { readonly code: ErrorCode; readonly message: string }
}

export interface ModelCallOptions {
  readonly signal?: AbortSignal
  /** Time left to the run; a Retry-After beyond it rejects with BUDGET_EXHAUSTED (detail.budget 'time'). */
  readonly deadlineMs?: number
  /** Text of the first choice as it comes; begins anew after `onRetry`. */
  readonly onDelta?: (text: string) => void
  /** Longest silence of the model, in place of its own (policy.modelTimeoutMs). */
  readonly timeoutMs?: number
  /** Told before each wait for a further try. */
  readonly onRetry?: (retry: { readonly attempt: number; readonly waitMs: number; readonly reason: string }) => void
}

/**
 * Any language model. Rejects with MODEL_UNAVAILABLE after retries, MODEL_KEY_REFUSED, MODEL_UNKNOWN, MODEL_ENDPOINT_INVALID,
 * MODEL_CONTEXT_OVERFLOW, BUDGET_EXHAUSTED or ABORTED; what a model says is a value, be it a refusal or cut short.
 */
export interface Model {
  readonly name: string
  complete(request: ModelRequest, options?: ModelCallOptions): Promise<ModelCompletion>
  /** Tokens that this text would take, as near as known. */
  estimateTokens(text: string): number
}
