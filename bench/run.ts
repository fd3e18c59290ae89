// `npm run bench` lists what there is; `npm run bench -- verdict sandbox` runs those, one after the other. What follows `--` goes
// to each of them. See README.md.
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const here = fileURLToPath(new URL('.', import.meta.url))
const known = readdirSync(here)
  .filter((name) => name.endsWith('.bench.ts'))
  .map((name) => name.slice(0, -'.bench.ts'.length))
const [given, passedOn] = split(process.argv.slice(2))

function split(args: readonly string[]): [readonly string[], readonly string[]] {
  const at = args.findIndex((arg) => arg.startsWith('-'))
  if (at < 0) return [args, []]
  return [args.slice(0, at), args.slice(args[at] === '--' ? at + 1 : at)]
}

const names = given.map((name) => name.replace(/^bench\//, '').replace(/\.bench\.ts$/, ''))
const unknown = names.filter((name) => !known.includes(name))
if (unknown.length > 0) {
  console.error(`no such bench: ${unknown.join(', ')}; there are ${known.join(', ')}`)
  process.exitCode = 2
} else if (names.length === 0) {
  console.log(
    `npm run bench -- NAME…\n\n${known.map((name) => `  ${name}`).join('\n')}\n\nbench/README.md says how to read them.`,
  )
} else {
  for (const name of names) {
    console.log(`── ${name}`)
    const { status } = spawnSync(process.execPath, ['--no-warnings', `${here}${name}.bench.ts`, ...passedOn], {
      stdio: 'inherit',
    })
    if (status !== 0) process.exitCode = 1
  }
}
