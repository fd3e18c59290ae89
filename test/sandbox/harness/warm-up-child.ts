import { readFileSync } from 'node:fs'
import ivm from 'isolated-vm'
import { warmUpScript } from '../../../src/sandbox/child/warm-up.ts'

/** Runs the warm-up in an isolate where its end can be seen, and prints what it told. */
const harness = readFileSync(new URL('../../../node_modules/.cache/redgreen/harness.js', import.meta.url), 'utf8')
const context = new ivm.Isolate({ memoryLimit: 128 }).createContextSync()
context.evalSync(harness)
context.evalSync(warmUpScript())
const told = context.evalSync(
  'JSON.stringify({ messages: told.map((text) => JSON.parse(text)), isFrozen: Object.isFrozen(Array.prototype) })',
)
process.stdout.write(String(told))
