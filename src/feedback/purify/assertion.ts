import { floatDifference, plainNumber } from '../values/numbers.ts'
import { findOutside, unquote } from '../values/scan.ts'
import { jestAssertion } from './assertion-jest.ts'
import { nodeAssertion } from './assertion-node.ts'
import { readDiff } from './diff.ts'

/** An assertion error's parts as a tool gives them; values already printed. */
export interface AssertionText {
  readonly message: string
  readonly expected?: string
  readonly actual?: string
  readonly diff?: string
  readonly operator?: string
  /** False: the message is the test author's own. */
  readonly generatedMessage?: boolean
}

/** What an assertion says, in one shape for all tools. */
export interface ReadAssertion {
  message: string
  expected?: string
  actual?: string
  diff?: string
  hint?: string
}

export const wrongErrorMessage = 'thrown error has the wrong message'
export const noError = 'no error'

/**
 * Reads the message of Vitest, Chai, Jest, node:assert and plain `expected x, got y`. `known` tells whether a rule for that
 * message fitted; the values given are kept where the message holds none that are better.
 */
export function readAssertion(text: AssertionText): ReadAssertion & { known: boolean } {
  const read = jestAssertion(text) ?? nodeAssertion(text) ?? chaiAssertion(text) ?? plainAssertion(text)
  const out: ReadAssertion & { known: boolean } = { known: read !== undefined, message: text.message.trim() }
  Object.assign(out, read)
  if (out.expected === undefined && text.expected !== undefined && !read?.ownValues) out.expected = text.expected
  if (out.actual === undefined && text.actual !== undefined && !read?.ownValues) out.actual = text.actual
  if (out.diff === undefined && text.diff) out.diff = text.diff
  if (out.hint === undefined && out.expected !== undefined && out.actual !== undefined) {
    const hint = valueHint(out.expected, out.actual)
    if (hint) out.hint = hint
  }
  if ('ownValues' in out) delete out.ownValues
  return out
}

/** What a rule gives; `ownValues` when the error's own members must not fill the gaps. */
export type RuleResult = (Partial<ReadAssertion> & { ownValues?: boolean }) | undefined

function valueHint(expected: string, actual: string): string | undefined {
  const float = floatDifference(expected, actual)
  if (float) return float
  // Texts that were cut are no proof of sameness.
  if (expected === actual && expected.includes('…')) return undefined
  if (expected !== actual && lookAlike(expected) === lookAlike(actual)) return differentCharacters(expected, actual)
  if (expected === actual)
    return 'both print the same: they differ in identity, type or hidden members, not in what is shown'
  return undefined
}

/** What a reader sees of a text: kinds of blanks, invisible characters and composed letters look the same. */
const lookAlike = (text: string): string =>
  text.length > 20_000
    ? text
    : text
        .normalize('NFC')
        .replace(/[\u200B-\u200D\u2060\uFEFF\u00AD]/g, '')
        .replace(/[\t\u00A0\u2000-\u200A\u202F\u3000]/g, ' ')

function differentCharacters(expected: string, actual: string): string {
  let at = 0
  while (at < expected.length && expected.charCodeAt(at) === actual.charCodeAt(at)) at += 1
  const code = (text: string) =>
    at < text.length ? `U+${(text.codePointAt(at) ?? 0).toString(16).toUpperCase().padStart(4, '0')}` : 'the end'
  return `characters that look alike differ: expected ${code(expected)}, actual ${code(actual)}`
}

// Patterns over a whole message are worth it for what a person would read.
const longestMessage = 6_000

function chaiAssertion(text: AssertionText): RuleResult {
  const message = text.message.slice(0, longestMessage).trim()
  const first = message.split('\n', 1)[0] ?? ''
  const promise = /^promise (resolved|rejected) "([\s\S]*?)" instead of (resolving|rejecting)/.exec(message)
  if (promise) {
    const settled = promise[1] === 'resolved'
    return {
      expected: settled ? 'a rejected promise' : 'a resolved promise',
      actual: `${settled ? 'resolved' : 'rejected'} with ${promise[2]}`,
      message: settled ? 'promise resolved instead of rejecting' : 'promise rejected instead of resolving',
      ownValues: true,
    }
  }
  // A message of the author's own stands in front: `should add: expected 3 to be 4`.
  const start = first.startsWith('expected ') ? 0 : first.search(/: expected (?=\S)/) + 2
  if (!message.startsWith('expected ', start)) return undefined
  const body = message.slice(start)
  const result = thrownAssertion(body) ?? spyAssertion(body) ?? comparison(body, text)
  if (result && start > 0) result.message = `${message.slice(0, start - 2)}: ${result.message ?? body}`
  return result
}

