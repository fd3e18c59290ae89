/** A construct of a shell script that was left open, with the line on which it began. */
export interface OpenConstruct {
  readonly word: string
  readonly line: number
}

/** One simple command, for saying which one ended a script. */
export interface SimpleCommand {
  readonly text: string
  readonly line: number
}

const closers: Readonly<Record<string, string>> = {
  if: 'fi',
  for: 'done',
  while: 'done',
  until: 'done',
  select: 'done',
  case: 'esac',
  '{': '}',
  '(': ')',
}

/** What a script leaves open, outermost first, and its simple commands in order. One pass, linear. */
export function scanScript(script: string): { open: OpenConstruct[]; commands: SimpleCommand[] } {
  const open: OpenConstruct[] = []
  const commands: SimpleCommand[] = []
  const heredocs: { word: string; strip: boolean; line: number }[] = []
  let line = 1
  let index = 0
  let words: string[] = []
  let start = 1
  let atCommand = true
  const flush = () => {
    if (words.length > 0) commands.push({ text: words.join(' '), line: start })
    words = []
    atCommand = true
  }
  while (index < script.length) {
    const char = script[index] ?? ''
    if (char === '\n') {
      flush()
      line += 1
      index += 1
      while (heredocs.length > 0) {
        const doc = heredocs.shift()
        if (!doc) break
        let found = false
        while (index < script.length) {
          const end = script.indexOf('\n', index)
          const text = script.slice(index, end === -1 ? script.length : end)
          index = end === -1 ? script.length : end + 1
          line += end === -1 ? 0 : 1
          if ((doc.strip ? text.replace(/^\t+/, '') : text) === doc.word) {
            found = true
            break
          }
        }
        if (!found) open.push({ word: `<<${doc.word}`, line: doc.line })
      }
      continue
    }
    if (char === '\\') {
      if (script[index + 1] === '\n') line += 1
      index += 2
      continue
    }
    if (/[ \t\r]/.test(char)) {
      index += 1
      continue
    }
    if (char === '#') {
      const end = script.indexOf('\n', index)
      index = end === -1 ? script.length : end
      continue
    }
    const doc =
      script.startsWith('<<', index) && !script.startsWith('<<<', index)
        ? /^<<(-?)\s*(['"]?)([\w.-]+)\2/.exec(script.slice(index, index + 200))
        : null
    if (doc?.[3]) {
      heredocs.push({ word: doc[3], strip: doc[1] === '-', line })
      index += doc[0].length
      continue
    }
    if (script.startsWith('<<<', index)) {
      index += 3
      continue
    }
    if (/[;&|]/.test(char)) {
      flush()
      index += 1
      continue
    }
    if (char === '(' || char === ')') {
      if (char === '(') open.push({ word: '(', line })
      // In a case pattern `)` closes nothing.
      else if (open.at(-1)?.word === '(') open.pop()
      flush()
      index += 1
      continue
    }
    const word = readWord(script, index, line)
    if (word.unclosed) {
      open.push({ word: word.unclosed, line: word.line })
      break
    }
    if (words.length === 0) start = line
    const plain = word.text
    if (atCommand && closers[plain] !== undefined) {
      open.push({ word: plain, line })
      flush()
      atCommand = plain !== 'for' && plain !== 'case' && plain !== 'select'
    } else if (atCommand && ['fi', 'done', 'esac', '}'].includes(plain)) {
      if (closers[open.at(-1)?.word ?? ''] === plain) open.pop()
      flush()
    } else if (atCommand && /^(?:then|else|elif|do|!|time)$/.test(plain)) flush()
    else {
      words.push(plain)
      atCommand = false
    }
    line += word.lines
    index = Math.max(word.end, index + 1)
  }
  flush()
  return { open, commands }
}

/** One word with its quotes; `unclosed` names the quote or bracket that never ends and `line` where it began. */
function readWord(
  script: string,
  from: number,
  startLine: number,
): { text: string; end: number; lines: number; unclosed?: string; line: number } {
  let index = from
  let lines = 0
  while (index < script.length) {
    const char = script[index] ?? ''
    if (/[\s;&|()<>]/.test(char)) {
      if (char === '<' || char === '>') {
        index += 1
        continue
      }
      break
    }
    if (char === '\\') {
      index += 2
      continue
    }
    if (char === "'" || char === '"' || char === '`' || (char === '$' && /[({]/.test(script[index + 1] ?? ''))) {
      const end = quotedEnd(script, index)
      if (end === -1)
        return {
          text: '',
          end: script.length,
          lines,
          unclosed: char === '$' ? script.slice(index, index + 2) : char,
          line: startLine + lines,
        }
      for (let at = script.indexOf('\n', index); at !== -1 && at < end; at = script.indexOf('\n', at + 1)) lines += 1
      index = end
      continue
    }
    index += 1
  }
  return { text: script.slice(from, index), end: index, lines, line: startLine }
}

function quotedEnd(script: string, from: number): number {
  const char = script[from] ?? ''
  if (char === "'") {
    const end = script.indexOf("'", from + 1)
    return end === -1 ? -1 : end + 1
  }
  // `"…"`, backticks, `$(…)` and `${…}` nest; a stack instead of recursion keeps deep input harmless.
  const stack: string[] = [char === '$' ? (script[from + 1] === '(' ? ')' : '}') : char]
  let index = from + (char === '$' ? 2 : 1)
  while (index < script.length) {
    const at = script[index] ?? ''
    const wanted = stack.at(-1)
    if (at === '\\') {
      index += 2
      continue
    }
    if (at === wanted) {
      stack.pop()
      index += 1
      if (stack.length === 0) return index
      continue
    }
    if (at === '$' && (script[index + 1] === '(' || script[index + 1] === '{')) {
      stack.push(script[index + 1] === '(' ? ')' : '}')
      index += 2
      continue
    }
    if (wanted === ')' || wanted === '}') {
      if (at === '"' || at === '`') stack.push(at)
      else if (at === '(' && wanted === ')') stack.push(')')
      else if (at === "'") {
        const end = script.indexOf("'", index + 1)
        if (end === -1) return -1
        index = end
      }
    }
    index += 1
  }
  return -1
}
