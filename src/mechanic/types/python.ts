/** Rewrites what only Python (and its like) writes so, outside of strings and comments; the text itself where there is none. */
export function fromPython(text: string): string {
  return text.split('\n').map(rewriteLine).join('\n')
}

const literal = /(\/\/.*$|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`)/

function rewriteLine(line: string): string {
  if (/^\s*(\/\/|\*|\/\*)/.test(line)) return line
  const plain = line.replace(/^(\s*)#(?=\s|$)/, '$1//')
  if (/^\s*\/\//.test(plain)) return plain
  // literals are set aside, so that their words stay as they are
  const kept: string[] = []
  const open = plain
    .split(literal)
    .map((part, index) => (index % 2 === 0 ? part : `\uE000${kept.push(part) - 1}\uE001`))
    .join('')
  return words(comprehension(open)).replace(/\uE000(\d+)\uE001/g, (_, index: string) => kept[Number(index)] ?? '')
}

const words = (line: string): string =>
  line
    .replace(/\belif\b/g, 'else if')
    .replace(/([\w.]+(?:\[[^\]]*\])?)\s+not in\s+([\w.]+)/g, '!$2.includes($1)')
    .replace(/(?<=[\w)\]\uE001]\s+)and(?=\s+[\w(![\uE000])/g, '&&')
    .replace(/(?<=[\w)\]\uE001]\s+)or(?=\s+[\w(![\uE000])/g, '||')
    .replace(/\bnot\s+(?=[\w(])/g, '!')
    .replace(/\bis !/g, '!== ')
    .replace(/^(\s*)pass\s*$/, '$1')
    .replace(/return (\S.*?) if (.+?) else (.+?);?$/, 'return $2 ? $1 : $3;')
    .replace(/\blambda\s+([\w, ]+):\s*/g, '($1) => ')
    .replace(/<>/g, '!==')
    .replace(
      /(?<=\w|\)|\])\[([^[\]?:{}]*):([^[\]?:{}]*)\]/g,
      (_, from: string, to: string) =>
        `.slice(${[from.trim() || '0', to.trim()].filter((part) => part !== '').join(', ')})`,
    )
    .replace(/(return|=)\s*\(\s*\)(?!\s*(?:=>|:))/g, '$1 []')
    .replace(/=\s*\[\](?:\[\])+/g, '= []')

/** `[f(x) for x in xs if p(x)]`, also as the argument of sum, any, all, max and min. */
function comprehension(line: string): string {
  const loop = /\s+for\s+(\w+)\s+(?:in|of)\s+/.exec(line)
  if (!loop) return line
  const open = bracketAround(line, loop.index - 1, -1)
  const close = bracketAround(line, loop.index + loop[0].length, 1)
  if (open < 0 || close < 0) return line
  const value = line.slice(open + 1, loop.index).trim()
  const [items = '', condition] = line.slice(loop.index + loop[0].length, close).split(/\s+if\s+/)
  if (value === '' || /[{};]/.test(value)) return line
  const name = loop[1] ?? ''
  const kept = condition === undefined ? `[...${items}]` : `[...${items}].filter((${name}) => ${condition})`
  const mapped = value === name ? kept : `${kept}.map((${name}) => ${value})`
  const callee = /\w*$/.exec(line.slice(0, open))?.[0] ?? ''
  const call = {
    sum: `${mapped}.reduce((sum, item) => sum + item, 0)`,
    any: `${mapped}.some(Boolean)`,
    all: `${mapped}.every(Boolean)`,
    max: `Math.max(...${mapped})`,
    min: `Math.min(...${mapped})`,
    len: `${mapped}.length`,
  }[callee]
  const before = line.slice(0, open - callee.length)
  return `${before}${call ?? (callee === '' ? mapped : `${callee}(${mapped})`)}${line.slice(close + 1)}`
}

/** The bracket that holds a place: the nearest one before (step -1) or after (step 1) that has no partner on the way; -1 without one. */
function bracketAround(line: string, from: number, step: 1 | -1): number {
  let depth = 0
  for (let at = from; at >= 0 && at < line.length; at += step) {
    const isOpen = '[('.includes(line[at] ?? ' ')
    const isClose = '])'.includes(line[at] ?? ' ')
    if (!isOpen && !isClose) continue
    if (isOpen === step < 0) {
      if (depth === 0) return at
      depth -= 1
    } else depth += 1
  }
  return -1
}