function thrownAssertion(body: string): RuleResult {
  const wrong =
    /^expected .*? to (?:throw|be rejected with|reject with) (?:an? )?(?:error|[\w.$]+)? ?(including|matching) ([\s\S]+?) but got ([\s\S]+)$/.exec(
      body,
    )
  if (wrong?.[2] && wrong[3]) {
    return { message: wrongErrorMessage, expected: unquote(wrong[2]), actual: unquote(wrong[3]), ownValues: true }
  }
  if (/^expected (?:function|promise) to throw an error, but it didn't/.test(body)) {
    return { message: 'expected an error, none was thrown', expected: 'an error', actual: noError, ownValues: true }
  }
  const other = /^expected (?:.*?) to (not )?throw (.+?)(?: but (.+?) was thrown)?$/s.exec(body)
  if (other?.[2]) {
    const [, not, what, thrown] = other
    if (not) return { expected: noError, ...(thrown ? { actual: unquote(thrown) } : {}), ownValues: true }
    return {
      expected: unquote(what ?? ''),
      actual: thrown === undefined ? noError : unquote(thrown),
      ownValues: true,
    }
  }
  const instance = /^expected (?:error|a thrown (?:error|value)) to (?:be instance of|be|equal) ([\s\S]+)$/.exec(body)
  return instance?.[1] ? { message: body, expected: instance[1] } : undefined
}

function spyAssertion(body: string): RuleResult {
  const times =
    /^expected (".*?") to (not )?be (?:called|successfully called) (.+?), but (?:got|actually been called) (.+)$/s.exec(
      body,
    )
  if (times) {
    return {
      message: body.split('\n', 1)[0] ?? body,
      expected: `${times[2] ? 'not ' : ''}called ${times[3]}`,
      actual: `called ${times[4]}`,
      ownValues: true,
    }
  }
  const least = /^expected (".*?") to be called at least once$/.exec(body)
  if (least) return { expected: 'called at least once', actual: 'never called', ownValues: true }
  const args =
    /^expected (?:(?:\d+\w\w|last) )?(".*?")(?: call)? to (?:be|have been) called with(?: arguments:)? (.*?)(?:, but called only .*)?(?:\n\s*\n|$)/s.exec(
      body,
    )
  if (args?.[2]) {
    const calls = callsMade(body)
    return {
      message: body.split('\n', 1)[0] ?? body,
      expected: args[2],
      ...(calls === undefined ? {} : { actual: calls }),
    }
  }
  return undefined
}

/** What the first call that Vitest lists under `Received:` was given. */
function callsMade(body: string): string | undefined {
  const count = /Number of calls: (\d+)/.exec(body)?.[1]
  const at = body.indexOf('Received:')
  if (count === '0') return 'never called'
  if (at === -1) return undefined
  const calls = body.slice(at + 'Received:'.length).split(/\n\s*\d+\w\w .*call(?: return)?:\s*\n/)
  const first = (calls[1] ?? '').split(/\n\s*Number of calls/, 1)[0] ?? ''
  const read = readDiff(first, 'vitest')
  const shown = (read?.actual ?? first).replace(/,?\s*\n\s*/g, (gap) => (gap.startsWith(',') ? ', ' : ' ')).trim()
  return shown === ''
    ? undefined
    : `${shown.replace(/, ([\]}])/g, ' $1')}${count !== undefined && count !== '1' ? ` (first of ${count} calls)` : ''}`
}

const advice = / \/\/ If .*$/s

