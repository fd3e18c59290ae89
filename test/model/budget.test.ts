import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addUsage, noUsage, type Usage } from '../../src/domain/result.ts'
import { RedgreenError } from '../../src/errors.ts'
import {
  createBudget,
  DEFAULT_OUTPUT_TOKENS,
  MIN_OUTPUT_TOKENS,
  priceUsage,
  withBudget,
} from '../../src/model/budget.ts'
import { estimatePromptTokens } from '../../src/model/tokens.ts'
import { scriptedModel } from '../../src/testing/index.ts'
import { ask } from './setup.ts'

const price = { inputPerMillionUsd: 1, outputPerMillionUsd: 4 }
const used = (promptTokens: number, completionTokens: number): Usage => ({
  promptTokens,
  completionTokens,
  calls: 1,
  costUsd: null,
  estimated: false,
})
const codeOf = (act: () => unknown) => {
  try {
    act()
    return undefined
  } catch (error) {
    return RedgreenError.isInstance(error) ? [error.code, error.detail?.budget] : error
  }
}

test('without bounds a call keeps the cap that it asks for, or none', () => {
  const budget = createBudget({})
  expect(budget.reserve({ promptTokens: 1e9 }).maxOutputTokens).toBeUndefined()
  expect(budget.reserve({ promptTokens: 1e9, maxOutputTokens: 50_000 }).maxOutputTokens).toBe(50_000)
  expect(budget.left).toEqual({ tokens: null, costUsd: null })
})

test('a call gets at most what is left after its prompt, and none below 256 output tokens', () => {
  const budget = createBudget({ maxTokens: 1_000 })
  const first = budget.reserve({ promptTokens: 400, maxOutputTokens: 5_000 })
  expect(first.maxOutputTokens).toBe(600)
  expect(codeOf(() => budget.reserve({ promptTokens: 0 }))).toEqual(['BUDGET_EXHAUSTED', 'tokens'])
  first.settle(used(400, 100))
  expect(budget.left.tokens).toBe(500)
  expect(budget.reserve({ promptTokens: 244 }).maxOutputTokens).toBe(MIN_OUTPUT_TOKENS)
  expect(codeOf(() => budget.reserve({ promptTokens: 245 }))).toEqual(['BUDGET_EXHAUSTED', 'tokens'])
})

test('a call that names no cap reserves the default one', () => {
  const budget = createBudget({ maxTokens: 1_000_000 })
  expect(budget.reserve({ promptTokens: 100 }).maxOutputTokens).toBe(DEFAULT_OUTPUT_TOKENS)
})

test('cost bounds the output by its price, and says that it was the cost', () => {
  const budget = createBudget({ maxCostUsd: 0.01, price })
  const first = budget.reserve({ promptTokens: 2_000, maxOutputTokens: 100_000 })
  expect(first.maxOutputTokens).toBe(2_000)
  expect(first.settle(used(2_000, 1_800)).costUsd).toBeCloseTo(0.0092, 10)
  expect(codeOf(() => budget.reserve({ promptTokens: 10 }))).toEqual(['BUDGET_EXHAUSTED', 'cost'])
})

test('a cost budget without a price is refused at the start', () => {
  expect(codeOf(() => createBudget({ maxCostUsd: 1 }))).toEqual(['PRICE_REQUIRED', undefined])
})

test('a cost that the model knows is kept, one that nobody knows is null', () => {
  expect(priceUsage({ ...used(1, 1), costUsd: 3 }, price).costUsd).toBe(3)
  expect(priceUsage(used(1, 1), undefined).costUsd).toBeNull()
})

test('several choices reserve a prompt and a cap each', () => {
  const budget = createBudget({ maxTokens: 3_000 })
  expect(budget.reserve({ promptTokens: 200, maxOutputTokens: 9_999, choices: 3 }).maxOutputTokens).toBe(800)
  expect(budget.left.tokens).toBe(0)
})

test('what a run spent before counts', () => {
  expect(createBudget({ maxTokens: 1_000, spent: used(500, 400) }).left.tokens).toBe(100)
})

test('a reservation is settled or released once', () => {
  const budget = createBudget({ maxTokens: 10_000 })
  const one = budget.reserve({ promptTokens: 10, maxOutputTokens: 300 })
  one.settle(used(10, 20))
  one.settle(used(10, 20))
  one.release()
  expect(budget.spent.calls).toBe(1)
  expect(budget.left.tokens).toBe(10_000 - 30)
})

