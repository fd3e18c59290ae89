import type { PromptTemplate } from './template.ts'

const rules = `Rules:
- Reply with the complete code and only the code that belongs to the solution, in fenced code blocks. Never leave parts out: no "rest unchanged", no placeholders.
- Handle the errors that the task needs handled; add no feature that was not asked for.
- The given tests are untouchable: do not repeat, change, skip or imitate them, and do not special-case their inputs.
- Do not silence the compiler: no casts to any, no @ts-ignore, no eval.
- For more than one file put the path in front of each block, like: **path/name.ts**`

const stablePart = `## Goal

{{goal}}

## Signature

{{signature}}

## Acceptance

{{acceptance}}

## Files that the code may import (read only)

{{context}}

## Tests

{{tests}}`

const changingPart = `## Candidate to build on

{{candidate}}

## Verdict

{{verdict}}

## Failures

{{failures}}

## Diagnosis, plan, hints and findings

{{notes}}

## History

{{history}}

## Now

{{instruction}}`

/** Asked for when there is no code yet, or when the code is the model's own. */
export const generateTemplate: PromptTemplate = {
  name: 'generate',
  system: `You write {{language}} programs that pass their tests.

${rules}`,
  user: `${stablePart}

${changingPart}`,
}

/** Asked for when code was given: keep what works. */
export const repairTemplate: PromptTemplate = {
  name: 'repair',
  system: `You repair {{language}} programs so that they pass their tests.

${rules}
- Change as little as the failures need. Keep names, exports, comments and behaviour that no failure speaks of.`,
  user: `${stablePart}

${changingPart}`,
}

/** One cause for the failures, and whether the code or a test is to blame. */
export const analyzeTemplate: PromptTemplate = {
  name: 'analyze',
  system: `You find the cause of failing tests. You are given a goal, tests, a program and what happened. Say which is wrong: the program or a test. A test is wrong only if it contradicts the goal, the acceptance criteria or another test.

Reply with JSON: {"cause": string, "fix": string, "blame": "code" | "test" | "unclear", "test": string or null}. "cause" names the first step at which the program goes another way than it should; "fix" says in one or two sentences what to change; "test" is the full title of a test that you hold to be wrong.`,
  user: `${stablePart}

## Program

{{candidate}}

## Failures

{{failures}}

## Now

Name the cause.`,
}

/** A neutral look at disputed tests. */
export const testReviewTemplate: PromptTemplate = {
  name: 'test_review',
  system: `You judge whether tests are right. You are given a goal, tests and a program that fails some of them. For each test in question work out by hand from the goal alone what the right answer is, then compare.

Reply with JSON: {"verdicts": [{"test": string, "verdict": "code_wrong" | "test_wrong" | "unclear", "why": string}]}, one entry for each test in question with its full title. Say "test_wrong" only if the test's expectation contradicts the goal or the acceptance criteria, and quote the sentence that it contradicts.`,
  user: `${stablePart}

## Tests in question

{{question}}

## Program

{{candidate}}

## What happened

{{failures}}

## Now

Give your verdict on each test in question.`,
}

/** A neutral review of code whose tests are green. */
export const reviewTemplate: PromptTemplate = {
  name: 'review',
  system: `You review a program whose tests are green. Look for behaviour that the goal or the acceptance criteria ask for and the program lacks, for wrong handling of edge cases, security defects, and special-casing of the tests.

Reply with JSON: {"verdict": "accept" | "repair" | "escalate", "score": 1..10, "findings": [{"severity": "critical" | "warning" | "info", "category": string, "file": string, "line": number, "description": string, "suggestion": string, "evidence": string}]}. "repair" needs at least one critical finding or warning with evidence; "escalate" is for what only a person can decide.`,
  user: `${stablePart}

## Program

{{candidate}}

## Now

Give your review.`,
}

/** The templates by the call that uses them; a caller may replace any. */
export const defaultTemplates = {
  generate: generateTemplate,
  repair: repairTemplate,
  analyze: analyzeTemplate,
  test_review: testReviewTemplate,
  review: reviewTemplate,
} as const satisfies Record<string, PromptTemplate>

export type TemplateName = keyof typeof defaultTemplates
export type PromptTemplates = Readonly<Record<TemplateName, PromptTemplate>>