/** `expected A to verb B`, cut outside the quotes and brackets of A. */
function comparison(body: string, text: AssertionText): RuleResult {
  const to = findOutside(body, [' to not ', ' not to ', ' to '], 'expected '.length)
  if (!to) return plainAssertion(text)
  const subject = body.slice('expected '.length, to.index)
  const negated = to.found !== ' to '
  const predicate = body.slice(to.index + to.found.length).replace(advice, '')
  const message = body.replace(advice, '')
  const close =
    /^be (?:close to|approximately) (.+?)(?:, received difference is (\S+?),? but expected (\S+)| \+\/- (\S+))$/.exec(
      predicate,
    )
  if (close?.[1]) {
    const allowed = plainNumber(close[3] ?? close[4] ?? '')
    return {
      message: close[2]
        ? `expected ${subject}${to.found}be close to ${close[1]} (difference ${close[2]}, allowed ${allowed})`
        : message,
      expected: `${negated ? 'not ' : ''}${close[1]} ± ${allowed}`,
      actual: subject,
      ownValues: true,
    }
  }
  const got =
    /^(have (?:a |an )?(?:length|size|property|deep property|own property|nested property|deep own property)\b.*?) (?:of |with (?:value |deep value )?)?([^\s].*?),? but got (.+)$/s.exec(
      predicate,
    )
  if (got?.[2] && got[3])
    return {
      message,
      expected: `${negated ? 'not ' : ''}${got[2].replace(/^of /, '')}`,
      actual: got[3],
      ownValues: true,
    }
  const relation =
    /^(?:be |have (?:a |an )?(?:length |size )?)?(greater than or equal to|less than or equal to|greater than|less than|not greater than|not less than|at least|at most|above|below|within) ([^\n]+?)(?: but got (.+))?$/.exec(
      predicate,
    )
  if (relation?.[1] && relation[2]) {
    return {
      message,
      expected: `${negated ? 'not ' : ''}${signs[relation[1]] ?? relation[1]} ${relation[2]}`,
      actual: relation[3] ?? subject,
      ownValues: true,
    }
  }
  const property = /^have (?:own |deep |nested )*property ("[^"]*"|'[^']*')(?: with value| of)?/.exec(predicate)
  if (property && text.expected === undefined) {
    return { message, expected: `${negated ? 'no ' : ''}property ${unquote(property[1] ?? '')}`, actual: subject }
  }
  const value = comparisonValue(predicate)
  if (value === undefined)
    return {
      message,
      ...(text.expected === undefined ? { expected: `${negated ? 'not ' : ''}${predicate}`, actual: subject } : {}),
    }
  if (negated)
    return { message, expected: `not ${value.text}`, ...(text.actual === undefined ? { actual: subject } : {}) }
  const abridged = subject.includes('…') || subject.includes('...')
  return {
    message,
    ...(text.expected === undefined || value.state ? { expected: value.text } : {}),
    ...(text.actual === undefined && !(abridged && text.actual !== undefined) ? { actual: subject } : {}),
  }
}

const signs: Readonly<Record<string, string>> = {
  'greater than or equal to': '>=',
  'less than or equal to': '<=',
  'greater than': '>',
  'less than': '<',
  'not greater than': '<=',
  'not less than': '>=',
  'at least': '>=',
  'at most': '<=',
  above: '>',
  below: '<',
}

const states =
  /^(?:be (truthy|falsy|null|undefined|NaN|nullish|defined|true|false|empty|ok|finite|frozen|sealed|extensible|numeric)|(exist))$/

function comparisonValue(predicate: string): { text: string; state: boolean } | undefined {
  const plain = predicate.replace(/ \/\/ [^'"]*$/, '').trimEnd()
  const state = states.exec(plain)
  if (state) return { text: state[1] ?? 'a value that exists', state: true }
  const verb =
    /^(?:be an instance of|be instance of|be type of|be one of|be|deeply equal|deep equal|strictly equal|equal|eql|match object|match snapshot|match|deep equally contain|contain element|contain|deep include|include|have keys?|have deep equality with|have same members as) ([\s\S]+)$/.exec(
      plain,
    )
  if (!verb?.[1]) return undefined
  const word = plain.slice(0, plain.length - verb[1].length).trim()
  const text = /instance|type|one of|contain|include|match$|keys?/.test(word)
    ? `${word.replace(/^be /, '')} ${verb[1]}`
    : verb[1]
  return { text, state: /instance|type of|one of/.test(word) }
}

/** `expected 3, got 4`, `expected 3 but received 4`, `1 !== 2`, `want 3, got 4`, `got 4, want 3`. */
function plainAssertion(text: AssertionText): RuleResult {
  const line = text.message.trim()
  if (line.length > 4_000) return undefined
  const pair =
    /^(?:.*?[:,] )?(?:expected|want(?:ed)?|should be|expecting)(?: value)?:?\s+(.+?)(?:,|;|\.)?\s+(?:but )?(?:got|received|was|actual|actually got|found|instead got|but)(?: value)?:?\s+(.+?)\.?$/is.exec(
      line,
    )
  if (pair?.[1] && pair[2]) return { expected: pair[1], actual: pair[2].replace(/ instead$/, '') }
  const turned =
    /^(?:.*?[:,] )?(?:got|received|actual)(?: value)?:?\s+(.+?)(?:,|;)?\s+(?:but )?(?:expected|want(?:ed)?|should be)(?: value)?:?\s+(.+?)\.?$/is.exec(
      line,
    )
  if (turned?.[1] && turned[2]) return { expected: turned[2], actual: turned[1] }
  const sides = /^(\S.*?) (?:!==|!=|≠|===|==) (\S.*)$/.exec(line)
  if (sides?.[1] && sides[2] && !line.includes('\n')) return { actual: sides[1], expected: sides[2] }
  return undefined
}
