/** Rewrites what only Python (and its like) writes so, outside of strings and comments; the text itself where there is none. */
export function fromPython(text: string): string {
  return text.split('\n').map(rewriteLine).join('\n')
}

const literal = /(\/\/.*$|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`)/

function rewriteLine(line: string): string {
  if (/^\s*(\/\/|\*|\/\*)/.test(line)) return line
  const plain = line.replace(/^(\s*)#(?!\s*!)/, '$1//')
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
  const match =
    /(\w*)([[(])([^[\]()]*(?:[[(][^[\]()]*[\])][^[\]()]*)*?)\s+for\s+(\w+)\s+(?:in|of)\s+([\w.]+(?:\([^()]*\))?)(?:\s+if\s+(.+?))?([\])])(?=\s*[;,)\]]|\s*$|\.)/.exec(
      line,
    )
  if (!match) return line
  const [whole, callee = '', , value = '', name = '', items = '', condition] = match
  const source = `[...${items}]`
  const kept = condition === undefined ? source : `${source}.filter((${name}) => ${condition})`
  const mapped = value.trim() === name ? kept : `${kept}.map((${name}) => ${value.trim()})`
  const call = {
    sum: `${mapped}.reduce((sum, item) => sum + item, 0)`,
    any: `${mapped}.some(Boolean)`,
    all: `${mapped}.every(Boolean)`,
    max: `Math.max(...${mapped})`,
    min: `Math.min(...${mapped})`,
    len: `${mapped}.length`,
  }[callee]
  const code = call ?? (callee === '' ? mapped : `${callee}(${mapped})`)
  return line.replace(whole, () => code)
}
