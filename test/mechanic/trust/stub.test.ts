import { describe, expect, test } from 'vitest'
import { stubOf } from '../../../src/mechanic/trust/stub.ts'

describe('a stub', () => {
  test.each([
    ['functions', 'export function f(a: number): number { return a }', 'export function f(a: number): number {}'],
    ['arrow functions', 'export const f = (a: number) => a + 1', 'export const f = (a: number) => {}'],
    ['async functions', 'export async function f() { await g() }', 'export async function f() {}'],
    ['constants', 'export const limit = 12', 'export const limit = undefined'],
    [
      'functions in objects',
      'export const o = { f() { return 1 }, n: 2 }',
      'export const o = { f() {}, n: undefined }',
    ],
    ['default exports', 'export default (a: string) => a', 'export default (a: string) => {}'],
    ['what scripts export', 'module.exports = { f: () => 1 }', 'module.exports = { f: () => {} }'],
    [
      'methods and fields',
      'class A { n = 1; m() { return 2 } get x() { return 3 } }',
      'class A { n = undefined; m() {} get x() {} }',
    ],
    [
      'constructors of derived classes',
      'class A extends B { constructor() { super(1); f() } }',
      'class A extends B { constructor() { super() } }',
    ],
  ])('empties %s and keeps their signatures', (_, code, stub) => {
    expect(stubOf('solution.ts', code)).toBe(stub)
  })

  test.each([
    ['imports', "import { x } from './x.ts'"],
    ['types', 'export interface A { a: number }\nexport type B = A | null'],
    ['enums', 'export enum E { One = 1 }'],
    ['what is required', "const fs = require('fs')"],
    ['names given again', 'module.exports = solve'],
  ])('leaves %s alone', (_, code) => {
    expect(stubOf('solution.ts', code)).toBe(code)
  })
})
