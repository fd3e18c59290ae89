import { describe, expect, it } from 'vitest'
import { runTests, summarise } from './judge.ts'

/** Looks at all that a candidate can reach, and names what it could change. */
const walk = `export function changeable() {
  const samples = [
    function* () {}, async function* () {}, async () => {}, [][Symbol.iterator](), new Map()[Symbol.iterator](),
    new Set()[Symbol.iterator](), ''[Symbol.iterator](), 'a'.matchAll(/a/g), new Uint8Array(1), Promise.resolve(), /a/,
    new Error('x'), Symbol('s'), 1n, new Proxy({}, {}),
  ]
  const seen = new Set([globalThis])
  const queue = []
  const add = (value, path) => {
    if ((typeof value !== 'object' || value === null) && typeof value !== 'function') return
    if (!seen.has(value)) { seen.add(value); queue.push([value, path]) }
  }
  for (const key of Reflect.ownKeys(globalThis)) {
    const own = Object.getOwnPropertyDescriptor(globalThis, key)
    add(own.value, String(key)); add(own.get, 'get ' + String(key)); add(own.set, 'set ' + String(key))
    if (own.configurable || own.writable) found.push('globalThis.' + String(key))
    // what a cell gives
    if (own.get) add(globalThis[key], String(key))
  }
  samples.forEach((sample, index) => add(Object.getPrototypeOf(Object(sample)), 'sample ' + index))
  for (const [value, path] of queue) {
    if (value !== Error && !Object.isFrozen(value) && !ArrayBuffer.isView(value)) found.push(path)
    add(Object.getPrototypeOf(value), path + '.__proto__')
    for (const key of Reflect.ownKeys(value)) {
      const own = Object.getOwnPropertyDescriptor(value, key)
      const at = path + '.' + String(key)
      if (value === Error && key !== 'stackTraceLimit' && (own.configurable || own.writable)) found.push(at)
      add(own.value, at); add(own.get, at); add(own.set, at)
    }
  }
  return [found, seen.size]
}
const found = []
`
const test = `import { changeable } from './solution.js'
it('can change nothing', () => {
  const [found, size] = changeable()
  expect(found).toEqual([])
  expect(size).toBeGreaterThan(1_000)
})`

describe('what a candidate can reach', () => {
  it('is frozen, all of it', async () => {
    expect(summarise(await runTests(walk, test))).toEqual(['passed can change nothing'])
  })

  it('is frozen where the task asks for more globals', async () => {
    const environment = { extraGlobals: ['WebAssembly', 'SharedArrayBuffer', 'Atomics'] }
    expect(summarise(await runTests(walk, test, { environment }))).toEqual(['passed can change nothing'])
  })
})
