import type { Command } from 'commander'
import { Option } from 'commander'
import { z } from 'zod'
import { describeIssues } from '../config.ts'
import { mechanicModeSchema, type PolicyInput, trustLevelSchema } from '../domain/policy.ts'
import { languageSchema } from '../domain/task.ts'
import { RedgreenError } from '../errors.ts'

const list = (value: string, previous: string[]): string[] => [...previous, value]

/** Adds the options that `solve`, `repair` and `verify` share. */
export function addSharedOptions(command: Command): Command {
  return command
    .option('--tests <path...>', 'test files, folders or patterns (else inferred from the name of FILE)')
    .option('--hidden-tests <path...>', 'tests that judge but are never shown to a model')
    .addOption(new Option('--language <name>', 'language of the code').choices(languageSchema.options))
    .option('--package <name>', 'npm package that the code may import (repeatable)', list, [])
    .option('--policy <file>', 'policy as a JSON or YAML file')
    .option('--json', 'print the Result as JSON, and nothing else')
    .option('--quiet', 'print only the outcome')
    .option('--no-color', 'plain text')
    .option('--trust-project', 'let the project name the base URL that the key of the environment is sent to')
}

/** Adds what only runs with attempts take. */
export function addRunOptions(command: Command): Command {
  return command
    .option('--model <name>', 'model that writes the code (REDGREEN_MODEL)')
    .option('--analyze-model <name>', 'model that names the cause of failures')
    .option('--review-model <name>', 'model that reviews green code')
    .option('--test-review-model <name>', 'model that judges disputed tests')
    .option('--base-url <url>', 'OpenAI-compatible endpoint (OPENAI_BASE_URL)')
    .option('--max-attempts <n>', 'generations by the model (4)')
    .option('--max-tokens <n>', 'tokens of all calls together')
    .option('--max-cost <usd>', 'cost of all calls together; needs policy.price')
    .option('--max-time <seconds>', 'time of all steps together (600)')
    .option('--candidates <n>', 'candidates asked for together (1)')
    .addOption(new Option('--mechanic <mode>', 'repair without a model').choices(mechanicModeSchema.options))
    .addOption(new Option('--require-trust <level>', 'least trust of a green result').choices(trustLevelSchema.options))
    .option('--human', 'ask a person where the run would give up')
    .option('--review', 'have green code reviewed by a model')
    .option('--out <path>', 'write the verified files there')
    .option('--events', 'print events as NDJSON, the Result inside the last one')
    .option('--report <file>', 'write a report: FILE.html or FILE.md')
    .option('--record <file>', "write the model's replies to a recording")
    .option('--replay <file>', "take the model's replies from a recording")
    .option('--dry-run', 'show what would be sent, with an estimate, and stop')
}

const text = z.string().optional()
const whole = (name: string) =>
  z
    .string()
    .regex(/^[1-9]\d*$/, `${name} takes a whole number from 1 on`)
    .transform(Number)
    .optional()
const amount = (name: string) =>
  z
    .string()
    .regex(/^\d+(\.\d+)?$/, `${name} takes a number`)
    .transform(Number)
    .optional()
const flag = z.boolean().default(false)

const sharedSchema = z.object({
  tests: z.array(z.string()).default([]),
  hiddenTests: z.array(z.string()).default([]),
  language: languageSchema.optional(),
  package: z.array(z.string()).default([]),
  policy: text,
  json: flag,
  quiet: flag,
  color: z.boolean().default(true),
  trustProject: flag,
  model: text,
  analyzeModel: text,
  reviewModel: text,
  testReviewModel: text,
  baseUrl: text,
  maxAttempts: whole('--max-attempts'),
  maxTokens: whole('--max-tokens'),
  maxCost: amount('--max-cost'),
  maxTime: amount('--max-time'),
  candidates: whole('--candidates'),
  mechanic: mechanicModeSchema.optional(),
  requireTrust: trustLevelSchema.optional(),
  human: flag,
  review: flag,
  out: text,
  write: flag,
  events: flag,
  report: text,
  record: text,
  replay: text,
  dryRun: flag,
  instruction: text,
})

/** The options of one call, read once. */
export type SharedOptions = Omit<z.infer<typeof sharedSchema>, 'package'> & { readonly packages: readonly string[] }

/** @throws RedgreenError INVALID_OPTION */
export function parseOptions(raw: unknown): SharedOptions {
  const parsed = sharedSchema.safeParse(raw)
  if (!parsed.success) throw new RedgreenError('INVALID_OPTION', describeIssues(parsed.error))
  const { package: packages, ...rest } = parsed.data
  if (rest.json && rest.events)
    throw new RedgreenError(
      'INVALID_OPTION',
      '--json and --events exclude each other: --events holds the Result in its last line',
    )
  if (rest.report !== undefined && !/\.(html?|md)$/i.test(rest.report)) {
    throw new RedgreenError('INVALID_OPTION', `--report takes a file that ends in .html or .md, not ${rest.report}`)
  }
  if (rest.record !== undefined && rest.replay !== undefined) {
    throw new RedgreenError(
      'INVALID_OPTION',
      '--record and --replay exclude each other: a replay is a recording already',
    )
  }
  return { ...rest, packages }
}

/** The policy that the flags state; flags win over the policy file and the configuration. */
export function policyFromOptions(options: SharedOptions): Partial<PolicyInput> {
  return {
    ...(options.maxAttempts === undefined ? {} : { maxAttempts: options.maxAttempts }),
    ...(options.maxTokens === undefined ? {} : { maxTokens: options.maxTokens }),
    ...(options.maxCost === undefined ? {} : { maxCostUsd: options.maxCost }),
    ...(options.maxTime === undefined ? {} : { maxTimeMs: Math.round(options.maxTime * 1000) }),
    ...(options.candidates === undefined ? {} : { candidates: options.candidates }),
    ...(options.mechanic === undefined ? {} : { mechanic: { mode: options.mechanic } }),
    ...(options.requireTrust === undefined ? {} : { requireTrust: options.requireTrust }),
    ...(options.review ? { review: true } : {}),
    ...(options.human ? { human: true } : {}),
  }
}
