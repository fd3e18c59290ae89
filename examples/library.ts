// The engine in a backend. The model here is scripted, so that the example runs without a key; with one, write
// openaiModel({ model: 'gpt-5-mini' }) instead.
import { createEngine } from 'redgreen'
import { scriptedModel } from 'redgreen/testing'

const model = scriptedModel({
  generate: ['```ts\nexport const toEpoch = (text: string): number => Date.parse(text) / 1000\n```'],
})

await using engine = createEngine({ model })
const run = engine.solve({
  instruction: 'Parse "2024-01-15T10:30:00+08:00" into a UTC epoch in seconds.',
  tests: {
    'solution.test.ts': `import { expect, it } from 'vitest'
import { toEpoch } from './solution'
it('converts', () => expect(toEpoch('2024-01-15T10:30:00+08:00')).toBe(1705285800))
`,
  },
})
for await (const event of run) if (event.type === 'state.entered') console.log(event.state)
const result = await run.result
if (result.status === 'passed') console.log('passed', result.files['solution.ts'])
else console.log(result.reason, result.handover)
