import type { Language } from '../../domain/task.ts'

const numbered = /^[ \t]*(?:L|line\s*)?(\d{1,6})(?:[ \t]*[|│:→>)\]]|[.]|\t|[ \t]{2,}|$)(?:[ \t]*→)?/i

/** Takes line numbers off if every line carries the next number; one blank after the mark belongs to it. */
export function stripLineNumbers(text: string, _language?: Language): string {
  const lines = text.replace(/\n+$/, '').split('\n')
  if (lines.length < 2 || !numbered.test(lines[0] ?? '')) return text
  let expected: number | null = null
  const rests: string[] = []
  for (const line of lines) {
    const match = numbered.exec(line)
    if (!match?.[1] || (expected !== null && Number(match[1]) !== expected)) return text
    expected = Number(match[1]) + 1
    rests.push(line.slice(match[0].length))
  }
  const filled = rests.filter((rest) => rest.trim() !== '')
  const pad = filled.length > 0 && filled.every((rest) => rest.startsWith(' ')) ? 1 : 0
  return rests.map((rest) => (rest.trim() === '' ? '' : rest.slice(pad))).join('\n')
}

const prompts: Readonly<Record<Language, { readonly first: RegExp; readonly next: RegExp }>> = {
  python: { first: /^>>>(?: |$)|^In \[\d+\]: /, next: /^\.\.\.(?: |$)|^ +\.\.\.: ?/ },
  typescript: { first: /^> /, next: /^(?:\.\.\.|\|)(?: |$)/ },
  javascript: { first: /^> /, next: /^(?:\.\.\.|\|)(?: |$)/ },
  bash: { first: /^(?:\[?[\w.-]+@[\w.-]+[^$#]{0,60}[$#]|[$%#]) /, next: /^> / },
  sql: { first: /^(?:sqlite>|mysql>|[\w-]+=[#>]) /, next: /^ *(?:\.\.\.>|->|[\w-]+-[#>]) / },
}

/** Takes the prompts off a session's input lines; lines without one are output and go. */
export function stripPrompts(text: string, language: Language): string {
  const { first, next } = prompts[language]
  const lines = text.split('\n')
  if (!first.test(lines.find((line) => line.trim() !== '') ?? '')) return text
  const input: string[] = []
  let inStatement = false
  for (const line of lines) {
    const mark: RegExpExecArray | null = first.exec(line) ?? (inStatement ? next.exec(line) : null)
    inStatement = mark !== null
    if (mark) input.push(line.slice(mark[0].length))
  }
  return input.join('\n').trimEnd()
}
