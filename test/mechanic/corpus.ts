import { readdirSync, readFileSync } from 'node:fs'

/** A program that does not compile, and a script that tests it. */
export interface BrokenProgram {
  readonly id: string
  readonly program: string
  readonly tests: string
}

const folder = new URL('../fixtures/mechanic/', import.meta.url)

/**
 * Reads the corpus: programs after `### title`, then `---`, then lines `call => value`; each becomes a bare script
 * that compares as deeply as `assert.deepEqual` does. All calls of a program are of one function.
 */
export function readCorpus(): BrokenProgram[] {
  const found: BrokenProgram[] = []
  for (const name of readdirSync(folder).sort()) {
    if (!name.endsWith('.txt')) continue
    for (const part of readFileSync(new URL(name, folder), 'utf8').split(/^### /m).slice(1)) {
      const titleEnd = part.indexOf('\n')
      const split = part.lastIndexOf('\n---\n')
      const calls = part
        .slice(split + 5)
        .trim()
        .split('\n')
      const asserts = calls.map((line) => {
        const [call = '', value = ''] = line.split(' => ')
        return `  assert.deepEqual(candidate${call.slice(call.indexOf('('))}, ${value});`
      })
      const called = calls[0]?.slice(0, calls[0].indexOf('(')) ?? ''
      found.push({
        id: `${name.replace('.txt', '')}: ${part.slice(0, titleEnd)}`,
        program: `${part.slice(titleEnd + 1, split)}\n`,
        tests: `declare var require: any;\nconst assert = require('node:assert');\nfunction test() {\n  let candidate = ${called};\n${asserts.join('\n')}\n}\ntest();\n`,
      })
    }
  }
  return found
}
