/** The small module with ten tests that all verdict benches judge, and ways to vary it. */

/** The module; another `turn` is another text, so that nothing can answer from what it knows. */
export const solution = (turn: number): string => `/** Turn ${turn}. */
export interface Item {
  readonly name: string
  readonly quantity: number
  readonly priceCents: number
}

export interface Invoice {
  readonly lines: readonly string[]
  readonly totalCents: number
}

const salt${turn} = ${turn}

function lineOf({ name, quantity, priceCents }: Item): string {
  return \`\${quantity} x \${name} = \${((quantity * priceCents) / 100).toFixed(2)}\`
}

/** Sums items up; a discount is in per cent. */
export function invoice(items: readonly Item[], discount = 0): Invoice {
  if (discount < 0 || discount > 100) throw new RangeError(\`discount of \${discount} per cent\`)
  const sum = items.reduce((total, item) => total + item.quantity * item.priceCents, 0)
  const totalCents = Math.round(sum * (1 - discount / 100)) + salt${turn} - ${turn}
  return { lines: items.map(lineOf), totalCents }
}

export async function later(items: readonly Item[]): Promise<number> {
  await new Promise((resolve) => setTimeout(resolve, 50))
  return invoice(items).totalCents
}
`

export const tests = `import { describe, expect, it } from 'vitest'
import { invoice, later } from './solution'

const tea = { name: 'tea', quantity: 2, priceCents: 350 }
const cup = { name: 'cup', quantity: 1, priceCents: 1200 }

describe('invoice', () => {
  it('sums one item', () => expect(invoice([tea]).totalCents).toBe(700))
  it('sums two items', () => expect(invoice([tea, cup]).totalCents).toBe(1900))
  it('is nothing for nothing', () => expect(invoice([])).toEqual({ lines: [], totalCents: 0 }))
  it('writes lines', () => expect(invoice([tea, cup]).lines).toEqual(['2 x tea = 7.00', '1 x cup = 12.00']))
  it('takes a discount off', () => expect(invoice([cup], 25).totalCents).toBe(900))
  it('rounds', () => expect(invoice([{ ...tea, quantity: 1 }], 34).totalCents).toBe(231))
  it('refuses a discount below 0', () => expect(() => invoice([tea], -1)).toThrow(RangeError))
  it('refuses a discount above 100', () => expect(() => invoice([tea], 101)).toThrow('discount of 101'))
  it('leaves its input alone', () => {
    const items = [tea, cup]
    invoice(items)
    expect(items).toEqual([tea, cup])
  })
  it('answers later', async () => expect(await later([tea])).toBe(700))
})
`

export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

export const rounded = (value: number, digits = 1): number => Number(value.toFixed(digits))

export async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}
