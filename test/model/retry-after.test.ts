import { expect, test } from 'vitest'
import { readRetryAfterMs } from '../../src/model/retry-after.ts'
import type { HttpStep } from '../../src/testing/index.ts'
import { ask, createRig, START_MS } from './setup.ts'

const inSeconds = (seconds: number) => new Date(START_MS + seconds * 1_000)

const shapes: readonly [string, Record<string, string>, unknown, number | undefined][] = [
  ['whole seconds', { 'retry-after': '7' }, '', 7_000],
  ['fractions of a second', { 'retry-after': '1.5' }, '', 1_500],
  ['zero', { 'retry-after': '0' }, '', 0],
  ['an HTTP date', { 'retry-after': inSeconds(30).toUTCString() }, '', 30_000],
  ['an HTTP date in the past', { 'retry-after': inSeconds(-30).toUTCString() }, '', 0],
  ['an RFC 3339 date', { 'retry-after': inSeconds(12).toISOString() }, '', 12_000],
  [
    'milliseconds in a header of their own, which is more exact',
    { 'retry-after-ms': '250', 'retry-after': '1' },
    '',
    250,
  ],
  ['a duration with a unit', { 'retry-after': '2s' }, '', 2_000],
  ['words', { 'retry-after': 'soon' }, '', undefined],
  ['a negative number', { 'retry-after': '-1' }, '', undefined],
  [
    'resets of which one is used up',
    {
      'x-ratelimit-reset-requests': '20ms',
      'x-ratelimit-remaining-requests': '9',
      'x-ratelimit-reset-tokens': '6m0s',
      'x-ratelimit-remaining-tokens': '0',
    },
    '',
    360_000,
  ],
  [
    'resets of which the shorter is used up',
    {
      'x-ratelimit-reset-requests': '8.64s',
      'x-ratelimit-remaining-requests': '0',
      'x-ratelimit-reset-tokens': '6m0s',
      'x-ratelimit-remaining-tokens': '500',
    },
    '',
    8_640,
  ],
  ['a reset in epoch milliseconds', { 'x-ratelimit-reset': String(START_MS + 5_000) }, '', 5_000],
  ['a reset in epoch seconds', { 'x-ratelimit-reset': String(START_MS / 1_000 + 5) }, '', 5_000],
  ['a reset in seconds from now', { 'ratelimit-reset': '9' }, '', 9_000],
  ['a reset as a date', { 'anthropic-ratelimit-tokens-reset': inSeconds(4).toISOString() }, '', 4_000],
  ['a sentence', {}, { error: { message: 'Rate limit reached. Please try again in 20s. Visit us.' } }, 20_000],
  ['a sentence with minutes', {}, { error: { message: 'Please try again in 7m12.5s.' } }, 432_500],
  ['a sentence with milliseconds', {}, { error: { message: 'try again in 350ms' } }, 350],
  ['a sentence with words for units', {}, { error: { message: 'Please retry after 1 minute and 5 seconds.' } }, 65_000],
  ['a sentence without a unit', {}, { error: { message: 'try again later, 3 of 3 used' } }, undefined],
  [
    'RetryInfo',
    {},
    [
      {
        error: { code: 429, details: [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '34.07s' }] },
      },
    ],
    34_070,
  ],
  ['a member of the error', {}, { error: { message: 'slow down', retry_after: 3 } }, 3_000],
  ['a member beside the error', {}, { error: 'slow down', retry_after_ms: 125 }, 125],
  [
    'headers quoted by a router',
    {},
    { error: { code: 429, metadata: { headers: { 'X-RateLimit-Reset': String(START_MS + 8_000) } } } },
    8_000,
  ],
  ['nothing', {}, { error: { message: 'slow down' } }, undefined],
]

test.each(shapes)('a wait given as %s is understood', (_, headers, body, expected) => {
  const inner = typeof body === 'object' && body !== null && 'error' in body ? body.error : undefined
  const message = typeof inner === 'object' && inner !== null && 'message' in inner ? String(inner.message) : ''
  const read = readRetryAfterMs(new Headers(headers), body, message, START_MS)
  if (expected === undefined) expect(read).toBeUndefined()
  else expect(read).toBeCloseTo(expected, 3)
})

test.each(shapes.filter(([, , , ms]) => ms !== undefined && ms > 500))(
  'over HTTP, 429 with %s is waited for exactly',
  async (_, headers, body, expected) => {
    const step: HttpStep = { status: 429, headers, body: typeof body === 'object' ? body : '' }
    await using rig = await createRig([step, 'ok'], { maxRetryWaitMs: 3_600_000 })
    await rig.model.complete(ask())
    expect(rig.clock.sleeps).toHaveLength(1)
    expect(rig.clock.sleeps[0]).toBeCloseTo(expected ?? Number.NaN, 3)
  },
)

test('without word of a wait, waits grow with full jitter up to a cap, and end after the last retry', async () => {
  const draws = [0.5, 0.25, 1 - Number.EPSILON, 0.1, 0.9, 0.9]
  await using rig = await createRig(() => ({ status: 503, body: 'busy' }), {
    maxRetries: 6,
    random: () => draws.shift() ?? 0,
  })
  await expect(rig.model.complete(ask())).rejects.toMatchObject({
    code: 'MODEL_UNAVAILABLE',
    detail: { tries: 7, status: 503 },
  })
  expect(rig.clock.sleeps.map(Math.round)).toEqual([250, 250, 2_000, 400, 7_200, 7_200])
})

test('a wait beyond the time that the run has left ends it with the time budget, without waiting', async () => {
  await using rig = await createRig([{ status: 429, headers: { 'retry-after': '31' } }])
  const call = rig.model.complete(ask(), { deadlineMs: 30_000 })
  await expect(call).rejects.toMatchObject({ code: 'BUDGET_EXHAUSTED', detail: { budget: 'time' } })
  expect(rig.clock.sleeps).toEqual([])
})

test('waits add up against the time left', async () => {
  await using rig = await createRig(() => ({ status: 429, headers: { 'retry-after': '20' } }))
  await expect(rig.model.complete(ask(), { deadlineMs: 50_000 })).rejects.toMatchObject({ code: 'BUDGET_EXHAUSTED' })
  expect(rig.clock.sleeps).toEqual([20_000, 20_000])
})

test('without a deadline an hour is not waited for', async () => {
  await using rig = await createRig([{ status: 429, headers: { 'retry-after': '3600' } }])
  await expect(rig.model.complete(ask())).rejects.toMatchObject({
    code: 'MODEL_UNAVAILABLE',
    message: expect.stringContaining('3600 s'),
  })
})

test('a provider that wants no retry gets none', async () => {
  await using rig = await createRig([{ status: 503, headers: { 'x-should-retry': 'false' }, body: 'down' }])
  await expect(rig.model.complete(ask())).rejects.toMatchObject({ code: 'MODEL_UNAVAILABLE' })
})
