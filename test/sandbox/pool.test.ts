import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, test } from 'vitest'
import { openSandbox } from '../../src/sandbox/create-sandbox.ts'
import { createSandbox } from '../../src/sandbox/index.ts'
import type { Sandbox } from '../../src/sandbox/types.ts'
import { childProcesses, openDescriptors, puppetJob, puppetSandbox } from './puppet.ts'

const open: Sandbox[] = []
const opened = (...args: Parameters<typeof puppetSandbox>): Sandbox => {
  const sandbox = puppetSandbox(...args)
  open.push(sandbox)
  return sandbox
}
afterEach(async () => {
  await Promise.all(open.splice(0).map((sandbox) => sandbox.close()))
  expect(childProcesses()).toEqual([])
})

describe('scopes', () => {
  test('jobs of one scope share a process, jobs of another never do', async () => {
    const sandbox = opened({ maxChildren: 2 })
    const pidOf = async (scope: string) => (await sandbox.run(puppetJob('pass'), { scope })).stdout
    const first = await pidOf('a')
    expect(await pidOf('a')).toBe(first)
    expect(await pidOf('b')).not.toBe(first)
  })

  test('64 callers with scopes of their own are all served by two children', { timeout: 60_000 }, async () => {
    const sandbox = opened({ maxChildren: 2 })
    let most = 0
    const outcomes = await Promise.all(
      Array.from({ length: 64 }, async (_, caller) => {
        const outcome = await sandbox.run(puppetJob('pass'), { scope: `caller ${caller}` })
        most = Math.max(most, childProcesses().length)
        return outcome
      }),
    )
    expect(new Set(outcomes.map((outcome) => outcome.end.kind))).toEqual(new Set(['completed']))
    expect(new Set(outcomes.map((outcome) => outcome.stdout)).size).toBe(64)
    expect(most).toBeLessThanOrEqual(2)
  })

  test('a scope with a long queue does not keep another waiting to its end', async () => {
    const sandbox = opened({ maxChildren: 1 })
    const order: string[] = []
    const run = async (scope: string) => {
      await sandbox.run(puppetJob('slowly', {}, '50'), { scope })
      order.push(scope)
    }
    await Promise.all([...Array.from({ length: 40 }, () => run('greedy')), run('modest')])
    expect(order.indexOf('modest')).toBeLessThan(30)
  })

  test('release ends the children of that scope and aborts its jobs', async () => {
    const sandbox = opened({ maxChildren: 2 })
    const other = (await sandbox.run(puppetJob('pass'), { scope: 'other' })).stdout
    const running = sandbox.run(puppetJob('silence'), { scope: 'gone' })
    const refused = expect(running).rejects.toMatchObject({ code: 'ABORTED' })
    await sandbox.run(puppetJob('pass'), { scope: 'other' })
    await sandbox.release('gone')
    await refused
    expect((await sandbox.run(puppetJob('pass'), { scope: 'other' })).stdout).toBe(other)
  })
})

describe('aborting', () => {
  test('a signal that was aborted before refuses the job', async () => {
    const run = opened().run(puppetJob('pass'), { scope: 's', signal: AbortSignal.abort() })
    await expect(run).rejects.toMatchObject({ code: 'ABORTED' })
  })

  test('an abort while the job runs kills its child, and the next job is served', async () => {
    const sandbox = opened()
    await sandbox.run(puppetJob('pass'), { scope: 's' })
    const controller = new AbortController()
    const running = sandbox.run(puppetJob('burn'), { scope: 's', signal: controller.signal })
    const refused = expect(running).rejects.toMatchObject({ code: 'ABORTED' })
    await new Promise(setImmediate)
    controller.abort()
    await refused
    expect(childProcesses()).toEqual([])
    expect((await sandbox.run(puppetJob('count'), { scope: 's' })).stdout).toBe('1')
  })

  test('an abort of a waiting job leaves the running one alone', async () => {
    const sandbox = opened()
    const controller = new AbortController()
    const running = sandbox.run(puppetJob('slowly', {}, '100'), { scope: 's' })
    const waiting = sandbox.run(puppetJob('pass'), { scope: 's', signal: controller.signal })
    controller.abort()
    await expect(waiting).rejects.toMatchObject({ code: 'ABORTED' })
    expect((await running).end).toEqual({ kind: 'completed' })
  })
})

test('what a listener throws is given to its caller, and is no verdict on the candidate', async () => {
  const onTest = () => {
    throw new TypeError('mine')
  }
  await expect(opened().run(puppetJob('tests'), { scope: 's', onTest })).rejects.toThrow(new TypeError('mine'))
})

describe('closing', () => {
  test('closing twice, and while children start, leaves nothing behind', async () => {
    const before = openDescriptors()
    const sandbox = puppetSandbox({ maxChildren: 2, warm: 2 })
    const run = sandbox.run(puppetJob('pass'), { scope: 's' })
    const refused = expect(run).rejects.toMatchObject({ code: 'ENGINE_CLOSED' })
    await Promise.all([sandbox.close(), sandbox.close()])
    await refused
    expect(childProcesses()).toEqual([])
    await expect.poll(openDescriptors).toBeLessThanOrEqual(before)
  })

  test('a child that is busy with its guest is killed, and its job is refused', async () => {
    const sandbox = puppetSandbox()
    await sandbox.run(puppetJob('pass'), { scope: 's' })
    const refused = expect(sandbox.run(puppetJob('burn'), { scope: 's' })).rejects.toMatchObject({
      code: 'ENGINE_CLOSED',
    })
    await sandbox.close()
    await refused
    expect(childProcesses()).toEqual([])
  })

  test('a job after the close is refused', async () => {
    const sandbox = puppetSandbox()
    await sandbox.close()
    await expect(sandbox.run(puppetJob('pass'), { scope: 's' })).rejects.toMatchObject({ code: 'ENGINE_CLOSED' })
  })

  test('it is disposed of by closing', async () => {
    const sandbox = puppetSandbox()
    await sandbox.isolation
    await sandbox[Symbol.asyncDispose]()
    expect(childProcesses()).toEqual([])
  })
})

describe('what cannot start', () => {
  test('a child that ends at its start is SANDBOX_UNAVAILABLE with what it said', async () => {
    const mute = fileURLToPath(new URL('../fixtures/processes/mute.cjs', import.meta.url))
    const sandbox = openSandbox({ maxChildren: 1, warm: 0, namespace: 'off' }, mute)
    const refused = { code: 'SANDBOX_UNAVAILABLE', message: expect.stringContaining('no such addon') }
    await expect(sandbox.run(puppetJob('pass'), { scope: 's' })).rejects.toMatchObject(refused)
    await sandbox.close()
  })

  test.each([{ maxChildren: 0 }, { maxChildren: 1.5 }, { warm: -1 }])('the option %o is refused', (options) => {
    expect(() => createSandbox(options)).toThrow(expect.objectContaining({ code: 'INVALID_OPTION' }))
  })
})
