// Writes the JSON Schemas of what programs exchange with redgreen; with --check it only says whether they are current.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { eventSchema } from '../src/domain/event.ts'
import { policySchema } from '../src/domain/policy.ts'
import { failureSchema, reportSchema } from '../src/domain/report.ts'
import { resultSchema } from '../src/domain/result.ts'
import { taskSchema } from '../src/domain/task.ts'

const folder = join(dirname(dirname(fileURLToPath(import.meta.url))), 'schemas')
/** What a program writes has optional members with defaults; what it reads has them filled in. */
const schemas = {
  task: z.toJSONSchema(taskSchema, { io: 'input' }),
  policy: z.toJSONSchema(policySchema, { io: 'input' }),
  failure: z.toJSONSchema(failureSchema),
  report: z.toJSONSchema(reportSchema),
  result: z.toJSONSchema(resultSchema),
  event: z.toJSONSchema(eventSchema),
}

const stale = []
mkdirSync(folder, { recursive: true })
for (const [name, schema] of Object.entries(schemas)) {
  const path = join(folder, `${name}.schema.json`)
  const text = `${JSON.stringify(schema, null, 2)}\n`
  let current = ''
  try {
    current = readFileSync(path, 'utf8')
  } catch {
    // Not there yet: stale.
  }
  if (current === text) continue
  stale.push(name)
  if (!process.argv.includes('--check')) writeFileSync(path, text)
}
if (stale.length > 0 && process.argv.includes('--check')) {
  process.stderr.write(`schemas not current: ${stale.join(', ')}; run: npm run schemas\n`)
  process.exitCode = 1
}
