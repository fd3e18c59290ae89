import { scanScript } from './bash-script.ts'
import type { Finding, FinerKind } from './finding.ts'
import type { TextReader, ToolText } from './reading.ts'

// `s.sh: line 3: msg`, `s.sh: 3: msg` (dash), `bash: -c: line 1: msg`, and the word for line in other languages.
const message =
  /^(?:((?:[\w./\\~@+-]|[A-Za-z]:)+?|-?(?:ba|z|da|k)?sh)(?:: -c)?: )(?:(?:line|строка|Zeile|ligne|línea|riga|linha|行|줄|第) ?(\d+) ?行?|(\d+)): (.*)$/
const shellOnly = /^(?:-?(?:bash|sh|zsh|dash|ksh)|\/(?:usr\/)?bin\/\w*sh): (?!line|\d)(.*)$/

/** Messages of bash, dash and their kin; scripts that end red without a word. */
export const bashReader: TextReader = {
  name: 'bash',
  tools: /^(?:bash|sh|zsh|dash|shell|just-bash)\b/,
  looksLike: ({ text, lines }) =>
    (/: (?:line \d+|\d+): /.test(text) || /command not found|syntax error near|unbound variable/.test(text)) &&
    lines.some((line) => message.test(line.slice(0, 1_000)) || shellOnly.test(line.slice(0, 1_000))),
  read: (input) => {
    const findings: Finding[] = []
    for (const raw of input.lines) {
      if (findings.length >= 300) break
      const line = raw.slice(0, 4_000)
      const match = message.exec(line)
      const bare = match ? null : shellOnly.exec(line)
      const body = match?.[4] ?? bare?.[1]
      if (body === undefined) continue
      // bash shows the offending line, in backquotes, under a syntax error.
      if (/^`.*'$/.test(body)) continue
      const finding = shellFinding(body, match?.[1] ?? 'script', Number(match?.[2] ?? match?.[3] ?? 0), input)
      if (finding) findings.push(finding)
    }
    return findings
  },
}

function shellFinding(body: string, file: string, line: number, input: ToolText): Finding | undefined {
  const finding: Finding = { finer: shellKind(body), message: body.replace(/^warning: /, '') }
  if (line > 0) finding.place = { file, line, column: 0 }
  const missing =
    /^command not found: (.+)$/.exec(body) ??
    /^(.+?): (?:command not found|not found|commande introuvable|Befehl nicht gefunden|команда не найдена|comando no encontrado|orden no encontrada)$/.exec(
      body,
    )
  if (missing) {
    finding.finer = 'missing_command'
    finding.code = '127'
    finding.actual = missing[1] ?? ''
  }
  if (finding.finer === 'syntax' && finding.place) {
    const begun = /here-document at line (\d+)/.exec(body)?.[1] ?? /from `\S+' command on line (\d+)/.exec(body)?.[1]
    if (begun) finding.place.line = Number(begun)
    else if (
      input.source !== undefined &&
      /unexpected end of file|unexpected EOF|unterminated|end of file unexpected/i.test(body)
    )
      pointAtOpen(finding, input.source)
  }
  const closer = /^syntax error near unexpected token `(done|fi|esac|\}|\))'/.exec(body)?.[1]
  if (closer !== undefined && input.source !== undefined && line > 0) {
    const before = input.source
      .replaceAll('\r\n', '\n')
      .split('\n')
      .slice(0, line - 1)
    const still = scanScript(`${before.join('\n')}\n`).open.at(-1)
    if (still) finding.hint = `\`${still.word}\` on line ${still.line} is still open there`
  }
  return finding
}

/** The reported line can lie past the end of the script; what was left open is what is wrong. */
function pointAtOpen(finding: Finding, script: string): void {
  const crlf = script.includes('\r\n')
  const { open } = scanScript(crlf ? script.replaceAll('\r\n', '\n') : script)
  if (crlf) {
    // With carriage returns no keyword is one: the first construct of the script is left open.
    finding.hint = 'the script has Windows line ends (CRLF): the shell reads the carriage return as part of each word'
    const first = /^\s*(?:if|for|while|until|case|select)\b|\{\s*$/
    const at = script.split('\r\n').findIndex((text) => first.test(text))
    if (at !== -1 && finding.place) finding.place.line = at + 1
    return
  }
  const innermost = open.at(-1)
  if (!innermost || !finding.place) return
  finding.place.line = innermost.line
  finding.hint = `\`${innermost.word}\` on line ${innermost.line} is never closed`
}

function shellKind(body: string): FinerKind {
  if (
    /syntax error|unexpected EOF|unexpected end of file|here-document .*delimited by end-of-file|unterminated|bad substitution$|Syntax error|ошибка синтаксиса|Syntaxfehler|erreur de syntaxe|error sintáctico/i.test(
      body,
    )
  ) {
    return /bad substitution/.test(body) ? 'runtime' : 'syntax'
  }
  if (/command not found|: not found$/.test(body)) return 'missing_command'
  if (/: No such file or directory$/.test(body))
    return /^\/?[\w./-]+: No such file/.test(body) && /^\.{0,2}\//.test(body) ? 'missing_command' : 'runtime'
  if (/Killed|Cannot allocate memory/.test(body)) return 'out_of_memory'
  if (/Terminated|Alarm clock/.test(body)) return 'timeout'
  if (/Segmentation fault|Aborted|Bus error|Illegal instruction|Floating point exception/.test(body)) return 'crash'
  if (/maximum function nesting level exceeded/.test(body)) return 'stack_overflow'
  return 'runtime'
}

function lastLine(text: string): string | undefined {
  const lines = text.slice(-8_000).split('\n')
  for (let index = lines.length - 1; index >= 0; index -= 1) {
    const line = (lines[index] ?? '').trim()
    if (line !== '' && !/^(?:Node\.js v\d|npm (?:ERR|error)|\(Use `node )/.test(line)) return line.slice(0, 500)
  }
  return undefined
}

/**
 * Which command ended a script that says nothing: with `set -e` the last one before what was not printed any more.
 * A guess, and said to be one.
 */
export function silentExit(input: ToolText, exitCode: number): Finding {
  const finding: Finding = {
    finer: 'exit_code',
    message: `exit code ${exitCode} without a message`,
    code: String(exitCode),
  }
  // `set -x` shows every command before it runs: that is no message.
  const said = input.stderr.replace(/^\++ .*$/gm, '')
  const word = lastLine(said)
  if (word !== undefined) return { ...finding, message: word }
  if (input.source === undefined) return finding
  const { commands } = scanScript(input.source.replaceAll('\r\n', '\n'))
  let last: { text: string; line: number } | undefined
  for (const command of commands) {
    if (
      /^(?:set|export|local|readonly|declare|shopt|trap|function|\w+\(\)|#!)(?:\s|$)/.test(command.text) ||
      /^\w+=\S*$/.test(command.text)
    )
      continue
    const printed = /^(?:echo|printf)\s+(?:-\w+\s+)*['"]?([^'"$`\\]{1,80})/.exec(command.text)?.[1]?.trim()
    if (printed !== undefined && printed !== '') {
      if (!input.stdout.includes(printed)) break
      continue
    }
    last = command
    if (new RegExp(`^(?:exit|return)\\s+${exitCode}$`).test(command.text)) break
  }
  if (last) {
    finding.message = `the script ended with exit code ${exitCode} at \`${last.text.slice(0, 120)}\` (line ${last.line})`
    finding.place = { file: '(candidate)', line: last.line, column: 0 }
    finding.actual = last.text.slice(0, 200)
  }
  return finding
}
