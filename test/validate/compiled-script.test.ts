import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { CompiledScript } from '../../src/validate/worker/compiled-script.ts'

interface Sample {
  readonly name: string
  readonly folder: string
  answer(): number
}

let folder: string
let path: string
let cache: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'redgreen-compiled-'))
  path = join(folder, 'sample.cjs')
  cache = join(folder, 'cache')
})
afterEach(() => rmSync(folder, { recursive: true }))

const source = (answer: number): string =>
  `exports.name = require('node:path').basename(__filename); exports.folder = __dirname; exports.answer = () => ${answer}`

async function load(): Promise<{ sample: Sample; keep(): Promise<void> }> {
  const script = await CompiledScript.load(path, cache)
  return { sample: script.exports as Sample, keep: () => script.keep() }
}
const kept = (): string => join(cache, readdirSync(cache)[0] ?? 'nothing')

test('a module runs the same from its text and from what was compiled of it, and is kept once', async () => {
  writeFileSync(path, source(42))
  for (let process = 0; process < 3; process++) {
    const { sample, keep } = await load()
    expect(sample).toMatchObject({ name: 'sample.cjs', folder })
    expect(sample.answer()).toBe(42)
    await keep()
    await keep()
    if (process === 0) utimesSync(kept(), 1, 1)
  }
  // V8 took what was kept, so nothing was written again
  expect(readdirSync(cache)).toHaveLength(1)
  await (await load()).keep()
  expect(readFileSync(kept()).length).toBeGreaterThan(100)
})

test('another text of the same length is not taken for the one that was compiled', async () => {
  writeFileSync(path, source(41))
  const first = await load()
  first.sample.answer()
  await first.keep()
  writeFileSync(path, source(43))
  expect((await load()).sample.answer()).toBe(43)
})

test('a kept file that is damaged, or of another V8, is made anew', async () => {
  writeFileSync(path, source(42))
  await (await load()).keep()
  const whole = readFileSync(kept())
  writeFileSync(kept(), Buffer.concat([whole.subarray(0, 60), Buffer.alloc(whole.length - 60)]))
  const again = await load()
  expect(again.sample.answer()).toBe(42)
  await again.keep()
  expect(
    readFileSync(kept())
      .subarray(60)
      .some((byte) => byte !== 0),
  ).toBe(true)
})
