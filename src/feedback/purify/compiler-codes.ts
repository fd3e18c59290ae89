import type { Finding, FinerKind } from './finding.ts'

const importCodes = new Set([
  2306, 2307, 2497, 2792, 2732, 2834, 2835, 5097, 6137, 6142, 7016, 7058, 1471, 1479, 1541, 1542, 2691, 2846, 2877,
])
const exportCodes = new Set([1192, 1259, 2305, 2459, 2460, 2595, 2596, 2597, 2613, 2614, 2616, 2617, 2694, 2724, 2748])
const environmentCodes = new Set([
  2318, 2468, 2688, 6046, 6053, 6054, 6059, 6082, 6304, 6305, 6306, 6307, 6310, 17004, 18002, 18003, 2875, 1148, 1323,
  1324, 2354,
])
// Grammar of the 1xxx that is no broken syntax but a rule of types or options.
const typesAmongSyntax = new Set([
  1064, 1065, 1055, 1058, 1062, 1118, 1117, 1208, 1210, 1212, 1214, 1219, 1238, 1240, 1241, 1270, 1308, 1309, 1320,
  1345, 1361, 1362, 1371, 1375, 1378, 1432, 1448, 1484, 1485, 1202, 1203, 1218, 1286, 1287, 1294,
])
// Words of quotation of the languages that the compiler speaks.
const quoted = /'((?:[^'"]|"[^"]*")*)'|“([^”]*)”|„([^“”]*)[“”]|«\s?([^»]*?)\s?»|「([^」]*)」|"([^"]*)"|‘([^’]*)’/g

/** What the numbers of the TypeScript compiler mean for a candidate; the language of the sentence plays no part. */
export function finerOfCode(code: string): FinerKind {
  const number = Number(/^(?:TS)?(\d+)$/.exec(code)?.[1] ?? Number.NaN)
  if (Number.isNaN(number)) return 'type'
  if (importCodes.has(number)) return 'import'
  if (exportCodes.has(number)) return 'export'
  if (environmentCodes.has(number)) return 'infrastructure'
  if (number < 2000) return typesAmongSyntax.has(number) ? 'type' : 'syntax'
  if (number >= 5000 && number < 7000)
    return number === 6133 || number === 6196 || number === 6192 || number === 6198 ? 'type' : 'infrastructure'
  if (number >= 8000 && number < 9000) return 'syntax'
  if (number >= 17000 && number < 18000) return 'syntax'
  return 'type'
}

/** The texts between quotes, whatever the language's quotes are. */
export function quotedParts(text: string): string[] {
  const parts: string[] = []
  for (const match of text.matchAll(quoted)) parts.push(match.slice(1).find((group) => group !== undefined) ?? '')
  return parts
}

/** A diagnostic's sentence taken apart: chain on one line, expected and actual types, suggestion. */
export function compilerFinding(code: string, text: string): Finding & { code: string } {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
  const finding: Finding & { code: string } = { finer: finerOfCode(code), message: '', code }
  const first = lines[0] ?? ''
  const { sentence, suggestion, hint } = withoutSuggestion(first, code)
  finding.message = [sentence, ...lines.slice(1, 12)].join(' > ')
  if (suggestion !== undefined) {
    finding.suggestion = suggestion
    finding.hint = `did you mean '${suggestion}'?`
  }
  if (hint !== undefined) finding.hint = hint
  const names = quotedParts(sentence)
  const values = valuesOf(code, names, sentence)
  if (values.expected !== undefined) finding.expected = values.expected
  if (values.actual !== undefined) finding.actual = values.actual
  return finding
}

const libraryCodes = new Set(['TS2550', 'TS2583', 'TS2585', 'TS2568', 'TS2802', 'TS2569'])
const typingsCodes = new Set(['TS2580', 'TS2584', 'TS2581', 'TS2582', 'TS2591', 'TS2592', 'TS2593', 'TS2868', 'TS2867'])

/** Cuts advice off a sentence. Advice to change the engine's options or install typings would lead a model astray. */
function withoutSuggestion(first: string, code: string): { sentence: string; suggestion?: string; hint?: string } {
  const did =
    / Did you mean (?:to (?:use|import|access|write) )?(?:the (?:static|instance) member )?['"‘“]([^'"’”]+)['"’”](?: instead)?\?$/.exec(
      first,
    )
  if (did?.[1]) return { sentence: first.slice(0, did.index), suggestion: did[1] }
  if (libraryCodes.has(code)) {
    const sentence = first.replace(/ (?:Do you need to change|Try changing|Use the '--)\b.*$/, '')
    return {
      sentence,
      hint: 'not available in this environment: write it without this API (compiler options are fixed)',
    }
  }
  if (typingsCodes.has(code)) {
    const sentence = first.replace(/ (?:Do you need to|Try `|Try changing)\b.*$/, '')
    return { sentence, hint: 'not available in this environment: do without it' }
  }
  return {
    sentence: first.replace(
      / (?:Try `npm i|Consider (?:using|adding|installing)|If the '.*' package actually exposes)\b.*$/,
      '',
    ),
  }
}

function valuesOf(code: string, names: readonly string[], sentence: string): { expected?: string; actual?: string } {
  const [a, b, c] = names
  const pair = (actual: string | undefined, expected: string | undefined) => ({
    ...(expected === undefined ? {} : { expected }),
    ...(actual === undefined ? {} : { actual }),
  })
  switch (code) {
    case 'TS2322':
    case 'TS2345':
    case 'TS2352':
    case 'TS2678':
    case 'TS2559':
    case 'TS2739':
    case 'TS2740':
    case 'TS1360':
      return pair(a, b)
    case 'TS2741':
      return c === undefined ? {} : pair(`${b} without ${a}`, c)
    case 'TS2416':
    case 'TS2420':
      return pair(undefined, b)
    case 'TS2551':
    case 'TS2552':
    case 'TS2561':
    case 'TS2724':
    case 'TS2820':
    case 'TS2304':
    case 'TS2339':
      return names.length > 0 && code !== 'TS2304' && code !== 'TS2339'
        ? pair(code === 'TS2724' ? b : a, undefined)
        : {}
    case 'TS2554':
    case 'TS2555': {
      const counts = /Expected (at least )?([\d-]+) arguments?, but got (\d+)/.exec(sentence)
      return counts ? pair(`${counts[3]} arguments`, `${counts[1] ?? ''}${counts[2]} arguments`) : {}
    }
    default:
      return {}
  }
}
