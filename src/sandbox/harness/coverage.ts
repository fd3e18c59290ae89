/** Statement counters that the mechanic's instrumentation raises as `__cov[n]++`. */
export type Counters = readonly number[]

let counters: number[] = []

export function installCoverage(): void {
  counters = new Proxy([], {
    // a counter that was never raised starts at 0, so that `++` counts
    get: (target, key) => Reflect.get(target, key) ?? (typeof key === 'string' && /^\d+$/.test(key) ? 0 : undefined),
  })
  Object.defineProperty(globalThis, '__cov', { value: counters, configurable: true, enumerable: false })
}

/** A copy of the counters. */
export const coverageSince = (_: Counters): Counters => Array.from(counters)
