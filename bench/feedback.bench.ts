// Run with `node bench/feedback.bench.ts` on an idle machine.
// Purify: a vitest log of 1 MB, of many passed tests with failures among them, and of failures alone. Extract: replies of 1, 2, 4 and
// 8 MB; a reading linear in the length takes twice as long for twice the text. Fingerprint: failures a second. Medians of several turns.
import { extract, fingerprint, purify } from '../src/feedback/index.ts'

const mebibyte = 1_048_576
const round = (value: number) => Math.round(value * 100) / 100

function medianMs(turns: number, work: () => unknown): number {
  const times: number[] = []
  if (turns > 1) work()
  for (let turn = 0; turn < turns; turn += 1) {
    const startedAt = performance.now()
    work()
    times.push(performance.now() - startedAt)
  }
  return times.toSorted((a, b) => a - b)[Math.floor(turns / 2)] ?? 0
}

/** Repeats what `part` gives until the text is long enough. */
function filled(length: number, part: (index: number) => string): string {
  const parts: string[] = []
  for (let size = 0, index = 0; size < length; index += 1) {
    const next = part(index)
    parts.push(next)
    size += next.length
  }
  return parts.join('')
}

const failed = (index: number) =>
  ` FAIL  src/cart.test.ts > cart > adds ${index}\nAssertionError: expected { total: ${index} } to deeply equal { total: ${index + 1} }\n\n- Expected\n+ Received\n\n  {\n-   "total": ${index + 1},\n+   "total": ${index},\n  }\n\n ❯ src/cart.ts:${(index % 90) + 1}:9\n      3|   const total = sum(items)\n      4|   return { total }\n       |          ^\n ❯ src/cart.test.ts:${(index % 400) + 7}:21\n\n⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯[${index + 1}/9999]⎯\n\n`
const logs = {
  'passed tests, 40 failures at the end':
    filled(
      mebibyte * 0.97,
      (index) => ` ✓ src/part-${index % 50}.test.ts > suite > does the thing number ${index} 3ms\n`,
    ) + Array.from({ length: 40 }, (_, index) => failed(index)).join(''),
  'failures alone': filled(mebibyte, failed),
  'one failure with a huge difference': ` FAIL  a.test.ts > big\nAssertionError: expected a to deeply equal b\n\n- Expected\n+ Received\n\n${filled(mebibyte, (index) => `-   "key ${index}": ${index},\n+   "key ${index}": ${index + 1},\n`)}\n ❯ a.test.ts:3:9\n`,
}
const vitest = Object.entries(logs).map(([log, stdout]) => ({
  log,
  MiB: round(stdout.length / mebibyte),
  'purify ms': round(medianMs(9, () => purify({ tool: 'vitest', exitCode: 1, stdout }))),
  failures: purify({ tool: 'vitest', exitCode: 1, stdout }).length,
}))

console.log('purify, vitest logs')
console.table(vitest)

const fence = '```'
const replies: Readonly<Record<string, (length: number) => string>> = {
  'prose without code': (length) =>
    filled(length, (index) => `This is sentence ${index} of a reply that goes on and on.\n`),
  'many fences': (length) =>
    filled(length, (index) => `Step ${index}:\n\n${fence}ts\nexport const v${index} = ${index};\n${fence}\n\n`),
  'one program': (length) =>
    `${fence}ts\nexport const n = 2;\n${filled(length, (index) => `export const v${index} = [${index}, 'a'];\n`)}${fence}\n`,
  'an unclosed fence, deep in brackets': (length) => `${fence}ts\nexport const n = ${'['.repeat(length)}`,
  JSON: (length) => `{"code": "export const n = 2;\\n${filled(length, (index) => `// line ${index}\\n`)}"}`,
}
const sizes = [1, 2, 4, 8]
const extraction = Object.entries(replies).map(([reply, make]) => {
  const times = sizes.map((size) => {
    const content = make(size * mebibyte)
    return medianMs(1, () => extract({ content, finish: 'stop' }, { language: 'typescript', exports: ['n'] }))
  })
  return {
    reply,
    ...Object.fromEntries(sizes.map((size, index) => [`${size} MiB ms`, round(times[index] ?? 0)])),
    '8 to 4': round((times[3] ?? 0) / (times[2] ?? 1)),
  }
})

const samples = Array.from({ length: 2_000 }, (_, index) => ({
  kind: 'logic' as const,
  message: `expected ${index} to be ${index + 1} in /tmp/run-${index}/solution.ts:3:${index} after ${index}ms at 0x${(index + 65_536).toString(16)}`,
  test: `suite > case ${index}`,
}))
const printMs = medianMs(9, () => samples.map((sample) => fingerprint(sample)))

console.log('extract, growing replies')
console.table(extraction)
console.log(`fingerprint: ${Math.round(samples.length / (printMs / 1_000)).toLocaleString('en')} failures a second`)
