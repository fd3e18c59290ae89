import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseEnv } from 'node:util'
import { z } from 'zod'
import { type PolicyInput, policySchema } from './domain/policy.ts'
import { RedgreenError } from './errors.ts'

/** What `redgreen.config.ts|json` may hold; every member is optional. */
export const configFileSchema = z.strictObject({
  model: z.string().min(1).optional(),
  analyzeModel: z.string().min(1).optional(),
  reviewModel: z.string().min(1).optional(),
  testReviewModel: z.string().min(1).optional(),
  testsModel: z.string().min(1).optional(),
  baseUrl: z.string().min(1).optional(),
  apiKey: z.string().min(1).optional(),
  policy: policySchema.partial().optional(),
})
export type ConfigFile = z.input<typeof configFileSchema>

/** Settings in the order of their rank: flags, environment, project. */
export interface ConfigSources {
  readonly flags: Readonly<Partial<Record<keyof Omit<ConfigFile, 'policy' | 'apiKey'>, string>>>
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Folder of `redgreen.config.*` and `.env`. */
  readonly projectDir: string
  /** A key of the environment may go to a base URL that the project names. */
  readonly trustProject: boolean
}

export interface ResolvedConfig {
  readonly model?: string
  readonly analyzeModel?: string
  readonly reviewModel?: string
  readonly testReviewModel?: string
  readonly testsModel?: string
  readonly baseUrl?: string
  readonly apiKey?: string
  readonly policy: Partial<PolicyInput>
  readonly debug: boolean
  readonly noColor: boolean
}

const ranks = ['flags', 'environment', 'project'] as const
type Source = (typeof ranks)[number]
interface Sourced {
  readonly value: string
  readonly source: Source
}

/** The environment variable behind each setting. */
const variables = {
  model: 'REDGREEN_MODEL',
  analyzeModel: 'REDGREEN_ANALYZE_MODEL',
  reviewModel: 'REDGREEN_REVIEW_MODEL',
  testReviewModel: 'REDGREEN_TEST_REVIEW_MODEL',
  testsModel: 'REDGREEN_TESTS_MODEL',
  baseUrl: 'OPENAI_BASE_URL',
  apiKey: 'OPENAI_API_KEY',
} as const

/**
 * Merges flags, environment and project settings, highest rank first.
 *
 * @throws RedgreenError INVALID_CONFIG for an unreadable or wrong file, or a key that would go to a base URL of lower rank:
 *   a hostile repository could steal it that way
 */
export async function resolveConfig(sources: ConfigSources): Promise<ResolvedConfig> {
  const dotenv = readDotenv(sources.projectDir)
  const file = await readConfigFile(sources.projectDir)
  const pick = (name: keyof typeof variables): Sourced | undefined => {
    const flag = name === 'apiKey' ? undefined : sources.flags[name]
    if (flag) return { value: flag, source: 'flags' }
    const fromEnvironment = sources.environment[variables[name]]
    if (fromEnvironment) return { value: fromEnvironment, source: 'environment' }
    const fromProject = file[name] ?? dotenv[variables[name]]
    return fromProject ? { value: fromProject, source: 'project' } : undefined
  }
  const apiKey = pick('apiKey')
  const baseUrl = pick('baseUrl')
  if (apiKey && baseUrl && ranks.indexOf(baseUrl.source) > ranks.indexOf(apiKey.source) && !sources.trustProject) {
    throw new RedgreenError(
      'INVALID_CONFIG',
      `the API key comes from the ${apiKey.source} but the base URL ${redactUrl(baseUrl.value)} from the project's files; ` +
        'give the base URL with --base-url or OPENAI_BASE_URL, or say --trust-project if you trust this folder with your key',
    )
  }
  const settings: Record<string, string> = {}
  for (const name of Object.keys(variables) as (keyof typeof variables)[]) {
    const found = pick(name)
    if (found) settings[name] = found.value
  }
  return {
    ...settings,
    policy: file.policy ?? {},
    debug: Boolean(sources.environment.DEBUG),
    noColor: Boolean(sources.environment.NO_COLOR),
  }
}

/** The URL without user, password and query, fit for messages. */
export function redactUrl(url: string): string {
  try {
    const parsed = new URL(url)
    return `${parsed.protocol}//${parsed.host}${parsed.pathname}`
  } catch {
    return '(not a URL)'
  }
}

function readDotenv(projectDir: string): Record<string, string | undefined> {
  const path = join(projectDir, '.env')
  if (!existsSync(path)) return {}
  try {
    return parseEnv(readFileSync(path, 'utf8'))
  } catch (cause) {
    throw new RedgreenError('INVALID_CONFIG', 'the file .env of this folder cannot be read', { cause })
  }
}

async function readConfigFile(projectDir: string): Promise<ConfigFile> {
  for (const name of ['redgreen.config.ts', 'redgreen.config.js', 'redgreen.config.json']) {
    const path = join(projectDir, name)
    if (!existsSync(path)) continue
    let content: unknown
    try {
      if (name.endsWith('.json')) content = JSON.parse(readFileSync(path, 'utf8'))
      else {
        const module: { default?: unknown } = await import(pathToFileURL(path).href)
        content = module.default
      }
    } catch (cause) {
      throw new RedgreenError(
        'INVALID_CONFIG',
        `${name} cannot be loaded: ${cause instanceof Error ? cause.message : String(cause)}`,
        { cause },
      )
    }
    const parsed = configFileSchema.safeParse(content)
    if (!parsed.success) {
      throw new RedgreenError('INVALID_CONFIG', `${name} is not a valid configuration: ${describeIssues(parsed.error)}`)
    }
    // as written: the schema's output would hold every default of a policy, and hide the layers beneath
    return content as ConfigFile
  }
  return {}
}

/** The first issues of a zod error in one line, with their places. */
export function describeIssues(error: z.ZodError): string {
  return error.issues
    .slice(0, 3)
    .map((issue) => `${issue.path.length > 0 ? `${issue.path.join('.')}: ` : ''}${issue.message}`)
    .join('; ')
}
