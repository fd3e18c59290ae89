// A strategy and a prompt template of one's own, and what the model was told.
import { createEngine, defaultTemplates } from 'redgreen'
import { scriptedModel } from 'redgreen/testing'

const model = scriptedModel({
  generate: ['```ts\nexport const shout = (text: string): string => text.toUpperCase()\n```'],
})

await using engine = createEngine({
  model,
  strategies: [{ name: 'house-style', instruction: 'Write one exported arrow function.' }],
  templates: {
    generate: {
      ...defaultTemplates.generate,
      name: 'our-generate',
      system: 'You write {{language}} the way our team does.',
    },
  },
  policy: { strategies: ['house-style'] },
})
const result = await engine.solve({
  instruction: 'Turn a text into capitals.',
  tests: {
    'solution.test.ts':
      "import { expect, it } from 'vitest'\nimport { shout } from './solution'\nit('shouts', () => expect(shout('hey')).toBe('HEY'))\n",
  },
}).result
console.log(result.status, result.attempts[0]?.strategy, result.attempts[0]?.prompt)
console.log(model.requests[0]?.messages[0]?.content)
