/** A priority queue, least first; of equal priorities the one put in first comes out first, so that the order is fixed. */
export class Queue<T> {
  readonly #heap: { priority: number; order: number; item: T }[] = []
  #count = 0

  get size(): number {
    return this.#heap.length
  }

  push(priority: number, item: T): void {
    const entry = { priority, order: this.#count, item }
    this.#count += 1
    let at = this.#heap.length
    this.#heap.push(entry)
    while (at > 0) {
      const parent = (at - 1) >> 1
      const above = this.#heap[parent]
      if (!above || !before(entry, above)) break
      this.#heap[at] = above
      at = parent
    }
    this.#heap[at] = entry
  }

  pop(): { priority: number; item: T } | undefined {
    const first = this.#heap[0]
    const last = this.#heap.pop()
    if (!first || !last) return undefined
    if (this.#heap.length > 0) {
      let at = 0
      for (;;) {
        const left = this.#heap[2 * at + 1]
        const right = this.#heap[2 * at + 2]
        const child = right && left && before(right, left) ? 2 * at + 2 : 2 * at + 1
        const below = this.#heap[child]
        if (!below || !before(below, last)) break
        this.#heap[at] = below
        at = child
      }
      this.#heap[at] = last
    }
    return first
  }
}

const before = (a: { priority: number; order: number }, b: { priority: number; order: number }): boolean =>
  a.priority < b.priority || (a.priority === b.priority && a.order < b.order)
