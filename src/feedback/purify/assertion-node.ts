import { unquote } from '../values/scan.ts'
import type { AssertionText, RuleResult } from './assertion.ts'
import { readDiff } from './diff.ts'

/** Reads the generated messages of node:assert; an author's own message keeps the values. */
export function nodeAssertion(text: AssertionText): RuleResult {
  const message = text.message.slice(0, 12_000).trim()
  if (text.generatedMessage === false) {
    // Node 25 and later append the generated text to the author's.
    const own = message.split(/\n\s*\n/, 1)[0] ?? message
    return { message: own, ...pairOf(message.slice(own.length).trim()) }
  }
  const pattern =
    /^The input (did not match|was expected to not match) the regular expression (\/[\s\S]*?\/[a-z]*)\. Input:\s*([\s\S]*)$/.exec(
      message,
    )
  if (pattern?.[2]) {
    const input = unquote((pattern[3] ?? '').trim())
    const error = /^(?:\[)?([A-Z]\w*(?:Error|Exception)|Error)(?: \[\w+\])?: ([\s\S]*?)\]?$/.exec(input)
    const source = /^\/([\s\S]*)\/[a-z]*$/.exec(pattern[2])?.[1] ?? pattern[2]
    if (error && pattern[1] === 'did not match') {
      return {
        message: 'thrown error has the wrong message',
        expected: source,
        actual: error[2] ?? '',
        ownValues: true,
      }
    }
    return {
      message: message.split('\n', 1)[0]?.replace(/ Input:$/, '') ?? message,
      expected: `${pattern[1] === 'did not match' ? 'match' : 'no match'} for ${pattern[2]}`,
      actual: input,
      ownValues: true,
    }
  }
  if (/^Missing expected (?:exception|rejection)\b/.test(message)) {
    const what = /^Missing expected (?:exception|rejection) \((.+?)\)/.exec(message)?.[1]
    const rejection = message.startsWith('Missing expected rejection')
    return {
      message: message.split('\n', 1)[0] ?? message,
      expected: what ?? (rejection ? 'a rejected promise' : 'an error'),
      actual: 'no error',
      ownValues: true,
    }
  }
  const unwanted = /^Got unwanted (exception|rejection)\.?(?:\s*Actual message: "([\s\S]*?)"$)?/.exec(message)
  if (unwanted)
    return {
      message: `unwanted ${unwanted[1]}`,
      expected: noErrorText,
      actual: unwanted[2] ?? 'an error',
      ownValues: true,
    }
  if (/^The expression evaluated to a falsy value/.test(message)) {
    const expression = message.split(/\n\s*\n/)[1]?.trim()
    return {
      message: `the expression evaluated to a falsy value${expression ? `: ${expression}` : ''}`,
      expected: 'a truthy value',
      ...(text.actual === undefined ? { actual: 'a falsy value' } : { actual: text.actual }),
      ownValues: true,
    }
  }
  const negated = /^Expected "actual" (?:not to be|to not be) ([\w -]+?)(?: to)?:\s*([\s\S]*)$/.exec(message)
  if (negated)
    return {
      message: `expected a value not ${negated[1]} to the other`,
      expected: `not ${(negated[2] ?? '').trim()}`,
      ...(negated[2] ? { actual: negated[2].trim() } : {}),
    }
  const compared =
    /^(Expected (?:values|inputs|"actual") to be (?:strictly |loosely |partially |reference-)?(?:deep-?equal|equal|the same|identical|reference-equal)[\w -]*|Expected "actual" to be reference-equal to "expected"):?\s*([\s\S]*)$/.exec(
      message,
    )
  if (compared?.[1]) return { message: compared[1], ...pairOf((compared[2] ?? '').trim()) }
  const unequal = /^Expected "actual" to be (?:strictly |loosely |not )?(?:deep-)?unequal to:\s*([\s\S]*)$/.exec(
    message,
  )
  if (unequal) {
    const value = (unequal[1] ?? '').trim()
    return { message: 'expected two different values', expected: `not ${value}`, actual: value }
  }
  if (/^Values (?:have same structure|identical) but are not reference-equal/.test(message)) {
    const value = message.slice(message.indexOf(':') + 1).trim()
    return {
      message: 'values have the same structure but are not the same object',
      expected: `that very object ${value}`,
      actual: `another object ${value}`,
    }
  }
  if (/^\+ actual - expected/m.test(message)) {
    const own = message.slice(0, message.search(/^\+ actual - expected/m)).trim()
    return { message: own || 'values differ', ...pairOf(message.slice(own.length).trim()) }
  }
  return undefined
}

const noErrorText = 'no error'

/** `1 !== 2`, or a difference with node's signs. */
function pairOf(text: string): { actual?: string; expected?: string; diff?: string } {
  if (text === '') return {}
  if (/^\+ actual - expected/m.test(text)) {
    const diff = readDiff(text, 'node')
    return diff
      ? {
          ...(diff.actual === undefined ? {} : { actual: diff.actual }),
          ...(diff.expected === undefined ? {} : { expected: diff.expected }),
          diff: diff.unified,
        }
      : {}
  }
  const sides =
    /^([\s\S]+?) (?:!==|!=|should (?:loosely )?(?:deep-?)?equal|notDeepEqual|notStrictEqual) ([\s\S]+)$/.exec(text)
  if (sides?.[1] && sides[2]) return { actual: sides[1].trim(), expected: sides[2].trim() }
  const loose = /^([\s\S]+?)\n\n?should (?:loosely deep-equal|equal)\n\n?([\s\S]+)$/.exec(text)
  return loose?.[1] && loose[2] ? { actual: loose[1].trim(), expected: loose[2].trim() } : {}
}
