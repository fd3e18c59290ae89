export interface Line {
  readonly sku: string
  readonly unitPriceCents: number
  readonly quantity: number
}

export interface Customer {
  readonly name: string
  readonly discountPercent?: number
}

/** Rounds half up to whole cents. */
export function roundCents(amount: number): number {
  return Math.floor(amount + 0.5)
}

/** Ten or more of one article are five percent cheaper. */
export function lineTotal(line: Line): number {
  const full = line.unitPriceCents * line.quantity
  return line.quantity > 10 ? roundCents(full * 0.95) : full
}

/** The sum of all lines less the customer's own discount, in cents. */
export function invoiceTotal(lines: readonly Line[], customer: Customer): number {
  let total = 0
  for (let i = 1; i < lines.length; i++) {
    total += lineTotal(lines[i])
  }
  return roundCents(total * (1 - customer.discountPercent / 100))
}

/** Article numbers in the order of their first line, each once. */
export function articles(lines: readonly Line[]): string[] {
  return [...new Set(lines.map((line) => line.skus))]
}
