import type { Finding } from './finding.ts'
import type { TextReader } from './reading.ts'

const stylish = /^[ \t]+(\d+):(\d+)[ \t]+(error|warning)[ \t]+(\S.*)$/
const place = /^(\S[^:]*(?::[\\/][^:]*)?):(\d+):(\d+): /
const unixEnd = / \[(Error|Warning)(?:\/([^\]\s]+))?\]$/
const fileLine = /^(?:[A-Za-z]:)?[^\s:][^:]*\.\w{1,6}$/

/** Linters that report as ESLint does, a file and its list, or a line each. */
export const eslintReader: TextReader = {
  name: 'eslint',
  tools: /^(?:npx )?(?:eslint|oxlint|standard|xo)\b/,
  looksLike: ({ text }) =>
    /^[ \t]+\d+:\d+[ \t]+(?:error|warning)[ \t]/m.test(text) || / \[(?:Error|Warning)\/[\w@/-]{1,100}\]$/m.test(text),
  read: ({ lines }) => {
    const findings: Finding[] = []
    let file = ''
    for (const line of lines) {
      if (findings.length >= 200) break
      if (line.length > 2_000) continue
      const own = stylish.exec(line)
      const end = own ? null : unixEnd.exec(line)
      const single = end ? place.exec(line) : null
      if (own) {
        const [message = '', rule] = (own[4] ?? '').split(/ {2,}(?=\S+$)/)
        findings.push(toFinding(file, own[1], own[2], own[3] === 'warning', message, rule))
      } else if (end && single)
        findings.push(
          toFinding(
            single[1] ?? '',
            single[2],
            single[3],
            end[1] === 'Warning',
            line.slice(single[0].length, end.index),
            end[2],
          ),
        )
      else if (fileLine.test(line)) file = line.trim()
    }
    return findings
  },
}

function toFinding(
  file: string,
  line: string | undefined,
  column: string | undefined,
  isWarning: boolean,
  message: string,
  rule: string | undefined,
): Finding {
  const isSyntax = /^Parsing error: /.test(message)
  return {
    finer: isSyntax ? 'syntax' : 'policy',
    message: message.replace(/^Parsing error: /, '').trim(),
    severity: isWarning ? 'warning' : 'error',
    place: { file, line: Number(line), column: Number(column) },
    ...(rule === undefined ? {} : { code: rule }),
  }
}
