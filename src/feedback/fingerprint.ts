import type { Failure } from '../domain/report.ts'

/** What identity needs of a failure. */
export type Identified = Pick<Failure, 'kind' | 'message'> &
  Partial<Pick<Failure, 'layer' | 'code' | 'test' | 'expected' | 'actual' | 'location'>>

const maxIdentity = 4_000

/**
 * Twelve hex digits that name a failure without what changes from run to run: addresses, timings, paths, lines and columns,
 * order, seeds, ports, process ids, dates, temporary names, sample values of counterexamples, and the language of the message
 * (a code of the compiler, the database or the system is taken before a sentence). Other symbols or tests give another one.
 */
export function fingerprint(failure: Identified): string {
  return hash(identity(failure))
}

/** The text that `fingerprint` hashes, for tests and for people who wonder. */
export function identity(failure: Identified): string {
  const parts: string[] = []
  const { message } = failure
  const test = failure.test === undefined ? '' : plain(failure.test)
  const property = isProperty(message)
  const code = failure.code !== undefined && isTelling(failure.code) ? failure.code : codeIn(message)
  if (code !== undefined) {
    parts.push(`code ${code}`, symbolsOf(message, code))
    if (isErrno(code)) parts.push(tailOf(message))
  } else {
    parts.push(
      failure.kind,
      failure.code === undefined || failure.code === 'ERR_ASSERTION' ? '' : failure.code,
      property ? propertyIdentity(message) : isListOfTests(message) ? sorted(plain(message)) : plain(message),
    )
  }
  if (test) parts.push(`test ${test}`)
  if (!property && code === undefined) {
    if (failure.expected !== undefined) parts.push(`expected ${plain(failure.expected)}`)
    if (failure.actual !== undefined) parts.push(`actual ${plain(failure.actual)}`)
  }
  return parts.filter((part) => part !== '').join(' | ')
}

const telling =
  /^(?:TS\d{3,5}|(?=[A-Z]*\d)[0-9A-Z]{5}|E[A-Z0-9]{2,15}|ERR_[A-Z0-9_]+|SQLITE_[A-Z_]+|[A-Z]{1,3}\d{3,4})$/

function isTelling(code: string): boolean {
  return telling.test(code) && code !== 'ERR_ASSERTION' && code !== 'ERR_TEST_FAILURE'
}

function isErrno(code: string): boolean {
  return /^E[A-Z]+$/.test(code) && !code.startsWith('ERR_')
}

/** A compiler's or the system's code in front of a sentence. */
function codeIn(message: string): string | undefined {
  return /\berror (TS\d{3,5})\b|^(TS\d{3,5})\b|^(E[A-Z]{4,}): /.exec(message)?.slice(1).find(Boolean)
}

// Assignability names source and target in this order in every language of the compiler; elsewhere translations turn names round.
const ordered = new Set(['TS2322', 'TS2345', 'TS2352', 'TS2416', 'TS2678', 'TS2367', 'TS2739', 'TS2740', 'TS2741'])

