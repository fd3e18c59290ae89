import type { Finding } from './finding.ts'
import { chainFinding, readPython } from './python.ts'
import type { TextReader } from './reading.ts'

/** Python's unittest: blocks between double rules, one per test that failed. */
export const unittestReader: TextReader = {
  name: 'unittest',
  tools: /unittest|django/,
  looksLike: ({ text }) => /^={20,}\n(?:FAIL|ERROR): /m.test(text) || /^Ran \d+ tests? in /m.test(text),
  read: ({ lines, text, source }) => {
    const findings: Finding[] = []
    for (let index = 0; index < lines.length && findings.length < 300; index += 1) {
      const head = /^(FAIL|ERROR): (\S+)(?: \(([^)]*)\))?(.*)$/.exec(lines[index] ?? '')
      if (!head || !/^={20,}/.test(lines[index - 1] ?? '')) continue
      let end = index + 1
      while (end < lines.length && !/^={20,}$/.test(lines[end] ?? '') && !/^Ran \d+ test/.test(lines[end] ?? ''))
        end += 1
      const chains = readPython(lines.slice(index + 1, end), source)
      const failedImport = head[2] !== undefined && /_FailedTest|unittest\.loader/.test(`${head[2]} ${head[3] ?? ''}`)
      for (const chain of chains.slice(0, failedImport ? undefined : 1)) {
        const finding = chainFinding(chain, source)
        if (failedImport && /^Failed to import test module/.test(finding.message)) {
          const inner = innerError(lines.slice(index + 1, end).join('\n'))
          if (inner && chains.length === 1) {
            finding.message = inner
            finding.finer = /^No module named/.test(inner) ? 'import' : finding.finer
          }
        }
        const owner = (head[3] ?? '').split('.').filter((part) => part !== head[2] && part !== '__main__')
        if (/^(?:setUp|tearDown)(?:Class|Module)$/.test(head[2] ?? '')) finding.finer = 'fixture'
        if (!failedImport)
          finding.test = [
            ...owner.slice(-1),
            `${head[2] ?? ''}${(head[4] ?? '').trim() ? ` ${(head[4] ?? '').trim()}` : ''}`,
          ].join('.')
        findings.push(finding)
      }
      index = end - 1
    }
    if (findings.length === 0 && /^Ran 0 tests in|^NO TESTS RAN/m.test(text))
      findings.push({ finer: 'no_test_report', message: 'no tests ran' })
    return findings
  },
}

function innerError(text: string): string | undefined {
  const lines = text
    .trimEnd()
    .split('\n')
    .filter((line) => /^\w*(?:Error|Exception): /.test(line))
  return lines.at(-1)?.replace(/^(?:ModuleNotFoundError|ImportError): /, '')
}
