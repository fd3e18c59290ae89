/** Seeded random numbers (sfc32, Chris Doty-Humphrey's PractRand), so that a run can be had again. */

let a = 0
let b = 0
let c = 0
let counter = 1

function nextUint32(): number {
  const result = (a + b + counter) | 0
  counter = (counter + 1) | 0
  a = b ^ (b >>> 9)
  b = (c + (c << 3)) | 0
  c = (c << 21) | (c >>> 11)
  c = (c + result) | 0
  return result >>> 0
}

export function seedRandom(seed: number): void {
  a = seed | 0
  b = Math.floor(seed / 2 ** 32) | 0
  c = 0x9e3779b9 | 0
  counter = 1
  for (let round = 0; round < 12; round++) nextUint32()
}

/** 53 random bits in [0, 1). */
export const nextRandom = (): number => ((nextUint32() >>> 5) * 2 ** 26 + (nextUint32() >>> 6)) / 2 ** 53

export function fillRandom(bytes: Uint8Array): void {
  for (let index = 0; index < bytes.length; index++) bytes[index] = nextUint32() >>> 24
}

/** A version-4 UUID. */
export function nextUuid(): string {
  const bytes = new Uint8Array(16)
  fillRandom(bytes)
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}
