/** Definitions of helpers that programs call by name and forget to bring along; what each does follows from its name alone. */
const definitions: readonly (readonly [names: string, code: string])[] = [
  [
    'isPrime is_prime isPrimeNumber checkPrime prime',
    'function NAME(n: number): boolean {\n  if (n < 2) return false\n  for (let i = 2; i * i <= n; i++) if (n % i === 0) return false\n  return true\n}',
  ],
  [
    'gcd GCD getGcd greatestCommonDivisor findGCD calculateGCD',
    'function NAME(a: number, b: number): number {\n  while (b !== 0) [a, b] = [b, a % b]\n  return Math.abs(a)\n}',
  ],
  [
    'lcm LCM leastCommonMultiple',
    'function NAME(a: number, b: number): number {\n  let [x, y] = [a, b]\n  while (y !== 0) [x, y] = [y, x % y]\n  return Math.abs(a * b) / Math.abs(x)\n}',
  ],
  [
    'factorial fact fac',
    'function NAME(n: number): number {\n  let product = 1\n  for (let i = 2; i <= n; i++) product *= i\n  return product\n}',
  ],
  [
    'fibonacci fib',
    'function NAME(n: number): number {\n  let [a, b] = [0, 1]\n  for (let i = 0; i < n; i++) [a, b] = [b, a + b]\n  return a\n}',
  ],
  [
    'isPalindrome is_palindrome checkPalindrome',
    "function NAME(value: string | number): boolean {\n  const text = String(value)\n  return text === [...text].reverse().join('')\n}",
  ],
  ['isVowel is_vowel', 'function NAME(c: string): boolean {\n  return /^[aeiouAEIOU]$/.test(c)\n}'],
  ['isDigit is_digit isNumeric', 'function NAME(c: string): boolean {\n  return /^[0-9]+$/.test(c)\n}'],
  ['isLetter isAlpha is_alpha isAlphabetic', 'function NAME(c: string): boolean {\n  return /^[A-Za-z]+$/.test(c)\n}'],
  [
    'isUpperCase isUpper isUppercase',
    'function NAME(c: string): boolean {\n  return c !== c.toLowerCase() && c === c.toUpperCase()\n}',
  ],
  [
    'isLowerCase isLower isLowercase',
    'function NAME(c: string): boolean {\n  return c !== c.toUpperCase() && c === c.toLowerCase()\n}',
  ],
  ['isEven is_even', 'function NAME(n: number): boolean {\n  return n % 2 === 0\n}'],
  ['isOdd is_odd', 'function NAME(n: number): boolean {\n  return n % 2 !== 0\n}'],
  [
    'isPerfectSquare is_perfect_square isSquare',
    'function NAME(n: number): boolean {\n  return n >= 0 && Number.isInteger(Math.sqrt(n))\n}',
  ],
  [
    'sumDigits sumOfDigits digitSum sum_digits digit_sum getDigitSum',
    'function NAME(n: number): number {\n  return [...String(Math.abs(n))].reduce((sum, digit) => sum + Number(digit), 0)\n}',
  ],
  [
    'reverseString reverse_string reverseStr',
    "function NAME(text: string): string {\n  return [...text].reverse().join('')\n}",
  ],
  [
    'isSorted is_sorted',
    'function NAME(items: number[]): boolean {\n  return items.every((item, i) => i === 0 || (items[i - 1] ?? item) <= item)\n}',
  ],
  [
    'countOccurrences count_occurrences',
    'function NAME<T>(items: Iterable<T>, wanted: T): number {\n  return [...items].filter((item) => item === wanted).length\n}',
  ],
  [
    'swap',
    'function NAME<T>(items: T[], i: number, j: number): void {\n  const [a, b] = [items[i], items[j]]\n  if (a === undefined || b === undefined) return\n  items[i] = b\n  items[j] = a\n}',
  ],
  [
    'zip',
    'function NAME<A, B>(a: readonly A[], b: readonly B[]): [A, B][] {\n  return a.slice(0, b.length).map((item, i): [A, B] => [item, b[i] as B])\n}',
  ],
  [
    'binomial binomialCoefficient nCr comb',
    'function NAME(n: number, k: number): number {\n  let result = 1\n  for (let i = 1; i <= k; i++) result = (result * (n - k + i)) / i\n  return Math.round(result)\n}',
  ],
  [
    'arraysEqual areEqual arrayEquals isEqual',
    'function NAME(a: unknown, b: unknown): boolean {\n  return JSON.stringify(a) === JSON.stringify(b)\n}',
  ],
  [
    'range',
    'function NAME(start: number, end?: number, step = 1): number[] {\n  const [from, to] = end === undefined ? [0, start] : [start, end]\n  const items: number[] = []\n  for (let i = from; step > 0 ? i < to : i > to; i += step) items.push(i)\n  return items\n}',
  ],
  [
    'md5 MD5',
    `function NAME(text: string): string {
  const bytes = [...new TextEncoder().encode(text)]
  const bits = bytes.length * 8
  bytes.push(0x80)
  while (bytes.length % 64 !== 56) bytes.push(0)
  for (let i = 0; i < 8; i++) bytes.push(Math.floor(bits / 2 ** (8 * i)) % 256)
  const shifts = [7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21]
  let [a0, b0, c0, d0] = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476]
  for (let at = 0; at < bytes.length; at += 64) {
    const word = (i: number): number =>
      [3, 2, 1, 0].reduce((value, k) => value * 256 + (bytes[at + 4 * i + k] ?? 0), 0)
    let [a, b, c, d] = [a0, b0, c0, d0]
    for (let i = 0; i < 64; i++) {
      const round = Math.floor(i / 16)
      const mixed = [(b & c) | (~b & d), (d & b) | (~d & c), b ^ c ^ d, c ^ (b | ~d)][round] ?? 0
      const index = [i, 5 * i + 1, 3 * i + 5, 7 * i][round] ?? 0
      const sum = (mixed + a + Math.floor(Math.abs(Math.sin(i + 1)) * 2 ** 32) + word(index % 16)) >>> 0
      const shift = shifts[round * 4 + (i % 4)] ?? 0
      ;[a, d, c, b] = [d, c, b, (b + ((sum << shift) | (sum >>> (32 - shift)))) >>> 0]
    }
    ;[a0, b0, c0, d0] = [(a0 + a) >>> 0, (b0 + b) >>> 0, (c0 + c) >>> 0, (d0 + d) >>> 0]
  }
  const hex = (value: number): string =>
    [0, 8, 16, 24].map((by) => ((value >>> by) & 255).toString(16).padStart(2, '0')).join('')
  return [a0, b0, c0, d0].map(hex).join('')
}`,
  ],
  [
    'isLeapYear is_leap_year',
    'function NAME(year: number): boolean {\n  return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0\n}',
  ],
]

/** The code that defines a well-known helper under this name; null where the name says too little. */
export function wellKnown(name: string): string | null {
  for (const [names, code] of definitions) if (names.split(' ').includes(name)) return code.replaceAll('NAME', name)
  return null
}
