import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createSseParser } from '../../src/model/sse.ts'

const read = (pieces: readonly Uint8Array[]) => {
  const events: { readonly event: string; readonly data: string }[] = []
  const parser = createSseParser((event) => events.push(event))
  for (const piece of pieces) parser.push(piece)
  parser.end()
  return events
}

const payload = fc
  .record({ content: fc.string({ unit: 'grapheme', maxLength: 20 }) })
  .map((value) => JSON.stringify(value))

test('however a stream is cut into pieces and whatever its line ends, the same events come out', () => {
  fc.assert(
    fc.property(
      fc.array(payload, { minLength: 1, maxLength: 6 }),
      fc.constantFrom('\n', '\r', '\r\n'),
      fc.boolean(),
      fc.constantFrom('', ': keep-alive', 'id: 7'),
      fc.array(fc.nat(), { maxLength: 12 }),
      (payloads, newline, hasSpace, filler, cuts) => {
        const text = payloads
          .map((data) => `${filler}${newline}data:${hasSpace ? ' ' : ''}${data}${newline}${newline}`)
          .join('')
        const bytes = new TextEncoder().encode(text)
        const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length]
        const pieces = places.slice(1).map((to, index) => bytes.subarray(places[index], to))
        expect(read(pieces).map(({ data }) => data)).toEqual(payloads)
      },
    ),
  )
})

test('garbage is never an exception', () => {
  fc.assert(fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => void read([bytes])))
})

test('a hundred thousand events, and one line of 10 MB, are read in time that grows with their size alone', () => {
  const many = new TextEncoder().encode('data: {"a":1}\n\n'.repeat(100_000))
  expect(read([many])).toHaveLength(100_000)
  const line = new TextEncoder().encode(`data: ${'x'.repeat(10_000_000)}\n\n`)
  const pieces = Array.from({ length: 1_000 }, (_, index) => line.subarray(index * 10_000, (index + 1) * 10_000))
  expect(read([...pieces, line.subarray(10_000_000)])[0]?.data).toHaveLength(10_000_000)
})
