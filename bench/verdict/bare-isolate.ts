// What a verdict's tests cost with nothing around them: a new isolate from the snapshot of the same harness, the same modules,
// no freezing, no process, no protocol. Run by limit.ts in a process of its own (isolated-vm needs --no-node-snapshot).
import { readFileSync } from 'node:fs'
import ivm from 'isolated-vm'
import { prepareModules } from '../../src/sandbox/child/prepare.ts'
import type { TestJob } from '../../src/sandbox/types.ts'
import { median } from './sample.ts'

const job = JSON.parse(readFileSync(0, 'utf8')) as TestJob
const code = readFileSync(new URL('../../node_modules/.cache/redgreen/harness.js', import.meta.url), 'utf8')
const snapshot = ivm.Isolate.createSnapshot([{ code }])

/** Milliseconds; throws unless all tests passed. */
function run(): number {
  const startedAt = performance.now()
  const isolate = new ivm.Isolate({ memoryLimit: 256, snapshot })
  const context = isolate.createContextSync()
  let passed = 0
  let isDone = false
  const callback = new ivm.Callback(
    (text: string) => {
      const message = JSON.parse(text) as { type: string; test?: { status: string } }
      if (message.test?.status === 'passed') passed++
      if (message.type === 'done') isDone = true
    },
    { sync: true },
  )
  context.evalClosureSync('globalThis.__redgreen.connect($0)', [callback])
  const modules = prepareModules(job)
  for (const { definition, factory } of modules) {
    context.evalSync(`"use strict";__redgreen.define(${JSON.stringify(JSON.stringify(definition))},${factory})`)
  }
  const settings = {
    kind: 'test',
    entry: job.entry,
    testFiles: modules.filter(({ kind }) => kind === 'test').map(({ path }) => path),
    bareScripts: [],
    throwingScripts: [],
    environment: job.environment,
    outputBytes: job.limits.outputBytes,
    maxTests: job.limits.tests,
    allowEval: false,
    coverage: false,
    showProcess: false,
    stdin: '',
    args: [],
  }
  const entry = (name: string): ivm.Reference =>
    context.evalSync(`globalThis.__redgreen.${name}`, { reference: true }) as ivm.Reference
  entry('start').applySync(undefined, [JSON.stringify(settings)])
  const pump = entry('pump')
  while (!isDone) pump.applySync(undefined, [], { timeout: 5_000 })
  isolate.dispose()
  if (passed !== 10) throw new Error(`${passed} of 10 tests passed`)
  return performance.now() - startedAt
}

for (let warm = 0; warm < 20; warm++) run()
console.log(median(Array.from({ length: 50 }, run)))
