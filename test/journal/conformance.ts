import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { RedgreenError } from '../../src/errors.ts'
import { entriesBefore, type JournalStore } from '../../src/journal/journal.ts'

/** `Promise.withResolvers`, which the lib of the oldest supported target lacks. */
function deferred<T>() {
  let resolve: (value: T) => void = () => {}
  let reject: (error: unknown) => void = () => {}
  const promise = new Promise<T>((yes, no) => {
    resolve = yes
    reject = no
  })
  return { promise, resolve, reject }
}

/** What every journal must hold to, whatever it is kept in. `open` gives a store of its own, empty. */
export function describeJournal(kind: string, open: () => JournalStore | Promise<JournalStore>): void {
  describe(`${kind} journal`, () => {
    let store: JournalStore
    beforeEach(async () => {
      store = await open()
    })
    afterEach(() => store.close())

    it('runs an effect once and gives its recorded result to every later call, also of a journal opened anew', async () => {
      let calls = 0
      const effect = async () => ({ call: ++calls })
      const journal = store.open('run')
      expect(await journal.step('generate/1', { a: 1 }, effect)).toEqual({ call: 1 })
      expect(await journal.step('generate/1', { a: 1 }, effect)).toEqual({ call: 1 })
      expect(await store.open('run').step('generate/1', { a: 1 }, effect)).toEqual({ call: 1 })
      expect(calls).toBe(1)
    })

    it('keeps runs apart', async () => {
      expect(await store.open('a').step('generate/1', null, async () => 'of a')).toBe('of a')
      expect(await store.open('b').step('generate/1', null, async () => 'of b')).toBe('of b')
    })

    it('refuses another input under a known name with JOURNAL_DIVERGED and runs nothing', async () => {
      const journal = store.open('run')
      await journal.step('validate/1', { files: { a: '1' } }, async () => 'first')
      let ran = false
      const second = journal.step('validate/1', { files: { a: '2' } }, async () => {
        ran = true
      })
      await expect(second).rejects.toMatchObject({ code: 'JOURNAL_DIVERGED', detail: { step: 'validate/1' } })
      expect(ran).toBe(false)
    })

    it('refuses another input also while the first effect still runs', async () => {
      const journal = store.open('run')
      const gate = deferred<string>()
      const first = journal.step('validate/1', 1, () => gate.promise)
      await expect(journal.step('validate/1', 2, async () => 'other')).rejects.toMatchObject({
        code: 'JOURNAL_DIVERGED',
      })
      gate.resolve('done')
      expect(await first).toBe('done')
    })

    it('is blind to the order of an input’s members and to undefined ones', async () => {
      const journal = store.open('run')
      await journal.step('s/1', { a: 1, b: { c: 2, d: [3] }, e: undefined }, async () => 'first')
      expect(await journal.step('s/1', { b: { d: [3], c: 2 }, a: 1 }, async () => 'again')).toBe('first')
    })

    it('does not record a rejection: the next call runs the effect again', async () => {
      const journal = store.open('run')
      const broken = new RedgreenError('SANDBOX_UNAVAILABLE', 'no child')
      await expect(journal.step('validate/1', 1, () => Promise.reject(broken))).rejects.toBe(broken)
      expect(await store.entries('run')).toEqual([])
      expect(await journal.step('validate/1', 1, async () => 'well')).toBe('well')
    })

    it('also turns an effect that throws at once into a rejection that is not recorded', async () => {
      const journal = store.open('run')
      const broken = () => {
        throw new TypeError('at once')
      }
      await expect(journal.step('s/1', 1, broken)).rejects.toThrow('at once')
      expect(await journal.step('s/1', 1, async () => 'well')).toBe('well')
    })

    it('runs steps of different names side by side, and lists them in the order of starting', async () => {
      const journal = store.open('run')
      const first = deferred<string>()
      const a = journal.step('validate/1/a', 1, () => first.promise)
      const b = journal.step('validate/1/b', 1, async () => 'b')
      expect(await b).toBe('b')
      first.resolve('a')
      expect(await a).toBe('a')
      expect((await store.entries('run')).map((entry) => entry.name)).toEqual(['validate/1/a', 'validate/1/b'])
    })

    it('lets concurrent calls of one name share one effect, its failure included', async () => {
      const journal = store.open('run')
      let calls = 0
      const gate = deferred<string>()
      const effect = () => {
        calls += 1
        return gate.promise
      }
      const both = [journal.step('s/1', 1, effect), store.open('run').step('s/1', 1, effect)]
      const settled = Promise.allSettled(both)
      gate.reject(new RedgreenError('MODEL_UNAVAILABLE', 'down'))
      expect((await settled).map((result) => result.status)).toEqual(['rejected', 'rejected'])
      expect(calls).toBe(1)
      expect(await journal.step('s/1', 1, async () => 'again')).toBe('again')
    })

    it('hands the run’s signal to the effect and names an abort ABORTED, unrecorded', async () => {
      const controller = new AbortController()
      const journal = store.open('run', { signal: controller.signal })
      const step = journal.step(
        'generate/1',
        1,
        (signal) =>
          new Promise((_resolve, reject) => {
            signal.addEventListener('abort', () => reject(signal.reason))
          }),
      )
      controller.abort()
      await expect(step).rejects.toMatchObject({ code: 'ABORTED' })
      expect(await store.entries('run')).toEqual([])
      expect(await store.open('run').step('generate/1', 1, async () => 'resumed')).toBe('resumed')
    })

    it('starts nothing once aborted, while recorded steps still answer', async () => {
      const controller = new AbortController()
      const journal = store.open('run', { signal: controller.signal })
      await journal.step('generate/1', 1, async () => 'recorded')
      controller.abort()
      expect(await journal.step('generate/1', 1, async () => 'never')).toBe('recorded')
      let ran = false
      const late = journal.step('generate/2', 1, async () => {
        ran = true
      })
      await expect(late).rejects.toMatchObject({ code: 'ABORTED' })
      expect(ran).toBe(false)
    })

    it('keeps a result that arrives in spite of the abort, for it has been paid for', async () => {
      const controller = new AbortController()
      const journal = store.open('run', { signal: controller.signal })
      const gate = deferred<string>()
      const step = journal.step('generate/1', 1, () => gate.promise)
      controller.abort()
      gate.resolve('paid')
      expect(await step).toBe('paid')
      expect(await store.open('run').step('generate/1', 1, async () => 'again')).toBe('paid')
    })

    it('gives the same value the first time as from the record, untouched by what callers do to it', async () => {
      const journal = store.open('run')
      const effect = async () => ({ list: [1], gone: undefined as number | undefined })
      const first = await journal.step('s/1', 1, effect)
      expect('gone' in first).toBe(false)
      first.list.push(2)
      expect(await journal.step('s/1', 1, effect)).toEqual({ list: [1] })
    })

    it('records an effect without a result', async () => {
      const journal = store.open('run')
      let calls = 0
      const effect = async () => {
        calls += 1
      }
      expect(await journal.step('s/1', 1, effect)).toBeUndefined()
      expect(await journal.step('s/1', 1, effect)).toBeUndefined()
      expect(calls).toBe(1)
    })

    it('says so when a result cannot be recorded', async () => {
      const step = store.open('run').step('s/1', 1, async () => 10n)
      await expect(step).rejects.toMatchObject({ code: 'INTERNAL' })
    })

    it('forks: a run seeded with the entries before a step answers those and runs that step anew', async () => {
      const journal = store.open('run')
      for (const name of ['generate/1', 'validate/1', 'generate/2'])
        await journal.step(name, 1, async () => `old ${name}`)
      await store.seed('fork', entriesBefore(await store.entries('run'), 'validate/1'))
      const fork = store.open('fork')
      expect(await fork.step('generate/1', 1, async () => 'new')).toBe('old generate/1')
      expect(await fork.step('validate/1', 1, async () => 'new')).toBe('new')
      expect(await journal.step('validate/1', 1, async () => 'new')).toBe('old validate/1')
    })

    it('refuses to seed a run that has begun, and to fork at a step that is not there', async () => {
      await store.open('run').step('s/1', 1, async () => 1)
      await expect(store.seed('run', [])).rejects.toMatchObject({ code: 'INVALID_OPTION' })
      const entries = await store.entries('run')
      expect(() => entriesBefore(entries, 's/2')).toThrow(expect.objectContaining({ code: 'INVALID_OPTION' }))
    })

    it('forgets a run, so that its steps run anew, and leaves the others', async () => {
      for (const run of ['a', 'b']) await store.open(run).step('s/1', 1, async () => 'old')
      await store.forget('a')
      await store.forget('never there')
      expect(await store.entries('a')).toEqual([])
      expect(await store.open('a').step('s/1', 1, async () => 'new')).toBe('new')
      expect(await store.open('b').step('s/1', 1, async () => 'new')).toBe('old')
    })

    it('closes more than once, and takes no step afterwards', async () => {
      await store.close()
      await store.close()
      expect(() => store.open('run')).toThrow(expect.objectContaining({ code: 'ENGINE_CLOSED' }))
    })
  })
}
