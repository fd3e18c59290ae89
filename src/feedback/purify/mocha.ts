import { readErrorBlock } from './errors-text.ts'
import type { Finding } from './finding.ts'
import type { TextReader } from './reading.ts'

/** Mocha's list of failures: a number, titles by indentation, the last one ending in a colon. */
export const mochaReader: TextReader = {
  name: 'mocha',
  tools: /mocha|chai/,
  looksLike: ({ text }) => /^ {1,4}\d+ failing$/m.test(text),
  read: ({ lines }) => {
    const findings: Finding[] = []
    const start = lines.findIndex((line) => /^\s+\d+ failing\s*$/.test(line))
    let index = start === -1 ? 0 : start + 1
    while (index < lines.length && findings.length < 200) {
      const head = /^ {1,4}(\d+)\) (.+)$/.exec(lines[index] ?? '')
      if (!head?.[2]) {
        index += 1
        continue
      }
      const titles = [head[2]]
      let next = index + 1
      while (
        next < lines.length &&
        !(titles.at(-1) ?? '').endsWith(':') &&
        /^\s{5,}\S/.test(lines[next] ?? '') &&
        titles.length < 12
      ) {
        titles.push((lines[next] ?? '').trim())
        next += 1
      }
      if (!(titles.at(-1) ?? '').endsWith(':')) {
        // The tree above the list has `1) name` too, without an error under it.
        index += 1
        continue
      }
      let end = next
      while (end < lines.length && !/^ {1,4}\d+\) \S/.test(lines[end] ?? '')) end += 1
      const finding = readErrorBlock(lines.slice(next, end), 'mocha')
      const last = (titles.pop() ?? '').replace(/:$/, '')
      const hook = /^"(before|after)( each| all)?" hook/.exec(last)
      if (hook && finding.finer === 'runtime') finding.finer = 'fixture'
      finding.test = [...titles, last].join(' > ')
      findings.push(finding)
      index = end
    }
    return findings
  },
}
