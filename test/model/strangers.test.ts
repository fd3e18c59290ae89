import fc from 'fast-check'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { createCollector } from '../../src/model/collect.ts'
import { readFinish } from '../../src/model/finish.ts'
import { readJson } from '../../src/model/json.ts'
import { readProblem } from '../../src/model/problem.ts'
import { createRedact } from '../../src/model/redact.ts'
import { readRetryAfterMs } from '../../src/model/retry-after.ts'
import { judgeProblem } from '../../src/model/verdict.ts'
import { joinContinued } from '../../src/model/whole.ts'
import type { WireBody } from '../../src/model/wire.ts'
import { START_MS } from './setup.ts'

const sent: WireBody = {
  model: 'm',
  messages: [{ role: 'system', content: 'x' }],
  max_tokens: 5_000,
  temperature: 1,
  n: 2,
  response_format: { type: 'json_object' },
  stream: true,
  stream_options: { include_usage: true },
}
/** JSON that has the members readers look for, with values of any kind. */
const oddJson = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.string(),
    fc.integer(),
    fc.constantFrom(null, true, '', 'stop', 'content_filter', 'context_length_exceeded'),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(
      fc.constantFrom(
        'error',
        'errors',
        'message',
        'code',
        'type',
        'param',
        'detail',
        'details',
        'metadata',
        'raw',
        'loc',
        'msg',
        'choices',
        'delta',
        'content',
        'usage',
        'prompt_tokens',
        'completion_tokens',
        'index',
        'tool_calls',
        'function',
        'name',
        'arguments',
        'finish_reason',
        'status',
        'retry_after',
        'headers',
        'model',
        'text',
      ),
      tie('value'),
      { maxKeys: 5 },
    ),
  ),
})).value

test('whatever a provider answers is read without an exception', () => {
  fc.assert(
    fc.property(oddJson, fc.constantFrom(200, 302, 400, 401, 403, 404, 413, 422, 429, 500, 503), (value, status) => {
      const problem = readProblem(status, JSON.stringify(value))
      expect(judgeProblem(problem, sent, null).kind).toMatch(/^(?:retry|adapt|overflow|filtered|fatal)$/)
      const wait = readRetryAfterMs(
        new Headers({ 'retry-after': String(status) }),
        problem.body,
        problem.message,
        START_MS,
      )
      expect(wait).toBeGreaterThanOrEqual(0)
      const collector = createCollector(undefined)
      collector.add(value)
      for (const reply of collector.replies()) expect(typeof reply.content).toBe('string')
      readFinish(value)
    }),
    { numRuns: 500 },
  )
})

test.each([
  'context '.repeat(8_000),
  'maximum '.repeat(8_000),
  'request '.repeat(8_000),
  '1m'.repeat(30_000),
  'retry 1 s '.repeat(6_000),
  'model not '.repeat(6_000),
  'alternate '.repeat(6_000),
  'sk-'.repeat(20_000),
  '{'.repeat(60_000),
  '['.repeat(60_000),
  '```'.repeat(20_000),
  '```\n'.repeat(15_000),
  '"'.repeat(60_000),
  ' '.repeat(60_000),
  '\n'.repeat(60_000),
  '</think>'.repeat(8_000),
])(
  'a long body of %j… is read in a moment',
  (body) => {
    const before = process.cpuUsage()
    for (let round = 0; round < 20; round++) {
      const problem = readProblem(400, body)
      judgeProblem(problem, sent, null)
      judgeProblem(readProblem(400, JSON.stringify({ error: { message: body } })), sent, null)
      readRetryAfterMs(new Headers(), undefined, body, START_MS)
      createRedact(['secret'])(body)
    }
    readJson([body], z.strictObject({ a: z.number() }))
    joinContinued(body, body)
    // Of the processor, which is independent of what else runs; a quadratic reading takes ten times as long.
    const { user, system } = process.cpuUsage(before)
    expect((user + system) / 1_000).toBeLessThan(2_000)
  },
  10_000,
)
