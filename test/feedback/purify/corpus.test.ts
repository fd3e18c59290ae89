import { readFileSync } from 'node:fs'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { kindOf } from '../../../src/feedback/purify/finding.ts'
import { type DetailedFailure, purifyDetailed } from '../../../src/feedback/purify.ts'

interface Case {
  readonly id: string
  readonly input: Readonly<Record<string, unknown>>
  readonly expect: Readonly<Record<string, unknown>>
}
type Wanted = Readonly<Record<string, unknown>>

const cases = readFileSync(new URL('../../fixtures/errors.jsonl', import.meta.url), 'utf8')
  .split('\n')
  .filter(Boolean)
  .map((line) => JSON.parse(line) as Case)

/** `x_js` members are programs that make the value; `throw_js` ones throw it. */
function alive(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(alive)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]): [string, unknown] => {
      if (key === 'throw_js') {
        try {
          runInNewContext(String(inner))
        } catch (thrown) {
          return ['thrown', thrown]
        }
      }
      return key.endsWith('_js') ? [key.slice(0, -3), runInNewContext(String(inner))] : [key, alive(inner)]
    }),
  )
}

function inputsOf({ input }: Case): unknown[] {
  const { cases: list, ...rest } = input
  if (!Array.isArray(list)) return [alive(input)]
  return list.map((item: unknown) =>
    alive(typeof item === 'string' ? { ...rest, text: item } : { ...rest, ...(item as object) }),
  )
}

/** Paths are relative to the task whatever the tool printed. */
const relative = (path: unknown) => String(path).replace(/^.*[\\/](?=[^\\/]*$)/, '')

function check(detail: DetailedFailure | undefined, wanted: Wanted) {
  expect(detail).toBeDefined()
  if (!detail) return
  const { failure } = detail
  if (wanted.kind !== undefined) {
    expect(detail.finer).toBe(wanted.kind)
    expect(failure.kind).toBe(kindOf(detail.finer))
  }
  for (const key of ['message', 'expected', 'actual', 'code', 'test'] as const) {
    if (wanted[key] !== undefined) expect(failure[key]).toBe(wanted[key])
  }
  for (const key of ['suggestion', 'call', 'table', 'constraint'] as const) {
    if (wanted[key] !== undefined) expect(detail[key]).toBe(wanted[key])
  }
  if (wanted.cycle !== undefined) expect(detail.cycle).toEqual(wanted.cycle)
  if (wanted.cause !== undefined) expect(detail.causes).toEqual(wanted.cause)
  const location = wanted.location as { file: string; line: number; column?: number } | undefined
  if (location) {
    expect(relative(failure.location?.file)).toBe(relative(location.file))
    expect(failure.location?.line).toBe(location.line)
    if (location.column !== undefined) expect(failure.location?.column).toBe(location.column)
    expect(failure.location?.file).not.toMatch(/^[/\\]|^[A-Za-z]:/)
  }
}

describe('the cases of errors.jsonl', () => {
  it.each(cases.map((entry) => [entry.id, entry] as const))('%s is read as expected', (_, entry) => {
    const each = inputsOf(entry).map((input) => purifyDetailed(input))
    const first = each.map((list) => list[0])
    const wanted = entry.expect
    const list = (key: string) => wanted[key] as readonly Wanted[] | undefined
    if (wanted.failures !== undefined) {
      const all = each.flat()
      expect(all).toHaveLength(list('failures')?.length ?? 0)
      for (const [index, one] of (list('failures') ?? []).entries()) check(all[index], one)
    }
    for (const [index, one] of (list('values') ?? []).entries()) {
      if (one.first !== undefined) check(first[index], { actual: one.first, expected: one.second })
      else check(first[index], one)
    }
    for (const [index, location] of (list('locations') ?? []).entries()) check(first[index], { location })
    if (wanted.location !== undefined) check(first[0], { location: wanted.location })
    for (const [index, message] of ((wanted.messages as string[] | undefined) ?? []).entries())
      check(first[index], { message })
    for (const [index, actual] of ((wanted.actual_each as string[] | undefined) ?? []).entries())
      check(first[index], { actual })
    for (const [index, kind] of ((wanted.kinds as string[] | undefined) ?? []).entries()) check(first[index], { kind })
    for (const detail of first) {
      if (wanted.kind_each !== undefined) check(detail, { kind: wanted.kind_each })
      if (wanted.message_each !== undefined) check(detail, { message: wanted.message_each })
      if (wanted.failures_each !== undefined) check(detail, wanted.failures_each as Wanted)
    }
    if (wanted.failures_order !== undefined)
      expect(each.flat().map(({ failure }) => failure.code)).toEqual(wanted.failures_order)
    if (wanted.user_frames !== undefined) {
      expect(first[0]?.frames.map((frame) => `${frame.name} ${frame.file}:${frame.line}:${frame.column}`)).toEqual(
        wanted.user_frames,
      )
    }
    for (const detail of each.flat()) expect(JSON.stringify(detail).length).toBeLessThan(12_000)
  })

  const one = (id: string) =>
    inputsOf(cases.find((entry) => entry.id === id) as Case).map((input) => purifyDetailed(input)[0])

  it('E03 tells to do without an API and never to change compiler options', () => {
    const [, second] = inputsOf(cases.find((entry) => entry.id === 'E03') as Case).flatMap((input) =>
      purifyDetailed(input),
    )
    expect(second?.failure.hint).toMatch(/without this API/)
    expect(JSON.stringify(second)).not.toMatch(/change your target|'lib'/)
  })

  it('E04, E44 and E45 invent no location', () => {
    for (const id of ['E04', 'E44', 'E45'])
      for (const detail of one(id)) expect(detail?.failure.location).toBeUndefined()
  })

  it('E10 and E11 never show two equal texts', () => {
    for (const id of ['E10', 'E11'])
      for (const detail of one(id)) expect(detail?.failure.expected).not.toBe(detail?.failure.actual)
  })

  it('E20 drops the advice and does not blame the line of the test', () => {
    for (const detail of one('E20')) {
      expect(detail?.failure.message).not.toMatch(/long-running|pass a timeout|testTimeout|Add a timeout/)
      expect(detail?.failure.location).toBeUndefined()
    }
  })

  it('E27 shows nothing of the host', () => {
    expect(JSON.stringify(one('E27'))).not.toMatch(/srv|sandbox\.cjs|isolated-vm/)
  })

  it('E34 shows no frame of the line that was emitted', () => {
    expect(one('E34')[0]?.failure.frame ?? '').not.toMatch(/> 1 \|/)
  })

  it('E42 passes the database hint on, E45 agrees across languages', () => {
    expect(one('E42')[0]?.failure.hint).toMatch(/orders\.note/)
    const [russian, english] = one('E45')
    expect(russian?.finer).toBe(english?.finer)
    expect(russian?.failure.fingerprint).toBe(english?.failure.fingerprint)
  })
})
