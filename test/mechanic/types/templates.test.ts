import { describe, expect, it } from 'vitest'
import { repairHere } from './judge.ts'

/** Title, program, and what it must become. */
const rows: readonly (readonly [title: string, before: string, after: string])[] = [
  [
    'gives a possibly missing number its neutral value',
    `export const f = (m: Map<string, number>): number => m.get("a") + 1
`,
    `export const f = (m: Map<string, number>): number => (m.get("a") ?? 0) + 1
`,
  ],
  [
    'takes undefined for null where undefined is declared',
    `export function f(xs: number[]): number | undefined {
  return xs.length > 0 ? xs.length : null
}
`,
    `export function f(xs: number[]): number | undefined {
  return xs.length > 0 ? xs.length : undefined
}
`,
  ],
  [
    'declares a table of literals as a record',
    `const table = { one: 1, two: 2 }
export const f = (k: string): number => table[k]
`,
    `const table: { [key: string]: number } = { one: 1, two: 2 }
export const f = (k: string): number => table[k]
`,
  ],
  [
    'declares an empty object by what is put into it',
    `export function f(s: string): { [key: string]: number } {
  const counts = {}
  for (const c of s) counts[c] = (counts[c] || 0) + 1
  return counts
}
`,
    `export function f(s: string): { [key: string]: number } {
  const counts: { [key: string]: number } = {}
  for (const c of s) counts[c] = (counts[c] || 0) + 1
  return counts
}
`,
  ],
  [
    'declares an empty array by what is pushed in a callback',
    `export function f(xs: string[]): string[] {
  const found = []
  xs.forEach((x) => found.push(x))
  return found
}
`,
    `export function f(xs: string[]): string[] {
  const found: string[] = []
  xs.forEach((x) => found.push(x))
  return found
}
`,
  ],
  [
    'makes a reassigned constant a variable',
    `export function f(n: number): number {
  const total = 0
  for (let i = 0; i < n; i++) total += i
  return total
}
`,
    `export function f(n: number): number {
  let total = 0
  for (let i = 0; i < n; i++) total += i
  return total
}
`,
  ],
  [
    'turns a string into a number for arithmetic',
    `export const f = (s: string): number => s * 2
`,
    `export const f = (s: string): number => Number(s) * 2
`,
  ],
  [
    'turns a number into a string for a string result',
    `export function f(n: number): string {
  return n
}
`,
    `export function f(n: number): string {
  return String(n)
}
`,
  ],
  [
    'joins characters to the string that is declared',
    `export function f(s: string): string {
  return s.split("").reverse()
}
`,
    `export function f(s: string): string {
  return s.split("").reverse().join('')
}
`,
  ],
  [
    'says that a list of pairs holds pairs',
    `export function f(xs: number[]): [number, number][] {
  const out = []
  for (const x of xs) out.push([x, x * x])
  return out
}
`,
    `export function f(xs: number[]): [number, number][] {
  const out: [number, number][] = []
  for (const x of xs) out.push([x, x * x])
  return out
}
`,
  ],
  [
    'awaits a promise',
    `export async function f(p: Promise<number>): Promise<number> {
  const n = p
  return n + 1
}
`,
    `export async function f(p: Promise<number>): Promise<number> {
  const n = p
  return await n + 1
}
`,
  ],
  [
    'gives an async function a promise as result',
    `export async function f(n: number): number {
  return n
}
`,
    `export async function f(n: number): Promise<number> {
  return n
}
`,
  ],
  [
    'infers a parameter from what is done with it',
    `export function f(s): string {
  return s.toUpperCase()
}
`,
    `export function f(s: string): string {
  return s.toUpperCase()
}
`,
  ],
  [
    'corrects a misspelt member',
    `export const f = (xs: string[]): string[] => xs.map((x) => x.toUppercase())
`,
    `export const f = (xs: string[]): string[] => xs.map((x) => x.toUpperCase())
`,
  ],
  [
    'corrects a misspelt name',
    `export function f(values: number[]): number {
  return value.length
}
`,
    `export function f(values: number[]): number {
  return values.length
}
`,
  ],
  [
    'writes a method of another language with what the library has',
    `export const f = (s: string): boolean => s.isdigit()
`,
    `export const f = (s: string): boolean => /^[0-9]+$/.test(s)
`,
  ],
  [
    'writes a function of another language with what there is',
    `export const f = (xs: number[]): number => len(xs)
`,
    `export const f = (xs: number[]): number => xs.length
`,
  ],
  [
    'supplies a well-known helper',
    `export const f = (n: number): boolean => isPrime(n)
`,
    `export const f = (n: number): boolean => isPrime(n)


function isPrime(n: number): boolean {
  if (n < 2) return false
  for (let i = 2; i * i <= n; i++) if (n % i === 0) return false
  return true
}
`,
  ],
  [
    'returns the value that a branch computed for nothing',
    `export function f(n: number): number {
  if (n === 0) return 1
  else n * f(n - 1)
}
`,
    `export function f(n: number): number {
  if (n === 0) return 1
  else return n * f(n - 1)
}
`,
  ],
  [
    'drops a second definition of the same function',
    `export function f(n: number): number {
  return n
}
export function f(n: number): number {
  return n
}
`,
    `export function f(n: number): number {
  return n
}

`,
  ],
  [
    'rebuilds a string instead of writing into it',
    `export function f(s: string): string {
  s[0] = "x"
  return s
}
`,
    `export function f(s: string): string {
  s = s.slice(0, 0) + "x" + s.slice(0 + 1)
  return s
}
`,
  ],
  [
    'drops arguments that nobody takes',
    `const g = (n: number): number => n
export const f = (n: number): number => g(n, 2)
`,
    `const g = (n: number): number => n
export const f = (n: number): number => g(n)
`,
  ],
  [
    'reads a property that is no function',
    `export const f = (s: string): number => s.length()
`,
    `export const f = (s: string): number => s.length
`,
  ],
  [
    'iterates over the entries of an object',
    `export function f(o: { [key: string]: number }): number {
  let sum = 0
  for (const [, v] of o) sum += v
  return sum
}
`,
    `export function f(o: { [key: string]: number }): number {
  let sum = 0
  for (const [, v] of Object.entries(o)) sum += v
  return sum
}
`,
  ],
  [
    'takes the items of a loop, not their indexes',
    `export function f(rows: number[][]): number {
  let n = 0
  for (const row in rows) n += Math.max(...row)
  return n
}
`,
    `export function f(rows: number[][]): number {
  let n = 0
  for (const row of rows) n += Math.max(...row)
  return n
}
`,
  ],
  [
    'takes the parts of a pair',
    `export const f = (xs: [number, number][]): number[] => xs.map((x, y) => x * y)
`,
    `export const f = (xs: [number, number][]): number[] => xs.map(([x, y]) => x * y)
`,
  ],
  [
    'gives an object literal as the list that is declared',
    `export function f(a: number, b: number): [number, number] {
  return { a, b }
}
`,
    `export function f(a: number, b: number): [number, number] {
  return [a, b]
}
`,
  ],
  [
    'starts a reduction from the members of its result',
    `export const f = (xs: number[]): { n: number } =>
  xs.reduce((acc, x) => {
    acc.n += x
    return acc
  }, {})
`,
    `export const f = (xs: number[]): { n: number } =>
  xs.reduce((acc, x) => {
    acc.n += x
    return acc
  }, { n: 0 })
`,
  ],
  [
    'drops a package that may not be imported and is not used',
    `import _ from 'lodash'
export const f = (n: number): number => n
`,
    `
export const f = (n: number): number => n
`,
  ],
  [
    'drops a statement that only tries the code out',
    `export const f = (n: number): number => n
console.log(f("1"))
`,
    `export const f = (n: number): number => n

`,
  ],
  [
    'drops a second default export',
    `export default function f(n: number): number {
  return n
}
export default f
`,
    `export default function f(n: number): number {
  return n
}

`,
  ],
  [
    'sets the variable of the outer block',
    `export function f(n: number): number {
  let last = 0
  while (n > 0) {
    const next = last + n
    let last = next
    n -= 1
  }
  return last
}
`,
    `export function f(n: number): number {
  let last = 0
  while (n > 0) {
    const next: number = last + n
    last = next
    n -= 1
  }
  return last
}
`,
  ],
  [
    'closes what is left open',
    `export function f(n: number): number {
  return n
`,
    `export function f(n: number): number {
  return n

}
`,
  ],
  [
    'takes the code out of a reply',
    `Here it is:

\`\`\`ts
export const f = (n: number): number => n
\`\`\`
That is all.
`,
    `export const f = (n: number): number => n
`,
  ],
  [
    'reads the operators of Python',
    `export function f(a: boolean, b: boolean): boolean {
  return a and not b
}
`,
    `export function f(a: boolean, b: boolean): boolean {
  return a && !b
}
`,
  ],
  [
    'takes a cast to any away',
    `export const f = (n: number): string => n as any
`,
    `export const f = (n: string): string => n
`,
  ],
  [
    'takes a silencing comment away and mends what it hid',
    `export function f(n: number): string {
  // @ts-ignore
  return n
}
`,
    `export function f(n: number): string {
  
  return String(n)
}
`,
  ],
  [
    'tells arrays by Array.isArray',
    `export function f(x: number | number[]): number {
  if (typeof x === "array") return x.length
  return 1
}
`,
    `export function f(x: number | number[]): number {
  if (Array.isArray(x)) return x.length
  return 1
}
`,
  ],
  [
    'combines sets',
    `export const f = (a: Set<number>, b: Set<number>): number => (a & b).size
`,
    `export const f = (a: Set<number>, b: Set<number>): number => (new Set([...a].filter((item) => b.has(item)))).size
`,
  ],
]

describe('the first repair that compiles', () => {
  it.each(rows)('%s', async (_, before, after) => {
    const { program, isGreen } = await repairHere(before)
    expect({ program, isGreen }).toEqual({ program: after, isGreen: true })
  })
})