/** Names in quotes of any language; without any, the words that no compiler's sentence is made of. */
function symbolsOf(message: string, code: string): string {
  const first = message.split(/\n| > /, 1)[0] ?? ''
  const text = plain(first.replace(/^.*?\berror\s+TS\d+:?/, ''))
  const quoted: string[] = []
  for (const match of text.matchAll(
    /'([^']*)'|"([^"]*)"|“([^”]*)”|„([^“”]*)[“”]|«([^»]*)»|「([^」]*)」|`([^`']*)[`']|‘([^’]*)’/g,
  )) {
    quoted.push(
      match
        .slice(1)
        .find((group) => group !== undefined)
        ?.trim() ?? '',
    )
  }
  if (quoted.length > 0) return (ordered.has(code) ? quoted : [...new Set(quoted)].sort()).join(' ')
  const words = text.match(/[A-Za-z_$][\w$.]*/g) ?? []
  return [...new Set(words.filter((word) => !sentenceWords.has(word.toLowerCase().replace(/\.$/, ''))))]
    .sort()
    .join(' ')
}

/** Of an error of the system: the call and the last part of the path. */
function tailOf(message: string): string {
  return /, (\w+)/.exec(message)?.[1] ?? ''
}

const sentenceWords = new Set(
  `a all already an and any are argument arguments array as assign assignable assigned at await be before but by call callable
  can cannot character class comma constructor could declaration declare declared did different does duplicate element enclosing
  end error exist exists expect expected export exported expression file find follow for found from function get given got has
  have identifier implementation implicitly import in incompatible initializer instead integer invalid is it its key least literal
  match matches mean member method missing module more must name namespace new no not null object of on one only operator or
  overload parameter parameters possibly property read required return returned same scope specified statement string such
  supported syntax target than that the this to token type types unable undefined unexpected unknown unreachable unterminated use
  used value variable was while with without you column relation table exist near key row violates constraint unique`
    .split(/\s+/)
    .filter(Boolean),
)

/** A failed property of fast-check, Hypothesis and their kin: its values are samples. */
function isProperty(message: string): boolean {
  return /counter-?example|falsifying example|property failed|shrunk \d+ time/i.test(message)
}

function propertyIdentity(message: string): string {
  const name = message.slice(0, maxIdentity).split(/\|?\s*(?:counter-?example|falsifying example)/i, 1)[0] ?? ''
  const head = name.replace(/after \d+ tests?/i, '').replace(/\{[^}]*\}/g, '')
  const got = /\b(?:Got|Caused by|Error:)\s*:?\s*([A-Z]\w*Error)\b/.exec(message)?.[1] ?? ''
  return `property ${sorted(plain(head))} ${got}`.trim()
}

/** A summary that names the failing tests. */
function isListOfTests(message: string): boolean {
  return /^(?:\d+ )?(?:tests? )?fail(?:ed|ing|ures?)?(?: tests?)?: /i.test(message)
}

/** Lists of names after a colon are sets: their order is the runner's. */
function sorted(text: string): string {
  return text.replace(/:\s*([\w.$ >-]+(?:,\s*[\w.$ >-]+)+)/g, (_, list: string) => {
    const names = list.split(',').map((name) => name.trim())
    return `: ${[...new Set(names)].sort().join(', ')}`
  })
}

const noise: readonly (readonly [RegExp, string])[] = [
  // biome-ignore lint/suspicious/noControlCharactersInRegex: terminals' colours are what is removed
  [/\u001b\[[0-9;?]*[ -/]*[@-~]/g, ''],
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, '<uuid>'],
  [/\b0x[0-9a-f]{4,}\b/gi, '<address>'],
  [/\b\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(?:\s?(?:Z|UTC|GMT|[+-]\d{2}:?\d{2}))?)?\b/g, '<date>'],
  [
    /\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),? (?:[A-Z][a-z]{2} \d{1,2}|\d{1,2} [A-Z][a-z]{2}),? \d{4}(?: \d{2}:\d{2}:\d{2})?(?: GMT(?:[+-]\d{4})?(?: \([^)]*\))?)?/g,
    '<date>',
  ],
  [/\b\d{1,2}:\d{2}:\d{2}(?:[.,]\d+)?(?: ?[AP]M)?\b/g, '<time>'],
  // places: after a file (:3:4, (3,4), ", line 3"), or in words
  [/([\w)\]>"'])\((\d+),\s?(\d+)\)(?=:|\s|$)/g, '$1'],
  [/(\.[A-Za-z]\w{0,5}["')]?):\d+(?::\d+)?\b/g, '$1'],
  [/<anonymous>:\d+:\d+/g, '<anonymous>'],
  [
    /,? ?\b(?:at |on |in |near )?(?:lines?|ln|zeile|ligne|línea|строка)[ :#=]*\d+(?:\s*[-–,:]\s*(?:(?:col(?:umn)?|char(?:acter)?|pos(?:ition)?)[ :#=]*)?\d+)?/gi,
    '',
  ],
  [/,? ?\b(?:at |in )?(?:col(?:umn)?|char(?:acter)?|position|offset|byte)[ :#=]*\d+/gi, ''],
  // labelled numbers that a run draws anew
  [
    /\b(pid|ppid|tid|process(?: id)?|thread(?:-| id )?|worker(?:-| id )?|port|fd|seed|random_state|iteration|nonce|session|request[-_ ]?id|job|build|retry|try|attempt)(["']?\s?[:=#]?\s?)-?\d+\b/gi,
    '$1 <n>',
  ],
  [/\b(localhost|127\.0\.0\.1|0\.0\.0\.0|\[?::1\]?):\d{2,5}\b/g, '$1:<port>'],
  // durations
  [/\b\d+(?:\.\d+)?\s?(?:ms|milliseconds?|µs|μs|us|ns|secs?|seconds?|s|mins?|minutes?|hours?)\b/gi, '<time>'],
  [/\bcounter-?example:?\s*(?:\[[^\]]*\]|\{[^}]*\}|\S+)/gi, 'counterexample'],
  [/(?:previous line repeated|\.\.\.) \d+ more (?:times|frames?)?/gi, ''],
  // digests and generated names
  [/\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,64}\b/gi, '<hash>'],
]

const paths =
  /(?:file:\/\/\/?)?(?:\b[A-Za-z]:[\\/]|\\\\|\/(?![\s/]))(?:[^\s'"`“”()<>:|*?,;\\/]+[\\/]+)*[^\s'"`“”()<>:|*?,;\\/]*/g

function plain(text: string): string {
  // Paths first: the names in them look like digests and dates.
  const cut = text.slice(0, maxIdentity)
  let out = cut.replace(paths, (path, offset: number) => plainPath(path, cut, offset))
  for (const [pattern, replacement] of noise) out = out.replace(pattern, replacement)
  return out.replace(/\s+/g, ' ').trim()
}

/** A path's last part; a division or a regular expression is left alone, a temporary name goes. */
function plainPath(path: string, text: string, offset: number): string {
  const before = text[offset - 1]
  if (before !== undefined && /[\w$)\]]/.test(before)) return path
  const parts = path
    .replace(/^file:\/\/\/?/, '/')
    .split(/[\\/]/)
    .filter(Boolean)
  if (parts.length < 2 && !/\.\w+$/.test(path)) return path
  const name = parts.at(-1) ?? ''
  return /^(?:tmp|temp)/i.test(parts[0] ?? '') && isRandom(name)
    ? '<path>'
    : name.replace(/[-_.]?(?=\w*\d)[A-Za-z0-9]{6,}(?=\.\w+$)/, '')
}

function isRandom(name: string): boolean {
  return !/\.\w{1,5}$/.test(name) || /\d{3,}|[a-z]\d[a-z]|<hash>|<uuid>/i.test(name)
}

/** 48 bits of two FNV-1a streams: enough for the failures of a run, and quick. */
function hash(text: string): string {
  let a = 0x811c9dc5
  let b = 0x01000193
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index)
    a = Math.imul(a ^ unit, 0x01000193)
    b = Math.imul(b ^ (unit + index), 0x85ebca6b)
    b ^= b >>> 13
  }
  return (a >>> 0).toString(16).padStart(8, '0') + ((b >>> 0) & 0xffff).toString(16).padStart(4, '0')
}
