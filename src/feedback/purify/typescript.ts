import { compilerFinding } from './compiler-codes.ts'
import type { Finding } from './finding.ts'
import type { TextReader } from './reading.ts'

const plain = /^(.*?)\((\d+),(\d+)\): (error|warning|\S{1,20}) (TS\d+): (.*)$/
const pretty = /^(.*?):(\d+):(\d+)(?:: | - )(error|warning|\S{1,20}) (TS\d+): (.*)$/
const bare = /^(error|warning|\S{1,20}) (TS\d+): (.*)$/
// `  12 const x = 1` and the underline of pretty output, also with coloured blanks.
const prettyFrame = /^(?:\s*\d+ .*|\s*~+\s*|\s*)$/
const related = /^\s+(\S.*?):(\d+):(\d+)$/

/** The TypeScript compiler's command line, plain and pretty, in any language; also tsx, vue-tsc and ts-node with its list of diagnostics. */
export const typescriptReader: TextReader = {
  name: 'typescript',
  tools: /^(?:npx )?(?:tsc|vue-tsc|ts-node|tsgo|typescript|svelte-check)\b/,
  looksLike: ({ text }) => /\bTS\d{4,5}: /.test(text),
  read: ({ lines }) => {
    const findings: Finding[] = []
    let open: { code: string; text: string[]; place?: Finding['place']; severity: string; pretty: boolean } | undefined
    const close = () => {
      if (!open) return
      const finding = compilerFinding(open.code, open.text.join('\n'))
      if (open.place) finding.place = open.place
      if (open.severity === 'warning') finding.severity = 'warning'
      findings.push(finding)
      open = undefined
    }
    let inFrame = false
    for (const raw of lines) {
      if (findings.length >= 300) break
      if (raw.length > 20_000) continue
      const line = raw.trimEnd()
      const match = line.includes('TS') ? (plain.exec(line) ?? pretty.exec(line)) : null
      const located = match && match[1] !== undefined && !/^\s/.test(match[1])
      if (match && located) {
        close()
        open = {
          code: match[5] ?? '',
          text: [match[6] ?? ''],
          place: { file: match[1] ?? '', line: Number(match[2]), column: Number(match[3]) },
          severity: match[4] ?? 'error',
          pretty: !plain.test(line),
        }
        inFrame = false
        continue
      }
      const global = line.includes('TS') ? bare.exec(line.replace(/^.*?: (?=error TS)/, '')) : null
      if (global && !/^\s/.test(line)) {
        close()
        open = { code: global[2] ?? '', text: [global[3] ?? ''], severity: global[1] ?? 'error', pretty: false }
        inFrame = false
        continue
      }
      if (!open) continue
      if (line === '') {
        if (open.pretty) inFrame = true
        else close()
      } else if (/^\s/.test(line) && !inFrame) open.text.push(line)
      else if (inFrame && (prettyFrame.test(line) || related.test(line) || /^\s/.test(line))) continue
      else close()
    }
    close()
    return findings
  },
}
