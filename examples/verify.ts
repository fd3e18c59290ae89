// One verdict, no model: is this code green?
import { createEngine } from 'redgreen'

await using engine = createEngine()
const report = await engine.verify({
  files: { 'solution.ts': 'export const double = (n: number): number => n + n\n' },
  tests: {
    'solution.test.ts': `import { expect, it } from 'vitest'
import { double } from './solution'
it('doubles', () => expect(double(4)).toBe(8))
it('doubles nothing', () => expect(double(0)).toBe(0))
`,
  },
})
console.log(report.passed ? 'green' : 'red', `${report.tests.passed} of ${report.tests.total}`)
for (const failure of report.failures) console.log(failure.kind, failure.message, failure.location)
