/** What one model at one endpoint was found to accept; every member only ever moves away from its default. */
export interface Dialect {
  readonly outputCap: 'max_tokens' | 'max_completion_tokens' | 'none'
  /** Largest cap on output tokens the model takes, where it told. */
  readonly outputLimit?: number
  readonly temperature: boolean
  readonly system: 'system' | 'developer' | 'user'
  /** Messages of the same role in a row are refused, so they are merged. */
  readonly alternate: boolean
  readonly json: 'schema' | 'object' | 'text'
  readonly stream: boolean
  readonly streamOptions: boolean
  /** Several choices come of one request. */
  readonly choices: boolean
  /** The endpoint has answered as a model should at least once, so a refused connection is an outage and no wrong URL. */
  readonly proven: boolean
}

/** A member of the request that a provider may refuse. */
export type Feature = Exclude<keyof Dialect, 'proven'>

const plainDialect: Dialect = {
  outputCap: 'max_tokens',
  temperature: true,
  system: 'system',
  alternate: false,
  json: 'schema',
  stream: true,
  streamOptions: true,
  choices: true,
  proven: false,
}

/** OpenAI's own models take the newer name, and its reasoning models only that. */
const openaiDialect: Dialect = { ...plainDialect, outputCap: 'max_completion_tokens' }

/**
 * Remembers per endpoint and model what was refused, so that nothing is refused twice. Share one among the models of a process
 * that talk to the same endpoint.
 */
export interface EndpointMemory {
  get(endpoint: string, model: string): Dialect
  set(endpoint: string, model: string, dialect: Dialect): void
}

export function createEndpointMemory(): EndpointMemory {
  const known = new Map<string, Dialect>()
  const keyOf = (endpoint: string, model: string) => JSON.stringify([endpoint, model])
  return {
    get: (endpoint, model) =>
      known.get(keyOf(endpoint, model)) ??
      (URL.canParse(endpoint) && new URL(endpoint).hostname === 'api.openai.com' ? openaiDialect : plainDialect),
    set: (endpoint, model, dialect) => void known.set(keyOf(endpoint, model), dialect),
  }
}

/** The dialect after `feature` was refused in the form it has now, or undefined when there is no other form left. */
export function stepDown(dialect: Dialect, feature: Feature, first: Dialect['outputCap']): Dialect | undefined {
  switch (feature) {
    case 'outputCap': {
      if (dialect.outputCap === 'none') return undefined
      const other = first === 'max_tokens' ? 'max_completion_tokens' : 'max_tokens'
      return { ...dialect, outputCap: dialect.outputCap === first ? other : 'none' }
    }
    case 'outputLimit':
      return undefined
    case 'temperature':
      return dialect.temperature ? { ...dialect, temperature: false } : undefined
    case 'system':
      return dialect.system === 'user' ? undefined : { ...dialect, system: 'user' }
    case 'alternate':
      return dialect.alternate ? undefined : { ...dialect, alternate: true }
    case 'json':
      if (dialect.json === 'text') return undefined
      return { ...dialect, json: dialect.json === 'schema' ? 'object' : 'text' }
    case 'stream':
      return dialect.stream ? { ...dialect, stream: false } : undefined
    case 'streamOptions':
      return dialect.streamOptions ? { ...dialect, streamOptions: false } : undefined
    case 'choices':
      return dialect.choices ? { ...dialect, choices: false } : undefined
    default:
      return feature satisfies never
  }
}
