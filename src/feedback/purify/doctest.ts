import type { Finding } from './finding.ts'
import type { TextReader } from './reading.ts'

/** Python's doctest: an example, what it should print and what it printed, between rows of stars. */
export const doctestReader: TextReader = {
  name: 'doctest',
  tools: /doctest/,
  looksLike: ({ text }) => /^Failed example:$/m.test(text),
  read: ({ lines }) => {
    const findings: Finding[] = []
    for (let index = 0; index < lines.length && findings.length < 200; index += 1) {
      if (lines[index] !== 'Failed example:') continue
      const place = /^File "(.{1,1000})", line (\d+), in (\S+)$/.exec(lines[index - 1] ?? '')
      let end = index + 1
      while (end < lines.length && end < index + 400 && !/^\*{10,}$/.test(lines[end] ?? '')) end += 1
      const block = lines.slice(index + 1, end)
      const part = (title: RegExp) => {
        const at = block.findIndex((line) => title.test(line))
        if (at === -1) return undefined
        const after = block.slice(at + 1)
        const stop = after.findIndex((line) => /^\S/.test(line))
        return after
          .slice(0, stop === -1 ? undefined : stop)
          .map((line) => line.replace(/^ {4}/, ''))
          .join('\n')
          .trim()
      }
      const example = block
        .slice(
          0,
          block.findIndex((line) => /^\S/.test(line)),
        )
        .map((line) => line.trim())
        .join('\n')
      const raised = part(/^Exception raised:$/)
      const expected = block.includes('Expected nothing') ? 'nothing' : part(/^Expected:$/)
      const actual = block.includes('Got nothing') ? 'nothing' : part(/^Got:$/)
      findings.push({
        finer: raised === undefined ? 'assertion' : 'runtime',
        message:
          raised === undefined ? `the example ${example} prints something else` : (raised.split('\n').at(-1) ?? raised),
        ...(place ? { place: { file: place[1] ?? '', line: Number(place[2]), column: 0 }, test: place[3] ?? '' } : {}),
        ...(expected === undefined ? {} : { expected }),
        ...(actual === undefined ? {} : { actual }),
        sourceLine: example.split('\n', 1)[0] ?? '',
      })
    }
    return findings
  },
}
