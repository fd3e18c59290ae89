import { describe, expect, it } from 'vitest'
import { articles, invoiceTotal, lineTotal, roundCents } from './invoice'

const pen = { sku: 'pen', unitPriceCents: 120, quantity: 3 }
const paper = { sku: 'paper', unitPriceCents: 499, quantity: 10 }

describe('lineTotal', () => {
  it('multiplies price and quantity', () => expect(lineTotal(pen)).toBe(360))
  it('takes five percent off from ten on', () => expect(lineTotal(paper)).toBe(4741))
  it('leaves nine at the full price', () => expect(lineTotal({ ...paper, quantity: 9 })).toBe(4491))
})

describe('invoiceTotal', () => {
  it('adds all lines', () => expect(invoiceTotal([pen, paper], { name: 'Ada' })).toBe(5101))
  it('is nothing without lines', () => expect(invoiceTotal([], { name: 'Ada' })).toBe(0))
  it('applies the discount of the customer', () =>
    expect(invoiceTotal([pen], { name: 'Ada', discountPercent: 25 })).toBe(270))
})

describe('articles', () => {
  it('names each article once', () => expect(articles([pen, paper, pen])).toEqual(['pen', 'paper']))
})

describe('roundCents', () => {
  it('rounds half up', () => expect(roundCents(0.5)).toBe(1))
})
