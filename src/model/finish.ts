import type { Finish } from './types.ts'

/** How a provider ended a choice: a normal form, or a failure of the provider that is not an end. */
export type FinishReading = Finish | 'provider_error'

/**
 * Spellings by their letters alone, lower case. Sources: OpenAI, Azure, Anthropic (end_turn, stop_sequence, max_tokens,
 * model_context_window_exceeded), Gemini (STOP, MAX_TOKENS, SAFETY, RECITATION …), Mistral (model_length), DeepSeek
 * (insufficient_system_resource), Zhipu (sensitive, network_error), Cohere (COMPLETE), Bedrock (guardrail_intervened),
 * TGI (eos_token), vLLM (abort).
 */
const spellings: Readonly<Record<string, FinishReading>> = {
  stop: 'stop',
  stopped: 'stop',
  stopsequence: 'stop',
  endturn: 'stop',
  endofturn: 'stop',
  end: 'stop',
  eos: 'stop',
  eostoken: 'stop',
  complete: 'stop',
  completed: 'stop',
  done: 'stop',
  finish: 'stop',
  finished: 'stop',
  length: 'length',
  maxtokens: 'length',
  maxoutputtokens: 'length',
  maxcompletiontokens: 'length',
  maxlength: 'length',
  modellength: 'length',
  modelcontextwindowexceeded: 'length',
  tokenlimit: 'length',
  incomplete: 'length',
  truncated: 'length',
  contentfilter: 'content_filter',
  contentfiltered: 'content_filter',
  errortoxic: 'content_filter',
  safety: 'content_filter',
  sensitive: 'content_filter',
  recitation: 'content_filter',
  blocklist: 'content_filter',
  prohibitedcontent: 'content_filter',
  spii: 'content_filter',
  guardrailintervened: 'content_filter',
  blocked: 'content_filter',
  refusal: 'refusal',
  refused: 'refusal',
  toolcalls: 'tool_calls',
  toolcall: 'tool_calls',
  tooluse: 'tool_calls',
  functioncall: 'tool_calls',
  error: 'provider_error',
  networkerror: 'provider_error',
  insufficientsystemresource: 'provider_error',
  abort: 'provider_error',
  aborted: 'provider_error',
  cancelled: 'provider_error',
  canceled: 'provider_error',
}

/** Normalises a finish reason of any spelling; null, empty and unheard-of ones are `unknown`. */
export function readFinish(reason: unknown): FinishReading {
  if (typeof reason !== 'string') return 'unknown'
  const letters = reason.toLowerCase().replace(/[^a-z]/g, '')
  return spellings[letters.replace(/^(?:finishreason|stopreason)/, '')] ?? 'unknown'
}
