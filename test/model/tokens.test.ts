import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { estimateRequest } from '../../src/model/estimate.ts'
import { countTokens, estimatePromptTokens, estimateTokens } from '../../src/model/tokens.ts'
import { ask } from './setup.ts'

const source = readFileSync(new URL('../../src/model/budget.ts', import.meta.url), 'utf8')

test('the cheap rule is within a third of the tokenizer on code, prose, JSON and other scripts', async () => {
  const texts = [
    source,
    'Write a function that parses a date and returns the seconds since the epoch, and throws for anything else.',
    JSON.stringify({ verdict: 'code', findings: [{ file: 'a.ts', line: 12, description: 'off by one' }] }, null, 2),
    '请写一个函数，把时间字符串解析成以秒为单位的时间戳，并且处理时区偏移。',
    'Напиши функцию, которая разбирает строку времени и возвращает количество секунд.',
  ]
  const counts = await countTokens(texts)
  texts.forEach((text, index) => {
    const ratio = estimateTokens(text) / (counts[index] ?? 0)
    expect(ratio).toBeGreaterThan(0.67)
    expect(ratio).toBeLessThan(1.34)
  })
})

test('the tokenizer counts exactly on small texts, control words included, and zero for nothing', async () => {
  expect(await countTokens(['hello world', '', '<|endoftext|>'])).toEqual([2, 0, 7])
})

test('huge texts and endless words are sampled, alike by both ways', async () => {
  const huge = source.repeat(400)
  const [one] = await countTokens([source])
  const [many] = await countTokens([huge])
  expect((many ?? 0) / ((one ?? 1) * 400)).toBeCloseTo(1, 0)
  expect(estimateTokens(huge) / (estimateTokens(source) * 400)).toBeCloseTo(1, 0)
  const [word] = await countTokens(['a'.repeat(90_000)])
  expect(word).toBeGreaterThan(5_000)
})

test('a prompt takes its messages and the marks between them', () => {
  expect(estimatePromptTokens([], () => 5)).toBe(3)
  expect(estimatePromptTokens(ask().messages, () => 5)).toBe(3 + 2 * (5 + 4))
})

test('an estimate of a request names tokens, cap and both costs, null without a price', () => {
  const model = { estimateTokens: () => 100 }
  expect(
    estimateRequest(model, ask({ maxOutputTokens: 1_000, choices: 2 }), {
      inputPerMillionUsd: 10,
      outputPerMillionUsd: 100,
    }),
  ).toEqual({
    promptTokens: 211,
    maxOutputTokens: 2_000,
    promptCostUsd: 0.00211,
    maxCostUsd: 0.20211,
  })
  expect(estimateRequest(model, ask())).toMatchObject({
    promptCostUsd: null,
    maxCostUsd: null,
    maxOutputTokens: 16_384,
  })
})