interface Step {
  readonly kind: 'reserve' | 'settle' | 'release'
  readonly prompt: number
  readonly output: number
  readonly choices: number
  /** Share of the cap that is used, and how far the estimate of the prompt was off. */
  readonly share: number
  readonly promptError: number
}
const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom('reserve', 'reserve', 'settle', 'release'),
  prompt: fc.integer({ min: 0, max: 3_000 }),
  output: fc.integer({ min: 1, max: 6_000 }),
  choices: fc.integer({ min: 1, max: 3 }),
  share: fc.double({ min: 0, max: 1, noNaN: true }),
  promptError: fc.integer({ min: -200, max: 200 }),
})

test('however calls overlap, tokens and cost pass their bounds by no more than errors of estimates', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), fc.integer({ min: 1, max: 40_000 }), (steps, maxTokens) => {
      const maxCostUsd = maxTokens / 400_000
      const budget = createBudget({ maxTokens, maxCostUsd, price })
      const open: { readonly reservation: ReturnType<typeof budget.reserve>; readonly step: Step }[] = []
      let errors = 0
      let spent = noUsage
      for (const one of steps) {
        if (one.kind === 'reserve') {
          const refused = codeOf(() => {
            const reservation = budget.reserve({
              promptTokens: one.prompt,
              maxOutputTokens: one.output,
              choices: one.choices,
            })
            expect(reservation.maxOutputTokens).toBeLessThanOrEqual(one.output)
            open.push({ reservation, step: one })
          })
          if (refused !== undefined)
            expect(refused).toEqual(['BUDGET_EXHAUSTED', expect.stringMatching(/^(tokens|cost)$/)])
        } else {
          const [held] = open.splice(0, 1)
          if (!held) continue
          if (one.kind === 'release') held.reservation.release()
          else {
            const promptTokens = Math.max(0, held.step.prompt + held.step.promptError) * held.step.choices
            errors += Math.max(0, promptTokens - held.step.prompt * held.step.choices)
            const completionTokens =
              Math.floor((held.reservation.maxOutputTokens ?? 0) * held.step.share) * held.step.choices
            spent = addUsage(spent, held.reservation.settle(used(promptTokens, completionTokens)))
          }
        }
        const tokens = budget.spent.promptTokens + budget.spent.completionTokens
        expect(tokens).toBeLessThanOrEqual(maxTokens + errors)
        expect(budget.spent.costUsd ?? 0).toBeLessThanOrEqual(
          maxCostUsd + (errors * price.inputPerMillionUsd) / 1e6 + 1e-9,
        )
      }
      for (const { reservation } of open) reservation.release()
      expect(budget.spent).toEqual(spent)
      expect(budget.left.tokens).toBe(maxTokens - spent.promptTokens - spent.completionTokens)
    }),
  )
})

test('a model under a budget is asked with the cap that is left, charged, and not asked when nothing is left', async () => {
  const inner = scriptedModel([{ content: 'a', usage: { promptTokens: 30, completionTokens: 500 } }])
  const prompt = estimatePromptTokens(ask().messages)
  const budget = createBudget({ maxTokens: 600, price })
  const model = withBudget(inner, budget)
  const completion = await model.complete(ask())
  expect(inner.requests[0]?.maxOutputTokens).toBe(600 - prompt)
  expect(completion.usage.costUsd).toBeCloseTo(0.00203, 10)
  expect(budget.spent).toEqual(completion.usage.costUsd === null ? {} : completion.usage)
  await expect(model.complete(ask())).rejects.toMatchObject({ code: 'BUDGET_EXHAUSTED', detail: { budget: 'tokens' } })
  expect(inner.requests).toHaveLength(1)
})

test('calls side by side do not promise the same tokens twice', async () => {
  const inner = scriptedModel(() => ({ content: 'a', usage: { promptTokens: 20, completionTokens: 300 } }))
  const model = withBudget(inner, createBudget({ maxTokens: 1_000 }))
  const outcomes = await Promise.allSettled(
    Array.from({ length: 5 }, () => model.complete(ask({ maxOutputTokens: 300 }))),
  )
  expect(outcomes.filter((one) => one.status === 'fulfilled')).toHaveLength(3)
})

test('a failed call is charged what its broken tries cost, else nothing', async () => {
  const usage = used(10, 40)
  const inner = scriptedModel([
    { error: new RedgreenError('MODEL_UNAVAILABLE', 'x', { detail: { usage } }) },
    { error: new RedgreenError('MODEL_UNAVAILABLE', 'x') },
  ])
  const budget = createBudget({ maxTokens: 10_000 })
  const model = withBudget(inner, budget)
  await expect(model.complete(ask())).rejects.toThrow()
  await expect(model.complete(ask())).rejects.toThrow()
  expect(budget.left.tokens).toBe(10_000 - 50)
})
