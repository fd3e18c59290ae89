import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const inIsolate = fileURLToPath(new URL('warm-up-child.ts', import.meta.url))

test('the warm-up of the snapshot runs to its end, by all the ways that a test can go', () => {
  const told = JSON.parse(
    execFileSync(process.execPath, ['--no-node-snapshot', '--no-warnings', inIsolate], { encoding: 'utf8' }),
  ) as { messages: { type: string; test?: { name: string; status: string } }[]; isFrozen: boolean }
  const tests = told.messages.flatMap(({ test }) => (test ? [`${test.status} ${test.name}`] : []))
  expect(tests).toEqual([
    'passed matchers > compares',
    'passed matchers > throws',
    'passed matchers > waits',
    'passed matchers > mocks',
    'passed matchers > 1 is 1',
    'passed matchers > 2 is 2',
    'passed matchers > prints',
    'failed differs',
    'failed is another',
    'failed fails',
  ])
  expect(told.messages.filter(({ type }) => type === 'error')).toEqual([])
  expect(told.messages.at(-1)?.type).toBe('done')
  expect(told.isFrozen).toBe(true)
})
